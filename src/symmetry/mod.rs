//! [`GroundProgram`] → [`Automorphisms`]: the symmetries of a game, proven on its rules.
//!
//! An automorphism is a permutation π of the ground atoms such that
//!
//! - `true(f)` ↦ `true(g)` and `next(f)` ↦ `next(g)` for the same g; likewise `does` and `legal` of moves;
//! - every role keeps its moves, every `goal(r, v)` and `terminal` stay what they are;
//! - the initial state is mapped to itself;
//! - the rules, as a set of (head, positive body, negative body), are mapped to themselves.
//!
//! Hence the state s has the legal moves, the successors, the end and the goals of π(s), with π applied
//! to moves and successors, and so both have the same value for every role.
//!
//! **Invariant**: every [`Automorphism`] that leaves this module was accepted by [`verify`], which shares
//! nothing with the search. The search may stop early ([`Limits`]): fewer symmetries are always sound.
//!
//! 1. `graph` makes atoms and rules vertices of a coloured graph.
//! 2. `refine` splits an ordered `partition` of the vertices until it is equitable.
//! 3. `search` individualises vertices until the partition is discrete, and compares the leaves.
//! 4. `close` multiplies the generators to the elements of the group.
//! 5. `net` renumbers them for a [`Propnet`], which stores fewer fluents.
//!
//! Steps 2 and 3 are B. D. McKay, *Practical graph isomorphism*, Congressus Numerantium 30 (1981), with
//! the changes to the partition undone instead of copied as in P. T. Darga, K. A. Sakallah and
//! I. L. Markov, *Faster symmetry discovery using sparsity of symmetries*, DAC 2008. The crates for it
//! wrap C libraries; a few hundred lines suffice for graphs of this kind.

mod close;
mod graph;
mod net;
mod partition;
mod refine;
mod search;
mod verify;
mod work;

pub use net::{Symmetries, Symmetry};
pub use verify::verify;

use crate::ground::GroundProgram;
#[cfg(doc)]
use crate::propnet::Propnet;
use graph::Graph;
use search::Search;
use std::ops::Range;
use verify::Verifier;
use work::Work;

/// How far to look.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Steps of the search, and again of the multiplication: roughly, visits of an edge of the graph.
    /// Counted, not timed, so that the answer is the same on every computer.
    pub work: u64,
    /// Most elements that are listed. Of a larger group, a subgroup is.
    pub elements: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            work: 10_000_000,
            elements: 64,
        }
    }
}

/// A permutation of the ground atoms that maps the game to itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Automorphism {
    /// The image of each atom, indexed by atom: first the fluents (`true`), then the moves (`does`),
    /// then the others, which follow from them and are the witness that [`verify`] needs.
    pub atoms: Vec<u32>,
}

impl Automorphism {
    fn identity(atoms: usize) -> Automorphism {
        Automorphism {
            atoms: (0..atoms as u32).collect(),
        }
    }

    /// First this one, then the other.
    fn then(&self, other: &Automorphism) -> Automorphism {
        let image = |&atom: &u32| other.atoms[atom as usize];
        Automorphism {
            atoms: self.atoms.iter().map(image).collect(),
        }
    }

    /// The same in terms of fluents and moves, numbered as in the program.
    pub fn symmetry(&self, program: &GroundProgram) -> Symmetry {
        let fluents = program.fluents().len();
        let moves = program.moves().len();
        let images = |range: Range<usize>| self.atoms.get(range).unwrap_or_default();
        let to_move = |&atom: &u32| atom.saturating_sub(fluents as u32);
        Symmetry {
            fluents: images(0..fluents).to_vec(),
            moves: images(fluents..fluents + moves).iter().map(to_move).collect(),
        }
    }
}

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Automorphisms {
    elements: Vec<Automorphism>,
    generators: Vec<Automorphism>,
    order: Option<u128>,
    gave_up: bool,
}

impl Automorphisms {
    /// A group, identity first: one automorphism for each permutation of the fluents. It is the whole
    /// group if its size is [`Automorphisms::order`], else a subgroup.
    pub fn elements(&self) -> &[Automorphism] {
        &self.elements
    }

    /// Automorphisms that generate all that were found, up to those that change neither fluents nor
    /// moves. Some may permute moves alone, such as the faces of a die that have the same effect.
    pub fn generators(&self) -> &[Automorphism] {
        &self.generators
    }

    /// How many permutations of the fluents are part of an automorphism; `None` if that is not known or
    /// does not fit.
    pub fn order(&self) -> Option<u128> {
        self.order
    }

    /// Whether the search reached its limit, so that there may be more.
    pub fn gave_up(&self) -> bool {
        self.gave_up
    }
}

/// Finds the automorphisms of a program.
pub fn find(program: &GroundProgram, limits: &Limits) -> Automorphisms {
    let identity = Automorphism::identity(program.atoms().len());
    let graph = Graph::new(program);
    if graph.size() as u64 > limits.work {
        // The first look at the graph would use up everything.
        return Automorphisms {
            elements: vec![identity],
            generators: Vec::new(),
            order: None,
            gave_up: true,
        };
    }
    let verifier = Verifier::new(program);
    let found = Search::new(&graph, &verifier, Work::new(limits.work)).run();
    let affordable = limits.work / (graph.size() as u64).max(1);
    let limit = limits.elements.min(affordable as usize);
    let closed = close::close(
        identity,
        &found.generators,
        graph.fluents,
        limit,
        Work::new(limits.work),
    );
    let elements = verified(closed, &verifier);
    Automorphisms {
        elements,
        generators: found.generators,
        order: found.order,
        gave_up: found.gave_up,
    }
}

/// The elements, or the identity alone if one of them is refused: the rest might not be a group.
fn verified(mut elements: Vec<Automorphism>, verifier: &Verifier) -> Vec<Automorphism> {
    if !elements.iter().all(|element| verifier.accepts(element)) {
        elements.truncate(1);
    }
    elements
}
