//! Groups of fluents of which at most one holds at a time: a cell's content, whose turn it is, a step
//! counter.
//!
//! Two fluents that never meet in random plays are conjectured to exclude each other. An induction over
//! the network assumes all conjectures at once and drops those that some step breaks, until the rest
//! supports itself: proving them together is what makes it work, because a cell is only ever marked
//! where the mark that is about to be placed was not. A group is a set of fluents that differ in one
//! argument and exclude each other pairwise.

use super::prove::{Found, Prover};
use crate::propnet::Propnet;
use std::collections::{BTreeMap, HashSet};

/// Pairs are only tried in games with at most so many fluents.
const MAX_FLUENTS_FOR_ALL_PAIRS: usize = 160;

/// Work of the solver for each attempt, as in [`Prover::allow`].
const WORK: u64 = 150_000_000;

/// Games with more fluents than this are searched for no groups: the table of pairs would be too large.
const MAX_FLUENTS: usize = 8192;

/// Fluents of which at most one holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The fluents, ascending.
    pub fluents: Vec<usize>,
    /// Their common name, with `*` for the argument in which they differ.
    pub name: String,
    /// Proven for all reachable states; otherwise only observed in random plays.
    pub proven: bool,
    /// Proven that exactly one holds in every reachable state.
    pub exactly_one: bool,
}

/// Finds the groups. `samples` are reachable states, as the fluents that hold in them.
pub(crate) fn find(net: &Propnet, samples: &[Vec<usize>], prover: Option<&mut Prover>) -> Vec<Group> {
    if net.fluents.len() > MAX_FLUENTS {
        return Vec::new();
    }
    let meetings = Meetings::new(net.fluents.len(), samples);
    let buckets = buckets(net);
    let mut taken = vec![false; net.fluents.len()];
    let mut groups = Vec::new();
    if let Some(prover) = prover {
        let excluded = prove_exclusions(net, &buckets, &meetings, prover);
        groups = choose(&buckets, &mut taken, |a, b| excluded.contains(&(a, b)));
        groups.iter_mut().for_each(|group| group.proven = true);
        prove_exactly_one(net, &mut groups, prover);
    }
    groups.extend(choose(&buckets, &mut taken, |a, b| !meetings.met(a, b)));
    groups.sort_by_key(|group| group.fluents[0]);
    groups
}

/// Fluents by the pattern that they share, larger buckets first; equal sizes go by name, so that the
/// choice is stable.
fn buckets(net: &Propnet) -> Vec<(String, Vec<usize>)> {
    let mut buckets: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (fluent, name) in net.fluents.iter().enumerate() {
        patterns(name).for_each(|pattern| buckets.entry(pattern).or_default().push(fluent));
    }
    let mut buckets: Vec<_> = buckets
        .into_iter()
        .filter(|(_, fluents)| fluents.len() > 1)
        .collect();
    buckets.sort_by(|a, b| b.1.len().cmp(&a.1.len()).then_with(|| a.0.cmp(&b.0)));
    buckets
}

/// Disjoint groups from the buckets whose members exclude each other.
fn choose(
    buckets: &[(String, Vec<usize>)],
    taken: &mut [bool],
    exclude: impl Fn(usize, usize) -> bool,
) -> Vec<Group> {
    let mut groups = Vec::new();
    for (name, members) in buckets {
        let fluents: Vec<_> = members.iter().copied().filter(|&fluent| !taken[fluent]).collect();
        if fluents.len() > 1 && pairs(&fluents).all(|(a, b)| exclude(a, b)) {
            fluents.iter().for_each(|&fluent| taken[fluent] = true);
            groups.push(Group {
                fluents,
                name: name.clone(),
                proven: false,
                exactly_one: false,
            });
        }
    }
    groups
}

/// All pairs, the smaller first.
fn pairs(fluents: &[usize]) -> impl Iterator<Item = (usize, usize)> + '_ {
    fluents
        .iter()
        .enumerate()
        .flat_map(|(at, &a)| fluents[at + 1..].iter().map(move |&b| (a, b)))
}

/// Which fluents held together in some sample.
struct Meetings {
    fluents: usize,
    met: Vec<bool>,
}

impl Meetings {
    fn new(fluents: usize, samples: &[Vec<usize>]) -> Meetings {
        let mut met = vec![false; fluents * fluents];
        for state in samples {
            pairs(state).for_each(|(a, b)| met[a * fluents + b] = true);
        }
        Meetings { fluents, met }
    }

    fn met(&self, a: usize, b: usize) -> bool {
        self.met[a * self.fluents + b]
    }
}

/// Pairs of fluents that are proven to exclude each other. First whole buckets are tried, which is
/// cheap; if they do not all support themselves, pairs inside the buckets; then all pairs that never
/// met, together.
fn prove_exclusions(
    net: &Propnet,
    buckets: &[(String, Vec<usize>)],
    meetings: &Meetings,
    prover: &mut Prover,
) -> HashSet<(usize, usize)> {
    let apart = |members: &[usize]| pairs(members).all(|(a, b)| !meetings.met(a, b));
    let candidates: Vec<_> = buckets
        .iter()
        .map(|(_, members)| &members[..])
        .filter(|m| apart(m))
        .collect();
    prover.allow(WORK);
    let whole = prove_buckets(net, &candidates, prover);
    let mut proven: HashSet<_> = whole.iter().flat_map(|members| pairs(members)).collect();
    if whole.len() < candidates.len() && meetings.fluents <= MAX_FLUENTS_FOR_ALL_PAIRS {
        prover.allow(WORK);
        proven.extend(prove_pairs(net, inside(&candidates), prover));
        if candidates
            .iter()
            .any(|members| pairs(members).any(|pair| !proven.contains(&pair)))
        {
            prover.allow(WORK);
            let all: Vec<usize> = (0..meetings.fluents).collect();
            let never_met = pairs(&all).filter(|&(a, b)| !meetings.met(a, b)).collect();
            proven.extend(prove_pairs(net, never_met, prover));
        }
    }
    proven
}

/// The buckets that support each other.
fn prove_buckets<'b>(net: &Propnet, candidates: &[&'b [usize]], prover: &mut Prover) -> Vec<&'b [usize]> {
    let mut claims = Vec::new();
    for &members in candidates {
        let now: Vec<_> = members
            .iter()
            .map(|&fluent| prover.lit(net.fluent(fluent)))
            .collect();
        let next: Vec<_> = members
            .iter()
            .map(|&fluent| prover.lit(net.next[fluent]))
            .collect();
        let guard = prover.fresh();
        prover.at_most_one(&now, Some(guard));
        claims.push((members, guard, prover.two_of(&next)));
    }
    let is_broken = |members: &&[usize], prover: &Prover| {
        members
            .iter()
            .filter(|&&fluent| prover.held(prover.lit(net.next[fluent])))
            .count()
            > 1
    };
    keep_supported(claims, is_broken, prover)
}

/// Assumes all claims (what they are about, a guard that makes them hold now, a literal that implies
/// that they are broken next) and drops the ones that some step breaks, until the rest supports
/// itself; these hold from now on.
fn keep_supported<T>(
    mut claims: Vec<(T, batsat::Lit, batsat::Lit)>,
    is_broken: impl Fn(&T, &Prover) -> bool,
    prover: &mut Prover,
) -> Vec<T> {
    let some_broken = prover.fresh();
    let any: Vec<_> = claims
        .iter()
        .map(|&(_, _, broken)| broken)
        .chain([!some_broken])
        .collect();
    prover.clause(&any);
    while !claims.is_empty() {
        let assumptions: Vec<_> = claims
            .iter()
            .map(|&(_, guard, _)| guard)
            .chain([some_broken])
            .collect();
        match prover.find_step(&assumptions) {
            Found::Nothing => break,
            Found::NoAnswer => claims.clear(),
            Found::Step => {
                let (dropped, kept): (Vec<_>, Vec<_>) = claims
                    .into_iter()
                    .partition(|(claim, _, _)| is_broken(claim, prover));
                claims = kept;
                dropped
                    .iter()
                    .for_each(|&(_, _, broken)| prover.clause(&[!broken]));
            }
        }
    }
    claims.iter().for_each(|&(_, guard, _)| prover.clause(&[guard]));
    claims.into_iter().map(|(claim, _, _)| claim).collect()
}

/// The pairs inside the candidates.
fn inside(candidates: &[&[usize]]) -> Vec<(usize, usize)> {
    let mut found: Vec<_> = candidates.iter().flat_map(|members| pairs(members)).collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// The conjectures that support each other.
fn prove_pairs(net: &Propnet, conjectures: Vec<(usize, usize)>, prover: &mut Prover) -> Vec<(usize, usize)> {
    let mut claims = Vec::new();
    for pair @ (a, b) in conjectures {
        let (guard, broken) = (prover.fresh(), prover.fresh());
        prover.clause(&[!guard, !prover.lit(net.fluent(a)), !prover.lit(net.fluent(b))]);
        prover.clause(&[!broken, prover.lit(net.next[a])]);
        prover.clause(&[!broken, prover.lit(net.next[b])]);
        claims.push((pair, guard, broken));
    }
    let holds = |fluent: usize, prover: &Prover| prover.held(prover.lit(net.next[fluent]));
    keep_supported(
        claims,
        |&(a, b), prover| holds(a, prover) && holds(b, prover),
        prover,
    )
}

/// The name with each word but the first replaced by `*` in turn, and with all of them replaced.
fn patterns(name: &str) -> impl Iterator<Item = String> + '_ {
    let words = words(name);
    let arguments = words.get(1..).unwrap_or_default().to_vec();
    let all = arguments
        .iter()
        .rev()
        .fold(name.to_string(), |mut text, &(begin, end)| {
            text.replace_range(begin..end, "*");
            text
        });
    let one = arguments
        .into_iter()
        .map(move |(begin, end)| format!("{}*{}", &name[..begin], &name[end..]));
    one.chain((words.len() > 2).then_some(all))
}

/// Where the words of a name begin and end.
fn words(name: &str) -> Vec<(usize, usize)> {
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
}

fn prove_exactly_one(net: &Propnet, groups: &mut [Group], prover: &mut Prover) {
    prover.allow(WORK);
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
