//! [`Record`]: a question, its answer, and what it took.

use crate::game::{Game, GameError};
use crate::solve::{
    Answer, Fraction, Interval, Note, Objective, Outcome, Refusal, Statistics, StopReason, shortest_play,
};
use std::time::Duration;

/// The facts that hold in a state, in prefix notation, sorted.
pub type Facts = Vec<String>;

/// One answered question: a game, a role and, if asked for, a horizon.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// The game as the user named it.
    pub game: String,
    /// The SHA-256 of the game's text, in hexadecimal digits.
    pub game_sha256: String,
    /// The role that maximises.
    pub role: String,
    /// The players' roles that were made to move at random.
    pub random_roles: Vec<String>,
    /// What a terminal state is worth.
    pub objective: Objective,
    /// How many steps a play may take.
    pub horizon: Option<u32>,
    /// Where the play begins.
    pub beginning: Beginning,
    /// The value, or what is known instead.
    pub verdict: Verdict,
    /// The first moves of the side that has a choice, the best ones first.
    pub first_moves: Vec<ValuedMove>,
    /// A shortest winning play, if one was looked for and found: the moves of the only role.
    pub plan: Option<Vec<String>>,
    /// What a reader of the value should know.
    pub remarks: Vec<Remark>,
    /// What it took.
    pub effort: Effort,
}

/// Where a play begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Beginning {
    /// In the initial state.
    Initial,
    /// In a state that the user gave.
    State(Facts),
    /// After these joint moves from the initial state.
    Moves(Vec<String>),
}

/// How a question was answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The value.
    Solved(Fraction),
    /// The value up to the rounding errors of floating point.
    Enclosed(Interval),
    /// A limit was reached: the value is proven to lie in the interval.
    Bounded(Interval, StopReason),
    /// The question has no answer.
    Refused(Refused),
}

impl Verdict {
    /// The word for it in records.
    pub fn status(&self) -> &'static str {
        match self {
            Verdict::Solved(_) => "solved",
            Verdict::Enclosed(_) => "enclosed",
            Verdict::Bounded(..) => "bounded",
            Verdict::Refused(_) => "refused",
        }
    }

    /// The interval in which the value is proven to lie; nothing after a refusal.
    pub fn interval(&self) -> Option<Interval> {
        match self {
            Verdict::Solved(value) => Some(Interval {
                lo: value.clone(),
                hi: value.clone(),
            }),
            Verdict::Enclosed(interval) | Verdict::Bounded(interval, _) => Some(interval.clone()),
            Verdict::Refused(_) => None,
        }
    }
}

/// Why a question has no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    /// A play can run forever.
    Cycle {
        /// A state to which plays can come back.
        state: Facts,
        /// The joint moves that lead there, unless that is too far to look.
        approach: Option<Vec<String>>,
        /// The joint moves that lead from there back to it, unless that is too far to look.
        moves: Option<Vec<String>>,
    },
    /// A role has no legal move in a state that is not terminal.
    Stuck {
        /// The state.
        state: Facts,
        /// The role.
        role: String,
    },
    /// The expected goal value is asked for, and a role has several in a terminal state.
    SeveralGoals {
        /// The state.
        state: Facts,
        /// The role.
        role: String,
    },
}

/// Something that a reader of a value should know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Remark {
    /// Both sides have a choice in this state.
    NotTurnTaking {
        /// The state.
        state: Facts,
    },
    /// A role has no goal value in this terminal state.
    NoGoal {
        /// The state.
        state: Facts,
        /// The role.
        role: String,
    },
    /// A role has several goal values in this terminal state.
    SeveralGoals {
        /// The state.
        state: Facts,
        /// The role.
        role: String,
    },
}

/// A first choice of a side, with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValuedMove {
    /// Role and move, for every role of the side that chooses.
    pub moves: Vec<(String, String)>,
    /// The value of the game after it.
    pub value: Interval,
    /// Whether it is optimal for the side that chooses.
    pub optimal: bool,
}

/// What an answer took.
#[derive(Clone, Debug, PartialEq)]
pub struct Effort {
    /// The engine's name.
    pub engine: &'static str,
    /// The arithmetic's name.
    pub arithmetic: &'static str,
    /// How many threads searched.
    pub threads: usize,
    /// What the engine counted.
    pub statistics: Statistics,
    /// From the text to a game that can be played; the same for all records of a game.
    pub compile: Spent,
    /// From there to the answer; the same for all horizons of a run.
    pub solve: Spent,
    /// The version of the program.
    pub version: String,
}

impl Effort {
    /// From the text to the answer.
    pub fn total(&self) -> Spent {
        Spent {
            cpu: self.compile.cpu + self.solve.cpu,
            wall: self.compile.wall + self.solve.wall,
        }
    }
}

/// Time that was spent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    /// By all threads of the process together.
    pub cpu: Duration,
    /// On the clock.
    pub wall: Duration,
}

impl Spent {
    /// The share of each of so many answers that one run gave.
    pub fn share(self, answers: u32) -> Spent {
        Spent {
            cpu: self.cpu / answers.max(1),
            wall: self.wall / answers.max(1),
        }
    }
}

/// States that are looked at to find the play that witnesses a cycle.
const WITNESS_STATES: usize = 1 << 18;

/// An outcome in words; a cycle gets the play that shows it, from `start`.
pub fn verdict<G: Game>(
    game: &G,
    start: &G::State,
    outcome: &Outcome<G::State>,
) -> Result<Verdict, GameError> {
    Ok(match outcome {
        Outcome::Solved(value) => Verdict::Solved(value.clone()),
        Outcome::Enclosed(interval) => Verdict::Enclosed(interval.clone()),
        Outcome::Stopped(interval, reason) => Verdict::Bounded(interval.clone(), *reason),
        Outcome::Refused(refusal) => Verdict::Refused(refused(game, start, refusal)?),
    })
}

fn refused<G: Game>(game: &G, start: &G::State, refusal: &Refusal<G::State>) -> Result<Refused, GameError> {
    let role_name = |role: usize| game.roles()[role].clone();
    Ok(match refusal {
        Refusal::Stuck { state, role } => Refused::Stuck {
            state: game.facts(state),
            role: role_name(*role),
        },
        Refusal::SeveralGoals { state, role } => Refused::SeveralGoals {
            state: game.facts(state),
            role: role_name(*role),
        },
        Refusal::Cycle(states) => match states.first() {
            Some(first) => cycle(game, start, first)?,
            None => Refused::Cycle {
                state: Facts::new(),
                approach: None,
                moves: None,
            },
        },
    })
}

fn cycle<G: Game>(game: &G, start: &G::State, first: &G::State) -> Result<Refused, GameError> {
    let approach = match start == first {
        true => Some(Vec::new()),
        false => play(game, start, first)?,
    };
    Ok(Refused::Cycle {
        state: game.facts(first),
        approach,
        moves: play(game, first, first)?,
    })
}

/// A shortest play from a state to another, or back to itself, in words.
fn play<G: Game>(game: &G, from: &G::State, to: &G::State) -> Result<Option<Vec<String>>, GameError> {
    let found = shortest_play(game, from, |state, _| state == to, WITNESS_STATES)?;
    Ok(found.map(|joints| joints.iter().map(|joint| joint_name(game, joint)).collect()))
}

/// `role:move …` for every role.
pub fn joint_name<G: Game>(game: &G, joint: &[G::Move]) -> String {
    let named = joint
        .iter()
        .enumerate()
        .map(|(role, &mv)| format!("{}:{}", game.roles()[role], game.move_name(role, mv)));
    named.collect::<Vec<_>>().join(" ")
}

/// Notes in words.
pub fn remarks<G: Game>(game: &G, notes: &[Note<G::State>]) -> Vec<Remark> {
    let role_name = |role: usize| game.roles()[role].clone();
    let remark = |note: &Note<G::State>| match note {
        Note::NotTurnTaking { state } => Remark::NotTurnTaking {
            state: game.facts(state),
        },
        Note::NoGoal { state, role } => Remark::NoGoal {
            state: game.facts(state),
            role: role_name(*role),
        },
        Note::SeveralGoals { state, role } => Remark::SeveralGoals {
            state: game.facts(state),
            role: role_name(*role),
        },
    };
    notes.iter().map(remark).collect()
}

/// First moves in words, the optimal ones first, then by value for the side that chooses.
pub fn first_moves<G: Game>(game: &G, role: usize, answer: &Answer<G::State, G::Move>) -> Vec<ValuedMove> {
    let maximises = answer
        .first_moves
        .first()
        .is_none_or(|first| first.moves.iter().any(|&(mover, _)| mover == role));
    let mut all: Vec<ValuedMove> = answer
        .first_moves
        .iter()
        .map(|first| ValuedMove {
            moves: first
                .moves
                .iter()
                .map(|&(role, mv)| (game.roles()[role].clone(), game.move_name(role, mv)))
                .collect(),
            value: first.value.clone(),
            optimal: first.optimal,
        })
        .collect();
    all.sort_by(|a, b| {
        let by_value = match maximises {
            true => b.value.lo.cmp(&a.value.lo),
            false => a.value.hi.cmp(&b.value.hi),
        };
        b.optimal.cmp(&a.optimal).then(by_value)
    });
    all
}
