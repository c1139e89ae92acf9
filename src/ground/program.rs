//! [`GroundProgram`]: the rules without variables, and what their atoms mean.

use super::atoms::AtomId;
use super::rules::{RuleList, RuleRef};
use super::terms::{TermId, TermStore};
use crate::source::{Source, Span};
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
