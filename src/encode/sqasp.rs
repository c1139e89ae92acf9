//! [`Sqasp`]: a ground logic program with quantified atoms, as Definition 2 of the paper has it.
//!
//! Invariants:
//!
//! 1. Every atom that occurs is the head of a rule or a choice; nothing is said about atoms that cannot hold.
//! 2. Atoms are numbered such that an atom comes after everything its rules mention, except inside the
//!    ranges of [`Sqasp::recursive`], whose atoms depend on each other positively.
//! 3. A fact is in no body.

use super::sides::{Question, Sides};
use crate::ground::{AtomId, GroundProgram, MoveId, RoleId};
use std::ops::Range;

/// An atom of the program, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Atom(pub(super) u32);

impl Atom {
    /// The atom at a position of a table indexed by it.
    pub fn new(index: usize) -> Atom {
        Atom(index as u32)
    }

    /// Position in tables indexed by atom.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What an atom says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Said {
    /// An atom of the game at a time; never `next`, which is `true` of the next time.
    Game(AtomId, u32),
    /// `ended(t)`: the play is over by time t.
    Ended(u32),
    /// `dec_o(l, t)`: bit l, from 1, of the move that a minimising role is asked to make.
    DecO(RoleId, u32, u32),
    /// `count(a, n, t)`: n moves up to a are legal.
    Count(MoveId, u32, u32),
    /// `tol(n, t)`: a random role has n legal moves.
    Tol(RoleId, u32, u32),
    /// `dec_r(i, t)`: a toss that succeeds with probability 1/i.
    DecR(RoleId, u32, u32),
}

/// An atom or its negation: `atom << 1 | negated`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Literal(u32);

impl Literal {
    /// The atom holds.
    pub fn positive(atom: Atom) -> Literal {
        Literal(atom.0 << 1)
    }

    /// The atom does not hold.
    pub fn negative(atom: Atom) -> Literal {
        Literal(atom.0 << 1 | 1)
    }

    /// The atom.
    pub fn atom(self) -> Atom {
        Atom(self.0 >> 1)
    }

    /// Whether it is negated.
    pub fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }
}

/// What follows from a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Head {
    /// The atom holds.
    Atom(Atom),
    /// The atom may hold or not: `{ atom }`.
    Choice(Atom),
    /// Exactly one of these holds: `1 { … } 1`. The atoms have consecutive numbers.
    ExactlyOne(Atom, Atom),
    /// A contradiction.
    Nothing,
}

/// The parts of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// P_Ext: the game's rules with times.
    Ext,
    /// P_c: the players play, and x wins.
    Cooperative,
    /// P_o: a minimising role plays what it is told.
    Opponent,
    /// P_legal: the legal moves of a random role, counted.
    Legal,
    /// P_r: a random role plays uniformly.
    Random,
}

impl Part {
    /// All parts in the order of the text.
    pub const ALL: [Part; 5] = [
        Part::Ext,
        Part::Cooperative,
        Part::Opponent,
        Part::Legal,
        Part::Random,
    ];

    /// The name of the part with the numbers of its rules in the paper.
    pub fn title(self) -> &'static str {
        match self {
            Part::Ext => "P_Ext",
            Part::Cooperative => "P_c (1)-(6)",
            Part::Opponent => "P_o (7)-(8)",
            Part::Legal => "P_legal (9)-(14)",
            Part::Random => "P_r (15)-(16)",
        }
    }
}

/// A rule.
#[derive(Clone, Copy, Debug)]
pub struct RuleView<'a> {
    /// What follows.
    pub head: Head,
    /// From what.
    pub body: &'a [Literal],
}

/// Rules, one after the other.
#[derive(Default)]
pub(super) struct RuleList {
    heads: Vec<Head>,
    /// Where each rule's body ends.
    ends: Vec<u32>,
    literals: Vec<Literal>,
}

impl RuleList {
    fn push(&mut self, head: Head, body: &[Literal]) {
        self.heads.push(head);
        self.literals.extend_from_slice(body);
        self.ends.push(self.literals.len() as u32);
    }

    fn get(&self, rule: usize) -> RuleView<'_> {
        let start = rule.checked_sub(1).map_or(0, |before| self.ends[before]);
        RuleView {
            head: self.heads[rule],
            body: &self.literals[start as usize..self.ends[rule] as usize],
        }
    }
}

/// Atoms, and literals in bodies, beyond which a program is refused: it would take several gibibytes.
const MOST_ATOMS: usize = 1 << 25;
const MOST_LITERALS: usize = 1 << 28;

/// A stochastic quantified answer set program over the atoms of a game.
pub struct Sqasp<'g> {
    pub(super) program: &'g GroundProgram,
    pub(super) question: Question,
    pub(super) sides: Sides,
    pub(super) said: Vec<Said>,
    /// The number of the block in which each atom is quantified, indexed by atom; see [`Sqasp::level`].
    pub(super) levels: Vec<u32>,
    pub(super) recursive: Vec<Range<u32>>,
    pub(super) parts: [RuleList; Part::ALL.len()],
}

impl Sqasp<'_> {
    /// The game.
    pub fn program(&self) -> &GroundProgram {
        self.program
    }

    /// What is asked.
    pub fn question(&self) -> &Question {
        &self.question
    }

    /// Who does what.
    pub fn sides(&self) -> &Sides {
        &self.sides
    }

    /// What each atom says, indexed by atom.
    pub fn atoms(&self) -> &[Said] {
        &self.said
    }

    /// The rules of a part.
    pub fn rules(&self, part: Part) -> impl ExactSizeIterator<Item = RuleView<'_>> {
        let list = &self.parts[part as usize];
        (0..list.heads.len()).map(|rule| list.get(rule))
    }

    /// One rule of a part.
    pub fn rule_at(&self, part: Part, rule: usize) -> RuleView<'_> {
        self.parts[part as usize].get(rule)
    }

    /// The ranges of atoms, by number, that depend on each other.
    pub fn recursive(&self) -> &[Range<u32>] {
        &self.recursive
    }

    /// The block in which an atom is quantified, lower is further out: E_k is 2k + 1, U_i is 4i + 2 and
    /// R_i is 4i + 4. By Definition 3 for choices; by the prefix of the question for all others.
    pub fn level(&self, atom: Atom) -> u32 {
        self.levels[atom.index()]
    }

    /// The innermost block, E_2n.
    pub fn innermost(&self) -> u32 {
        4 * self.question.horizon + 1
    }

    /// Whether it is larger than programs may be.
    pub(super) fn is_too_large(&self) -> bool {
        let literals: usize = self.parts.iter().map(|part| part.literals.len()).sum();
        self.said.len() > MOST_ATOMS || literals > MOST_LITERALS
    }

    pub(super) fn atom(&mut self, said: Said, level: u32) -> Atom {
        let atom = Atom(self.said.len() as u32);
        self.said.push(said);
        self.levels.push(level);
        atom
    }

    pub(super) fn rule(&mut self, part: Part, head: Head, body: &[Literal]) {
        self.parts[part as usize].push(head, body);
    }
}
