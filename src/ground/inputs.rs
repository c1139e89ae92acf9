//! What a state can bring: the atoms of `true` and `does` that may hold.

use super::atoms::{AtomId, AtomTable, Support};
use super::compile::Keywords;
use super::reachable::Reachable;
use super::simplify::{Simplified, Status};

/// The atoms of `true` and `does`, each with the atoms that make it possible.
pub(super) struct Inputs {
    /// (input, what gives it); an input without a live giver is false.
    pub(super) givers: Vec<(AtomId, Vec<AtomId>)>,
    /// Indexed by atom.
    pub(super) is_live: Vec<bool>,
}

impl Inputs {
    pub(super) fn new(atoms: &AtomTable, keywords: Keywords) -> Inputs {
        let mut givers = Vec::new();
        let mut is_live = vec![false; atoms.len()];
        for atom in atoms.ids() {
            let relations = match atoms.relation(atom) {
                r if r == keywords.truth => vec![keywords.init, keywords.next],
                r if r == keywords.does => vec![keywords.legal],
                _ => continue,
            };
            let sources = relations
                .iter()
                .filter_map(|&relation| atoms.find(relation, atoms.args(atom)));
            is_live[atom.index()] = atoms.support(atom) != Support::None;
            givers.push((atom, sources.collect()));
        }
        Inputs { givers, is_live }
    }

    /// Drops the inputs that can no longer hold; tells whether there were any.
    pub(super) fn retract(&mut self, status: &[Status]) -> bool {
        let mut changed = false;
        for (input, givers) in &self.givers {
            let possible = givers.iter().any(|giver| status[giver.index()] != Status::False);
            if self.is_live[input.index()] && !possible {
                self.is_live[input.index()] = false;
                changed = true;
            }
        }
        changed
    }

    /// Drops the inputs that no play reaches; tells whether there were any.
    pub(super) fn retract_unreachable(&mut self, simplified: &Simplified) -> bool {
        let mut gives = vec![None; self.is_live.len()];
        for (input, givers) in &self.givers {
            givers
                .iter()
                .for_each(|giver| gives[giver.index()] = Some(*input));
        }
        let is_certain = |atom: &AtomId| simplified.status[atom.index()] == Status::True;
        let certain = (0..self.is_live.len() as u32).map(AtomId).filter(is_certain);
        let reached = Reachable::find(&simplified.rules, &gives, certain);
        let mut changed = false;
        for (input, _) in &self.givers {
            let is_live = &mut self.is_live[input.index()];
            changed |= *is_live && !reached[input.index()];
            *is_live &= reached[input.index()];
        }
        changed
    }
}
