//! Ground atoms while grounding: which exist, which may hold, which certainly hold.

use super::terms::{TermId, fixed_hasher};
use ahash::RandomState;
use hashbrown::HashTable;

/// A ground atom; equal ids are equal atoms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AtomId(pub(crate) u32);

impl AtomId {
    /// The atom at a position of a table indexed by atom.
    pub fn new(index: usize) -> AtomId {
        AtomId(index as u32)
    }

    /// Position in tables indexed by atom.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A relation while grounding; indexes the grounder's list of relations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct RelationId(pub(crate) u32);

/// What grounding knows about an atom. Only ever rises.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Support {
    /// Mentioned, under a negation; no rule for it was found.
    None,
    /// Head of a ground rule: may hold in some state.
    Possible,
    /// Holds in every state.
    Certain,
}

/// All atoms met so far.
pub(crate) struct AtomTable {
    relations: Vec<RelationId>,
    /// Where each atom's arguments start in `args`; one more entry than atoms.
    bounds: Vec<u32>,
    args: Vec<TermId>,
    support: Vec<Support>,
    /// The program's rule that first supported each atom.
    origins: Vec<u32>,
    table: HashTable<AtomId>,
    hasher: RandomState,
}

impl AtomTable {
    pub(crate) fn new() -> AtomTable {
        AtomTable {
            relations: Vec::new(),
            bounds: vec![0],
            args: Vec::new(),
            support: Vec::new(),
            origins: Vec::new(),
            table: HashTable::new(),
            hasher: fixed_hasher(),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.relations.len()
    }

    pub(crate) fn intern(&mut self, relation: RelationId, args: &[TermId]) -> AtomId {
        let hash = self.hasher.hash_one((relation, args));
        if let Some(found) = self.find_hashed(hash, relation, args) {
            return found;
        }
        let id = AtomId(self.relations.len() as u32);
        self.relations.push(relation);
        self.args.extend_from_slice(args);
        self.bounds.push(self.args.len() as u32);
        self.support.push(Support::None);
        self.origins.push(0);
        let (relations, bounds, pool, hasher) = (&self.relations, &self.bounds, &self.args, &self.hasher);
        self.table.insert_unique(hash, id, |&atom| {
            let range = bounds[atom.index()] as usize..bounds[atom.index() + 1] as usize;
            hasher.hash_one((relations[atom.index()], &pool[range]))
        });
        id
    }

    /// The atom, if it was met.
    pub(crate) fn find(&self, relation: RelationId, args: &[TermId]) -> Option<AtomId> {
        self.find_hashed(self.hasher.hash_one((relation, args)), relation, args)
    }

    fn find_hashed(&self, hash: u64, relation: RelationId, args: &[TermId]) -> Option<AtomId> {
        let same = |&atom: &AtomId| self.relation(atom) == relation && self.args(atom) == args;
        self.table.find(hash, same).copied()
    }

    pub(crate) fn relation(&self, atom: AtomId) -> RelationId {
        self.relations[atom.index()]
    }

    pub(crate) fn args(&self, atom: AtomId) -> &[TermId] {
        &self.args[self.bounds[atom.index()] as usize..self.bounds[atom.index() + 1] as usize]
    }

    pub(crate) fn support(&self, atom: AtomId) -> Support {
        self.support[atom.index()]
    }

    /// The program's rule that first supported the atom; meaningless while it has no support.
    pub(crate) fn origin(&self, atom: AtomId) -> u32 {
        self.origins[atom.index()]
    }

    /// Raises an atom's support because of a rule; tells whether the atom had none before.
    pub(crate) fn raise(&mut self, atom: AtomId, support: Support, rule: u32) -> bool {
        let slot = &mut self.support[atom.index()];
        let is_new = *slot == Support::None;
        *slot = (*slot).max(support);
        if is_new {
            self.origins[atom.index()] = rule;
        }
        is_new
    }

    pub(crate) fn ids(&self) -> impl Iterator<Item = AtomId> + use<> {
        (0..self.relations.len() as u32).map(AtomId)
    }
}
