//! The search: decide the outermost variable, see what follows, go on with what is left.
//!
//! Contract of [`Search::solve`]: the interval contains the value v of the residual formula, and unless a
//! limit was reached it answers the window: it is exact, or `hi <= window.lo`, or `lo >= window.hi`.

use super::Progress;
use super::cache::Cache;
use super::components::{Part, Splitter};
use super::interval::{Interval, Window};
use super::key::Keys;
use super::limits::Limits;
use super::matrix::{Kind, Literal, Matrix};
use super::state::State;
use crate::fraction::Fraction;
use std::cmp::Reverse;
use std::sync::atomic::{AtomicU64, Ordering};

/// Variables of a level that are compared for a decision.
const MOST_COMPARED: usize = 64;

pub(super) struct Search<'a> {
    state: State<'a>,
    keys: Keys,
    splitter: Splitter,
    cache: Cache,
    /// Bytes that the ids of keys may take; the cache has as much.
    most_ids: usize,
    limits: &'a Limits<'a>,
    /// Residual formulas that were looked at.
    formulas: u64,
    /// Those of them that the cache answered.
    hits: u64,
    /// Open decisions.
    depth: usize,
}

/// What is decided.
#[derive(Clone, Copy)]
struct Decision {
    variable: usize,
    /// The first variable that is left; the decision is of the same level.
    first: usize,
}

impl Decision {
    fn positive(self) -> Literal {
        (self.variable as u32) << 1
    }
}

impl<'a> Search<'a> {
    pub fn new(matrix: &'a Matrix, memory: usize, limits: &'a Limits<'a>) -> Search<'a> {
        Search {
            state: State::new(matrix),
            keys: Keys::new(matrix),
            splitter: Splitter::new(matrix),
            cache: Cache::new(memory - memory / 2),
            most_ids: memory / 2,
            limits,
            formulas: 0,
            hits: 0,
            depth: 0,
        }
    }

    /// The value of the whole formula.
    pub fn run(&mut self) -> Interval {
        match self.state.start() {
            Err(_) => Interval::zero(),
            Ok(factor) => self.solve(Window::ALL, 0).times(&factor),
        }
    }

    /// The value of what is left; no variable before `from` is.
    fn solve(&mut self, window: Window, from: usize) -> Interval {
        let Some(variable) = self.state.variables.first(from) else {
            return Interval::one();
        };
        self.formulas += 1;
        let key = self.keys.key(&self.state, variable);
        let known = self.cache.get(key).cloned().unwrap_or(Interval::unknown());
        if known.answers(window) {
            self.hits += 1;
            return known;
        }
        let (key, age): (Box<[u8]>, u32) = (key.into(), self.keys.age());
        if self.is_over() {
            return known;
        }
        self.depth += 1;
        let parts = self.splitter.split(&self.state, variable);
        let mut found = self.expand(variable, parts.as_deref(), window).and(&known);
        if !found.answers(window) && self.limits.reached().is_none() {
            found = self.expand(variable, parts.as_deref(), Window::ALL).and(&found);
        }
        self.depth -= 1;
        if self.limits.reached().is_some() {
            // The way back takes long if numbers grow on it.
            return found.shortened();
        }
        self.remember(key, age, &found);
        found
    }

    /// Puts what was found into the cache, if its key still means something.
    fn remember(&mut self, key: Box<[u8]>, age: u32, found: &Interval) {
        if self.keys.bytes() > self.most_ids {
            self.keys.forget();
            self.cache.clear();
        }
        if age == self.keys.age() {
            self.cache.insert(key, found.clone());
        }
    }

    fn is_over(&self) -> bool {
        // The first formula looks too, so that a run without time says so.
        if self.formulas % 256 == 1 {
            self.limits.poll(|progress| self.publish(progress));
        }
        self.limits.check_depth(self.depth);
        self.limits.reached().is_some()
    }

    /// Tells those who watch how far the run is.
    pub fn publish(&self, progress: &Progress) {
        let write = |counter: &AtomicU64, number| counter.store(number, Ordering::Relaxed);
        write(&progress.formulas, self.formulas);
        write(&progress.cache_hits, self.hits);
        write(&progress.cache_entries, self.cache.len() as u64);
        write(
            &progress.cache_bytes,
            (self.cache.bytes() + self.keys.bytes()) as u64,
        );
    }

    /// The value of what is left, part by part or by a decision. `first` is the first variable that is left.
    fn expand(&mut self, first: usize, parts: Option<&[Part]>, window: Window) -> Interval {
        match parts {
            Some(parts) => self.product(parts, window),
            None => {
                let variable = self.choose(first);
                self.branch(Decision { variable, first }, window)
            }
        }
    }

    /// The variable to decide, of the outermost level that is left. For existential ones the first, because
    /// the makers of formulas list choices before what follows from them; else the one in most clauses: in a
    /// chain of alternatives that is the one which makes the others irrelevant. (S-TT 3x3: half as many
    /// formulas as with the first.)
    fn choose(&self, first: usize) -> usize {
        let (state, matrix) = (&self.state, self.state.matrix);
        if matrix.kinds[first] == Kind::Exists {
            return first;
        }
        let following = |&variable: &usize| state.variables.first(variable + 1);
        let left = std::iter::successors(Some(first), following)
            .take_while(|&variable| matrix.levels[variable] == matrix.levels[first])
            .take(MOST_COMPARED);
        // Of equal ones the first.
        left.min_by_key(|&variable| Reverse(state.activity(variable)))
            .unwrap_or(first)
    }

    /// The product of the values of the parts; the rest is not looked at if it cannot change the answer.
    fn product(&mut self, parts: &[Part], window: Window) -> Interval {
        let mut product = Interval::one();
        parts.iter().for_each(|part| self.state.hide(part));
        for part in parts {
            if product.hi == Fraction::whole(0) || product.hi.approximate() <= window.lo {
                product.lo = Fraction::whole(0);
                break;
            }
            self.state.show(part);
            product = product.product(&self.solve(window.factor(&product), 0));
            self.state.hide(part);
        }
        parts.iter().for_each(|part| self.state.show(part));
        product
    }

    fn branch(&mut self, decision: Decision, window: Window) -> Interval {
        match self.state.matrix.kinds[decision.variable] {
            Kind::Exists => self.exists(decision, window),
            Kind::ForAll => self.for_all(decision, window),
            Kind::Chance => self.chance(decision, window),
        }
    }

    fn exists(&mut self, decision: Decision, window: Window) -> Interval {
        let first = self.assume(decision, decision.positive(), window);
        if first.lo == Fraction::whole(1) || first.lo.approximate() >= window.hi {
            let hi = Fraction::whole(1);
            return Interval { lo: first.lo, hi };
        }
        let second = self.assume(decision, decision.positive() ^ 1, window.above(&first.lo));
        first.max(second)
    }

    fn for_all(&mut self, decision: Decision, window: Window) -> Interval {
        let first = self.assume(decision, decision.positive(), window);
        if first.hi == Fraction::whole(0) || first.hi.approximate() <= window.lo {
            let lo = Fraction::whole(0);
            return Interval { lo, hi: first.hi };
        }
        let second = self.assume(decision, decision.positive() ^ 1, window.below(&first.hi));
        first.min(second)
    }

    /// The likelier side first: it narrows the interval more.
    fn chance(&mut self, decision: Decision, window: Window) -> Interval {
        let positive = decision.positive();
        let probabilities = &self.state.matrix.probabilities;
        let is_likelier =
            |literal: Literal| probabilities[literal as usize] >= probabilities[literal as usize ^ 1];
        let literal = if is_likelier(positive) {
            positive
        } else {
            positive ^ 1
        };
        let (p, q) = (
            &probabilities[literal as usize],
            &probabilities[literal as usize ^ 1],
        );
        let rest = Interval::unknown().times(q);
        let first = self.assume(decision, literal, window.share(p, &rest)).times(p);
        let both = first.plus(&rest);
        if both.answers(window) {
            return both;
        }
        let second = self
            .assume(decision, literal ^ 1, window.share(q, &first))
            .times(q);
        first.plus(&second)
    }

    /// The value with a literal made true.
    fn assume(&mut self, decision: Decision, literal: Literal, window: Window) -> Interval {
        let mark = self.state.mark();
        let found = match self.state.assign(literal) {
            Err(_) => Interval::zero(),
            Ok(factor) if factor == Fraction::whole(1) => self.solve(window, decision.first),
            Ok(factor) => {
                let window = window.share(&factor, &Interval::zero());
                self.solve(window, decision.first).times(&factor)
            }
        };
        self.state.undo(mark);
        found
    }
}
