//! The engines against each other, against known values, and against their limits.

mod alphabeta;
mod checked_on_the_way;
mod differential;
mod games;
mod layered;
mod layered_traps;
mod limits;
mod signature;
mod sweep;
mod values;

use emm::game::Game;
use emm::solve::{Fraction, Options, Outcome, Question, solve};

fn fraction(numerator: u64, denominator: u64) -> Fraction {
    Fraction::new(numerator, denominator).unwrap()
}

fn options() -> Options {
    Options::default()
}

fn value<G: Game>(game: &G, question: &Question<G::State>, options: &Options) -> Fraction {
    match solve(game, question, options).unwrap().outcome {
        Outcome::Solved(value) => value,
        other => panic!("{other:?}"),
    }
}
