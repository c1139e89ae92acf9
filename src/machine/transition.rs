//! The network of one joint move.
//!
//! Under "these moves are made, they are legal, the state is not terminal", most of the `next` network
//! collapses: a move becomes a mask, a constant and a few gates. `terminal` and `goal` of the successor
//! are composed with it.

use super::bits::{Bits, words};
use super::code::Code;
use crate::propnet::{Aig, Copier, Lit, Propnet};
use std::collections::BTreeMap;

/// A joint move, compiled: `next = state & keep | set | gates`.
pub(crate) struct Transition {
    /// Fluents that stay as they are.
    pub(crate) keep: Bits,
    /// Fluents that certainly hold next.
    pub(crate) set: Bits,
    /// Computes the fluents of `changes` (its first part), then `terminal` and the goals of the successor.
    pub(crate) code: Code,
    /// The fluent that each of the code's first outputs gives, ascending.
    pub(crate) changes: Vec<u32>,
}

impl Transition {
    /// What it takes in memory.
    pub(crate) fn bytes(&self) -> usize {
        let words = self.keep.words().len() + self.set.words().len();
        size_of::<Transition>() + 8 * words + 4 * self.changes.len() + self.code.bytes()
    }

    /// Makes `next`, a copy of a state in which the joint move is legal, the successor. In place, because to
    /// return a state that was just written costs more than the rest.
    pub(crate) fn apply(&self, state: &Bits, next: &mut Bits) {
        let masks = self.keep.words().iter().zip(self.set.words());
        for (word, (&keep, &set)) in next.words_mut().iter_mut().zip(masks) {
            *word = *word & keep | set;
        }
        if !self.changes.is_empty() {
            let change = |change: usize| next.set(self.changes[change] as usize);
            self.code.for_each_holding(state.words(), change);
        }
    }
}

/// Specialises networks; keeps what all joint moves share.
pub(crate) struct Specialiser<'n> {
    pub(crate) net: &'n Propnet,
    /// Proven groups of fluents of which at most one holds.
    pub(crate) exclusive: &'n [Vec<usize>],
    /// The group of each fluent.
    group_of: Vec<Option<usize>>,
}

/// Rounds of finding fluents that the joint move's legality fixes; more never paid on real games.
const ROUNDS: usize = 3;

impl<'n> Specialiser<'n> {
    pub(crate) fn new(net: &'n Propnet, exclusive: &'n [Vec<usize>]) -> Specialiser<'n> {
        let mut group_of = vec![None; net.fluents.len()];
        for (number, group) in exclusive.iter().enumerate() {
            group.iter().for_each(|&fluent| group_of[fluent] = Some(number));
        }
        Specialiser {
            net,
            exclusive,
            group_of,
        }
    }

    /// The transition of a joint move, one move per role.
    pub(crate) fn transition(&self, joint: &[usize]) -> Transition {
        let mut known: Vec<Option<bool>> = vec![None; self.net.fluents.len()];
        for _ in 0..ROUNDS {
            let found = Local::new(self, joint, &known).fixed_fluents();
            let before = known.iter().flatten().count();
            found
                .into_iter()
                .for_each(|(fluent, value)| self.learn(fluent, value, &mut known));
            if known.iter().flatten().count() == before {
                break;
            }
        }
        Local::new(self, joint, &known).compile()
    }

    fn learn(&self, fluent: usize, value: bool, known: &mut [Option<bool>]) {
        known[fluent] = Some(value);
        if let (true, Some(group)) = (value, self.group_of[fluent]) {
            let others = self.exclusive[group].iter().filter(|&&other| other != fluent);
            others.for_each(|&other| known[other] = Some(false));
        }
    }
}

/// A copy of the network's relevant part under the assumptions of one joint move. Its inputs are the
/// fluents.
struct Local<'s> {
    net: &'s Propnet,
    aig: Aig,
    copier: Copier,
    /// Literals of the copy that hold because the moves are legal and the state is not terminal.
    assumed: Vec<Lit>,
}

impl<'s> Local<'s> {
    fn new(specialiser: &'s Specialiser, joint: &[usize], known: &[Option<bool>]) -> Local<'s> {
        let net = specialiser.net;
        let aig = Aig::new(net.fluents.len());
        let mut inputs: Vec<_> = known
            .iter()
            .enumerate()
            .map(|(fluent, value)| value.map_or(aig.input(fluent), Lit::constant))
            .collect();
        inputs.extend((0..net.moves.len()).map(|mv| Lit::constant(joint.contains(&mv))));
        let copier = Copier::new(&net.aig, &inputs);
        let mut local = Local {
            net,
            aig,
            copier,
            assumed: Vec::new(),
        };
        local.assume(
            joint
                .iter()
                .map(|&mv| net.legal[mv])
                .chain([!net.terminal])
                .collect(),
        );
        local
    }

    /// Records what follows from the given literals of the network being true. A gate that is false
    /// is entered as such, so that the same function of unchanged fluents is recognised later on.
    fn assume(&mut self, literals: Vec<Lit>) {
        let mut facts = BTreeMap::new();
        let mut stack = literals;
        while let Some(literal) = stack.pop() {
            if literal.is_constant() || facts.insert(literal.node(), !literal.is_inverted()).is_some() {
                continue;
            }
            if let (false, Some((a, b))) = (literal.is_inverted(), self.net.aig.as_gate(literal.node())) {
                stack.extend([a, b]);
            }
        }
        for (node, holds) in facts {
            match self.net.aig.as_gate(node) {
                // Fluents are the first inputs of both graphs; that a move is made is already folded.
                None if node <= self.net.fluents.len() => {
                    self.assumed.push(Lit::of(node).inverted_if(!holds));
                }
                None => {}
                Some((a, b)) if !holds => {
                    let (a, b) = (self.copy(a), self.copy(b));
                    self.aig.assume_false(a, b);
                    self.assumed.extend(self.implied_by_false(a, b));
                    self.copier.fix(node, Lit::FALSE);
                }
                Some(_) => self.copier.fix(node, Lit::TRUE),
            }
        }
        self.assumed.retain(|literal| !literal.is_constant());
    }

    /// `a ∧ b` is false: if one side is true, the other is false.
    fn implied_by_false(&self, a: Lit, b: Lit) -> Option<Lit> {
        match (a, b) {
            (Lit::TRUE, other) | (other, Lit::TRUE) => Some(!other),
            _ => None,
        }
    }

    fn copy(&mut self, literal: Lit) -> Lit {
        self.copier.copy(&self.net.aig, &mut self.aig, literal)
    }

    /// Fluents whose value the assumptions fix.
    fn fixed_fluents(self) -> Vec<(usize, bool)> {
        let mut fixed = Vec::new();
        let mut stack = self.assumed;
        while let Some(literal) = stack.pop() {
            if let Some(fluent) = self.aig.as_input(literal.node()) {
                fixed.push((fluent, !literal.is_inverted()));
            } else if let (false, Some((a, b))) = (literal.is_inverted(), self.aig.as_gate(literal.node())) {
                stack.extend([a, b]);
            }
        }
        fixed
    }

    fn compile(mut self) -> Transition {
        let fluents = self.net.fluents.len();
        let next: Vec<_> = self.net.next.iter().map(|&literal| self.copy(literal)).collect();
        let mut keep = Bits::zero(words(fluents) * 64);
        let mut set = keep.clone();
        let mut changes = Vec::new();
        for (fluent, &literal) in next.iter().enumerate() {
            match literal {
                Lit::FALSE => {}
                Lit::TRUE => set.set(fluent),
                _ if literal == self.aig.input(fluent) => keep.set(fluent),
                _ => changes.push(fluent as u32),
            }
        }
        let mut outputs: Vec<_> = changes.iter().map(|&fluent| next[fluent as usize]).collect();
        outputs.extend(self.net.outcome_of(&next, &mut self.aig));
        let code = Code::new(&self.aig, fluents, &outputs, changes.len()).for_one(&self.aig, &outputs);
        Transition {
            keep,
            set,
            code,
            changes,
        }
    }
}
