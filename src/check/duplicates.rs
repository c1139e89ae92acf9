//! A rule stands only once, also if its variables have other names.

use crate::program::{Atom, Literal, Rule};
use crate::source::Span;
use crate::term::{Symbol, Term};
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// The rules so far, and the clause that each came from.
#[derive(Default)]
pub(super) struct Known(HashMap<(Atom, Vec<Literal>), Span>);

impl Known {
    /// Remembers the rule; if it was known already: the clause that it first came from.
    pub fn insert(&mut self, rule: &Rule) -> Option<Span> {
        match self.0.entry(canonical(rule)) {
            Entry::Occupied(entry) => Some(*entry.get()),
            Entry::Vacant(entry) => {
                entry.insert(rule.span);
                None
            }
        }
    }
}

/// Head and body with the variables numbered in the order of their first occurrence.
fn canonical(rule: &Rule) -> (Atom, Vec<Literal>) {
    let mut numbers = HashMap::new();
    let head = canonical_atom(&rule.head, &mut numbers);
    let body = rule.body.iter().map(|literal| match literal {
        Literal::Positive(atom) => Literal::Positive(canonical_atom(atom, &mut numbers)),
        Literal::Negative(atom) => Literal::Negative(canonical_atom(atom, &mut numbers)),
        Literal::Distinct(a, b) => {
            Literal::Distinct(canonical_term(a, &mut numbers), canonical_term(b, &mut numbers))
        }
    });
    let body = body.collect();
    (head, body)
}

fn canonical_atom(atom: &Atom, numbers: &mut HashMap<Symbol, Symbol>) -> Atom {
    Atom {
        predicate: atom.predicate.clone(),
        args: atom.args.iter().map(|arg| canonical_term(arg, numbers)).collect(),
    }
}

fn canonical_term(term: &Term, numbers: &mut HashMap<Symbol, Symbol>) -> Term {
    match term {
        Term::Variable(name) => {
            let number = numbers.len();
            let numbered = numbers.entry(name.clone());
            Term::Variable(
                numbered
                    .or_insert_with(|| Symbol::new(&number.to_string()))
                    .clone(),
            )
        }
        Term::Function(name, args) => {
            let args = args.iter().map(|arg| canonical_term(arg, numbers)).collect();
            Term::Function(name.clone(), args)
        }
    }
}
