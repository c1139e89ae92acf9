//! The model of a component, given the facts of all relations below it.
//!
//! *Least model* (no negation inside the component): apply all rules until nothing new follows. What
//! is negated lies below and is known, so this is the perfect model of stratified negation
//! (Apt, Blair, Walker 1988).
//!
//! *Well-founded model* (negation inside the component, such as `goal` over `not goal`, which is
//! harmless as long as no ground atom depends on its own negation): Van Gelder's alternating fixpoint
//! (1993). Let Γ(N) be the least model if "not a" means that a is not in N. Γ turns more into less, so
//! from N = what surely holds it gives all that may hold, and from what may hold all that surely does.
//! Starting with nothing sure, both are improved in turn until they stay. An atom that may hold but
//! does not surely hold is undefined, and the game means nothing there.

use super::components::{Component, Recursion};
use super::error::ReferenceError;
use super::facts::Facts;
use super::matching::{Known, OrderedRule};
use crate::program::Atom;

/// `below` with the model of `component` added.
pub(super) fn with_component(component: &Component, below: &Facts) -> Result<Facts, ReferenceError> {
    match component.recursion {
        Recursion::Positive => least_model(component, below, below),
        Recursion::ThroughNegation => well_founded_model(component, below),
    }
}

/// Γ(`negated`): the least set of facts that contains `below` and is closed under the rules.
///
/// The first round applies all rules to what is below. Whatever follows in a later round and did not
/// before uses a fact that the round before added, so those rounds look only for that.
fn least_model(component: &Component, below: &Facts, negated: &Facts) -> Result<Facts, ReferenceError> {
    let mut facts = below.clone();
    let mut new = apply(
        &component.rules,
        Known {
            facts: &facts,
            new: &Facts::default(),
            negated,
        },
    )?;
    while !new.is_empty() {
        facts.extend(&new);
        new = apply(
            &component.rules_for_new_facts,
            Known {
                facts: &facts,
                new: &new,
                negated,
            },
        )?;
    }
    Ok(facts)
}

/// What follows by the rules and is not known yet.
fn apply(rules: &[OrderedRule], known: Known) -> Result<Facts, ReferenceError> {
    let mut derived = Facts::default();
    for rule in rules {
        for tuple in rule.derive(known)? {
            derived.insert(&rule.head.predicate, tuple);
        }
    }
    Ok(derived)
}

/// The well-founded model, if it leaves no atom undefined.
fn well_founded_model(component: &Component, below: &Facts) -> Result<Facts, ReferenceError> {
    let mut sure = below.clone();
    loop {
        let possible = least_model(component, below, &sure)?;
        let surer = least_model(component, below, &possible)?;
        if surer == sure {
            return match undefined_atom(component, &sure, &possible) {
                Some(error) => Err(error),
                None => Ok(sure),
            };
        }
        sure = surer;
    }
}

/// The first atom that is possible but not sure.
fn undefined_atom(component: &Component, sure: &Facts, possible: &Facts) -> Option<ReferenceError> {
    component.rules.iter().find_map(|rule| {
        let predicate = &rule.head.predicate;
        let args = possible
            .tuples(predicate)
            .difference(sure.tuples(predicate))
            .next()?
            .clone();
        let atom = Atom {
            predicate: predicate.clone(),
            args,
        };
        Some(ReferenceError::Unstratified {
            atom: atom.to_string(),
            rule: rule.text.clone(),
        })
    })
}
