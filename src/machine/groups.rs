//! Groups of fluents of which at most one holds at a time: a cell's content, whose turn it is, a step
//! counter.
//!
//! Candidates are fluents that differ in one argument only and never met in random plays. Those that
//! survive an induction over the network are *proven*; the others are *observed*, and whoever relies on
//! them checks every state.

use super::prove::Prover;
use crate::propnet::Propnet;
use std::collections::BTreeMap;

/// Fluents of which at most one holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The fluents, ascending.
    pub fluents: Vec<usize>,
    /// Their common name, with `*` for the argument in which they differ.
    pub name: String,
    /// Proven for all reachable states; otherwise only observed.
    pub proven: bool,
    /// Proven that exactly one holds in every reachable state.
    pub exactly_one: bool,
}

/// Finds the groups. `samples` are reachable states, as the fluents that hold in them.
pub(crate) fn find(net: &Propnet, samples: &[Vec<usize>], prover: Option<&mut Prover>) -> Vec<Group> {
    let mut groups = candidates(net, samples);
    if let Some(prover) = prover {
        prove_exclusive(net, &mut groups, prover);
        prove_exactly_one(net, &mut groups, prover);
    }
    groups
}

fn candidates(net: &Propnet, samples: &[Vec<usize>]) -> Vec<Group> {
    let mut buckets: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (fluent, name) in net.fluents.iter().enumerate() {
        patterns(name).for_each(|pattern| buckets.entry(pattern).or_default().push(fluent));
    }
    let mut buckets: Vec<_> = buckets
        .into_iter()
        .filter(|(_, fluents)| fluents.len() > 1)
        .collect();
    buckets.retain(|(_, fluents)| never_meet(net.fluents.len(), fluents, samples));
    // Larger groups save more bits; equal ones go by name, so that the choice is stable.
    buckets.sort_by(|a, b| b.1.len().cmp(&a.1.len()).then_with(|| a.0.cmp(&b.0)));
    let mut taken = vec![false; net.fluents.len()];
    let mut groups = Vec::new();
    for (name, mut fluents) in buckets {
        fluents.retain(|&fluent| !taken[fluent]);
        if fluents.len() > 1 {
            fluents.iter().for_each(|&fluent| taken[fluent] = true);
            groups.push(Group {
                fluents,
                name,
                proven: false,
                exactly_one: false,
            });
        }
    }
    groups.sort_by_key(|group| group.fluents[0]);
    groups
}

/// The name with each word but the first replaced by `*` in turn.
fn patterns(name: &str) -> impl Iterator<Item = String> + '_ {
    let mut words = Vec::new();
    let mut start = None;
    for (at, c) in name.char_indices().chain([(name.len(), ' ')]) {
        match (c == ' ' || c == '(' || c == ')', start) {
            (true, Some(begin)) => {
                words.push((begin, at));
                start = None;
            }
            (false, None) => start = Some(at),
            _ => {}
        }
    }
    words
        .into_iter()
        .skip(1)
        .map(move |(begin, end)| format!("{}*{}", &name[..begin], &name[end..]))
}

fn never_meet(fluents: usize, group: &[usize], samples: &[Vec<usize>]) -> bool {
    let mut inside = vec![false; fluents];
    group.iter().for_each(|&fluent| inside[fluent] = true);
    samples
        .iter()
        .all(|state| state.iter().filter(|&&fluent| inside[fluent]).count() <= 1)
}

/// Assumes all candidates and drops those that a step can break, until the rest supports itself.
fn prove_exclusive(net: &Propnet, groups: &mut [Group], prover: &mut Prover) {
    let mut claims = Vec::new();
    for (number, group) in groups.iter().enumerate() {
        let now: Vec<_> = group
            .fluents
            .iter()
            .map(|&fluent| prover.lit(net.fluent(fluent)))
            .collect();
        let next: Vec<_> = group
            .fluents
            .iter()
            .map(|&fluent| prover.lit(net.next[fluent]))
            .collect();
        let guard = prover.fresh();
        prover.at_most_one(&now, Some(guard));
        claims.push((number, guard, prover.two_of(&next)));
    }
    loop {
        let guards: Vec<_> = claims.iter().map(|&(_, guard, _)| guard).collect();
        let survives =
            |&(_, _, broken): &(usize, _, _)| prover.is_impossible_step(&[&guards[..], &[broken]].concat());
        let before = claims.len();
        claims = claims.into_iter().filter(survives).collect();
        if claims.len() == before {
            break;
        }
    }
    for (number, guard, _) in claims {
        groups[number].proven = true;
        prover.clause(&[guard]);
    }
}

fn prove_exactly_one(net: &Propnet, groups: &mut [Group], prover: &mut Prover) {
    let starts_with_one = |group: &Group| group.fluents.iter().filter(|&&f| net.initial[f]).count() == 1;
    let mut claims = Vec::new();
    for (number, group) in groups
        .iter()
        .enumerate()
        .filter(|(_, group)| group.proven && starts_with_one(group))
    {
        let guard = prover.fresh();
        let now = group.fluents.iter().map(|&fluent| prover.lit(net.fluent(fluent)));
        let clause: Vec<_> = [!guard].into_iter().chain(now).collect();
        prover.clause(&clause);
        let none_next: Vec<_> = group
            .fluents
            .iter()
            .map(|&fluent| !prover.lit(net.next[fluent]))
            .collect();
        claims.push((number, guard, none_next));
    }
    loop {
        let guards: Vec<_> = claims.iter().map(|(_, guard, _)| *guard).collect();
        let before = claims.len();
        claims.retain(|(_, _, none_next)| prover.is_impossible_step(&[&guards[..], none_next].concat()));
        if claims.len() == before {
            break;
        }
    }
    for (number, guard, _) in claims {
        groups[number].exactly_one = true;
        prover.clause(&[guard]);
    }
}
