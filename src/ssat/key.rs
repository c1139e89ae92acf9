//! Keys: a residual formula as bytes, the same bytes for the same formula and for no other.
//!
//! A residual formula is what an assignment leaves: active clauses without their false literals. It is
//! written as
//!
//! ```text
//! number of touched clauses | touched clauses, as ids in ascending order | variables, as runs
//! ```
//!
//! all as differences in a variable-length code. That is enough: a clause of the matrix that is not
//! touched is active exactly if all its variables are among those of the key. Touched clauses are named
//! by what is left of them and not by where they come from, so that assignments which leave the same
//! clauses, perhaps of different origin, have the same key: in the formula of a game, all plays that lead
//! to a position. The id of a literal set is its number in a table of all that were met. When that table
//! takes too much memory it is emptied, and keys from before mean nothing any more: an *age* of keys is over.

use super::matrix::{Literal, Matrix};
use super::state::State;
use ahash::RandomState;
use hashbrown::HashMap;

/// The longest clause whose remainders are looked up by the pattern of its false literals, if memory allows.
const SHORT: usize = 12;
/// Patterns of all short clauses together, at most.
const MOST_PATTERNS: usize = 1 << 22;
/// No id.
const NONE: u32 = u32::MAX;

/// Names clauses and writes keys.
pub(super) struct Keys {
    /// By clause: where the ids of its remainders start in `patterns`, or `NONE` if it is long.
    starts: Vec<u32>,
    /// By pattern of false literals, for each short clause: the id of the remainder, or `NONE`.
    patterns: Vec<u32>,
    ids: HashMap<Box<[Literal]>, u32, RandomState>,
    /// How often `ids` was emptied.
    age: u32,
    /// The ids of the key that is being written.
    touched: Vec<u32>,
    literals: Vec<Literal>,
    bytes: Vec<u8>,
}

impl Keys {
    pub fn new(matrix: &Matrix) -> Keys {
        let lengths = || (0..matrix.clauses() as u32).map(|clause| matrix.clause(clause).len());
        let patterns = |longest: usize| lengths().filter(|&l| l <= longest).map(|l| 1 << l).sum::<usize>();
        let short = (0..=SHORT)
            .rev()
            .find(|&longest| patterns(longest) <= MOST_PATTERNS);
        let short = short.unwrap_or(0);
        let mut end = 0;
        let starts = lengths().map(|length| match length {
            _ if length <= short => {
                end += 1 << length;
                end - (1 << length)
            }
            _ => NONE,
        });
        Keys {
            starts: starts.collect(),
            patterns: vec![NONE; end as usize],
            ids: HashMap::default(),
            age: 0,
            touched: Vec::new(),
            literals: Vec::new(),
            bytes: Vec::new(),
        }
    }

    /// The key of what a state leaves. No variable before `from` is left.
    pub fn key(&mut self, state: &State, from: usize) -> &[u8] {
        self.touched.clear();
        for clause in state.touched.iter() {
            let id = self.id(state, clause as u32);
            self.touched.push(id);
        }
        self.touched.sort_unstable();
        self.touched.dedup();
        self.bytes.clear();
        write_number(&mut self.bytes, self.touched.len() as u32);
        let mut before = 0;
        for &id in &self.touched {
            write_number(&mut self.bytes, id - before);
            before = id;
        }
        write_runs(&mut self.bytes, state.variables.words(from), from / 64 * 64);
        &self.bytes
    }

    /// Keys can be compared if they were written in the same age.
    pub fn age(&self) -> u32 {
        self.age
    }

    /// Begins a new age.
    pub fn forget(&mut self) {
        self.ids.clear();
        self.patterns.fill(NONE);
        self.age += 1;
    }

    /// Estimate of the bytes of the table of literal sets.
    pub fn bytes(&self) -> usize {
        self.ids.len() * 80
    }

    fn id(&mut self, state: &State, clause: u32) -> u32 {
        let start = self.starts[clause as usize];
        if start == NONE {
            return self.remainder(state, clause);
        }
        let place = (start + state.falsified(clause)) as usize;
        if self.patterns[place] == NONE {
            self.patterns[place] = self.remainder(state, clause);
        }
        self.patterns[place]
    }

    /// The id of what is left of a clause.
    fn remainder(&mut self, state: &State, clause: u32) -> u32 {
        self.literals.clear();
        self.literals.extend(state.residual(clause));
        if let Some(&id) = self.ids.get(self.literals.as_slice()) {
            return id;
        }
        let id = self.ids.len() as u32;
        self.ids.insert(self.literals.as_slice().into(), id);
        id
    }
}

/// Seven bits per byte, the lowest first; the highest bit says that more follow.
fn write_number(bytes: &mut Vec<u8>, mut number: u32) {
    while number >= 128 {
        bytes.push(number as u8 | 128);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// The places where the bits change, as differences.
fn write_runs(bytes: &mut Vec<u8>, words: &[u64], first: usize) {
    let (mut carry, mut before) = (0, 0);
    for (word, &bits) in words.iter().enumerate() {
        let mut changes = bits ^ (bits << 1 | carry);
        carry = bits >> 63;
        while changes != 0 {
            let place = (first + word * 64) as u32 + changes.trailing_zeros();
            write_number(bytes, place - before);
            before = place;
            changes &= changes - 1;
        }
    }
}
