//! Which part of a table a key belongs to.

use super::super::hash::Hash;
use crate::machine::packed::Work;

/// Telling the parts of keys.
pub(super) struct Parting<'w, const N: usize> {
    pub(super) hash: &'w Hash<N>,
    pub(super) keys: &'w [[u64; N]],
    pub(super) count: usize,
    /// One for each key.
    pub(super) parts: &'w mut [u32],
}

impl<const N: usize> Work for Parting<'_, N> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        for (part, key) in self.parts.iter_mut().zip(self.keys) {
            *part = part_of(self.hash.of(key), self.count) as u32;
        }
    }
}

/// Mixes the hash once more: the parts are to be independent of the homes.
#[inline(always)]
pub(super) fn part_of(hash: u64, parts: usize) -> usize {
    let mixed = (hash ^ hash >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    ((mixed >> 48) as usize * parts) >> 16
}
