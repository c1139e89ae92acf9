//! [`Answer`]: what a solver found out, including why it stopped or refused.

use super::fraction::Fraction;

/// The answer to a question.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer<S, M> {
    /// The value, or what is known instead.
    pub outcome: Outcome<S>,
    /// The first moves of the side that has a choice, in ascending order. Empty in a terminal state, when
    /// only chance has a choice, when no step is left, and after a refusal.
    pub first_moves: Vec<FirstMove<M>>,
    /// What a reader of the value should know, one of a kind.
    pub notes: Vec<Note<S>>,
    /// What it took.
    pub statistics: Statistics,
}

/// The values for every horizon from 0 to some N.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve<S> {
    /// Indexed by the horizon. A refusal concerns all of them and stands alone.
    pub outcomes: Vec<Outcome<S>>,
    /// What a reader of the values should know, one of a kind.
    pub notes: Vec<Note<S>>,
    /// What it took.
    pub statistics: Statistics,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome<S> {
    /// The value.
    Solved(Fraction),
    /// Solved in floating point: the value lies in the interval, whose width is the rounding error.
    Enclosed(Interval),
    /// A limit was reached; so far it is proven that the value lies in the interval.
    Stopped(Interval, StopReason),
    /// The question has no answer for this game.
    Refused(Refusal<S>),
}

impl<S> Outcome<S> {
    /// The interval in which the value is proven to lie; nothing after a refusal.
    pub fn interval(&self) -> Option<Interval> {
        match self {
            Outcome::Solved(value) => Some(Interval {
                lo: value.clone(),
                hi: value.clone(),
            }),
            Outcome::Enclosed(interval) | Outcome::Stopped(interval, _) => Some(interval.clone()),
            Outcome::Refused(_) => None,
        }
    }
}

/// All numbers from `lo` to `hi`, both included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interval {
    /// The smallest.
    pub lo: Fraction,
    /// The largest.
    pub hi: Fraction,
}

impl Interval {
    /// Whether the number lies in the interval.
    pub fn contains(&self, number: &Fraction) -> bool {
        self.lo <= *number && *number <= self.hi
    }
}

/// The limit that ended a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// The deadline has passed.
    Time,
    /// The tables would take more memory than allowed.
    Memory,
    /// Somebody set the stop flag.
    Interrupt,
    /// A play is longer than the search can follow: [`DEPTH_LIMIT`](super::DEPTH_LIMIT) steps.
    Depth,
    /// The game is too large to be compiled.
    Size,
}

/// Why a question has no answer, with a witness.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal<S> {
    /// Without horizon: a play can run forever. From each state a joint move leads to the next, and from
    /// the last one to the first.
    Cycle(Vec<S>),
    /// A role has no legal move in a reachable state that is not terminal.
    Stuck {
        /// The state.
        state: S,
        /// The role.
        role: usize,
    },
    /// The expected goal value is asked for, and the role has several in a reachable terminal state.
    SeveralGoals {
        /// The state.
        state: S,
        /// The role.
        role: usize,
    },
}

/// Something that a reader of the value should know, with a witness.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Note<S> {
    /// Both sides have a choice in this state. The formula lets the role commit first and the others
    /// answer, so the value is a lower bound of what the role can achieve.
    NotTurnTaking {
        /// The state.
        state: S,
    },
    /// The role has no goal value in this terminal state, which counts as not won.
    NoGoal {
        /// The state.
        state: S,
        /// The role.
        role: usize,
    },
    /// The role has several goal values in this terminal state; the largest counts.
    SeveralGoals {
        /// The state.
        state: S,
        /// The role.
        role: usize,
    },
}

/// A first choice of a side, with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FirstMove<M> {
    /// The moves, one for every role of the side that chooses, with the role.
    pub moves: Vec<(usize, M)>,
    /// The value of the game after this choice; a single number unless the run was stopped or computed
    /// in floating point.
    pub value: Interval,
    /// Whether the choice is proven to be optimal for the side that chooses; in floating point, whether it
    /// cannot be told apart from an optimal one.
    pub optimal: bool,
}

/// What a run took. The counts of a run with one thread are always the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// States that were looked at to check the game before the search; 0 if nothing had to be checked.
    pub explored: u64,
    /// Positions that the search expanded, counted again when they were expanded again.
    pub visited: u64,
    /// Successors that the search generated, after equal ones of a chance move were merged.
    pub edges: u64,
    /// Questions that the table answered.
    pub table_hits: u64,
    /// Entries of the table at the end.
    pub table_entries: u64,
    /// The largest estimate of the bytes in tables.
    pub memory_bytes: u64,
    /// The number of steps of the longest play, if the game was checked or proves it and plays end.
    pub longest_play: Option<u32>,
}
