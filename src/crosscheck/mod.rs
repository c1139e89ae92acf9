//! The two methods against each other: the value of a game by search and by formula.
//!
//! A [`Method`] finds the value of a [`Case`] of a [`Subject`] somehow; [`compare`] asks several and
//! [`Comparison::verdict`] says whether they agree. What is exact is compared as fractions, what other
//! programs print within their precision. A limit that is reached, a program that is not there or a
//! question that a method cannot answer is no disagreement, and is never counted as agreement.
//!
//! | file | what it is |
//! |---|---|
//! | `internal` | search, formula with either prefix, reference |
//! | `external` | other programs, within limits: SharpSSAT, DepQBF |
//! | `clingo` | the SQASP text by its answer sets, and plans |
//! | `horizon` | how long a game can take |
//! | `reproduce` | the smallest case of a disagreement, saved |

mod clingo;
mod external;
mod horizon;
mod internal;
mod reproduce;

pub use clingo::{Clingo, ClingoForm};
pub use external::{DepQbf, SharpSsat, find_program};
pub use horizon::{longest_play, walk};
pub use internal::{ByFormula, ByReference, BySearch};
pub use reproduce::{minimise, save};

use crate::encode::{self, Prefix};
use crate::fraction::Fraction;
use crate::ground::{GroundProgram, RoleId};
use crate::machine::Machine;
use crate::program::Program;
use crate::propnet::{BuildError, Propnet};
use crate::symmetry::Symmetries;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// A game in all forms that methods need.
pub struct Subject {
    /// Its name for people and files.
    pub name: String,
    /// The checked rules.
    pub program: Program,
    /// The rules without variables.
    pub ground: GroundProgram,
    /// The compiled game.
    pub machine: Machine,
}

impl Subject {
    /// Compiles a game.
    pub fn new(name: &str, program: Program, ground: GroundProgram) -> Result<Subject, BuildError> {
        let (net, reduction) = Propnet::build(&ground)?;
        let symmetries = Symmetries::find(&ground, &net, &Default::default());
        Ok(Subject {
            name: name.to_string(),
            machine: Machine::new(net, reduction).with_symmetries(&symmetries),
            program,
            ground,
        })
    }

    /// The name of a role.
    pub fn role_name(&self, role: RoleId) -> String {
        self.ground
            .terms()
            .display(self.ground.roles()[role.index()])
            .to_string()
    }
}

/// A question: with which probability does a role win within a number of steps?
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// The role that maximises.
    pub role: RoleId,
    /// The roles that move at random.
    pub random: Vec<RoleId>,
    /// How many steps a play may take.
    pub horizon: u32,
}

impl Case {
    /// The question for the encoder.
    pub fn encoded(&self, prefix: Prefix) -> encode::Question {
        encode::Question {
            role: self.role,
            random: self.random.clone(),
            horizon: self.horizon,
            prefix,
        }
    }
}

/// How far a method may go, for each answer.
#[derive(Clone, Debug)]
pub struct Limits {
    /// How long.
    pub time: Duration,
    /// Bytes for tables, or for another program.
    pub memory: usize,
    /// Set to end all that is going on.
    pub stop: Arc<AtomicBool>,
}

impl Limits {
    /// Limits of time and memory, for what nobody asks to end.
    pub fn new(time: Duration, memory: usize) -> Limits {
        Limits {
            time,
            memory,
            stop: Arc::default(),
        }
    }

    /// Whether all was asked to end.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// What a method says about the value.
#[derive(Clone, Debug, PartialEq)]
pub enum Found {
    /// It is this.
    Exact(Fraction),
    /// It is this, up to the given error.
    Near(f64, f64),
    /// It is between these: a limit was reached.
    Between(Fraction, Fraction),
    /// Nothing, because of this.
    Nothing(String),
    /// Something that contradicts itself.
    Wrong(String),
}

/// An answer and what it took.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// The name of the method.
    pub method: String,
    /// The answer.
    pub found: Found,
    /// Variables and clauses of the formula, if there is one.
    pub size: Option<(usize, usize)>,
    /// CPU time for methods of this library, elapsed time for other programs.
    pub time: Duration,
}

/// A way to find the value of a game.
pub trait Method {
    /// What people call it.
    fn name(&self) -> String;

    /// The value.
    fn find(&self, subject: &Subject, case: &Case, limits: &Limits) -> Finding;
}

/// What several methods found.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// The question.
    pub case: Case,
    /// The answers, in the order of the methods.
    pub findings: Vec<Finding>,
}

/// What a comparison shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// So many methods, at least two, found the same.
    Agree(usize),
    /// Fewer than two methods found anything.
    Open,
    /// These two methods contradict each other.
    Disagree(String, String),
}

/// Asks all methods.
pub fn compare(subject: &Subject, case: &Case, methods: &[&dyn Method], limits: &Limits) -> Comparison {
    let findings = methods.iter().map(|method| method.find(subject, case, limits));
    Comparison {
        case: case.clone(),
        findings: findings.collect(),
    }
}

/// Asks the methods one after the other, up to the first that reaches a limit. Nothing if one does, or if fewer
/// than two have an answer; but what contradicts what was found so far is always told.
pub fn settle(
    subject: &Subject,
    case: &Case,
    methods: &[&dyn Method],
    limits: &Limits,
) -> Option<Comparison> {
    let mut findings: Vec<Finding> = Vec::with_capacity(methods.len());
    let mut is_stopped = false;
    for method in methods {
        if is_stopped {
            break;
        }
        let finding = method.find(subject, case, limits);
        is_stopped = matches!(finding.found, Found::Between(..));
        findings.push(finding);
    }
    let comparison = Comparison {
        case: case.clone(),
        findings,
    };
    match comparison.verdict() {
        Verdict::Disagree(..) => Some(comparison),
        Verdict::Agree(_) if !is_stopped => Some(comparison),
        Verdict::Agree(_) | Verdict::Open => None,
    }
}

impl Comparison {
    /// How long the slowest of the methods took.
    pub fn longest_time(&self) -> Duration {
        let times = self.findings.iter().map(|finding| finding.time);
        times.max().unwrap_or_default()
    }

    /// Whether the answers go together.
    pub fn verdict(&self) -> Verdict {
        let findings = &self.findings;
        for (n, one) in findings.iter().enumerate() {
            if matches!(one.found, Found::Wrong(_)) {
                return Verdict::Disagree(one.method.clone(), one.method.clone());
            }
            for other in &findings[..n] {
                if !are_compatible(&one.found, &other.found) {
                    return Verdict::Disagree(other.method.clone(), one.method.clone());
                }
            }
        }
        let is_answer = |finding: &&Finding| matches!(finding.found, Found::Exact(_) | Found::Near(..));
        match findings.iter().filter(is_answer).count() {
            0 | 1 => Verdict::Open,
            answers => Verdict::Agree(answers),
        }
    }

    /// The value, if a method found it exactly.
    pub fn value(&self) -> Option<&Fraction> {
        self.findings.iter().find_map(|finding| match &finding.found {
            Found::Exact(value) => Some(value),
            _ => None,
        })
    }
}

/// Whether two answers can both be true.
fn are_compatible(one: &Found, other: &Found) -> bool {
    let (Some(one), Some(other)) = (interval(one), interval(other)) else {
        return true;
    };
    one.0 <= other.1 && other.0 <= one.1
}

/// The least and the largest value that an answer allows.
fn interval(found: &Found) -> Option<(Fraction, Fraction)> {
    match found {
        Found::Exact(value) => Some((value.clone(), value.clone())),
        Found::Between(lo, hi) => Some((lo.clone(), hi.clone())),
        Found::Near(value, error) => {
            let lo = Fraction::from_f64((value - error).max(0.0))?;
            Some((lo, Fraction::from_f64(value + error)?))
        }
        Found::Nothing(_) | Found::Wrong(_) => None,
    }
}
