//! Random formulas, and their value by the recursive definition.

use crate::support::random::Random;
use emm::cnf::{Block, Clauses, Cnf, Lit, Quantifier, Var};
use num_bigint::BigUint;
use num_rational::Ratio;
use num_traits::{One, Zero};

/// A fraction.
pub fn ratio(numerator: u32, denominator: u32) -> Ratio<BigUint> {
    Ratio::new(numerator.into(), denominator.into())
}

/// Sizes of random formulas: variables and clauses at most, and literals per clause.
pub struct Shape {
    pub variables: usize,
    pub clauses: usize,
    pub shortest: usize,
    pub longest: usize,
}

/// A formula with at most so many variables and clauses. Kinds of blocks and probabilities are mixed.
pub fn random(random: &mut Random, most: &Shape) -> Cnf {
    let variables = 1 + random.below(most.variables);
    let mut order: Vec<Var> = (0..variables).map(Var::new).collect();
    random.shuffle(&mut order);
    let mut prefix: Vec<Block> = Vec::new();
    for variable in order {
        if prefix.is_empty() || random.below(3) > 0 {
            prefix.push(Block {
                quantifier: quantifier(random),
                variables: Vec::new(),
            });
        }
        if let Some(block) = prefix.last_mut() {
            block.variables.push(variable);
        }
    }
    let mut clauses = Clauses::default();
    for _ in 0..random.below(most.clauses + 1) {
        clauses.push(&clause(random, variables, most));
    }
    Cnf {
        variables,
        prefix,
        clauses,
    }
}

fn quantifier(random: &mut Random) -> Quantifier {
    let probabilities = [
        ratio(0, 1),
        ratio(1, 1),
        ratio(1, 3),
        ratio(1, 2),
        ratio(4, 5),
        ratio(1, 1000),
    ];
    match random.below(6) {
        0..2 => Quantifier::Exists,
        2 => Quantifier::ForAll,
        _ => Quantifier::Chance(probabilities[random.below(probabilities.len())].clone()),
    }
}

/// Literals may repeat or contradict each other, and one clause in a few hundred is empty.
fn clause(random: &mut Random, variables: usize, shape: &Shape) -> Vec<Lit> {
    let length = match random.below(300) {
        0 => 0,
        _ => shape.shortest + random.below(shape.longest - shape.shortest + 1),
    };
    let mut literal = || {
        let literal = Var::new(random.below(variables)).positive();
        if random.below(2) == 0 { literal } else { !literal }
    };
    (0..length).map(|_| literal()).collect()
}

/// The value by definition: nothing is skipped.
pub fn by_definition(cnf: &Cnf) -> Ratio<BigUint> {
    let order: Vec<(Var, &Quantifier)> = cnf
        .prefix
        .iter()
        .flat_map(|block| block.variables.iter().map(|&v| (v, &block.quantifier)))
        .collect();
    value(cnf, &order, &mut vec![false; cnf.variables])
}

fn value(cnf: &Cnf, order: &[(Var, &Quantifier)], assignment: &mut Vec<bool>) -> Ratio<BigUint> {
    let Some(((variable, quantifier), rest)) = order.split_first() else {
        let is_true = |literal: &Lit| assignment[literal.var().index()] != literal.is_negated();
        let holds = cnf.clauses.iter().all(|clause| clause.iter().any(is_true));
        return if holds { Ratio::one() } else { Ratio::zero() };
    };
    let mut with = |truth| {
        assignment[variable.index()] = truth;
        value(cnf, rest, assignment)
    };
    let (yes, no) = (with(true), with(false));
    match quantifier {
        Quantifier::Exists => yes.max(no),
        Quantifier::ForAll => yes.min(no),
        Quantifier::Chance(p) => yes * p + no * (Ratio::one() - p),
    }
}
