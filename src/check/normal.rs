//! Disjunctive normal form: a body becomes alternatives, each a conjunction of literals.
//!
//! Negation is pushed inward; `not distinct` becomes an equality, which `equality` removes.

use super::walk::predicate;
use crate::program::{Atom, Literal};
use crate::source::Span;
use crate::syntax::{self, Formula};
use crate::term::Term;

/// Most rules that one clause may stand for.
pub(super) const MAX_ALTERNATIVES: usize = 4096;

/// Most literals in all rules of a clause that stands for several.
const MAX_LITERALS: usize = 1 << 20;

/// A literal or an equality, and its place in the text.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub kind: PartKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub(super) enum PartKind {
    Literal(Literal),
    Equal(Term, Term),
}

/// Parts that hold together.
pub(super) type Conjunction = Vec<Part>;

/// The alternatives would exceed [`MAX_ALTERNATIVES`].
#[derive(Debug)]
pub(super) struct TooMany;

/// Whether a formula stands under an even or an odd number of negations.
#[derive(Clone, Copy)]
enum Sign {
    Positive,
    Negative,
}

impl Sign {
    fn flipped(self) -> Sign {
        match self {
            Sign::Positive => Sign::Negative,
            Sign::Negative => Sign::Positive,
        }
    }
}

/// The alternatives of a body, in the order of the text.
pub(super) fn alternatives(body: &[Formula]) -> Result<Vec<Conjunction>, TooMany> {
    all_of(body, Sign::Positive)
}

/// The same atom with its relation resolved.
pub(super) fn atom(atom: &syntax::Atom) -> Atom {
    Atom {
        predicate: predicate(atom),
        args: atom.args.clone(),
    }
}

fn normal(formula: &Formula, sign: Sign) -> Result<Vec<Conjunction>, TooMany> {
    match (formula, sign) {
        (Formula::Not(inner, _), _) => normal(inner, sign.flipped()),
        (Formula::And(parts, _), Sign::Positive) | (Formula::Or(parts, _), Sign::Negative) => {
            all_of(parts, sign)
        }
        (Formula::Or(parts, _), Sign::Positive) | (Formula::And(parts, _), Sign::Negative) => {
            any_of(parts, sign)
        }
        (Formula::Atom(leaf), Sign::Positive) => Ok(literal(Literal::Positive(atom(leaf)), leaf.span)),
        (Formula::Atom(leaf), Sign::Negative) => Ok(literal(Literal::Negative(atom(leaf)), leaf.span)),
        (Formula::Distinct(a, b, span), Sign::Positive) => {
            Ok(literal(Literal::Distinct(a.clone(), b.clone()), *span))
        }
        (Formula::Distinct(a, b, span), Sign::Negative) => {
            Ok(single(PartKind::Equal(a.clone(), b.clone()), *span))
        }
    }
}

fn literal(literal: Literal, span: Span) -> Vec<Conjunction> {
    single(PartKind::Literal(literal), span)
}

fn single(kind: PartKind, span: Span) -> Vec<Conjunction> {
    vec![vec![Part { kind, span }]]
}

fn any_of(parts: &[Formula], sign: Sign) -> Result<Vec<Conjunction>, TooMany> {
    let mut alternatives = Vec::new();
    for part in parts {
        alternatives.extend(normal(part, sign)?);
        if alternatives.len() > MAX_ALTERNATIVES {
            return Err(TooMany);
        }
    }
    Ok(alternatives)
}

fn all_of(parts: &[Formula], sign: Sign) -> Result<Vec<Conjunction>, TooMany> {
    let mut alternatives = vec![Vec::new()];
    for part in parts {
        alternatives = product(alternatives, normal(part, sign)?)?;
    }
    Ok(alternatives)
}

fn product(mut left: Vec<Conjunction>, mut right: Vec<Conjunction>) -> Result<Vec<Conjunction>, TooMany> {
    // The usual case by far, and without it a long body would be copied once for each literal.
    if let ([conjunction], [more]) = (left.as_mut_slice(), right.as_mut_slice()) {
        conjunction.append(more);
        return Ok(left);
    }
    let literals = |side: &[Conjunction]| side.iter().map(Vec::len).sum::<usize>();
    let total = literals(&left) * right.len() + literals(&right) * left.len();
    if left.len() * right.len() > MAX_ALTERNATIVES || total > MAX_LITERALS {
        return Err(TooMany);
    }
    let joined = |a: &Conjunction, b: &Conjunction| a.iter().chain(b).cloned().collect();
    Ok(left
        .iter()
        .flat_map(|a| right.iter().map(move |b| joined(a, b)))
        .collect())
}
