//! Probabilities as dice.

use super::text::facts;
use crate::syntax::Syntax;
use std::fmt;
use std::str::FromStr;

/// A rational a/b with 0 ≤ a ≤ b, in lowest terms, so that the die has no more faces than it needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Probability {
    numerator: u32,
    denominator: u32,
}

/// The most faces a die may have: a limit for the size of the text, nothing else.
const MOST_FACES: u32 = 1000;

impl Probability {
    /// a/b, if it is a probability and its die has at most 1000 faces.
    pub fn new(a: u32, b: u32) -> Option<Probability> {
        if b == 0 || a > b {
            return None;
        }
        let divisor = greatest_common_divisor(a, b);
        let reduced = Probability {
            numerator: a / divisor,
            denominator: b / divisor,
        };
        (reduced.denominator <= MOST_FACES).then_some(reduced)
    }

    /// True for 0/1.
    pub fn is_zero(self) -> bool {
        self.numerator == 0
    }

    /// True if this is a/b.
    pub(super) fn is(self, a: u32, b: u32) -> bool {
        Probability::new(a, b) == Some(self)
    }

    /// Facts `face(1,good)` … `face(b,bad)`: the die whose faces `good` have this probability.
    pub(super) fn faces(self, syntax: Syntax, good: &str, bad: &str) -> String {
        let outcome = |face| if face <= self.numerator { good } else { bad };
        facts(
            syntax,
            "face",
            (1..=self.denominator).map(|face| vec![face.to_string(), outcome(face).to_owned()]),
        )
    }
}

fn greatest_common_divisor(a: u32, b: u32) -> u32 {
    if b == 0 {
        a
    } else {
        greatest_common_divisor(b, a % b)
    }
}

impl fmt::Display for Probability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.denominator {
            1 => write!(f, "{}", self.numerator),
            _ => write!(f, "{}/{}", self.numerator, self.denominator),
        }
    }
}

/// Reads `4/5`, `0`, `1` and `0.8`.
impl FromStr for Probability {
    type Err = String;

    fn from_str(text: &str) -> Result<Probability, String> {
        let parts = match (text.split_once('/'), text.split_once('.')) {
            (Some((a, b)), _) => a.parse().ok().zip(b.parse().ok()),
            (None, Some((whole, decimals))) => decimal(whole, decimals),
            (None, None) => text.parse().ok().zip(Some(1)),
        };
        let probability = parts.and_then(|(a, b)| Probability::new(a, b));
        probability
            .ok_or_else(|| format!("a fraction a/b from 0 to 1 with b at most {MOST_FACES}, as in 4/5"))
    }
}

fn decimal(whole: &str, decimals: &str) -> Option<(u32, u32)> {
    let denominator = 10u32.checked_pow(decimals.len().try_into().ok()?)?;
    Some((format!("{whole}{decimals}").parse().ok()?, denominator))
}

/// Whose mark a chosen place gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Marking {
    /// The player's own; one step.
    Sure,
    /// The player's own with this probability, else the opponent's; `random` tosses in a step of its own.
    Chance(Probability),
}

impl Marking {
    /// `, p = 4/5`, or nothing.
    pub(super) fn suffix(self) -> String {
        match self {
            Marking::Sure => String::new(),
            Marking::Chance(p) => format!(", p = {p}"),
        }
    }

    /// The text for a toss, or the one for a sure mark.
    pub(super) fn either(self, chance: &str, sure: &str) -> String {
        match self {
            Marking::Sure => sure.to_owned(),
            Marking::Chance(_) => chance.to_owned(),
        }
    }

    /// True if this is chance with probability a/b.
    pub(super) fn is_chance(self, a: u32, b: u32) -> bool {
        matches!(self, Marking::Chance(p) if p.is(a, b))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_fractions_and_decimals_in_lowest_terms() {
        for text in ["4/5", "0.8", "8/10", "0.80"] {
            assert_eq!(
                text.parse::<Probability>().map(|p| p.to_string()),
                Ok("4/5".to_owned())
            );
        }
        assert_eq!(
            "1".parse::<Probability>().map(|p| p.to_string()),
            Ok("1".to_owned())
        );
        assert_eq!("0/7".parse::<Probability>().map(|p| p.is_zero()), Ok(true));
    }

    #[test]
    fn refuses_what_is_no_probability() {
        for text in [
            "",
            "/",
            "3/2",
            "1/0",
            "-1/2",
            "x",
            "2",
            ".",
            "1.5",
            "1/1001",
            "0.00000000001",
        ] {
            assert!(text.parse::<Probability>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_die_has_as_many_good_faces_as_the_numerator_says() {
        let p = Probability::new(2, 3).map(|p| p.faces(Syntax::Infix, "own", "other"));
        assert_eq!(p.as_deref(), Some("face(1,own). face(2,own). face(3,other).\n"));
    }
}
