//! Numbers as text: integers, decimals and fractions.

use num_bigint::BigUint;
use num_rational::Ratio;
use num_traits::{One, Zero};

/// Significant digits of a decimal that is not exact: a double has no more.
const DIGITS: u32 = 17;
/// Digits of a probability that are read: a longer number is a mistake, and slow.
const MOST_DIGITS: usize = 10_000;

/// A decimal number as it was written.
pub(super) struct Decimal {
    /// Its value.
    pub value: Ratio<BigUint>,
    /// One unit of its last digit.
    unit: Ratio<BigUint>,
}

impl Decimal {
    /// Reads `0.25`, `.25`, `1`, `2.5e-1`; nothing if the text is no such number.
    pub fn read(text: &str) -> Option<Decimal> {
        let (mantissa, exponent) = match text.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()?),
            None => (text, 0),
        };
        let (whole, decimals) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits = format!("{whole}{decimals}");
        let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        let shift = i64::from(exponent) - decimals.len() as i64;
        if !is_number || digits.len() > MOST_DIGITS || shift.unsigned_abs() as usize > MOST_DIGITS {
            return None;
        }
        let power = BigUint::from(10u8).pow(shift.unsigned_abs() as u32);
        let unit = match shift < 0 {
            true => Ratio::new(BigUint::one(), power),
            false => Ratio::from_integer(power),
        };
        let number: BigUint = digits.parse().ok()?;
        Some(Decimal {
            value: &unit * number,
            unit,
        })
    }

    /// Whether the number can be `exact`, cut off or rounded at the last digit.
    pub fn agrees_with(&self, exact: &Ratio<BigUint>) -> bool {
        let (low, high) = if *exact < self.value {
            (exact, &self.value)
        } else {
            (&self.value, exact)
        };
        high - low < self.unit
    }
}

/// An integer as DIMACS writes it, of at most 18 digits.
pub(super) fn integer(word: &str) -> Option<i64> {
    let digits = word.strip_prefix('-').unwrap_or(word);
    if digits.len() > 18 || digits.is_empty() {
        return None;
    }
    let magnitude = digits.bytes().try_fold(0, |sum, byte| {
        byte.is_ascii_digit().then(|| sum * 10 + i64::from(byte - b'0'))
    })?;
    match (digits.len() < word.len(), magnitude) {
        (false, magnitude) => Some(magnitude),
        // A list ends with 0 and nothing else.
        (true, 0) => None,
        (true, magnitude) => Some(-magnitude),
    }
}

/// Reads `1/3`; nothing if the text is no fraction or its denominator is 0.
pub(super) fn fraction(text: &str) -> Option<Ratio<BigUint>> {
    let (numerator, denominator) = text.split_once('/')?;
    let number = |digits: &str| {
        let is_number = (1..=MOST_DIGITS).contains(&digits.len());
        let is_number = is_number && digits.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| digits.parse::<BigUint>().ok()).flatten()
    };
    let (numerator, denominator) = (number(numerator)?, number(denominator)?);
    (!denominator.is_zero()).then(|| Ratio::new(numerator, denominator))
}

/// The probability as a decimal: exact if 17 significant digits are enough, else cut off there, because
/// rounding could make 1 of what is less.
pub(super) fn decimal(probability: &Ratio<BigUint>) -> String {
    let ten = BigUint::from(10u8);
    let (mut digits, mut significant) = (String::new(), 0);
    let whole = probability.to_integer();
    let mut rest = probability.numer() % probability.denom();
    while !rest.is_zero() && significant < DIGITS {
        rest *= &ten;
        let digit = &rest / probability.denom();
        rest %= probability.denom();
        significant += u32::from(significant > 0 || !digit.is_zero());
        digits += &digit.to_string();
    }
    match digits.is_empty() {
        true => whole.to_string(),
        false => format!("{whole}.{digits}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratio(numerator: u32, denominator: u32) -> Ratio<BigUint> {
        Ratio::new(numerator.into(), denominator.into())
    }

    #[test]
    fn decimals_are_exact_or_cut_off() {
        assert_eq!(decimal(&ratio(4, 5)), "0.8");
        assert_eq!(decimal(&ratio(1, 3)), "0.33333333333333333");
        assert_eq!(decimal(&ratio(2, 3)), "0.66666666666666666");
        assert_eq!(decimal(&ratio(1, 300)), "0.0033333333333333333");
        assert_eq!(decimal(&ratio(1, 1)), "1");
        assert_eq!(decimal(&ratio(0, 1)), "0");
    }

    #[test]
    fn decimals_are_read_as_they_stand() {
        let value = |text| Decimal::read(text).map(|decimal| decimal.value);
        assert_eq!(value("0.8"), Some(ratio(4, 5)));
        assert_eq!(value(".5"), Some(ratio(1, 2)));
        assert_eq!(value("1."), Some(ratio(1, 1)));
        assert_eq!(value("2.5e-1"), Some(ratio(1, 4)));
        assert_eq!(value("0.00025E3"), Some(ratio(1, 4)));
        for text in [
            "",
            ".",
            "1/3",
            "-0.5",
            "+1",
            "0,5",
            "nan",
            "e5",
            "1e",
            "1e99999999",
            "0x1",
        ] {
            assert_eq!(value(text), None, "{text:?}");
        }
    }

    #[test]
    fn a_fraction_agrees_with_its_decimal_rounded_or_cut_off() {
        let agrees = |text, exact| Decimal::read(text).is_some_and(|decimal| decimal.agrees_with(&exact));
        assert!(agrees("0.66", ratio(2, 3)) && agrees("0.67", ratio(2, 3)));
        assert!(!agrees("0.68", ratio(2, 3)) && !agrees("0.65", ratio(2, 3)));
        assert!(agrees("0.5", ratio(1, 2)) && !agrees("0.50", ratio(49, 100)));
    }
}
