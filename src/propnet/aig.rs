//! And-inverter graphs: every function is an and of two literals, and a literal may be inverted.
//!
//! Nodes are hash-consed: structurally equal functions are one node. Inputs come first, and a gate
//! only refers to nodes before it, so the numbering is an order of evaluation.

use ahash::RandomState;
use std::collections::HashMap;
use std::ops::Not;

/// A node or its inverse.
///
/// ```text
/// bit  31 … 1   0
///      node     inverted
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lit(pub(crate) u32);

impl Lit {
    /// The constant false: node 0.
    pub const FALSE: Lit = Lit(0);
    /// The constant true.
    pub const TRUE: Lit = Lit(1);

    /// The literal of a node, not inverted.
    pub fn of(node: usize) -> Lit {
        Lit((node as u32) << 1)
    }

    /// Its node.
    pub fn node(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// Whether it is the node's inverse.
    pub fn is_inverted(self) -> bool {
        self.0 & 1 == 1
    }

    /// Whether it is one of the two constants.
    pub fn is_constant(self) -> bool {
        self.0 < 2
    }

    /// The constant.
    pub fn constant(value: bool) -> Lit {
        Lit(u32::from(value))
    }

    /// The inverse if `invert`, else itself.
    pub fn inverted_if(self, invert: bool) -> Lit {
        Lit(self.0 ^ u32::from(invert))
    }
}

impl Not for Lit {
    type Output = Lit;

    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

/// An and-inverter graph.
#[derive(Clone, Default)]
pub struct Aig {
    inputs: usize,
    /// The two sides of each gate; gate `g` is node `1 + inputs + g`.
    gates: Vec<(Lit, Lit)>,
    table: HashMap<(Lit, Lit), Lit, RandomState>,
    /// Calls of [`Aig::and`] that were not trivial: what the network would cost without sharing.
    requested: usize,
}

impl Aig {
    /// A graph with so many inputs and no gates.
    pub fn new(inputs: usize) -> Aig {
        Aig {
            inputs,
            ..Aig::default()
        }
    }

    /// Number of inputs.
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// The literal of an input.
    pub fn input(&self, index: usize) -> Lit {
        Lit::of(1 + index)
    }

    /// The input that a node is.
    pub fn as_input(&self, node: usize) -> Option<usize> {
        (1..=self.inputs).contains(&node).then(|| node - 1)
    }

    /// The two sides of the gate that a node is.
    pub fn as_gate(&self, node: usize) -> Option<(Lit, Lit)> {
        node.checked_sub(1 + self.inputs)
            .and_then(|gate| self.gates.get(gate))
            .copied()
    }

    /// The gates in order of evaluation.
    pub fn gates(&self) -> &[(Lit, Lit)] {
        &self.gates
    }

    /// Constant, inputs and gates together.
    pub fn nodes(&self) -> usize {
        1 + self.inputs + self.gates.len()
    }

    /// Gates asked for, before equal ones were shared.
    pub fn requested(&self) -> usize {
        self.requested
    }

    /// The conjunction.
    pub fn and(&mut self, a: Lit, b: Lit) -> Lit {
        let (a, b) = (a.min(b), a.max(b));
        if a == Lit::FALSE || a == !b {
            return Lit::FALSE;
        }
        if a == Lit::TRUE || a == b {
            return b;
        }
        self.requested += 1;
        if let Some(&known) = self.table.get(&(a, b)) {
            return known;
        }
        if let Some(shorter) = self.absorb(a, b).or_else(|| self.absorb(b, a)) {
            return shorter;
        }
        let node = Lit::of(self.nodes());
        self.gates.push((a, b));
        self.table.insert((a, b), node);
        node
    }

    /// Two-level rules for `a ∧ b` where `b` is a gate over `x` and `y`:
    ///
    /// ```text
    /// x ∧ (x ∧ y) = x ∧ y      ¬x ∧ (x ∧ y) = 0
    /// x ∧ ¬(x ∧ y) = x ∧ ¬y    ¬x ∧ ¬(x ∧ y) = ¬x
    /// ```
    fn absorb(&mut self, a: Lit, b: Lit) -> Option<Lit> {
        let (x, y) = self.as_gate(b.node())?;
        match b.is_inverted() {
            false if a == x || a == y => Some(b),
            false if a == !x || a == !y => Some(Lit::FALSE),
            true if a == !x || a == !y => Some(a),
            true if a == x => Some(self.and(a, !y)),
            true if a == y => Some(self.and(a, !x)),
            _ => None,
        }
    }

    /// The disjunction.
    pub fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    /// The conjunction of all, as a balanced tree over the sorted literals: equal sets share a node.
    pub fn and_all(&mut self, mut literals: Vec<Lit>) -> Lit {
        literals.sort_unstable();
        literals.dedup();
        while literals.len() > 1 {
            literals = literals
                .chunks(2)
                .map(|pair| self.and(pair[0], pair[pair.len() - 1]))
                .collect();
        }
        literals.first().copied().unwrap_or(Lit::TRUE)
    }

    /// The disjunction of all.
    pub fn or_all(&mut self, literals: Vec<Lit>) -> Lit {
        !self.and_all(literals.into_iter().map(|literal| !literal).collect())
    }

    /// Marks every node that the roots depend on, themselves included.
    pub fn cone(&self, roots: impl IntoIterator<Item = Lit>) -> Vec<bool> {
        let mut needed = vec![false; self.nodes()];
        roots.into_iter().for_each(|root| needed[root.node()] = true);
        for node in (1 + self.inputs..self.nodes()).rev() {
            if let (true, Some((a, b))) = (needed[node], self.as_gate(node)) {
                needed[a.node()] = true;
                needed[b.node()] = true;
            }
        }
        needed
    }
}

/// Copies functions from one graph into another under a substitution of nodes.
pub struct Copier {
    /// What each node of the old graph is in the new one.
    images: Vec<Option<Lit>>,
}

impl Copier {
    /// `inputs[i]` is what the old graph's input `i` becomes.
    pub fn new(old: &Aig, inputs: &[Lit]) -> Copier {
        let mut images = vec![None; old.nodes()];
        images[0] = Some(Lit::FALSE);
        for (input, &image) in inputs.iter().enumerate() {
            images[1 + input] = Some(image);
        }
        Copier { images }
    }

    /// Fixes what a node becomes, whatever its own definition says.
    pub fn fix(&mut self, node: usize, image: Lit) {
        self.images[node] = Some(image);
    }

    /// The image of a literal; what it depends on is copied as needed.
    pub fn copy(&mut self, old: &Aig, new: &mut Aig, literal: Lit) -> Lit {
        let mut stack = vec![literal.node()];
        while let Some(&node) = stack.last() {
            if self.images[node].is_some() {
                stack.pop();
                continue;
            }
            let (a, b) = old.as_gate(node).unwrap_or((Lit::FALSE, Lit::FALSE));
            match (self.image(a), self.image(b)) {
                // One side false decides: the other side need not be copied at all.
                (Some(Lit::FALSE), _) | (_, Some(Lit::FALSE)) => self.images[node] = Some(Lit::FALSE),
                (Some(a), Some(b)) => self.images[node] = Some(new.and(a, b)),
                (None, _) => stack.push(a.node()),
                (_, None) => stack.push(b.node()),
            }
        }
        self.image(literal).unwrap_or(Lit::FALSE)
    }

    fn image(&self, literal: Lit) -> Option<Lit> {
        self.images[literal.node()].map(|image| image.inverted_if(literal.is_inverted()))
    }
}

#[cfg(test)]
mod tests {
    use super::{Aig, Copier, Lit};

    #[test]
    fn equal_functions_are_one_node() {
        let mut aig = Aig::new(3);
        let (x, y, z) = (aig.input(0), aig.input(1), aig.input(2));
        let a = aig.and_all(vec![x, y, z]);
        let b = aig.and_all(vec![z, x, y, x]);
        assert_eq!(a, b);
        assert_eq!(aig.gates().len(), 2);
    }

    #[test]
    fn absorption_needs_no_gate() {
        let mut aig = Aig::new(2);
        let (x, y) = (aig.input(0), aig.input(1));
        let both = aig.and(x, y);
        let gates = aig.gates().len();
        assert_eq!(aig.and(x, both), both);
        assert_eq!(aig.and(!x, both), Lit::FALSE);
        assert_eq!(aig.and(!x, !both), !x);
        assert_eq!(aig.gates().len(), gates);
        let rest = aig.and(x, !both);
        assert_eq!(rest, aig.and(x, !y));
    }

    #[test]
    fn copying_under_a_substitution_folds() {
        let mut old = Aig::new(2);
        let (x, y) = (old.input(0), old.input(1));
        let either = old.or(x, y);
        let mut new = Aig::new(1);
        let z = new.input(0);
        let mut copier = Copier::new(&old, &[Lit::FALSE, z]);
        assert_eq!(copier.copy(&old, &mut new, either), z);
        assert!(new.gates().is_empty());
    }
}
