//! Exact counts: small ones in a word, large ones as large as they get.

use num_bigint::BigUint;
use std::fmt;

/// A natural number. Numbers of plays outgrow every machine word within a few dozen steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Count(Size);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Size {
    Small(u64),
    /// Only what is not small.
    Large(Box<BigUint>),
}

impl Count {
    /// 0
    pub const ZERO: Count = Count(Size::Small(0));
    /// 1
    pub const ONE: Count = Count(Size::Small(1));

    /// The product of some numbers; 1 if there is none.
    pub fn product(factors: impl Iterator<Item = usize> + Clone) -> Count {
        let small = factors
            .clone()
            .try_fold(1u64, |product, factor| product.checked_mul(factor as u64));
        match small {
            Some(product) => Count(Size::Small(product)),
            None => Count::from_big(factors.map(BigUint::from).product()),
        }
    }

    /// Adds another number.
    pub fn add(&mut self, other: &Count) {
        if let (Size::Small(a), Size::Small(b)) = (&self.0, &other.0)
            && let Some(sum) = a.checked_add(*b)
        {
            self.0 = Size::Small(sum);
        } else {
            *self = Count::from_big(self.to_big() + other.to_big());
        }
    }

    /// Whether it is 0.
    pub fn is_zero(&self) -> bool {
        *self == Count::ZERO
    }

    /// The number, as large as it may be.
    pub fn to_big(&self) -> BigUint {
        match &self.0 {
            Size::Small(number) => BigUint::from(*number),
            Size::Large(number) => (**number).clone(),
        }
    }

    fn from_big(number: BigUint) -> Count {
        Count(match u64::try_from(&number) {
            Ok(small) => Size::Small(small),
            Err(_) => Size::Large(Box::new(number)),
        })
    }
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Size::Small(number) => number.fmt(f),
            Size::Large(number) => number.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Count;

    #[test]
    fn counts_outgrow_a_word_without_losing_a_digit() {
        let mut count = Count::product([usize::MAX].into_iter());
        count.add(&Count::ONE);
        assert_eq!(count.to_string(), "18446744073709551616");
        let square = Count::product([1 << 40, 1 << 40].into_iter());
        assert_eq!(square.to_string(), "1208925819614629174706176");
        assert!(Count::product([1 << 40, 1 << 40, 0].into_iter()).is_zero());
        assert_eq!(Count::product(std::iter::empty()), Count::ONE);
    }
}
