//! [`Fraction`]: a non-negative rational number, exact, in 16 bytes as long as it is small.
//!
//! Invariant: the fraction is reduced, and it is stored in machine words exactly if both parts fit.
//! So equal numbers have equal representations, and equality and hashing can be derived.

use std::cmp::Ordering;
use std::fmt;
use std::num::NonZeroU64;

use num_bigint::BigUint;
use num_rational::Ratio;
use num_traits::{One, ToPrimitive, Zero};

/// A non-negative rational number.
///
/// ```
/// use emm::solve::Fraction;
/// let third = Fraction::new(2, 6).unwrap();
/// assert_eq!(third.to_string(), "1/3");
/// assert_eq!(third.percent(), "33.33");
/// assert_eq!(third.decimal(5), "0.33333");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Fraction(Parts);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Parts {
    Small(u64, NonZeroU64),
    Big(Box<Ratio<BigUint>>),
}

/// The table holds two of these per entry.
const _: () = assert!(size_of::<Fraction>() == 16);

impl Fraction {
    /// `numerator / denominator`, or nothing if the denominator is zero.
    pub fn new(numerator: u64, denominator: u64) -> Option<Fraction> {
        (denominator != 0).then(|| Fraction::reduce(numerator.into(), denominator.into()))
    }

    /// The number with these decimal numerator and denominator, or nothing if they are not.
    ///
    /// ```
    /// use emm::solve::Fraction;
    /// assert_eq!(Fraction::parse("2", "6"), Fraction::new(1, 3));
    /// assert_eq!(Fraction::parse("1", "0"), None);
    /// ```
    pub fn parse(numerator: &str, denominator: &str) -> Option<Fraction> {
        let denominator: BigUint = denominator.parse().ok().filter(|d: &BigUint| !d.is_zero())?;
        Some(Fraction::from(Ratio::new(numerator.parse().ok()?, denominator)))
    }

    /// The whole number `value`.
    pub fn whole(value: u64) -> Fraction {
        Fraction(Parts::Small(value, NonZeroU64::MIN))
    }

    /// The exact value of a finite, non-negative floating-point number; nothing for any other.
    pub fn from_f64(value: f64) -> Option<Fraction> {
        if !value.is_finite() || value < 0.0 {
            return None;
        }
        let bits = value.to_bits();
        let (exponent, mantissa) = ((bits >> 52 & 0x7ff) as i64, bits & ((1 << 52) - 1));
        let (exponent, mantissa) = if exponent == 0 {
            (-1074, mantissa)
        } else {
            (exponent - 1075, mantissa | 1 << 52)
        };
        let power = BigUint::one() << exponent.unsigned_abs();
        let mantissa = BigUint::from(mantissa);
        Some(Fraction::from(if exponent < 0 {
            Ratio::new(mantissa, power)
        } else {
            Ratio::from_integer(mantissa * power)
        }))
    }

    /// The reduced numerator.
    pub fn numerator(&self) -> BigUint {
        match &self.0 {
            Parts::Small(numerator, _) => (*numerator).into(),
            Parts::Big(ratio) => ratio.numer().clone(),
        }
    }

    /// The reduced denominator.
    pub fn denominator(&self) -> BigUint {
        match &self.0 {
            Parts::Small(_, denominator) => denominator.get().into(),
            Parts::Big(ratio) => ratio.denom().clone(),
        }
    }

    /// The nearest floating-point number, for plots and never for decisions.
    pub fn to_f64(&self) -> f64 {
        self.ratio().to_f64().unwrap_or(f64::NAN)
    }

    /// A floating-point number that is off by a few units of its last digit: a guide, fast.
    pub(crate) fn approximate(&self) -> f64 {
        match self.0 {
            Parts::Small(numerator, denominator) => numerator as f64 / denominator.get() as f64,
            Parts::Big(_) => self.to_f64(),
        }
    }

    /// The number in percent with two decimals, as the paper prints it. Rounded half up, on the exact
    /// fraction: 0.99995 is `100.00`, and `99.99` below.
    pub fn percent(&self) -> String {
        Fraction::from(self.ratio() * BigUint::from(100u8)).decimal(2)
    }

    /// The number with so many decimals, rounded half up on the exact fraction.
    pub fn decimal(&self, digits: u32) -> String {
        let scale = BigUint::from(10u8).pow(digits);
        let (numerator, denominator) = (self.numerator(), self.denominator());
        let rounded = (numerator * &scale * 2u8 + &denominator) / (denominator * 2u8);
        if digits == 0 {
            return rounded.to_string();
        }
        let (whole, rest) = (&rounded / &scale, &rounded % &scale);
        format!("{whole}.{:0>width$}", rest.to_string(), width = digits as usize)
    }

    /// `sum(weight * number) / divisor`; the divisor is not zero.
    pub(crate) fn weighted_sum<'a>(
        terms: impl Iterator<Item = (u64, &'a Fraction)> + Clone,
        divisor: u64,
    ) -> Fraction {
        small_sum(terms.clone())
            .and_then(|(sum, unit)| Some(Fraction::reduce(sum, unit.checked_mul(divisor.into())?)))
            .unwrap_or_else(|| big_sum(terms, divisor))
    }

    /// The product.
    pub(crate) fn times(&self, other: &Fraction) -> Fraction {
        let (Some((a, b)), Some((c, d))) = (self.small(), other.small()) else {
            let numerator = self.numerator() * other.numerator();
            return big(numerator, self.denominator() * other.denominator());
        };
        // All four are below 2^64.
        Fraction::reduce(a * c, b * d)
    }

    /// The sum.
    pub(crate) fn plus(&self, other: &Fraction) -> Fraction {
        Fraction::weighted_sum([(1, self), (1, other)].into_iter(), 1)
    }

    /// `max(0, self - other)`.
    pub(crate) fn minus(&self, other: &Fraction) -> Fraction {
        if self <= other {
            return Fraction::whole(0);
        }
        small_difference(self, other).unwrap_or_else(|| big_difference(self, other))
    }

    /// The largest multiple of `2^-bits` that is not above this number, and the smallest that is not below.
    pub(crate) fn enclosing(&self, bits: u32) -> (Fraction, Fraction) {
        let unit = BigUint::one() << bits;
        let (scaled, denominator) = (self.numerator() << bits, self.denominator());
        let below = &scaled / &denominator;
        let above = match (&scaled % &denominator).is_zero() {
            true => below.clone(),
            false => &below + 1u8,
        };
        (big(below, unit.clone()), big(above, unit))
    }

    /// The bytes that the number owns outside of itself.
    pub(crate) fn heap_bytes(&self) -> usize {
        match &self.0 {
            Parts::Small(..) => 0,
            Parts::Big(ratio) => {
                let bits = ratio.numer().bits() + ratio.denom().bits();
                size_of::<Ratio<BigUint>>() + bits as usize / 8 + 64
            }
        }
    }

    fn small(&self) -> Option<(u128, u128)> {
        match &self.0 {
            Parts::Small(numerator, denominator) => Some(((*numerator).into(), denominator.get().into())),
            Parts::Big(_) => None,
        }
    }

    fn ratio(&self) -> Ratio<BigUint> {
        match &self.0 {
            Parts::Small(numerator, denominator) => {
                Ratio::new_raw((*numerator).into(), denominator.get().into())
            }
            Parts::Big(ratio) => (**ratio).clone(),
        }
    }

    fn reduce(numerator: u128, denominator: u128) -> Fraction {
        let divisor = gcd(numerator, denominator);
        let (numerator, denominator) = (numerator / divisor, denominator / divisor);
        match (
            u64::try_from(numerator),
            u64::try_from(denominator).map(NonZeroU64::new),
        ) {
            (Ok(numerator), Ok(Some(denominator))) => Fraction(Parts::Small(numerator, denominator)),
            _ => Fraction(Parts::Big(Box::new(Ratio::new_raw(
                numerator.into(),
                denominator.into(),
            )))),
        }
    }
}

/// `sum(weight * number)` as an unreduced pair, unless it overflows.
fn small_sum<'a>(terms: impl Iterator<Item = (u64, &'a Fraction)>) -> Option<(u128, u128)> {
    let (mut sum, mut unit) = (0u128, 1u128);
    for (weight, number) in terms {
        let (numerator, denominator) = number.small()?;
        let amount = numerator.checked_mul(weight.into())?;
        if denominator == unit {
            sum = sum.checked_add(amount)?;
            continue;
        }
        let common = unit.checked_mul(denominator / gcd(unit, denominator))?;
        let scaled = amount.checked_mul(common / denominator)?;
        sum = sum.checked_mul(common / unit)?.checked_add(scaled)?;
        unit = common;
    }
    Some((sum, unit))
}

/// Only the result is reduced: most denominators on the way divide each other.
fn big_sum<'a>(terms: impl Iterator<Item = (u64, &'a Fraction)>, divisor: u64) -> Fraction {
    let (mut sum, mut unit) = (BigUint::zero(), BigUint::one());
    for (weight, number) in terms {
        let (amount, denominator) = (number.numerator() * weight, number.denominator());
        (sum, unit) = with_common_unit((sum, unit), (amount, denominator), |a, b| a + b);
    }
    big(sum, unit * divisor)
}

/// `larger - smaller`, which is not negative.
fn big_difference(larger: &Fraction, smaller: &Fraction) -> Fraction {
    let pair = |number: &Fraction| (number.numerator(), number.denominator());
    let (difference, unit) = with_common_unit(pair(larger), pair(smaller), |a, b| a - b);
    big(difference, unit)
}

/// Both numbers over one denominator, put together. The denominator is not always the least.
fn with_common_unit(
    (a, b): (BigUint, BigUint),
    (c, d): (BigUint, BigUint),
    join: impl Fn(BigUint, BigUint) -> BigUint,
) -> (BigUint, BigUint) {
    if b == d {
        (join(a, c), b)
    } else if b >= d && (&b % &d).is_zero() {
        (join(a, c * (&b / d)), b)
    } else if (&d % &b).is_zero() {
        (join(a * (&d / b), c), d)
    } else {
        (join(a * &d, c * &b), b * d)
    }
}

/// The quotient. Powers of two, which coins make, are found without a division.
fn big(numerator: BigUint, denominator: BigUint) -> Fraction {
    let twos = |number: &BigUint| number.trailing_zeros().unwrap_or(u64::MAX);
    let shared = twos(&numerator).min(twos(&denominator));
    let (numerator, denominator) = (numerator >> shared, denominator >> shared);
    let is_reduced = denominator.bits() == twos(&denominator) + 1;
    Fraction::of_reduced(match is_reduced && !numerator.is_zero() {
        true => Ratio::new_raw(numerator, denominator),
        false => Ratio::new(numerator, denominator),
    })
}

fn small_difference(larger: &Fraction, smaller: &Fraction) -> Option<Fraction> {
    let ((a, b), (c, d)) = (larger.small()?, smaller.small()?);
    Some(Fraction::reduce(
        a.checked_mul(d)?.checked_sub(c.checked_mul(b)?)?,
        b.checked_mul(d)?,
    ))
}

/// The greatest common divisor; in words where both numbers fit, because there it is much cheaper.
fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        if let (Ok(x), Ok(y)) = (u64::try_from(a), u64::try_from(b)) {
            return gcd_words(x, y).into();
        }
        (a, b) = (b, a % b);
    }
    a.max(1)
}

fn gcd_words(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a.max(1)
}

impl From<Ratio<BigUint>> for Fraction {
    fn from(ratio: Ratio<BigUint>) -> Fraction {
        Fraction::of_reduced(ratio.reduced())
    }
}

impl Fraction {
    fn of_reduced(ratio: Ratio<BigUint>) -> Fraction {
        match (
            ratio.numer().to_u64(),
            ratio.denom().to_u64().and_then(NonZeroU64::new),
        ) {
            (Some(numerator), Some(denominator)) => Fraction(Parts::Small(numerator, denominator)),
            _ => Fraction(Parts::Big(Box::new(ratio))),
        }
    }
}

impl Ord for Fraction {
    fn cmp(&self, other: &Fraction) -> Ordering {
        match (self.small(), other.small()) {
            // Both products are below 2^128.
            (Some((a, b)), Some((c, d))) => (a * d).cmp(&(c * b)),
            _ => (self.numerator() * other.denominator()).cmp(&(other.numerator() * self.denominator())),
        }
    }
}

impl PartialOrd for Fraction {
    fn partial_cmp(&self, other: &Fraction) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// `numerator/denominator`; a whole number without its denominator.
impl fmt::Display for Fraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let denominator = self.denominator();
        if denominator.is_one() {
            return write!(f, "{}", self.numerator());
        }
        write!(f, "{}/{denominator}", self.numerator())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Numbers in words and beyond, many of them over denominators that have factors in common.
    fn ratio() -> impl Strategy<Value = Ratio<BigUint>> {
        let power = |base: u8| (0u32..90).prop_map(move |exponent| BigUint::from(base).pow(exponent));
        let denominator = prop_oneof![power(2), power(3), power(6), (1u64..).prop_map(BigUint::from)];
        let numerator = prop_oneof![
            Just(BigUint::zero()),
            power(2),
            any::<u128>().prop_map(BigUint::from)
        ];
        (numerator, denominator).prop_map(|(numerator, denominator)| Ratio::new(numerator, denominator))
    }

    proptest! {
        #[test]
        fn numbers_of_any_size_are_those_of_num_rational(a in ratio(), b in ratio(), weight in 1u64..9, divisor in 1u64..9) {
            let (x, y) = (Fraction::from(a.clone()), Fraction::from(b.clone()));
            prop_assert_eq!(x.cmp(&y), a.cmp(&b));
            prop_assert_eq!(x.times(&y), Fraction::from(&a * &b));
            prop_assert_eq!(x.plus(&y), Fraction::from(&a + &b));
            let (larger, smaller) = if a < b { (&b, &a) } else { (&a, &b) };
            let difference = Fraction::from(larger.clone()).minus(&Fraction::from(smaller.clone()));
            prop_assert_eq!(difference, Fraction::from(larger - smaller));
            let sum = Fraction::weighted_sum([(weight, &x), (1, &y)].into_iter(), divisor);
            prop_assert_eq!(sum, Fraction::from((a * BigUint::from(weight) + b) / BigUint::from(divisor)));
        }

        #[test]
        fn an_enclosure_is_as_narrow_as_its_bits(a in ratio(), bits in 0u32..70) {
            let (number, unit) = (Fraction::from(a), Fraction::from(Ratio::new(BigUint::one(), BigUint::one() << bits)));
            let (below, above) = number.enclosing(bits);
            prop_assert!(below <= number && number <= above && above.minus(&below) <= unit);
            prop_assert_eq!(below.enclosing(bits), (below.clone(), below));
        }
    }
}
