//! Ground rules as they are found: a flat list without duplicates.

use super::atoms::AtomId;
use super::terms::fixed_hasher;
use ahash::RandomState;
use hashbrown::HashTable;
use std::ops::Deref;
use std::sync::LazyLock;

static HASHER: LazyLock<RandomState> = LazyLock::new(fixed_hasher);

/// A ground rule: `head` holds if all of `positive` and none of `negative` do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
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

/// Ground rules, one after the other.
#[derive(Default)]
pub(crate) struct RuleList {
    entries: Vec<Entry>,
    pool: Vec<AtomId>,
}

impl RuleList {
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(crate) fn get(&self, rule: usize) -> RuleRef<'_> {
        let entry = &self.entries[rule];
        let start = entry.start as usize;
        let middle = start + entry.positive as usize;
        let end = self
            .entries
            .get(rule + 1)
            .map_or(self.pool.len(), |next| next.start as usize);
        RuleRef {
            head: entry.head,
            positive: &self.pool[start..middle],
            negative: &self.pool[middle..end],
        }
    }

    pub(crate) fn source(&self, rule: usize) -> u32 {
        self.entries[rule].source
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = RuleRef<'_>> {
        (0..self.entries.len()).map(|rule| self.get(rule))
    }

    /// Appends a rule whose two lists are sorted.
    pub(crate) fn push(&mut self, rule: RuleRef<'_>, source: u32) {
        let (start, positive) = (self.pool.len() as u32, rule.positive.len() as u32);
        self.entries.push(Entry {
            head: rule.head,
            start,
            positive,
            source,
        });
        self.pool.extend_from_slice(rule.positive);
        self.pool.extend_from_slice(rule.negative);
    }
}

/// Ground rules without duplicates, in order of insertion.
#[derive(Default)]
pub(crate) struct RuleSet {
    list: RuleList,
    table: HashTable<Hashed>,
}

/// A rule's number with its hash: growing the table need not look at the rules again.
struct Hashed {
    hash: u64,
    rule: u32,
}

impl Deref for RuleSet {
    type Target = RuleList;

    fn deref(&self) -> &RuleList {
        &self.list
    }
}

impl RuleSet {
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
        let hash = HASHER.hash_one(rule);
        let list = &self.list;
        let is_same = |other: &Hashed| other.hash == hash && list.get(other.rule as usize) == rule;
        if self.table.find(hash, is_same).is_some() {
            return false;
        }
        let hashed = Hashed {
            hash,
            rule: self.list.len() as u32,
        };
        self.list.push(rule, source);
        self.table.insert_unique(hash, hashed, |other| other.hash);
        true
    }
}
