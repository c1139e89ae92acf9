//! The successors of one key, up to 64 of them, and what follows from each: for depth-first search.
//!
//! The engines that go layer by layer expand 512 keys at once (`batch`). A depth-first search only ever has the
//! successors of one position together. They differ from it in few bits, so here a signal is one word: the bits
//! of the position are laid down for all lanes, and what differs is turned over. One pass over the choices then
//! tells for all of them which of their successors are terminal, and what those are worth. The successors that
//! go on are written down one by one, when somebody wants them.

use super::super::code::{Code, Part};
use super::{CompiledEdge, Packed};
use crate::propnet::Lit;

/// Most keys that are looked at together.
pub(crate) const SIBLINGS: usize = 64;

/// The choices of a game without chance, in some order.
pub(crate) struct Family<'p, const N: usize> {
    look: &'p Code,
    bits: usize,
    choices: Vec<Compiled<'p, N>>,
    /// Slots of the evaluation: each value and its inverse, one lane per key.
    slots: Vec<[u64; 2]>,
}

/// `next = key & keep | set | changes`.
struct Compiled<'p, const N: usize> {
    /// The moves of the roles, over the slots of the look.
    legal: Vec<Lit>,
    keep: [u64; N],
    set: [u64; N],
    edge: &'p CompiledEdge,
}

/// What follows from some keys.
#[derive(Default)]
pub(crate) struct Siblings {
    /// The lanes of the keys.
    pub(crate) used: u64,
    /// Of the choices that some key has, in the family's order.
    pub(crate) options: Vec<Choices>,
    /// The changing bits of the successors, in the order of the options.
    changes: Vec<u64>,
}

/// One choice, for all keys: bit `i` is about key `i`.
pub(crate) struct Choices {
    /// The position in the family's order.
    pub(crate) choice: usize,
    /// The keys that have it.
    pub(crate) legal: u64,
    /// Those whose successor is not terminal.
    pub(crate) going: u64,
    /// Those whose successor is terminal and has one of the goals that were asked for.
    pub(crate) won: u64,
    /// Where its changing bits begin.
    changes: usize,
}

impl<'p, const N: usize> Family<'p, N> {
    /// The game's choices of these numbers, each of which has a single outcome.
    pub(crate) fn new(packed: &'p Packed, choices: impl Iterator<Item = usize>) -> Family<'p, N> {
        let words = |mask: &super::Bits| std::array::from_fn(|word| mask.words()[word]);
        let compile = |number: usize| {
            let choice = &packed.choices[number];
            let edge = &choice.edges[0];
            Compiled {
                legal: choice
                    .legal
                    .iter()
                    .map(|&output| packed.look.outputs[output])
                    .collect(),
                keep: words(&edge.keep),
                set: words(&edge.set),
                edge,
            }
        };
        let choices: Vec<Compiled<'p, N>> = choices.map(compile).collect();
        let codes = choices
            .iter()
            .map(|choice| &choice.edge.code)
            .chain([&packed.look]);
        let slots = codes.map(Code::slots).max().unwrap_or(0);
        Family {
            look: &packed.look,
            bits: packed.bits(),
            choices,
            slots: vec![[0, u64::MAX]; slots],
        }
    }

    /// Looks at no more than [`SIBLINGS`] keys of states that are not terminal. They should be close to `near`.
    pub(crate) fn look(
        &mut self,
        near: &[u64; N],
        keys: impl Iterator<Item = [u64; N]>,
        goals: &[usize],
        siblings: &mut Siblings,
    ) {
        let used = self.load(near, keys);
        self.look.run_lanes(Part::All, &mut self.slots);
        siblings.used = used;
        siblings.options.clear();
        siblings.changes.clear();
        // The codes of the choices overwrite the gates of the look.
        for (number, choice) in self.choices.iter().enumerate() {
            let legal = choice.legal.iter();
            let legal = legal.fold(used, |legal, &literal| legal & value(&self.slots, literal));
            if legal != 0 {
                siblings.options.push(Choices {
                    choice: number,
                    legal,
                    going: 0,
                    won: 0,
                    changes: 0,
                });
            }
        }
        for option in &mut siblings.options {
            let edge = self.choices[option.choice].edge;
            edge.code.run_lanes(Part::First, &mut self.slots);
            let outputs = &edge.code.outputs;
            option.legal &= value(&self.slots, outputs[0]);
            option.going = option.legal & !value(&self.slots, outputs[1]);
            option.changes = siblings.changes.len();
            let (changes, outcome) = outputs[2..].split_at(edge.changes.len());
            siblings
                .changes
                .extend(changes.iter().map(|&literal| value(&self.slots, literal)));
            let ended = option.legal & !option.going;
            if ended != 0 {
                edge.code.finish_lanes(&mut self.slots);
                let won = goals
                    .iter()
                    .fold(0, |won, &goal| won | value(&self.slots, outcome[goal]));
                option.won = ended & won;
            }
        }
    }

    /// Lays down the keys; gives the lanes that they use.
    fn load(&mut self, near: &[u64; N], keys: impl Iterator<Item = [u64; N]>) -> u64 {
        for (bit, slot) in self.slots[1..=self.bits].iter_mut().enumerate() {
            let value = 0u64.wrapping_sub(near[bit / 64] >> (bit % 64) & 1);
            *slot = [value, !value];
        }
        let mut used = 0;
        for (lane, key) in keys.take(SIBLINGS).enumerate() {
            used |= 1 << lane;
            for word in 0..N {
                let mut different = key[word] ^ near[word];
                while different != 0 {
                    let slot = &mut self.slots[1 + word * 64 + different.trailing_zeros() as usize];
                    *slot = [slot[0] ^ 1 << lane, slot[1] ^ 1 << lane];
                    different &= different - 1;
                }
            }
        }
        used
    }

    /// The successor of the key in a lane, which is open under this option.
    #[inline]
    pub(crate) fn successor(
        &self,
        siblings: &Siblings,
        option: &Choices,
        lane: usize,
        key: &[u64; N],
    ) -> [u64; N] {
        let choice = &self.choices[option.choice];
        let mut next = std::array::from_fn(|word| key[word] & choice.keep[word] | choice.set[word]);
        let changes = &siblings.changes[option.changes..];
        for (&bit, &lanes) in choice.edge.changes.iter().zip(changes) {
            next[bit as usize / 64] |= (lanes >> lane & 1) << (bit % 64);
        }
        next
    }
}

/// The value of a literal over slots.
#[inline]
fn value(slots: &[[u64; 2]], literal: Lit) -> u64 {
    slots.as_flattened()[literal.0 as usize]
}
