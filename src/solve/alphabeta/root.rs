//! The search from its root: threads, the size of the table, thresholds, the values of the first moves.

use super::super::TOO_WIDE;
use super::super::answer::{FirstMove, Interval, Outcome};
use super::super::bounds::UNBOUNDED;
use super::super::fraction::Fraction;
use super::super::layered::array::Array;
use super::super::layered::view::View;
use super::super::limits::Limits;
use super::super::question::{FirstMoves, Options, Question, SolveError};
use super::super::root::threads;
use super::busy::Busy;
use super::fact::{Answer, Notation, Verdict};
use super::search::{Asked, Worker};
use super::table::{Shape, Table};
use crate::ground::MoveId;
use crate::machine::packed::{Choices, Family, ImageTables, Packed, Siblings, Steps};
use crate::machine::{Bits, Machine};
use rayon::ThreadPool;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// Buckets of the first table.
const FIRST_BUCKETS: usize = 1 << 10;
/// By how much a table grows.
const GROWTH: usize = 2;
/// The share of the entries that may be taken before a table grows.
const LOAD: f64 = 0.75;

/// What the engine found.
pub(in crate::solve) struct Found {
    pub(in crate::solve) outcome: Outcome<Bits>,
    pub(in crate::solve) first_moves: Vec<FirstMove<MoveId>>,
}

/// Answers a question without chance. The start is not terminal, there are steps left for a choice, and there is a
/// horizon or no play takes more than `longest_play` steps.
pub(in crate::solve) fn run(
    machine: &Machine,
    packed: &Packed,
    question: &Question<Bits>,
    options: &Options,
    limits: &Limits,
    longest_play: Option<u32>,
) -> Result<Found, SolveError> {
    let found = for_key_bits!(
        packed.bits(),
        run_on(machine, packed, question, options, limits, longest_play)
    );
    found.unwrap_or(Err(SolveError::Unsuitable(TOO_WIDE)))
}

fn run_on<const N: usize>(
    machine: &Machine,
    packed: &Packed,
    question: &Question<Bits>,
    options: &Options,
    limits: &Limits,
    longest_play: Option<u32>,
) -> Result<Found, SolveError> {
    let Some(start) = packed.pack::<N>(&question.start_state(machine)) else {
        return Err(SolveError::Unsuitable("the start lies inside a composed step"));
    };
    let longest = longest_play.unwrap_or(u32::MAX);
    let left = match (question.horizon, packed.steps()) {
        (None, _) => UNBOUNDED,
        // Every play ends before.
        (Some(horizon), _) if horizon >= longest => UNBOUNDED,
        (Some(horizon), Steps::Each(steps)) => horizon / steps,
        (Some(_), Steps::Mixed) => return Err(SolveError::Unsuitable("composed steps differ in length")),
    };
    let view = View::new(machine, packed, question);
    let images = ImageTables::new(packed, machine.symmetries()).filter(|images| images.order() > 1);
    let mut run = Run::new(
        packed,
        images.as_ref(),
        &view,
        options,
        limits,
        left,
        longest.min(question.horizon.unwrap_or(u32::MAX)),
    )?;
    let (value, first_moves) = match options.first_moves {
        FirstMoves::Skip => (run.value(start, left), Vec::new()),
        FirstMoves::Every => {
            let cells = run.cells(start, left);
            first(&view, &cells, &run.worths)
        }
    };
    Ok(Found {
        outcome: match limits.reached() {
            Some(reason) if value.lo < value.hi => Outcome::Stopped(value.interval(&run.worths), reason),
            _ => Outcome::Solved(Fraction::whole(run.worths[value.lo].into())),
        },
        first_moves,
    })
}

/// What is proven about a value: the number of a worth, from the first to the second, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Value {
    lo: usize,
    hi: usize,
}

impl Value {
    fn interval(self, worths: &[u8]) -> Interval {
        Interval {
            lo: Fraction::whole(worths[self.lo].into()),
            hi: Fraction::whole(worths[self.hi].into()),
        }
    }
}

/// What the threads work on, position after position, threshold after threshold.
struct Run<'r, const N: usize> {
    images: Option<&'r ImageTables<N>>,
    limits: &'r Limits,
    pool: ThreadPool,
    /// One per thread.
    workers: Vec<Mutex<Worker<'r, N>>>,
    /// For the start.
    family: Family<'r, N>,
    /// The row of each of the family's choices.
    rows: Vec<u32>,
    /// What terminal states are worth, ascending; the first is 0.
    worths: Vec<u8>,
    /// Per worth but the first: the network's goals that reach it.
    goals: Vec<Vec<usize>>,
    shape: Shape,
    memory: Array<u64>,
    /// Whether the table may grow.
    may_grow: bool,
}

/// The row of each of the view's cells, numbered from 0.
fn rows(view: &View) -> Vec<u32> {
    let mut rows = vec![0; view.cells.len()];
    for cell in 1..rows.len() {
        let is_new = view.cells[cell].row != view.cells[cell - 1].row;
        rows[cell] = rows[cell - 1] + u32::from(is_new);
    }
    rows
}

/// What terminal states are worth, ascending from 0.
fn worths(view: &View) -> Vec<u8> {
    let mut worths: Vec<u8> = view.goals.iter().map(|&(_, worth)| worth).chain([0]).collect();
    worths.sort_unstable();
    worths.dedup();
    worths
}

/// The network's goals that are worth at least this.
fn goals_from(view: &View, bar: u8) -> Vec<usize> {
    let goals = view.goals.iter().filter(|&&(_, worth)| worth >= bar);
    goals.map(|&(goal, _)| goal).collect()
}

/// The shape of the first table. Even with next to no memory there is one.
fn first_shape<const N: usize>(packed: &Packed, notation: Notation, limits: &Limits) -> Shape {
    let mut shape = Shape {
        bits: packed.bits(),
        words: N,
        buckets: FIRST_BUCKETS,
        notation,
    };
    while !limits.fits(shape.bytes()) && shape.buckets > 1 {
        shape.buckets /= GROWTH;
    }
    shape
}

impl<'r, const N: usize> Run<'r, N> {
    /// A run with so many choices left at the start, in which no play takes more steps than `longest`.
    fn new(
        packed: &'r Packed,
        images: Option<&'r ImageTables<N>>,
        view: &View,
        options: &Options,
        limits: &'r Limits,
        left: u32,
        longest: u32,
    ) -> Result<Run<'r, N>, SolveError> {
        let choices: Vec<usize> = view.cells.iter().map(|cell| cell.choices[0]).collect();
        let worths = worths(view);
        let goals: Vec<Vec<usize>> = worths[1..].iter().map(|&bar| goals_from(view, bar)).collect();
        let notation = Notation::new(goals.len(), (left != UNBOUNDED).then_some(left));
        let shape = first_shape::<N>(packed, notation, limits);
        let Some(memory) = shape.allocate() else {
            return Err(SolveError::Unsuitable("there is no memory for a table"));
        };
        limits.hold(shape.bytes());
        let pool = threads(options, longest)?;
        let worker = |_| Mutex::new(Worker::new(packed, &choices));
        Ok(Run {
            images,
            limits,
            workers: (0..pool.current_num_threads()).map(worker).collect(),
            pool,
            family: Family::new(packed, choices.iter().copied()),
            rows: rows(view),
            goals,
            worths,
            shape,
            memory,
            may_grow: true,
        })
    }

    /// The value of a position that is not terminal, as far as the limits allow.
    fn value(&mut self, key: [u64; N], left: u32) -> Value {
        let mut value = Value {
            lo: 0,
            hi: self.goals.len(),
        };
        while value.lo < value.hi {
            let threshold = (value.lo + value.hi) / 2;
            match self.ask(key, left, threshold) {
                Some(verdict) if verdict.answer == Answer::Reached => value.lo = threshold + 1,
                Some(_) => value.hi = threshold,
                None => break,
            }
        }
        value
    }

    /// Asks all threads whether a position reaches a threshold; nothing if a limit was reached.
    fn ask(&mut self, key: [u64; N], left: u32, threshold: usize) -> Option<Verdict> {
        while self.limits.reached().is_none() {
            let asked = Asked {
                table: Table::new(self.shape, &mut self.memory),
                images: self.images,
                limits: self.limits,
                rows: &self.rows,
                threshold: threshold as u8,
                goals: &self.goals[threshold],
                busy: (self.workers.len() > 1).then(Busy::new),
                room: match self.may_grow {
                    true => (self.shape.entries() as f64 * LOAD) as u64,
                    false => u64::MAX,
                },
                is_over: AtomicBool::new(false),
            };
            let workers = &self.workers;
            let verdicts = self.pool.broadcast(|thread| {
                let worker = workers[thread.index()].lock();
                worker
                    .unwrap_or_else(|poisoned| poisoned.into_inner())
                    .ask(&asked, key, left)
            });
            if let Some(verdict) = verdicts.into_iter().flatten().next() {
                return Some(verdict);
            }
            self.grow();
        }
        None
    }

    /// Makes the table larger, if the memory allows that: the search begins again, and soon comes to where it was.
    fn grow(&mut self) {
        let larger = Shape {
            buckets: self.shape.buckets * GROWTH,
            ..self.shape
        };
        let both = self.shape.bytes() + larger.bytes();
        let memory = match self.limits.fits(both) {
            true => larger.allocate(),
            false => None,
        };
        let Some(mut memory) = memory else {
            self.may_grow = false;
            return;
        };
        self.limits.hold(both);
        Table::<N>::new(larger, &mut memory).fill_from(&Table::new(self.shape, &mut self.memory));
        (self.shape, self.memory) = (larger, memory);
    }

    /// The values of the start's cells, with their numbers.
    fn cells(&mut self, start: [u64; N], left: u32) -> Vec<(usize, Value)> {
        let mut siblings = Siblings::default();
        let mut look = |goals: &[usize]| {
            self.family
                .look(&start, [start].into_iter(), goals, &mut siblings);
            let options = siblings.options.iter();
            let seen = |option: &Choices| {
                let open = option.going == 1;
                let next = open.then(|| self.family.successor(&siblings, option, 0, &start));
                (option.choice, next, option.won as usize)
            };
            options.map(seen).collect::<Vec<_>>()
        };
        let mut cells = look(&[]);
        for goals in &self.goals {
            // Whoever reaches a threshold reaches those before it.
            for (cell, (_, _, won)) in cells.iter_mut().zip(look(goals)) {
                cell.2 += won;
            }
        }
        let progress = self.limits.progress.clone();
        progress.root_total.store(cells.len() as u64, Ordering::Relaxed);
        let value = |(cell, next, won): (usize, Option<[u64; N]>, usize)| {
            let value = match next {
                Some(key) => self.value(key, left - 1),
                None => Value { lo: won, hi: won },
            };
            progress.root_done.fetch_add(1, Ordering::Relaxed);
            (cell, value)
        };
        cells.into_iter().map(value).collect()
    }
}

/// The value of the start and those of its first moves, from the values of its cells.
fn first(view: &View, cells: &[(usize, Value)], worths: &[u8]) -> (Value, Vec<FirstMove<MoveId>>) {
    let mut rows: Vec<(usize, Value)> = Vec::new();
    for &(cell, value) in cells {
        match rows
            .last_mut()
            .filter(|(first, _)| view.cells[*first].row == view.cells[cell].row)
        {
            Some((_, least)) => {
                least.lo = least.lo.min(value.lo);
                least.hi = least.hi.min(value.hi);
            }
            None => rows.push((cell, value)),
        }
    }
    let best = Value {
        lo: rows.iter().map(|(_, value)| value.lo).max().unwrap_or(0),
        hi: rows.iter().map(|(_, value)| value.hi).max().unwrap_or(0),
    };
    let (choices, roles) = match (rows.len(), cells.len()) {
        (1, 2..) => (cells, &view.sides.others),
        _ => (&rows[..], &view.sides.own),
    };
    let is_optimal = |value: Value| match rows.len() {
        1 => choices.iter().all(|(_, other)| value.hi <= other.lo),
        _ => choices.iter().all(|(_, other)| value.lo >= other.hi),
    };
    let first_moves = choices.iter().map(|&(cell, value)| FirstMove {
        moves: view.moves(roles, cell),
        value: value.interval(worths),
        optimal: is_optimal(value),
    });
    (best, first_moves.collect())
}
