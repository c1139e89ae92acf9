//! Ground rules as they are found: a flat list without duplicates.

use super::atoms::AtomId;
use super::terms::fixed_hasher;
use ahash::RandomState;
use hashbrown::HashTable;

/// A ground rule: `head` holds if all of `positive` and none of `negative` do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RuleRef<'a> {
    /// What holds.
    pub head: AtomId,
    /// Atoms that must hold, in ascending order.
    pub positive: &'a [AtomId],
    /// Atoms that must not hold, in ascending order.
    pub negative: &'a [AtomId],
}

/// Where a rule's parts lie.
#[derive(Clone, Copy)]
struct Entry {
    head: AtomId,
    /// First positive atom in the pool; the negative ones follow up to the next rule's start.
    start: u32,
    /// Number of positive atoms.
    positive: u32,
    /// Index of the program's rule that it is an instance of.
    source: u32,
}

/// A set of ground rules in order of insertion.
pub(crate) struct RuleSet {
    entries: Vec<Entry>,
    pool: Vec<AtomId>,
    table: HashTable<u32>,
    hasher: RandomState,
}

impl RuleSet {
    pub(crate) fn new() -> RuleSet {
        RuleSet {
            entries: Vec::new(),
            pool: Vec::new(),
            table: HashTable::new(),
            hasher: fixed_hasher(),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(crate) fn get(&self, rule: usize) -> RuleRef<'_> {
        view(&self.pool, &self.entries, rule)
    }

    pub(crate) fn source(&self, rule: usize) -> u32 {
        self.entries[rule].source
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = RuleRef<'_>> {
        (0..self.entries.len()).map(|rule| self.get(rule))
    }

    /// Adds the rule if it is new; sorts the two lists. Tells whether it was new.
    pub(crate) fn insert(
        &mut self,
        head: AtomId,
        positive: &mut Vec<AtomId>,
        negative: &mut Vec<AtomId>,
        source: u32,
    ) -> bool {
        for list in [&mut *positive, &mut *negative] {
            list.sort_unstable();
            list.dedup();
        }
        let rule = RuleRef {
            head,
            positive,
            negative,
        };
        let hash = self.hasher.hash_one(rule);
        let (entries, pool) = (&self.entries, &self.pool);
        if self
            .table
            .find(hash, |&other| view(pool, entries, other as usize) == rule)
            .is_some()
        {
            return false;
        }
        self.entries.push(Entry {
            head,
            start: self.pool.len() as u32,
            positive: positive.len() as u32,
            source,
        });
        self.pool.extend_from_slice(positive);
        self.pool.extend_from_slice(negative);
        let (entries, pool, hasher) = (&self.entries, &self.pool, &self.hasher);
        let id = entries.len() as u32 - 1;
        self.table.insert_unique(hash, id, |&other| {
            hasher.hash_one(view(pool, entries, other as usize))
        });
        true
    }
}

fn view<'a>(pool: &'a [AtomId], entries: &[Entry], rule: usize) -> RuleRef<'a> {
    let entry = &entries[rule];
    let start = entry.start as usize;
    let middle = start + entry.positive as usize;
    let end = entries
        .get(rule + 1)
        .map_or(pool.len(), |next| next.start as usize);
    RuleRef {
        head: entry.head,
        positive: &pool[start..middle],
        negative: &pool[middle..end],
    }
}
