//! The engine `layered`: all open states, layer by layer, then their values from the last layer back.
//!
//! Layer i holds the states after i choices that are not terminal, each once, in a table of full keys.
//! Terminal successors are valued when they are met and never stored. Nothing is pruned: in games of
//! chance little could be, and what is left is fast, regular work. All questions about a game share one
//! enumeration. The values are whole numbers over one denominator per layer, so they are exact, and the
//! same for every number of threads.
//!
//! | file | what it is |
//! |---|---|
//! | `array`, `hash`, `table` | the keys of a layer |
//! | `forward`, `backward` | the two passes |
//! | `store`, `manifest` | layers in files: what does not fit into memory, and checkpoints |
//! | `events` | what the expansion of 512 states gave |
//! | `view` | what a question sees of it |
//! | `counter`, `amount`, `lanewise` | numbers of moves, and values, of 512 states |
//! | `scale`, `first` | denominators; what the values of the first layer say |
//! | `sweep` | an engine of its own, for boards that fill up: no table |

mod amount;
pub(super) mod array;
mod backward;
mod counter;
mod events;
mod first;
mod forward;
pub(super) mod hash;
mod lanewise;
mod manifest;
mod scale;
mod store;
mod sweep;
mod table;
pub(super) mod view;

use super::answer::StopReason;
use super::limits::Limits;
use super::question::{Options, Question, SolveError};
use super::{OpenPoints, TOO_WIDE};
use crate::machine::packed::{Images, Packed, Steps};
use crate::machine::{Bits, LANES, Machine};
use array::Array;
use backward::{Below, Values};
use first::first;
pub(super) use first::{Found, stopped};
use forward::Layers;
use manifest::ValuesNote;
use scale::{Scale, scales, words};
use std::sync::atomic::Ordering::Relaxed;
use store::Store;
pub(super) use sweep::{run as sweep, suits as sweep_suits};
use table::Table;
use view::View;

/// Parts that tables and work are split into for each thread, if there are several: who is done takes another.
const PARTS_PER_THREAD: usize = 4;
/// Slots of a layer that are taken at a time, at most.
const SLOTS_PER_TASK: usize = 1 << 16;
/// The bytes in which states and successors are kept on their way to a table, for each part, and the share of the
/// memory that all of them may take.
const BUFFER_BYTES: u64 = 4 << 20;
const BUFFER_PART: u64 = 16;

/// Words and bits of the widest values.
const MOST_WORDS: u64 = 64;
const MOST_BITS: u64 = 64 * MOST_WORDS;
/// Why a game is left to another engine.
const TOO_VARIED: &str = "chance has too many different numbers of moves";
const TOO_FINE: &str = "the denominator of the value has more than 4096 bits";

/// What both passes share.
struct Plan<'p, const N: usize> {
    packed: &'p Packed,
    images: Option<&'p Images<N>>,
    views: &'p [View],
    limits: &'p Limits,
    store: &'p Store,
    /// What is to be checked on the way.
    open: OpenPoints,
    /// Parts of a table, and of a layer while it is expanded.
    parts: usize,
    buffers: Buffers,
    /// Most layers, the first included, whose states still have a step left.
    layers: usize,
}

impl<const N: usize> Plan<'_, N> {
    /// The shape of a table for so many keys.
    fn shape(&self, keys: usize, attempt: usize) -> table::Shape {
        table::Shape {
            bits: self.packed.bits(),
            keys,
            parts: self.parts,
            attempt,
        }
    }

    /// Whether tables and values of so many bytes fit into memory, beside the buffers for a layer of so many slots.
    fn fits(&self, bytes: u64, slots: usize) -> bool {
        self.limits.fits(bytes + self.buffers.bytes(slots))
    }

    /// As [`Plan::fits`]; if not, the limit is reached.
    fn allow(&self, bytes: u64, slots: usize) -> bool {
        self.limits.allow(bytes + self.buffers.bytes(slots))
    }
}

/// How much of a layer is on its way to a table.
struct Buffers {
    /// Slots that are taken at a time, by each part.
    slots: usize,
    parts: usize,
    /// Bytes of a slot with all its successors.
    slot: u64,
    /// The bytes of all parts together.
    most: u64,
}

impl Buffers {
    /// Buffers that are small beside the memory. At least one batch is taken at a time, whatever its successors.
    fn new<const N: usize>(packed: &Packed, parts: usize, memory: u64) -> Buffers {
        let slot = (8 * N + 4 + most_successors(packed) * 8 * N) as u64;
        let most = (BUFFER_BYTES * parts as u64).min(memory / BUFFER_PART);
        let batches = (most / parts as u64 / slot / LANES as u64).clamp(1, (SLOTS_PER_TASK / LANES) as u64);
        Buffers {
            slots: batches as usize * LANES,
            parts,
            slot,
            most,
        }
    }

    /// The bytes for a layer of so many slots.
    fn bytes(&self, slots: usize) -> u64 {
        (slots.min(self.slots * self.parts) as u64 * self.slot).min(self.most)
    }
}

/// No state has more successors.
fn most_successors(packed: &Packed) -> usize {
    packed.choices().iter().map(|choice| choice.outcomes()).sum()
}

/// Why the engine cannot answer; another engine can.
pub(super) struct Unsuitable(pub(super) &'static str);

/// Why there is no answer.
enum Stop {
    /// A limit was reached.
    Limit,
    /// This engine cannot answer; another one can.
    Unsuitable(&'static str),
    /// A state seems to be without a move, or a play without an end.
    Doubt,
    /// Something outside failed.
    Failed(SolveError),
}

impl From<SolveError> for Stop {
    fn from(error: SolveError) -> Stop {
        Stop::Failed(error)
    }
}

/// Answers questions that differ only in their roles and objective. The start is not terminal, there
/// are steps left for a choice, and every play ends or there is a horizon, unless that is among the open points: these
/// are checked for every state. Nothing if one of them seems not to hold.
pub(super) fn run(
    machine: &Machine,
    packed: &Packed,
    open: OpenPoints,
    questions: &[Question<Bits>],
    options: &Options,
    limits: &Limits,
) -> Result<Option<Vec<Found>>, SolveError> {
    let found = thread_pool(options)?.install(|| {
        for_key_bits!(
            packed.bits(),
            run_on(machine, packed, open, questions, options, limits)
        )
    });
    match found.unwrap_or(Err(Stop::Unsuitable(TOO_WIDE))) {
        Ok(found) => Ok(Some(found)),
        Err(Stop::Doubt) => Ok(None),
        Err(Stop::Limit) => Ok(Some(stopped(questions, limits))),
        Err(Stop::Unsuitable(why)) => Err(SolveError::Unsuitable(why)),
        Err(Stop::Failed(error)) => Err(error),
    }
}

fn thread_pool(options: &Options) -> Result<rayon::ThreadPool, SolveError> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(options.threads.max(1))
        .build()
        .map_err(|error| SolveError::Threads(error.to_string()))
}

fn run_on<const N: usize>(
    machine: &Machine,
    packed: &Packed,
    open: OpenPoints,
    questions: &[Question<Bits>],
    options: &Options,
    limits: &Limits,
) -> Result<Vec<Found>, Stop> {
    let start = questions[0].start_state(machine);
    let Some(start) = packed.pack::<N>(&start) else {
        return Err(Stop::Unsuitable("the start lies inside a composed step"));
    };
    let layers = match (questions[0].horizon, packed.steps()) {
        (None, _) => usize::MAX,
        (Some(horizon), Steps::Each(steps)) => (horizon / steps) as usize,
        (Some(_), Steps::Mixed) => return Err(Stop::Unsuitable("composed steps differ in length")),
    };
    let views: Vec<View> = questions
        .iter()
        .map(|question| View::new(machine, packed, question))
        .collect();
    let parts = match options.threads {
        0 | 1 => 1,
        threads => threads * PARTS_PER_THREAD,
    };
    let images = Images::new(packed, machine.symmetries()).filter(|images| images.order() > 1);
    let store = Store::open(options, &identity(packed, images.as_ref(), questions, &start))?;
    let plan = Plan {
        packed,
        images: images.as_ref(),
        views: &views,
        limits,
        store: &store,
        open,
        parts,
        buffers: Buffers::new::<N>(packed, parts, limits.memory()),
        layers,
    };
    let (layers, values) = enumerate(&plan, start)?;
    let count = layers.totals.len();
    let Some(scales) = scales(&layers.totals, questions.len()) else {
        return Err(Stop::Unsuitable(TOO_VARIED));
    };
    if words(&scales[0], questions) > MOST_WORDS {
        return Err(Stop::Unsuitable(TOO_FINE));
    }
    let found = induce(&plan, layers, values, &scales, questions)?;
    store.clear(count);
    Ok(found)
}

/// All layers, and the values that an earlier run has left.
fn enumerate<const N: usize>(
    plan: &Plan<'_, N>,
    start: [u64; N],
) -> Result<(Layers<N>, Option<ValuesNote>), Stop> {
    let Some(saved) = plan.store.saved::<N>()? else {
        let mut layers = forward::begin(plan, start)?;
        forward::enumerate(plan, &mut layers)?;
        return Ok((layers, None));
    };
    let progress = &plan.limits.progress;
    progress.visited.store(saved.visited, Relaxed);
    progress.table_entries.store(saved.visited, Relaxed);
    progress.edges.store(saved.edges, Relaxed);
    progress.depth.store(saved.layers.totals.len() as u64, Relaxed);
    progress
        .resumed_layers
        .store(saved.layers.tables.len() as u64, Relaxed);
    let mut layers = saved.layers;
    if !saved.is_complete {
        forward::enumerate(plan, &mut layers)?;
    }
    Ok((layers, saved.values))
}

/// What tells the questions about a game apart.
fn identity<const N: usize>(
    packed: &Packed,
    images: Option<&Images<N>>,
    questions: &[Question<Bits>],
    start: &[u64; N],
) -> String {
    let asked = questions.iter().map(|question| {
        format!(
            "role {} chance {:?} horizon {:?} objective {:?}",
            question.role, question.chance, question.horizon, question.objective
        )
    });
    format!(
        "bits {} symmetries {} start {start:x?}: {}",
        packed.bits(),
        images.map_or(1, Images::order),
        asked.collect::<Vec<_>>().join("; ")
    )
}

/// Goes back through the layers, or on from the values of one of them.
fn induce<const N: usize>(
    plan: &Plan<'_, N>,
    layers: Layers<N>,
    saved: Option<ValuesNote>,
    scales: &[Vec<Scale>],
    questions: &[Question<Bits>],
) -> Result<Vec<Found>, Stop> {
    let induce = match words(&scales[0], questions) {
        0..=1 => induce_with::<N, 1>,
        2 => induce_with::<N, 2>,
        3..=4 => induce_with::<N, 4>,
        5..=8 => induce_with::<N, 8>,
        9..=16 => induce_with::<N, 16>,
        _ => induce_with::<N, { MOST_WORDS as usize }>,
    };
    induce(plan, layers, saved, scales, questions)
}

fn induce_with<const N: usize, const W: usize>(
    plan: &Plan<'_, N>,
    layers: Layers<N>,
    saved: Option<ValuesNote>,
    scales: &[Vec<Scale>],
    questions: &[Question<Bits>],
) -> Result<Vec<Found>, Stop> {
    let Layers {
        mut tables, totals, ..
    } = layers;
    let nothing = || Array::new(0).ok_or(Stop::Limit);
    // The values of the layer that is computed, and of the one after it.
    let mut values: [Values<W>; 2] = [nothing()?, nothing()?];
    let mut after: Option<Table<N>> = None;
    if let Some(note) = saved {
        values[1] = saved_values(plan, &note)?;
        after = tables.pop();
    }
    while let Some(table) = tables.pop() {
        let [now, next] = &mut values;
        let count = table.slots() * questions.len();
        let room = (count.max(now.len()) * W * 8) as u64;
        let beside = next.held_bytes() + table.held_bytes() + after.as_ref().map_or(0, Table::held_bytes);
        if !plan.fits(room + beside + tables.held_bytes(), table.slots()) {
            plan.store.spill(&mut tables)?;
        }
        make_room(plan, table.slots(), beside + tables.held_bytes(), now)?;
        let below = Below {
            layer: after
                .as_ref()
                .map(|after| (after, &next[..after.slots() * questions.len()])),
            scales: scales[tables.len()].clone(),
        };
        if tables.is_empty() {
            let answer = |at| first(plan, &table, &below, at, &totals[0]);
            return Ok((0..questions.len()).map(answer).collect());
        }
        backward::value_all(plan, &table, &below, now).ok_or(Stop::Limit)?;
        plan.store
            .keep_values(tables.len(), W, bytemuck::cast_slice(&now[..count]))?;
        values.swap(0, 1);
        after = Some(table);
    }
    Err(Stop::Limit)
}

/// The values that an earlier run has left.
fn saved_values<const N: usize, const W: usize>(
    plan: &Plan<'_, N>,
    note: &ValuesNote,
) -> Result<Values<W>, Stop> {
    let file = plan.store.values(note)?;
    let opened = match note.words == W {
        true => Array::open(&file, 0, note.count),
        false => Err(std::io::ErrorKind::InvalidData.into()),
    };
    opened.map_err(|error| {
        Stop::Failed(SolveError::Storage {
            message: format!("cannot use the saved values: {error}"),
            advice: store::BEGIN_AGAIN,
        })
    })
}

/// Makes an array for the values of a layer of so many slots, unless this one is large enough: fresh memory costs
/// time. `held` are the bytes that there are beside it.
fn make_room<const N: usize, const W: usize>(
    plan: &Plan<'_, N>,
    slots: usize,
    held: u64,
    values: &mut Values<W>,
) -> Result<(), Stop> {
    let count = (slots * plan.views.len()).max(values.len());
    if !plan.allow(held + (count * W * 8) as u64, slots) {
        return Err(Stop::Limit);
    }
    if values.len() < count {
        *values = Array::new(0).ok_or(Stop::Limit)?;
        *values = Array::new(count).ok_or_else(|| {
            plan.limits.reach(StopReason::Memory);
            Stop::Limit
        })?;
    }
    Ok(())
}
