//! Fractions as decimals, rounded in a direction that keeps what is said about them true.
//!
//! Probabilities are shown in percent with two decimals, as the paper prints them, goal values as they are.

use crate::solve::{Fraction, Interval, Objective};
use num_bigint::BigUint;

/// Decimals of a value, as the paper prints them.
pub(super) const DIGITS: u32 = 2;

/// Where a number that has more digits than are written goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// To the nearest, half up: for a value.
    Nearest,
    /// Never above the number: for a lower bound.
    Down,
    /// Never below the number: for an upper bound.
    Up,
}

/// `number * scale` with so many decimals.
pub fn decimal(number: &Fraction, scale: u8, digits: u32, direction: Direction) -> String {
    let unit = BigUint::from(10u8).pow(digits);
    let (numerator, denominator) = (number.numerator() * scale * &unit, number.denominator());
    let rounded = match direction {
        Direction::Nearest => (numerator * 2u8 + &denominator) / (denominator * 2u8),
        Direction::Down => numerator / denominator,
        Direction::Up => (numerator + &denominator - 1u8) / denominator,
    };
    if digits == 0 {
        return rounded.to_string();
    }
    let (whole, rest) = (&rounded / &unit, &rounded % &unit);
    format!("{whole}.{:0>width$}", rest.to_string(), width = digits as usize)
}

/// The number as a value of the objective.
pub(super) fn number(objective: Objective, value: &Fraction, direction: Direction) -> String {
    number_with(DIGITS, objective, value, direction)
}

fn number_with(digits: u32, objective: Objective, value: &Fraction, direction: Direction) -> String {
    match objective {
        Objective::Goal => decimal(value, 1, digits, direction),
        Objective::Win | Objective::AtLeast(_) => format!("{} %", decimal(value, 100, digits, direction)),
    }
}

/// An interval, its ends rounded outwards; as one number where that is all there is to say.
pub(super) fn range(objective: Objective, interval: &Interval) -> String {
    range_with(DIGITS, objective, interval)
}

/// [`range`] with so many decimals.
pub(super) fn range_with(digits: u32, objective: Objective, interval: &Interval) -> String {
    let number = |value, direction| number_with(digits, objective, value, direction);
    let nearest = number(&interval.lo, Direction::Nearest);
    if nearest == number(&interval.hi, Direction::Nearest) {
        return nearest;
    }
    let lo = number(&interval.lo, Direction::Down);
    let hi = number(&interval.hi, Direction::Up);
    format!("between {lo} and {hi}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_rounded_outwards_and_values_to_the_nearest() {
        let two_thirds = Fraction::new(2, 3).unwrap();
        let percent = |direction| decimal(&two_thirds, 100, 2, direction);
        assert_eq!(percent(Direction::Nearest), "66.67");
        assert_eq!(percent(Direction::Down), "66.66");
        assert_eq!(percent(Direction::Up), "66.67");
        assert_eq!(decimal(&Fraction::whole(1), 100, 2, Direction::Up), "100.00");
        assert_eq!(
            decimal(&Fraction::new(1, 2).unwrap(), 1, 0, Direction::Nearest),
            "1"
        );
    }
}
