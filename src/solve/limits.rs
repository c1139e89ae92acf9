//! Limits and progress: when a run has to stop, and what can be seen of it from outside.
//!
//! A limit that is reached is remembered once; from then on every open position returns what it has
//! proven so far, so the run ends with a proven interval.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::time::Instant;

use super::answer::StopReason;
use super::question::Options;

/// Counters of a run that can be read at any time from another thread. They start at 0 with every run.
#[derive(Debug, Default)]
pub struct Progress {
    /// States looked at by the check before the search.
    pub explored: AtomicU64,
    /// Positions expanded by the search.
    pub visited: AtomicU64,
    /// Successors generated.
    pub edges: AtomicU64,
    /// Questions that the table answered.
    pub table_hits: AtomicU64,
    /// Entries in the table.
    pub table_entries: AtomicU64,
    /// The estimate of the bytes in tables.
    pub memory_bytes: AtomicU64,
    /// The deepest step so far.
    pub depth: AtomicU64,
    /// Layers that an earlier run had left in its checkpoint.
    pub resumed_layers: AtomicU64,
    /// Successors of the first position that are done.
    pub root_done: AtomicU64,
    /// All successors of the first position; 0 until the search starts.
    pub root_total: AtomicU64,
}

impl Progress {
    fn reset(&self) {
        let counters = [
            &self.explored,
            &self.visited,
            &self.edges,
            &self.table_hits,
            &self.table_entries,
        ];
        let others = [
            &self.memory_bytes,
            &self.depth,
            &self.resumed_layers,
            &self.root_done,
            &self.root_total,
        ];
        counters
            .into_iter()
            .chain(others)
            .for_each(|counter| counter.store(0, Ordering::Relaxed));
    }

    /// Positions expanded and successors generated.
    pub(super) fn work(&self) -> (u64, u64) {
        (
            self.visited.load(Ordering::Relaxed),
            self.edges.load(Ordering::Relaxed),
        )
    }

    /// The share of the first position's successors that are done, from 0 to 1.
    pub fn fraction(&self) -> f64 {
        let total = self.root_total.load(Ordering::Relaxed);
        if total == 0 {
            0.0
        } else {
            self.root_done.load(Ordering::Relaxed) as f64 / total as f64
        }
    }
}

/// The limits of a run and whether one was reached. Shared by all threads.
pub(super) struct Limits {
    memory: u64,
    deadline: Option<Instant>,
    stop: Arc<AtomicBool>,
    pub(super) progress: Arc<Progress>,
    peak: AtomicU64,
    reached: AtomicU8,
}

/// `Limits::reached` as long as none was.
const NOTHING: u8 = u8::MAX;
const REASONS: [StopReason; 4] = [
    StopReason::Time,
    StopReason::Memory,
    StopReason::Interrupt,
    StopReason::Depth,
];

impl Limits {
    /// The limits of a run that starts now.
    pub(super) fn new(options: &Options) -> Limits {
        options.progress.reset();
        Limits {
            memory: options.memory as u64,
            deadline: options.deadline,
            stop: options.stop.clone(),
            progress: options.progress.clone(),
            peak: AtomicU64::new(0),
            reached: AtomicU8::new(NOTHING),
        }
    }

    /// The limit that was reached first.
    pub(super) fn reached(&self) -> Option<StopReason> {
        REASONS
            .get(usize::from(self.reached.load(Ordering::Relaxed)))
            .copied()
    }

    pub(super) fn reach(&self, reason: StopReason) {
        let code = REASONS.iter().position(|&other| other == reason).unwrap_or(0) as u8;
        // Whoever comes first decides; the others learn nothing from the result.
        let _ = self
            .reached
            .compare_exchange(NOTHING, code, Ordering::Relaxed, Ordering::Relaxed);
    }

    /// Looks at the clock and at the stop flag. Not free: call it now and then.
    pub(super) fn poll(&self) {
        if self.stop.load(Ordering::Relaxed) {
            self.reach(StopReason::Interrupt);
        } else if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            self.reach(StopReason::Time);
        }
    }

    /// The bytes that tables may take.
    pub(super) fn memory(&self) -> u64 {
        self.memory
    }

    /// Whether tables may take so many bytes.
    pub(super) fn fits(&self, bytes: u64) -> bool {
        bytes <= self.memory
    }

    /// Whether tables may take so many bytes; if not, the limit is reached.
    pub(super) fn allow(&self, bytes: u64) -> bool {
        if !self.fits(bytes) {
            self.reach(StopReason::Memory);
            return false;
        }
        self.hold(bytes);
        true
    }

    /// Notes that tables take so many bytes.
    pub(super) fn hold(&self, bytes: u64) {
        self.progress.memory_bytes.store(bytes, Ordering::Relaxed);
        self.peak.fetch_max(bytes, Ordering::Relaxed);
    }

    /// The largest number of bytes that was allowed.
    pub(super) fn peak(&self) -> u64 {
        self.peak.load(Ordering::Relaxed)
    }
}

/// The bytes that a hash table takes per entry of this size, at most: it doubles when it is 7/8 full, so
/// right after that it has 16/7 slots per entry, and every slot has a byte of its own.
pub(super) const fn table_bytes(entry: usize) -> u64 {
    ((entry + 1) * 16).div_ceil(7) as u64
}
