//! A hash that loses nothing: a key is its home in a table and a remainder, and these two give the key back.
//!
//! Let h be the hash, B its bits and M the number of homes. h M / 2^B has the home as its whole part, and the
//! fractional parts of two hashes of one home differ by at least M / 2^B. So the leading bits of the
//! fraction, up to the bit below which M / 2^B begins, tell the hashes of a home apart: that is the tag.
//!
//! ```text
//! remainder     words of the key but the lowest | tag
//! ```
//!
//! With home and tag the hash is known, with the hash and the other words the lowest word. A remainder is for keys
//! of one or two words.

/// How keys are spread over homes.
#[derive(Clone)]
pub(in crate::solve) struct Hash<const N: usize> {
    factors: [u64; N],
    /// Of the first factor, modulo 2^64.
    inverse: u64,
    /// By how much a hash is shifted, to have its bits at the top of a word.
    align: u32,
    homes: u64,
    /// 2^128 / `homes`, rounded down.
    reciprocal: u128,
    /// The bits of the fraction that are no part of the tag.
    cut: u32,
    tag_bits: u32,
    high_bits: u32,
}

/// Bits of a remainder, for keys of so many bits and so many homes.
pub(in crate::solve) fn remainder_bits(bits: usize, homes: u64) -> u32 {
    bits as u32 - homes.ilog2().min(bits as u32)
}

impl<const N: usize> Hash<N> {
    /// A hash of keys of so many bits. Another number as `attempt` gives another hash, for keys that fit badly
    /// with this one.
    pub(in crate::solve) fn new(bits: usize, homes: u64, attempt: usize) -> Hash<N> {
        let seed =
            0x9e37_79b9_7f4a_7c15u64.wrapping_add(0x5851_f42d_4c95_7f2e_u64.wrapping_mul(attempt as u64));
        let factors: [u64; N] = std::array::from_fn(|word| {
            let mixed = (seed.rotate_left(17 * word as u32))
                .wrapping_mul(1 + 2 * word as u64 * 0x2545_f491_4f6c_dd1d);
            mixed | 1
        });
        let align = 64 - (bits as u32).clamp(1, 64);
        let cut = (homes.ilog2() + align).min(64);
        Hash {
            inverse: inverse(factors[0]),
            factors,
            align,
            homes,
            reciprocal: u128::MAX / u128::from(homes),
            cut,
            tag_bits: 64 - cut,
            high_bits: (bits as u32).saturating_sub(64),
        }
    }

    /// The hash, at the top of a word. It is linear in the words of the key.
    #[inline(always)]
    pub(super) fn of(&self, key: &[u64; N]) -> u64 {
        let mut sum = 0u64;
        for (&word, &factor) in key.iter().zip(&self.factors) {
            sum = sum.wrapping_add(word.wrapping_mul(factor));
        }
        sum << self.align
    }

    /// Number of homes.
    pub(super) fn homes(&self) -> u64 {
        self.homes
    }

    /// Bits of a remainder.
    #[inline]
    pub(in crate::solve) fn remainder_bits(&self) -> u32 {
        self.tag_bits + self.high_bits
    }

    /// The home of a key.
    #[inline]
    pub(in crate::solve) fn home(&self, key: &[u64; N]) -> usize {
        self.scaled(key).0
    }

    /// The home of a key, and the remainder.
    #[inline]
    pub(in crate::solve) fn split(&self, key: &[u64; N]) -> (usize, u64) {
        let (home, fraction) = self.scaled(key);
        let tag = fraction.checked_shr(self.cut).unwrap_or(0);
        let high = if N > 1 { key[1] } else { 0 };
        (home, high.checked_shl(self.tag_bits).unwrap_or(0) | tag)
    }

    /// The key with this home and remainder.
    #[inline]
    pub(in crate::solve) fn join(&self, home: usize, remainder: u64) -> [u64; N] {
        let tag = remainder & low_bits(self.tag_bits);
        let high = remainder.checked_shr(self.tag_bits).unwrap_or(0) & low_bits(self.high_bits);
        let fraction = tag.checked_shl(self.cut).unwrap_or(0);
        let hash = self.least_hash(home as u64, fraction) >> self.align;
        let mut key = [0; N];
        let mut rest = hash;
        if N > 1 {
            key[1] = high;
            rest = hash.wrapping_sub(high.wrapping_mul(self.factors[1]));
        }
        key[0] = rest.wrapping_mul(self.inverse) & low_bits(64 - self.align);
        key
    }

    /// The whole part and the fraction of the hash times the number of homes.
    #[inline]
    fn scaled(&self, key: &[u64; N]) -> (usize, u64) {
        let scaled = u128::from(self.of(key)) * u128::from(self.homes);
        ((scaled >> 64) as usize, scaled as u64)
    }

    /// The least hash at or behind a home and fraction.
    #[inline]
    fn least_hash(&self, home: u64, fraction: u64) -> u64 {
        let target = u128::from(home) << 64 | u128::from(fraction);
        let (high, low) = ((self.reciprocal >> 64) as u64, self.reciprocal as u64);
        // At most a little too small: every step rounds down.
        let mut hash = home
            .wrapping_mul(high)
            .wrapping_add(product_high(home, low))
            .wrapping_add(product_high(fraction, high));
        while u128::from(hash) * u128::from(self.homes) < target {
            hash += 1;
        }
        let unit = low_bits(self.align);
        hash.wrapping_add(unit) & !unit
    }
}

#[inline]
fn product_high(left: u64, right: u64) -> u64 {
    ((u128::from(left) * u128::from(right)) >> 64) as u64
}

/// The lowest so many bits.
#[inline]
pub(in crate::solve) fn low_bits(count: u32) -> u64 {
    match count {
        64.. => u64::MAX,
        _ => (1 << count) - 1,
    }
}

/// The inverse of an odd number modulo 2^64, by Newton's iteration.
fn inverse(odd: u64) -> u64 {
    (0..6).fold(odd, |inverse, _| {
        inverse.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(inverse)))
    })
}
