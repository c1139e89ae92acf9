//! [`Number`]: the arithmetic of the search, so that the search is written once.
//!
//! The search keeps a lower and an upper bound of every value. A number type says how bounds are
//! combined: exactly ([`Fraction`]), or in floating point with every operation rounded outwards
//! ([`Float`]), so that the interval contains the exact value whatever happens.
//!
//! Both roundings are monotone: larger arguments never give a smaller result. So bounds computed from
//! wider intervals contain those computed from narrower ones, and the interval that a position gets from
//! its finished successors does not depend on the order in which they were searched.

use std::fmt::Debug;

use super::fraction::Fraction;

/// The direction in which a result that cannot be represented is rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rounding {
    Down,
    Up,
}

/// A bound of a value.
pub(super) trait Number: Clone + PartialOrd + Debug + Send + Sync {
    /// A whole number, exactly.
    fn whole(value: u8) -> Self;

    /// `sum(weight * number) / total`. Called with the same terms in the same order it gives the same
    /// result, bit for bit.
    fn mean<'a>(terms: impl Iterator<Item = (u64, &'a Self)> + Clone, total: u64, rounding: Rounding) -> Self
    where
        Self: 'a;

    /// What a term of this weight must be for the mean to be `mean`: `(mean * total - sum(weight *
    /// other)) / weight`, at least 0. A guide for the search: it may be off by a rounding error.
    fn share<'a>(
        mean: &Self,
        total: u64,
        others: impl Iterator<Item = (u64, &'a Self)> + Clone,
        weight: u64,
    ) -> Self
    where
        Self: 'a;

    /// The number, exactly.
    fn fraction(&self) -> Fraction;

    /// The bytes that the number owns outside of itself.
    fn heap_bytes(&self) -> usize;
}

impl Number for Fraction {
    fn whole(value: u8) -> Fraction {
        Fraction::whole(value.into())
    }

    fn mean<'a>(
        terms: impl Iterator<Item = (u64, &'a Fraction)> + Clone,
        total: u64,
        _rounding: Rounding,
    ) -> Fraction {
        Fraction::weighted_sum(terms, total)
    }

    fn share<'a>(
        mean: &Fraction,
        total: u64,
        others: impl Iterator<Item = (u64, &'a Fraction)> + Clone,
        weight: u64,
    ) -> Fraction {
        let all = Fraction::weighted_sum([(total, mean)].into_iter(), weight);
        all.minus(&Fraction::weighted_sum(others, weight))
    }

    fn fraction(&self) -> Fraction {
        self.clone()
    }

    fn heap_bytes(&self) -> usize {
        Fraction::heap_bytes(self)
    }
}

/// A non-negative floating-point bound.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub(super) struct Float(f64);

impl Number for Float {
    fn whole(value: u8) -> Float {
        Float(value.into())
    }

    fn mean<'a>(
        terms: impl Iterator<Item = (u64, &'a Float)> + Clone,
        total: u64,
        rounding: Rounding,
    ) -> Float {
        let sum = terms.fold(0.0, |sum, (weight, number)| {
            add(
                sum,
                multiply(from_weight(weight, rounding), number.0, rounding),
                rounding,
            )
        });
        let opposite = match rounding {
            Rounding::Down => Rounding::Up,
            Rounding::Up => Rounding::Down,
        };
        Float(divide(sum, from_weight(total, opposite), rounding))
    }

    fn share<'a>(
        mean: &Float,
        total: u64,
        others: impl Iterator<Item = (u64, &'a Float)> + Clone,
        weight: u64,
    ) -> Float {
        let others: f64 = others.map(|(weight, number)| weight as f64 * number.0).sum();
        Float(((mean.0 * total as f64 - others) / weight as f64).max(0.0))
    }

    fn fraction(&self) -> Fraction {
        Fraction::from_f64(self.0).unwrap_or_else(|| Fraction::whole(0))
    }

    fn heap_bytes(&self) -> usize {
        0
    }
}

/// Below this the error terms of the operations themselves could underflow, so there the result always
/// moves one step.
const TINY: f64 = 1e-280;

fn from_weight(weight: u64, rounding: Rounding) -> f64 {
    let nearest = weight as f64;
    // Up to 2^53 the conversion is exact; above, the nearest number may lie on the wrong side.
    if weight >> 53 == 0 {
        nearest
    } else {
        step(nearest, rounding)
    }
}

fn add(a: f64, b: f64, rounding: Rounding) -> f64 {
    // Knuth's two-sum: `a + b = sum + error`, exactly.
    let sum = a + b;
    let part = sum - a;
    settle(sum, (a - (sum - part)) + (b - part), rounding)
}

fn multiply(a: f64, b: f64, rounding: Rounding) -> f64 {
    let product = a * b;
    settle(product, a.mul_add(b, -product), rounding)
}

fn divide(a: f64, b: f64, rounding: Rounding) -> f64 {
    let quotient = a / b;
    settle(quotient, (-quotient).mul_add(b, a), rounding)
}

/// `nearest` moved one step if the exact result, which lies on the side of the sign of `error`, is
/// beyond it in the direction of rounding.
fn settle(nearest: f64, error: f64, rounding: Rounding) -> f64 {
    let beyond = match rounding {
        Rounding::Down => error < 0.0,
        Rounding::Up => error > 0.0,
    };
    if beyond || (nearest != 0.0 && nearest < TINY) {
        step(nearest, rounding)
    } else {
        nearest
    }
}

fn step(nearest: f64, rounding: Rounding) -> f64 {
    match rounding {
        Rounding::Down => nearest.next_down().max(0.0),
        Rounding::Up => nearest.next_up(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mean_of_whole_numbers_in_floats_is_exact_where_it_can_be() {
        let (zero, one) = (Float::whole(0), Float::whole(1));
        let half = |rounding| Float::mean([(1, &zero), (1, &one)].into_iter(), 2, rounding);
        assert_eq!(half(Rounding::Down), Float(0.5));
        assert_eq!(half(Rounding::Up), Float(0.5));
    }

    #[test]
    fn a_third_in_floats_lies_between_two_neighbours() {
        let (zero, one) = (Float::whole(0), Float::whole(1));
        let third = |rounding| Float::mean([(2, &zero), (1, &one)].into_iter(), 3, rounding);
        let (down, up) = (third(Rounding::Down), third(Rounding::Up));
        let exact = Fraction::weighted_sum([(1, &Fraction::whole(1))].into_iter(), 3);
        assert!(down.fraction() < exact && exact < up.fraction());
        assert_eq!(down.0.next_up(), up.0);
    }

    #[test]
    fn a_share_completes_the_mean() {
        let third = Fraction::new(1, 3).unwrap();
        let fifth = Fraction::new(1, 5).unwrap();
        let share = Fraction::share(&third, 3, [(2, &fifth)].into_iter(), 1);
        assert_eq!(
            Number::mean([(2, &fifth), (1, &share)].into_iter(), 3, Rounding::Down),
            third
        );
    }
}
