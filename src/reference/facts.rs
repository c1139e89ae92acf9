//! [`Facts`]: a set of ground atoms, grouped by relation.

use crate::program::Predicate;
use crate::term::Term;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// The arguments of a ground atom.
pub(super) type Tuple = Vec<Term>;

static NO_TUPLES: BTreeSet<Tuple> = BTreeSet::new();

/// A set of ground atoms.
///
/// The relations are shared between clones: every position starts from a clone of the facts that hold
/// in all states, which may be many.
#[derive(Clone, Default, PartialEq, Eq)]
pub(super) struct Facts {
    /// No relation is empty, so equal sets compare equal.
    relations: HashMap<Predicate, Arc<BTreeSet<Tuple>>>,
    /// How many symbols stand in all tuples together: what the facts cost in memory.
    symbols: usize,
}

impl Facts {
    /// The tuples of a relation, sorted.
    pub(super) fn tuples(&self, predicate: &Predicate) -> &BTreeSet<Tuple> {
        self.relations.get(predicate).map_or(&NO_TUPLES, |tuples| tuples)
    }

    /// The tuples of a relation that begin like `beginning`. In the order of terms, which compares them
    /// from left to right, they stand next to each other, and none of them before `beginning` itself.
    pub(super) fn tuples_from<'a>(
        &'a self,
        predicate: &Predicate,
        beginning: &Tuple,
    ) -> impl Iterator<Item = &'a Tuple> {
        let from = self.tuples(predicate).range(beginning.clone()..);
        from.take_while(move |tuple| begins_like(tuple, beginning))
    }

    /// Whether the atom is in the set.
    pub(super) fn contains(&self, predicate: &Predicate, tuple: &Tuple) -> bool {
        self.tuples(predicate).contains(tuple)
    }

    /// Adds an atom.
    pub(super) fn insert(&mut self, predicate: &Predicate, tuple: Tuple) {
        let symbols: usize = tuple.iter().map(count_symbols).sum();
        let relation = self.relations.entry(predicate.clone()).or_default();
        if Arc::make_mut(relation).insert(tuple) {
            self.symbols += symbols;
        }
    }

    /// Adds all atoms of another set.
    pub(super) fn extend(&mut self, others: &Facts) {
        for (predicate, tuples) in &others.relations {
            tuples
                .iter()
                .for_each(|tuple| self.insert(predicate, tuple.clone()));
        }
    }

    /// Whether there is no atom in the set.
    pub(super) fn is_empty(&self) -> bool {
        self.relations.is_empty()
    }

    /// How many symbols stand in all tuples together.
    pub(super) fn symbols(&self) -> usize {
        self.symbols
    }
}

/// Whether the terms are equal as far as `beginning` goes, whose last term may be cut off inside.
fn begins_like(terms: &[Term], beginning: &[Term]) -> bool {
    let Some((last, whole)) = beginning.split_last() else {
        return true;
    };
    terms.starts_with(whole)
        && match (terms.get(whole.len()), last) {
            (Some(Term::Function(name, args)), Term::Function(last_name, last_args)) => {
                name == last_name && begins_like(args, last_args)
            }
            _ => false,
        }
}

/// How many symbols a term has.
fn count_symbols(term: &Term) -> usize {
    match term {
        Term::Variable(_) => 1,
        Term::Function(_, args) => 1 + args.iter().map(count_symbols).sum::<usize>(),
    }
}
