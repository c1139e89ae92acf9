//! Reductions that change no state, move or outcome: constant latches are folded, what no output
//! needs is dropped.

use super::aig::Aig;
use super::{Copier, Lit, Propnet};

/// Sizes before and after each reduction, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reduction {
    /// The steps.
    pub steps: Vec<ReductionStep>,
}

/// The network's size after a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReductionStep {
    /// What was done.
    pub name: &'static str,
    /// Two-input gates.
    pub gates: usize,
    /// Fluents that are stored in a state.
    pub latches: usize,
}

impl Reduction {
    fn record(&mut self, name: &'static str, gates: usize, latches: usize) {
        self.steps.push(ReductionStep { name, gates, latches });
    }
}

/// Reduces the network until nothing changes.
pub(super) fn reduce(raw: Propnet) -> (Propnet, Reduction) {
    let mut reduction = Reduction { steps: Vec::new() };
    reduction.record("ground rules as gates", raw.aig.requested(), raw.fluents.len());
    reduction.record("equal gates shared", raw.aig.gates().len(), raw.fluents.len());
    let folded = fold_constant_latches(&raw);
    reduction.record(
        "constant fluents folded",
        folded.aig.gates().len(),
        folded.fluents.len(),
    );
    let compact = keep_latches(&folded, &vec![None; folded.fluents.len()]);
    reduction.record(
        "unused gates dropped",
        compact.aig.gates().len(),
        compact.fluents.len(),
    );
    (compact, reduction)
}

/// What a signal can be, over all reachable states.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Range {
    Only(bool),
    Any,
}

impl Range {
    fn invert_if(self, invert: bool) -> Range {
        match self {
            Range::Only(value) => Range::Only(value != invert),
            Range::Any => Range::Any,
        }
    }

    fn and(self, other: Range) -> Range {
        match (self, other) {
            (Range::Only(false), _) | (_, Range::Only(false)) => Range::Only(false),
            (Range::Only(true), rest) | (rest, Range::Only(true)) => rest,
            _ => Range::Any,
        }
    }
}

/// Removes the fluents that keep their initial value in every reachable state, by ternary simulation:
/// start from the initial state, let every move be possible, and widen until nothing changes.
fn fold_constant_latches(net: &Propnet) -> Propnet {
    let mut state: Vec<Range> = net.initial.iter().map(|&value| Range::Only(value)).collect();
    loop {
        let values = simulate(&net.aig, &state);
        let mut changed = false;
        for (latch, &next) in state.iter_mut().zip(&net.next) {
            let range = values[next.node()].invert_if(next.is_inverted());
            if *latch != Range::Any && *latch != range {
                *latch = Range::Any;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    let constants: Vec<_> = state
        .iter()
        .map(|range| match range {
            Range::Only(value) => Some(*value),
            Range::Any => None,
        })
        .collect();
    keep_latches(net, &constants)
}

fn simulate(aig: &Aig, state: &[Range]) -> Vec<Range> {
    let mut values = vec![Range::Any; aig.nodes()];
    values[0] = Range::Only(false);
    values[1..=state.len()].copy_from_slice(state);
    for (gate, &(a, b)) in aig.gates().iter().enumerate() {
        let side = |lit: Lit| values[lit.node()].invert_if(lit.is_inverted());
        values[1 + aig.inputs() + gate] = side(a).and(side(b));
    }
    values
}

/// Rebuilds the network without the latches that are constant, and without gates that no output needs.
fn keep_latches(net: &Propnet, constants: &[Option<bool>]) -> Propnet {
    let kept: Vec<usize> = (0..constants.len())
        .filter(|&latch| constants[latch].is_none())
        .collect();
    let mut aig = Aig::new(kept.len() + net.moves.len());
    let mut images: Vec<Lit> = constants
        .iter()
        .map(|constant| Lit::constant(constant.unwrap_or(false)))
        .collect();
    for (position, &latch) in kept.iter().enumerate() {
        images[latch] = aig.input(position);
    }
    images.extend((0..net.moves.len()).map(|mv| aig.input(kept.len() + mv)));
    let mut copier = Copier::new(&net.aig, &images);
    let mut copy = |literal: Lit| copier.copy(&net.aig, &mut aig, literal);
    let next = kept.iter().map(|&latch| copy(net.next[latch])).collect();
    let legal = net.legal.iter().map(|&literal| copy(literal)).collect();
    let terminal = copy(net.terminal);
    let mut goals = net.goals.clone();
    goals.iter_mut().for_each(|goal| goal.holds = copy(goal.holds));
    let always = (0..constants.len()).filter(|&latch| constants[latch] == Some(true));
    let mut constant_fluents = net.constant_fluents.clone();
    constant_fluents.extend(always.map(|latch| net.fluents[latch].clone()));
    Propnet {
        aig,
        roles: net.roles.clone(),
        random: net.random,
        fluents: kept.iter().map(|&latch| net.fluents[latch].clone()).collect(),
        constant_fluents,
        moves: net.moves.clone(),
        initial: kept.iter().map(|&latch| net.initial[latch]).collect(),
        next,
        legal,
        terminal,
        goals,
    }
}
