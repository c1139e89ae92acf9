//! Variables and their values: matching a pattern with a ground term, and putting values in.

use super::facts::Tuple;
use crate::term::{Symbol, Term};

/// Values of the variables bound so far; each variable stands there once.
pub(super) type Bindings<'a> = Vec<(&'a Symbol, &'a Term)>;

/// Whether the patterns become these terms under `bindings`, to which the values of new variables are
/// added. After a failure, some of them are left there.
pub(super) fn match_all<'a>(patterns: &'a [Term], terms: &'a [Term], bindings: &mut Bindings<'a>) -> bool {
    patterns.len() == terms.len()
        && patterns
            .iter()
            .zip(terms)
            .all(|(pattern, term)| match_term(pattern, term, bindings))
}

/// [`match_all`] for one term.
fn match_term<'a>(pattern: &'a Term, term: &'a Term, bindings: &mut Bindings<'a>) -> bool {
    match (pattern, term) {
        (Term::Variable(variable), _) => match value(variable, bindings) {
            Some(bound) => bound == term,
            None => {
                bindings.push((variable, term));
                true
            }
        },
        (Term::Function(name, patterns), Term::Function(other, terms)) => {
            name == other && match_all(patterns, terms, bindings)
        }
        (Term::Function(..), Term::Variable(_)) => false,
    }
}

/// The value of a variable, if it is bound.
fn value<'a>(variable: &Symbol, bindings: &Bindings<'a>) -> Option<&'a Term> {
    bindings
        .iter()
        .find(|(bound, _)| *bound == variable)
        .map(|(_, term)| *term)
}

/// The value of a variable that the order of the body has bound.
fn bound_value<'a>(variable: &Symbol, bindings: &Bindings<'a>) -> &'a Term {
    value(variable, bindings).unwrap_or_else(|| unreachable!("guarantee 3 of Program: ?{variable} is bound"))
}

/// The terms with every variable replaced by its value.
pub(super) fn instantiate_all(patterns: &[Term], bindings: &Bindings) -> Tuple {
    patterns
        .iter()
        .map(|pattern| instantiate(pattern, bindings))
        .collect()
}

/// The term with every variable replaced by its value.
pub(super) fn instantiate(pattern: &Term, bindings: &Bindings) -> Term {
    match pattern {
        Term::Variable(variable) => bound_value(variable, bindings).clone(),
        Term::Function(name, args) => Term::Function(name.clone(), instantiate_all(args, bindings)),
    }
}

/// The terms with every variable replaced by its value, up to where the first variable without a value
/// stands; what comes after it is cut off, also inside the term in which it stands.
pub(super) fn known_beginning(patterns: &[Term], bindings: &Bindings) -> Tuple {
    let mut beginning = Vec::new();
    for pattern in patterns {
        let known = match pattern {
            Term::Variable(variable) => match value(variable, bindings) {
                Some(term) => term.clone(),
                None => break,
            },
            Term::Function(name, args) => Term::Function(name.clone(), known_beginning(args, bindings)),
        };
        beginning.push(known);
        if !is_known(pattern, bindings) {
            break;
        }
    }
    beginning
}

/// Whether all variables of a term have values.
fn is_known(pattern: &Term, bindings: &Bindings) -> bool {
    match pattern {
        Term::Variable(variable) => value(variable, bindings).is_some(),
        Term::Function(_, args) => args.iter().all(|arg| is_known(arg, bindings)),
    }
}

/// How large an instantiated term is.
pub(super) struct Size {
    /// Levels of nesting; 1 for a constant.
    pub(super) depth: usize,
    /// Occurrences of symbols.
    pub(super) symbols: usize,
}

impl Size {
    pub(super) fn of(pattern: &Term, bindings: &Bindings) -> Size {
        match pattern {
            Term::Variable(variable) => Size::of(bound_value(variable, bindings), &Vec::new()),
            Term::Function(_, args) => {
                let parts = args.iter().map(|arg| Size::of(arg, bindings));
                parts.fold(Size { depth: 1, symbols: 1 }, |whole, part| Size {
                    depth: whole.depth.max(part.depth + 1),
                    symbols: whole.symbols + part.symbols,
                })
            }
        }
    }
}
