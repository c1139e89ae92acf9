//! [`Game`] → [`Answer`]: the exact value of a game for a role.
//!
//! The value is Definition 1 of the paper. Let x be the role of the [`Question`], o all other roles
//! together that do not move at random, and r those that do. In a state S with n steps left
//!
//! ```text
//! P(S, n) = what S is worth to x                                   if S is terminal
//! P(S, n) = 0                                                      if n = 0 and S is not terminal
//! P(S, n) = max over x's moves of min over o's joint moves of
//!           mean over r's joint moves of P(next state, n - 1)      otherwise
//! ```
//!
//! A run has two parts. The check (`explore`) looks at all states that the question reaches
//! and refuses, with a witness, a question that has no answer, unless the game proves that it need not.
//! The search then finds the value. Reaching a limit is an [`Outcome`] that says what is
//! proven so far; every number in an answer is proven. The outcome, the notes and the first moves are the
//! same for every number of threads, with pruning and without.
//!
//! | file | what it is |
//! |---|---|
//! | `question`, `answer` | what goes in and what comes out |
//! | [`crate::fraction`], `number` | exact and outward-rounded arithmetic |
//! | `limits` | time, memory, interruption, progress |
//! | `position` | a state's successors, by side |
//! | `explore` | the check before the search |
//! | `bounds`, `node`, `table` | what is proven about a value, a position, all states |
//! | `search`, `root` | the depth-first search |
//! | `alphabeta` | depth first on packed keys, without chance |
//! | `layered` | all states, layer by layer |
//! | `choose` | which engine |
//! | `reference` | Definition 1 as it stands: the oracle |
//! | `plan` | shortest plays to a goal, or around a cycle |

/// Why a game is left to engines without packed keys.
const TOO_WIDE: &str = "a packed state has more than 1023 bits";

/// Calls the instance of a function for packed keys of so many bits, with as few words as hold them and a mark; nothing
/// if none does.
macro_rules! for_key_bits {
    ($bits:expr, $run:ident($($argument:expr),*)) => {
        match $bits {
            0..=63 => Some($run::<1>($($argument),*)),
            64..=127 => Some($run::<2>($($argument),*)),
            128..=255 => Some($run::<4>($($argument),*)),
            256..=511 => Some($run::<8>($($argument),*)),
            512..=1023 => Some($run::<16>($($argument),*)),
            _ => None,
        }
    };
}

mod alphabeta;
mod answer;
mod bounds;
mod choose;
mod explore;
mod layered;
mod limits;
mod node;
mod number;
mod plan;
mod position;
mod question;
mod reference;
mod root;
mod search;
mod table;

pub use crate::fraction::Fraction;
pub use answer::{Answer, Curve, FirstMove, Interval, Note, Outcome, Refusal, Statistics, StopReason};
pub use choose::{Selected, select, solve_selected};
pub use limits::Progress;
pub use plan::shortest_play;
pub use question::{
    Arithmetic, Checkpoint, Engine, FirstMoves, Objective, Options, Pruning, Question, SolveError, Start,
};
pub use search::DEPTH_LIMIT;

use std::sync::atomic::Ordering;

use crate::fraction;
use crate::game::Game;
use explore::{Findings, explore, explore_within};
use limits::Limits;
use number::Float;

/// Answers a question about a game.
pub fn solve<G: Game>(
    game: &G,
    question: &Question<G::State>,
    options: &Options,
) -> Result<Answer<G::State, G::Move>, SolveError> {
    question.check(game)?;
    if options.engine == Engine::Reference {
        return reference::run(game, question, options);
    }
    let limits = Limits::new(options);
    let findings = check(game, question, &limits, game.proven().longest_play)?;
    if let Some(outcome) = early_end(question, &findings, &limits) {
        let statistics = statistics(&findings, &limits, 0);
        return Ok(Answer {
            outcome,
            first_moves: Vec::new(),
            notes: findings.notes,
            statistics,
        });
    }
    let longest = longest(question.horizon, &findings);
    let found = match options.arithmetic {
        Arithmetic::Exact => root::run::<G, Fraction>(game, question, options, &limits, longest),
        Arithmetic::Float => root::run::<G, Float>(game, question, options, &limits, longest),
    }?;
    Ok(Answer {
        outcome: found.outcome,
        first_moves: found.first_moves,
        statistics: statistics(&findings, &limits, found.table_entries),
        notes: findings.notes,
    })
}

/// Answers a question for every horizon from 0 to `last` in one run; the question's own horizon is
/// ignored.
pub fn solve_all_horizons<G: Game>(
    game: &G,
    question: &Question<G::State>,
    last: u32,
    options: &Options,
) -> Result<Curve<G::State>, SolveError> {
    question.check(game)?;
    let question = Question {
        horizon: Some(last),
        ..question.clone()
    };
    if options.engine == Engine::Reference {
        return reference_curve(game, &question, last, options);
    }
    let limits = Limits::new(options);
    let findings = check(game, &question, &limits, game.proven().longest_play)?;
    if let Some(outcome) = early_end(&question, &findings, &limits) {
        let outcomes = match outcome {
            Outcome::Refused(_) => vec![outcome],
            _ => vec![outcome; last as usize + 1],
        };
        let statistics = statistics(&findings, &limits, 0);
        return Ok(Curve {
            outcomes,
            notes: findings.notes,
            statistics,
        });
    }
    let run = match options.arithmetic {
        Arithmetic::Exact => root::run_all_horizons::<G, Fraction>,
        Arithmetic::Float => root::run_all_horizons::<G, Float>,
    };
    let found = run(game, &question, options, &limits, last)?;
    let statistics = statistics(&findings, &limits, found.table_entries);
    Ok(Curve {
        outcomes: found.outcomes,
        notes: findings.notes,
        statistics,
    })
}

/// The oracle has no memory between horizons: it answers them one by one.
fn reference_curve<G: Game>(
    game: &G,
    question: &Question<G::State>,
    last: u32,
    options: &Options,
) -> Result<Curve<G::State>, SolveError> {
    let options = Options {
        first_moves: FirstMoves::Skip,
        ..options.clone()
    };
    let mut curve = Curve {
        outcomes: Vec::new(),
        notes: Vec::new(),
        statistics: Statistics::default(),
    };
    for horizon in 0..=last {
        let question = Question {
            horizon: Some(horizon),
            ..question.clone()
        };
        let answer = reference::run(game, &question, &options)?;
        if matches!(answer.outcome, Outcome::Refused(_)) {
            curve.outcomes.clear();
            curve.outcomes.push(answer.outcome);
            break;
        }
        curve.outcomes.push(answer.outcome);
        (curve.notes, curve.statistics) = (answer.notes, answer.statistics);
    }
    Ok(curve)
}

/// Checks the game, unless it proves all that would be checked.
fn check<G: Game>(
    game: &G,
    question: &Question<G::State>,
    limits: &Limits,
    longest_play: Option<u32>,
) -> Result<Findings<G::State>, SolveError> {
    if is_proven(game, question, longest_play) {
        return Ok(Findings::unchecked(longest_play));
    }
    Ok(explore(game, question, limits)?)
}

/// Whether nothing need be checked, if no play takes more steps than `longest_play`.
fn is_proven<G: Game>(game: &G, question: &Question<G::State>, longest_play: Option<u32>) -> bool {
    open_points(game, question, longest_play).is_some_and(OpenPoints::is_none)
}

/// What is not proven of the plays that a question is about.
#[derive(Clone, Copy)]
struct OpenPoints {
    /// Whether every role always has a legal move.
    moves: bool,
    /// Whether every play ends.
    ends: bool,
}

impl OpenPoints {
    const NONE: OpenPoints = OpenPoints {
        moves: false,
        ends: false,
    };

    fn is_none(self) -> bool {
        !self.moves && !self.ends
    }
}

/// What is left to be checked, if no play takes more steps than `longest_play`; nothing if there is more than these
/// points.
fn open_points<G: Game>(
    game: &G,
    question: &Question<G::State>,
    longest_play: Option<u32>,
) -> Option<OpenPoints> {
    let proven = game.proven();
    let applies = !matches!(question.start, Start::Given(_));
    // The proof of turn-taking leaves out the role `random`, so that role must really move at random.
    let mut roles = game.roles().iter().enumerate();
    let random_is_chance = roles.all(|(role, name)| name != "random" || question.chance.contains(&role));
    let turn_taking = proven.turn_taking && random_is_chance;
    (applies && turn_taking && proven.one_goal).then_some(OpenPoints {
        moves: !proven.always_a_move,
        ends: question.horizon.is_none() && longest_play.is_none(),
    })
}

/// The outcome, if the check already ends the run.
fn early_end<S: Clone>(
    question: &Question<S>,
    findings: &Findings<S>,
    limits: &Limits,
) -> Option<Outcome<S>> {
    if let Some(refusal) = &findings.refusal {
        return Some(Outcome::Refused(refusal.clone()));
    }
    let everything = Interval {
        lo: Fraction::whole(0),
        hi: Fraction::whole(question.objective.top().into()),
    };
    limits
        .reached()
        .map(|reason| Outcome::Stopped(everything, reason))
}

/// No play within the question takes more steps than this.
fn longest<S>(horizon: Option<u32>, findings: &Findings<S>) -> u32 {
    horizon
        .unwrap_or(u32::MAX)
        .min(findings.longest_play.unwrap_or(u32::MAX))
}

fn statistics<S>(findings: &Findings<S>, limits: &Limits, table_entries: u64) -> Statistics {
    let progress = &limits.progress;
    Statistics {
        explored: findings.states,
        visited: progress.visited.load(Ordering::Relaxed),
        edges: progress.edges.load(Ordering::Relaxed),
        table_hits: progress.table_hits.load(Ordering::Relaxed),
        table_entries,
        memory_bytes: limits.peak(),
        longest_play: findings.longest_play,
    }
}
