//! The transposition table: bounds of states, shared by all threads.
//!
//! The key is the whole state: a hash is never trusted in its place. A state has one entry for every
//! number of steps left (see [`Bounds`]), and one under [`UNBOUNDED`] for bounds whose proof never met
//! the horizon: there `V(s, m) <= hi` for every m, and `lo <= V(s, m)` for every `m >= from`.

use std::sync::atomic::{AtomicU64, Ordering};

use ahash::RandomState;
use dashmap::DashMap;

use super::bounds::{Bounds, UNBOUNDED};
use super::limits::{Limits, table_bytes};
use super::number::Number;
use crate::game::Game;

struct Entry<N> {
    lo: N,
    hi: N,
    from: u32,
    complete: bool,
}

/// Every shard doubles on its own, so what is held twice while one grows is a small part of the whole.
const SHARDS: usize = 64;

pub(super) struct Table<S, N> {
    entries: DashMap<(S, u32), Entry<N>, RandomState>,
    count: AtomicU64,
    /// What states and numbers own outside of the table.
    heap: AtomicU64,
}

impl<S: Clone + Eq + std::hash::Hash, N: Number> Table<S, N> {
    pub(super) fn new() -> Table<S, N> {
        Table {
            entries: DashMap::with_hasher_and_shard_amount(RandomState::new(), SHARDS),
            count: AtomicU64::new(0),
            heap: AtomicU64::new(0),
        }
    }

    /// What is known about V(state, left).
    pub(super) fn get(&self, state: &S, left: u32, top: u8) -> Bounds<N> {
        let mut key = (state.clone(), UNBOUNDED);
        let free = self.entries.get(&key).map(|entry| entry.bounds(UNBOUNDED));
        let free = match free {
            Some(bounds) if bounds.from <= left => bounds,
            Some(bounds) => Bounds {
                hi: bounds.hi,
                ..Bounds::unknown(top)
            },
            None => Bounds::unknown(top),
        };
        if left == UNBOUNDED || free.complete {
            return free;
        }
        key.1 = left;
        match self.entries.get(&key) {
            Some(entry) => entry.bounds(left).meet(free),
            None => free,
        }
    }

    /// Remembers bounds of V(state, left), unless they do not fit into the memory.
    pub(super) fn put<G: Game<State = S>>(
        &self,
        game: &G,
        state: &S,
        left: u32,
        bounds: &Bounds<N>,
        limits: &Limits,
    ) {
        let slot = if holds_for_all_steps(bounds) {
            UNBOUNDED
        } else {
            left
        };
        let heap = (game.heap_bytes(state) + bounds.lo.heap_bytes() + bounds.hi.heap_bytes()) as u64;
        if !limits.allow(self.bytes() + Self::ENTRY + heap) {
            return;
        }
        let new = Entry::from(bounds.clone());
        match self.entries.entry((state.clone(), slot)) {
            dashmap::Entry::Occupied(mut old) => {
                let merged = old.get().bounds(slot).meet(new.bounds(slot));
                old.insert(merged.into());
            }
            dashmap::Entry::Vacant(place) => {
                place.insert(new);
                self.count.fetch_add(1, Ordering::Relaxed);
                self.heap.fetch_add(heap, Ordering::Relaxed);
            }
        }
    }

    pub(super) fn len(&self) -> u64 {
        self.count.load(Ordering::Relaxed)
    }

    fn bytes(&self) -> u64 {
        self.len() * Self::ENTRY + self.heap.load(Ordering::Relaxed)
    }

    const ENTRY: u64 = table_bytes(size_of::<((S, u32), Entry<N>)>());
}

/// Whether bounds belong under [`UNBOUNDED`]. A complete interval with some width does not: for another
/// number of steps the complete one may differ in its last digit.
fn holds_for_all_steps<N: Number>(bounds: &Bounds<N>) -> bool {
    bounds.upto == UNBOUNDED && (bounds.lo == bounds.hi || !bounds.complete)
}

impl<N: Number> Entry<N> {
    fn bounds(&self, slot: u32) -> Bounds<N> {
        Bounds {
            lo: self.lo.clone(),
            hi: self.hi.clone(),
            from: self.from,
            upto: slot,
            complete: self.complete,
        }
    }
}

impl<N> From<Bounds<N>> for Entry<N> {
    fn from(bounds: Bounds<N>) -> Entry<N> {
        Entry {
            lo: bounds.lo,
            hi: bounds.hi,
            from: bounds.from,
            complete: bounds.complete,
        }
    }
}
