//! A proof that every play ends, and after how many steps at most.
//!
//! Some fluents, once true, stay true (marks on a board). A step that makes one of them true is a
//! *growing* step; there can only be so many. Between growing steps, some groups (whose turn it is, a
//! round counter) must move along a graph without cycles. With `g` growing steps and `l` steps on the
//! longest path of that graph, a play has at most `g + (g + 1)·l` steps.

use super::groups::Group;
use super::prove::{Found, Prover};
use crate::propnet::{Aig, Lit, Propnet};

/// Why every play ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Termination {
    /// Most steps of a play.
    pub steps: u32,
    /// Most steps that make a lasting fluent true.
    pub growing_steps: u32,
    /// The groups and fluents, by name, that move without return between growing steps.
    pub along: Vec<String>,
}

/// Work of the solver for each attempt, as in [`Prover::allow`].
const WORK: u64 = 150_000_000;

/// Most combinations of the groups' values.
const MAX_VALUES: usize = 600;

/// The literals that the proof needs beyond the network's own: one per fluent that is growing.
pub(super) struct Growth {
    /// Fluent `f` becomes true in this step.
    becomes: Vec<Lit>,
    /// Fluent `f` becomes false in this step.
    vanishes: Vec<Lit>,
}

impl Growth {
    /// Adds the literals to the graph.
    pub(super) fn new(net: &Propnet, aig: &mut Aig) -> Growth {
        let pairs: Vec<_> = net
            .next
            .iter()
            .enumerate()
            .map(|(fluent, &next)| (net.fluent(fluent), next))
            .collect();
        Growth {
            becomes: pairs.iter().map(|&(now, next)| aig.and(!now, next)).collect(),
            vanishes: pairs.iter().map(|&(now, next)| aig.and(now, !next)).collect(),
        }
    }
}

/// Tries to prove that every play ends.
pub(super) fn prove(
    net: &Propnet,
    groups: &[Group],
    growth: &Growth,
    prover: &mut Prover,
) -> Option<Termination> {
    prover.allow(WORK);
    let lasting: Vec<usize> = (0..net.fluents.len())
        .filter(|&fluent| prover.is_impossible_step(&[prover.lit(growth.vanishes[fluent])]))
        .collect();
    let flat: Vec<_> = lasting
        .iter()
        .map(|&fluent| !prover.lit(growth.becomes[fluent]))
        .collect();
    let growing_steps = most_growing_steps(net, groups, &lasting);
    let variables = variables(net, groups);
    // A plain counter comes first: it needs no growth, and its bound is the better one.
    let attempts = [(0, &[][..]), (growing_steps, &flat[..])];
    attempts.into_iter().find_map(|(growing_steps, flat)| {
        prover.allow(WORK);
        let chosen_path = |chosen: Vec<usize>| {
            let longest = Values::new(net, &variables, &chosen, prover).longest_path(prover, flat)?;
            let steps = growing_steps.checked_add((growing_steps + 1).checked_mul(longest)?)?;
            let along = chosen
                .iter()
                .map(|&variable| variables[variable].name.clone())
                .collect();
            Some(Termination {
                steps,
                growing_steps,
                along,
            })
        };
        candidates(&variables).into_iter().find_map(chosen_path)
    })
}

/// The proven groups, and the fluents outside them as groups of their own, if these are few.
fn variables(net: &Propnet, groups: &[Group]) -> Vec<Group> {
    const MAX_SINGLES: usize = 4;
    let mut variables: Vec<Group> = groups.iter().filter(|group| group.proven).cloned().collect();
    let grouped: Vec<usize> = variables.iter().flat_map(|group| group.fluents.clone()).collect();
    let single = |fluent: usize| Group {
        fluents: vec![fluent],
        name: net.fluents[fluent].clone(),
        proven: true,
        exactly_one: false,
    };
    let singles: Vec<_> = (0..net.fluents.len())
        .filter(|fluent| !grouped.contains(fluent))
        .collect();
    if singles.len() <= MAX_SINGLES {
        variables.extend(singles.into_iter().map(single));
    }
    variables
}

/// Lasting fluents exclude each other inside a group, so each group grows at most once.
fn most_growing_steps(net: &Propnet, groups: &[Group], lasting: &[usize]) -> u32 {
    let mut left: Vec<bool> = vec![false; net.fluents.len()];
    lasting
        .iter()
        .filter(|&&fluent| !net.initial[fluent])
        .for_each(|&fluent| left[fluent] = true);
    let mut steps = 0;
    for group in groups.iter().filter(|group| group.proven) {
        steps += u32::from(group.fluents.iter().any(|&fluent| left[fluent]));
        group.fluents.iter().for_each(|&fluent| left[fluent] = false);
    }
    steps + left.iter().filter(|&&fluent| fluent).count() as u32
}

/// Sets of groups worth trying: none, the small ones together, and these with one larger one each.
fn candidates(groups: &[Group]) -> Vec<Vec<usize>> {
    const SMALL: usize = 4;
    let size = |number: usize| values(&groups[number]);
    let is_certain = |number: usize| groups[number].exactly_one || groups[number].fluents.len() == 1;
    let is_small = |&number: &usize| size(number) <= SMALL && is_certain(number);
    let (small, large): (Vec<_>, Vec<_>) = (0..groups.len()).partition(is_small);
    let product = |set: &[usize]| {
        set.iter()
            .map(|&number| size(number))
            .try_fold(1usize, usize::checked_mul)
    };
    let mut sets = vec![Vec::new()];
    sets.extend(small.iter().map(|&number| vec![number]));
    sets.push(small.clone());
    sets.extend(large.iter().map(|&number| vec![number]));
    sets.extend(large.iter().map(|&number| [&small[..], &[number]].concat()));
    sets.retain(|set| product(set).is_some_and(|product| product <= MAX_VALUES));
    sets.dedup();
    sets
}

/// How many values a group has; none of its fluents is one of them, unless that is excluded.
fn values(group: &Group) -> usize {
    group.fluents.len() + usize::from(!group.exactly_one)
}

/// The combinations of values of some groups, now and next, as literals.
struct Values {
    now: Vec<Vec<batsat::Lit>>,
    next: Vec<Vec<batsat::Lit>>,
}

impl Values {
    fn new(net: &Propnet, groups: &[Group], chosen: &[usize], prover: &Prover) -> Values {
        let mut values = Values {
            now: vec![Vec::new()],
            next: vec![Vec::new()],
        };
        for &group in chosen {
            let now = value_literals(&groups[group], |fluent| prover.lit(net.fluent(fluent)));
            let next = value_literals(&groups[group], |fluent| prover.lit(net.next[fluent]));
            values.now = combinations(&values.now, &now);
            values.next = combinations(&values.next, &next);
        }
        values
    }

    /// Most steps without growth, if they never lead back to the same values.
    fn longest_path(&self, prover: &mut Prover, flat: &[batsat::Lit]) -> Option<u32> {
        let mut successors = Vec::new();
        for now in &self.now {
            let found = self.successors(now, prover, flat)?;
            if found.contains(&successors.len()) {
                return None;
            }
            successors.push(found);
        }
        longest_path(&successors)
    }

    /// What can follow; `None` if the solver did not answer.
    fn successors(
        &self,
        now: &[batsat::Lit],
        prover: &mut Prover,
        flat: &[batsat::Lit],
    ) -> Option<Vec<usize>> {
        let others = prover.fresh();
        let assumptions: Vec<_> = [now, flat, &[others]].concat();
        let mut found = Vec::new();
        loop {
            match prover.find_step(&assumptions) {
                Found::Nothing => return Some(found),
                Found::NoAnswer => return None,
                Found::Step => {
                    let value = self
                        .next
                        .iter()
                        .position(|next| next.iter().all(|&lit| prover.held(lit)))?;
                    found.push(value);
                    let blocked: Vec<_> = self.next[value]
                        .iter()
                        .map(|&lit| !lit)
                        .chain([!others])
                        .collect();
                    prover.clause(&blocked);
                }
            }
        }
    }
}

/// Per value of the group, the literals that say so.
fn value_literals(group: &Group, literal: impl Fn(usize) -> batsat::Lit) -> Vec<Vec<batsat::Lit>> {
    let mut values: Vec<_> = group
        .fluents
        .iter()
        .map(|&fluent| vec![literal(fluent)])
        .collect();
    if !group.exactly_one {
        values.push(group.fluents.iter().map(|&fluent| !literal(fluent)).collect());
    }
    values
}

fn combinations(left: &[Vec<batsat::Lit>], right: &[Vec<batsat::Lit>]) -> Vec<Vec<batsat::Lit>> {
    left.iter()
        .flat_map(|a| right.iter().map(move |b| [&a[..], b].concat()))
        .collect()
}

/// Edges of the longest path; `None` if there is a cycle.
pub(super) fn longest_path(successors: &[Vec<usize>]) -> Option<u32> {
    let mut incoming = vec![0usize; successors.len()];
    successors.iter().flatten().for_each(|&node| incoming[node] += 1);
    let mut ready: Vec<_> = (0..successors.len())
        .filter(|&node| incoming[node] == 0)
        .collect();
    let mut longest = vec![0u32; successors.len()];
    let mut done = 0;
    while let Some(node) = ready.pop() {
        done += 1;
        for &next in &successors[node] {
            longest[next] = longest[next].max(longest[node] + 1);
            incoming[next] -= 1;
            if incoming[next] == 0 {
                ready.push(next);
            }
        }
    }
    (done == successors.len()).then(|| longest.iter().copied().max().unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::longest_path;

    #[test]
    fn a_chain_counts_its_steps_and_a_cycle_has_no_longest_path() {
        assert_eq!(longest_path(&[vec![1], vec![2], vec![]]), Some(2));
        assert_eq!(longest_path(&[vec![1, 2], vec![2], vec![]]), Some(2));
        assert_eq!(longest_path(&[vec![1], vec![0]]), None);
    }
}
