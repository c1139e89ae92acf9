//! The evaluator against the definition.

use super::formula::{Shape, by_definition, random, ratio};
use crate::support::random::Random;
use emm::cnf::{Block, Clauses, Cnf, Lit, Quantifier, Var};
use emm::solve::Fraction;
use emm::ssat::{Options, Outcome, StopReason, evaluate};
use std::time::{Duration, Instant};

fn run(cnf: &Cnf) -> Outcome {
    evaluate(cnf, &Options::default())
}

fn shape(variables: usize, clauses: usize, shortest: usize, longest: usize) -> Shape {
    Shape {
        variables,
        clauses,
        shortest,
        longest,
    }
}

#[test]
fn random_formulas_have_the_value_of_the_definition() {
    let shapes = [
        shape(3, 5, 1, 3),
        shape(9, 8, 2, 3),
        shape(10, 24, 3, 5),
        shape(10, 40, 4, 9),
    ];
    let mut inner = 0;
    for (number, shape) in shapes.iter().enumerate() {
        let mut source = Random::new(number as u64);
        for _ in 0..1500 {
            let cnf = random(&mut source, shape);
            let expected = Fraction::from(by_definition(&cnf));
            let outcome = run(&cnf);
            assert!(outcome.interval.is_exact(), "{cnf:?}");
            assert_eq!(outcome.interval.lo, expected, "{cnf:?}");
            let is_inner = expected != Fraction::whole(0) && expected != Fraction::whole(1);
            inner += usize::from(is_inner && outcome.formulas > 2);
        }
    }
    assert!(
        inner > 300,
        "only {inner} formulas needed a search and have a value between 0 and 1"
    );
}

/// The formula with its variables renamed.
fn renamed(cnf: &Cnf, name: impl Fn(Var) -> Var) -> (Vec<Block>, Vec<Vec<Lit>>) {
    let literal = |lit: &Lit| match lit.is_negated() {
        true => !name(lit.var()).positive(),
        false => name(lit.var()).positive(),
    };
    let block = |block: &Block| Block {
        quantifier: block.quantifier.clone(),
        variables: block.variables.iter().map(|&variable| name(variable)).collect(),
    };
    let clauses = cnf.clauses.iter();
    (
        cnf.prefix.iter().map(block).collect(),
        clauses
            .map(|clause| clause.iter().map(literal).collect())
            .collect(),
    )
}

fn assembled(variables: usize, prefix: Vec<Block>, lists: &[Vec<Lit>]) -> Cnf {
    let mut clauses = Clauses::default();
    lists.iter().for_each(|clause| clauses.push(clause));
    Cnf {
        variables,
        prefix,
        clauses,
    }
}

#[test]
fn names_and_order_do_not_matter() {
    let mut source = Random::new(77);
    for _ in 0..500 {
        let cnf = random(&mut source, &shape(20, 30, 2, 4));
        let mut names: Vec<Var> = (0..cnf.variables).map(Var::new).collect();
        source.shuffle(&mut names);
        let (mut prefix, mut clauses) = renamed(&cnf, |variable| names[variable.index()]);
        prefix
            .iter_mut()
            .for_each(|block| source.shuffle(&mut block.variables));
        clauses.iter_mut().for_each(|clause| source.shuffle(clause));
        source.shuffle(&mut clauses);
        let other = assembled(cnf.variables, prefix, &clauses);
        assert_eq!(run(&cnf).interval, run(&other).interval, "{cnf:?}");
    }
}

#[test]
fn the_value_of_independent_formulas_is_the_product() {
    let mut source = Random::new(78);
    let mut inner = 0;
    for _ in 0..500 {
        let shape = shape(9, 12, 2, 4);
        let (a, b) = (random(&mut source, &shape), random(&mut source, &shape));
        let (mut prefix, mut clauses) = renamed(&a, |variable| variable);
        let (second, more) = renamed(&b, |variable| Var::new(variable.index() + a.variables));
        // The blocks of both in their order, but mixed.
        let mut place = 0;
        for block in second {
            place += source.below(prefix.len() - place + 1);
            prefix.insert(place, block);
            place += 1;
        }
        clauses.extend(more);
        source.shuffle(&mut clauses);
        let both = assembled(a.variables + b.variables, prefix, &clauses);
        let expected = Fraction::from(by_definition(&a) * by_definition(&b));
        let outcome = run(&both);
        assert_eq!(outcome.interval.lo, expected, "{both:?}");
        assert!(outcome.interval.is_exact());
        inner += usize::from(expected != Fraction::whole(0) && expected != Fraction::whole(1));
    }
    assert!(inner > 50, "only {inner} products between 0 and 1");
}

/// Needs a search and has a value between 0 and 1.
fn hard() -> Cnf {
    let mut source = Random::new(5);
    let blocks = (0..30).map(|variable| Block {
        quantifier: match variable % 3 {
            0 => Quantifier::Exists,
            1 => Quantifier::Chance(ratio(2, 3)),
            _ => Quantifier::ForAll,
        },
        variables: vec![Var::new(variable)],
    });
    let mut clauses = Clauses::default();
    for _ in 0..40 {
        let mut literal = || {
            let literal = Var::new(source.below(30)).positive();
            if source.below(2) == 0 { literal } else { !literal }
        };
        clauses.push(&[literal(), literal(), literal(), literal(), literal(), literal()]);
    }
    Cnf {
        variables: 30,
        prefix: blocks.collect(),
        clauses,
    }
}

#[test]
fn a_limit_leaves_bounds_that_contain_the_value() {
    let cnf = hard();
    let value = run(&cnf).interval;
    assert!(value.is_exact() && value.lo > Fraction::whole(0) && value.lo < Fraction::whole(1));
    let mut bounded = 0;
    for microseconds in [0, 20, 100, 300, 1000, 3000] {
        let options = Options {
            deadline: Some(Instant::now() + Duration::from_micros(microseconds)),
            ..Options::default()
        };
        let Outcome {
            interval, stopped_by, ..
        } = evaluate(&cnf, &options);
        assert!(interval.lo <= value.lo && value.lo <= interval.hi, "{interval:?}");
        assert!(interval.is_exact() || stopped_by == Some(StopReason::Time));
        bounded += usize::from(!interval.is_exact());
    }
    assert!(bounded > 0, "no run was stopped");
    let stopped = Options::default();
    stopped.stop.store(true, std::sync::atomic::Ordering::Relaxed);
    assert_eq!(evaluate(&cnf, &stopped).stopped_by, Some(StopReason::Interrupt));
}

#[test]
fn with_little_memory_the_value_is_the_same() {
    let cnf = hard();
    let value = run(&cnf);
    assert!(value.cache_hits > 0);
    for memory in [0, 300, 1000] {
        let options = Options {
            memory,
            ..Options::default()
        };
        let outcome = evaluate(&cnf, &options);
        assert_eq!(
            (outcome.interval, outcome.stopped_by),
            (value.interval.clone(), None)
        );
        assert!(outcome.cache_entries < value.cache_entries);
    }
}

#[test]
fn ten_thousand_decisions_fit_the_stack() {
    // Every third decision forces nothing, so the open ones pile up.
    let chain = 10_000;
    let mut clauses = Clauses::default();
    let literal = |number: usize| Var::new(number).positive();
    for number in 0..chain - 2 {
        clauses.push(&[literal(number), !literal(number + 1), literal(number + 2)]);
        clauses.push(&[!literal(number), literal(number + 1), !literal(number + 2)]);
    }
    let prefix = vec![Block {
        quantifier: Quantifier::Exists,
        variables: (0..chain).map(Var::new).collect(),
    }];
    let cnf = Cnf {
        variables: chain,
        prefix,
        clauses,
    };
    assert_eq!(run(&cnf).interval.lo, Fraction::whole(1));
}
