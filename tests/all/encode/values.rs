//! The value of the formula is the value of the game.

use super::games::TRAPS;
use super::{Loaded, random};
use crate::support::random::Random;
use crate::support::random_game::{clauses, plans, text};
use emm::cnf::{Cnf, Lit, Quantifier, Var};
use emm::encode::{Prefix, Question, complete, encode};
use emm::fraction::Fraction;
use emm::ssat;
use num_bigint::BigUint;
use num_rational::Ratio;
use num_traits::{One, Zero};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use std::time::{Duration, Instant};

/// The value by the recursive definition, straight along the prefix; nothing if that takes too many steps.
/// It only looks ahead far enough to stop where a clause is violated.
struct Definition<'a> {
    order: Vec<(Var, &'a Quantifier)>,
    /// The clauses whose last variable, in the order of the prefix, is at each place.
    ending: Vec<Vec<&'a [Lit]>>,
    values: Vec<bool>,
    steps: u64,
}

const MOST_STEPS: u64 = 300_000;

impl<'a> Definition<'a> {
    fn value(cnf: &'a Cnf) -> Option<Ratio<BigUint>> {
        let blocks = cnf.prefix.iter();
        let order: Vec<_> = blocks
            .flat_map(|block| {
                block
                    .variables
                    .iter()
                    .map(|&variable| (variable, &block.quantifier))
            })
            .collect();
        let mut place = vec![None; cnf.variables];
        for (at, (variable, _)) in order.iter().enumerate() {
            assert_eq!(place[variable.index()].replace(at), None, "quantified twice");
        }
        let mut ending = vec![Vec::new(); order.len()];
        for clause in cnf.clauses.iter() {
            let places = clause
                .iter()
                .map(|literal| place[literal.var().index()].expect("quantified"));
            match places.max() {
                Some(last) => ending[last].push(clause),
                None => return Some(Ratio::zero()),
            }
        }
        let mut definition = Definition {
            values: vec![false; cnf.variables],
            order,
            ending,
            steps: 0,
        };
        definition.from(0)
    }

    fn from(&mut self, at: usize) -> Option<Ratio<BigUint>> {
        self.steps += 1;
        if self.steps > MOST_STEPS {
            return None;
        }
        let Some(&(_, quantifier)) = self.order.get(at) else {
            return Some(Ratio::one());
        };
        let yes = self.branch(at, true)?;
        let no = self.branch(at, false)?;
        Some(match quantifier {
            Quantifier::Exists => yes.max(no),
            Quantifier::ForAll => yes.min(no),
            Quantifier::Chance(p) => p * yes + (Ratio::one() - p) * no,
        })
    }

    fn branch(&mut self, at: usize, value: bool) -> Option<Ratio<BigUint>> {
        self.values[self.order[at].0.index()] = value;
        let holds = |literal: &Lit| self.values[literal.var().index()] != literal.is_negated();
        if self.ending[at].iter().all(|clause| clause.iter().any(holds)) {
            self.from(at + 1)
        } else {
            Some(Ratio::zero())
        }
    }
}

fn formula(game: &Loaded, question: &Question) -> Cnf {
    let sqasp = encode(&game.ground, question).expect("an encoding");
    complete(&sqasp).expect("a formula").cnf
}

/// Compares formula and search for both prefixes; says how many values were also found by definition.
fn compare(game: &Loaded, question: &Question, what: &str) -> Option<usize> {
    let expected = game.searched(question)?;
    let mut defined = 0;
    for prefix in [Prefix::Base, Prefix::Dependency] {
        let question = Question {
            prefix,
            ..question.clone()
        };
        let cnf = formula(game, &question);
        if let Some(value) = Definition::value(&cnf) {
            assert_eq!(
                Fraction::from(value),
                expected,
                "{what} {question:?}, by definition"
            );
            defined += 1;
        }
        let options = ssat::Options {
            deadline: Some(Instant::now() + Duration::from_secs(60)),
            ..ssat::Options::default()
        };
        let found = ssat::evaluate(&cnf, &options).interval;
        assert_eq!(
            (&found.lo, &found.hi),
            (&expected, &expected),
            "{what} {question:?}"
        );
    }
    Some(defined)
}

#[test]
fn formulas_of_small_games_have_the_value_of_the_game_at_all_horizons() {
    let bundled = [
        ("one-shot", 2),
        ("s-nim-3", 13),
        ("s-nim-4", 17),
        ("s-nim-5", 7),
        ("tt-3x3", 4),
        ("s-tt-3x3-50", 4),
        ("buttons-and-lights", 7),
        ("coins", 3),
        ("rock-paper-scissors", 3),
        ("penney", 3),
    ];
    let mut defined = 0;
    for (name, last) in bundled {
        let game = Loaded::bundled(name);
        for horizon in 0..=last {
            for question in game.questions(horizon) {
                defined += compare(&game, &question, name).expect("nobody is stuck");
            }
        }
    }
    assert!(defined > 100, "only {defined} values by definition");
}

#[test]
fn formulas_of_games_with_traps_have_the_value_of_the_game() {
    let mut defined = 0;
    for &(name, last, text) in TRAPS {
        let game = Loaded::new(name, text);
        let mut compared = 0;
        for horizon in 0..=last {
            for question in game.questions(horizon) {
                let found = compare(&game, &question, name);
                compared += usize::from(found.is_some());
                defined += found.unwrap_or(0);
            }
        }
        assert!(compared > 1, "{name} has no value");
    }
    assert!(defined > 50, "only {defined} values by definition");
}

/// How many questions were compared, and how many values are neither 0 nor 1, or were found by definition.
#[derive(Debug, Default)]
struct Compared {
    questions: usize,
    between: usize,
    defined: usize,
}

impl Compared {
    fn add(&mut self, text: &str, horizons: &[u32]) {
        let game = Loaded::new("random", text);
        for question in horizons.iter().flat_map(|&horizon| game.questions(horizon)) {
            let Some(defined) = compare(&game, &question, text) else {
                continue;
            };
            let is_between = |value: Fraction| value != Fraction::whole(0) && value != Fraction::whole(1);
            self.questions += 1;
            self.between += usize::from(game.searched(&question).is_some_and(is_between));
            self.defined += defined;
        }
    }
}

#[test]
fn formulas_of_random_games_have_the_value_of_the_game() {
    let mut runner = TestRunner::new_with_rng(
        Config::default(),
        TestRng::from_seed(RngAlgorithm::ChaCha, &[7; 32]),
    );
    let mut compared = Compared::default();
    for _ in 0..400 {
        let plan = plans().new_tree(&mut runner).expect("a plan").current();
        compared.add(&text(&clauses(&plan)), &[0, 1, 2, 4]);
    }
    assert!(
        compared.questions > 1000 && compared.defined > 500,
        "{compared:?}"
    );
    assert!(compared.between > 5, "{compared:?}");
}

#[test]
fn formulas_of_random_games_that_are_won_sometimes_have_the_value_of_the_game() {
    let mut source = Random::new(29);
    let mut compared = Compared::default();
    for _ in 0..200 {
        compared.add(&random::game(&mut source), &[1, 2, 5]);
    }
    assert!(compared.questions > 1000 && compared.between > 60, "{compared:?}");
}

#[test]
fn a_decided_formula_has_no_variables() {
    let size = |name: &str| {
        let &(_, horizon, text) = TRAPS.iter().find(|trap| trap.0 == name).expect("a trap");
        let game = Loaded::new(name, text);
        let cnf = formula(&game, &game.questions(horizon)[0]);
        (cnf.variables, cnf.clauses.len())
    };
    assert_eq!(size("never ends"), (0, 1));
    assert_eq!(size("starts won"), (0, 0));
}

#[test]
fn both_prefixes_have_the_same_size_and_each_variable_once() {
    let game = Loaded::bundled("s-tt-3x3-80");
    let question = game.questions(18).remove(0);
    let sizes = [Prefix::Base, Prefix::Dependency].map(|prefix| {
        let cnf = formula(
            &game,
            &Question {
                prefix,
                ..question.clone()
            },
        );
        let mut seen = vec![0; cnf.variables];
        let variables = cnf.prefix.iter().flat_map(|block| &block.variables);
        variables.for_each(|variable| seen[variable.index()] += 1);
        assert!(seen.iter().all(|&times| times == 1));
        (cnf.variables, cnf.clauses.len())
    });
    assert_eq!(sizes[0], sizes[1]);
}
