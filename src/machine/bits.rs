//! Sets of fluents as words.

use smallvec::SmallVec;
use std::ops::Range;

/// A state: bit `i` says whether fluent `i` holds. States of up to 256 fluents need no allocation.
#[derive(Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bits(SmallVec<[u64; 4]>);

/// By copying words: a small vector's own `clone` goes element by element.
impl Clone for Bits {
    #[inline]
    fn clone(&self) -> Bits {
        Bits(SmallVec::from_slice(&self.0))
    }
}

impl Bits {
    /// All bits zero.
    pub fn zero(bits: usize) -> Bits {
        Bits(SmallVec::from_elem(0, words(bits)))
    }

    /// Bit `i` is `values[i]`.
    pub fn from_values(values: impl ExactSizeIterator<Item = bool>) -> Bits {
        let mut bits = Bits::zero(values.len());
        values
            .enumerate()
            .filter(|&(_, value)| value)
            .for_each(|(bit, _)| bits.set(bit));
        bits
    }

    /// So many bits, of which the first are those of the words; the words have no ones beyond.
    pub(crate) fn from_words(bits: usize, words: &[u64]) -> Bits {
        let mut made = Bits::zero(bits);
        made.0
            .iter_mut()
            .zip(words)
            .for_each(|(made, &word)| *made = word);
        made
    }

    /// Whether a bit is one.
    #[inline]
    pub fn get(&self, bit: usize) -> bool {
        bit_of(&self.0, bit)
    }

    /// Makes a bit one.
    #[inline]
    pub fn set(&mut self, bit: usize) {
        self.0[bit / 64] |= 1 << (bit % 64);
    }

    /// The words, lowest bits first.
    pub fn words(&self) -> &[u64] {
        &self.0
    }

    /// The words, to be changed.
    pub fn words_mut(&mut self) -> &mut [u64] {
        &mut self.0
    }

    /// The positions of the ones, ascending.
    pub fn ones(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().enumerate().flat_map(|(word, &bits)| {
            let rest = |&left: &u64| Some(left & left.wrapping_sub(1)).filter(|&left| left != 0);
            let start = Some(bits).filter(|&bits| bits != 0);
            std::iter::successors(start, rest).map(move |left| word * 64 + left.trailing_zeros() as usize)
        })
    }
}

/// Whether a bit of these words is one. For many bits of one state, take its words once: finding them is
/// what costs.
#[inline]
pub fn bit_of(words: &[u64], bit: usize) -> bool {
    words[bit / 64] >> (bit % 64) & 1 == 1
}

/// Calls `visit` with the positions in a range of the ones of these words, ascending.
#[inline]
pub(crate) fn ones_within(words: &[u64], range: Range<usize>, mut visit: impl FnMut(usize)) {
    let numbered = words[..range.end.div_ceil(64)].iter().enumerate();
    for (number, word) in numbered.skip(range.start / 64) {
        let first = 64 * number;
        let mut left = word & !below(range.start.saturating_sub(first)) & below(range.end - first);
        while left != 0 {
            visit(first + left.trailing_zeros() as usize);
            left &= left - 1;
        }
    }
}

/// A word with so many ones, or all of them, from the lowest bit on.
fn below(count: usize) -> u64 {
    1u64.checked_shl(count as u32).map_or(u64::MAX, |bit| bit - 1)
}

/// Words that hold so many bits; at least one.
pub fn words(bits: usize) -> usize {
    bits.div_ceil(64).max(1)
}

#[cfg(test)]
mod tests {
    use super::{Bits, ones_within};

    #[test]
    fn ones_are_found_in_any_range_across_words() {
        let mut bits = Bits::zero(200);
        let ones = [0, 1, 62, 63, 64, 100, 127, 128, 191, 199];
        ones.iter().for_each(|&bit| bits.set(bit));
        for (start, end) in [
            (0, 0),
            (0, 200),
            (1, 63),
            (63, 64),
            (64, 64),
            (63, 129),
            (128, 192),
            (199, 200),
        ] {
            let mut found = Vec::new();
            ones_within(bits.words(), start..end, |bit| found.push(bit));
            let expected: Vec<_> = ones
                .iter()
                .copied()
                .filter(|bit| (start..end).contains(bit))
                .collect();
            assert_eq!(found, expected, "{start}..{end}");
        }
    }
}
