//! [`Gates`]: literals of a formula under construction, and the definitions of those that stand for
//! conjunctions. Equal conjunctions are the same literal, and constants never remain inside.

use hashbrown::HashTable;
use std::ops::Not;

/// A node or its negation: `node << 1 | negated`. Node 0 is the constant true.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Wire(u32);

impl Wire {
    pub(super) const TRUE: Wire = Wire(0);
    pub(super) const FALSE: Wire = Wire(1);

    pub(super) fn node(self) -> usize {
        (self.0 >> 1) as usize
    }

    pub(super) fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    /// The wire that is true if the node is.
    pub(super) fn of(node: usize) -> Wire {
        Wire((node as u32) << 1)
    }

    /// Position in tables indexed by wires.
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

impl Not for Wire {
    type Output = Wire;

    fn not(self) -> Wire {
        Wire(self.0 ^ 1)
    }
}

/// Inputs and conjunctions.
pub(super) struct Gates {
    /// The block of the prefix in which each node is quantified; 0 for the constant.
    levels: Vec<u32>,
    /// Where the inputs of each node end in `inputs`; a node without is no conjunction.
    ends: Vec<u32>,
    inputs: Vec<Wire>,
    table: HashTable<u32>,
    hasher: ahash::RandomState,
    scratch: Vec<Wire>,
}

impl Gates {
    pub(super) fn new() -> Gates {
        Gates {
            levels: vec![0],
            ends: vec![0],
            inputs: Vec::new(),
            table: HashTable::new(),
            // The same in every run: nothing that is printed may depend on a random seed.
            hasher: ahash::RandomState::with_seeds(1, 2, 3, 4),
            scratch: Vec::new(),
        }
    }

    /// How many nodes there are, the constant included.
    pub(super) fn len(&self) -> usize {
        self.levels.len()
    }

    /// How many inputs all conjunctions have together.
    pub(super) fn size(&self) -> usize {
        self.inputs.len()
    }

    pub(super) fn level(&self, node: usize) -> u32 {
        self.levels[node]
    }

    /// What a node is the conjunction of; empty for all other nodes.
    pub(super) fn inputs(&self, node: usize) -> &[Wire] {
        inputs_of(&self.ends, &self.inputs, node)
    }

    /// A new literal that is no conjunction.
    pub(super) fn input(&mut self, level: u32) -> Wire {
        self.node(level)
    }

    fn node(&mut self, level: u32) -> Wire {
        let node = self.levels.len() as u32;
        self.levels.push(level);
        self.ends.push(self.inputs.len() as u32);
        Wire(node << 1)
    }

    /// The conjunction.
    pub(super) fn and(&mut self, wires: impl IntoIterator<Item = Wire>) -> Wire {
        let mut conjuncts = std::mem::take(&mut self.scratch);
        conjuncts.clear();
        conjuncts.extend(wires);
        let wire = self.and_of(&mut conjuncts);
        self.scratch = conjuncts;
        wire
    }

    /// The disjunction.
    pub(super) fn or(&mut self, wires: impl IntoIterator<Item = Wire>) -> Wire {
        !self.and(wires.into_iter().map(Wire::not))
    }

    fn and_of(&mut self, conjuncts: &mut Vec<Wire>) -> Wire {
        conjuncts.sort_unstable();
        conjuncts.dedup();
        conjuncts.retain(|&wire| wire != Wire::TRUE);
        let is_contradiction = conjuncts.windows(2).any(|pair| pair[0] == !pair[1]);
        match conjuncts[..] {
            [] => Wire::TRUE,
            [first, ..] if first == Wire::FALSE || is_contradiction => Wire::FALSE,
            [only] => only,
            _ => self.conjunction(conjuncts),
        }
    }

    fn conjunction(&mut self, conjuncts: &[Wire]) -> Wire {
        let hash = self.hasher.hash_one(conjuncts);
        let (ends, inputs) = (&self.ends, &self.inputs);
        let is_same = |&node: &u32| inputs_of(ends, inputs, node as usize) == conjuncts;
        if let Some(&node) = self.table.find(hash, is_same) {
            return Wire(node << 1);
        }
        // Right after the last variable that it depends on: after U_i comes E_2i+1, after R_i E_2i+2.
        let levels = conjuncts.iter().map(|wire| self.levels[wire.node()]);
        let level = levels.max().unwrap_or(1) | 1;
        self.inputs.extend_from_slice(conjuncts);
        let wire = self.node(level);
        let (ends, inputs, hasher) = (&self.ends, &self.inputs, &self.hasher);
        let rehash = |&node: &u32| hasher.hash_one(inputs_of(ends, inputs, node as usize));
        self.table.insert_unique(hash, wire.node() as u32, rehash);
        wire
    }
}

fn inputs_of<'a>(ends: &[u32], inputs: &'a [Wire], node: usize) -> &'a [Wire] {
    let start = node.checked_sub(1).map_or(0, |before| ends[before]);
    &inputs[start as usize..ends[node] as usize]
}
