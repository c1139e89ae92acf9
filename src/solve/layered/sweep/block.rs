//! Up to 512 states of a layer: one high part, and low parts with equally many filled fields.

use super::super::amount::Amount;
use super::super::view::View;
use super::halves::{Layer, NONE};
use super::kernel::{self, Better, Outcome, Values};
use super::{Sweep, WORDS};
use crate::machine::LANES;
use crate::machine::packed::{Lanes, PackedBatch, Vectors};
use std::ops::Range;

/// What is known of the layer after the one that is valued.
pub(super) struct Below<'v, const W: usize> {
    pub(super) layer: &'v Layer,
    /// Per question: the values by place. Empty if no step is left.
    pub(super) values: Vec<&'v [Amount<W>]>,
    /// One, in units of that layer.
    pub(super) unit: Amount<W>,
}

/// One outcome of one choice in the block.
struct Event {
    outcome: usize,
    going: Lanes,
    /// Where the questions' ranges of [`Task::won`] begin in [`Task::ranges`].
    won: usize,
}

/// What a thread needs to value blocks.
pub(super) struct Task<'s, const W: usize> {
    sweep: &'s Sweep<'s>,
    batch: PackedBatch<'s, WORDS>,
    events: Vec<Event>,
    /// Per choice: the lanes that have it, and its events.
    choices: Vec<(Lanes, Range<usize>)>,
    /// Terminal successors that are worth something: worth and lanes.
    won: Vec<(u8, Lanes)>,
    ranges: Vec<Range<usize>>,
    /// Per lane: the least of a row, the greatest row.
    row: Vec<Amount<W>>,
    best: Vec<Amount<W>>,
    vectors: Vectors,
    pub(super) states: u64,
    pub(super) edges: u64,
}

/// The block that is valued.
#[derive(Clone)]
pub(super) struct Block {
    pub(super) high: usize,
    pub(super) lows: Range<usize>,
    /// The rank of its first low part among those with equally many filled fields.
    pub(super) rank: usize,
}

impl<'s, const W: usize> Task<'s, W> {
    /// For states with so many filled fields.
    pub(super) fn new(sweep: &'s Sweep<'s>, layer: usize) -> Task<'s, W> {
        let mut batch = PackedBatch::new(sweep.packed, None);
        for bit in 0..sweep.packed.bits() {
            batch.set_bit(bit, Lanes::constant(sweep.filling.rest[layer].get(bit)));
        }
        Task {
            sweep,
            batch,
            events: Vec::new(),
            choices: vec![(Lanes::NONE, 0..0); sweep.packed.choices().len()],
            won: Vec::new(),
            ranges: Vec::new(),
            row: vec![Amount::ZERO; LANES],
            best: vec![Amount::ZERO; LANES],
            vectors: Vectors::detect(),
            states: 0,
            edges: 0,
        }
    }

    /// The values of a high part's run in a layer, per question.
    pub(super) fn run(
        &mut self,
        layer: &Layer,
        high: usize,
        below: &Below<'_, W>,
        out: &mut [&mut [Amount<W>]],
    ) {
        let sweep = self.sweep;
        self.load_high(high);
        let lows = sweep.low.parts(layer.number - sweep.filled[high]);
        for start in lows.clone().step_by(LANES) {
            let block = Block {
                high,
                lows: start..lows.end.min(start + LANES),
                rank: start - lows.start,
            };
            self.load(&block);
            for (question, out) in out.iter_mut().enumerate() {
                self.value(&block, below, question);
                let out = &mut out[block.rank..block.rank + block.lows.len()];
                out.copy_from_slice(&self.best[..out.len()]);
            }
        }
    }

    /// The values of all cells of the first state of a block: cell, value.
    pub(super) fn cells(
        &mut self,
        block: &Block,
        below: &Below<'_, W>,
        question: usize,
    ) -> Vec<(usize, Amount<W>)> {
        self.load_high(block.high);
        self.load(block);
        let place = Place {
            block,
            below,
            question,
        };
        let (mut list, mut cells) = (List::new(), Vec::new());
        for (number, cell) in self.sweep.views[question].cells.iter().enumerate() {
            let choice = cell.choices[0];
            if self.choices[choice].0.get(0) {
                let mut best = vec![Amount::ZERO; LANES];
                self.improve(&place, choice, Better::Greatest, &mut best, &mut list);
                cells.push((number, best[0]));
            }
        }
        cells
    }

    fn load_high(&mut self, high: usize) {
        let half = &self.sweep.high;
        for (at, field) in self.sweep.filling.fields[half.fields.clone()].iter().enumerate() {
            let code = half.code(high, at);
            for bit in 0..field.width {
                self.batch
                    .set_bit(field.shift + bit, Lanes::constant(code >> bit & 1 == 1));
            }
        }
    }

    /// Expands the block.
    fn load(&mut self, block: &Block) {
        let sweep = self.sweep;
        for &(bit, lanes) in &sweep.slices[&block.lows.start] {
            self.batch.set_bit(bit, lanes);
        }
        self.events.clear();
        self.won.clear();
        self.ranges.clear();
        self.choices.fill((Lanes::NONE, 0..0));
        let open = self
            .batch
            .load_bits(Lanes::first(block.lows.len()), sweep.filling);
        self.states += open.count() as u64;
        if open.is_empty() {
            return;
        }
        let (events, won, ranges, choices) = (
            &mut self.events,
            &mut self.won,
            &mut self.ranges,
            &mut self.choices,
        );
        let mut edges = 0;
        self.batch.outcomes(|expansion| {
            let entry = &mut choices[expansion.choice];
            if entry.0.is_empty() {
                entry.1 = events.len()..events.len();
            }
            entry.0 = entry.0.or(expansion.open);
            entry.1.end = events.len() + 1;
            edges += expansion.open.count() as u64;
            events.push(Event {
                outcome: expansion.outcome,
                going: expansion.going,
                won: ranges.len(),
            });
            for view in sweep.views {
                ranges.push(super::super::events::winners(&expansion, view, won));
            }
        });
        self.edges += edges;
    }

    /// The values of the block for one question, in `best`.
    fn value(&mut self, block: &Block, below: &Below<'_, W>, question: usize) {
        let view: &View = &self.sweep.views[question];
        let place = Place {
            block,
            below,
            question,
        };
        let mut list = List::new();
        let (mut best, mut row) = (std::mem::take(&mut self.best), std::mem::take(&mut self.row));
        best.fill(Amount::ZERO);
        for cells in view.cells.chunk_by(|left, right| left.row == right.row) {
            let choices = cells.iter().map(|cell| cell.choices[0]);
            let mut open = choices.filter(|&choice| !self.choices[choice].0.is_empty());
            let Some(only) = open.next() else { continue };
            let Some(second) = open.next() else {
                self.improve(&place, only, Better::Greatest, &mut best, &mut list);
                continue;
            };
            row.fill(Amount::MOST);
            let mut lanes = Lanes::NONE;
            for choice in [only, second].into_iter().chain(open) {
                self.improve(&place, choice, Better::Least, &mut row, &mut list);
                lanes = lanes.or(self.choices[choice].0);
            }
            lanes.for_each(|lane| best[lane] = best[lane].greatest(row[lane]));
        }
        (self.best, self.row) = (best, row);
    }

    /// Puts the value of a choice in the place of worse ones.
    fn improve<'v>(
        &'v self,
        place: &Place<'v, '_, W>,
        choice: usize,
        better: Better,
        best: &mut [Amount<W>],
        list: &mut List<'v, W>,
    ) {
        let (open, events) = self.choices[choice].clone();
        list.outcomes.clear();
        list.won.clear();
        for event in &self.events[events] {
            let factor = self.sweep.factors[choice][event.outcome];
            if let Some(values) = place.successors(self.sweep, choice, event.outcome) {
                list.outcomes.push(Outcome::new(factor, event.going, values));
            }
            let unit = place.below.unit.times(factor);
            for &(worth, lanes) in &self.won[self.ranges[event.won + place.question].clone()] {
                list.won.push((unit.times(worth.into()), lanes));
            }
        }
        kernel::improve(best, open, &list.outcomes, &list.won, better, self.vectors);
    }
}

/// The outcomes of one choice, kept to be used again.
struct List<'v, const W: usize> {
    outcomes: Vec<Outcome<'v, W>>,
    won: Vec<(Amount<W>, Lanes)>,
}

impl<const W: usize> List<'_, W> {
    fn new() -> Self {
        List {
            outcomes: Vec::new(),
            won: Vec::new(),
        }
    }
}

/// What is valued, and for which question.
#[derive(Clone, Copy)]
struct Place<'v, 'b, const W: usize> {
    block: &'b Block,
    below: &'b Below<'v, W>,
    question: usize,
}

impl<'v, const W: usize> Place<'v, '_, W> {
    /// The values of the states that an outcome leads to; nothing if they are worth nothing.
    fn successors(&self, sweep: &'v Sweep<'_>, choice: usize, outcome: usize) -> Option<Values<'v, W>> {
        let (values, block) = (self.below.values[self.question], self.block);
        let (field, code) = sweep.filling.fill(choice, outcome)?;
        if values.is_empty() {
            return None;
        }
        if sweep.low.fields.contains(&field) {
            let run = self.below.layer.run(block.high);
            let places = &sweep.ranks[field][code - 1][block.lows.clone()];
            return Some(Values::Places(&values[run], places));
        }
        let next = sweep.high.next(field, code)[block.high];
        let run = (next != NONE).then(|| self.below.layer.run(next as usize))?;
        Some(Values::Run(
            &values[run][block.rank..block.rank + block.lows.len()],
        ))
    }
}
