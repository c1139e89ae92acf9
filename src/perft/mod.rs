//! Breadth-first counts: the states at every depth, what they are, and how many plays lead there.
//!
//! Two engines that agree on all counts of a game almost certainly agree on its rules, so this is how
//! engines are checked against each other and against published data ("perft", as chess programs call
//! it). A layer has every state that some play reaches in exactly so many steps, also those that were
//! met at a smaller depth; the walk ends at the first layer that has no new state.

mod count;
mod expand;

pub use count::Count;
pub use expand::{Expander, Scalar, Sliced, Visit};

use crate::game::{GameError, GoalSet};
use hashbrown::{HashMap, HashSet};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Successors between two looks at the clock.
const POLL_EVERY: u64 = 64;

/// How far to go.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits<'a> {
    /// The last depth.
    pub depth: Option<u32>,
    /// When to stop.
    pub deadline: Option<Instant>,
    /// Bytes that the tables may take, by estimate.
    pub memory: Option<usize>,
    /// Stops the walk when it becomes true.
    pub stop: Option<&'a AtomicBool>,
}

/// Why the walk ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The next layer has no new state: all reachable states are counted.
    Exhausted,
    /// The last depth that was asked for is done.
    Depth,
    /// The time is over.
    Time,
    /// The memory is full.
    Memory,
    /// Somebody asked to stop.
    Interrupt,
}

impl End {
    /// Whether less was done than was asked for.
    pub fn is_limit(self) -> bool {
        matches!(self, End::Time | End::Memory | End::Interrupt)
    }
}

/// The layers that were finished.
#[derive(Clone, Debug)]
pub struct Perft {
    /// By depth, from 0.
    pub layers: Vec<Layer>,
    /// Why there are no more.
    pub end: End,
}

impl Perft {
    /// States of all finished layers, each counted once.
    pub fn distinct_states(&self) -> u64 {
        self.layers.iter().map(|layer| layer.new).sum()
    }
}

/// The states that are reached in exactly `depth` steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layer {
    /// Steps from the initial state.
    pub depth: u32,
    /// Distinct states.
    pub states: u64,
    /// Those that are in no layer before.
    pub new: u64,
    /// Those in which plays end.
    pub terminal: u64,
    /// Those in which some role has no legal move although plays do not end.
    pub stuck: u64,
    /// Joint moves of the states that are not terminal.
    pub joint: Count,
    /// Sequences of joint moves from the initial state to here.
    pub paths: Count,
    /// How many terminal states have which goals: per role, joined by `,`; several values of a role are
    /// joined by `|`.
    pub goals: BTreeMap<String, u64>,
}

/// What the states of a layer are.
#[derive(Clone, Debug)]
pub struct Tally {
    terminal: u64,
    stuck: u64,
    joint: Count,
    goals: HashMap<Vec<GoalSet>, u64>,
}

impl Tally {
    /// Nothing counted.
    pub fn new() -> Tally {
        Tally {
            terminal: 0,
            stuck: 0,
            joint: Count::ZERO,
            goals: HashMap::new(),
        }
    }

    /// Counts a terminal state with these goals per role.
    pub fn terminal(&mut self, goals: &[GoalSet]) {
        self.terminal += 1;
        *self.goals.entry_ref(goals).or_insert(0) += 1;
    }

    /// Counts a state that is not terminal and has so many joint moves.
    pub fn open(&mut self, joint: Count) {
        self.stuck += u64::from(joint.is_zero());
        self.joint.add(&joint);
    }

    fn goals_as_text(&self) -> BTreeMap<String, u64> {
        let named = self.goals.iter().map(|(goals, &states)| {
            let roles: Vec<String> = goals.iter().map(|set| joined(set.values(), "|")).collect();
            (roles.join(","), states)
        });
        named.collect()
    }
}

impl Default for Tally {
    fn default() -> Tally {
        Tally::new()
    }
}

fn joined(values: impl Iterator<Item = u8>, separator: &str) -> String {
    values
        .map(|value| value.to_string())
        .collect::<Vec<_>>()
        .join(separator)
}

/// Counts layer by layer; `finished` is called with each as soon as it is complete.
pub fn perft<E: Expander>(
    expander: E,
    limits: Limits,
    mut finished: impl FnMut(&Layer),
) -> Result<Perft, GameError> {
    let mut walk = Walk::new(expander, limits);
    let mut layers = Vec::new();
    let end = loop {
        let new = walk.remember();
        if new == 0 {
            break End::Exhausted;
        }
        let depth = layers.len() as u32;
        let is_last = limits.depth == Some(depth);
        let reach = if is_last { Reach::States } else { Reach::Successors };
        let tally = match walk.layer(reach)? {
            Ok(tally) => tally,
            Err(limit) => break limit,
        };
        let layer = walk.describe(depth, new, &tally);
        finished(&layer);
        layers.push(layer);
        if tally.joint.is_zero() {
            break End::Exhausted;
        }
        if is_last {
            break End::Depth;
        }
        walk.descend();
    };
    Ok(Perft { layers, end })
}

struct Walk<'l, E: Expander> {
    expander: E,
    limits: Limits<'l>,
    /// The current layer.
    states: Vec<E::State>,
    /// The number of plays to each state of the layer.
    paths: Vec<Count>,
    /// All states of this layer and of those before it.
    seen: HashSet<E::State, ahash::RandomState>,
    /// The layer after this one, with the number of plays to each state.
    next: HashMap<E::State, Count, ahash::RandomState>,
    /// The most bytes that a state owned outside of itself so far.
    heap: usize,
}

impl<'l, E: Expander> Walk<'l, E> {
    fn new(expander: E, limits: Limits<'l>) -> Walk<'l, E> {
        let hasher = ahash::RandomState::with_seeds(1, 2, 3, 4);
        Walk {
            states: vec![expander.initial()],
            paths: vec![Count::ONE],
            seen: HashSet::with_hasher(hasher.clone()),
            next: HashMap::with_hasher(hasher),
            heap: 0,
            expander,
            limits,
        }
    }

    /// Notes the states of the current layer as seen, and counts the new ones.
    fn remember(&mut self) -> u64 {
        let before = self.seen.len();
        for state in &self.states {
            if !self.seen.contains(state) {
                self.heap = self.heap.max(self.expander.heap_bytes(state));
                self.seen.insert(state.clone());
            }
        }
        (self.seen.len() - before) as u64
    }

    /// Tallies the current layer and, unless it is the last one, collects the next.
    fn layer(&mut self, reach: Reach) -> Result<Result<Tally, End>, GameError> {
        let mut meter = self.meter();
        let mut tally = Tally::new();
        let chunk = self.expander.chunk();
        let chunks = self.states.chunks(chunk).zip(self.paths.chunks(chunk));
        for (states, paths) in chunks {
            let next = &mut self.next;
            let mut visit = |at: usize, state: E::State| {
                if meter.is_over(next.len()) {
                    return ControlFlow::Break(());
                }
                next.entry(state).or_insert(Count::ZERO).add(&paths[at]);
                ControlFlow::Continue(())
            };
            let visit: Option<Visit<'_, E::State>> = match reach {
                Reach::Successors => Some(&mut visit),
                Reach::States => None,
            };
            self.expander.expand(states, &mut tally, visit)?;
            meter.poll(self.next.len());
            if let Some(limit) = meter.reached {
                return Ok(Err(limit));
            }
        }
        Ok(Ok(tally))
    }

    fn meter(&self) -> Meter<'l> {
        let state = size_of::<E::State>() + self.heap;
        let entry = size_of::<(E::State, Count)>();
        Meter {
            limits: self.limits,
            fixed: table_bytes(size_of::<E::State>()) * self.seen.len()
                + self.heap * self.seen.len()
                + (state + size_of::<Count>()) * self.states.len(),
            per_entry: table_bytes(entry) + self.heap,
            visits: 0,
            reached: None,
        }
    }

    fn describe(&self, depth: u32, new: u64, tally: &Tally) -> Layer {
        let mut paths = Count::ZERO;
        self.paths.iter().for_each(|count| paths.add(count));
        Layer {
            depth,
            states: self.states.len() as u64,
            new,
            terminal: tally.terminal,
            stuck: tally.stuck,
            joint: tally.joint.clone(),
            paths,
            goals: tally.goals_as_text(),
        }
    }

    /// Goes on to the next layer.
    fn descend(&mut self) {
        self.states.clear();
        self.paths.clear();
        for (state, count) in self.next.drain() {
            self.states.push(state);
            self.paths.push(count);
        }
    }
}

/// How much of a layer is wanted.
#[derive(Clone, Copy)]
enum Reach {
    /// Its states.
    States,
    /// Its states, and the next layer.
    Successors,
}

/// The limits while a layer is expanded.
struct Meter<'l> {
    limits: Limits<'l>,
    /// Bytes that do not change meanwhile.
    fixed: usize,
    /// Bytes per state of the next layer.
    per_entry: usize,
    visits: u64,
    reached: Option<End>,
}

impl Meter<'_> {
    /// Whether a limit was reached, with so many states in the next layer; looks only now and then.
    fn is_over(&mut self, entries: usize) -> bool {
        self.visits += 1;
        if self.visits.is_multiple_of(POLL_EVERY) {
            self.poll(entries);
        }
        self.reached.is_some()
    }

    fn poll(&mut self, entries: usize) {
        let Limits {
            deadline,
            memory,
            stop,
            ..
        } = self.limits;
        let bytes = self.fixed + self.per_entry * entries;
        let found = if stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            Some(End::Interrupt)
        } else if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            Some(End::Time)
        } else if memory.is_some_and(|memory| bytes > memory) {
            Some(End::Memory)
        } else {
            None
        };
        self.reached = self.reached.or(found);
    }
}

/// Bytes per entry of a hash table, at most: it doubles when it is 7/8 full, so right after that it has
/// 16/7 slots per entry, and every slot has a byte of its own.
const fn table_bytes(entry: usize) -> usize {
    ((entry + 1) * 16).div_ceil(7)
}
