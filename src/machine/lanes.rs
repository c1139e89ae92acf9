//! Bit-sliced evaluation: a signal is 512 lanes, one per state.
//!
//! The same gates as [`Code::run`], but every operation works on 512 states.

use super::code::{Code, Part};
use super::vectors::{Vectors, Work};
use crate::propnet::Lit;

/// States per pass.
pub const LANES: usize = 512;

// The loops below are plain: what is called for each word would have to be inlined for the vectors to be used, see `Work`.

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

    /// The same value in all lanes.
    pub(crate) fn constant(value: bool) -> Lanes {
        if value { Lanes::ALL } else { Lanes::NONE }
    }

    /// The given values, lane by lane; further lanes are zero.
    pub(crate) fn collect(values: impl Iterator<Item = bool>) -> Lanes {
        let mut lanes = Lanes::NONE;
        for (lane, value) in values.take(LANES).enumerate() {
            lanes.0[lane / 64] |= u64::from(value) << (lane % 64);
        }
        lanes
    }

    /// Eight lanes from this one on, which is a multiple of 8.
    #[inline(always)]
    pub(crate) fn byte(&self, lane: usize) -> u8 {
        (self.0[lane / 64] >> (lane % 64)) as u8
    }

    #[inline]
    pub(crate) fn get(&self, lane: usize) -> bool {
        self.0[lane / 64] >> (lane % 64) & 1 == 1
    }

    #[inline(always)]
    pub(crate) fn is_empty(&self) -> bool {
        let mut any = 0;
        for word in self.0 {
            any |= word;
        }
        any == 0
    }

    #[inline(always)]
    pub(crate) fn and(mut self, other: Lanes) -> Lanes {
        for word in 0..8 {
            self.0[word] &= other.0[word];
        }
        self
    }

    #[inline(always)]
    pub(crate) fn or(mut self, other: Lanes) -> Lanes {
        for word in 0..8 {
            self.0[word] |= other.0[word];
        }
        self
    }

    #[inline(always)]
    pub(crate) fn xor(mut self, other: Lanes) -> Lanes {
        for word in 0..8 {
            self.0[word] ^= other.0[word];
        }
        self
    }

    /// Number of lanes that are one.
    #[inline(always)]
    pub(crate) fn count(&self) -> usize {
        let mut count = 0;
        for word in self.0 {
            count += word.count_ones() as usize;
        }
        count
    }

    #[inline(always)]
    pub(crate) fn and_not(mut self, other: Lanes) -> Lanes {
        for word in 0..8 {
            self.0[word] &= !other.0[word];
        }
        self
    }

    /// Calls `visit` with the lanes that are one, ascending.
    #[inline(always)]
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
#[inline(always)]
pub(crate) fn value(slots: &[Lanes], literal: Lit) -> Lanes {
    let invert = 0u64.wrapping_sub(u64::from(literal.is_inverted()));
    let mut lanes = slots[literal.node()];
    for word in 0..8 {
        lanes.0[word] ^= invert;
    }
    lanes
}

/// Evaluates a part of the code, whose inputs lie in their slots already.
pub(crate) fn run(code: &Code, part: Part, slots: &mut Vec<Lanes>, vectors: Vectors) {
    let gates = code.part(part).1;
    let first = code.first_gate();
    make_room(slots, first + gates.len());
    vectors.run(Gates { gates, slots, first });
}

/// Makes at least so many slots; those that are there stay as they are.
pub(crate) fn make_room(slots: &mut Vec<Lanes>, needed: usize) {
    if slots.len() < needed {
        slots.resize(needed, Lanes::NONE);
    }
}

/// Evaluating gates, the first of them in the slot `first`.
struct Gates<'w> {
    gates: &'w [(Lit, Lit)],
    slots: &'w mut [Lanes],
    first: usize,
}

impl Work for Gates<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        for (gate, &(a, b)) in self.gates.iter().enumerate() {
            let (left, right) = (value(self.slots, a), value(self.slots, b));
            self.slots[self.first + gate] = left.and(right);
        }
    }
}

/// The values of literals over slots, one after the other.
pub(crate) fn values(slots: &[Lanes], literals: &[Lit], values: &mut Vec<Lanes>, vectors: Vectors) {
    values.clear();
    vectors.run(Values {
        slots,
        literals,
        values,
    });
}

struct Values<'w> {
    slots: &'w [Lanes],
    literals: &'w [Lit],
    values: &'w mut Vec<Lanes>,
}

impl Work for Values<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        for &literal in self.literals {
            self.values.push(value(self.slots, literal));
        }
    }
}

/// The signals that share a lane with `lanes`: their positions, and what they share.
pub(crate) fn meet(lanes: Lanes, signals: &[Lanes], shared: &mut Vec<(usize, Lanes)>, vectors: Vectors) {
    shared.clear();
    vectors.run(Meeting {
        lanes,
        signals,
        shared,
    });
}

struct Meeting<'w> {
    lanes: Lanes,
    signals: &'w [Lanes],
    shared: &'w mut Vec<(usize, Lanes)>,
}

impl Work for Meeting<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        for (at, &signal) in self.signals.iter().enumerate() {
            let both = signal.and(self.lanes);
            if !both.is_empty() {
                self.shared.push((at, both));
            }
        }
    }
}

/// Turns states into signals: bit `f` of the word `words[lane * width]` becomes lane `lane` of
/// `signals[f]`, for the bits below `bits`. The signals beyond those are overwritten, too.
pub(crate) fn slice(words: &[u64], width: usize, bits: usize, signals: &mut [Lanes; 64], vectors: Vectors) {
    vectors.run(Slicing {
        words,
        width,
        bits,
        signals,
    });
}

struct Slicing<'w> {
    words: &'w [u64],
    width: usize,
    bits: usize,
    signals: &'w mut [Lanes; 64],
}

impl Work for Slicing<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        for (row, signal) in self.signals.iter_mut().enumerate() {
            for (block, lanes) in signal.0.iter_mut().enumerate() {
                *lanes = self.words[(block * 64 + row) * self.width];
            }
        }
        transpose(self.signals, self.bits);
    }
}

/// The way back: lane `lane` of `signals[f]` becomes bit `f` of the word `words[lane * width]`.
pub(crate) fn unslice(mut signals: [Lanes; 64], width: usize, words: &mut [u64], vectors: Vectors) {
    vectors.run(Unslicing {
        signals: &mut signals,
        width,
        words,
    });
}

struct Unslicing<'w> {
    signals: &'w mut [Lanes; 64],
    width: usize,
    words: &'w mut [u64],
}

impl Work for Unslicing<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        transpose(self.signals, 64);
        for (row, signal) in self.signals.iter().enumerate() {
            for (block, &lanes) in signal.0.iter().enumerate() {
                self.words[(block * 64 + row) * self.width] = lanes;
            }
        }
    }
}

/// Transposes eight 64 × 64 bit matrices at once: bit `j` of word `m` of `rows[i]` becomes bit `i` of
/// word `m` of `rows[j]`, for `j < bits`; further rows are left undefined.
///
/// Each round swaps the off-diagonal quarters of squares of half the size. A square of which nobody
/// wants the lower rows needs only its upper ones, and one that nobody wants at all is left out.
#[inline(always)]
fn transpose(rows: &mut [Lanes; 64], bits: usize) {
    let mut half = 32;
    let mut mask = 0x0000_0000_ffff_ffffu64;
    while half != 0 {
        for square in (0..bits.min(64)).step_by(2 * half) {
            let (upper, lower) = rows[square..square + 2 * half].split_at_mut(half);
            if square + half < bits {
                upper
                    .iter_mut()
                    .zip(lower)
                    .for_each(|(a, b)| swap(a, b, half, mask));
            } else {
                upper
                    .iter_mut()
                    .zip(lower)
                    .for_each(|(a, b)| join(a, b, half, mask));
            }
        }
        half >>= 1;
        mask ^= mask << half;
    }
}

/// The high halves of `upper` and the low ones of `lower` change places.
#[inline(always)]
fn swap(upper: &mut Lanes, lower: &mut Lanes, half: usize, mask: u64) {
    for (a, b) in upper.0.iter_mut().zip(&mut lower.0) {
        let swap = (*a >> half ^ *b) & mask;
        *a ^= swap << half;
        *b ^= swap;
    }
}

/// As [`swap`], for the upper row alone.
#[inline(always)]
fn join(upper: &mut Lanes, lower: &Lanes, half: usize, mask: u64) {
    for (a, b) in upper.0.iter_mut().zip(&lower.0) {
        *a = *a & mask | (*b & mask) << half;
    }
}

#[cfg(test)]
mod tests {
    use super::super::vectors::Vectors;
    use super::{LANES, Lanes, slice, unslice};

    #[test]
    fn slicing_moves_the_bits_of_a_state_to_its_lane() {
        for vectors in [Vectors::Portable, Vectors::detect()] {
            for (width, bits) in [(1, 64), (1, 33), (1, 32), (1, 20), (1, 1), (3, 50)] {
                let words: Vec<u64> = (0..(LANES * width) as u64)
                    .map(|i| (i + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15))
                    .collect();
                let mut signals = [Lanes::ALL; 64];
                slice(&words, width, bits, &mut signals, vectors);
                for (fluent, signal) in signals[..bits].iter().enumerate() {
                    for lane in 0..LANES {
                        assert_eq!(signal.get(lane), words[lane * width] >> fluent & 1 == 1);
                    }
                }
                signals[bits..].fill(Lanes::NONE);
                let mut back = words.clone();
                unslice(signals, width, &mut back, vectors);
                let low = u64::MAX >> (64 - bits);
                assert!((0..words.len()).all(|at| match at % width {
                    0 => back[at] == words[at] & low,
                    _ => back[at] == words[at],
                }));
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
