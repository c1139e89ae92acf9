//! Many states at once: 512 per pass, by bit-slicing.

use super::Machine;
use super::bits::{Bits, words};
use super::code::Part;
use super::lanes::{self, Lanes};
use super::transition::Transition;
use crate::ground::MoveId;

pub use super::lanes::LANES;

/// Up to [`LANES`] states that are evaluated together.
pub struct Batch<'m> {
    machine: &'m Machine,
    /// Words of all states, one state after the other.
    words: Vec<u64>,
    /// Words per state.
    width: usize,
    /// Number of states.
    len: usize,
    /// Which lanes hold a state.
    used: Lanes,
    /// Lanes of each fluent.
    fluents: Vec<Lanes>,
    /// Slots of the machine's `look`.
    look: Vec<Lanes>,
    /// Slots of the joint move that is being applied.
    slots: Vec<Lanes>,
    /// Positions of the states that the joint move applies to: the first `open_count` of these.
    open: Vec<usize>,
    open_count: usize,
    successors: Vec<u64>,
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
        Batch {
            machine,
            words: Vec::new(),
            width: words(machine.net.fluents.len()),
            len: 0,
            used: Lanes::NONE,
            fluents: Vec::new(),
            look: Vec::new(),
            slots: Vec::new(),
            open: vec![0; LANES],
            open_count: 0,
            successors: Vec::new(),
            outcome: Vec::new(),
        }
    }

    /// Loads at most [`LANES`] states (further ones are ignored) and looks at all of them.
    pub fn load(&mut self, states: &[Bits]) {
        self.len = states.len().min(LANES);
        self.words.clear();
        states[..self.len]
            .iter()
            .for_each(|state| self.words.extend_from_slice(state.words()));
        self.used = Lanes::first(self.len);
        self.slice();
        let (code, fluents) = (&self.machine.look, &self.fluents);
        lanes::run(code, Part::All, |fluent| fluents[fluent], &mut self.look);
    }

    /// Turns states into lanes.
    fn slice(&mut self) {
        self.fluents.clear();
        self.fluents.resize(self.width * 64, Lanes::NONE);
        for (block, states) in self.words.chunks(64 * self.width).enumerate() {
            for word in 0..self.width {
                let mut rows = [0; 64];
                let column = states.iter().skip(word).step_by(self.width);
                column.zip(&mut rows).for_each(|(&bits, row)| *row = bits);
                lanes::transpose(&mut rows);
                for (fluent, row) in self.fluents[word * 64..].iter_mut().zip(rows) {
                    fluent.0[block] = row;
                }
            }
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
        lanes::value(
            &self.look,
            self.machine.look.outputs[self.machine.net.moves.len()],
        )
        .and(self.used)
    }

    /// The positions of the states in which a move is legal.
    pub fn legal(&self, mv: MoveId) -> impl Iterator<Item = usize> {
        self.legal_lanes(mv).and(self.used).ones()
    }

    fn legal_lanes(&self, mv: MoveId) -> Lanes {
        lanes::value(&self.look, self.machine.look.outputs[mv.index()])
    }

    /// The positions of the states in which the network's goal of this number holds.
    pub fn goal(&self, goal: usize) -> impl Iterator<Item = usize> {
        let output = self.machine.look.outputs[self.machine.net.moves.len() + 1 + goal];
        lanes::value(&self.look, output).and(self.used).ones()
    }

    /// Calls `visit` with the successors of all states that are not terminal, joint move by joint move.
    pub fn expand(&mut self, mut visit: impl FnMut(Successors<'_>)) {
        self.for_each_joint_move(Part::First, &mut |batch, joint| visit(batch.successors(joint)));
    }

    /// Like [`Batch::expand`], and tells which successors are terminal and what they are worth, without
    /// looking at them.
    pub fn expand_with_outcomes(&mut self, mut visit: impl FnMut(Successors<'_>, Outcomes<'_>)) {
        self.for_each_joint_move(Part::All, &mut |batch, joint| {
            let outcomes = Outcomes {
                states: &batch.open[..batch.open_count],
                outcome: &batch.outcome,
            };
            visit(batch.successors(joint), outcomes);
        });
    }

    fn successors<'b>(&'b self, joint: &'b [MoveId]) -> Successors<'b> {
        Successors {
            joint,
            states: &self.open[..self.open_count],
            words: &self.successors,
            width: self.width,
        }
    }

    fn for_each_joint_move(&mut self, part: Part, visit: &mut impl FnMut(&Self, &[MoveId])) {
        let open = self.used.and_not(self.terminal_lanes());
        self.choose(0, open, &mut Vec::new(), part, visit);
    }

    /// Chooses for this role and all after it.
    fn choose(
        &mut self,
        role: usize,
        open: Lanes,
        joint: &mut Vec<MoveId>,
        part: Part,
        visit: &mut impl FnMut(&Self, &[MoveId]),
    ) {
        if role == self.machine.ranges.len() {
            self.apply(joint, open, part);
            return visit(self, joint);
        }
        for mv in self.machine.ranges[role].clone().map(MoveId::new) {
            let lanes = open.and(self.legal_lanes(mv));
            if !lanes.is_empty() {
                joint.push(mv);
                self.choose(role + 1, lanes, joint, part, visit);
                joint.pop();
            }
        }
    }

    fn apply(&mut self, joint: &[MoveId], open: Lanes, part: Part) {
        let machine = self.machine;
        self.list_open(open);
        machine.with_transition(joint, |transition| match transition {
            Some(transition) => self.apply_transition(transition, open, part),
            None => self.apply_general(joint, open),
        });
    }

    fn list_open(&mut self, open: Lanes) {
        let mut count = 0;
        open.for_each(|lane| {
            self.open[count] = lane;
            count += 1;
        });
        self.open_count = count;
    }

    fn apply_transition(&mut self, transition: &Transition, open: Lanes, part: Part) {
        self.successors.clear();
        let (keep, set) = (transition.keep.words(), transition.set.words());
        let states = self.open[..self.open_count].iter();
        match (self.width, keep, set) {
            // States of one word, by far the most common ones, need no inner loop.
            (1, &[keep], &[set]) => self
                .successors
                .extend(states.map(|&state| self.words[state] & keep | set)),
            (width, keep, set) => {
                for &state in states {
                    let words = self.words[state * width..][..width].iter();
                    let masks = keep.iter().zip(set);
                    self.successors
                        .extend(words.zip(masks).map(|(word, (keep, set))| word & keep | set));
                }
            }
        }
        if part == Part::First && transition.changes.is_empty() {
            return;
        }
        let (fluents, code) = (&self.fluents, &transition.code);
        lanes::run(code, part, |fluent| fluents[fluent], &mut self.slots);
        for (&fluent, &output) in transition.changes.iter().zip(&transition.code.outputs) {
            let holds = lanes::value(&self.slots, output).and(open);
            self.set(fluent as usize, holds, open);
        }
        if part == Part::All {
            let outputs = transition.outcome().iter();
            self.outcome.clear();
            self.outcome
                .extend(outputs.map(|&output| lanes::value(&self.slots, output)));
        }
    }

    fn apply_general(&mut self, joint: &[MoveId], open: Lanes) {
        let machine = self.machine;
        let count = machine.net.fluents.len();
        self.successors.clear();
        self.successors.resize(self.open_count * self.width, 0);
        let is_made = |mv: usize| joint.iter().any(|made| made.index() == mv);
        let fluents = &self.fluents;
        let input = |input: usize| match input.checked_sub(count) {
            None => fluents[input],
            Some(mv) if is_made(mv) => Lanes::ALL,
            Some(_) => Lanes::NONE,
        };
        lanes::run(&machine.next, Part::All, input, &mut self.slots);
        for (fluent, &output) in machine.next.outputs.iter().enumerate() {
            let holds = lanes::value(&self.slots, output).and(open);
            self.set(fluent, holds, open);
        }
        self.look_at_successors();
    }

    /// The outcome of successors that the general network gave: a look at them, still in lanes.
    fn look_at_successors(&mut self) {
        let machine = self.machine;
        let next = &machine.next.outputs;
        let lanes: Vec<_> = next
            .iter()
            .map(|&output| lanes::value(&self.slots, output))
            .collect();
        let look = &machine.look;
        lanes::run(look, Part::All, |fluent| lanes[fluent], &mut self.slots);
        let outcome = &look.outputs[machine.net.moves.len()..];
        self.outcome.clear();
        self.outcome
            .extend(outcome.iter().map(|&output| lanes::value(&self.slots, output)));
    }

    /// Sets a fluent in the successors of the lanes `holds`, which are among the lanes `open`. A lane's
    /// successor stands at the lane's rank among the open ones.
    fn set(&mut self, fluent: usize, holds: Lanes, open: Lanes) {
        let (width, word, bit) = (self.width, fluent / 64, 1 << (fluent % 64));
        let mut before = 0;
        for (&lanes, &open) in holds.0.iter().zip(&open.0) {
            let mut left = lanes;
            while left != 0 {
                let lower = (left & left.wrapping_neg()) - 1;
                let at = before + (open & lower).count_ones() as usize;
                self.successors[at * width + word] |= bit;
                left &= left - 1;
            }
            before += open.count_ones() as usize;
        }
    }
}
