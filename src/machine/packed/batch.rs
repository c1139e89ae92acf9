//! 512 keys and their successors, by bit-slicing.

use super::super::code::Part;
use super::super::emit::{Change, Emission};
use super::super::lanes::{self, LANES, Lanes};
use super::super::vectors::Vectors;
use super::images::Room;
use super::{CompiledEdge, Filling, Images, Packed};

/// Up to [`LANES`] keys that are expanded together.
pub struct PackedBatch<'p, const N: usize> {
    packed: &'p Packed,
    images: Option<&'p Images<N>>,
    room: Room,
    vectors: Vectors,
    /// Words of [`LANES`] keys, one key after the other; those that are not used are zero.
    words: Vec<u64>,
    used: Lanes,
    /// Slots: the bits of the keys lie in theirs as long as the batch is loaded.
    slots: Vec<Lanes>,
    /// When the moves are legal.
    look: Vec<Lanes>,
    /// Bits that the edge changes: where they are one afterwards.
    holds: Vec<Lanes>,
    emission: Emission,
}

/// What an expansion has to compute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// Successors.
    Successors,
    /// Successors, and the goals of those that are terminal.
    Goals,
}

/// One outcome of one choice, for all keys at once.
pub struct Expansion<'b> {
    /// The position among the game's choices.
    pub choice: usize,
    /// The outcome of chance after it.
    pub outcome: usize,
    /// The keys that have it.
    pub(crate) open: Lanes,
    /// Those whose successor is not terminal; their successors were appended in this order.
    pub(crate) going: Lanes,
    /// The numbers of these keys, if their successors were appended.
    pub(crate) lanes: &'b [usize],
    slots: &'b [Lanes],
    edge: &'b CompiledEdge,
}

impl Expansion<'_> {
    /// The keys whose successor is terminal and has the network's goal of this number.
    pub(crate) fn won(&self, goal: usize) -> Lanes {
        let output = self.edge.code.outputs[2 + self.edge.changes.len() + goal];
        lanes::value(self.slots, output)
            .and(self.open)
            .and_not(self.going)
    }
}

impl<'p, const N: usize> PackedBatch<'p, N> {
    /// An empty batch.
    pub fn new(packed: &'p Packed, images: Option<&'p Images<N>>) -> PackedBatch<'p, N> {
        PackedBatch {
            packed,
            images,
            room: Room::default(),
            vectors: Vectors::detect(),
            words: vec![0; LANES * N],
            used: Lanes::NONE,
            slots: vec![Lanes::NONE; 1 + 64 * N],
            look: Vec::new(),
            holds: Vec::new(),
            emission: Emission::new(N),
        }
    }

    /// Loads at most [`LANES`] keys of states that are not terminal.
    pub fn load(&mut self, keys: &[[u64; N]]) {
        let keys = &keys[..keys.len().min(LANES)];
        let words = keys.as_flattened();
        self.words[..words.len()].copy_from_slice(words);
        self.words[words.len()..].fill(0);
        self.used = Lanes::first(keys.len());
        let (signals, _) = self.slots[1..].as_chunks_mut::<64>();
        for (word, signals) in signals[..N].iter_mut().enumerate() {
            let bits = self.packed.bits().saturating_sub(64 * word);
            lanes::slice(&self.words[word..], N, bits, signals, self.vectors);
        }
        self.look();
    }

    /// Gives a bit of the keys, lane by lane.
    pub(crate) fn set_bit(&mut self, bit: usize, lanes: Lanes) {
        self.slots[1 + bit] = lanes;
    }

    /// Loads the keys whose bits were set, as far as they are in these lanes and not terminal; gives the
    /// lanes. There are no words of these keys, so only [`PackedBatch::outcomes`] can follow.
    pub(crate) fn load_bits(&mut self, lanes: Lanes, filling: &Filling) -> Lanes {
        lanes::run(&filling.terminal, Part::All, &mut self.slots, self.vectors);
        self.used = lanes.and_not(lanes::value(&self.slots, filling.terminal.outputs[0]));
        if !self.used.is_empty() {
            self.look();
        }
        self.used
    }

    fn look(&mut self) {
        let code = &self.packed.look;
        lanes::run(code, Part::All, &mut self.slots, self.vectors);
        lanes::values(&self.slots, &code.outputs, &mut self.look, self.vectors);
    }

    /// Calls `visit` with every outcome of every choice that some key has, and appends the successors that are
    /// not terminal, outcome by outcome.
    pub fn expand(
        &mut self,
        wanted: Wanted,
        successors: &mut Vec<[u64; N]>,
        visit: impl FnMut(Expansion<'_>),
    ) {
        let part = match wanted {
            Wanted::Successors => Part::First,
            Wanted::Goals => Part::All,
        };
        let first = successors.len();
        let append = |batch: &mut Self, edge: &CompiledEdge, going| batch.append(edge, going, successors);
        self.each_outcome(part, append, visit);
        if let Some(images) = self.images {
            images.minimise(&mut successors[first..], &mut self.room, self.vectors);
        }
    }

    /// Calls `visit` with every outcome of every choice that some key has, goals included, for who knows
    /// the successors already.
    pub(crate) fn outcomes(&mut self, visit: impl FnMut(Expansion<'_>)) {
        self.emission.clear();
        self.each_outcome(Part::All, |_, _, _| {}, visit);
    }

    fn each_outcome(
        &mut self,
        part: Part,
        mut before: impl FnMut(&mut Self, &CompiledEdge, Lanes),
        mut visit: impl FnMut(Expansion<'_>),
    ) {
        let packed = self.packed;
        for (number, choice) in packed.choices.iter().enumerate() {
            let legal = choice.legal.iter();
            let legal = legal.fold(self.used, |open, &output| open.and(self.look[output]));
            if legal.is_empty() {
                continue;
            }
            for (outcome, edge) in choice.edges.iter().enumerate() {
                let (open, going) = self.run(edge, part, legal);
                if open.is_empty() {
                    continue;
                }
                before(self, edge, going);
                visit(Expansion {
                    choice: number,
                    outcome,
                    open,
                    going,
                    lanes: self.emission.lanes(),
                    slots: &self.slots,
                    edge,
                });
            }
        }
    }

    /// Evaluates an edge; gives the lanes that have it and those whose successor is not terminal.
    fn run(&mut self, edge: &CompiledEdge, part: Part, legal: Lanes) -> (Lanes, Lanes) {
        lanes::run(&edge.code, part, &mut self.slots, self.vectors);
        let open = legal.and(lanes::value(&self.slots, edge.code.outputs[0]));
        let going = open.and_not(lanes::value(&self.slots, edge.code.outputs[1]));
        (open, going)
    }

    fn append(&mut self, edge: &CompiledEdge, going: Lanes, successors: &mut Vec<[u64; N]>) {
        let outputs = &edge.code.outputs[2..2 + edge.changes.len()];
        lanes::values(&self.slots, outputs, &mut self.holds, self.vectors);
        let change = Change {
            keep: &edge.keep,
            set: &edge.set,
            fluents: &edge.changes,
            holds: &self.holds,
        };
        self.emission.emit(&self.words, going, &change, self.vectors);
        let (emitted, _) = self.emission.words().as_chunks::<N>();
        successors.extend_from_slice(emitted);
    }
}
