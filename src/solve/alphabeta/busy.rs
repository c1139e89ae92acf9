//! Which positions other threads search at the moment, so that a thread begins with another one.
//!
//! Only a hint: a position that is taken for a busy one is searched a little later, so here hashes will do. Without
//! it, two threads with the same order follow each other through the same positions. (A simplified form of
//! ABDADA; Weill 1996, Kerrigan 2017.)

use std::sync::atomic::{AtomicU64, Ordering};

/// Slots of the hint.
const SLOTS: usize = 1 << 10;

/// Positions by hash.
pub(super) struct Busy {
    slots: Vec<AtomicU64>,
}

impl Busy {
    pub(super) fn new() -> Busy {
        Busy {
            slots: (0..SLOTS).map(|_| AtomicU64::new(0)).collect(),
        }
    }

    pub(super) fn holds<const N: usize>(&self, key: &[u64; N]) -> bool {
        let hash = hash(key);
        self.slot(hash).load(Ordering::Relaxed) == hash
    }

    pub(super) fn enter<const N: usize>(&self, key: &[u64; N]) {
        let hash = hash(key);
        self.slot(hash).store(hash, Ordering::Relaxed);
    }

    pub(super) fn leave<const N: usize>(&self, key: &[u64; N]) {
        let hash = hash(key);
        let slot = self.slot(hash);
        if slot.load(Ordering::Relaxed) == hash {
            slot.store(0, Ordering::Relaxed);
        }
    }

    fn slot(&self, hash: u64) -> &AtomicU64 {
        &self.slots[hash as usize % SLOTS]
    }
}

/// Not 0, which stands for no position.
fn hash<const N: usize>(key: &[u64; N]) -> u64 {
    let mixed = key.iter().fold(0u64, |hash, &word| {
        (hash.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    });
    (mixed ^ mixed >> 29) | 1 << 63
}
