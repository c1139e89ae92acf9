//! The inner loop: what a choice is worth in up to 512 states at once.

use super::super::amount::Amount;
use crate::machine::LANES;
use crate::machine::packed::{Lanes, Vectors};

/// What one outcome of a choice adds.
pub(super) struct Outcome<'v, const W: usize> {
    /// By what the values are multiplied.
    factor: u64,
    /// The lanes whose successor is open; each of them has a value in a run, or a place.
    going: Lanes,
    values: Values<'v, W>,
}

impl<'v, const W: usize> Outcome<'v, W> {
    pub(super) fn new(factor: u64, going: Lanes, values: Values<'v, W>) -> Outcome<'v, W> {
        let lanes = match values {
            Values::Run(values) => values.len(),
            Values::Places(_, places) => places.len(),
        };
        Outcome {
            factor,
            going: going.and(Lanes::first(lanes)),
            values,
        }
    }
}

/// The values of the successors.
pub(super) enum Values<'v, const W: usize> {
    /// Lane by lane.
    Run(&'v [Amount<W>]),
    /// Somewhere in a run: per lane the place.
    Places(&'v [Amount<W>], &'v [u32]),
}

/// Which of two values stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Better {
    Least,
    Greatest,
}

impl<const W: usize> Values<'_, W> {
    #[inline]
    fn get(&self, lane: usize) -> Amount<W> {
        // What is not there belongs to states that no play reaches.
        let value = match self {
            Values::Run(values) => values.get(lane),
            Values::Places(values, places) => places.get(lane).and_then(|&place| values.get(place as usize)),
        };
        value.copied().unwrap_or(Amount::ZERO)
    }
}

/// In the open lanes, the sum over the outcomes and the amounts won takes the place of what stands there if it
/// is better.
pub(super) fn improve<const W: usize>(
    best: &mut [Amount<W>],
    open: Lanes,
    outcomes: &[Outcome<'_, W>],
    won: &[(Amount<W>, Lanes)],
    better: Better,
    vectors: Vectors,
) {
    match vectors {
        #[cfg(target_arch = "x86_64")]
        Vectors::Avx512 if W == 1 => {
            // SAFETY: these vectors are only chosen if the processor has them.
            unsafe { improve_words(best, open, outcomes, won, better) }
        }
        _ => improve_lanes(best, open, outcomes, won, better),
    }
}

/// [`improve`], lane by lane.
fn improve_lanes<const W: usize>(
    best: &mut [Amount<W>],
    open: Lanes,
    outcomes: &[Outcome<'_, W>],
    won: &[(Amount<W>, Lanes)],
    better: Better,
) {
    open.for_each(|lane| {
        let mut sum = Amount::ZERO;
        for outcome in outcomes {
            if outcome.going.get(lane) {
                sum = sum.plus(outcome.values.get(lane).times(outcome.factor));
            }
        }
        for &(amount, lanes) in won {
            if lanes.get(lane) {
                sum = sum.plus(amount);
            }
        }
        best[lane] = match better {
            Better::Least => best[lane].least(sum),
            Better::Greatest => best[lane].greatest(sum),
        };
    });
}

/// [`improve`] for values of one word, eight lanes at a time.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512dq")]
fn improve_words<const W: usize>(
    best: &mut [Amount<W>],
    open: Lanes,
    outcomes: &[Outcome<'_, W>],
    won: &[(Amount<W>, Lanes)],
    better: Better,
) {
    use std::arch::x86_64::*;
    assert!(W == 1 && best.len() == LANES);
    for lane in (0..LANES).step_by(8).filter(|&lane| open.byte(lane) != 0) {
        let mut sum = _mm512_setzero_si512();
        for outcome in outcomes {
            let going = outcome.going.byte(lane);
            // SAFETY: lanes that are going have a value in a run, or a place, see `Outcome::new`; other lanes
            // are not loaded. A place is only looked at if it is inside of the run.
            let values = unsafe {
                match outcome.values {
                    Values::Run(values) => {
                        _mm512_maskz_loadu_epi64(going, values.as_ptr().wrapping_add(lane).cast())
                    }
                    Values::Places(values, places) => {
                        let places =
                            _mm512_maskz_loadu_epi32(going.into(), places.as_ptr().wrapping_add(lane).cast());
                        let places = _mm512_cvtepu32_epi64(_mm512_castsi512_si256(places));
                        let end = _mm512_set1_epi64(values.len() as i64);
                        let inside = _mm512_mask_cmplt_epu64_mask(going, places, end);
                        let none = _mm512_setzero_si512();
                        _mm512_mask_i64gather_epi64::<8>(none, inside, places, values.as_ptr().cast())
                    }
                }
            };
            let factor = _mm512_set1_epi64(outcome.factor as i64);
            sum = _mm512_add_epi64(sum, _mm512_mullo_epi64(values, factor));
        }
        for (amount, lanes) in won {
            let amount = _mm512_set1_epi64(amount.0[0] as i64);
            sum = _mm512_mask_add_epi64(sum, lanes.byte(lane), sum, amount);
        }
        // SAFETY: `lane + 8 <= LANES`, which is the length, in words.
        unsafe {
            let place = best.as_mut_ptr().add(lane).cast();
            let old = _mm512_loadu_si512(place);
            let new = match better {
                Better::Least => _mm512_mask_min_epu64(old, open.byte(lane), old, sum),
                Better::Greatest => _mm512_mask_max_epu64(old, open.byte(lane), old, sum),
            };
            _mm512_storeu_si512(place, new);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_compute_what_the_definition_says() {
        let mut seed = 5u64;
        let mut next = || {
            seed = seed
                .wrapping_mul(0x5851_f42d_4c95_7f2d)
                .wrapping_add(0x1405_7b7e_f767_814f);
            seed ^ seed >> 29
        };
        for round in 0..60 {
            let count = [512, 300, 7, 64][round % 4];
            let values: Vec<Amount<1>> = (0..count).map(|_| Amount([next() >> 24])).collect();
            let places: Vec<u32> = (0..count).map(|_| (next() % 600) as u32).collect();
            let mut lanes = || Lanes(std::array::from_fn(|_| next() & next()));
            let open = lanes().or(lanes());
            let outcomes = [
                Outcome::new(4, lanes().and(open), Values::Run(&values)),
                Outcome::new(1, lanes().and(open), Values::Places(&values, &places)),
            ];
            let won = [
                (Amount([1 << 40]), lanes().and(open)),
                (Amount([77]), lanes().and(open)),
            ];
            for better in [Better::Least, Better::Greatest] {
                let start: Vec<Amount<1>> = (0..LANES).map(|lane| Amount([(lane as u64) << 33])).collect();
                let (mut expected, mut found) = (start.clone(), start);
                improve_lanes(&mut expected, open, &outcomes, &won, better);
                improve(&mut found, open, &outcomes, &won, better, Vectors::detect());
                assert_eq!(found, expected, "{round} {better:?}");
            }
        }
    }
}
