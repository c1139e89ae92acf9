//! The methods of this library.

use super::{Case, Finding, Found, Limits, Method, Subject};
use crate::cnf::Cnf;
use crate::encode::{self, EncodeError, Prefix};
use crate::machine::{Bits, Machine};
use crate::reference::{Reference, ReferenceGame};
use crate::solve::{
    self, Engine, FirstMoves, Objective, Options, Outcome, Question, Refusal, SolveError, Start,
};
use crate::ssat;
use cpu_time::ProcessTime;
use std::time::Instant;

/// Definition 1 by search on the compiled game.
pub struct BySearch;

impl Method for BySearch {
    fn name(&self) -> String {
        "search".to_string()
    }

    fn find(&self, subject: &Subject, case: &Case, limits: &Limits) -> Finding {
        let found = || {
            let options = options(Engine::Auto, limits);
            shown(searched(&subject.machine, &question(case), &options))
        };
        timed(self.name(), || (found(), None))
    }
}

fn searched(
    machine: &Machine,
    question: &Question<Bits>,
    options: &Options,
) -> Result<Outcome<Bits>, SolveError> {
    let questions = std::slice::from_ref(question);
    let selected = solve::select(machine, questions, options)?;
    if selected.engine == Engine::Search {
        return Ok(solve::solve(machine, question, options)?.outcome);
    }
    let mut answers = solve::solve_selected(machine, &selected, questions, options)?;
    Ok(answers.remove(0).outcome)
}

/// Definition 1 as it stands, on the reference reasoner.
pub struct ByReference;

impl Method for ByReference {
    fn name(&self) -> String {
        "reference".to_string()
    }

    fn find(&self, subject: &Subject, case: &Case, limits: &Limits) -> Finding {
        let found = || match Reference::new(&subject.program) {
            Ok(reference) => {
                let game = ReferenceGame::new(reference);
                let options = options(Engine::Reference, limits);
                shown(solve::solve(&game, &question(case), &options).map(|answer| answer.outcome))
            }
            Err(error) => Found::Nothing(error.to_string()),
        };
        timed(self.name(), || (found(), None))
    }
}

/// The value of the formula, by the evaluator of this library.
pub struct ByFormula(pub Prefix);

impl Method for ByFormula {
    fn name(&self) -> String {
        match self.0 {
            Prefix::Base => "Q_b".to_string(),
            Prefix::Dependency => "Q_d".to_string(),
        }
    }

    fn find(&self, subject: &Subject, case: &Case, limits: &Limits) -> Finding {
        timed(self.name(), || match formula(subject, case, self.0) {
            Ok(cnf) => (evaluated(&cnf, limits), Some((cnf.variables, cnf.clauses.len()))),
            Err(error) => (Found::Nothing(error.to_string()), None),
        })
    }
}

/// The formula of a case.
pub(super) fn formula(subject: &Subject, case: &Case, prefix: Prefix) -> Result<Cnf, EncodeError> {
    let sqasp = encode::encode(&subject.ground, &case.encoded(prefix))?;
    Ok(encode::complete(&sqasp)?.cnf)
}

fn evaluated(cnf: &Cnf, limits: &Limits) -> Found {
    let options = ssat::Options {
        memory: limits.memory,
        deadline: Instant::now().checked_add(limits.time),
        stop: limits.stop.clone(),
        ..ssat::Options::default()
    };
    let interval = ssat::evaluate(cnf, &options).interval;
    match interval.is_exact() {
        true => Found::Exact(interval.lo),
        false => Found::Between(interval.lo, interval.hi),
    }
}

fn question<S>(case: &Case) -> Question<S> {
    Question {
        role: case.role.index(),
        chance: case.random.iter().map(|role| role.index()).collect(),
        horizon: Some(case.horizon),
        objective: Objective::Win,
        start: Start::Initial,
    }
}

fn options(engine: Engine, limits: &Limits) -> Options {
    Options {
        engine,
        memory: limits.memory,
        deadline: Instant::now().checked_add(limits.time),
        stop: limits.stop.clone(),
        first_moves: FirstMoves::Skip,
        ..Options::default()
    }
}

fn shown<S>(outcome: Result<Outcome<S>, SolveError>) -> Found {
    match outcome {
        Ok(Outcome::Solved(value)) => Found::Exact(value),
        Ok(Outcome::Refused(Refusal::Stuck { .. })) => {
            Found::Nothing("a role can be without a legal move".to_string())
        }
        Ok(Outcome::Refused(_)) => Found::Nothing("the question has no answer".to_string()),
        Ok(other) => match other.interval() {
            Some(interval) => Found::Between(interval.lo.clone(), interval.hi.clone()),
            None => Found::Nothing("no interval".to_string()),
        },
        Err(error) => Found::Nothing(error.to_string()),
    }
}

/// A finding with the CPU time of the process, of which nothing else uses much meanwhile.
fn timed(method: String, find: impl FnOnce() -> (Found, Option<(usize, usize)>)) -> Finding {
    let start = ProcessTime::now();
    let (found, size) = find();
    Finding {
        method,
        found,
        size,
        time: start.elapsed(),
    }
}
