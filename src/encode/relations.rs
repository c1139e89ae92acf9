//! What the text has to know of a program's relations: which have a time, and which names clash.

use crate::program::{Literal, Predicate, Program};
use crate::term::Term;
use std::collections::{BTreeSet, HashSet};

/// How many arguments a relation has, without time.
pub(super) fn arity(predicate: &Predicate) -> usize {
    match predicate {
        Predicate::Defined(_, arity) => *arity,
        keyword => Predicate::keyword(keyword.name()).map_or(0, |(_, arity)| arity),
    }
}

/// The relations that depend on the time: on the state, on moves, or by what they mean.
pub(super) fn timed(program: &Program) -> HashSet<Predicate> {
    let mut timed = HashSet::from([
        Predicate::True,
        Predicate::Does,
        Predicate::Legal,
        Predicate::Goal,
        Predicate::Terminal,
        Predicate::Next,
    ]);
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for rule in program
            .rules()
            .iter()
            .filter(|rule| rule.head.predicate != Predicate::Init)
        {
            let depends = rule.body.iter().any(|literal| match literal {
                Literal::Positive(atom) | Literal::Negative(atom) => timed.contains(&atom.predicate),
                Literal::Distinct(..) => false,
            });
            changed |= depends && timed.insert(rule.head.predicate.clone());
        }
    }
    timed
}

/// The relations with a time whose name and number of arguments, the time included, another relation
/// without a time has: a game may have both `p(X)` of the state and a fixed `p(X,Y)`.
pub(super) fn renamed(program: &Program, timed: &HashSet<Predicate>) -> HashSet<(String, usize)> {
    let literals = program.rules().iter().flat_map(|rule| &rule.body);
    let bodies = literals.filter_map(|literal| match literal {
        Literal::Positive(atom) | Literal::Negative(atom) => Some(&atom.predicate),
        Literal::Distinct(..) => None,
    });
    let heads = program.rules().iter().map(|rule| &rule.head.predicate);
    let constant: HashSet<(String, usize)> = heads
        .chain(bodies)
        .filter(|predicate| !timed.contains(predicate))
        .map(|predicate| (predicate.name().to_string(), arity(predicate)))
        .collect();
    let own = timed
        .iter()
        .filter(|predicate| matches!(predicate, Predicate::Defined(..)));
    own.map(|predicate| (predicate.name().to_string(), arity(predicate)))
        .filter(|(name, arity)| constant.contains(&(name.clone(), arity + 1)))
        .collect()
}

/// Ways other than `100` to write a goal value of 100, such as `0100`.
pub(super) fn spellings_of_100(program: &Program) -> BTreeSet<String> {
    fn collect(term: &Term, found: &mut BTreeSet<String>) {
        if let Term::Function(name, args) = term {
            let is_100 = name.as_str() != "100" && name.as_str().parse() == Ok(100);
            if args.is_empty() && is_100 {
                found.insert(name.as_str().to_string());
            }
            args.iter().for_each(|arg| collect(arg, found));
        }
    }
    let mut found = BTreeSet::new();
    for rule in program.rules() {
        rule.head.args.iter().for_each(|arg| collect(arg, &mut found));
    }
    found
}
