//! What is known of a table before it is made: how many slots it has, and of what kind.

use super::super::hash::{Hash, remainder_bits};
use super::Slotting;
use super::probe::WIDEST;

/// The share of homes that are expected to be occupied.
const LOAD: f64 = 0.75;
/// The share of homes that may be occupied.
pub(super) const MOST: f64 = 0.9;
/// Bits of a displacement, if there is room for so many in a slot; and how few are enough to save a longer slot.
const DISPLACEMENT: u32 = 12;
const LEAST_DISPLACEMENT: u32 = 9;

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
        match self.remainder_bits() {
            Some(bits) if bits + LEAST_DISPLACEMENT < 32 => Kind::Tiny,
            Some(bits) if bits + LEAST_DISPLACEMENT < 64 && N > 1 => Kind::Short,
            _ => Kind::Full,
        }
    }

    /// Bits of a slot that tell how far the key is from its home.
    fn displacement_bits<const N: usize>(&self) -> u32 {
        match (self.kind::<N>(), self.remainder_bits()) {
            (Kind::Full, _) | (_, None) => DISPLACEMENT,
            (kind, Some(bits)) => (8 * kind.bytes::<N>() as u32 - 1 - bits).min(DISPLACEMENT),
        }
    }

    /// Bits of a key that its home does not tell; of keys of more words nothing is told.
    fn remainder_bits(&self) -> Option<u32> {
        (self.bits < 128).then(|| remainder_bits(self.bits, self.homes() as u64))
    }

    /// How the keys of each part are slotted.
    pub(super) fn slotting<const N: usize>(&self) -> Slotting<N> {
        Slotting {
            hash: Hash::new(self.bits, self.homes() as u64, self.attempt),
            displacement_bits: self.displacement_bits::<N>(),
        }
    }
}
