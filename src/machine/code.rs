//! Straight-line code: a part of a network as a list of gates over slots.
//!
//! This is the form for many states at once ([`super::lanes`]). For one state the first outputs are
//! computed by [`Cubes`], unless the network is too large for them.
//!
//! ```text
//! slot 0         the constant false
//! slot 1 … I     the inputs, each at its own place whether it is needed or not
//! slot I+1 …     one per gate, in order of evaluation
//! ```
//!
//! All codes over the same inputs find them at the same slots, so that they are laid down once for many.

use super::bits::{bit_of, ones_within, words};
use super::cubes::Cubes;
use crate::propnet::{Aig, Lit};
use std::cell::RefCell;
use std::ops::{Range, RangeInclusive};

/// The gates that some outputs need, and nothing else.
#[derive(Clone, Debug, Default)]
pub(crate) struct Code {
    /// Number of inputs that have a slot.
    inputs: usize,
    /// The inputs that are read.
    pub(crate) loads: Vec<u32>,
    /// Both sides of every gate, as literals over slots.
    pub(crate) gates: Vec<(Lit, Lit)>,
    /// The outputs, as literals over slots.
    pub(crate) outputs: Vec<Lit>,
    /// Loads, gates and outputs of the first part, as numbers of leading ones.
    first: (usize, usize, usize),
    /// The first outputs in a form for one state.
    cubes: Option<Cubes>,
}

/// What evaluations for one state write on.
#[derive(Default)]
struct Scratch {
    words: Vec<u64>,
    slots: Vec<[u8; 2]>,
}

thread_local! {
    /// Kept to save allocations.
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

/// How many gates are worth to be made into cubes. Fewer make blocks that are too short: the joint moves of
/// connect four were slower as cubes. More take too much: cubes may need nine times the memory of the gates.
const GATES_FOR_CUBES: RangeInclusive<usize> = 32..=1 << 16;

/// How much of a code is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// What the first outputs need.
    First,
    /// Everything.
    All,
}

impl Code {
    /// Code for these outputs of the graph, which depend on no more than the first `inputs` inputs; the
    /// gates that the first of the outputs need come first, so that a prefix of the code computes them alone.
    pub(crate) fn new(aig: &Aig, inputs: usize, outputs: &[Lit], first: usize) -> Code {
        let urgent = aig.cone(outputs[..first].iter().copied());
        let needed = aig.cone(outputs.iter().copied());
        let mut slots: Vec<u32> = (0..aig.nodes() as u32).collect();
        let mut code = Code {
            inputs,
            first: (0, 0, first),
            ..Code::default()
        };
        for is_urgent in [true, false] {
            let loads =
                (0..aig.inputs()).filter(|&input| needed[1 + input] && urgent[1 + input] == is_urgent);
            code.loads.extend(loads.map(|input| input as u32));
            if is_urgent {
                code.first.0 = code.loads.len();
            }
        }
        debug_assert!(code.loads.iter().all(|&load| (load as usize) < inputs));
        for is_urgent in [true, false] {
            for (gate, &(a, b)) in aig.gates().iter().enumerate() {
                let node = 1 + aig.inputs() + gate;
                if needed[node] && urgent[node] == is_urgent {
                    slots[node] = code.slots() as u32;
                    code.gates.push((relocate(a, &slots), relocate(b, &slots)));
                }
            }
            if is_urgent {
                code.first.1 = code.gates.len();
            }
        }
        code.outputs = outputs.iter().map(|&output| relocate(output, &slots)).collect();
        code
    }

    /// The same code, prepared for [`Code::evaluate`] as well: made for these outputs of this graph.
    pub(crate) fn for_one(self, aig: &Aig, outputs: &[Lit]) -> Code {
        let (_, gates, first) = self.first;
        let is_worth_it = GATES_FOR_CUBES.contains(&gates);
        let cubes = is_worth_it.then(|| Cubes::new(aig, self.inputs, &outputs[..first]));
        Code {
            cubes: cubes.filter(|cubes| cubes.len() <= gates + first),
            ..self
        }
    }

    /// What its lists take in memory.
    pub(crate) fn bytes(&self) -> usize {
        let cubes = self.cubes.as_ref().map_or(0, Cubes::bytes);
        size_of_val(&self.loads[..]) + size_of_val(&self.gates[..]) + size_of_val(&self.outputs[..]) + cubes
    }

    /// Number of slots.
    pub(crate) fn slots(&self) -> usize {
        self.first_gate() + self.gates.len()
    }

    /// The loads and the gates of a part.
    pub(crate) fn part(&self, part: Part) -> (&[u32], &[(Lit, Lit)]) {
        match part {
            Part::First => (&self.loads[..self.first.0], &self.gates[..self.first.1]),
            Part::All => (&self.loads, &self.gates),
        }
    }

    /// Slot of the first gate.
    pub(crate) fn first_gate(&self) -> usize {
        1 + self.inputs
    }

    /// Calls `use_it` with the first outputs for one assignment of the inputs, as the bits of words. It must
    /// not evaluate anything itself.
    pub(crate) fn evaluate<R>(&self, inputs: &[u64], use_it: impl FnOnce(&[u64]) -> R) -> R {
        SCRATCH.with_borrow_mut(|Scratch { words, slots }| match &self.cubes {
            Some(cubes) => use_it(cubes.run(inputs, words)),
            None => {
                self.run_gates(inputs, slots);
                self.pack_outputs(slots, words);
                use_it(words)
            }
        })
    }

    /// Calls `visit` with the numbers of the first outputs that hold, ascending. It must not evaluate anything
    /// itself.
    pub(crate) fn for_each_holding(&self, inputs: &[u64], mut visit: impl FnMut(usize)) {
        SCRATCH.with_borrow_mut(|Scratch { words, slots }| match &self.cubes {
            Some(cubes) => ones_within(cubes.run(inputs, words), 0..self.first.2, visit),
            None => {
                self.run_gates(inputs, slots);
                for (at, &output) in self.outputs[..self.first.2].iter().enumerate() {
                    if value(slots, output) == 1 {
                        visit(at);
                    }
                }
            }
        });
    }

    /// Evaluates the first part gate by gate; afterwards [`value`] tells any literal over its slots.
    ///
    /// Here a slot is two bytes, its value and the inverse: a literal is then an index, and a gate reads
    /// its sides without looking at whether they are inverted.
    fn run_gates(&self, inputs: &[u64], slots: &mut Vec<[u8; 2]>) {
        let (loads, gates) = self.part(Part::First);
        let first = self.first_gate();
        if slots.len() < first + gates.len() {
            slots.resize(first + gates.len(), both(0));
        }
        slots[0] = both(0);
        for &load in loads {
            slots[1 + load as usize] = both(u8::from(bit_of(inputs, load as usize)));
        }
        self.run_range(0..gates.len(), slots);
    }

    /// Evaluates a part for 64 assignments at once, whose inputs lie in their slots already.
    pub(crate) fn run_lanes(&self, part: Part, slots: &mut [[u64; 2]]) {
        self.run_range(0..self.part(part).1.len(), slots);
    }

    /// Goes on from the first part to everything.
    pub(crate) fn finish_lanes(&self, slots: &mut [[u64; 2]]) {
        self.run_range(self.first.1..self.gates.len(), slots);
    }

    /// Evaluates some gates; those before them are evaluated.
    #[inline]
    fn run_range<S: Signal>(&self, gates: Range<usize>, slots: &mut [[S; 2]]) {
        assert!(slots.len() >= self.first_gate() + gates.end);
        let first = self.first_gate() + gates.start;
        let sides = slots.as_flattened_mut();
        for (gate, &(a, b)) in self.gates[gates].iter().enumerate() {
            // SAFETY: `new` makes every side of a gate a literal over slots before the gate's own, and
            // there are slots up to the last gate. Checked accesses made a look at a state 1.4 times as slow.
            unsafe {
                let value = sides
                    .get_unchecked(a.0 as usize)
                    .and(*sides.get_unchecked(b.0 as usize));
                let at = 2 * (first + gate);
                let both = [value, value.inverse()];
                sides.get_unchecked_mut(at..at + 2).copy_from_slice(&both);
            }
        }
    }

    fn pack_outputs(&self, slots: &[[u8; 2]], packed: &mut Vec<u64>) {
        let outputs = &self.outputs[..self.first.2];
        packed.clear();
        packed.resize(words(outputs.len()), 0);
        for (at, &output) in outputs.iter().enumerate() {
            packed[at / 64] |= u64::from(value(slots, output)) << (at % 64);
        }
    }
}

/// The value of a signal: of one state in a byte, 0 or 1, or of 64 states in a word.
trait Signal: Copy {
    fn and(self, other: Self) -> Self;
    fn inverse(self) -> Self;
}

impl Signal for u8 {
    #[inline]
    fn and(self, other: u8) -> u8 {
        self & other
    }

    #[inline]
    fn inverse(self) -> u8 {
        self ^ 1
    }
}

impl Signal for u64 {
    #[inline]
    fn and(self, other: u64) -> u64 {
        self & other
    }

    #[inline]
    fn inverse(self) -> u64 {
        !self
    }
}

/// The value of a literal over slots, 0 or 1.
#[inline]
fn value(slots: &[[u8; 2]], literal: Lit) -> u8 {
    slots.as_flattened()[literal.0 as usize]
}

/// A value, 0 or 1, and its inverse.
#[inline]
fn both(value: u8) -> [u8; 2] {
    [value, value ^ 1]
}

fn relocate(literal: Lit, slots: &[u32]) -> Lit {
    Lit::of(slots[literal.node()] as usize).inverted_if(literal.is_inverted())
}

#[cfg(test)]
mod tests {
    use super::Code;
    use crate::machine::bits::{Bits, bit_of};
    use crate::machine::cubes::Cubes;
    use crate::propnet::{Aig, Lit};

    /// A small deterministic source of choices.
    struct Dice(u64);

    impl Dice {
        fn below(&mut self, bound: usize) -> usize {
            self.0 = self
                .0
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) as usize % bound
        }
    }

    /// Any literal, rather a recent one: that makes deep graphs.
    fn literal(aig: &Aig, dice: &mut Dice) -> Lit {
        let range = [aig.nodes(), 40.min(aig.nodes())][dice.below(2)];
        Lit::of(aig.nodes() - 1 - dice.below(range)).inverted_if(dice.below(3) == 0)
    }

    fn random_graph(inputs: usize, dice: &mut Dice) -> Aig {
        let mut aig = Aig::new(inputs);
        for _ in 0..dice.below(400) {
            match dice.below(8) {
                // Wide gates go across words.
                0 => {
                    let sides = (0..dice.below(90)).map(|_| literal(&aig, dice)).collect();
                    aig.and_all(sides);
                }
                _ => {
                    let (a, b) = (literal(&aig, dice), literal(&aig, dice));
                    aig.and(a, b);
                }
            }
        }
        aig
    }

    /// All nodes, as the graph defines them.
    fn values(aig: &Aig, inputs: &Bits) -> Vec<bool> {
        let mut values = vec![false];
        values.extend((0..aig.inputs()).map(|input| inputs.get(input)));
        for &(a, b) in aig.gates() {
            let of = |side: Lit| values[side.node()] != side.is_inverted();
            values.push(of(a) && of(b));
        }
        values
    }

    #[test]
    fn cubes_and_gates_give_what_the_graph_defines() {
        let mut dice = Dice(1);
        for round in 0..300 {
            let inputs = [1, 5, 63, 64, 65, 130, 400][round % 7];
            let aig = random_graph(inputs, &mut dice);
            let mut outputs: Vec<Lit> = (0..dice.below(150)).map(|_| literal(&aig, &mut dice)).collect();
            outputs.extend([Lit::FALSE, Lit::TRUE]);
            let first = 1 + dice.below(outputs.len());
            let gates = Code::new(&aig, inputs, &outputs, first);
            let cubes = Code {
                cubes: Some(Cubes::new(&aig, inputs, &outputs[..first])),
                ..gates.clone()
            };
            for _ in 0..20 {
                let mut state = Bits::zero(inputs);
                let density = 1 + dice.below(4);
                (0..inputs)
                    .filter(|_| dice.below(4) < density)
                    .for_each(|input| state.set(input));
                let values = values(&aig, &state);
                for code in [&gates, &cubes] {
                    let found = code.evaluate(state.words(), |words| words.to_vec());
                    let mut holding = Bits::zero(64 * found.len());
                    code.for_each_holding(state.words(), |output| holding.set(output));
                    assert_eq!(holding.words(), found);
                    for (at, output) in outputs[..first].iter().enumerate() {
                        let expected = values[output.node()] != output.is_inverted();
                        assert_eq!(bit_of(&found, at), expected, "output {at} of round {round}");
                    }
                    let beyond = (first..64 * found.len()).any(|at| bit_of(&found, at));
                    assert!(!beyond, "ones beyond the outputs in round {round}");
                }
            }
        }
    }
}
