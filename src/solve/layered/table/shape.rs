//! What is known of a table before it is made: how many slots it has, and of what kind.

use super::super::hash::{Hash, remainder_bits};
use super::probe::WIDEST;

/// The share of homes that are expected to be occupied.
const LOAD: f64 = 0.75;
/// The share of homes that may be occupied.
pub(super) const MOST: f64 = 0.9;
/// Bits of a displacement.
pub(super) const DISPLACEMENT: u32 = 12;

/// What is known of a table before it is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::solve::layered) struct Shape {
    /// Bits of a key.
    pub(in crate::solve::layered) bits: usize,
    /// Keys that there is room for.
    pub(in crate::solve::layered) keys: usize,
    pub(in crate::solve::layered) parts: usize,
    /// Another number gives another hash, for keys that fit badly with this one.
    pub(in crate::solve::layered) attempt: usize,
}

/// What a slot holds: a full key, or a quotient in one word or half a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Full,
    Short,
    Tiny,
}

impl Kind {
    /// Bytes of a slot.
    pub(super) fn bytes<const N: usize>(self) -> usize {
        match self {
            Kind::Full => 8 * N,
            Kind::Short => 8,
            Kind::Tiny => 4,
        }
    }
}

impl Shape {
    /// Homes of each part. Hashes spread keys unevenly, so a part gets a little more than its share.
    pub(super) fn homes(&self) -> usize {
        let share = self.keys as f64 / self.parts as f64;
        ((share + 4.0 * share.sqrt()) / LOAD) as usize + 16
    }

    /// Slots of each part: probing never wraps around.
    pub(super) fn slots(&self) -> usize {
        self.homes() + self.homes().min((1 << DISPLACEMENT) - 1) + WIDEST
    }

    /// Slots of the table.
    pub(in crate::solve::layered) fn places(&self) -> usize {
        self.slots() * self.parts
    }

    /// The bytes of a table.
    pub(in crate::solve::layered) fn bytes<const N: usize>(&self) -> u64 {
        (self.places() * self.kind::<N>().bytes::<N>()) as u64
    }

    /// What a slot holds.
    pub(super) fn kind<const N: usize>(&self) -> Kind {
        match self.quotient_bits() {
            0..=32 => Kind::Tiny,
            33..=64 if N > 1 => Kind::Short,
            _ => Kind::Full,
        }
    }

    /// Bits of a slot that holds a quotient.
    fn quotient_bits(&self) -> u32 {
        match self.bits {
            0..128 => 1 + DISPLACEMENT + remainder_bits(self.bits, self.homes() as u64),
            _ => u32::MAX,
        }
    }

    /// How the keys of each part are spread.
    pub(super) fn hash<const N: usize>(&self) -> Hash<N> {
        Hash::new(self.bits, self.homes() as u64, self.attempt)
    }
}
