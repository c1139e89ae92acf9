//! [`Fact`]: what the search proves about a position.
//!
//! Let V(s, n) be the value of state s with n choices left. It never falls when n grows, because a play that is
//! cut off is worth 0, the least. So what is proven for one n holds for others:
//!
//! ```text
//! Reached   V(s, m) >= threshold   for every m >= choices
//! Missed    V(s, m) <  threshold   for every m <= choices      (choices = UNBOUNDED: the horizon was never met)
//! ```

use super::super::bounds::UNBOUNDED;

/// An answer to the question whether the value reaches a threshold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// It does.
    Reached,
    /// It does not.
    Missed,
}

/// The answer, and for how many choices left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Verdict {
    pub(super) answer: Answer,
    pub(super) choices: u32,
}

impl Verdict {
    /// Proven whatever is left.
    pub(super) fn always(answer: Answer) -> Verdict {
        Verdict {
            answer,
            choices: match answer {
                Answer::Reached => 0,
                Answer::Missed => UNBOUNDED,
            },
        }
    }

    /// Proven by a choice that leads to what this verdict is about.
    pub(super) fn one_before(self) -> Verdict {
        Verdict {
            choices: self.choices.saturating_add(1),
            ..self
        }
    }
}

/// A verdict with its threshold, as a number among the game's thresholds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fact {
    pub(super) threshold: u8,
    pub(super) verdict: Verdict,
}

impl Fact {
    /// What it says about a threshold, with so many choices left.
    #[inline]
    pub(super) fn about(self, threshold: u8, left: u32) -> Option<Verdict> {
        let Verdict { answer, choices } = self.verdict;
        let applies = match answer {
            Answer::Reached => self.threshold >= threshold && choices <= left,
            Answer::Missed => self.threshold <= threshold && choices >= left,
        };
        applies.then_some(self.verdict)
    }
}

/// How facts are written into a few bits, from the lowest: `answer | choices | threshold`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Notation {
    choices_bits: u32,
    threshold_bits: u32,
}

impl Notation {
    /// For so many thresholds and, if there is a horizon, no more than so many choices.
    pub(super) fn new(thresholds: usize, most_choices: Option<u32>) -> Notation {
        let bits = |most: u64| u64::BITS - most.leading_zeros();
        Notation {
            choices_bits: most_choices.map_or(0, |most| bits(most.into())),
            threshold_bits: bits(thresholds.saturating_sub(1) as u64),
        }
    }

    pub(super) fn bits(self) -> u32 {
        1 + self.choices_bits + self.threshold_bits
    }

    /// More choices than there ever are become the most that can be written, which says the same.
    #[inline]
    pub(super) fn write(self, fact: Fact) -> u64 {
        let most = (1u64 << self.choices_bits) - 1;
        let choices = u64::from(fact.verdict.choices).min(most);
        let answer = u64::from(fact.verdict.answer == Answer::Reached);
        u64::from(fact.threshold) << (1 + self.choices_bits) | choices << 1 | answer
    }

    #[inline]
    pub(super) fn read(self, bits: u64) -> Fact {
        let most = (1u64 << self.choices_bits) - 1;
        let choices = (bits >> 1 & most) as u32;
        let answer = match bits & 1 {
            1 => Answer::Reached,
            _ => Answer::Missed,
        };
        let is_most = u64::from(choices) == most;
        Fact {
            threshold: (bits >> (1 + self.choices_bits)) as u8,
            verdict: Verdict {
                answer,
                choices: match answer {
                    Answer::Missed if is_most => UNBOUNDED,
                    _ => choices,
                },
            },
        }
    }
}
