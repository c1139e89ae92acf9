//! The denominators of the layers, from the numbers of moves that chance has in them.

use super::super::question::Question;
use super::events::Totals;
use crate::machine::Bits;
use num_bigint::BigUint;
use num_traits::One;
use std::collections::BTreeSet;

/// The numbers that turn sums into values, for one question in one layer.
#[derive(Clone)]
pub(super) struct Scale {
    /// I.
    pub(super) inner: u64,
    /// O.
    pub(super) outer: u64,
    /// D'.
    pub(super) below: BigUint,
}

/// Per layer and question, what turns its sums into values.
pub(super) fn scales(totals: &[Vec<Totals>], questions: usize) -> Option<Vec<Vec<Scale>>> {
    let mut below = vec![BigUint::one(); questions];
    let mut scales = Vec::new();
    for layer in totals.iter().rev() {
        let mut here = Vec::new();
        for (totals, below) in layer.iter().zip(&mut below) {
            let scale = Scale {
                inner: common_multiple(&totals.inner)?,
                outer: common_multiple(&totals.outer)?,
                below: below.clone(),
            };
            *below *= scale.inner;
            *below *= scale.outer;
            here.push(scale);
        }
        scales.push(here);
    }
    scales.reverse();
    Some(scales)
}

/// By how many bits a layer with these totals makes the denominator longer, for the question with the most.
pub(super) fn digits(totals: &[Totals]) -> Option<f64> {
    let factor = |numbers| Some((common_multiple(numbers)? as f64).log2());
    totals.iter().try_fold(0.0, |most: f64, totals| {
        Some(most.max(factor(&totals.inner)? + factor(&totals.outer)?))
    })
}

pub(super) fn common_multiple(numbers: &BTreeSet<u64>) -> Option<u64> {
    numbers.iter().try_fold(1u64, |multiple, &number| {
        let step = number / gcd(multiple, number.max(1));
        multiple
            .checked_mul(step.max(1))
            .filter(|&multiple| multiple < 1 << 31)
    })
}

fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// The denominator of a layer's values.
pub(super) fn denominator(scale: &Scale) -> BigUint {
    &scale.below * scale.inner * scale.outer
}

/// The words that the values of a layer need.
pub(super) fn words(scales: &[Scale], questions: &[Question<Bits>]) -> u64 {
    let bits =
        |(scale, question): (&Scale, &Question<Bits>)| (denominator(scale) * question.objective.top()).bits();
    scales
        .iter()
        .zip(questions)
        .map(bits)
        .max()
        .unwrap_or(0)
        .div_ceil(64)
}
