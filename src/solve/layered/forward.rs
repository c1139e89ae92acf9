//! Forward: the open states of every layer, from the start to the end or to the horizon.

use super::super::answer::StopReason;
use super::counter::Counter;
use super::events::{Events, Totals};
use super::table::{Full, Inserter, Shape, Table};
use super::{Plan, Stop, most_successors};
use crate::machine::LANES;
use crate::machine::packed::{PackedBatch, Vectors, Wanted};
use rayon::prelude::*;
use std::sync::atomic::Ordering;

/// The layers so far: the open states after 0, 1, 2, … choices.
#[derive(Default)]
pub(super) struct Layers<const N: usize> {
    pub(super) tables: Vec<Table<N>>,
    /// Per layer that was expanded and per question: how many moves chance has in its states.
    pub(super) totals: Vec<Vec<Totals>>,
    /// Of the files that hold the tables, if there are any.
    pub(super) checksums: Vec<String>,
}

/// The bytes of memory that tables take.
pub(super) fn held_bytes<const N: usize>(tables: &[Table<N>]) -> u64 {
    tables.iter().map(Table::held_bytes).sum()
}

/// One part of the work on a layer.
struct Task<'p, const N: usize> {
    batch: PackedBatch<'p, N>,
    events: Events<N>,
    counter: Counter,
    totals: Vec<Totals>,
    vectors: Vectors,
    keys: Vec<[u64; N]>,
    places: Vec<u32>,
    /// Of the successors of a batch.
    parts: Vec<u32>,
    /// Successors by part of the next layer's table.
    out: Vec<Vec<[u64; N]>>,
    edges: u64,
}

/// The layer of the start.
pub(super) fn begin<const N: usize>(plan: &Plan<'_, N>, start: [u64; N]) -> Result<Layers<N>, Stop> {
    let mut first = Table::new(plan.shape(1, 0)).ok_or(Stop::Limit)?;
    let part = first.part_of(&start);
    // A table for one key has room for one key.
    let _ = first.inserters()[part].insert_all(&[start]);
    Ok(Layers {
        tables: vec![first],
        ..Layers::default()
    })
}

/// Enumerates the layers after those that are there; the last one has no open successors, or no step is left in it.
pub(super) fn enumerate<const N: usize>(plan: &Plan<'_, N>, layers: &mut Layers<N>) -> Result<(), Stop> {
    loop {
        let is_last = layers.tables.len() == plan.layers;
        let (next, totals) = expand_layer(plan, &mut layers.tables, is_last)?;
        layers.totals.push(totals);
        let is_complete = is_last || next.len() == 0;
        if !is_complete {
            layers.tables.push(next);
        }
        plan.store
            .keep(layers, is_complete, plan.limits.progress.work())?;
        if is_complete {
            return Ok(());
        }
    }
}

/// How many keys the next layer will have: as many times more as this one has of the one before, or
/// fewer. A wrong guess only costs time.
fn guess<const N: usize>(plan: &Plan<'_, N>, tables: &[Table<N>]) -> usize {
    let size = |back: usize| tables.len().checked_sub(back).map_or(0, |at| tables[at].len());
    let most = size(1).saturating_mul(most_successors(plan.packed)).max(16);
    match (size(1), size(2)) {
        (last, before) if before >= 1000 => {
            let ratio = last as f64 / before as f64;
            (last as f64 * ratio * 1.03) as usize + 1000
        }
        (last, _) => last.saturating_mul(8) + 1000,
    }
    .min(most)
}

/// The next layer's table and this layer's totals.
fn expand_layer<const N: usize>(
    plan: &Plan<'_, N>,
    tables: &mut [Table<N>],
    is_last: bool,
) -> Result<(Table<N>, Vec<Totals>), Stop> {
    let mut shape = plan.shape(if is_last { 0 } else { guess(plan, tables) }, 0);
    let slots = tables[tables.len() - 1].slots();
    loop {
        if !plan.fits(held_bytes(tables) + shape.bytes::<N>(), slots) {
            plan.store.spill(tables)?;
        }
        let fits =
            shape.places() <= u32::MAX as usize && plan.allow(held_bytes(tables) + shape.bytes::<N>(), slots);
        let Some(mut next) = fits.then(|| Table::new(shape)).flatten() else {
            plan.limits.reach(StopReason::Memory);
            return Err(Stop::Limit);
        };
        let layer = &tables[tables.len() - 1];
        match fill(plan, layer, &mut next, is_last, tables.len()) {
            Ok(totals) => return totals.map(|totals| (next, totals)).ok_or(Stop::Limit),
            Err(Full) => shape = larger(shape, next.len()),
        }
    }
}

/// The shape to begin again with, after one that had no room for more than `held` keys: places never
/// change, so a table cannot grow.
fn larger(shape: Shape, held: usize) -> Shape {
    let is_unlucky = held < shape.keys / 2 && shape.attempt < 3;
    Shape {
        keys: if is_unlucky {
            shape.keys
        } else {
            shape.keys * 2 + 16
        },
        attempt: shape.attempt + 1,
        ..shape
    }
}

fn fill<const N: usize>(
    plan: &Plan<'_, N>,
    layer: &Table<N>,
    next: &mut Table<N>,
    is_last: bool,
    depth: usize,
) -> Result<Option<Vec<Totals>>, Full> {
    let mut tasks: Vec<Task<'_, N>> = (0..plan.parts).map(|_| Task::new(plan)).collect();
    let slots = plan.buffers.slots;
    let round = slots * plan.parts;
    for start in (0..layer.slots()).step_by(round) {
        plan.limits.poll();
        if plan.limits.reached().is_some() {
            return Ok(None);
        }
        tasks.par_iter_mut().enumerate().for_each(|(number, task)| {
            let from = start + number * slots;
            let to = (from + slots).min(layer.slots());
            task.expand(plan, layer, from..to, next, is_last);
        });
        let parts: Vec<(usize, Inserter<'_, N>)> = next.inserters().into_iter().enumerate().collect();
        parts.into_par_iter().try_for_each(|(number, mut part)| {
            tasks
                .iter()
                .try_for_each(|task| part.insert_all(&task.out[number]))
        })?;
    }
    let progress = &plan.limits.progress;
    progress.visited.fetch_add(layer.len() as u64, Ordering::Relaxed);
    progress
        .edges
        .fetch_add(tasks.iter().map(|task| task.edges).sum(), Ordering::Relaxed);
    progress.depth.store(depth as u64, Ordering::Relaxed);
    progress
        .table_entries
        .fetch_add(layer.len() as u64, Ordering::Relaxed);
    let mut totals = vec![Totals::default(); plan.views.len()];
    for task in tasks {
        for (all, mut mine) in totals.iter_mut().zip(task.totals) {
            all.outer.append(&mut mine.outer);
            all.inner.append(&mut mine.inner);
        }
    }
    Ok(Some(totals))
}

impl<'p, const N: usize> Task<'p, N> {
    fn new(plan: &Plan<'p, N>) -> Task<'p, N> {
        Task {
            batch: PackedBatch::new(plan.packed, plan.images),
            events: Events::new(plan.packed),
            counter: Counter::default(),
            totals: vec![Totals::default(); plan.views.len()],
            vectors: Vectors::detect(),
            keys: Vec::new(),
            places: Vec::new(),
            parts: Vec::new(),
            out: vec![Vec::new(); plan.parts],
            edges: 0,
        }
    }

    fn expand(
        &mut self,
        plan: &Plan<'_, N>,
        layer: &Table<N>,
        slots: std::ops::Range<usize>,
        next: &Table<N>,
        is_last: bool,
    ) {
        self.out.iter_mut().for_each(Vec::clear);
        self.keys.clear();
        self.places.clear();
        layer.collect(slots.start, slots.end, &mut self.keys, &mut self.places);
        for keys in self.keys.chunks(LANES) {
            self.batch.load(keys);
            self.events.fill(&mut self.batch, plan.views, Wanted::Successors);
            self.edges += self.events.edges(self.vectors);
            for (view, totals) in plan.views.iter().zip(&mut self.totals) {
                self.events
                    .count_totals(plan.packed, view, &mut self.counter, totals);
            }
            if is_last {
                continue;
            }
            match &mut self.out[..] {
                [only] => only.extend_from_slice(&self.events.successors),
                out => {
                    self.parts.clear();
                    next.parts_of(&self.events.successors, &mut self.parts);
                    for (&key, &part) in self.events.successors.iter().zip(&self.parts) {
                        out[part as usize].push(key);
                    }
                }
            }
        }
    }
}
