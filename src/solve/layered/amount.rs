//! Values as whole numbers over a common denominator: `amount / denominator of the layer`.

use num_bigint::BigUint;

/// A whole number of `W` words, lowest first. It never overflows: the number of words is chosen by the
/// largest denominator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(transparent)]
pub(super) struct Amount<const W: usize>(pub(super) [u64; W]);

impl<const W: usize> Amount<W> {
    pub(super) const ZERO: Amount<W> = Amount([0; W]);
    /// At least as large as every value.
    pub(super) const MOST: Amount<W> = Amount([u64::MAX; W]);

    /// The number, if it fits.
    pub(super) fn from_big(big: &BigUint) -> Option<Amount<W>> {
        let digits = big.to_u64_digits();
        (digits.len() <= W)
            .then(|| Amount(std::array::from_fn(|word| digits.get(word).copied().unwrap_or(0))))
    }

    pub(super) fn to_big(self) -> BigUint {
        let halves = self.0.iter().flat_map(|&word| [word as u32, (word >> 32) as u32]);
        BigUint::new(halves.collect())
    }

    #[inline]
    pub(super) fn plus(self, other: Amount<W>) -> Amount<W> {
        let mut carry = false;
        Amount(std::array::from_fn(|word| {
            let (sum, first) = self.0[word].overflowing_add(other.0[word]);
            let (sum, second) = sum.overflowing_add(u64::from(carry));
            carry = first || second;
            sum
        }))
    }

    #[inline]
    pub(super) fn times(self, factor: u64) -> Amount<W> {
        if W == 1 {
            return Amount([self.0[0].wrapping_mul(factor); W]);
        }
        let mut carry = 0u128;
        Amount(std::array::from_fn(|word| {
            let product = u128::from(self.0[word]) * u128::from(factor) + carry;
            carry = product >> 64;
            product as u64
        }))
    }

    /// The smaller one.
    #[inline]
    pub(super) fn least(self, other: Amount<W>) -> Amount<W> {
        if other.is_less(&self) { other } else { self }
    }

    /// The larger one.
    #[inline]
    pub(super) fn greatest(self, other: Amount<W>) -> Amount<W> {
        if self.is_less(&other) { other } else { self }
    }

    #[inline]
    pub(super) fn is_less(&self, other: &Amount<W>) -> bool {
        for word in (0..W).rev() {
            if self.0[word] != other.0[word] {
                return self.0[word] < other.0[word];
            }
        }
        false
    }
}
