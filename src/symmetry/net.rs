//! Symmetries in the numbering of a network, which leaves out fluents that never change.

use super::{Automorphism, Automorphisms, Limits, find};
use crate::ground::GroundProgram;
use crate::propnet::Propnet;
use std::collections::{HashMap, HashSet};

/// A permutation of fluents and moves that maps a game to itself.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Symmetry {
    /// The image of each fluent, indexed by fluent: f holds in s exactly if `fluents[f]` holds in the
    /// image of s.
    pub fluents: Vec<u32>,
    /// The image of each move, indexed by move.
    pub moves: Vec<u32>,
}

impl Symmetry {
    /// Whether every fluent is mapped to itself.
    pub fn fixes_fluents(&self) -> bool {
        self.fluents
            .iter()
            .zip(0..)
            .all(|(&image, fluent)| image == fluent)
    }
}

/// The symmetries of a network: a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symmetries {
    elements: Vec<Symmetry>,
    generators: Vec<Symmetry>,
    gave_up: bool,
}

impl Symmetries {
    /// Finds the symmetries of a program, in the numbering of its network.
    pub fn find(program: &GroundProgram, net: &Propnet, limits: &Limits) -> Symmetries {
        let found = Symmetries::new(program, net, &find(program, limits));
        log::debug!("symmetries: {}", found.elements.len());
        found
    }

    /// The automorphisms of a program in the numbering of its network. One that would map a fluent that
    /// is stored to one that is not is left out; the others are still a group.
    pub fn new(program: &GroundProgram, net: &Propnet, automorphisms: &Automorphisms) -> Symmetries {
        let numbering = Numbering::new(program, net);
        let translate = |found: &[Automorphism]| -> Vec<Symmetry> {
            let on_program = found.iter().map(|automorphism| automorphism.symmetry(program));
            on_program
                .filter_map(|symmetry| numbering.translate(symmetry))
                .collect()
        };
        let mut elements = translate(automorphisms.elements());
        let mut seen = HashSet::new();
        elements.retain(|element| seen.insert(element.fluents.clone()));
        Symmetries {
            elements,
            generators: translate(automorphisms.generators()),
            gave_up: automorphisms.gave_up(),
        }
    }

    /// The group, identity first: one element for each permutation of the fluents.
    pub fn elements(&self) -> &[Symmetry] {
        &self.elements
    }

    /// All that were found are products of these. Some may permute moves alone.
    pub fn generators(&self) -> &[Symmetry] {
        &self.generators
    }

    /// Whether the search reached its limit, so that there may be more.
    pub fn gave_up(&self) -> bool {
        self.gave_up
    }
}

/// The fluents of a network among those of its program. Moves have the same numbers in both.
struct Numbering {
    /// The program's fluent, indexed by the network's.
    outer: Vec<usize>,
    /// The network's fluent, indexed by the program's.
    inner: Vec<Option<u32>>,
}

impl Numbering {
    fn new(program: &GroundProgram, net: &Propnet) -> Numbering {
        let kept: HashMap<&str, u32> = net.fluents.iter().map(String::as_str).zip(0..).collect();
        let name = |&term: &_| program.terms().display(term).to_string();
        let names = program.fluents().iter().map(name);
        let inner: Vec<Option<u32>> = names.map(|name| kept.get(name.as_str()).copied()).collect();
        let mut outer: Vec<usize> = (0..inner.len())
            .filter(|&fluent| inner[fluent].is_some())
            .collect();
        outer.sort_unstable_by_key(|&fluent| inner[fluent]);
        Numbering { outer, inner }
    }

    /// `None` if fluents that are stored and fluents that are not change places.
    fn translate(&self, symmetry: Symmetry) -> Option<Symmetry> {
        let image = |&fluent: &usize| self.inner[symmetry.fluents[fluent] as usize];
        let fluents = self.outer.iter().map(image).collect::<Option<Vec<u32>>>()?;
        Some(Symmetry {
            fluents,
            moves: symmetry.moves,
        })
    }
}
