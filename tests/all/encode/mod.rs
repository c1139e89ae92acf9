//! The encoding: values of its formulas, and its text.

mod clingo;
mod definition;
pub mod games;
mod plans;
mod random;
mod values;

use crate::support;
use emm::encode::{Prefix, Question};
use emm::fraction::Fraction;
use emm::game::Game;
use emm::ground::{GroundProgram, Limits, RoleId, ground};
use emm::machine::Machine;
use emm::program::Program;
use emm::propnet::Propnet;
use emm::solve::{self, FirstMoves, Objective, Options, Outcome, Refusal, Start};

/// A game as all routes need it.
pub struct Loaded {
    pub program: Program,
    pub ground: GroundProgram,
    pub machine: Machine,
}

impl Loaded {
    pub fn new(name: &str, text: &str) -> Loaded {
        let program = support::program(name, text).unwrap_or_else(|errors| panic!("{name}: {errors}"));
        let ground = ground(&program, &Limits::default())
            .expect("a ground program")
            .program;
        let (net, reduction) = Propnet::build(&ground).expect("a network");
        Loaded {
            machine: Machine::new(net, reduction),
            program,
            ground,
        }
    }

    pub fn bundled(name: &str) -> Loaded {
        Loaded::new(name, emm::games::find(name).expect("a bundled game").text)
    }

    /// All questions with a horizon: every role, as the game says and with each other role at random.
    pub fn questions(&self, horizon: u32) -> Vec<Question> {
        let roles = || (0..self.ground.roles().len()).map(RoleId::new);
        let given: Vec<RoleId> = self.ground.random().into_iter().collect();
        let mut questions = Vec::new();
        for role in roles().filter(|role| !given.contains(role)) {
            let others = roles().filter(|other| *other != role && !given.contains(other));
            let mut sides = vec![given.clone()];
            sides.extend(others.map(|other| [&given[..], &[other]].concat()));
            questions.extend(sides.into_iter().map(|random| Question {
                role,
                random,
                horizon,
                prefix: Prefix::Dependency,
            }));
        }
        questions
    }

    /// The value by search; nothing if a role can be stuck, which has no value.
    pub fn searched(&self, question: &Question) -> Option<Fraction> {
        let asked = solve::Question {
            role: question.role.index(),
            chance: question.random.iter().map(|role| role.index()).collect(),
            horizon: Some(question.horizon),
            objective: Objective::Win,
            start: Start::Initial,
        };
        let options = Options {
            first_moves: FirstMoves::Skip,
            ..Options::default()
        };
        match solve::solve(&self.machine, &asked, &options)
            .expect("an answer")
            .outcome
        {
            Outcome::Solved(value) => Some(value),
            Outcome::Refused(Refusal::Stuck { .. }) => None,
            other => panic!("{}: {other:?}", self.machine.roles().join(" ")),
        }
    }
}
