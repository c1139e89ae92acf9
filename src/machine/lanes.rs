//! Bit-sliced evaluation: a signal is 512 lanes, one per state.
//!
//! The same gates as [`Code::run`], but every operation works on 512 states. The loop is compiled
//! several times for different vector widths; the widest that the processor has is chosen at run time,
//! so that one binary runs everywhere.

use super::code::{Code, Part};
use crate::propnet::Lit;

/// States per pass.
pub const LANES: usize = 512;

/// One signal of 512 states: lane `i` is bit `i % 64` of word `i / 64`. Aligned to a cache line, because
/// unaligned wide loads cost three times as much.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub(crate) struct Lanes(pub(crate) [u64; 8]);

impl Lanes {
    pub(crate) const NONE: Lanes = Lanes([0; 8]);
    pub(crate) const ALL: Lanes = Lanes([u64::MAX; 8]);

    /// The first so many lanes.
    pub(crate) fn first(count: usize) -> Lanes {
        Lanes(std::array::from_fn(|word| {
            match count.saturating_sub(word * 64) {
                0 => 0,
                64.. => u64::MAX,
                some => (1 << some) - 1,
            }
        }))
    }

    pub(crate) fn get(&self, lane: usize) -> bool {
        self.0[lane / 64] >> (lane % 64) & 1 == 1
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0 == [0; 8]
    }

    pub(crate) fn and(self, other: Lanes) -> Lanes {
        Lanes(std::array::from_fn(|word| self.0[word] & other.0[word]))
    }

    pub(crate) fn and_not(self, other: Lanes) -> Lanes {
        Lanes(std::array::from_fn(|word| self.0[word] & !other.0[word]))
    }

    /// Calls `visit` with the lanes that are one, ascending.
    #[inline]
    pub(crate) fn for_each(&self, mut visit: impl FnMut(usize)) {
        for (word, &bits) in self.0.iter().enumerate() {
            let mut left = bits;
            while left != 0 {
                visit(word * 64 + left.trailing_zeros() as usize);
                left &= left - 1;
            }
        }
    }

    /// The lanes that are one, ascending.
    pub(crate) fn ones(self) -> impl Iterator<Item = usize> {
        (0..8).flat_map(move |word| {
            let mut left = self.0[word];
            std::iter::from_fn(move || {
                let bit = (left != 0).then(|| left.trailing_zeros() as usize)?;
                left &= left - 1;
                Some(word * 64 + bit)
            })
        })
    }
}

/// The value of a literal over slots.
pub(crate) fn value(slots: &[Lanes], literal: Lit) -> Lanes {
    let invert = if literal.is_inverted() {
        Lanes::ALL
    } else {
        Lanes::NONE
    };
    let lanes = slots[literal.node()];
    Lanes(std::array::from_fn(|word| lanes.0[word] ^ invert.0[word]))
}

/// Evaluates a part of the code; `input` gives the lanes of an input.
pub(crate) fn run(code: &Code, part: Part, input: impl Fn(usize) -> Lanes, slots: &mut Vec<Lanes>) {
    let (loads, gates) = code.part(part);
    slots.clear();
    slots.push(Lanes::NONE);
    slots.extend(loads.iter().map(|&load| input(load as usize)));
    slots.resize(code.first_gate() + gates.len(), Lanes::NONE);
    run_gates(gates, slots, code.first_gate());
}

fn run_gates(gates: &[(Lit, Lit)], slots: &mut [Lanes], first: usize) {
    #[cfg(target_arch = "x86_64")]
    {
        if std::arch::is_x86_feature_detected!("avx512f") {
            // SAFETY: the processor has the feature that the function was compiled for.
            return unsafe { run_avx512(gates, slots, first) };
        }
        if std::arch::is_x86_feature_detected!("avx2") {
            // SAFETY: as above.
            return unsafe { run_avx2(gates, slots, first) };
        }
    }
    run_portable(gates, slots, first);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn run_avx512(gates: &[(Lit, Lit)], slots: &mut [Lanes], first: usize) {
    run_portable(gates, slots, first);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn run_avx2(gates: &[(Lit, Lit)], slots: &mut [Lanes], first: usize) {
    run_portable(gates, slots, first);
}

#[inline(always)]
fn run_portable(gates: &[(Lit, Lit)], slots: &mut [Lanes], first: usize) {
    for (gate, &(a, b)) in gates.iter().enumerate() {
        let (left, right) = (slots[a.node()].0, slots[b.node()].0);
        let invert_left = 0u64.wrapping_sub(u64::from(a.is_inverted()));
        let invert_right = 0u64.wrapping_sub(u64::from(b.is_inverted()));
        let result = &mut slots[first + gate].0;
        for word in 0..8 {
            result[word] = (left[word] ^ invert_left) & (right[word] ^ invert_right);
        }
    }
}

/// Transposes a 64 × 64 bit matrix: bit `j` of `rows[i]` becomes bit `i` of `rows[j]`.
pub(crate) fn transpose(rows: &mut [u64; 64]) {
    let mut width = 32;
    let mut mask = 0x0000_0000_ffff_ffffu64;
    while width != 0 {
        let mut row = 0;
        while row < 64 {
            let swap = (rows[row] >> width ^ rows[row + width]) & mask;
            rows[row] ^= swap << width;
            rows[row + width] ^= swap;
            row = (row + width + 1) & !width;
        }
        width >>= 1;
        mask ^= mask << width;
    }
}

#[cfg(test)]
mod tests {
    use super::{Lanes, transpose};

    #[test]
    fn transposing_moves_bit_j_of_row_i_to_bit_i_of_row_j() {
        let original: [u64; 64] = std::array::from_fn(|i| (i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let mut rows = original;
        transpose(&mut rows);
        for (i, row) in rows.iter().enumerate() {
            for (j, source) in original.iter().enumerate() {
                assert_eq!(row >> j & 1, source >> i & 1);
            }
        }
    }

    #[test]
    fn the_first_lanes_are_counted_across_words() {
        for count in [0, 1, 63, 64, 65, 130, 511, 512] {
            assert_eq!(
                Lanes::first(count).ones().collect::<Vec<_>>(),
                (0..count).collect::<Vec<_>>()
            );
        }
    }
}
