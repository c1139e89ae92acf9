//! What unit clauses decide.
//!
//! A unit clause over an existential variable decides it. Over a universal one it makes the formula false.
//! Over a chance variable it is a factor of the value: it stays, and elsewhere the variable has that value,
//! because nothing else counts.

use super::complete::WireClauses;
use super::gates::Wire;
use ahash::RandomState;
use hashbrown::HashTable;

/// What is left of a formula.
pub(super) struct Simplified {
    /// What is decided, indexed by node; a chance variable that is decided has a unit clause.
    pub(super) values: Vec<Option<bool>>,
    /// The clauses over what is not, none twice; just an empty one if the formula is false.
    pub(super) clauses: WireClauses,
}

/// Propagates unit clauses. `levels` tells the quantifier of each node.
pub(super) fn simplify(clauses: &WireClauses, levels: &[u32]) -> Simplified {
    let mut propagation = Propagation {
        clauses,
        levels,
        occurrences: Occurrences::new(clauses, levels.len()),
        open: clauses.iter().map(|clause| clause.len() as u32).collect(),
        values: vec![None; levels.len()],
        queue: Vec::new(),
        factors: Vec::new(),
    };
    match propagation.run() {
        Ok(()) => propagation.finish(),
        Err(False) => {
            let mut clauses = WireClauses::default();
            clauses.ends.push(0);
            Simplified {
                values: propagation.values,
                clauses,
            }
        }
    }
}

/// The formula is false.
struct False;

/// The clauses in which each wire stands.
struct Occurrences {
    ends: Vec<u32>,
    clauses: Vec<u32>,
}

impl Occurrences {
    fn new(clauses: &WireClauses, nodes: usize) -> Occurrences {
        let mut ends = vec![0u32; 2 * nodes];
        clauses.wires.iter().for_each(|wire| ends[wire.index()] += 1);
        let mut total = 0;
        for end in &mut ends {
            total += std::mem::replace(end, total);
        }
        let mut list = vec![0; total as usize];
        for (number, clause) in clauses.iter().enumerate() {
            for wire in clause {
                let next = &mut ends[wire.index()];
                list[*next as usize] = number as u32;
                *next += 1;
            }
        }
        Occurrences { ends, clauses: list }
    }

    fn of(&self, wire: Wire) -> &[u32] {
        let start = wire.index().checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.clauses[start as usize..self.ends[wire.index()] as usize]
    }
}

struct Propagation<'a> {
    clauses: &'a WireClauses,
    levels: &'a [u32],
    occurrences: Occurrences,
    /// How many wires of each clause are not decided to be false.
    open: Vec<u32>,
    values: Vec<Option<bool>>,
    queue: Vec<Wire>,
    /// The chance variables that are decided.
    factors: Vec<Wire>,
}

impl Propagation<'_> {
    fn run(&mut self) -> Result<(), False> {
        for clause in 0..self.open.len() {
            self.visit(clause)?;
        }
        while let Some(wire) = self.queue.pop() {
            for at in 0..self.occurrences.of(!wire).len() {
                let clause = self.occurrences.of(!wire)[at] as usize;
                self.open[clause] -= 1;
                self.visit(clause)?;
            }
        }
        Ok(())
    }

    fn visit(&mut self, clause: usize) -> Result<(), False> {
        if self.open[clause] > 1 {
            return Ok(());
        }
        let wires = self.clauses.get(clause);
        if wires.iter().any(|&wire| self.value(wire) == Some(true)) {
            return Ok(());
        }
        match wires.iter().find(|&&wire| self.value(wire).is_none()) {
            None => Err(False),
            Some(&unit) => self.decide(unit),
        }
    }

    fn decide(&mut self, unit: Wire) -> Result<(), False> {
        match self.levels[unit.node()] % 4 {
            2 => return Err(False),
            0 => self.factors.push(unit),
            _ => {}
        }
        self.values[unit.node()] = Some(!unit.is_negated());
        self.queue.push(unit);
        Ok(())
    }

    fn value(&self, wire: Wire) -> Option<bool> {
        self.values[wire.node()].map(|value| value != wire.is_negated())
    }

    fn finish(self) -> Simplified {
        let mut kept = Distinct::default();
        let mut clause = Vec::new();
        for wires in self.clauses.iter() {
            if wires.iter().any(|&wire| self.value(wire) == Some(true)) {
                continue;
            }
            clause.clear();
            clause.extend(wires.iter().copied().filter(|&wire| self.value(wire).is_none()));
            kept.insert(&clause);
        }
        self.factors.iter().for_each(|&factor| kept.insert(&[factor]));
        Simplified {
            values: self.values,
            clauses: kept.clauses,
        }
    }
}

/// Clauses without duplicates.
struct Distinct {
    clauses: WireClauses,
    table: HashTable<u32>,
    hasher: RandomState,
}

impl Default for Distinct {
    fn default() -> Distinct {
        Distinct {
            clauses: WireClauses::default(),
            table: HashTable::new(),
            hasher: RandomState::with_seeds(1, 2, 3, 4),
        }
    }
}

impl Distinct {
    fn insert(&mut self, clause: &[Wire]) {
        let hash = self.hasher.hash_one(clause);
        let clauses = &self.clauses;
        if self
            .table
            .find(hash, |&other| clauses.get(other as usize) == clause)
            .is_some()
        {
            return;
        }
        self.clauses.wires.extend_from_slice(clause);
        self.clauses.ends.push(self.clauses.wires.len() as u32);
        let (clauses, hasher) = (&self.clauses, &self.hasher);
        let number = clauses.ends.len() as u32 - 1;
        self.table.insert_unique(hash, number, |&other| {
            hasher.hash_one(clauses.get(other as usize))
        });
    }
}
