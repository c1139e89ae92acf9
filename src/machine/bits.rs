//! Sets of fluents as words.

use smallvec::SmallVec;

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

/// Words that hold so many bits; at least one.
pub fn words(bits: usize) -> usize {
    bits.div_ceil(64).max(1)
}
