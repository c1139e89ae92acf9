//! Straight-line code: a part of a network as a list of gates over slots.
//!
//! ```text
//! slot 0         the constant false
//! slot 1 … L     the loaded inputs
//! slot L+1 …     one per gate, in order of evaluation
//! ```

use crate::propnet::{Aig, Lit};

/// The gates that some outputs need, and nothing else.
#[derive(Clone, Debug, Default)]
pub(crate) struct Code {
    /// The inputs of the network that slots 1 … hold.
    pub(crate) loads: Vec<u32>,
    /// Both sides of every gate, as literals over slots.
    pub(crate) gates: Vec<(Lit, Lit)>,
    /// The outputs, as literals over slots.
    pub(crate) outputs: Vec<Lit>,
    /// Loads and gates that the first outputs need, as numbers of leading ones.
    first: (usize, usize),
}

/// How much of a code is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// What the first outputs need.
    First,
    /// Everything.
    All,
}

impl Code {
    /// Code for these outputs of the graph.
    pub(crate) fn new(aig: &Aig, outputs: &[Lit]) -> Code {
        Code::ordered(aig, outputs, outputs.len())
    }

    /// Code for these outputs; the gates that the first ones need come first, so that a prefix of the
    /// code computes them alone.
    pub(crate) fn ordered(aig: &Aig, outputs: &[Lit], first: usize) -> Code {
        let urgent = aig.cone(outputs[..first].iter().copied());
        let needed = aig.cone(outputs.iter().copied());
        let mut slots = vec![0u32; aig.nodes()];
        let mut code = Code::default();
        for is_urgent in [true, false] {
            for input in
                (0..aig.inputs()).filter(|&input| needed[1 + input] && urgent[1 + input] == is_urgent)
            {
                code.loads.push(input as u32);
                slots[1 + input] = code.loads.len() as u32;
            }
            if is_urgent {
                code.first.0 = code.loads.len();
            }
        }
        for is_urgent in [true, false] {
            for (gate, &(a, b)) in aig.gates().iter().enumerate() {
                let node = 1 + aig.inputs() + gate;
                if needed[node] && urgent[node] == is_urgent {
                    code.gates.push((relocate(a, &slots), relocate(b, &slots)));
                    slots[node] = (code.loads.len() + code.gates.len()) as u32;
                }
            }
            if is_urgent {
                code.first.1 = code.gates.len();
            }
        }
        code.outputs = outputs.iter().map(|&output| relocate(output, &slots)).collect();
        code
    }

    /// Number of slots.
    pub(crate) fn slots(&self) -> usize {
        1 + self.loads.len() + self.gates.len()
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
        1 + self.loads.len()
    }

    /// Evaluates for one assignment; afterwards [`value`] tells any literal over the part's slots.
    pub(crate) fn run(&self, part: Part, input: impl Fn(usize) -> bool, slots: &mut Vec<u8>) {
        let (loads, gates) = self.part(part);
        let first = self.first_gate();
        slots.clear();
        slots.push(0);
        slots.extend(loads.iter().map(|&load| u8::from(input(load as usize))));
        slots.resize(first + gates.len(), 0);
        for (gate, &(a, b)) in gates.iter().enumerate() {
            // SAFETY: `ordered` makes every side of a gate a literal over slots before the gate's own, and
            // there are slots for all gates of the part. Checked accesses made a look at a state 1.4 times as slow.
            unsafe {
                let (left, right) = (slots.get_unchecked(a.node()), slots.get_unchecked(b.node()));
                let value = (left ^ u8::from(a.is_inverted())) & (right ^ u8::from(b.is_inverted()));
                *slots.get_unchecked_mut(first + gate) = value;
            }
        }
    }
}

#[inline]
fn side(slots: &[u8], literal: Lit) -> u8 {
    slots[literal.node()] ^ u8::from(literal.is_inverted())
}

/// The value of a literal over slots.
#[inline]
pub(crate) fn value(slots: &[u8], literal: Lit) -> bool {
    side(slots, literal) == 1
}

fn relocate(literal: Lit, slots: &[u32]) -> Lit {
    Lit::of(slots[literal.node()] as usize).inverted_if(literal.is_inverted())
}
