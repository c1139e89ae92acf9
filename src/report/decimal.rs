//! Fractions as decimals, rounded in a direction that keeps what is said about them true.

use crate::solve::Fraction;
use num_bigint::BigUint;

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
