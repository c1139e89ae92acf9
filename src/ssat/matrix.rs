//! [`Matrix`]: a formula made ready for the search.
//!
//! Variables are renumbered so that outer ones come first, and neighbouring blocks of the same kind are
//! one *level* (quantifiers of the same kind commute, also chance with different probabilities). So the
//! first unassigned variable may always be decided next.
//!
//! Clauses are sorted, without repeated or complementary literals, and universally reduced: a universal
//! literal inside of all other literals of its clause is dropped, because the opponent sets it last.
//!
//! Clauses of two literals are kept apart, as *pairs*: they are most clauses of a game, and need
//! no counters, because as long as one is active both its literals are open.

use crate::cnf::{Cnf, Quantifier};
use crate::fraction::Fraction;

/// How a variable gets its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Exists,
    ForAll,
    Chance,
}

/// A variable with its value: `variable << 1 | negated`.
pub(super) type Literal = u32;

/// A clause's place in [`Matrix::literals`].
#[derive(Clone, Copy)]
struct Range {
    start: u32,
    end: u32,
}

/// Lists by literal, one after the other in one array.
struct Lists {
    items: Vec<u32>,
    /// By literal: where its list starts; one more at the end.
    starts: Vec<u32>,
}

impl Lists {
    /// Collects the items of every literal, in order.
    fn new(literals: usize, items: impl Iterator<Item = (Literal, u32)> + Clone) -> Lists {
        let mut starts = vec![0u32; literals + 1];
        for (literal, _) in items.clone() {
            starts[literal as usize + 1] += 1;
        }
        for literal in 0..literals {
            starts[literal + 1] += starts[literal];
        }
        let mut next = starts.clone();
        let mut lists = vec![0; starts[literals] as usize];
        for (literal, item) in items {
            lists[next[literal as usize] as usize] = item;
            next[literal as usize] += 1;
        }
        Lists { items: lists, starts }
    }

    #[inline]
    fn of(&self, literal: Literal) -> &[u32] {
        let (start, end) = (self.starts[literal as usize], self.starts[literal as usize + 1]);
        &self.items[start as usize..end as usize]
    }
}

pub(super) struct Matrix {
    /// By variable.
    pub kinds: Vec<Kind>,
    /// By variable: the number of changes of quantifier outside of it.
    pub levels: Vec<u32>,
    /// By literal: the probability that it is true; of no meaning for variables without chance.
    pub probabilities: Vec<Fraction>,
    /// The literals of all clauses but pairs, one clause after the other, each sorted.
    literals: Vec<Literal>,
    clauses: Vec<Range>,
    /// By literal: the clauses in which it stands, without pairs.
    occurrences: Lists,
    /// By literal: the literals with which it forms a pair.
    pairs: Lists,
    /// Literals that are true whatever the clauses say: chance with probability 1.
    pub certain: Vec<Literal>,
}

impl Matrix {
    pub fn new(cnf: &Cnf) -> Matrix {
        let mut matrix = Matrix::without_clauses(cnf);
        let numbers = numbers(cnf);
        let mut clauses: Vec<Vec<Literal>> = Vec::with_capacity(cnf.clauses.len());
        for clause in cnf.clauses.iter() {
            let literal =
                |lit: &crate::cnf::Lit| numbers[lit.var().index()] << 1 | u32::from(lit.is_negated());
            let mut clause: Vec<Literal> = clause.iter().map(literal).collect();
            clause.sort_unstable();
            clause.dedup();
            let is_tautology = clause.windows(2).any(|pair| pair[0] ^ 1 == pair[1]);
            if !is_tautology {
                matrix.reduce(&mut clause);
                clauses.push(clause);
            }
        }
        clauses.sort_unstable();
        clauses.dedup();
        matrix.set_clauses(&clauses);
        matrix
    }

    fn without_clauses(cnf: &Cnf) -> Matrix {
        let mut matrix = Matrix {
            kinds: Vec::with_capacity(cnf.variables),
            levels: Vec::with_capacity(cnf.variables),
            probabilities: Vec::with_capacity(2 * cnf.variables),
            literals: Vec::new(),
            clauses: Vec::new(),
            occurrences: Lists::new(0, std::iter::empty()),
            pairs: Lists::new(0, std::iter::empty()),
            certain: Vec::new(),
        };
        for block in &cnf.prefix {
            let (kind, probability) = match &block.quantifier {
                Quantifier::Exists => (Kind::Exists, Fraction::whole(1)),
                Quantifier::ForAll => (Kind::ForAll, Fraction::whole(1)),
                Quantifier::Chance(probability) => (Kind::Chance, Fraction::from(probability.clone())),
            };
            for _ in &block.variables {
                matrix.add_variable(kind, &probability);
            }
        }
        matrix
    }

    fn add_variable(&mut self, kind: Kind, probability: &Fraction) {
        let variable = self.kinds.len() as u32;
        let level = match (self.levels.last(), self.kinds.last()) {
            (Some(&level), Some(&before)) => level + u32::from(before != kind),
            _ => 0,
        };
        let (zero, one) = (Fraction::whole(0), Fraction::whole(1));
        if kind == Kind::Chance && (*probability == zero || *probability == one) {
            self.certain.push(variable << 1 | u32::from(*probability == zero));
        }
        self.kinds.push(kind);
        self.levels.push(level);
        self.probabilities.push(probability.clone());
        self.probabilities.push(one.minus(probability));
    }

    /// Drops the universal literals inside of all others; variables are sorted from outside to inside.
    fn reduce(&self, clause: &mut Vec<Literal>) {
        while clause
            .last()
            .is_some_and(|&last| self.kinds[variable(last)] == Kind::ForAll)
        {
            clause.pop();
        }
    }

    fn set_clauses(&mut self, clauses: &[Vec<Literal>]) {
        let literals = 2 * self.kinds.len();
        let pairs = clauses.iter().filter(|clause| clause.len() == 2);
        let pairs = pairs.flat_map(|pair| [(pair[0], pair[1]), (pair[1], pair[0])]);
        self.pairs = Lists::new(literals, pairs);
        let others = clauses.iter().filter(|clause| clause.len() != 2);
        for clause in others.clone() {
            let start = self.literals.len() as u32;
            self.literals.extend_from_slice(clause);
            let end = self.literals.len() as u32;
            self.clauses.push(Range { start, end });
        }
        let occurrences = others
            .enumerate()
            .flat_map(|(number, clause)| clause.iter().map(move |&literal| (literal, number as u32)));
        self.occurrences = Lists::new(literals, occurrences);
    }

    /// Number of variables.
    pub fn variables(&self) -> usize {
        self.kinds.len()
    }

    /// Number of clauses without pairs.
    pub fn clauses(&self) -> usize {
        self.clauses.len()
    }

    /// The literals of a clause.
    #[inline]
    pub fn clause(&self, clause: u32) -> &[Literal] {
        let range = self.clauses[clause as usize];
        &self.literals[range.start as usize..range.end as usize]
    }

    /// The clauses of a literal, without pairs.
    #[inline]
    pub fn occurrences(&self, literal: Literal) -> &[u32] {
        self.occurrences.of(literal)
    }

    /// The literals with which a literal forms a pair.
    #[inline]
    pub fn partners(&self, literal: Literal) -> &[Literal] {
        self.pairs.of(literal)
    }
}

/// The variable of a literal.
#[inline]
pub(super) fn variable(literal: Literal) -> usize {
    (literal >> 1) as usize
}

/// The new number of every variable: its place in the prefix.
fn numbers(cnf: &Cnf) -> Vec<u32> {
    let mut numbers = vec![0; cnf.variables];
    let variables = cnf.prefix.iter().flat_map(|block| &block.variables);
    for (number, variable) in variables.enumerate() {
        numbers[variable.index()] = number as u32;
    }
    numbers
}
