//! Parts of a residual formula that share no variable: the value of the whole is the product of theirs.
//!
//! (By induction over the prefix: all values are at least 0, so maximum, minimum and mean over a variable
//! of one part pass through the factor of the other.)
//!
//! Looking for parts costs as much as the residual formula is large, and the formula of a game hardly ever
//! falls apart. So after every search in vain twice as many formulas are passed over as before.

use super::matrix::{Matrix, variable};
use super::state::State;

/// Formulas that are passed over at most.
const LONGEST_WAIT: u32 = 1 << 12;

/// A part of a residual formula.
#[derive(Default)]
pub(super) struct Part {
    pub variables: Vec<usize>,
    /// Its touched clauses.
    pub touched: Vec<usize>,
}

/// Finds parts.
pub(super) struct Splitter {
    /// By variable: the number of the search that met it last.
    variables: Vec<u32>,
    /// By clause: the same.
    clauses: Vec<u32>,
    search: u32,
    /// Formulas to pass over before the next search.
    waiting: u32,
    /// How many were passed over before the last one.
    wait: u32,
    open: Vec<usize>,
}

impl Splitter {
    pub fn new(matrix: &Matrix) -> Splitter {
        Splitter {
            variables: vec![0; matrix.variables()],
            clauses: vec![0; matrix.clauses()],
            search: 0,
            waiting: 0,
            wait: 0,
            open: Vec::new(),
        }
    }

    /// The parts of what a state leaves, if there are several and they were looked for. `first` is the
    /// first variable that is left.
    pub fn split(&mut self, state: &State, first: usize) -> Option<Vec<Part>> {
        if self.waiting > 0 || self.search == u32::MAX {
            self.waiting = self.waiting.saturating_sub(1);
            return None;
        }
        self.search += 1;
        let mut parts = Vec::new();
        let mut next = Some(first);
        while let Some(variable) = next {
            if self.variables[variable] != self.search {
                parts.push(self.part(state, variable));
            }
            next = state.variables.first(variable + 1);
        }
        let is_split = parts.len() > 1;
        self.wait = if is_split {
            0
        } else {
            (2 * self.wait + 1).min(LONGEST_WAIT)
        };
        self.waiting = self.wait;
        is_split.then_some(parts)
    }

    /// Everything that is connected with a variable.
    fn part(&mut self, state: &State, start: usize) -> Part {
        let mut part = Part::default();
        self.meet(start);
        while let Some(variable) = self.open.pop() {
            part.variables.push(variable);
            for literal in [2 * variable as u32, 2 * variable as u32 + 1] {
                self.follow(state, literal, &mut part);
            }
        }
        part
    }

    fn follow(&mut self, state: &State, literal: u32, part: &mut Part) {
        for &partner in state.matrix.partners(literal) {
            if state.is_open(partner) {
                self.meet(variable(partner));
            }
        }
        for &clause in state.matrix.occurrences(literal) {
            if self.clauses[clause as usize] == self.search || !state.is_active(clause) {
                continue;
            }
            self.clauses[clause as usize] = self.search;
            if state.touched.contains(clause as usize) {
                part.touched.push(clause as usize);
            }
            for other in state.residual(clause) {
                self.meet(variable(other));
            }
        }
    }

    fn meet(&mut self, variable: usize) {
        if self.variables[variable] != self.search {
            self.variables[variable] = self.search;
            self.open.push(variable);
        }
    }
}
