//! [`GroundProgram`]: the rules without variables, and what their atoms mean.

use super::atoms::{AtomId, AtomTable};
use super::compile::{Compiled, Keywords};
use super::rules::{RuleList, RuleRef};
use super::simplify::{Simplified, Status};
use super::terms::{TermId, TermStore};
use crate::source::{Source, Span};
use std::collections::HashMap;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// A role, in order of declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RoleId(pub(crate) u32);

/// A fluent: a term that `true` may hold of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FluentId(pub(crate) u32);

/// A move of a role: a pair that `does` may hold of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MoveId(pub(crate) u32);

macro_rules! indexed {
    ($($id:ident),*) => {$(
        impl $id {
            /// The id at a position of a table indexed by it.
            pub fn new(index: usize) -> $id {
                $id(index as u32)
            }

            /// Position in tables indexed by it.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}
indexed!(RoleId, FluentId, MoveId);

/// What a ground atom says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AtomMeaning {
    /// `true(f)`: the fluent holds in the current state. An input.
    True(FluentId),
    /// `does(r, m)`: the move is made in the current state. An input.
    Does(MoveId),
    /// `next(f)`: the fluent holds in the next state.
    Next(FluentId),
    /// `legal(r, m)`: the move may be made.
    Legal(MoveId),
    /// `goal(r, v)`: the current state is worth `v` to the role, 0 to 100.
    Goal(RoleId, u8),
    /// `terminal`: the play ends in the current state.
    Terminal,
    /// An atom of the description's own relations (or of a keyword that has no meaning for states).
    Defined(String, Vec<TermId>),
}

/// A move and who makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GroundMove {
    /// Who.
    pub role: RoleId,
    /// The move's term.
    pub term: TermId,
}

/// A game description without variables.
///
/// Atoms are numbered in the order of evaluation: first all `true`, then all `does`, then the others
/// such that an atom comes after everything it depends on, except inside a recursive component
/// ([`GroundProgram::components`]). Numbers do not depend on the order of the description's rules.
pub struct GroundProgram {
    pub(super) source: Arc<Source>,
    pub(super) terms: TermStore,
    pub(super) roles: Vec<TermId>,
    pub(super) fluents: Vec<TermId>,
    pub(super) moves: Vec<GroundMove>,
    pub(super) initial: Vec<FluentId>,
    pub(super) atoms: Vec<AtomMeaning>,
    pub(super) rules: RuleList,
    /// Source span of each of the checked program's rules.
    pub(super) spans: Vec<Span>,
    pub(super) components: Vec<Component>,
}

/// Atoms that are evaluated together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Component {
    /// The atoms, by number.
    pub atoms: Range<u32>,
    /// The rules with such a head, by number.
    pub rules: Range<usize>,
    /// Whether they depend on each other (positively), so that the least fixed point is meant.
    pub recursive: bool,
}

impl GroundProgram {
    /// The text it came from.
    pub fn source(&self) -> &Arc<Source> {
        &self.source
    }

    /// All terms.
    pub fn terms(&self) -> &TermStore {
        &self.terms
    }

    /// The roles, in order of declaration.
    pub fn roles(&self) -> &[TermId] {
        &self.roles
    }

    /// The role named `random`, which moves uniformly at random.
    pub fn random(&self) -> Option<RoleId> {
        let is_random = |&role: &TermId| self.terms.display(role).to_string() == "random";
        self.roles.iter().position(is_random).map(RoleId::new)
    }

    /// The fluents that may hold in some state, sorted.
    pub fn fluents(&self) -> &[TermId] {
        &self.fluents
    }

    /// The moves that may be legal in some state, sorted by role and term.
    pub fn moves(&self) -> &[GroundMove] {
        &self.moves
    }

    /// The fluents of the initial state, ascending.
    pub fn initial(&self) -> &[FluentId] {
        &self.initial
    }

    /// What each atom means, indexed by atom.
    pub fn atoms(&self) -> &[AtomMeaning] {
        &self.atoms
    }

    /// The atom `true(fluent)`.
    pub fn true_atom(&self, fluent: FluentId) -> AtomId {
        AtomId(fluent.0)
    }

    /// The atom `does(move)`.
    pub fn does_atom(&self, mv: MoveId) -> AtomId {
        AtomId(self.fluents.len() as u32 + mv.0)
    }

    /// The components in order of evaluation.
    pub fn components(&self) -> &[Component] {
        &self.components
    }

    /// The ground rules, sorted by head, then body.
    pub fn rules(&self) -> impl ExactSizeIterator<Item = RuleRef<'_>> {
        (0..self.rules.len()).map(|rule| self.rules.get(rule))
    }

    /// One ground rule.
    pub fn rule(&self, index: usize) -> RuleRef<'_> {
        self.rules.get(index)
    }

    /// Where the rule that this one is an instance of stands in the text.
    pub fn rule_source(&self, index: usize) -> Span {
        self.spans[self.rules.source(index) as usize]
    }

    /// KIF notation of an atom.
    pub fn display_atom(&self, atom: AtomId) -> impl fmt::Display + '_ {
        AtomDisplay { program: self, atom }
    }
}

struct AtomDisplay<'a> {
    program: &'a GroundProgram,
    atom: AtomId,
}

impl fmt::Display for AtomDisplay<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let program = self.program;
        let term = |id| program.terms.display(id);
        let fluent = |id: &FluentId| term(program.fluents[id.index()]);
        let mv = |id: &MoveId| program.moves[id.index()];
        let role = |id: RoleId| term(program.roles[id.index()]);
        match &program.atoms[self.atom.index()] {
            AtomMeaning::True(id) => write!(f, "(true {})", fluent(id)),
            AtomMeaning::Does(id) => write!(f, "(does {} {})", role(mv(id).role), term(mv(id).term)),
            AtomMeaning::Next(id) => write!(f, "(next {})", fluent(id)),
            AtomMeaning::Legal(id) => write!(f, "(legal {} {})", role(mv(id).role), term(mv(id).term)),
            AtomMeaning::Goal(id, value) => write!(f, "(goal {} {value})", role(*id)),
            AtomMeaning::Terminal => f.write_str("terminal"),
            AtomMeaning::Defined(name, args) if args.is_empty() => f.write_str(name),
            AtomMeaning::Defined(name, args) => {
                write!(f, "({name}")?;
                args.iter().try_for_each(|&arg| write!(f, " {}", term(arg)))?;
                f.write_str(")")
            }
        }
    }
}

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

    fn holds(&self, relation: super::atoms::RelationId, args: &[TermId]) -> bool {
        let atom = self.atoms.find(relation, args);
        atom.is_some_and(|atom| self.simplified.status[atom.index()] == Status::True)
    }

    fn sorted_open(&self, relation: super::atoms::RelationId) -> Vec<AtomId> {
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
