//! Scalar evaluation by cubes: a conjunction of many literals is one look at a word.
//!
//! A *cube* is a conjunction of literals that lie in one word: `word & mask == value`. The words of the
//! state come first; every cube gives a bit, and up to 64 cubes that do not need each other give the
//! next word, which later cubes read as they read the state.
//!
//! ```text
//! words 0 … I-1   the inputs: bit i of the state is bit i % 64 of word i / 64
//! words I …       one per block of cubes: bit i is what the block's cube i gives
//! the last words  the outputs: output o is bit o % 64 of word o / 64 of these
//! ```
//!
//! A line of four cells is one cube instead of three gates, and "one of 28 lines" another one instead of
//! 27, because the inverse of a bit costs nothing. Where a look at a state was two-input gates over bytes
//! before, this made the scalar machine 1.2 times as fast on connect four 5x5, 1.4 on tic-tac-toe and 1.6 on
//! breakthrough 4x4 (`cargo bench --bench machine`).

use super::bits::words;
use crate::propnet::{Aig, Lit};
use std::collections::{BTreeMap, HashSet};

/// A network as cubes.
#[derive(Clone, Debug)]
pub(crate) struct Cubes {
    /// Words of the inputs.
    inputs: usize,
    cubes: Vec<Cube>,
    /// Where each block ends in `cubes`.
    ends: Vec<u32>,
    /// The first word of the outputs.
    outputs: usize,
}

/// Holds if `word & mask == value`.
#[derive(Clone, Copy, Debug)]
struct Cube {
    mask: u64,
    value: u64,
    word: u32,
}

impl Cube {
    const TRUE: Cube = Cube {
        mask: 0,
        value: 0,
        word: 0,
    };
    /// No bits are the value.
    const FALSE: Cube = Cube {
        value: 1,
        ..Cube::TRUE
    };
}

impl Cubes {
    /// Cubes for these outputs of the graph, which depend on no more than the first `inputs` inputs.
    pub(crate) fn new(aig: &Aig, inputs: usize, outputs: &[Lit]) -> Cubes {
        let conjunctions = Conjunctions::new(aig, outputs);
        Builder::new(aig, inputs).build(&conjunctions, outputs)
    }

    /// Number of cubes.
    pub(crate) fn len(&self) -> usize {
        self.cubes.len()
    }

    /// What its lists take in memory.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&self.cubes[..]) + size_of_val(&self.ends[..])
    }

    /// The outputs for one assignment of the inputs, as the bits of words.
    pub(crate) fn run<'w>(&self, inputs: &[u64], words: &'w mut Vec<u64>) -> &'w [u64] {
        let needed = self.inputs + self.ends.len();
        if words.len() < needed {
            words.resize(needed, 0);
        }
        let words = &mut words[..needed];
        words[..self.inputs].copy_from_slice(&inputs[..self.inputs]);
        let mut start = 0;
        for (block, &end) in self.ends.iter().enumerate() {
            let mut bits = 0;
            for cube in self.cubes[start..end as usize].iter().rev() {
                // SAFETY: `Builder::push` only makes cubes over words before the one that they belong to.
                let word = unsafe { *words.get_unchecked(cube.word as usize) };
                bits = bits << 1 | u64::from(word & cube.mask == cube.value);
            }
            words[self.inputs + block] = bits;
            start = end as usize;
        }
        &words[self.outputs..]
    }
}

/// The gates that outputs need, as conjunctions of arbitrarily many literals.
struct Conjunctions<'a> {
    aig: &'a Aig,
    /// Per gate: the literals that it joins; empty if it was merged into those that use it.
    sides: Vec<Vec<Lit>>,
    /// Per node: how many of the gates and outputs use it.
    uses: Vec<u32>,
}

/// A gate over so many inputs at most is repeated in each gate that uses it, rather than given a bit.
const MAX_REPEATED: usize = 8;

impl<'a> Conjunctions<'a> {
    fn new(aig: &'a Aig, outputs: &[Lit]) -> Conjunctions<'a> {
        let needed = aig.cone(outputs.iter().copied());
        let mut uses = vec![0; aig.nodes()];
        outputs.iter().for_each(|output| uses[output.node()] += 1);
        let is_needed = |gate: usize| needed[1 + aig.inputs() + gate];
        let gates = || {
            aig.gates()
                .iter()
                .enumerate()
                .filter(|&(gate, _)| is_needed(gate))
        };
        for (_, (a, b)) in gates() {
            uses[a.node()] += 1;
            uses[b.node()] += 1;
        }
        let mut found = Conjunctions {
            aig,
            sides: vec![Vec::new(); aig.gates().len()],
            uses,
        };
        for (gate, &(a, b)) in gates() {
            let mut sides = found.literals_of(a);
            sides.extend(found.literals_of(b));
            found.sides[gate] = sides;
        }
        found
    }

    /// The literals that a side of a gate stands for: those of the gate that it is, if that is used here
    /// alone or cheap to repeat.
    fn literals_of(&mut self, side: Lit) -> Vec<Lit> {
        let Some(gate) = self.gate(side).filter(|_| !side.is_inverted()) else {
            return vec![side];
        };
        let is_small = self.sides[gate].len() <= MAX_REPEATED
            && self.sides[gate]
                .iter()
                .all(|literal| self.gate(*literal).is_none());
        if self.uses[side.node()] == 1 {
            return std::mem::take(&mut self.sides[gate]);
        }
        if is_small {
            self.uses[side.node()] -= 1;
            return self.sides[gate].clone();
        }
        vec![side]
    }

    fn gate(&self, literal: Lit) -> Option<usize> {
        literal.node().checked_sub(1 + self.aig.inputs())
    }

    /// The gate that an output is, if nothing else uses it.
    fn own_gate(&self, output: Lit) -> Option<usize> {
        let is_own = !output.is_inverted() && self.uses[output.node()] == 1;
        self.gate(output).filter(|_| is_own)
    }

    /// The gates that other gates need, in groups: the gates of a group need only those of groups before it.
    fn levels(&self, outputs: &[Lit]) -> Vec<Vec<usize>> {
        let own: HashSet<usize> = outputs
            .iter()
            .filter_map(|&output| self.own_gate(output))
            .collect();
        let mut level = vec![0; self.sides.len()];
        let mut levels: Vec<Vec<usize>> = Vec::new();
        for (gate, sides) in self.sides.iter().enumerate() {
            if sides.is_empty() || own.contains(&gate) {
                continue;
            }
            let before = sides.iter().filter_map(|&side| self.gate(side));
            level[gate] = before.map(|side| level[side] + 1).max().unwrap_or(0);
            if levels.len() <= level[gate] {
                levels.resize(level[gate] + 1, Vec::new());
            }
            levels[level[gate]].push(gate);
        }
        levels
    }
}

/// Where a value lies: a bit of a word.
#[derive(Clone, Copy, Default)]
struct Place {
    word: u32,
    bit: u32,
}

/// Literals of one word that a conjunction asks for.
#[derive(Clone, Copy, Default)]
struct Wanted {
    ones: u64,
    zeros: u64,
}

impl Wanted {
    fn cube(self, word: u32) -> Cube {
        match self.ones & self.zeros {
            0 => Cube {
                mask: self.ones | self.zeros,
                value: self.ones,
                word,
            },
            _ => Cube::FALSE,
        }
    }
}

/// A conjunction, by word.
type Conjunction = BTreeMap<u32, Wanted>;

struct Builder {
    cubes: Cubes,
    /// Cubes of the block that is not ended yet.
    open: u32,
    /// Per node: where its value lies, once that is known.
    places: Vec<Place>,
}

impl Builder {
    fn new(aig: &Aig, inputs: usize) -> Builder {
        let mut places = vec![Place::default(); aig.nodes()];
        for (input, place) in places[1..=inputs].iter_mut().enumerate() {
            *place = Place {
                word: (input / 64) as u32,
                bit: (input % 64) as u32,
            };
        }
        Builder {
            cubes: Cubes {
                inputs: words(inputs),
                cubes: Vec::new(),
                ends: Vec::new(),
                outputs: 0,
            },
            open: 0,
            places,
        }
    }

    fn build(mut self, conjunctions: &Conjunctions, outputs: &[Lit]) -> Cubes {
        for gates in conjunctions.levels(outputs) {
            let sides = gates.iter().map(|&gate| &conjunctions.sides[gate][..]);
            let wanted = sides.map(|sides| self.conjunction(sides)).collect();
            let places = self.place(wanted);
            for (gate, place) in gates.into_iter().zip(places) {
                self.places[1 + conjunctions.aig.inputs() + gate] = place;
            }
        }
        let outputs = outputs.iter().map(|output| match conjunctions.own_gate(*output) {
            Some(gate) => &conjunctions.sides[gate],
            None => std::slice::from_ref(output),
        });
        let wanted = outputs.map(|sides| self.conjunction(sides)).collect();
        let first = self.place(wanted).first().map_or(0, |place| place.word);
        self.cubes.outputs = first as usize;
        self.cubes
    }

    fn conjunction(&self, sides: &[Lit]) -> Conjunction {
        let mut conjunction = Conjunction::new();
        for &literal in sides.iter().filter(|&&literal| literal != Lit::TRUE) {
            let place = self.places[literal.node()];
            let wanted = conjunction.entry(place.word).or_default();
            let both = literal == Lit::FALSE;
            wanted.ones |= u64::from(both || !literal.is_inverted()) << place.bit;
            wanted.zeros |= u64::from(both || literal.is_inverted()) << place.bit;
        }
        conjunction
    }

    /// Makes a cube for each conjunction. They lie in this order, from a new block on.
    fn place(&mut self, mut wanted: Vec<Conjunction>) -> Vec<Place> {
        while wanted.iter().any(|conjunction| conjunction.len() > 1) {
            let several = wanted.iter_mut().filter(|conjunction| conjunction.len() > 1);
            several.for_each(|conjunction| *conjunction = self.join(conjunction));
            self.end_block();
        }
        let cube = |conjunction: Conjunction| {
            let first = conjunction.into_iter().next();
            first.map_or(Cube::TRUE, |(word, wanted)| wanted.cube(word))
        };
        let places = wanted
            .into_iter()
            .map(|conjunction| self.push(cube(conjunction)))
            .collect();
        self.end_block();
        places
    }

    /// Gives each word of a conjunction a cube: the same conjunction, over their bits. These lie in one
    /// word if they can, so that it gets fewer words every time.
    fn join(&mut self, conjunction: &Conjunction) -> Conjunction {
        if self.open as usize + conjunction.len() > 64 {
            self.end_block();
        }
        let mut joined = Conjunction::new();
        for (&word, wanted) in conjunction {
            let place = self.push(wanted.cube(word));
            joined.entry(place.word).or_default().ones |= 1 << place.bit;
        }
        joined
    }

    fn push(&mut self, cube: Cube) -> Place {
        if self.open == 64 {
            self.end_block();
        }
        let place = Place {
            word: (self.cubes.inputs + self.cubes.ends.len()) as u32,
            bit: self.open,
        };
        self.cubes.cubes.push(cube);
        self.open += 1;
        place
    }

    /// What is pushed from now on can read what was pushed before.
    fn end_block(&mut self) {
        if self.open > 0 {
            self.cubes.ends.push(self.cubes.cubes.len() as u32);
            self.open = 0;
        }
    }
}
