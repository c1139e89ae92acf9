//! [`Sqasp`] → [`Formula`]: completion.
//!
//! Every atom becomes a literal: a choice is a variable of its own, any other atom is the disjunction of
//! the bodies of its rules. Atoms of a recursive range are unrolled: after as many rounds from below as
//! there are atoms, and mostly much earlier, the least fixed point is reached, which is what the answer
//! set has. So the models of the clauses are the answer sets, as Theorem 2 asks for.

use super::gates::{Gates, Wire};
use super::index::{Index, Kind};
use super::sides::{EncodeError, Prefix};
use super::simplify::{Simplified, simplify};
use super::sqasp::{Atom, Head, Literal, Part, Said, Sqasp};
use crate::cnf::{Block, Clauses, Cnf, Lit, Quantifier, Var};
use num_bigint::BigUint;
use num_rational::Ratio;
use std::ops::Range;

/// At most so many moves are told apart pair by pair.
const MOST_PAIRED: usize = 24;
/// Literals in definitions, beyond which a formula is refused.
const MOST_LITERALS: usize = 1 << 28;

/// What became of an atom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// It is decided.
    Fixed(bool),
    /// It is this literal.
    Is(Lit),
    /// The value does not depend on it.
    Irrelevant,
}

/// An extended stochastic SAT formula with the value of an SQASP.
pub struct Formula {
    /// The formula. One that is decided has no variables, and an empty clause if its value is 0.
    pub cnf: Cnf,
    /// What became of the atoms, indexed by atom.
    pub meanings: Vec<Meaning>,
}

/// The formula of an SQASP.
pub fn complete(sqasp: &Sqasp) -> Result<Formula, EncodeError> {
    let mut completion = Completion {
        sqasp,
        gates: Gates::new(),
        wires: vec![Wire::FALSE; sqasp.atoms().len()],
        tosses: Vec::new(),
        clauses: WireClauses::default(),
    };
    completion.atoms()?;
    completion.constraints();
    completion.definitions();
    Ok(completion.finish())
}

/// Clauses over wires, one after the other.
#[derive(Default)]
pub(super) struct WireClauses {
    pub(super) wires: Vec<Wire>,
    pub(super) ends: Vec<u32>,
}

impl WireClauses {
    /// Adds a clause, unless it is always true.
    fn push(&mut self, clause: impl IntoIterator<Item = Wire>) {
        let start = self.wires.len();
        self.wires
            .extend(clause.into_iter().filter(|&wire| wire != Wire::FALSE));
        let clause = &mut self.wires[start..];
        clause.sort_unstable();
        let is_true =
            clause.first() == Some(&Wire::TRUE) || clause.windows(2).any(|pair| pair[0] == !pair[1]);
        if is_true {
            self.wires.truncate(start);
            return;
        }
        let mut end = start;
        for at in start..self.wires.len() {
            if at == start || self.wires[at] != self.wires[end - 1] {
                self.wires[end] = self.wires[at];
                end += 1;
            }
        }
        self.wires.truncate(end);
        self.ends.push(end as u32);
    }

    pub(super) fn get(&self, clause: usize) -> &[Wire] {
        let start = clause.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.wires[start as usize..self.ends[clause] as usize]
    }

    pub(super) fn iter(&self) -> impl ExactSizeIterator<Item = &[Wire]> {
        (0..self.ends.len()).map(|clause| self.get(clause))
    }
}

struct Completion<'a, 'g> {
    sqasp: &'a Sqasp<'g>,
    gates: Gates,
    /// What each atom is.
    wires: Vec<Wire>,
    /// The nodes of tosses, ascending, with the i of their probability 1/i.
    tosses: Vec<(usize, u32)>,
    clauses: WireClauses,
}

impl Completion<'_, '_> {
    fn atoms(&mut self) -> Result<(), EncodeError> {
        let sqasp = self.sqasp;
        let index = Index::new(sqasp);
        let mut recursive = sqasp
            .recursive()
            .iter()
            .filter(|range| !range.is_empty())
            .peekable();
        let mut atom = 0;
        while atom < self.wires.len() {
            match recursive.next_if(|range| range.start as usize == atom) {
                Some(range) => {
                    self.unroll(range.start as usize..range.end as usize, &index)?;
                    atom = range.end as usize;
                }
                None => {
                    self.wires[atom] = self.atom(Atom(atom as u32), &index);
                    atom += 1;
                }
            }
        }
        self.check_size()
    }

    fn check_size(&self) -> Result<(), EncodeError> {
        if self.gates.size() <= MOST_LITERALS {
            Ok(())
        } else {
            Err(EncodeError::TooLarge)
        }
    }

    fn atom(&mut self, atom: Atom, index: &Index) -> Wire {
        match index.kinds[atom.index()] {
            Kind::Derived => self.disjunction(atom, index),
            // Of one move exactly one is made: it is made if the play goes on.
            Kind::Only(rule) => self.body(self.sqasp.rule_at(Part::Cooperative, rule).body),
            Kind::Choice => match self.sqasp.atoms()[atom.index()] {
                // A toss that always succeeds.
                Said::DecR(_, 1, _) => Wire::TRUE,
                Said::DecR(_, toss, _) => {
                    let wire = self.gates.input(self.sqasp.level(atom));
                    self.tosses.push((wire.node(), toss));
                    wire
                }
                _ => self.gates.input(self.sqasp.level(atom)),
            },
        }
    }

    fn disjunction(&mut self, atom: Atom, index: &Index) -> Wire {
        let sqasp = self.sqasp;
        let rules = index.rules_of(atom).iter();
        let bodies: Vec<Wire> = rules
            .map(|&(part, rule)| self.body(sqasp.rule_at(part, rule).body))
            .collect();
        self.gates.or(bodies)
    }

    /// The least fixed point of a recursive range.
    fn unroll(&mut self, atoms: Range<usize>, index: &Index) -> Result<(), EncodeError> {
        for _ in atoms.clone() {
            let values: Vec<Wire> = atoms
                .clone()
                .map(|atom| self.disjunction(Atom(atom as u32), index))
                .collect();
            if self.wires[atoms.clone()] == values[..] {
                break;
            }
            self.wires[atoms.clone()].copy_from_slice(&values);
            self.check_size()?;
        }
        Ok(())
    }

    fn body(&mut self, body: &[Literal]) -> Wire {
        let wires = &self.wires;
        self.gates.and(body.iter().map(|&literal| wire(wires, literal)))
    }

    fn constraints(&mut self) {
        let sqasp = self.sqasp;
        for rule in Part::ALL.into_iter().flat_map(|part| sqasp.rules(part)) {
            match rule.head {
                Head::Nothing => {
                    let wires = &self.wires;
                    self.clauses
                        .push(rule.body.iter().map(|&literal| !wire(wires, literal)));
                }
                Head::ExactlyOne(first, last) if first != last => self.exactly_one(first, last, rule.body),
                Head::Choice(atom) if !rule.body.is_empty() => {
                    let body = self.body(rule.body);
                    self.clauses.push([!self.wires[atom.index()], body]);
                }
                Head::ExactlyOne(..) | Head::Choice(_) | Head::Atom(_) => {}
            }
        }
    }

    fn exactly_one(&mut self, first: Atom, last: Atom, body: &[Literal]) {
        let condition = self.body(body);
        let chosen: Vec<Wire> = self.wires[first.index()..=last.index()].to_vec();
        for &wire in &chosen {
            self.clauses.push([!wire, condition]);
        }
        self.clauses.push(chosen.iter().copied().chain([!condition]));
        if chosen.len() <= MOST_PAIRED {
            for (n, &one) in chosen.iter().enumerate() {
                chosen[..n]
                    .iter()
                    .for_each(|&other| self.clauses.push([!one, !other]));
            }
            return;
        }
        // A sequential counter: whether one of the first moves was chosen already.
        let mut already = chosen[0];
        for &wire in &chosen[1..] {
            self.clauses.push([!wire, !already]);
            already = self.gates.or([already, wire]);
        }
    }

    /// The clauses that define the conjunctions on which a clause depends.
    fn definitions(&mut self) {
        let mut is_needed = vec![false; self.gates.len()];
        let mut open: Vec<usize> = self.clauses.wires.iter().map(|wire| wire.node()).collect();
        while let Some(node) = open.pop() {
            if !std::mem::replace(&mut is_needed[node], true) {
                open.extend(self.gates.inputs(node).iter().map(|wire| wire.node()));
            }
        }
        for node in (1..self.gates.len()).filter(|&node| is_needed[node]) {
            let inputs = self.gates.inputs(node);
            if inputs.is_empty() {
                continue;
            }
            let gate = Wire::of(node);
            inputs.iter().for_each(|&input| self.clauses.push([!gate, input]));
            self.clauses
                .push(inputs.iter().map(|&input| !input).chain([gate]));
        }
    }

    /// The block in which a node is quantified: under Q_b all that is no choice is innermost.
    fn level(&self, node: usize) -> u32 {
        match self.sqasp.question().prefix {
            Prefix::Base if !self.gates.inputs(node).is_empty() => self.sqasp.innermost(),
            _ => self.gates.level(node),
        }
    }

    fn finish(self) -> Formula {
        let levels: Vec<u32> = (0..self.gates.len()).map(|node| self.level(node)).collect();
        let simplified = simplify(&self.clauses, &levels);
        let variables = Numbering::new(&simplified, &levels);
        let mut clauses = Clauses::default();
        let mut clause = Vec::new();
        for wires in simplified.clauses.iter() {
            clause.clear();
            clause.extend(wires.iter().map(|&wire| variables.literal(wire)));
            clauses.push(&clause);
        }
        let meaning = |&wire: &Wire| match (wire.node(), simplified.values[wire.node()]) {
            (0, _) => Meaning::Fixed(!wire.is_negated()),
            _ if variables.has(wire) => Meaning::Is(variables.literal(wire)),
            (_, Some(value)) => Meaning::Fixed(value != wire.is_negated()),
            (_, None) => Meaning::Irrelevant,
        };
        Formula {
            meanings: self.wires.iter().map(meaning).collect(),
            cnf: Cnf {
                variables: variables.order.len(),
                prefix: variables.prefix(&levels, &self.tosses),
                clauses,
            },
        }
    }
}

fn wire(wires: &[Wire], literal: Literal) -> Wire {
    let wire = wires[literal.atom().index()];
    if literal.is_negated() { !wire } else { wire }
}

/// The variables: the nodes that still occur, in the order of the prefix.
struct Numbering {
    /// The node of each variable.
    order: Vec<usize>,
    /// The variable of each node.
    numbers: Vec<Option<Var>>,
}

impl Numbering {
    fn new(simplified: &Simplified, levels: &[u32]) -> Numbering {
        let mut occurs = vec![false; levels.len()];
        simplified
            .clauses
            .wires
            .iter()
            .for_each(|wire| occurs[wire.node()] = true);
        let mut order: Vec<usize> = (0..levels.len()).filter(|&node| occurs[node]).collect();
        order.sort_by_key(|&node| levels[node]);
        let mut numbers = vec![None; levels.len()];
        for (number, &node) in order.iter().enumerate() {
            numbers[node] = Some(Var::new(number));
        }
        Numbering { order, numbers }
    }

    fn has(&self, wire: Wire) -> bool {
        self.numbers[wire.node()].is_some()
    }

    /// The literal of a wire whose node has a number.
    fn literal(&self, wire: Wire) -> Lit {
        let literal = self.numbers[wire.node()].expect("a node that occurs").positive();
        if wire.is_negated() { !literal } else { literal }
    }

    fn prefix(&self, levels: &[u32], tosses: &[(usize, u32)]) -> Vec<Block> {
        let mut prefix: Vec<Block> = Vec::new();
        for (number, &node) in self.order.iter().enumerate() {
            let quantifier = quantifier(node, levels[node], tosses);
            // Tosses of one time come in any order; those with equal probability share a block.
            match prefix.last_mut().filter(|block| block.quantifier == quantifier) {
                Some(block) => block.variables.push(Var::new(number)),
                None => prefix.push(Block {
                    quantifier,
                    variables: vec![Var::new(number)],
                }),
            }
        }
        prefix
    }
}

/// E_k has an odd level, U_i is 4i + 2 and R_i is 4i + 4.
fn quantifier(node: usize, level: u32, tosses: &[(usize, u32)]) -> Quantifier {
    match level % 4 {
        2 => Quantifier::ForAll,
        0 => {
            let toss = tosses.partition_point(|&(other, _)| other < node);
            Quantifier::Chance(Ratio::new(1u32.into(), BigUint::from(tosses[toss].1)))
        }
        _ => Quantifier::Exists,
    }
}
