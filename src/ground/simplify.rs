//! What every ground atom is before any state is known, and the rules that remain.
//!
//! The atoms are looked at component by component of their dependencies, lowest first. In each
//! component, an atom is *false* if no rule can ever support it from outside the component, and *true*
//! if a rule for it has nothing left to decide. What remains is *open*. A negation inside a component
//! makes the program unstratified; this is judged here, on ground atoms, because real games have rules
//! such as `goal` over `not goal` that are harmless once grounded.

use super::atoms::{AtomId, AtomTable, Support};
use super::compile::Keywords;
use super::components::Graph;
use super::inputs::Inputs;
use super::rules::{RuleRef, RuleSet};
use std::collections::{HashMap, VecDeque};

/// What is known about an atom in all states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    False,
    Open,
    True,
}

/// Atoms that depend on each other through negation: `cycle[0]` depends on `cycle[1]`, …, the last on
/// the first; `rule` is one of the rules with such a negation.
pub(crate) struct Unstratified {
    pub(crate) cycle: Vec<AtomId>,
    pub(crate) rule: usize,
}

/// The simplified program.
pub(crate) struct Simplified {
    /// Indexed by atom.
    pub(crate) status: Vec<Status>,
    /// Open rules, except those that need their own head, and one rule without a body for every true atom that had a rule.
    pub(crate) rules: RuleSet,
    /// Components of open or true atoms, lowest first.
    pub(crate) components: Vec<Vec<AtomId>>,
}

/// Decides what can be decided without a state.
pub(crate) fn simplify(
    atoms: &AtomTable,
    rules: &RuleSet,
    keywords: Keywords,
) -> Result<Simplified, Unstratified> {
    let mut inputs = Inputs::new(atoms, keywords);
    let mut simplified = pass(atoms, rules, &inputs)?;
    let mut is_thinner = simplified.has_dead_rule;
    // An input whose `next` or `legal` turned out false is false itself, and may falsify more.
    while inputs.retract(&simplified.result.status)
        || simplified.is_provisional
        || std::mem::take(&mut is_thinner) && inputs.retract_unreachable(&simplified.result)
    {
        simplified = pass(atoms, &simplified.result.rules, &inputs)?;
        is_thinner |= simplified.has_dead_rule;
    }
    Ok(simplified.result)
}

struct Pass {
    result: Simplified,
    /// A component held together by dead rules or decided atoms was looked at as a whole: without them
    /// it falls into smaller ones, about which more is known. (Which rules of that kind there are depends
    /// on the order of the text; the components that remain must not.)
    is_provisional: bool,
    /// A rule was dropped that evaluation had thought possible: what it alone led to is unreachable.
    has_dead_rule: bool,
}

fn pass(atoms: &AtomTable, rules: &RuleSet, inputs: &Inputs) -> Result<Pass, Unstratified> {
    let mut simplifier = Simplifier::new(atoms, rules, inputs);
    let components = simplifier.run()?;
    let rules = simplifier.remaining_rules();
    let is_provisional = simplifier.is_provisional;
    let has_dead_rule = simplifier.has_dead_rule();
    Ok(Pass {
        result: Simplified {
            status: simplifier.status,
            rules,
            components,
        },
        is_provisional,
        has_dead_rule,
    })
}

struct Simplifier<'a> {
    rules: &'a RuleSet,
    /// Rules by head: `rule_ids[bounds[a]..bounds[a + 1]]`.
    bounds: Vec<u32>,
    rule_ids: Vec<u32>,
    /// Atoms whose status does not come from ground rules: inputs, and facts of exact relations.
    given: Vec<bool>,
    status: Vec<Status>,
    /// Component number per atom, for telling whether a dependency stays inside.
    component_of: Vec<u32>,
    is_provisional: bool,
}

impl<'a> Simplifier<'a> {
    fn new(atoms: &AtomTable, rules: &'a RuleSet, inputs: &Inputs) -> Simplifier<'a> {
        let mut bounds = vec![0u32; atoms.len() + 1];
        rules.iter().for_each(|rule| bounds[rule.head.index() + 1] += 1);
        for atom in 0..atoms.len() {
            bounds[atom + 1] += bounds[atom];
        }
        let mut cursor = bounds.clone();
        let mut rule_ids = vec![0; rules.len()];
        for (id, rule) in rules.iter().enumerate() {
            let slot = &mut cursor[rule.head.index()];
            rule_ids[*slot as usize] = id as u32;
            *slot += 1;
        }
        let mut status = vec![Status::False; atoms.len()];
        let mut given = vec![false; atoms.len()];
        for (input, _) in &inputs.givers {
            given[input.index()] = true;
            status[input.index()] = if inputs.is_live[input.index()] {
                Status::Open
            } else {
                Status::False
            };
        }
        for atom in atoms
            .ids()
            .filter(|&atom| atoms.support(atom) == Support::Certain)
        {
            given[atom.index()] = true;
            status[atom.index()] = Status::True;
        }
        Simplifier {
            rules,
            bounds,
            rule_ids,
            given,
            status,
            component_of: vec![0; atoms.len()],
            is_provisional: false,
        }
    }

    fn rules_of(&self, atom: AtomId) -> impl Iterator<Item = (usize, RuleRef<'a>)> + use<'a, '_> {
        let range = self.bounds[atom.index()] as usize..self.bounds[atom.index() + 1] as usize;
        self.rule_ids[range]
            .iter()
            .map(|&id| (id as usize, self.rules.get(id as usize)))
    }

    /// Decides every component; returns those with an atom that is not false.
    fn run(&mut self) -> Result<Vec<Vec<AtomId>>, Unstratified> {
        let graph = Graph::new(self.status.len(), |edge| {
            for rule in self.rules.iter().filter(|rule| !self.given[rule.head.index()]) {
                rule.positive
                    .iter()
                    .chain(rule.negative)
                    .for_each(|atom| edge(rule.head.0, atom.0));
            }
        });
        let mut kept = Vec::new();
        for (number, component) in graph.components().into_iter().enumerate() {
            let mut component: Vec<AtomId> = component.into_iter().map(AtomId).collect();
            component
                .iter()
                .for_each(|atom| self.component_of[atom.index()] = number as u32);
            if !component.iter().all(|atom| self.given[atom.index()]) {
                self.decide(&component)?;
            }
            component.retain(|atom| self.status[atom.index()] != Status::False);
            if !component.is_empty() {
                kept.push(component);
            }
        }
        Ok(kept)
    }

    fn decide(&mut self, component: &[AtomId]) -> Result<(), Unstratified> {
        if let [atom] = component {
            let mentions_itself =
                |(_, rule): (usize, RuleRef)| rule.positive.contains(atom) || rule.negative.contains(atom);
            if !self.rules_of(*atom).any(mentions_itself) {
                self.status[atom.index()] = self.status_by_rules(*atom);
                return Ok(());
            }
        }
        self.find_supported(component);
        self.reject_negative_cycle(component)?;
        self.find_true(component);
        self.is_provisional |= component.len() > 1 && self.may_fall_apart(component);
        Ok(())
    }

    /// Whether the component has a decided atom or a useless rule.
    fn may_fall_apart(&self, component: &[AtomId]) -> bool {
        component.iter().any(|&atom| {
            let is_decided = self.status[atom.index()] != Status::Open;
            is_decided || self.rules_of(atom).any(|(_, rule)| self.is_useless(rule))
        })
    }

    /// Whether a rule for an open atom gives nothing: it never fires, or needs its own head.
    fn is_useless(&self, rule: RuleRef) -> bool {
        self.body(rule) == Status::False || rule.positive.contains(&rule.head)
    }

    /// The status that the rules of an atom outside any loop give it.
    fn status_by_rules(&self, atom: AtomId) -> Status {
        let bodies = self.rules_of(atom).map(|(_, rule)| self.body(rule));
        bodies.fold(Status::False, |best, body| match (best, body) {
            (Status::True, _) | (_, Status::True) => Status::True,
            (Status::Open, _) | (_, Status::Open) => Status::Open,
            _ => Status::False,
        })
    }

    /// The status of a body: a conjunction.
    fn body(&self, rule: RuleRef) -> Status {
        let positive = rule.positive.iter().map(|atom| self.status[atom.index()]);
        let negative = rule.negative.iter().map(|atom| match self.status[atom.index()] {
            Status::False => Status::True,
            Status::Open => Status::Open,
            Status::True => Status::False,
        });
        positive
            .chain(negative)
            .fold(Status::True, |worst, literal| match (worst, literal) {
                (Status::False, _) | (_, Status::False) => Status::False,
                (Status::Open, _) | (_, Status::Open) => Status::Open,
                _ => Status::True,
            })
    }

    /// Opens the atoms of the component that rules support, starting from none: what only supports
    /// itself stays false. Negative literals inside the component do not count against support yet.
    fn find_supported(&mut self, component: &[AtomId]) {
        let users = self.users(component);
        let mut queue = component.to_vec();
        while let Some(atom) = queue.pop() {
            if self.status[atom.index()] != Status::False {
                continue;
            }
            let number = self.component_of[atom.index()];
            let is_inside = |a: &AtomId| self.component_of[a.index()] == number;
            let supports = |(_, rule): (usize, RuleRef)| {
                rule.positive
                    .iter()
                    .all(|a| self.status[a.index()] != Status::False)
                    && rule
                        .negative
                        .iter()
                        .all(|a| is_inside(a) || self.status[a.index()] != Status::True)
            };
            if self.rules_of(atom).any(supports) {
                self.status[atom.index()] = Status::Open;
                queue.extend(users.of(atom));
            }
        }
    }

    /// Makes true what holds whatever the state is.
    fn find_true(&mut self, component: &[AtomId]) {
        let users = self.users(component);
        let mut queue = component.to_vec();
        while let Some(atom) = queue.pop() {
            let holds = |(_, rule): (usize, RuleRef)| self.body(rule) == Status::True;
            if self.status[atom.index()] == Status::Open && self.rules_of(atom).any(holds) {
                self.status[atom.index()] = Status::True;
                queue.extend(users.of(atom));
            }
        }
    }

    /// Within the component, who has whom in a positive body.
    fn users(&self, component: &[AtomId]) -> Users {
        let mut pairs = Vec::new();
        for &atom in component {
            for (_, rule) in self.rules_of(atom) {
                let inside = rule
                    .positive
                    .iter()
                    .filter(|a| self.component_of[a.index()] == self.component_of[atom.index()]);
                pairs.extend(inside.map(|&a| (a, atom)));
            }
        }
        pairs.sort_unstable();
        Users(pairs)
    }

    /// Whether a rule can still matter: no literal is already against it.
    fn is_alive(&self, rule: RuleRef) -> bool {
        self.status[rule.head.index()] != Status::False && self.body(rule) != Status::False
    }

    /// Components were formed over all rules; only live rules count for a cycle through negation.
    fn reject_negative_cycle(&mut self, component: &[AtomId]) -> Result<(), Unstratified> {
        let has_negation = component.iter().any(|&atom| {
            self.rules_of(atom).any(|(_, rule)| {
                rule.negative
                    .iter()
                    .any(|a| self.component_of[a.index()] == self.component_of[atom.index()])
            })
        });
        if !has_negation {
            return Ok(());
        }
        self.is_provisional = true;
        let numbers: HashMap<_, _> = component
            .iter()
            .enumerate()
            .map(|(n, &atom)| (atom, n as u32))
            .collect();
        let local = |atom: AtomId| numbers.get(&atom).copied();
        let graph = Graph::new(component.len(), |edge| {
            for (from, &atom) in component.iter().enumerate() {
                for (_, rule) in self.rules_of(atom).filter(|&(_, rule)| self.is_alive(rule)) {
                    let targets = rule.positive.iter().chain(rule.negative);
                    targets
                        .filter_map(|&a| local(a))
                        .for_each(|to| edge(from as u32, to));
                }
            }
        });
        let parts = graph.components();
        let mut part_of = vec![0; component.len()];
        for (number, part) in parts.iter().enumerate() {
            part.iter().for_each(|&node| part_of[node as usize] = number);
        }
        for part in &parts {
            for &node in part {
                let inside =
                    |a: &AtomId| local(*a).is_some_and(|l| part_of[l as usize] == part_of[node as usize]);
                let live = self
                    .rules_of(component[node as usize])
                    .filter(|&(_, rule)| self.is_alive(rule));
                for (id, rule) in live {
                    if let Some(&target) = rule.negative.iter().find(|a| inside(a)) {
                        let path = path(&graph, local(target).unwrap_or(node), node);
                        let cycle = std::iter::once(node)
                            .chain(path)
                            .map(|n| component[n as usize])
                            .collect();
                        return Err(Unstratified { cycle, rule: id });
                    }
                }
            }
        }
        Ok(())
    }

    fn has_dead_rule(&self) -> bool {
        self.rules.iter().any(|rule| self.body(rule) == Status::False)
    }

    fn remaining_rules(&self) -> RuleSet {
        let mut remaining = RuleSet::default();
        for (id, rule) in self.rules.iter().enumerate() {
            let source = self.rules.source(id);
            let (mut positive, mut negative) = match self.status[rule.head.index()] {
                Status::False => continue,
                Status::True => (Vec::new(), Vec::new()),
                Status::Open if self.is_useless(rule) => continue,
                Status::Open => {
                    let is_open = |a: &&AtomId| self.status[a.index()] == Status::Open;
                    (
                        rule.positive.iter().filter(is_open).copied().collect(),
                        rule.negative.iter().filter(is_open).copied().collect(),
                    )
                }
            };
            remaining.insert(rule.head, &mut positive, &mut negative, source);
        }
        remaining
    }
}

/// Pairs (atom, head of a rule with the atom in its body), sorted.
struct Users(Vec<(AtomId, AtomId)>);

impl Users {
    fn of(&self, atom: AtomId) -> impl Iterator<Item = AtomId> + '_ {
        let start = self.0.partition_point(|&(a, _)| a < atom);
        self.0[start..]
            .iter()
            .take_while(move |&&(a, _)| a == atom)
            .map(|&(_, user)| user)
    }
}

/// A shortest path from `from` to just before `to`, both in one component; empty if they are equal.
fn path(graph: &Graph, from: u32, to: u32) -> Vec<u32> {
    let mut previous = HashMap::from([(from, from)]);
    let mut queue = VecDeque::from([from]);
    while let Some(node) = queue.pop_front() {
        if node == to {
            break;
        }
        for &next in graph.targets(node) {
            previous.entry(next).or_insert_with(|| {
                queue.push_back(next);
                node
            });
        }
    }
    let mut path = Vec::new();
    let mut node = to;
    while node != from {
        node = previous.get(&node).copied().unwrap_or(from);
        path.push(node);
    }
    path.reverse();
    path
}
