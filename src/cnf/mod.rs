//! [`Cnf`]: an extended stochastic SAT formula, a quantifier prefix over a conjunction of clauses.
//!
//! Variables are numbered from 0 here and everywhere else; the numbers of DIMACS, which begin at 1, exist
//! only where it is read and written: [`dimacs`].

pub mod dimacs;

use num_bigint::BigUint;
use num_rational::Ratio;
use std::ops::Not;

/// A variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Var(u32);

impl Var {
    /// The variable at a position of a table indexed by it.
    pub fn new(index: usize) -> Var {
        Var(index as u32)
    }

    /// Position in tables indexed by it.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The literal that is true if the variable is.
    pub fn positive(self) -> Lit {
        Lit(self.0 << 1)
    }
}

/// A variable or its negation: `variable << 1 | negated`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lit(u32);

impl Lit {
    /// The variable.
    pub fn var(self) -> Var {
        Var(self.0 >> 1)
    }

    /// Whether the variable has to be false.
    pub fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    /// Position in tables indexed by literals: twice the variable's, one more if negated.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl Not for Lit {
    type Output = Lit;

    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

/// How the variables of a block get their values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Quantifier {
    /// The value is the maximum.
    Exists,
    /// The value is the minimum.
    ForAll,
    /// The value is the mean; each variable is true with this probability, independently.
    Chance(Ratio<BigUint>),
}

/// Neighbouring variables of the prefix with the same quantifier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Their quantifier.
    pub quantifier: Quantifier,
    /// The variables; their order has no meaning.
    pub variables: Vec<Var>,
}

/// A formula. Every variable stands in exactly one block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cnf {
    /// How many variables there are.
    pub variables: usize,
    /// The quantifiers, outermost first.
    pub prefix: Vec<Block>,
    /// The clauses; an empty one makes the formula false.
    pub clauses: Clauses,
}

/// Clauses, one after the other in one array.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Clauses {
    literals: Vec<Lit>,
    /// Where each clause ends.
    ends: Vec<u32>,
}

impl Clauses {
    /// Appends a clause.
    pub fn push(&mut self, clause: &[Lit]) {
        self.literals.extend_from_slice(clause);
        self.ends.push(self.literals.len() as u32);
    }

    /// Number of clauses.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no clause: the formula is true.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The clauses in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[Lit]> {
        let start = |clause: usize| {
            clause
                .checked_sub(1)
                .map_or(0, |before| self.ends[before] as usize)
        };
        (0..self.len()).map(move |clause| &self.literals[start(clause)..self.ends[clause] as usize])
    }
}
