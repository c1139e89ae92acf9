//! Specialised joint moves, made when they first occur and kept.

use super::transition::Transition;
use crate::ground::MoveId;
use dashmap::DashMap;
use smallvec::SmallVec;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

/// Most bytes that are kept; further joint moves use the general network.
const MAX_BYTES: usize = 256 << 20;

/// Joint moves up to which every one has its own slot in a table.
const MAX_DENSE: usize = 1 << 16;

/// One move per role, as positions in the network's moves.
type JointMove = SmallVec<[u32; 4]>;

/// What was made so far.
pub(super) struct Transitions {
    /// The moves of each role, as positions in the network's moves.
    ranges: Vec<Range<usize>>,
    table: Table,
    /// What the transitions take together.
    bytes: AtomicUsize,
}

enum Table {
    /// One slot per joint move.
    Dense(Vec<OnceLock<Box<Transition>>>),
    /// Too many joint moves for a slot each.
    Sparse(DashMap<JointMove, Arc<Transition>, ahash::RandomState>),
}

impl Transitions {
    /// None, for roles with these moves.
    pub(super) fn new(ranges: Vec<Range<usize>>) -> Transitions {
        let product = ranges
            .iter()
            .try_fold(1usize, |product, range| product.checked_mul(range.len()));
        let hasher = ahash::RandomState::with_seeds(1, 2, 3, 4);
        Transitions {
            table: match product.filter(|&product| product <= MAX_DENSE) {
                Some(product) => Table::Dense((0..product).map(|_| OnceLock::new()).collect()),
                None => Table::Sparse(DashMap::with_hasher(hasher)),
            },
            ranges,
            bytes: AtomicUsize::new(0),
        }
    }

    /// Calls `use_it` with the transition of a joint move, which is made if there is none; with `None` if
    /// it is not one move per role, or if there is no room for it.
    pub(super) fn with<R>(
        &self,
        joint: &[MoveId],
        make: impl FnOnce() -> Transition,
        use_it: impl FnOnce(Option<&Transition>) -> R,
    ) -> R {
        let fits = |(range, mv): (&Range<usize>, &MoveId)| range.contains(&mv.index());
        if joint.len() != self.ranges.len() || !self.ranges.iter().zip(joint).all(fits) {
            return use_it(None);
        }
        match &self.table {
            Table::Dense(slots) => {
                let slot = &slots[self.dense_index(joint)];
                match slot.get() {
                    None if self.is_full() => use_it(None),
                    None => use_it(Some(slot.get_or_init(|| Box::new(self.counted(make()))))),
                    Some(transition) => use_it(Some(transition)),
                }
            }
            Table::Sparse(table) => {
                let key: JointMove = joint.iter().map(|mv| mv.index() as u32).collect();
                let known = table.get(&key).map(|entry| entry.clone());
                match known {
                    Some(transition) => use_it(Some(&transition)),
                    None if self.is_full() => use_it(None),
                    None => {
                        let made = Arc::new(self.counted(make()));
                        table.insert(key, made.clone());
                        use_it(Some(&made))
                    }
                }
            }
        }
    }

    fn is_full(&self) -> bool {
        self.bytes.load(Ordering::Relaxed) >= MAX_BYTES
    }

    fn counted(&self, made: Transition) -> Transition {
        self.bytes.fetch_add(made.bytes(), Ordering::Relaxed);
        made
    }

    /// The joint move as a number whose digits are the moves of the roles.
    fn dense_index(&self, joint: &[MoveId]) -> usize {
        let digits = self.ranges.iter().zip(joint);
        digits.fold(0, |index, (range, mv)| {
            index * range.len() + mv.index() - range.start
        })
    }
}
