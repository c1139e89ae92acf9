//! The engine `sweep`: boards that fill up, from full to empty, without a table.
//!
//! Where it is proven that a state is a product of fields that are set once (see
//! [`Filling`]), there is nothing to enumerate and nothing to look up: the states
//! of a layer are numbered, and the place of a successor is known from the place of a state. So there is only
//! the way back, layer by layer, over all combinations, whether a play reaches them or not: values of states
//! that no play reaches are never used. States that are terminal are left out, most of them before they exist.
//!
//! | file | what it is |
//! |---|---|
//! | `halves` | the states of a layer and their places |
//! | `block` | the values of 512 states |
//! | `kernel` | the inner loop |

mod block;
mod halves;
mod kernel;

use super::super::limits::Limits;
use super::super::question::{Options, Question, SolveError};
use super::amount::Amount;
use super::array::Array;
use super::first::{Chooser, Found, found, stopped};
use super::scale::common_multiple;
use super::view::View;
use super::{MOST_WORDS, Unsuitable, thread_pool};
use crate::machine::packed::{Choice, Filling, Lanes, Packed, Steps};
use crate::machine::{Bits, LANES, Machine};
use block::{Below, Block, Task};
use halves::{Half, Layer};
use num_bigint::BigUint;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::sync::atomic::Ordering;

/// Words of a key, at most.
const WORDS: usize = 16;
/// Places of a layer that a thread takes at a time.
const PLACES_PER_TASK: usize = 1 << 16;

/// What all layers share.
struct Sweep<'s> {
    packed: &'s Packed,
    filling: &'s Filling,
    views: &'s [View],
    limits: &'s Limits,
    low: Half,
    high: Half,
    /// Per low field and code other than the first: the rank of the next low part.
    ranks: Vec<Vec<Vec<u32>>>,
    /// By the first low part of a block: the bits of its low parts, lane by lane.
    slices: BTreeMap<usize, Vec<(usize, Lanes)>>,
    /// Per high part: its filled fields.
    filled: Vec<usize>,
    /// A multiple of the numbers of moves that random has: the denominator grows by it with every layer.
    inner: u64,
    /// Per choice and outcome: by what the values after it are multiplied.
    factors: Vec<Vec<u64>>,
}

/// Answers questions that differ only in their roles and objective. The start is not terminal, there are
/// steps left for a choice, and the filling was proven for it.
pub(in crate::solve) fn run(
    machine: &Machine,
    packed: &Packed,
    filling: &Filling,
    questions: &[Question<Bits>],
    options: &Options,
    limits: &Limits,
) -> Result<Vec<Found>, SolveError> {
    let pool = thread_pool(options)?;
    pool.install(|| run_here(machine, packed, filling, questions, limits))
        .map_err(|Unsuitable(why)| SolveError::Unsuitable(why))
}

/// Whether the questions can be answered.
pub(in crate::solve) fn suits(
    machine: &Machine,
    packed: &Packed,
    filling: &Filling,
    questions: &[Question<Bits>],
) -> Result<(), Unsuitable> {
    let layers = layers(packed, filling, &questions[0])?;
    let inner = inner(packed, &views(machine, packed, questions))?;
    words(inner, layers, questions)?;
    cut(filling).map(|_| ())
}

/// The number of low fields.
fn cut(filling: &Filling) -> Result<usize, Unsuitable> {
    halves::cut(filling).ok_or(Unsuitable("there are too many ways to fill the board"))
}

fn run_here(
    machine: &Machine,
    packed: &Packed,
    filling: &Filling,
    questions: &[Question<Bits>],
    limits: &Limits,
) -> Result<Vec<Found>, Unsuitable> {
    let layers = layers(packed, filling, &questions[0])?;
    let views = views(machine, packed, questions);
    let inner = inner(packed, &views)?;
    let cut = cut(filling)?;
    let tables = halves::bytes(filling, 0..cut) + halves::bytes(filling, cut..filling.fields.len());
    if !limits.allow(tables) {
        return Ok(stopped(questions, limits));
    }
    let halves = (
        Half::new(filling, 0..cut),
        Half::new(filling, cut..filling.fields.len()),
    );
    let sweep = Sweep::new(packed, filling, &views, limits, halves, inner);
    let answers = match words(inner, layers, questions)? {
        0..=1 => sweep.induce::<1>(layers, questions),
        2 => sweep.induce::<2>(layers, questions),
        3..=4 => sweep.induce::<4>(layers, questions),
        5..=16 => sweep.induce::<16>(layers, questions),
        _ => sweep.induce::<{ MOST_WORDS as usize }>(layers, questions),
    };
    Ok(answers.unwrap_or_else(|| stopped(questions, limits)))
}

/// Most layers, the first included, whose states still have a step left.
fn layers(packed: &Packed, filling: &Filling, question: &Question<Bits>) -> Result<usize, Unsuitable> {
    let layers = match (question.horizon, packed.steps()) {
        (None, _) => usize::MAX,
        (Some(horizon), Steps::Each(steps)) => (horizon / steps) as usize,
        (Some(_), Steps::Mixed) => return Err(Unsuitable("composed steps differ in length")),
    };
    // When all fields are filled, no step is left.
    Ok(layers.min(filling.rest.len()).min(filling.fields.len()))
}

fn views(machine: &Machine, packed: &Packed, questions: &[Question<Bits>]) -> Vec<View> {
    let view = |question: &Question<Bits>| View::new(machine, packed, question);
    questions.iter().map(view).collect()
}

/// A multiple of the numbers of moves that random has.
fn inner(packed: &Packed, views: &[View]) -> Result<u64, Unsuitable> {
    let mut cells = views.iter().flat_map(|view| &view.cells);
    if cells.any(|cell| cell.choices.len() > 1) {
        return Err(Unsuitable("a role that moves at random has a choice of its own"));
    }
    let totals: Option<_> = packed.choices().iter().map(|choice| choice.total()).collect();
    totals
        .and_then(|totals| common_multiple(&totals))
        .ok_or(Unsuitable(
            "chance has different numbers of moves in different states",
        ))
}

/// The words that the values need.
fn words(inner: u64, layers: usize, questions: &[Question<Bits>]) -> Result<u64, Unsuitable> {
    let top = questions.iter().map(|question| question.objective.top()).max();
    let largest = BigUint::from(inner).pow(layers as u32) * top.unwrap_or(1);
    match largest.bits().div_ceil(64) {
        words @ 0..=MOST_WORDS => Ok(words),
        _ => Err(Unsuitable("the denominator of the value has more than 4096 bits")),
    }
}

impl<'s> Sweep<'s> {
    fn new(
        packed: &'s Packed,
        filling: &'s Filling,
        views: &'s [View],
        limits: &'s Limits,
        (low, high): (Half, Half),
        inner: u64,
    ) -> Sweep<'s> {
        let ranks = |field: usize| {
            let codes = 1..filling.fields[field].codes.len();
            codes
                .map(|code| halves::ranks(&low, low.next(field, code)))
                .collect()
        };
        let factors = |choice: &Choice| {
            let moves = inner / choice.total().unwrap_or(1).max(1);
            (0..choice.outcomes())
                .map(|outcome| choice.weight(outcome) * moves)
                .collect()
        };
        let filled = (0..=high.fields.len()).flat_map(|filled| high.parts(filled).map(move |_| filled));
        Sweep {
            ranks: low.fields.clone().map(ranks).collect(),
            slices: slices(filling, &low),
            filled: filled.collect(),
            factors: packed.choices().iter().map(factors).collect(),
            packed,
            filling,
            views,
            limits,
            low,
            high,
            inner,
        }
    }

    /// The denominator of values with so many layers from their own on.
    fn denominator(&self, layers: usize) -> BigUint {
        BigUint::from(self.inner).pow(layers as u32)
    }

    fn layer(&self, number: usize) -> Layer {
        Layer::new(&self.low, &self.high, number)
    }

    /// Goes back through the layers; nothing if a limit was reached.
    fn induce<const W: usize>(&self, layers: usize, questions: &[Question<Bits>]) -> Option<Vec<Found>> {
        let mut values = self.room::<W>(layers)?;
        let mut after = self.layer(layers);
        for number in (0..layers).rev() {
            let (now, next) = match &mut values {
                [even, odd] if number % 2 == 0 => (even, &*odd),
                [even, odd] => (odd, &*even),
            };
            let has_steps = number + 1 < layers;
            let unit = Amount::from_big(&self.denominator(layers - 1 - number)).unwrap_or(Amount::ZERO);
            let below = Below {
                values: (0..questions.len())
                    .map(|question| match has_steps {
                        true => &next[question * after.len()..][..after.len()],
                        false => &[],
                    })
                    .collect(),
                unit,
                layer: &after,
            };
            if number == 0 {
                return Some(self.first(&below, layers));
            }
            let layer = self.layer(number);
            self.value_all(&layer, &below, &mut now[..layer.len() * questions.len()])?;
            after = layer;
        }
        None
    }

    /// Arrays for the values of even and of odd layers: two are in use at a time.
    fn room<const W: usize>(&self, layers: usize) -> Option<[Array<Amount<W>>; 2]> {
        let longest = |parity: usize| {
            let numbers = (0..layers).filter(|number| number % 2 == parity);
            numbers.map(|number| self.layer(number).len()).max().unwrap_or(0) * self.views.len()
        };
        let longest = [0, 1].map(longest);
        let tables = [&self.low, &self.high].map(|half| halves::bytes(self.filling, half.fields.clone()));
        let values = longest.map(|len| (len * size_of::<Amount<W>>()) as u64);
        if !self.limits.allow(tables.iter().chain(&values).sum()) {
            return None;
        }
        let room = [Array::new(longest[0]), Array::new(longest[1])];
        match room {
            [Some(even), Some(odd)] => Some([even, odd]),
            _ => {
                self.limits.reach(super::StopReason::Memory);
                None
            }
        }
    }

    /// Computes the values of all states of a layer.
    fn value_all<const W: usize>(
        &self,
        layer: &Layer,
        below: &Below<'_, W>,
        values: &mut [Amount<W>],
    ) -> Option<()> {
        let portions = self.portions(layer, values);
        portions.into_par_iter().for_each_init(
            || Task::new(self, layer.number),
            |task, (highs, mut values)| {
                self.limits.poll();
                for high in highs {
                    if self.limits.reached().is_some() {
                        return;
                    }
                    let mut run = Vec::new();
                    for values in &mut values {
                        let (now, later) = std::mem::take(values).split_at_mut(layer.run(high).len());
                        run.push(now);
                        *values = later;
                    }
                    task.run(layer, high, below, &mut run);
                }
                self.count(task, layer.number);
            },
        );
        self.limits.reached().is_none().then_some(())
    }

    /// Cuts a layer into portions of work: high parts, and their values for each question.
    fn portions<'v, const W: usize>(
        &self,
        layer: &Layer,
        values: &'v mut [Amount<W>],
    ) -> Vec<(Vec<usize>, Vec<&'v mut [Amount<W>]>)> {
        let highs: Vec<usize> = (0..self.filled.len())
            .filter(|&high| !layer.run(high).is_empty())
            .collect();
        let mut rest: Vec<&mut [Amount<W>]> = values.chunks_mut(layer.len().max(1)).collect();
        let mut portions = Vec::new();
        for highs in highs.chunk_by(|&left, &right| {
            layer.run(left).start / PLACES_PER_TASK == layer.run(right).start / PLACES_PER_TASK
        }) {
            let places = highs.iter().map(|&high| layer.run(high).len()).sum();
            let mut mine = Vec::new();
            for rest in &mut rest {
                let (now, later) = std::mem::take(rest).split_at_mut(places);
                mine.push(now);
                *rest = later;
            }
            portions.push((highs.to_vec(), mine));
        }
        portions
    }

    fn count<const W: usize>(&self, task: &mut Task<'_, W>, depth: usize) {
        let progress = &self.limits.progress;
        progress
            .visited
            .fetch_add(std::mem::take(&mut task.states), Ordering::Relaxed);
        progress
            .edges
            .fetch_add(std::mem::take(&mut task.edges), Ordering::Relaxed);
        progress.depth.store(depth as u64, Ordering::Relaxed);
    }

    /// The value of the start and of its first moves.
    fn first<const W: usize>(&self, below: &Below<'_, W>, layers: usize) -> Vec<Found> {
        let start = Block {
            high: 0,
            lows: 0..1,
            rank: 0,
        };
        let answer = |number: usize| {
            let mut task = Task::new(self, 0);
            let cells = task.cells(&start, below, number);
            if number == 0 {
                self.count(&mut task, 0);
            }
            let denominator = self.denominator(layers);
            found(&self.views[number], cells, Chooser::Players, &denominator)
        };
        (0..self.views.len()).map(answer).collect()
    }
}

/// The bits of all blocks of low parts.
fn slices(filling: &Filling, low: &Half) -> BTreeMap<usize, Vec<(usize, Lanes)>> {
    let mut slices = BTreeMap::new();
    for filled in 0..=low.fields.len() {
        let parts = low.parts(filled);
        for start in parts.clone().step_by(LANES) {
            let lanes = start..parts.end.min(start + LANES);
            let mut bits = Vec::new();
            for (at, field) in filling.fields[low.fields.clone()].iter().enumerate() {
                for bit in 0..field.width {
                    let ones = lanes.clone().map(|part| low.code(part, at) >> bit & 1 == 1);
                    bits.push((field.shift + bit, Lanes::collect(ones)));
                }
            }
            slices.insert(start, bits);
        }
    }
    slices
}
