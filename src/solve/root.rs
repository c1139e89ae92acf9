//! The search from its root: threads, the values of the first moves, all horizons.

use std::sync::atomic::Ordering;

use rayon::ThreadPool;
use rayon::prelude::*;

use crate::game::{Game, GameError, Position};

use super::answer::{FirstMove, Interval, Outcome};
use super::bounds::{Bounds, UNBOUNDED, Window};
use super::limits::Limits;
use super::node::Node;
use super::number::Number;
use super::position::{Sides, joint_count, write_joint};
use super::question::{FirstMoves, Options, Question, SolveError};
use super::search::{DEPTH_LIMIT, Expanded, Place, Search, Worker};
use super::table::Table;

/// The stack that one step of a depth-first search takes, generously: even without optimisation it is less.
const STACK_PER_STEP: usize = 12 << 10;
/// The stack for everything else.
const STACK_BASE: usize = 16 << 20;
/// Below the root, for so many levels all threads share the successors of a position.
const SPLIT_LEVELS: u32 = 4;

/// What the search found.
pub(super) struct Found<S, M> {
    pub(super) outcome: Outcome<S>,
    pub(super) first_moves: Vec<FirstMove<M>>,
    pub(super) table_entries: u64,
}

/// What the search found for every horizon, indexed by the horizon.
pub(super) struct FoundCurve<S> {
    pub(super) outcomes: Vec<Outcome<S>>,
    pub(super) table_entries: u64,
}

/// Searches for the value. No play within the question takes more than `longest` steps.
pub(super) fn run<G: Game, N: Number>(
    game: &G,
    question: &Question<G::State>,
    options: &Options,
    limits: &Limits,
    longest: u32,
) -> Result<Found<G::State, G::Move>, SolveError> {
    let search: Search<'_, G, N> = prepare(game, question, options, limits);
    let state = question.start_state(game);
    let left = question.horizon.unwrap_or(UNBOUNDED);
    threads(options, longest)?.install(|| {
        let (bounds, first_moves) = match options.first_moves {
            FirstMoves::Every => every_first_move(&search, &state, left)?,
            FirstMoves::Skip => (value(&search, &state, left)?, Vec::new()),
        };
        let outcome = outcome(&bounds, limits);
        Ok(Found {
            outcome,
            first_moves,
            table_entries: search.table.len(),
        })
    })
}

/// Searches for the values for every horizon from 0 to `last`, with one table.
pub(super) fn run_all_horizons<G: Game, N: Number>(
    game: &G,
    question: &Question<G::State>,
    options: &Options,
    limits: &Limits,
    last: u32,
) -> Result<FoundCurve<G::State>, SolveError> {
    let search: Search<'_, G, N> = prepare(game, question, options, limits);
    let state = question.start_state(game);
    limits
        .progress
        .root_total
        .store(u64::from(last) + 1, Ordering::Relaxed);
    threads(options, last)?.install(|| {
        let mut outcomes = Vec::new();
        let mut least = N::whole(0);
        for left in 0..=last {
            let mut bounds = value(&search, &state, left)?;
            // A larger horizon never has a smaller value, which is all that is left to say after a stop.
            if bounds.lo < least {
                bounds.lo = least.clone();
            }
            least = bounds.lo.clone();
            outcomes.push(outcome(&bounds, limits));
            limits.progress.root_done.fetch_add(1, Ordering::Relaxed);
        }
        Ok(FoundCurve {
            outcomes,
            table_entries: search.table.len(),
        })
    })
}

fn prepare<'a, G: Game, N: Number>(
    game: &'a G,
    question: &Question<G::State>,
    options: &Options,
    limits: &'a Limits,
) -> Search<'a, G, N> {
    Search {
        game,
        sides: Sides::new(question, game.roles().len()),
        role: question.role,
        objective: question.objective,
        pruning: options.pruning,
        table: Table::new(),
        limits,
        split_levels: if options.threads > 1 { SPLIT_LEVELS } else { 0 },
    }
}

/// Threads that can follow a play of so many steps.
pub(super) fn threads(options: &Options, longest: u32) -> Result<ThreadPool, SolveError> {
    let steps = longest.min(DEPTH_LIMIT) as usize;
    rayon::ThreadPoolBuilder::new()
        .num_threads(options.threads.max(1))
        .stack_size(STACK_BASE + steps * STACK_PER_STEP)
        .build()
        .map_err(|error| SolveError::Threads(error.to_string()))
}

fn value<G: Game, N: Number>(
    search: &Search<'_, G, N>,
    state: &G::State,
    left: u32,
) -> Result<Bounds<N>, GameError> {
    let window = Window::full(search.objective.top());
    Worker::new(search, search.split_levels).search(state, Place { left, depth: 0 }, &window)
}

/// The bounds of a position, and those of every first choice of the side that has one.
type Values<N, M> = (Bounds<N>, Vec<FirstMove<M>>);

fn every_first_move<G: Game, N: Number>(
    search: &Search<'_, G, N>,
    state: &G::State,
    left: u32,
) -> Result<Values<N, G::Move>, GameError> {
    let at = Place { left, depth: 0 };
    let mut node = match Worker::new(search, 0).expand(state, at)? {
        Expanded::Leaf(bounds) => return Ok((bounds, Vec::new())),
        Expanded::Inner(node) => node,
    };
    let progress = &search.limits.progress;
    progress
        .root_total
        .store(node.outcomes.len() as u64, Ordering::Relaxed);
    let window = Window::full(search.objective.top());
    node.outcomes = node
        .successors
        .states
        .par_iter()
        .map(|next| {
            let bounds = Worker::new(search, search.split_levels).search(next, at.next(), &window);
            progress.root_done.fetch_add(1, Ordering::Relaxed);
            bounds
        })
        .collect::<Result<_, _>>()?;
    node.update();
    let mut position = Position::new(search.game.roles().len());
    search.game.look(state, &mut position)?;
    let first_moves = first_moves(&search.sides, &position, &node);
    Ok((node.bounds(), first_moves))
}

/// The choices of the maximising role; if it has none, those of the minimising roles; if only chance has
/// a choice, none.
fn first_moves<S, M: Copy, N: Number>(
    sides: &Sides,
    position: &Position<M>,
    node: &Node<S, N>,
) -> Vec<FirstMove<M>> {
    let legal = &position.legal;
    let (rows, columns) = (node.successors.rows, node.successors.columns);
    let Some(mut joint) = legal
        .iter()
        .map(|moves| moves.first().copied())
        .collect::<Option<Vec<M>>>()
    else {
        return Vec::new();
    };
    let (roles, values) = match (rows, columns) {
        (1, 1) if joint_count(&sides.chance, legal) != Some(1) => return Vec::new(),
        (1, 2..) => (&sides.others, &node.cells),
        _ => (&sides.own, &node.rows),
    };
    let is_optimal = |value: &Bounds<N>| match rows {
        1 => values
            .iter()
            .all(|other| value.hi <= other.lo || same(value, other)),
        _ => values
            .iter()
            .all(|other| value.lo >= other.hi || same(value, other)),
    };
    let mut moves = Vec::with_capacity(values.len());
    for (index, value) in values.iter().enumerate() {
        write_joint(roles, legal, index, &mut joint);
        moves.push(FirstMove {
            moves: roles.iter().map(|&role| (role, joint[role])).collect(),
            value: interval(value),
            optimal: is_optimal(value),
        });
    }
    moves
}

/// Whether two values are proven to be the same number, or cannot be told apart by the arithmetic.
fn same<N: Number>(one: &Bounds<N>, other: &Bounds<N>) -> bool {
    one.complete && other.complete && one.lo <= other.hi && other.lo <= one.hi
}

fn outcome<S, N: Number>(bounds: &Bounds<N>, limits: &Limits) -> Outcome<S> {
    match limits.reached() {
        _ if bounds.lo == bounds.hi => Outcome::Solved(bounds.lo.fraction()),
        Some(reason) if !bounds.complete => Outcome::Stopped(interval(bounds), reason),
        _ => Outcome::Enclosed(interval(bounds)),
    }
}

fn interval<N: Number>(bounds: &Bounds<N>) -> Interval {
    Interval {
        lo: bounds.lo.fraction(),
        hi: bounds.hi.fraction(),
    }
}
