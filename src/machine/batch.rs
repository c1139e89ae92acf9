//! Many states at once: 512 per pass, by bit-slicing.

use super::Machine;
use super::bits::{Bits, words};
use super::code::Part;
use super::emit::{Change, Emission};
use super::lanes::{self, Lanes};
use super::transition::Transition;
use super::vectors::Vectors;
use crate::ground::MoveId;
use std::ops::ControlFlow;

pub use super::lanes::LANES;

/// Up to [`LANES`] states that are evaluated together.
pub struct Batch<'m> {
    machine: &'m Machine,
    vectors: Vectors,
    /// Words of [`LANES`] states, one state after the other; those that are not used are zero.
    words: Vec<u64>,
    /// Words per state.
    width: usize,
    /// Number of states.
    len: usize,
    /// Which lanes hold a state.
    used: Lanes,
    /// Slots: the fluents lie in theirs as long as the batch is loaded, the gates change with the code.
    slots: Vec<Lanes>,
    /// `legal` of all moves, then `terminal`, then the goals.
    look: Vec<Lanes>,
    /// Per role: its moves that can be part of the joint move, with the lanes in which they can.
    choices: Vec<Vec<(usize, Lanes)>>,
    /// Fluents that the joint move changes: where they hold afterwards.
    holds: Vec<Lanes>,
    emission: Emission,
    outcome: Vec<Lanes>,
}

/// The successors of some states of a batch under one joint move.
pub struct Successors<'b> {
    /// One move per role.
    pub joint: &'b [MoveId],
    /// The positions in the batch of the states in which the joint move is legal, ascending.
    pub states: &'b [usize],
    /// Their successors' words, one after the other.
    words: &'b [u64],
    width: usize,
}

impl Successors<'_> {
    /// The words of the successor of `states[index]`.
    pub fn words(&self, index: usize) -> &[u64] {
        &self.words[index * self.width..(index + 1) * self.width]
    }
}

/// What [`Successors`] are worth.
pub struct Outcomes<'b> {
    states: &'b [usize],
    /// `terminal` and the network's goals in the successors, by lane of the predecessor.
    outcome: &'b [Lanes],
}

impl Outcomes<'_> {
    /// Whether the successor of `states[index]` is terminal.
    pub fn is_terminal(&self, index: usize) -> bool {
        self.outcome[0].get(self.states[index])
    }

    /// Whether the network's goal of this number holds in the successor of `states[index]`.
    pub fn has_goal(&self, index: usize, goal: usize) -> bool {
        self.outcome[1 + goal].get(self.states[index])
    }
}

impl<'m> Batch<'m> {
    /// An empty batch.
    pub fn new(machine: &'m Machine) -> Batch<'m> {
        Batch::with_vectors(machine, Vectors::detect())
    }

    /// One empty batch for each kind of vectors that the processor has, the one of every processor among
    /// them: all give the same answers, some more slowly.
    pub fn of_each_kind(machine: &'m Machine) -> Vec<Batch<'m>> {
        let mut kinds = vec![Vectors::Portable];
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx2") {
            kinds.push(Vectors::Avx2);
        }
        kinds.push(Vectors::detect());
        kinds.dedup();
        let batch = |vectors| Batch::with_vectors(machine, vectors);
        kinds.into_iter().map(batch).collect()
    }

    fn with_vectors(machine: &'m Machine, vectors: Vectors) -> Batch<'m> {
        let width = words(machine.net.fluents.len());
        Batch {
            machine,
            vectors,
            words: vec![0; LANES * width],
            width,
            len: 0,
            used: Lanes::NONE,
            slots: vec![Lanes::NONE; 1 + 64 * width],
            look: vec![Lanes::NONE; machine.look.outputs.len()],
            choices: vec![Vec::new(); machine.ranges.len()],
            holds: Vec::new(),
            emission: Emission::new(width),
            outcome: Vec::new(),
        }
    }

    /// Loads at most [`LANES`] states (further ones are ignored) and looks at all of them.
    pub fn load(&mut self, states: &[Bits]) {
        self.len = states.len().min(LANES);
        let states = &states[..self.len];
        match self.width {
            // States of one word, by far the most common ones, need no inner loop.
            1 => {
                let words = self.words.iter_mut().zip(states);
                words.for_each(|(word, state)| *word = state.words()[0]);
            }
            width => {
                let words = self.words.chunks_exact_mut(width).zip(states);
                words.for_each(|(words, state)| words.copy_from_slice(state.words()));
            }
        }
        self.words[self.len * self.width..].fill(0);
        self.used = Lanes::first(self.len);
        self.slice();
        let (machine, vectors) = (self.machine, self.vectors);
        lanes::run(&machine.look, Part::All, &mut self.slots, vectors);
        lanes::values(&self.slots, &machine.look.outputs, &mut self.look, vectors);
    }

    /// Turns states into lanes.
    fn slice(&mut self) {
        let fluents = self.machine.net.fluents.len();
        let (signals, _) = self.slots[1..].as_chunks_mut::<64>();
        for (word, signals) in signals[..self.width].iter_mut().enumerate() {
            let bits = fluents - (64 * word).min(fluents);
            lanes::slice(&self.words[word..], self.width, bits, signals, self.vectors);
        }
    }

    /// Number of states.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The positions of the terminal states.
    pub fn terminal(&self) -> impl Iterator<Item = usize> {
        self.terminal_lanes().ones()
    }

    fn terminal_lanes(&self) -> Lanes {
        self.look[self.machine.net.moves.len()].and(self.used)
    }

    /// The positions of the states in which a move is legal.
    pub fn legal(&self, mv: MoveId) -> impl Iterator<Item = usize> {
        self.look[mv.index()].and(self.used).ones()
    }

    /// The positions of the states in which the network's goal of this number holds.
    pub fn goal(&self, goal: usize) -> impl Iterator<Item = usize> {
        let lanes = self.look[self.machine.net.moves.len() + 1 + goal];
        lanes.and(self.used).ones()
    }

    /// Calls `visit` with the successors of all states that are not terminal, joint move by joint move, until
    /// it breaks off.
    pub fn expand(&mut self, mut visit: impl FnMut(Successors<'_>) -> ControlFlow<()>) {
        self.for_each_joint_move(Part::First, &mut |batch, joint| visit(batch.successors(joint)));
    }

    /// Like [`Batch::expand`], and tells which successors are terminal and what they are worth, without
    /// looking at them.
    pub fn expand_with_outcomes(
        &mut self,
        mut visit: impl FnMut(Successors<'_>, Outcomes<'_>) -> ControlFlow<()>,
    ) {
        self.for_each_joint_move(Part::All, &mut |batch, joint| {
            let outcomes = Outcomes {
                states: batch.emission.lanes(),
                outcome: &batch.outcome,
            };
            visit(batch.successors(joint), outcomes)
        });
    }

    fn successors<'b>(&'b self, joint: &'b [MoveId]) -> Successors<'b> {
        Successors {
            joint,
            states: self.emission.lanes(),
            words: self.emission.words(),
            width: self.width,
        }
    }

    fn for_each_joint_move(
        &mut self,
        part: Part,
        visit: &mut impl FnMut(&Self, &[MoveId]) -> ControlFlow<()>,
    ) {
        let open = self.used.and_not(self.terminal_lanes());
        // Whether it was broken off is known to who did it.
        let _ = self.choose(0, open, &mut Vec::new(), part, visit);
    }

    /// Chooses for this role and all after it.
    fn choose(
        &mut self,
        role: usize,
        open: Lanes,
        joint: &mut Vec<MoveId>,
        part: Part,
        visit: &mut impl FnMut(&Self, &[MoveId]) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if role == self.machine.ranges.len() {
            self.apply(joint, open, part);
            return visit(self, joint);
        }
        let moves = self.machine.ranges[role].clone();
        let mut choices = std::mem::take(&mut self.choices[role]);
        lanes::meet(open, &self.look[moves.clone()], &mut choices, self.vectors);
        let done = choices.iter().try_for_each(|&(choice, lanes)| {
            joint.push(MoveId::new(moves.start + choice));
            let done = self.choose(role + 1, lanes, joint, part, visit);
            joint.pop();
            done
        });
        self.choices[role] = choices;
        done
    }

    fn apply(&mut self, joint: &[MoveId], open: Lanes, part: Part) {
        let machine = self.machine;
        machine.with_transition(joint, |transition| match transition {
            Some(transition) => self.apply_transition(transition, open, part),
            None => self.apply_general(joint, open),
        });
    }

    fn apply_transition(&mut self, transition: &Transition, open: Lanes, part: Part) {
        let (changed, outcome) = transition.code.outputs.split_at(transition.changes.len());
        if part == Part::All || !changed.is_empty() {
            lanes::run(&transition.code, part, &mut self.slots, self.vectors);
        }
        lanes::values(&self.slots, changed, &mut self.holds, self.vectors);
        if part == Part::All {
            lanes::values(&self.slots, outcome, &mut self.outcome, self.vectors);
        }
        let change = Change {
            keep: &transition.keep,
            set: &transition.set,
            fluents: &transition.changes,
            holds: &self.holds,
        };
        self.emission.emit(&self.words, open, &change, self.vectors);
    }

    fn apply_general(&mut self, joint: &[MoveId], open: Lanes) {
        let Machine { net, next, look, .. } = self.machine;
        let (fluents, vectors) = (net.fluents.len(), self.vectors);
        lanes::make_room(&mut self.slots, next.first_gate());
        for (mv, slot) in self.slots[1 + fluents..next.first_gate()].iter_mut().enumerate() {
            let is_made = joint.iter().any(|made| made.index() == mv);
            *slot = if is_made { Lanes::ALL } else { Lanes::NONE };
        }
        lanes::run(next, Part::All, &mut self.slots, vectors);
        lanes::values(&self.slots, &next.outputs, &mut self.holds, vectors);
        self.emission.emit_signals(open, &self.holds);
        // The outcome is a look at the successors, still in lanes.
        let mut slots = vec![Lanes::NONE; look.slots()];
        slots[1..=fluents].copy_from_slice(&self.holds);
        lanes::run(look, Part::All, &mut slots, vectors);
        let outcome = &look.outputs[net.moves.len()..];
        lanes::values(&slots, outcome, &mut self.outcome, vectors);
    }
}
