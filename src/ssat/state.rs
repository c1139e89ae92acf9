//! [`State`]: a partial assignment, the clauses it leaves, and what follows from it.
//!
//! Invariants between calls, with *active* = not satisfied by a literal of the trail:
//!
//! - `counts[l]` is the number of active clauses with the literal `l`, if its variable is open;
//! - `variables` are the unassigned variables that stand in an active clause;
//! - `touched` are the active clauses with a false literal; all others stand as in the matrix;
//! - of an active clause, `strong` counts the literals without universal ones that are not false, and
//!   `falsified` those that are false;
//! - a pair is active exactly if none of its literals is `done`.
//!
//! What follows (each keeps the value of the formula, whatever the place of the variable in the prefix):
//!
//! - a clause with one existential literal makes it true, because the alternative is worth 0;
//! - the same for a chance literal of probability p: `p V(true) + (1-p) 0`, so the value gets the factor p;
//! - in both cases universal literals inside of it do not help: the opponent makes them false later;
//! - a clause of universal literals only is false;
//! - an existential literal whose negation is in no active clause is true, a universal one false.

use super::bits::Bits;
use super::components::Part;
use super::matrix::{Kind, Literal, Matrix, variable};
use crate::fraction::Fraction;

/// Some clause is false: the value is 0.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Conflict;

#[derive(Clone, Copy)]
struct ClauseState {
    strong: u32,
    falsified: u32,
    is_satisfied: bool,
}

/// The value of a literal.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Truth {
    Open,
    True,
    False,
}

/// A literal of the trail.
struct Step {
    literal: Literal,
    /// How many clauses were satisfied before it.
    satisfied: u32,
}

pub(super) struct State<'a> {
    pub matrix: &'a Matrix,
    /// By literal.
    truths: Vec<Truth>,
    /// By literal: whether it stands in the trail. Literals in the queue are true, but not done.
    done: Vec<bool>,
    clauses: Vec<ClauseState>,
    counts: Vec<u32>,
    pub variables: Bits,
    pub touched: Bits,
    /// What was assigned, in order; what stands behind `trail` waits in `queue`.
    trail: Vec<Step>,
    queue: Vec<Literal>,
    /// Satisfied clauses in the order in which they became so.
    satisfied: Vec<u32>,
    /// Variables one of whose literals left the active clauses.
    thinned: Vec<u32>,
    conflict: Option<Conflict>,
    /// The product of the probabilities of chance literals that had to be true.
    factor: Fraction,
}

impl<'a> State<'a> {
    /// Nothing is assigned and nothing followed yet.
    pub fn new(matrix: &'a Matrix) -> State<'a> {
        let clause_state = |clause| {
            let is_strong = |literal: &&Literal| matrix.kinds[variable(**literal)] != Kind::ForAll;
            ClauseState {
                strong: matrix.clause(clause).iter().filter(is_strong).count() as u32,
                falsified: 0,
                is_satisfied: false,
            }
        };
        let literals = 2 * matrix.variables() as u32;
        let counts: Vec<u32> = (0..literals)
            .map(|l| (matrix.occurrences(l).len() + matrix.partners(l).len()) as u32)
            .collect();
        let mut variables = Bits::new(matrix.variables());
        (0..matrix.variables())
            .filter(|&v| counts[2 * v] + counts[2 * v + 1] > 0)
            .for_each(|v| variables.insert(v));
        State {
            matrix,
            truths: vec![Truth::Open; literals as usize],
            done: vec![false; literals as usize],
            clauses: (0..matrix.clauses() as u32).map(clause_state).collect(),
            counts,
            variables,
            touched: Bits::new(matrix.clauses()),
            trail: Vec::new(),
            queue: Vec::new(),
            satisfied: Vec::new(),
            thinned: (0..matrix.variables() as u32).collect(),
            conflict: None,
            factor: Fraction::whole(1),
        }
    }

    /// Length of the trail, to come back to with [`State::undo`].
    pub fn mark(&self) -> usize {
        self.trail.len()
    }

    /// What follows from the matrix alone, and the factor of the value.
    pub fn start(&mut self) -> Result<Fraction, Conflict> {
        for &literal in &self.matrix.certain {
            self.enqueue(literal);
        }
        for clause in 0..self.clauses.len() as u32 {
            self.look(clause);
        }
        self.propagate()
    }

    /// Makes a literal true with all that follows; the factor is without the literal's own probability.
    pub fn assign(&mut self, literal: Literal) -> Result<Fraction, Conflict> {
        self.enqueue(literal);
        self.propagate()
    }

    /// Whether a literal is neither true nor false.
    pub fn is_open(&self, literal: Literal) -> bool {
        self.truths[literal as usize] == Truth::Open
    }

    /// Whether a clause is not satisfied.
    pub fn is_active(&self, clause: u32) -> bool {
        !self.clauses[clause as usize].is_satisfied
    }

    /// Leaves a part of the residual formula out until it is shown again. Nothing may be assigned in it.
    pub fn hide(&mut self, part: &Part) {
        part.variables.iter().for_each(|&v| self.variables.remove(v));
        part.touched
            .iter()
            .for_each(|&clause| self.touched.remove(clause));
    }

    /// Takes a hidden part back in.
    pub fn show(&mut self, part: &Part) {
        part.variables.iter().for_each(|&v| self.variables.insert(v));
        part.touched
            .iter()
            .for_each(|&clause| self.touched.insert(clause));
    }

    /// In how many active clauses an open variable stands.
    pub fn activity(&self, variable: usize) -> u32 {
        self.counts[2 * variable] + self.counts[2 * variable + 1]
    }

    /// The literals of an active clause that are not false.
    pub fn residual(&self, clause: u32) -> impl Iterator<Item = Literal> {
        let literals = self.matrix.clause(clause).iter().copied();
        literals.filter(|&literal| self.truths[literal as usize] != Truth::False)
    }

    /// Which literals of an active clause are false, as bits in the clause's order; at most 32 literals.
    pub fn falsified(&self, clause: u32) -> u32 {
        let literals = self.matrix.clause(clause).iter().rev();
        literals.fold(0, |mask, &literal| {
            mask << 1 | u32::from(self.truths[literal as usize] == Truth::False)
        })
    }

    fn enqueue(&mut self, literal: Literal) {
        self.truths[literal as usize] = Truth::True;
        self.truths[literal as usize ^ 1] = Truth::False;
        self.queue.push(literal);
    }

    fn propagate(&mut self) -> Result<Fraction, Conflict> {
        let mut next = 0;
        while self.conflict.is_none() {
            if let Some(&literal) = self.queue.get(next) {
                next += 1;
                self.process(literal);
            } else if let Some(variable) = self.thinned.pop() {
                self.set_pure(variable);
            } else {
                break;
            }
        }
        // After a conflict the rest of the queue was never processed.
        for &literal in &self.queue[next..] {
            self.truths[literal as usize] = Truth::Open;
            self.truths[literal as usize ^ 1] = Truth::Open;
        }
        self.queue.clear();
        self.thinned.clear();
        let factor = std::mem::replace(&mut self.factor, Fraction::whole(1));
        match self.conflict.take() {
            Some(conflict) => Err(conflict),
            None => Ok(factor),
        }
    }

    fn process(&mut self, literal: Literal) {
        self.trail.push(Step {
            literal,
            satisfied: self.satisfied.len() as u32,
        });
        self.variables.remove(variable(literal));
        self.done[literal as usize] = true;
        let matrix = self.matrix;
        for &partner in matrix.partners(literal) {
            if !self.done[partner as usize] {
                self.uncount(partner);
            }
        }
        for &partner in matrix.partners(literal ^ 1) {
            match self.truths[partner as usize] {
                Truth::Open => self.force(partner),
                Truth::True => {}
                Truth::False => self.conflict = Some(Conflict),
            }
        }
        for &clause in matrix.occurrences(literal) {
            if !self.clauses[clause as usize].is_satisfied {
                self.satisfy(clause);
            }
        }
        let is_strong = u32::from(matrix.kinds[variable(literal)] != Kind::ForAll);
        for &clause in matrix.occurrences(literal ^ 1) {
            let state = &mut self.clauses[clause as usize];
            if state.is_satisfied {
                continue;
            }
            state.falsified += 1;
            state.strong -= is_strong;
            if state.falsified == 1 {
                self.touched.insert(clause as usize);
            }
            if state.strong <= 1 {
                self.look(clause);
            }
        }
    }

    fn satisfy(&mut self, clause: u32) {
        self.clauses[clause as usize].is_satisfied = true;
        self.satisfied.push(clause);
        self.touched.remove(clause as usize);
        let matrix = self.matrix;
        for &literal in matrix.clause(clause) {
            self.uncount(literal);
        }
    }

    /// Notes that a literal stands in one active clause less.
    #[inline]
    fn uncount(&mut self, literal: Literal) {
        self.counts[literal as usize] -= 1;
        if self.counts[literal as usize] == 0 {
            self.thinned.push(variable(literal) as u32);
        }
    }

    /// Notes that a literal stands in one active clause more.
    #[inline]
    fn count(&mut self, literal: Literal) {
        self.counts[literal as usize] += 1;
        // A literal that was counted before has its variable in the set already.
        if self.counts[literal as usize] == 1 && self.truths[literal as usize] == Truth::Open {
            self.variables.insert(variable(literal));
        }
    }

    /// Makes a literal true because some clause would be false without it.
    fn force(&mut self, literal: Literal) {
        match self.matrix.kinds[variable(literal)] {
            Kind::Exists => {}
            Kind::ForAll => self.conflict = Some(Conflict),
            Kind::Chance => {
                self.factor = self.factor.times(&self.matrix.probabilities[literal as usize]);
            }
        }
        self.enqueue(literal);
    }

    /// Finds out whether a clause is false or forces a literal.
    fn look(&mut self, clause: u32) {
        let strong = self.clauses[clause as usize].strong;
        if strong == 0 {
            self.conflict = Some(Conflict);
        }
        if strong != 1 {
            return;
        }
        // Literals that wait in the queue may be true, or false although they are still counted.
        let matrix = self.matrix;
        let mut universal = None;
        let mut forced = None;
        for &literal in matrix.clause(clause) {
            match (self.truths[literal as usize], matrix.kinds[variable(literal)]) {
                (Truth::True, _) => return,
                (Truth::False, _) => {}
                (Truth::Open, Kind::ForAll) => universal = universal.or(Some(literal)),
                (Truth::Open, _) => forced = Some(literal),
            }
        }
        let Some(forced) = forced else {
            return;
        };
        // Literals are sorted from outside to inside: the first universal one is the outermost.
        if universal.is_some_and(|literal| literal < forced) {
            return;
        }
        self.force(forced);
    }

    /// Assigns a variable that only one player cares about, and forgets one that nobody does.
    fn set_pure(&mut self, variable: u32) {
        let positive = variable << 1;
        if self.truths[positive as usize] != Truth::Open {
            return;
        }
        let counts = (self.counts[positive as usize], self.counts[positive as usize ^ 1]);
        let wanted = match counts {
            (0, 0) => return self.variables.remove(variable as usize),
            (0, _) => positive ^ 1,
            (_, 0) => positive,
            _ => return,
        };
        match self.matrix.kinds[variable as usize] {
            Kind::Exists => self.enqueue(wanted),
            Kind::ForAll => self.enqueue(wanted ^ 1),
            Kind::Chance => {}
        }
    }

    /// Takes back what was assigned since the trail had this length.
    pub fn undo(&mut self, mark: usize) {
        while self.trail.len() > mark {
            if let Some(step) = self.trail.pop() {
                self.unassign(&step);
            }
        }
    }

    fn unassign(&mut self, step: &Step) {
        let literal = step.literal;
        let matrix = self.matrix;
        let is_strong = u32::from(matrix.kinds[variable(literal)] != Kind::ForAll);
        for &clause in matrix.occurrences(literal ^ 1) {
            let state = &mut self.clauses[clause as usize];
            if !state.is_satisfied {
                state.falsified -= 1;
                state.strong += is_strong;
                if state.falsified == 0 {
                    self.touched.remove(clause as usize);
                }
            }
        }
        self.truths[literal as usize] = Truth::Open;
        self.truths[literal as usize ^ 1] = Truth::Open;
        self.done[literal as usize] = false;
        for &partner in matrix.partners(literal) {
            if !self.done[partner as usize] {
                self.count(partner);
            }
        }
        while self.satisfied.len() > step.satisfied as usize {
            if let Some(clause) = self.satisfied.pop() {
                self.unsatisfy(clause);
            }
        }
        if self.counts[literal as usize] + self.counts[literal as usize ^ 1] > 0 {
            self.variables.insert(variable(literal));
        }
    }

    fn unsatisfy(&mut self, clause: u32) {
        let state = &mut self.clauses[clause as usize];
        state.is_satisfied = false;
        if state.falsified > 0 {
            self.touched.insert(clause as usize);
        }
        let matrix = self.matrix;
        for &literal in matrix.clause(clause) {
            self.count(literal);
        }
    }
}
