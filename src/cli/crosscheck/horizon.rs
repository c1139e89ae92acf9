//! Which horizon to try next, when not every one can be answered.

/// The horizons between the largest that was answered and the smallest that was not.
pub struct Bracket {
    answered: Option<u32>,
    /// Doubling ends here.
    failed: Option<u32>,
    /// Larger horizons are not asked for: they are known to fail, or change nothing.
    end: u32,
}

impl Bracket {
    /// All horizons below the longest play.
    pub fn new(longest: Option<u32>) -> Bracket {
        Bracket {
            answered: None,
            failed: None,
            end: longest.unwrap_or(u32::MAX),
        }
    }

    /// The next horizon to try: 1, 2, 4, ... up to the first that fails, then halves. 0 if 1 fails.
    pub fn next(&self) -> Option<u32> {
        let next = match (self.answered, self.failed) {
            (None, None) => 1,
            (None, Some(failed)) => failed / 2,
            (Some(answered), None) => answered.saturating_mul(2).min(self.end.saturating_sub(1)),
            (Some(answered), Some(failed)) => answered + (failed - answered) / 2,
        };
        let is_new = self.answered.is_none_or(|answered| next > answered)
            && self.failed.is_none_or(|failed| next < failed)
            && next < self.end;
        is_new.then_some(next)
    }

    /// Notes what came of a horizon.
    pub fn note(&mut self, horizon: u32, is_answered: bool) {
        match is_answered {
            true => self.answered = Some(horizon),
            false => self.failed = Some(horizon),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The horizons that are tried if all up to `most` can be answered.
    fn tried(longest: Option<u32>, most: Option<u32>) -> Vec<u32> {
        let mut bracket = Bracket::new(longest);
        let mut tried = Vec::new();
        while let Some(horizon) = bracket.next().filter(|_| tried.len() < 40) {
            tried.push(horizon);
            bracket.note(horizon, most.is_some_and(|most| horizon <= most));
        }
        tried
    }

    #[test]
    fn horizons_are_doubled_and_then_halved() {
        assert_eq!(tried(Some(32), Some(10)), [1, 2, 4, 8, 16, 12, 10, 11]);
        assert_eq!(tried(None, Some(5)), [1, 2, 4, 8, 6, 5]);
        assert_eq!(tried(Some(9), Some(8)), [1, 2, 4, 8]);
        assert_eq!(tried(Some(9), None), [1, 0]);
        assert_eq!(tried(Some(1), Some(0)), [] as [u32; 0]);
        assert_eq!(tried(None, Some(u32::MAX)).last(), Some(&(u32::MAX - 1)));
    }
}
