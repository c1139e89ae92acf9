//! Conjunctions that cannot hold, and literals that always do.

use super::equality::{Substitution, TooLarge, solve};
use super::normal::{Conjunction, Part, PartKind};
use crate::program::{Atom, Literal};
use crate::source::Span;
use crate::term::Term;
use std::collections::HashSet;

/// A head with a conjunction of literals.
#[derive(Debug)]
pub(super) struct Draft {
    pub head: Atom,
    pub body: Vec<Placed>,
}

/// A literal and its place in the text.
#[derive(Debug)]
pub(super) struct Placed {
    pub literal: Literal,
    pub span: Span,
}

/// Why a conjunction never holds.
#[derive(Debug)]
pub(super) struct Contradiction {
    pub span: Span,
    pub message: String,
    pub origin: Origin,
}

/// Whose fault a contradiction is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// A single literal: it can never be of use.
    Literal,
    /// Several literals together, which the expansion of `or` may have brought together.
    Combination,
}

/// Removes equalities and literals that always hold; says why if the conjunction never does.
pub(super) fn simplify(head: &Atom, parts: Conjunction) -> Result<Result<Draft, Contradiction>, TooLarge> {
    if let Some(contradiction) = parts.iter().find_map(hopeless) {
        return Ok(Err(contradiction));
    }
    let equations = parts.iter().filter_map(equation).collect();
    let Some(substitution) = solve(equations)? else {
        return Ok(Err(unsolvable(&parts)));
    };
    let draft = substitute(head, parts, &substitution)?;
    Ok(match contradiction(&draft) {
        Some(contradiction) => Err(contradiction),
        None => Ok(without_valid(draft)),
    })
}

fn equation(part: &Part) -> Option<(Term, Term)> {
    match &part.kind {
        PartKind::Equal(a, b) => Some((a.clone(), b.clone())),
        PartKind::Literal(_) => None,
    }
}

/// A literal that is false as it is written.
fn hopeless(part: &Part) -> Option<Contradiction> {
    let message = match &part.kind {
        PartKind::Literal(Literal::Distinct(a, b)) if a == b => format!("`(distinct {a} {b})` never holds"),
        PartKind::Equal(a, b) if a.is_ground() && b.is_ground() && a != b => {
            format!("`(not (distinct {a} {b}))` never holds")
        }
        _ => return None,
    };
    Some(Contradiction {
        span: part.span,
        message,
        origin: Origin::Literal,
    })
}

fn unsolvable(parts: &[Part]) -> Contradiction {
    let mut equalities = parts
        .iter()
        .filter(|part| matches!(part.kind, PartKind::Equal(..)));
    let first = equalities.next().map_or_else(Span::default, |part| part.span);
    Contradiction {
        span: equalities.map(|part| part.span).fold(first, Span::to),
        message: "the terms of `not distinct` can never be equal".to_string(),
        origin: Origin::Combination,
    }
}

fn substitute(head: &Atom, parts: Conjunction, substitution: &Substitution) -> Result<Draft, TooLarge> {
    let mut body = Vec::with_capacity(parts.len());
    for part in parts {
        if let PartKind::Literal(literal) = part.kind {
            let literal = match literal {
                Literal::Positive(atom) => Literal::Positive(substitute_atom(&atom, substitution)?),
                Literal::Negative(atom) => Literal::Negative(substitute_atom(&atom, substitution)?),
                Literal::Distinct(a, b) => {
                    Literal::Distinct(substitution.apply(&a)?, substitution.apply(&b)?)
                }
            };
            body.push(Placed {
                literal,
                span: part.span,
            });
        }
    }
    let head = substitute_atom(head, substitution)?;
    Ok(Draft { head, body })
}

fn substitute_atom(atom: &Atom, substitution: &Substitution) -> Result<Atom, TooLarge> {
    let args: Result<Vec<_>, _> = atom.args.iter().map(|arg| substitution.apply(arg)).collect();
    Ok(Atom {
        predicate: atom.predicate.clone(),
        args: args?,
    })
}

fn contradiction(draft: &Draft) -> Option<Contradiction> {
    let positive: HashSet<&Atom> = draft
        .body
        .iter()
        .filter_map(|part| positive(&part.literal))
        .collect();
    draft.body.iter().find_map(|part| {
        let message = match &part.literal {
            Literal::Distinct(a, b) if a == b => format!("`{a}` would have to be distinct from itself"),
            Literal::Negative(atom) if positive.contains(atom) => {
                format!("`{atom}` would have to hold and not to hold")
            }
            _ => return None,
        };
        Some(Contradiction {
            span: part.span,
            message,
            origin: Origin::Combination,
        })
    })
}

/// The atom of a positive literal.
pub(super) fn positive(literal: &Literal) -> Option<&Atom> {
    match literal {
        Literal::Positive(atom) => Some(atom),
        Literal::Negative(_) | Literal::Distinct(..) => None,
    }
}

fn without_valid(mut draft: Draft) -> Draft {
    draft.body.retain(|part| match &part.literal {
        Literal::Distinct(a, b) => !(a.is_ground() && b.is_ground()),
        Literal::Positive(_) | Literal::Negative(_) => true,
    });
    draft
}
