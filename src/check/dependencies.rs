//! What a relation may depend on, directly or through other relations.
//!
//! `legal`, `goal` and `terminal` are judged before the moves are chosen; `init`, `base` and `input`
//! even before there is a position.

use super::codes;
use super::walk::{body_atoms, predicate};
use crate::diagnostic::Diagnostic;
use crate::program::Predicate;
use crate::source::Span;
use crate::syntax::Clause;
use std::collections::{HashMap, HashSet, VecDeque};

/// Each relation with the relations that its bodies name.
type Graph = HashMap<Predicate, Vec<Predicate>>;

/// Reports, clause by clause, forbidden dependencies with the chain that leads there.
pub(super) fn check(clauses: &[&Clause], diagnostics: &mut Vec<Diagnostic>) {
    let graph = graph(clauses);
    for (target, code, hint) in [
        (
            Predicate::Does,
            codes::DEPENDS_ON_DOES,
            "it is judged before the moves are chosen",
        ),
        (
            Predicate::True,
            codes::DEPENDS_ON_TRUE,
            "it is judged before there is a position",
        ),
    ] {
        let steps = steps_towards(&target, &graph);
        for clause in clauses
            .iter()
            .filter(|clause| forbids(&predicate(&clause.head), &target))
        {
            if let Some((chain, span)) = chain(clause, &target, &steps) {
                let message = format!(
                    "`{}` must not depend on `{}`: {chain}",
                    clause.head.predicate,
                    target.name()
                );
                diagnostics.push(
                    Diagnostic::error(code, span, message)
                        .in_rule(clause.span)
                        .hint(hint),
                );
            }
        }
    }
}

fn forbids(head: &Predicate, target: &Predicate) -> bool {
    use Predicate::{Base, Does, Goal, Init, Input, Legal, Terminal};
    match head {
        Legal | Goal | Terminal => *target == Does,
        Init | Base | Input => true,
        _ => false,
    }
}

fn graph(clauses: &[&Clause]) -> Graph {
    let mut graph = Graph::new();
    for clause in clauses {
        let callees = graph.entry(predicate(&clause.head)).or_default();
        callees.extend(body_atoms(clause).into_iter().map(predicate));
    }
    graph
}

/// For each relation that depends on `target`: the next relation on a shortest way there. The target
/// itself points to itself.
fn steps_towards(target: &Predicate, graph: &Graph) -> HashMap<Predicate, Predicate> {
    let mut callers: HashMap<&Predicate, Vec<&Predicate>> = HashMap::new();
    let mut heads: Vec<&Predicate> = graph.keys().collect();
    heads.sort();
    for head in heads {
        let mut seen = HashSet::new();
        for callee in graph[head].iter().filter(|callee| seen.insert(*callee)) {
            callers.entry(callee).or_default().push(head);
        }
    }
    let mut steps = HashMap::from([(target.clone(), target.clone())]);
    let mut queue = VecDeque::from([target]);
    while let Some(callee) = queue.pop_front() {
        for &caller in callers.get(callee).into_iter().flatten() {
            if !steps.contains_key(caller) {
                steps.insert(caller.clone(), callee.clone());
                queue.push_back(caller);
            }
        }
    }
    steps
}

/// The chain from the head to `target` through the first literal that leads there, and its place.
fn chain(
    clause: &Clause,
    target: &Predicate,
    steps: &HashMap<Predicate, Predicate>,
) -> Option<(String, Span)> {
    let first = body_atoms(clause)
        .into_iter()
        .find(|atom| steps.contains_key(&predicate(atom)))?;
    let mut chain = format!("{} -> {}", clause.head.predicate, first.predicate);
    let mut at = predicate(first);
    while at != *target {
        at = steps.get(&at)?.clone();
        chain.push_str(" -> ");
        chain.push_str(at.name());
    }
    Some((chain, first.span))
}
