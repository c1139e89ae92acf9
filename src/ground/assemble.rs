//! Final numbers and meanings of the atoms that remain.

use super::atoms::{AtomId, AtomTable, RelationId};
use super::compile::{Compiled, Keywords};
use super::program::{AtomMeaning, Component, FluentId, GroundMove, GroundProgram, MoveId, RoleId};
use super::rules::{RuleList, RuleRef};
use super::simplify::{Simplified, Status};
use super::terms::{TermId, TermStore};
use crate::source::{Source, Span};
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

/// Gives the atoms that remain their final numbers and meanings.
pub(super) struct Assembly<'a> {
    pub(super) terms: TermStore,
    pub(super) compiled: &'a Compiled,
    pub(super) atoms: &'a AtomTable,
    pub(super) simplified: &'a Simplified,
    pub(super) roles: Vec<TermId>,
}

impl Assembly<'_> {
    /// The program. `spans` are the sources of the checked program's rules.
    pub(super) fn assemble(self, source: Arc<Source>, spans: Vec<Span>) -> GroundProgram {
        let keywords = self.compiled.keywords;
        let fluents = self.sorted_open(keywords.truth);
        let does = self.sorted_open(keywords.does);
        let order = self.evaluation_order(&fluents, &does);
        let mut number = vec![u32::MAX; self.atoms.len()];
        for (n, &atom) in order.atoms.iter().enumerate() {
            number[atom.index()] = n as u32;
        }
        let fluent_terms: Vec<_> = fluents.iter().map(|&atom| self.atoms.args(atom)[0]).collect();
        let moves: Vec<_> = does.iter().filter_map(|&atom| self.ground_move(atom)).collect();
        let names = Names::new(&fluent_terms, &moves);
        let initial = fluent_terms
            .iter()
            .enumerate()
            .filter(|&(_, &term)| self.holds(keywords.init, &[term]))
            .map(|(fluent, _)| FluentId::new(fluent))
            .collect();
        let meanings = order
            .atoms
            .iter()
            .map(|&atom| self.meaning(atom, keywords, &names))
            .collect();
        let rules = self.renumbered_rules(&number);
        let components = components(&order.components, &rules);
        GroundProgram {
            source,
            roles: self.roles,
            terms: self.terms,
            fluents: fluent_terms,
            moves,
            initial,
            atoms: meanings,
            rules,
            spans,
            components,
        }
    }

    fn holds(&self, relation: RelationId, args: &[TermId]) -> bool {
        let atom = self.atoms.find(relation, args);
        atom.is_some_and(|atom| self.simplified.status[atom.index()] == Status::True)
    }

    fn sorted_open(&self, relation: RelationId) -> Vec<AtomId> {
        let is_open = |atom: &AtomId| {
            self.atoms.relation(*atom) == relation && self.simplified.status[atom.index()] == Status::Open
        };
        let mut found: Vec<_> = self.atoms.ids().filter(is_open).collect();
        found.sort_by(|&a, &b| self.compare_inputs(a, b));
        found
    }

    /// Moves go by role in order of declaration, everything else by its terms.
    fn compare_inputs(&self, a: AtomId, b: AtomId) -> std::cmp::Ordering {
        let (a, b) = (self.atoms.args(a), self.atoms.args(b));
        let rank = |args: &[TermId]| if args.len() == 2 { self.role(args[0]) } else { None };
        rank(a).cmp(&rank(b)).then_with(|| self.terms.compare_all(a, b))
    }

    fn role(&self, term: TermId) -> Option<RoleId> {
        self.roles.iter().position(|&role| role == term).map(RoleId::new)
    }

    fn ground_move(&self, does: AtomId) -> Option<GroundMove> {
        let args = self.atoms.args(does);
        Some(GroundMove {
            role: self.role(args[0])?,
            term: args[1],
        })
    }

    fn evaluation_order(&self, fluents: &[AtomId], does: &[AtomId]) -> Order {
        let keywords = self.compiled.keywords;
        let mut components: Vec<Vec<AtomId>> = Vec::new();
        let (level, has_rule) = self.levels();
        for component in &self.simplified.components {
            let relation = self.atoms.relation(component[0]);
            if relation == keywords.truth || relation == keywords.does || !has_rule[component[0].index()] {
                continue;
            }
            let mut component = component.clone();
            component.sort_by(|&a, &b| self.compare_atoms(a, b));
            components.push(component);
        }
        // By level, then by name: an order that the order of the text does not influence.
        components.sort_by(|a, b| {
            level[a[0].index()]
                .cmp(&level[b[0].index()])
                .then_with(|| self.compare_atoms(a[0], b[0]))
        });
        let mut atoms = [fluents, does].concat();
        let mut ranges = Vec::new();
        for component in components {
            let start = atoms.len() as u32;
            atoms.extend(component);
            ranges.push(start..atoms.len() as u32);
        }
        Order {
            atoms,
            components: ranges,
        }
    }

    /// Longest distance from the inputs, per atom; and which atoms have a remaining rule.
    fn levels(&self) -> (Vec<u32>, Vec<bool>) {
        let rules = &self.simplified.rules;
        let mut by_head: Vec<_> = (0..rules.len()).collect();
        by_head.sort_by_key(|&id| rules.get(id).head);
        let mut level = vec![0u32; self.atoms.len()];
        let mut has_rule = vec![false; self.atoms.len()];
        let mut component_of = vec![u32::MAX; self.atoms.len()];
        for (number, component) in self.simplified.components.iter().enumerate() {
            component
                .iter()
                .for_each(|atom| component_of[atom.index()] = number as u32);
            let mut top = 0;
            for &atom in component {
                let first = by_head.partition_point(|&id| rules.get(id).head < atom);
                for rule in by_head[first..]
                    .iter()
                    .map(|&id| rules.get(id))
                    .take_while(|rule| rule.head == atom)
                {
                    has_rule[atom.index()] = true;
                    let body = rule.positive.iter().chain(rule.negative);
                    let below = body.filter(|a| component_of[a.index()] != number as u32);
                    top = below.map(|a| level[a.index()] + 1).max().unwrap_or(0).max(top);
                }
            }
            component.iter().for_each(|atom| level[atom.index()] = top);
        }
        (level, has_rule)
    }

    fn compare_atoms(&self, a: AtomId, b: AtomId) -> std::cmp::Ordering {
        let predicate = |atom| &self.compiled.relations[self.atoms.relation(atom).0 as usize].predicate;
        let by_name = predicate(a).cmp(predicate(b));
        by_name.then_with(|| self.terms.compare_all(self.atoms.args(a), self.atoms.args(b)))
    }

    fn meaning(&self, atom: AtomId, keywords: Keywords, names: &Names) -> AtomMeaning {
        let relation = self.atoms.relation(atom);
        let args = self.atoms.args(atom);
        let fluent = || names.fluents.get(&args[0]).copied();
        let mv = || names.moves.get(&(self.role(args[0])?, args[1])).copied();
        let known = if relation == keywords.truth {
            fluent().map(AtomMeaning::True)
        } else if relation == keywords.next {
            fluent().map(AtomMeaning::Next)
        } else if relation == keywords.does {
            mv().map(AtomMeaning::Does)
        } else if relation == keywords.legal {
            mv().map(AtomMeaning::Legal)
        } else if relation == keywords.terminal {
            Some(AtomMeaning::Terminal)
        } else if relation == keywords.goal {
            let value = self.terms.integer(args[1]).and_then(|v| u8::try_from(v).ok());
            self.role(args[0])
                .zip(value)
                .map(|(role, value)| AtomMeaning::Goal(role, value))
        } else {
            None
        };
        known.unwrap_or_else(|| {
            let predicate = &self.compiled.relations[relation.0 as usize].predicate;
            AtomMeaning::Defined(predicate.name().to_string(), args.to_vec())
        })
    }

    fn renumbered_rules(&self, number: &[u32]) -> RuleList {
        let rules = &self.simplified.rules;
        let mut renumbered = RuleList::default();
        let (mut positive, mut negative) = (Vec::new(), Vec::new());
        for (id, rule) in rules.iter().enumerate() {
            for (to, from) in [(&mut positive, rule.positive), (&mut negative, rule.negative)] {
                to.clear();
                to.extend(from.iter().map(|atom| AtomId(number[atom.index()])));
                to.sort_unstable();
            }
            let head = AtomId(number[rule.head.index()]);
            renumbered.push(
                RuleRef {
                    head,
                    positive: &positive,
                    negative: &negative,
                },
                rules.source(id),
            );
        }
        let mut order: Vec<_> = (0..renumbered.len()).collect();
        order.sort_unstable_by_key(|&id| (renumbered.get(id), renumbered.source(id)));
        let mut sorted = RuleList::default();
        order
            .into_iter()
            .for_each(|id| sorted.push(renumbered.get(id), renumbered.source(id)));
        sorted
    }
}

struct Order {
    atoms: Vec<AtomId>,
    components: Vec<Range<u32>>,
}

/// Ids by term.
struct Names {
    fluents: HashMap<TermId, FluentId>,
    moves: HashMap<(RoleId, TermId), MoveId>,
}

impl Names {
    fn new(fluents: &[TermId], moves: &[GroundMove]) -> Names {
        Names {
            fluents: fluents
                .iter()
                .enumerate()
                .map(|(n, &term)| (term, FluentId::new(n)))
                .collect(),
            moves: moves
                .iter()
                .enumerate()
                .map(|(n, mv)| ((mv.role, mv.term), MoveId::new(n)))
                .collect(),
        }
    }
}

fn components(ranges: &[Range<u32>], rules: &RuleList) -> Vec<Component> {
    let mut next_rule = 0;
    let component = |atoms: &Range<u32>| {
        let first = next_rule;
        while next_rule < rules.len() && rules.get(next_rule).head.0 < atoms.end {
            next_rule += 1;
        }
        let inside = |atom: &AtomId| atoms.contains(&atom.0);
        let recursive = (first..next_rule).any(|rule| rules.get(rule).positive.iter().any(inside));
        Component {
            atoms: atoms.clone(),
            rules: first..next_rule,
            recursive,
        }
    };
    ranges.iter().map(component).collect()
}
