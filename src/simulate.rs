//! Random plays: every role chooses uniformly among its legal moves.
//!
//! A play is determined by its seed and the game, not by the engine: choices are made among moves sorted
//! by name.

use crate::game::{Game, GameError, GoalSet, Position};
use std::collections::BTreeMap;
use std::time::Instant;

/// One play, from the initial state to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Play {
    /// The facts of the initial state, sorted.
    pub initial: Vec<String>,
    /// The steps, in order.
    pub steps: Vec<Step>,
    /// How it ended.
    pub end: End,
    /// The goals per role in the last state.
    pub goals: Vec<GoalSet>,
}

/// A joint move and what it led to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// One move per role.
    pub joint: Vec<String>,
    /// The facts of the state after it, sorted.
    pub facts: Vec<String>,
}

/// How a play ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// In a terminal state.
    Terminal,
    /// In a state that is not terminal, but in which some role has no legal move.
    Stuck,
    /// After as many steps as were allowed.
    TooLong,
    /// When the time was over.
    OutOfTime,
}

/// A player of random plays.
pub struct Simulator<'g, G: Game> {
    game: &'g G,
    max_steps: u32,
    deadline: Option<Instant>,
    position: Position<G::Move>,
    joint: Vec<G::Move>,
    /// Names of moves that were met, per role.
    names: Vec<BTreeMap<G::Move, String>>,
}

impl<'g, G: Game> Simulator<'g, G> {
    /// Plays this game, no more than `max_steps` steps at a time.
    pub fn new(game: &'g G, max_steps: u32) -> Simulator<'g, G> {
        let roles = game.roles().len();
        Simulator {
            game,
            max_steps,
            deadline: None,
            position: Position::new(roles),
            joint: Vec::new(),
            names: vec![BTreeMap::new(); roles],
        }
    }

    /// The same player, who ends a play when this time has come.
    pub fn until(self, deadline: Option<Instant>) -> Simulator<'g, G> {
        Simulator { deadline, ..self }
    }

    /// One play with all its states.
    pub fn play(&mut self, seed: u64) -> Result<Play, GameError> {
        let game = self.game;
        let mut steps = Vec::new();
        let end = self.run(seed, |joint, state| {
            let named = joint.iter().enumerate();
            steps.push(Step {
                joint: named.map(|(role, &mv)| game.move_name(role, mv)).collect(),
                facts: game.facts(state),
            });
        })?;
        Ok(Play {
            initial: game.facts(&game.initial()),
            steps,
            end,
            goals: self.position.goals.clone(),
        })
    }

    /// Many plays, the first of which is the one of [`Simulator::play`] with the same seed. Stops early,
    /// after a whole play, when `go_on` says no; a play that the time ended does not count.
    pub fn statistics(
        &mut self,
        seed: u64,
        plays: u64,
        mut go_on: impl FnMut(u64) -> bool,
    ) -> Result<Statistics, GameError> {
        let mut statistics = Statistics::new(self.game.roles().len());
        for play in 0..plays {
            if !go_on(play) {
                break;
            }
            let mut steps = 0;
            let end = self.run(seed_of(seed, play), |_, _| steps += 1)?;
            if end == End::OutOfTime {
                break;
            }
            statistics.add(steps, end, &self.position.goals);
        }
        Ok(statistics)
    }

    /// Plays, and calls `visit` with every joint move and the state after it.
    pub fn run(&mut self, seed: u64, mut visit: impl FnMut(&[G::Move], &G::State)) -> Result<End, GameError> {
        let mut random = SplitMix(seed);
        let mut state = self.game.initial();
        for step in 0.. {
            self.game.look(&state, &mut self.position)?;
            if self.position.terminal {
                return Ok(End::Terminal);
            }
            if self.position.legal.iter().any(Vec::is_empty) {
                return Ok(End::Stuck);
            }
            if step >= self.max_steps {
                break;
            }
            if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                return Ok(End::OutOfTime);
            }
            self.choose(&mut random);
            state = self.game.next(&state, &self.joint)?;
            visit(&self.joint, &state);
        }
        Ok(End::TooLong)
    }

    /// Chooses a move for every role; the position has one.
    fn choose(&mut self, random: &mut SplitMix) {
        self.joint.clear();
        for (role, moves) in self.position.legal.iter_mut().enumerate() {
            let names = &mut self.names[role];
            for &mv in moves.iter() {
                names.entry(mv).or_insert_with(|| self.game.move_name(role, mv));
            }
            moves.sort_by(|a, b| names.get(a).cmp(&names.get(b)));
            self.joint.push(moves[random.below(moves.len())]);
        }
    }
}

/// The seed of one of many plays; the first has the seed itself.
fn seed_of(seed: u64, play: u64) -> u64 {
    if play == 0 {
        return seed;
    }
    SplitMix(seed ^ play.wrapping_mul(0xd134_2543_de82_ef95)).next()
}

/// What many plays were like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statistics {
    /// Plays that ended in a terminal state.
    pub terminal: u64,
    /// Plays that got stuck.
    pub stuck: u64,
    /// Plays that were longer than allowed.
    pub too_long: u64,
    /// The number of steps of all plays.
    pub lengths: Histogram,
    /// Per role: the goal value of the plays that ended in a terminal state in which it has exactly one.
    pub goals: Vec<Histogram>,
}

impl Statistics {
    fn new(roles: usize) -> Statistics {
        Statistics {
            terminal: 0,
            stuck: 0,
            too_long: 0,
            lengths: Histogram::default(),
            goals: vec![Histogram::default(); roles],
        }
    }

    /// All plays.
    pub fn plays(&self) -> u64 {
        self.terminal + self.stuck + self.too_long
    }

    fn add(&mut self, steps: u32, end: End, goals: &[GoalSet]) {
        match end {
            End::Terminal => self.terminal += 1,
            End::Stuck => self.stuck += 1,
            End::TooLong | End::OutOfTime => self.too_long += 1,
        }
        self.lengths.add(steps);
        if end == End::Terminal {
            for (histogram, set) in self.goals.iter_mut().zip(goals) {
                let value = set.max().filter(|_| set.len() == 1);
                value.into_iter().for_each(|value| histogram.add(value.into()));
            }
        }
    }
}

/// How often each value occurred.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Histogram {
    /// From value to number of occurrences.
    pub counts: BTreeMap<u32, u64>,
}

/// A mean of samples.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The mean.
    pub mean: f64,
    /// Its standard error; infinite for a single sample.
    pub standard_error: f64,
}

impl Histogram {
    fn add(&mut self, value: u32) {
        *self.counts.entry(value).or_insert(0) += 1;
    }

    /// Number of samples.
    pub fn samples(&self) -> u64 {
        self.counts.values().sum()
    }

    /// The smallest value.
    pub fn min(&self) -> Option<u32> {
        self.counts.keys().next().copied()
    }

    /// The largest value.
    pub fn max(&self) -> Option<u32> {
        self.counts.keys().next_back().copied()
    }

    /// The mean value; `None` without samples.
    pub fn mean(&self) -> Option<Estimate> {
        self.mean_of(f64::from)
    }

    /// The share of samples with this value; `None` without samples.
    pub fn share(&self, value: u32) -> Option<Estimate> {
        self.mean_of(|sample| if sample == value { 1.0 } else { 0.0 })
    }

    fn mean_of(&self, measure: impl Fn(u32) -> f64) -> Option<Estimate> {
        let samples = self.samples() as f64;
        let sum = |term: &dyn Fn(f64) -> f64| -> f64 {
            let terms = self.counts.iter();
            terms
                .map(|(&value, &count)| count as f64 * term(measure(value)))
                .sum()
        };
        let mean = sum(&|value| value) / samples;
        let variance = sum(&|value| (value - mean).powi(2)) / (samples - 1.0);
        let standard_error = if samples > 1.0 {
            (variance / samples).sqrt()
        } else {
            f64::INFINITY
        };
        (samples > 0.0).then_some(Estimate { mean, standard_error })
    }
}

/// SplitMix64: its sequences are the same everywhere and for ever.
struct SplitMix(u64);

impl SplitMix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`: the high half of a product, whose bias is below `bound` / 2^64.
    fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.next()) * bound as u128) >> 64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::{Histogram, SplitMix};

    #[test]
    fn means_have_standard_errors() {
        let mut histogram = Histogram::default();
        assert_eq!(histogram.mean(), None);
        [0, 100, 100, 0]
            .into_iter()
            .for_each(|value| histogram.add(value));
        let (mean, wins) = (histogram.mean().unwrap(), histogram.share(100).unwrap());
        assert_eq!((mean.mean, wins.mean), (50.0, 0.5));
        let expected = (10_000.0_f64 / 3.0 / 4.0).sqrt();
        assert!((mean.standard_error - expected).abs() < 1e-9);
        assert_eq!((histogram.min(), histogram.max()), (Some(0), Some(100)));
    }

    #[test]
    fn choices_are_uniform() {
        let mut random = SplitMix(1);
        let mut counts = [0u32; 6];
        (0..60_000).for_each(|_| counts[random.below(6)] += 1);
        assert!(
            counts.iter().all(|count| (9_500..10_500).contains(count)),
            "{counts:?}"
        );
    }
}
