//! When a run has to stop, and what can be seen of it from outside.

use super::{Options, Progress, StopReason};
use std::cell::Cell;
use std::sync::atomic::Ordering;
use std::time::Instant;

/// The limits of a run and the first that was reached.
pub(super) struct Limits<'a> {
    deadline: Option<Instant>,
    options: &'a Options,
    depth: usize,
    reached: Cell<Option<StopReason>>,
}

impl Limits<'_> {
    /// The limits of a run with room for this depth of recursion.
    pub fn new(options: &Options, depth: usize) -> Limits<'_> {
        Limits {
            deadline: options.deadline,
            options,
            depth,
            reached: Cell::new(None),
        }
    }

    pub fn reached(&self) -> Option<StopReason> {
        self.reached.get()
    }

    fn reach(&self, reason: StopReason) {
        self.reached.set(self.reached.get().or(Some(reason)));
    }

    /// Whether so many decisions may be open.
    pub fn check_depth(&self, depth: usize) {
        if depth >= self.depth {
            self.reach(StopReason::Depth);
        }
    }

    /// Looks at the clock and at the stop flag, and tells those who watch. Not free: call it now and then.
    pub fn poll(&self, publish: impl FnOnce(&Progress)) {
        publish(&self.options.progress);
        if self.options.stop.load(Ordering::Relaxed) {
            self.reach(StopReason::Interrupt);
        } else if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            self.reach(StopReason::Time);
        }
    }
}
