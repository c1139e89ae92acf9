//! Forward: the open states of every layer, from the start to the end or to the horizon.

use super::super::answer::StopReason;
use super::counter::Counter;
use super::events::{Events, Totals};
use super::scale::digits;
use super::table::{Full, Inserter, Shape, Table};
use super::{MOST_BITS, Plan, Stop, TOO_FINE, TOO_VARIED, most_successors};
use crate::machine::LANES;
use crate::machine::packed::{PackedBatch, Vectors, Wanted};
use ahash::{AHashSet, RandomState};
use rayon::prelude::*;
use std::ops::Deref;
use std::sync::atomic::Ordering;

/// The layers so far: the open states after 0, 1, 2, … choices.
#[derive(Default)]
pub(super) struct Layers<const N: usize> {
    pub(super) tables: Tables<N>,
    /// Per layer that was expanded and per question: how many moves chance has in its states.
    pub(super) totals: Vec<Vec<Totals>>,
    /// Of the files that hold the tables, if there are any.
    pub(super) checksums: Vec<String>,
}

/// Tables, and the bytes of memory that all of them take: adding them up for every layer takes long if there are
/// thousands.
pub(super) struct Tables<const N: usize> {
    list: Vec<Table<N>>,
    held_bytes: u64,
}

impl<const N: usize> Default for Tables<N> {
    fn default() -> Tables<N> {
        Tables {
            list: Vec::new(),
            held_bytes: 0,
        }
    }
}

impl<const N: usize> Deref for Tables<N> {
    type Target = [Table<N>];

    fn deref(&self) -> &[Table<N>] {
        &self.list
    }
}

impl<const N: usize> Tables<N> {
    pub(super) fn held_bytes(&self) -> u64 {
        self.held_bytes
    }

    pub(super) fn push(&mut self, table: Table<N>) {
        self.held_bytes += table.held_bytes();
        self.list.push(table);
    }

    pub(super) fn pop(&mut self) -> Option<Table<N>> {
        let table = self.list.pop()?;
        self.held_bytes -= table.held_bytes();
        Some(table)
    }

    /// Hands out every table that is in memory, with its number, to be put elsewhere.
    pub(super) fn move_out<E>(
        &mut self,
        mut put: impl FnMut(usize, &mut Table<N>) -> Result<(), E>,
    ) -> Result<(), E> {
        let tables = self.list.iter_mut().enumerate();
        let mut held = tables.filter(|(_, table)| table.held_bytes() > 0);
        let moved = held.try_for_each(|(number, table)| put(number, table));
        self.held_bytes = self.list.iter().map(Table::held_bytes).sum();
        moved
    }
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
    /// Of the keys, and whether one of them has no choice.
    digest: u64,
    is_stuck: bool,
}

/// What the expansion of a layer gave besides the next one.
struct Expanded {
    totals: Vec<Totals>,
    /// A sum over the keys: the same keys have the same, whatever their places.
    digest: u64,
    /// A state has no choice.
    is_stuck: bool,
}

/// The layer of the start.
pub(super) fn begin<const N: usize>(plan: &Plan<'_, N>, start: [u64; N]) -> Result<Layers<N>, Stop> {
    let mut first = Table::new(plan.shape(1, 0)).ok_or(Stop::Limit)?;
    let part = first.part_of(&start);
    // A table for one key has room for one key.
    let _ = first.inserters()[part].insert_all(&[start]);
    let mut layers = Layers::default();
    layers.tables.push(first);
    Ok(layers)
}

/// Enumerates the layers after those that are there; the last one has no open successors, or no step is left in it.
pub(super) fn enumerate<const N: usize>(plan: &Plan<'_, N>, layers: &mut Layers<N>) -> Result<(), Stop> {
    let mut digits = 0.0;
    let mut seen = AHashSet::new();
    for totals in &layers.totals {
        digits += finer(totals, digits)?;
    }
    loop {
        let is_last = layers.tables.len() == plan.layers;
        let (next, expanded) = expand_layer(plan, &mut layers.tables, is_last)?;
        // The next layer follows from this one, so if it is one that was met before, and these sums say that it seems to
        // be, then plays go on forever.
        let is_new = seen.insert((layers.tables[layers.tables.len() - 1].len(), expanded.digest));
        if plan.open.moves && expanded.is_stuck || plan.open.ends && !is_new {
            return Err(Stop::Doubt);
        }
        let totals = expanded.totals;
        digits += finer(&totals, digits)?;
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

/// By how many bits a layer makes the denominator longer than so many; stops where no value could hold it, rather
/// than after all layers.
fn finer(totals: &[Totals], before: f64) -> Result<f64, Stop> {
    match digits(totals) {
        None => Err(Stop::Unsuitable(TOO_VARIED)),
        Some(digits) if before + digits > MOST_BITS as f64 + 1.0 => Err(Stop::Unsuitable(TOO_FINE)),
        Some(digits) => Ok(digits),
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

/// The next layer's table and what else is known of this layer now.
fn expand_layer<const N: usize>(
    plan: &Plan<'_, N>,
    tables: &mut Tables<N>,
    is_last: bool,
) -> Result<(Table<N>, Expanded), Stop> {
    let mut shape = plan.shape(if is_last { 0 } else { guess(plan, tables) }, 0);
    let slots = tables[tables.len() - 1].slots();
    loop {
        if !plan.fits(tables.held_bytes() + shape.bytes::<N>(), slots) {
            plan.store.spill(tables)?;
        }
        let fits = shape.places() <= u32::MAX as usize
            && plan.allow(tables.held_bytes() + shape.bytes::<N>(), slots);
        let Some(mut next) = fits.then(|| Table::new(shape)).flatten() else {
            plan.limits.reach(StopReason::Memory);
            return Err(Stop::Limit);
        };
        let layer = &tables[tables.len() - 1];
        match fill(plan, layer, &mut next, is_last, tables.len()) {
            Ok(expanded) => return expanded.map(|expanded| (next, expanded)).ok_or(Stop::Limit),
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
) -> Result<Option<Expanded>, Full> {
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
    let mut expanded = Expanded {
        totals: vec![Totals::default(); plan.views.len()],
        digest: 0,
        is_stuck: false,
    };
    for task in tasks {
        expanded.digest = expanded.digest.wrapping_add(task.digest);
        expanded.is_stuck |= task.is_stuck;
        for (all, mut mine) in expanded.totals.iter_mut().zip(task.totals) {
            all.outer.append(&mut mine.outer);
            all.inner.append(&mut mine.inner);
        }
    }
    Ok(Some(expanded))
}

/// A number that is as good as random for every key.
fn digest<const N: usize>(key: &[u64; N]) -> u64 {
    RandomState::with_seeds(1, 2, 3, 4).hash_one(key)
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
            digest: 0,
            is_stuck: false,
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
        if plan.open.ends {
            let digests = self.keys.iter().map(digest);
            self.digest = digests.fold(self.digest, u64::wrapping_add);
        }
        for keys in self.keys.chunks(LANES) {
            self.batch.load(keys);
            self.events.fill(&mut self.batch, plan.views, Wanted::Successors);
            self.edges += self.events.edges(self.vectors);
            self.is_stuck |= plan.open.moves && self.events.with_a_choice() != keys.len();
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
