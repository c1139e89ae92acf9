//! Backward: the values of a layer from those of the next one.
//!
//! A value is a whole number over the layer's denominator. Let D' be the denominator of the next layer, I
//! and O the least common multiples of the numbers of moves that chance has in this layer (`inner`: of
//! random in the composed step; `outer`: of the roles that decide by chance), and D = D' I O. Then a cell
//! with n choices, whose choice c has m(c) moves of random of weight w and value v each, is worth
//!
//! ```text
//! 1/n sum over c of 1/m(c) sum of w v / D'  =  (O/n) sum over c of (I/m(c)) sum of w v  over  D
//! ```

use super::Plan;
use super::amount::Amount;
use super::array::Array;
use super::counter::Counter;
use super::events::Events;
use super::lanewise;
use super::scale::Scale;
use super::table::Table;
use super::view::Cell;
use crate::machine::LANES;
use crate::machine::packed::{Lanes, PackedBatch, Vectors, Wanted};
use rayon::prelude::*;

/// The values of a layer: those of all questions per slot of its table.
pub(super) type Values<const W: usize> = Array<Amount<W>>;

/// What is known of the next layer.
pub(super) struct Below<'l, const N: usize, const W: usize> {
    /// Nothing if no step is left there.
    pub(super) layer: Option<(&'l Table<N>, &'l [Amount<W>])>,
    pub(super) scales: Vec<Scale>,
}

/// Computes the values of all states of a layer; places without a state keep what they have.
pub(super) fn value_all<const N: usize, const W: usize>(
    plan: &Plan<'_, N>,
    table: &Table<N>,
    below: &Below<'_, N, W>,
    values: &mut Values<W>,
) -> Option<()> {
    let (questions, slots) = (plan.views.len(), plan.buffers.slots);
    let chunks = values[..table.slots() * questions]
        .par_chunks_mut(slots * questions)
        .enumerate();
    chunks.for_each_init(
        || Task::new(plan, below),
        |task, (number, values)| {
            plan.limits.poll();
            if plan.limits.reached().is_some() {
                return;
            }
            let start = number * slots;
            task.run(plan, table, below, start, values);
        },
    );
    plan.limits.reached().is_none().then_some(())
}

/// The values of all cells of the only state of a layer, for one question: cell, value.
pub(super) fn cells<const N: usize, const W: usize>(
    plan: &Plan<'_, N>,
    table: &Table<N>,
    below: &Below<'_, N, W>,
    question: usize,
) -> Vec<(usize, Amount<W>)> {
    let mut task = Task::new(plan, below);
    table.collect(0, table.slots(), &mut task.keys, &mut task.own);
    task.batch.load(&task.keys);
    task.look(plan, below);
    task.combine(plan, below, question);
    task.first_lane
}

struct Task<'p, const N: usize, const W: usize> {
    batch: PackedBatch<'p, N>,
    events: Events<N>,
    inner: Counter,
    outer: Counter,
    keys: Vec<[u64; N]>,
    /// Places of the keys.
    own: Vec<u32>,
    /// Places of the successors.
    places: Vec<u32>,
    vectors: Vectors,
    /// Per lane: I/m of the choice at hand, if it is not the same in all states.
    shares: Vec<u64>,
    /// Per lane: the sum of a cell, the least cell of a row, the greatest row.
    sum: Vec<Amount<W>>,
    row: Vec<Amount<W>>,
    best: Vec<Amount<W>>,
    /// The cells of lane 0 with their values.
    first_lane: Vec<(usize, Amount<W>)>,
    /// Per question: one in units of the next layer.
    units: Vec<Amount<W>>,
}

impl<'p, const N: usize, const W: usize> Task<'p, N, W> {
    fn new(plan: &Plan<'p, N>, below: &Below<'_, N, W>) -> Task<'p, N, W> {
        // The denominator of the layer is a multiple, and it fits.
        let unit = |scale: &Scale| Amount::from_big(&scale.below).unwrap_or(Amount::ZERO);
        Task {
            units: below.scales.iter().map(unit).collect(),
            batch: PackedBatch::new(plan.packed, plan.images),
            events: Events::new(plan.packed),
            inner: Counter::default(),
            outer: Counter::default(),
            keys: Vec::new(),
            own: Vec::new(),
            places: Vec::new(),
            vectors: Vectors::detect(),
            shares: vec![0; LANES],
            sum: vec![Amount::ZERO; LANES],
            row: vec![Amount::ZERO; LANES],
            best: vec![Amount::ZERO; LANES],
            first_lane: Vec::new(),
        }
    }

    fn run(
        &mut self,
        plan: &Plan<'_, N>,
        table: &Table<N>,
        below: &Below<'_, N, W>,
        start: usize,
        values: &mut [Amount<W>],
    ) {
        let questions = plan.views.len();
        let end = start + values.len() / questions;
        let (mut keys, mut own) = (std::mem::take(&mut self.keys), std::mem::take(&mut self.own));
        keys.clear();
        own.clear();
        table.collect(start, end, &mut keys, &mut own);
        for (keys, own) in keys.chunks(LANES).zip(own.chunks(LANES)) {
            self.batch.load(keys);
            self.look(plan, below);
            for question in 0..questions {
                self.combine(plan, below, question);
                for (&place, &best) in own.iter().zip(&self.best) {
                    values[(place as usize - start) * questions + question] = best;
                }
            }
        }
        (self.keys, self.own) = (keys, own);
    }

    /// Expands the batch and finds its successors.
    fn look(&mut self, plan: &Plan<'_, N>, below: &Below<'_, N, W>) {
        self.events.fill(&mut self.batch, plan.views, Wanted::Goals);
        self.places.clear();
        if let Some((table, values)) = below.layer {
            table.places(&self.events.successors, values, &mut self.places);
        }
    }

    /// The values of the batch for one question, in `best`.
    fn combine(&mut self, plan: &Plan<'_, N>, below: &Below<'_, N, W>, question: usize) {
        let view = &plan.views[question];
        let vectors = self.vectors;
        self.best.fill(Amount::ZERO);
        self.first_lane.clear();
        let mut number = 0;
        for row in view.cells.chunk_by(|one, next| one.row == next.row) {
            let mut in_row = Lanes::NONE;
            for cell in row {
                let lanes = self.cell(plan, below, question, cell);
                if lanes.get(0) {
                    self.first_lane.push((number, self.sum[0]));
                }
                number += 1;
                let (row, sum) = (&mut self.row, &self.sum);
                lanewise::join(row, sum, lanes.and_not(in_row), vectors, |_, sum| sum);
                lanewise::join(row, sum, lanes.and(in_row), vectors, Amount::least);
                in_row = in_row.or(lanes);
            }
            lanewise::join(&mut self.best, &self.row, in_row, vectors, Amount::greatest);
        }
    }

    /// The value of a cell, in `sum`, for the lanes that have it.
    fn cell(&mut self, plan: &Plan<'_, N>, below: &Below<'_, N, W>, question: usize, cell: &Cell) -> Lanes {
        let scale = &below.scales[question];
        let has = |choice: usize| self.events.choices[choice].0;
        let lanes = cell
            .choices
            .iter()
            .fold(Lanes::NONE, |lanes, &choice| lanes.or(has(choice)));
        if lanes.is_empty() {
            return lanes;
        }
        self.outer.clear();
        if cell.choices.len() > 1 {
            cell.choices
                .iter()
                .for_each(|&choice| self.outer.add(has(choice), 1));
        }
        lanewise::change(&mut self.sum, lanes, self.vectors, |_| Amount::ZERO);
        for &choice in &cell.choices {
            self.add_choice(plan, below, question, choice);
        }
        let (sum, vectors) = (&mut self.sum, self.vectors);
        if cell.choices.len() > 1 {
            self.outer.each(lanes, |total, lanes| {
                let factor = scale.outer / total;
                lanewise::change(sum, lanes, vectors, |sum| sum.times(factor));
            });
        } else if scale.outer > 1 {
            lanewise::change(sum, lanes, vectors, |sum| sum.times(scale.outer));
        }
        lanes
    }

    /// Adds what a choice is worth, but for O/n, to the sums.
    fn add_choice(&mut self, plan: &Plan<'_, N>, below: &Below<'_, N, W>, question: usize, choice: usize) {
        let (has, events) = self.events.choices[choice].clone();
        let compiled = &plan.packed.choices()[choice];
        let inner = below.scales[question].inner;
        if compiled.total().is_none() {
            let (counter, shares) = (&mut self.inner, &mut self.shares);
            self.events.count_inner(compiled, events.clone(), counter);
            counter.each(has, |total, lanes| {
                lanes.for_each(|lane| shares[lane] = inner / total)
            });
        }
        for event in events {
            let weight = compiled.weight(self.events.list[event].outcome);
            match compiled.total() {
                Some(total) => {
                    let factor = weight * (inner / total);
                    self.add_open(below, question, event, |_, _| factor);
                    self.add_won_alike(question, event, factor);
                }
                None => {
                    self.add_open(below, question, event, |shares, lane| weight * shares[lane]);
                    self.add_won(question, event, weight);
                }
            }
        }
    }

    /// Adds the values of the open successors of an outcome.
    #[inline]
    fn add_open(
        &mut self,
        below: &Below<'_, N, W>,
        question: usize,
        event: usize,
        factor: impl Fn(&[u64], usize) -> u64,
    ) {
        // Without a step left, an open successor is worth nothing.
        let Some((_, values)) = below.layer else {
            return;
        };
        let (questions, values) = (self.units.len(), &values[question..]);
        let going = self.events.list[event].going.clone();
        let lanes = self.events.lanes(going.clone());
        for (&lane, &place) in lanes.iter().zip(&self.places[going]) {
            let lane = usize::from(lane);
            let value = values[place as usize * questions].times(factor(&self.shares, lane));
            self.sum[lane] = self.sum[lane].plus(value);
        }
    }

    /// Adds what the terminal successors of an outcome are worth, if chance is the same in all states.
    fn add_won_alike(&mut self, question: usize, event: usize, factor: u64) {
        for &(worth, lanes) in self.events.won(event, question, self.units.len()) {
            let value = self.units[question].times(worth.into()).times(factor);
            lanewise::change(&mut self.sum, lanes, self.vectors, |sum| sum.plus(value));
        }
    }

    /// Adds what the terminal successors of an outcome are worth.
    fn add_won(&mut self, question: usize, event: usize, weight: u64) {
        for &(worth, lanes) in self.events.won(event, question, self.units.len()) {
            let value = self.units[question].times(worth.into());
            let (sum, shares) = (&mut self.sum, &self.shares);
            lanes.for_each(|lane| sum[lane] = sum[lane].plus(value.times(weight * shares[lane])));
        }
    }
}
