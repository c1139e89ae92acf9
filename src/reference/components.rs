//! The relations of a program in the order in which they can be evaluated.
//!
//! A relation *depends on* the relations of its rules' bodies, directly or through others. Relations
//! that depend on each other form a [`Component`]; a component is evaluated after all others that it
//! depends on, so that whatever it takes from outside is known, negated or not.

use super::matching::OrderedRule;
use crate::program::{Literal, Predicate, Program, Rule};
use std::collections::{BTreeMap, BTreeSet};

/// Relations that depend on each other, or a single one that depends on no such.
#[derive(Clone, Debug)]
pub(super) struct Component {
    pub(super) predicates: BTreeSet<Predicate>,
    /// The rules for these relations.
    pub(super) rules: Vec<OrderedRule>,
    /// The same rules, restricted to what follows from new facts of these relations.
    pub(super) rules_for_new_facts: Vec<OrderedRule>,
    pub(super) recursion: Recursion,
}

/// How the bodies of a component's rules refer to the component's own relations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Recursion {
    /// Without negation, or not at all.
    Positive,
    /// Also negated.
    ThroughNegation,
}

/// For each relation that has rules, itself and all that it depends on.
pub(super) struct Dependencies(BTreeMap<Predicate, BTreeSet<Predicate>>);

impl Dependencies {
    pub(super) fn of(program: &Program) -> Dependencies {
        let mut direct: BTreeMap<&Predicate, BTreeSet<&Predicate>> = BTreeMap::new();
        for rule in program.rules() {
            let uses = direct.entry(&rule.head.predicate).or_default();
            uses.extend(rule.body.iter().filter_map(literal_predicate));
        }
        let all = direct
            .keys()
            .map(|&start| (start.clone(), reachable(start, &direct)));
        Dependencies(all.collect())
    }

    /// Whether `user` is or depends on `used`.
    pub(super) fn depends(&self, user: &Predicate, used: &Predicate) -> bool {
        user == used || self.0.get(user).is_some_and(|all| all.contains(used))
    }

    /// The components of a program; each stands after those it depends on.
    pub(super) fn components(&self, program: &Program) -> Vec<Component> {
        // If p depends on q but not q on p, then p depends on more relations than q: on all that q
        // depends on, and on p itself.
        let mut by_count: Vec<_> = self.0.iter().collect();
        by_count.sort_by_key(|(_, used)| used.len());
        let mut components: Vec<Component> = Vec::new();
        for (predicate, used) in by_count {
            if components
                .iter()
                .any(|component| component.predicates.contains(predicate))
            {
                continue;
            }
            let mutual = used.iter().filter(|other| self.depends(other, predicate));
            components.push(component(mutual.cloned().collect(), program));
        }
        components
    }
}

/// The component of these relations.
fn component(predicates: BTreeSet<Predicate>, program: &Program) -> Component {
    let is_own = |predicate: &Predicate| predicates.contains(predicate);
    let rules: Vec<&Rule> = program
        .rules()
        .iter()
        .filter(|rule| is_own(&rule.head.predicate))
        .collect();
    let mut literals = rules.iter().flat_map(|rule| &rule.body);
    let recursion = match literals.any(|l| matches!(l, Literal::Negative(atom) if is_own(&atom.predicate))) {
        true => Recursion::ThroughNegation,
        false => Recursion::Positive,
    };
    let ordered = rules.iter().map(|rule| OrderedRule::new(program, rule)).collect();
    let for_new = rules
        .iter()
        .flat_map(|rule| OrderedRule::for_new_facts(program, rule, &predicates))
        .collect();
    Component {
        rules: ordered,
        rules_for_new_facts: for_new,
        recursion,
        predicates,
    }
}

/// `start` and everything that it depends on.
fn reachable(start: &Predicate, direct: &BTreeMap<&Predicate, BTreeSet<&Predicate>>) -> BTreeSet<Predicate> {
    let mut found = BTreeSet::new();
    let mut waiting = vec![start];
    while let Some(predicate) = waiting.pop() {
        if found.insert(predicate.clone()) {
            waiting.extend(direct.get(predicate).into_iter().flatten());
        }
    }
    found
}

/// The relation that a literal refers to.
fn literal_predicate(literal: &Literal) -> Option<&Predicate> {
    match literal {
        Literal::Positive(atom) | Literal::Negative(atom) => Some(&atom.predicate),
        Literal::Distinct(..) => None,
    }
}
