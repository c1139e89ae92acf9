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
        for input in (0..aig.inputs()).filter(|&input| needed[1 + input]) {
            code.loads.push(input as u32);
            slots[1 + input] = code.loads.len() as u32;
        }
        for is_urgent in [true, false] {
            for (gate, &(a, b)) in aig.gates().iter().enumerate() {
                let node = 1 + aig.inputs() + gate;
                if needed[node] && urgent[node] == is_urgent {
                    let sides = (relocate(a, &slots), relocate(b, &slots));
                    code.gates.push(sides);
                    slots[node] = (code.loads.len() + code.gates.len()) as u32;
                }
            }
        }
        code.outputs = outputs.iter().map(|&output| relocate(output, &slots)).collect();
        code
    }

    /// Number of slots.
    pub(crate) fn slots(&self) -> usize {
        1 + self.loads.len() + self.gates.len()
    }

    /// Evaluates for one assignment; afterwards [`value`] tells any literal over slots.
    pub(crate) fn run(&self, input: impl Fn(usize) -> bool, slots: &mut Vec<u8>) {
        self.run_prefix(self.gates.len(), input, slots);
    }

    /// Evaluates the first so many gates.
    pub(crate) fn run_prefix(&self, gates: usize, input: impl Fn(usize) -> bool, slots: &mut Vec<u8>) {
        slots.clear();
        slots.push(0);
        slots.extend(self.loads.iter().map(|&load| u8::from(input(load as usize))));
        let first = slots.len();
        slots.resize(self.slots(), 0);
        for (gate, &(a, b)) in self.gates[..gates].iter().enumerate() {
            // SAFETY: `ordered` makes every side of a gate a literal over slots before the gate's own, and
            // there are `self.slots()` of them. Checked accesses made a look at a state 1.4 times as slow.
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
