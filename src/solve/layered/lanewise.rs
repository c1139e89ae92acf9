//! Arithmetic on the values of 512 states, one per lane.
//!
//! Values of one word are changed all together, with those of the other lanes kept by masks: that is a vector
//! at a time, with nothing to guess. Wider ones are changed lane by lane.

use super::amount::Amount;
use crate::machine::LANES;
use crate::machine::packed::{Lanes, Vectors, Work};

/// Lanes of a word.
const WORD: usize = 64;

/// Changes the values of these lanes.
#[inline]
pub(super) fn change<const W: usize>(
    values: &mut [Amount<W>],
    lanes: Lanes,
    vectors: Vectors,
    to: impl Fn(Amount<W>) -> Amount<W>,
) {
    match W {
        1 => vectors.run(Change { values, lanes, to }),
        _ => lanes.for_each(|lane| values[lane] = to(values[lane])),
    }
}

struct Change<'w, F, const W: usize> {
    values: &'w mut [Amount<W>],
    lanes: Lanes,
    to: F,
}

impl<F: Fn(Amount<W>) -> Amount<W>, const W: usize> Work for Change<'_, F, W> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        for word in 0..LANES / WORD {
            let bits = self.lanes.0[word];
            let values = &mut self.values[word * WORD..][..WORD];
            for (bit, value) in values.iter_mut().enumerate() {
                let (old, new) = (*value, (self.to)(*value));
                *value = if bits >> bit & 1 == 1 { new } else { old };
            }
        }
    }
}

/// Changes the values of these lanes to something made of them and of those of `others`.
#[inline]
pub(super) fn join<const W: usize>(
    values: &mut [Amount<W>],
    others: &[Amount<W>],
    lanes: Lanes,
    vectors: Vectors,
    to: impl Fn(Amount<W>, Amount<W>) -> Amount<W>,
) {
    match W {
        1 => vectors.run(Join {
            values,
            others,
            lanes,
            to,
        }),
        _ => lanes.for_each(|lane| values[lane] = to(values[lane], others[lane])),
    }
}

struct Join<'w, F, const W: usize> {
    values: &'w mut [Amount<W>],
    others: &'w [Amount<W>],
    lanes: Lanes,
    to: F,
}

impl<F: Fn(Amount<W>, Amount<W>) -> Amount<W>, const W: usize> Work for Join<'_, F, W> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        for word in 0..LANES / WORD {
            let bits = self.lanes.0[word];
            let values = &mut self.values[word * WORD..][..WORD];
            let others = &self.others[word * WORD..][..WORD];
            for bit in 0..WORD {
                let (old, new) = (values[bit], (self.to)(values[bit], others[bit]));
                values[bit] = if bits >> bit & 1 == 1 { new } else { old };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<const W: usize>(vectors: Vectors) {
        let numbers = |factor: u64| -> Vec<Amount<W>> {
            (0..LANES as u64).map(|lane| Amount([lane * factor; W])).collect()
        };
        let lanes = Lanes::collect((0..LANES).map(|lane| lane % 3 == 0 && lane < 400));
        let (mut values, others) = (numbers(5), numbers(7));
        change(&mut values, lanes, vectors, |value| value.plus(others[1]));
        join(&mut values, &others, lanes, vectors, Amount::least);
        for (lane, (value, other)) in values.iter().zip(&others).enumerate() {
            let own = Amount([lane as u64 * 5; W]);
            let expected = match lanes.get(lane) {
                true => own.plus(others[1]).least(*other),
                false => own,
            };
            assert_eq!(*value, expected, "lane {lane}");
        }
    }

    #[test]
    fn only_the_given_lanes_change() {
        for vectors in [Vectors::Portable, Vectors::detect()] {
            check::<1>(vectors);
            check::<2>(vectors);
        }
    }
}
