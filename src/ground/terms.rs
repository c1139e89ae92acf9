//! Ground terms, each stored once: equal terms have equal ids.

use crate::term::{Symbol, Term};
use ahash::RandomState;
use hashbrown::HashTable;
use std::cmp::Ordering;
use std::collections::HashMap;
use std::fmt;

/// A ground term of a [`TermStore`]; equal ids are equal terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TermId(pub(crate) u32);

/// A name of a [`TermStore`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct SymbolId(u32);

/// All ground terms of a grounding, hash-consed.
#[derive(Clone)]
pub struct TermStore {
    symbols: Vec<Symbol>,
    symbol_ids: HashMap<Symbol, SymbolId, RandomState>,
    /// Name of each term, indexed by term.
    names: Vec<SymbolId>,
    /// Where each term's arguments start in `args`; one more entry than terms.
    bounds: Vec<u32>,
    args: Vec<TermId>,
    /// Nesting of each term; a constant has 0.
    depths: Vec<u32>,
    table: HashTable<TermId>,
    hasher: RandomState,
}

/// A hasher that is the same in every run: nothing that is printed may depend on a random seed.
pub(crate) fn fixed_hasher() -> RandomState {
    RandomState::with_seeds(0x243f_6a88, 0x85a3_08d3, 0x1319_8a2e, 0x0370_7344)
}

impl TermStore {
    pub(crate) fn new() -> TermStore {
        TermStore {
            symbols: Vec::new(),
            symbol_ids: HashMap::with_hasher(fixed_hasher()),
            names: Vec::new(),
            bounds: vec![0],
            args: Vec::new(),
            depths: Vec::new(),
            table: HashTable::new(),
            hasher: fixed_hasher(),
        }
    }

    pub(crate) fn symbol(&mut self, symbol: &Symbol) -> SymbolId {
        if let Some(&id) = self.symbol_ids.get(symbol) {
            return id;
        }
        let id = SymbolId(self.symbols.len() as u32);
        self.symbols.push(symbol.clone());
        self.symbol_ids.insert(symbol.clone(), id);
        id
    }

    /// The term `name(args…)`.
    pub(crate) fn intern(&mut self, name: SymbolId, args: &[TermId]) -> TermId {
        let hash = self.hasher.hash_one((name, args));
        let (names, bounds, pool) = (&self.names, &self.bounds, &self.args);
        let args_of = |t: TermId| &pool[bounds[t.0 as usize] as usize..bounds[t.0 as usize + 1] as usize];
        if let Some(&found) = self
            .table
            .find(hash, |&t| names[t.0 as usize] == name && args_of(t) == args)
        {
            return found;
        }
        let id = TermId(self.names.len() as u32);
        let depth = args
            .iter()
            .map(|&a| self.depths[a.0 as usize] + 1)
            .max()
            .unwrap_or(0);
        self.names.push(name);
        self.args.extend_from_slice(args);
        self.bounds.push(self.args.len() as u32);
        self.depths.push(depth);
        let (names, bounds, pool, hasher) = (&self.names, &self.bounds, &self.args, &self.hasher);
        self.table.insert_unique(hash, id, |&t| {
            let range = bounds[t.0 as usize] as usize..bounds[t.0 as usize + 1] as usize;
            hasher.hash_one((names[t.0 as usize], &pool[range]))
        });
        id
    }

    /// The id of a term without variables; `None` if it has one.
    pub(crate) fn intern_term(&mut self, term: &Term) -> Option<TermId> {
        let Term::Function(name, args) = term else {
            return None;
        };
        let args = args
            .iter()
            .map(|arg| self.intern_term(arg))
            .collect::<Option<Vec<_>>>()?;
        let name = self.symbol(name);
        Some(self.intern(name, &args))
    }

    pub(crate) fn name(&self, term: TermId) -> SymbolId {
        self.names[term.0 as usize]
    }

    pub(crate) fn args(&self, term: TermId) -> &[TermId] {
        let index = term.0 as usize;
        &self.args[self.bounds[index] as usize..self.bounds[index + 1] as usize]
    }

    pub(crate) fn depth(&self, term: TermId) -> u32 {
        self.depths[term.0 as usize]
    }

    /// The term as a tree.
    pub fn term(&self, id: TermId) -> Term {
        let name = self.symbols[self.name(id).0 as usize].clone();
        Term::Function(name, self.args(id).iter().map(|&arg| self.term(arg)).collect())
    }

    /// The constant's value, if the term is a constant that reads as an integer.
    pub fn integer(&self, id: TermId) -> Option<i64> {
        if !self.args(id).is_empty() {
            return None;
        }
        self.symbols[self.name(id).0 as usize].as_str().parse().ok()
    }

    /// Order for people: integers by value, then names by alphabet, then arguments from the left.
    pub(crate) fn compare(&self, a: TermId, b: TermId) -> Ordering {
        if a == b {
            return Ordering::Equal;
        }
        match (self.integer(a), self.integer(b)) {
            (Some(x), Some(y)) if x != y => return x.cmp(&y),
            (Some(_), None) => return Ordering::Less,
            (None, Some(_)) => return Ordering::Greater,
            _ => {}
        }
        let name = |t: TermId| &self.symbols[self.name(t).0 as usize];
        name(a)
            .cmp(name(b))
            .then_with(|| self.compare_all(self.args(a), self.args(b)))
    }

    /// [`TermStore::compare`] for sequences: by the first difference, then by length.
    pub(crate) fn compare_all(&self, a: &[TermId], b: &[TermId]) -> Ordering {
        let first_difference = a
            .iter()
            .zip(b)
            .map(|(&x, &y)| self.compare(x, y))
            .find(|o| o.is_ne());
        first_difference.unwrap_or_else(|| a.len().cmp(&b.len()))
    }

    /// KIF notation of a term.
    pub fn display(&self, id: TermId) -> impl fmt::Display + '_ {
        TermDisplay { store: self, id }
    }
}

struct TermDisplay<'a> {
    store: &'a TermStore,
    id: TermId,
}

impl fmt::Display for TermDisplay<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = &self.store.symbols[self.store.name(self.id).0 as usize];
        let args = self.store.args(self.id);
        if args.is_empty() {
            return f.write_str(name.as_str());
        }
        write!(f, "({name}")?;
        args.iter()
            .try_for_each(|&arg| write!(f, " {}", self.store.display(arg)))?;
        f.write_str(")")
    }
}
