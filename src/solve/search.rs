//! The engine `search`: depth-first expectiminimax with a table and windows.
//!
//! # Contract
//!
//! Let V(s, n) be the value of state s with n steps left. For `0 <= alpha < beta <= top`, unless a limit
//! is reached, [`Worker::search`]`(s, n, (alpha, beta))` returns bounds with
//!
//! ```text
//! lo <= V(s, n) <= hi    and    complete  or  hi <= alpha  or  lo >= beta
//! ```
//!
//! If a limit is reached, `lo <= V(s, n) <= hi` still holds. With the window `(0, top)` the second part
//! means that the bounds are complete, because `0 <= V <= top`: that is how the search stops at a won or
//! a lost position.
//!
//! # Windows
//!
//! A position is a maximum over rows of a minimum over columns of a mean over outcomes, and each level
//! narrows the window for the one below (Knuth and Moore 1975; Ballard 1983):
//!
//! ```text
//! row       needs  (max(alpha, lo of the best row), beta)
//! column    needs  (alpha, min(beta, hi of the best column))
//! outcome i needs  ((alpha W - sum over j != i of w_j hi_j) / w_i, (beta W - sum over j != i of w_j lo_j) / w_i)
//! ```
//!
//! The last line is Star1: outside of that window the mean is outside of (alpha, beta), whatever the other
//! outcomes turn out to be. What the table knows about them makes it narrower. Star2, which probes each
//! outcome by its most promising move before any is searched, was tried and left out: with the table it
//! narrows little, and tic-tac-toe against a random player took 5096 positions instead of 4019.
//!
//! # Threads
//!
//! Near the root the successors of a position are searched by all threads at once before the position
//! itself goes through them. They meet in the table, which only ever holds proven bounds, so threads
//! change which bounds are found first, but not what a complete value is.

use std::sync::atomic::Ordering;

use rayon::prelude::*;

use crate::game::{Game, GameError, Position};

use super::answer::StopReason;
use super::bounds::{Bounds, UNBOUNDED, Window};
use super::limits::Limits;
use super::node::Node;
use super::number::Number;
use super::position::{Sides, successors};
use super::question::{Objective, Pruning};
use super::table::Table;

/// The longest play that the search can follow, in steps. Its recursion takes one frame of the machine's
/// stack per step, and the threads' stacks are made for this depth.
pub const DEPTH_LIMIT: u32 = 100_000;

/// So far from the root what is proven about a position is let go when a limit is reached: it would hardly
/// make the interval narrower, and in long plays the numbers are long as well.
const KEPT_LEVELS: u32 = 256;

/// With numbers of so many bytes a step takes long enough for the clock to be looked at.
const LONG_NUMBER: usize = 1024;

/// What all threads share.
pub(super) struct Search<'a, G: Game, N> {
    pub(super) game: &'a G,
    pub(super) sides: Sides,
    pub(super) role: usize,
    pub(super) objective: Objective,
    pub(super) pruning: Pruning,
    pub(super) table: Table<G::State, N>,
    pub(super) limits: &'a Limits,
    /// For how many levels below the root the successors are searched by all threads at once.
    pub(super) split_levels: u32,
}

/// Where a state stands in the play.
#[derive(Clone, Copy)]
pub(super) struct Place {
    /// The steps left, [`UNBOUNDED`] without horizon.
    pub(super) left: u32,
    /// The steps from the start.
    pub(super) depth: u32,
}

impl Place {
    /// Where its successors stand.
    pub(super) fn next(self) -> Place {
        let left = if self.left == UNBOUNDED {
            UNBOUNDED
        } else {
            self.left - 1
        };
        Place {
            left,
            depth: self.depth + 1,
        }
    }
}

/// What a state turns out to be.
pub(super) enum Expanded<S, N> {
    /// Its value is known at sight.
    Leaf(Bounds<N>),
    /// Its value depends on its successors.
    Inner(Node<S, N>),
}

/// One thread's part of the search: scratch space and counters.
pub(super) struct Worker<'a, G: Game, N: Number> {
    shared: &'a Search<'a, G, N>,
    position: Position<G::Move>,
    /// Levels from here on that are searched by all threads at once.
    split_levels: u32,
    visited: u64,
    edges: u64,
    hits: u64,
}

impl<'a, G: Game, N: Number> Worker<'a, G, N> {
    pub(super) fn new(shared: &'a Search<'a, G, N>, split_levels: u32) -> Worker<'a, G, N> {
        let position = Position::new(shared.game.roles().len());
        Worker {
            shared,
            position,
            split_levels,
            visited: 0,
            edges: 0,
            hits: 0,
        }
    }

    /// The value of a state, as the module's contract says.
    pub(super) fn search(
        &mut self,
        state: &G::State,
        at: Place,
        window: &Window<N>,
    ) -> Result<Bounds<N>, GameError> {
        let known = self.shared.table.get(state, at.left, self.top());
        if self.is_decided(&known, window) {
            self.hits += 1;
            return Ok(known);
        }
        if self.must_stop(at.depth) {
            return Ok(known);
        }
        let mut node = match self.expand(state, at)? {
            Expanded::Leaf(bounds) => return Ok(bounds),
            Expanded::Inner(node) => node,
        };
        let split_levels = self.split_levels;
        if split_levels > 0 && node.outcomes.len() > 1 {
            self.search_in_parallel(&mut node, at, window)?;
            self.split_levels -= 1;
        }
        self.rows(&mut node, at, window)?;
        self.split_levels = split_levels;
        if self.gives_up(at) {
            return Ok(known);
        }
        let bounds = node.bounds().one_step_before().meet(known);
        if bounds.lo.heap_bytes() + bounds.hi.heap_bytes() > LONG_NUMBER {
            self.shared.limits.poll();
        }
        self.shared
            .table
            .put(self.shared.game, state, at.left, &bounds, self.shared.limits);
        Ok(bounds)
    }

    /// `max over rows`.
    fn rows(&mut self, node: &mut Node<G::State, N>, at: Place, window: &Window<N>) -> Result<(), GameError> {
        let mut window = window.clone();
        for row in node.promising_rows() {
            window.raise_alpha(node.best_lo());
            if self.is_pruned(window.alpha >= window.beta) {
                break;
            }
            self.columns(node, row, at, &window)?;
        }
        Ok(())
    }

    /// `min over columns`.
    fn columns(
        &mut self,
        node: &mut Node<G::State, N>,
        row: usize,
        at: Place,
        window: &Window<N>,
    ) -> Result<(), GameError> {
        let mut window = window.clone();
        for column in node.promising_columns(row) {
            window.lower_beta(node.best_hi(row));
            if self.is_pruned(window.alpha >= window.beta) {
                break;
            }
            self.outcomes(node, node.cell(row, column), at, &window)?;
        }
        node.update_row(row);
        Ok(())
    }

    /// `mean over outcomes`.
    fn outcomes(
        &mut self,
        node: &mut Node<G::State, N>,
        cell: usize,
        at: Place,
        window: &Window<N>,
    ) -> Result<(), GameError> {
        let places = node.successors.outcomes(cell);
        for place in places {
            if self.is_decided(&node.cells[cell], window) {
                break;
            }
            self.outcome(node, cell, place, at, window)?;
        }
        Ok(())
    }

    /// One outcome within its Star1 window.
    fn outcome(
        &mut self,
        node: &mut Node<G::State, N>,
        cell: usize,
        place: usize,
        at: Place,
        window: &Window<N>,
    ) -> Result<(), GameError> {
        if node.outcomes[place].complete {
            return Ok(());
        }
        let narrow = self.outcome_window(node, cell, place, window);
        let found = self.search(&node.successors.states[place], at.next(), &narrow)?;
        if self.gives_up(at) {
            return Ok(());
        }
        node.learn(cell, place, found);
        let unfinished = !node.outcomes[place].complete && !self.is_decided(&node.cells[cell], window);
        if unfinished && self.shared.limits.reached().is_none() {
            // In floating point the narrow window may have been off by a rounding error.
            let full = Window::full(self.top());
            let found = self.search(&node.successors.states[place], at.next(), &full)?;
            node.learn(cell, place, found);
        }
        Ok(())
    }

    fn outcome_window(
        &self,
        node: &Node<G::State, N>,
        cell: usize,
        place: usize,
        window: &Window<N>,
    ) -> Window<N> {
        let (top, total) = (N::whole(self.top()), node.successors.total);
        let places = node.successors.outcomes(cell);
        if places.len() == 1 {
            return window.clone();
        }
        let others = places.filter(|&other| other != place);
        let weights = &node.successors.weights;
        let highs = others
            .clone()
            .map(|other| (weights[other], &node.outcomes[other].hi));
        let lows = others.map(|other| (weights[other], &node.outcomes[other].lo));
        let alpha = N::share(&window.alpha, total, highs, weights[place]);
        let beta = N::share(&window.beta, total, lows, weights[place]);
        let beta = if beta < top { beta } else { top };
        if alpha < beta {
            Window { alpha, beta }
        } else {
            Window::full(self.top())
        }
    }

    /// Lets all threads search the successors of a position, so that the table knows them.
    fn search_in_parallel(
        &mut self,
        node: &mut Node<G::State, N>,
        at: Place,
        window: &Window<N>,
    ) -> Result<(), GameError> {
        // With neither columns nor chance, a successor needs no more than the position itself.
        let alone = node.successors.columns == 1 && node.successors.total == 1;
        let window = if alone {
            window.clone()
        } else {
            Window::full(self.top())
        };
        let (shared, split_levels) = (self.shared, self.split_levels - 1);
        node.successors.states.par_iter().try_for_each(|state| {
            let mut worker = Worker::new(shared, split_levels);
            worker.search(state, at.next(), &window).map(|_| ())
        })?;
        self.recall(node, at);
        Ok(())
    }

    /// Looks at a state.
    pub(super) fn expand(&mut self, state: &G::State, at: Place) -> Result<Expanded<G::State, N>, GameError> {
        let shared = self.shared;
        shared.game.look(state, &mut self.position)?;
        if self.position.terminal {
            let value = shared.objective.worth(self.position.goals[shared.role]);
            return Ok(Expanded::Leaf(Bounds::terminal(value)));
        }
        if at.left == 0 {
            return Ok(Expanded::Leaf(Bounds::out_of_steps()));
        }
        let (game, sides, limits) = (shared.game, &shared.sides, &shared.limits);
        let Some(successors) = successors(game, sides, state, &self.position, limits)? else {
            return Ok(Expanded::Leaf(Bounds::unknown(self.top())));
        };
        self.visited += 1;
        self.edges += successors.states.len() as u64;
        let mut node = Node::new(successors, self.top());
        self.recall(&mut node, at);
        Ok(Expanded::Inner(node))
    }

    /// Learns what the table knows about the successors.
    fn recall(&self, node: &mut Node<G::State, N>, at: Place) {
        for (outcome, state) in node.outcomes.iter_mut().zip(&node.successors.states) {
            *outcome = self.shared.table.get(state, at.next().left, self.top());
        }
        node.update();
    }

    fn is_decided(&self, bounds: &Bounds<N>, window: &Window<N>) -> bool {
        bounds.complete || self.is_pruned(window.is_missed_by(bounds))
    }

    fn is_pruned(&self, reason: bool) -> bool {
        self.shared.pruning == Pruning::On && reason
    }

    fn must_stop(&mut self, depth: u32) -> bool {
        if depth > DEPTH_LIMIT {
            self.shared.limits.reach(StopReason::Depth);
        }
        if self.visited.is_multiple_of(64) {
            self.flush(depth);
            self.shared.limits.poll();
        }
        self.shared.limits.reached().is_some()
    }

    fn gives_up(&self, at: Place) -> bool {
        at.depth > KEPT_LEVELS && self.shared.limits.reached().is_some()
    }

    fn flush(&mut self, depth: u32) {
        let progress = &self.shared.limits.progress;
        progress
            .visited
            .fetch_add(std::mem::take(&mut self.visited), Ordering::Relaxed);
        progress
            .edges
            .fetch_add(std::mem::take(&mut self.edges), Ordering::Relaxed);
        progress
            .table_hits
            .fetch_add(std::mem::take(&mut self.hits), Ordering::Relaxed);
        progress
            .table_entries
            .store(self.shared.table.len(), Ordering::Relaxed);
        progress.depth.fetch_max(depth.into(), Ordering::Relaxed);
    }

    fn top(&self) -> u8 {
        self.shared.objective.top()
    }
}

impl<G: Game, N: Number> Drop for Worker<'_, G, N> {
    fn drop(&mut self) {
        self.flush(0);
    }
}
