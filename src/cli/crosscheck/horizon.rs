//! Which horizon to try next, when not every one can be answered.

use std::time::Duration;

/// The horizons between the largest that was answered and the smallest that was not.
pub struct Bracket {
    /// The last two that were answered, the larger one last, and how long that took.
    answered: Option<(u32, Duration)>,
    before: Option<(u32, Duration)>,
    failed: Option<u32>,
    /// Larger horizons are not asked for: they are known to fail, or change nothing.
    end: u32,
    /// What takes longer fails.
    patience: Duration,
}

impl Bracket {
    /// All horizons below the longest play, each of which may take so long.
    pub fn new(longest: Option<u32>, patience: Duration) -> Bracket {
        Bracket {
            answered: None,
            before: None,
            failed: None,
            end: longest.unwrap_or(u32::MAX),
            patience,
        }
    }

    /// The next horizon to try: 1, 2, 4, ... as long as that is expected to go well, then smaller steps, up to the first
    /// that fails, and halves from there. 0 if 1 fails.
    pub fn next(&self) -> Option<u32> {
        let next = match (self.answered, self.failed) {
            (None, None) => 1,
            (None, Some(failed)) => failed / 2,
            (Some((answered, _)), None) => answered
                .saturating_add(self.step(answered))
                .min(self.end.saturating_sub(1)),
            (Some((answered, _)), Some(failed)) => answered + (failed - answered) / 2,
        };
        let is_new = self.answered.is_none_or(|(answered, _)| next > answered)
            && self.failed.is_none_or(|failed| next < failed)
            && next < self.end;
        is_new.then_some(next)
    }

    /// How much larger the next horizon is, before one has failed: what fails takes all the patience, so if times go on to
    /// grow as between the last two, half of what seems possible, in steps, is tried.
    fn step(&self, answered: u32) -> u32 {
        let (Some((small, short)), Some((large, long))) = (self.before, self.answered) else {
            return answered;
        };
        let ratio = |over: Duration, under: Duration| over.as_secs_f64() / under.as_secs_f64().max(1e-9);
        let growth = ratio(long, short).ln() / f64::from(large - small);
        let possible = ratio(self.patience, long).ln() / growth;
        match growth > 0.0 {
            true => (possible / 2.0).clamp(1.0, f64::from(answered)) as u32,
            false => answered,
        }
    }

    /// Notes what came of a horizon: how long its answer took, if there is one.
    pub fn note(&mut self, horizon: u32, time: Option<Duration>) {
        match time {
            Some(time) => self.before = self.answered.replace((horizon, time)),
            None => self.failed = Some(horizon),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATIENCE: Duration = Duration::from_secs(60);

    /// The horizons that are tried if all up to `most` can be answered, horizon `n` in `time(n)` seconds.
    fn tried(longest: Option<u32>, most: Option<u32>, time: impl Fn(u32) -> f64) -> Vec<u32> {
        let mut bracket = Bracket::new(longest, PATIENCE);
        let mut tried = Vec::new();
        while let Some(horizon) = bracket.next().filter(|_| tried.len() < 40) {
            tried.push(horizon);
            let is_answered = most.is_some_and(|most| horizon <= most);
            bracket.note(
                horizon,
                is_answered.then(|| Duration::from_secs_f64(time(horizon))),
            );
        }
        tried
    }

    #[test]
    fn horizons_are_doubled_and_then_halved() {
        let tried = |longest, most| tried(longest, most, |_| 0.001);
        assert_eq!(tried(Some(32), Some(10)), [1, 2, 4, 8, 16, 12, 10, 11]);
        assert_eq!(tried(None, Some(5)), [1, 2, 4, 8, 6, 5]);
        assert_eq!(tried(Some(9), Some(8)), [1, 2, 4, 8]);
        assert_eq!(tried(Some(9), None), [1, 0]);
        assert_eq!(tried(Some(1), Some(0)), [] as [u32; 0]);
        assert_eq!(tried(None, Some(u32::MAX)).last(), Some(&(u32::MAX - 1)));
    }

    #[test]
    fn little_is_tried_that_fails_if_times_grow_fast() {
        // Four times as long with every step: 10 takes 10.5 s, 11 takes 42 s, 12 fails.
        let time = |horizon| 0.00001 * 4f64.powi(horizon as i32);
        assert_eq!(tried(Some(32), Some(11), time), [1, 2, 4, 7, 9, 10, 11, 12]);
        // Times near zero, or shorter for larger horizons, tell nothing.
        assert_eq!(tried(Some(32), Some(11), |_| 0.0)[..5], [1, 2, 4, 8, 16]);
        let shorter = |horizon| 1.0 / f64::from(horizon);
        assert_eq!(tried(Some(32), Some(11), shorter)[..5], [1, 2, 4, 8, 16]);
    }
}
