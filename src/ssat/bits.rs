//! [`Bits`]: a set of small numbers.

/// A set of numbers below a fixed bound, one bit each.
pub(super) struct Bits(Vec<u64>);

impl Bits {
    /// The empty set of numbers below `bound`.
    pub fn new(bound: usize) -> Bits {
        Bits(vec![0; bound.div_ceil(64)])
    }

    #[inline]
    pub fn insert(&mut self, number: usize) {
        self.0[number / 64] |= 1 << (number % 64);
    }

    #[inline]
    pub fn remove(&mut self, number: usize) {
        self.0[number / 64] &= !(1 << (number % 64));
    }

    pub fn contains(&self, number: usize) -> bool {
        self.0[number / 64] >> (number % 64) & 1 == 1
    }

    /// The smallest element that is at least `from`.
    pub fn first(&self, from: usize) -> Option<usize> {
        let words = self.0.get(from / 64..)?;
        let masked = words.first()? & !0 << (from % 64);
        if masked != 0 {
            return Some(from / 64 * 64 + masked.trailing_zeros() as usize);
        }
        let (word, bits) = words.iter().enumerate().skip(1).find(|(_, bits)| **bits != 0)?;
        Some((from / 64 + word) * 64 + bits.trailing_zeros() as usize)
    }

    /// The elements in order.
    pub fn iter(&self) -> impl Iterator<Item = usize> {
        let nonzero = self.0.iter().enumerate().filter(|(_, bits)| **bits != 0);
        nonzero.flat_map(|(word, &bits)| {
            let mut rest = bits;
            std::iter::from_fn(move || {
                let bit = (rest != 0).then(|| rest.trailing_zeros() as usize)?;
                rest &= rest - 1;
                Some(word * 64 + bit)
            })
        })
    }

    /// The words that hold the elements from `from` on, the first one from a multiple of 64 on.
    pub fn words(&self, from: usize) -> &[u64] {
        self.0.get(from / 64..).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_gives_back_what_was_put_in() {
        let mut bits = Bits::new(200);
        for number in [0, 63, 64, 130, 199] {
            bits.insert(number);
        }
        bits.remove(64);
        assert_eq!(bits.iter().collect::<Vec<_>>(), [0, 63, 130, 199]);
        assert_eq!(bits.first(0), Some(0));
        assert_eq!(bits.first(1), Some(63));
        assert_eq!(bits.first(64), Some(130));
        assert_eq!(bits.first(199), Some(199));
        assert_eq!(Bits::new(0).first(0), None);
        assert_eq!(Bits::new(70).first(65), None);
    }
}
