//! A proof that every play ends: each choice sets a bit of the key that no choice ever clears.

use super::compose::{Composed, Composer};
use crate::propnet::{Aig, Copier, Lit};
use batsat::{BasicSolver, Lit as SatLit, SolverInterface, lbool};

/// Gates of all composed steps together that the proof may look at.
const WORK: usize = 2_000_000;

/// The most steps that a play can take, if the proof succeeds.
pub(super) fn longest_play(composer: &Composer<'_>, composed: &[Composed]) -> Option<u32> {
    let edges: usize = composed.iter().map(|composed| composed.edges.len()).sum();
    if edges.checked_mul(composer.net.aig.gates().len())? > WORK {
        return None;
    }
    let lasting = lasting_bits(composer, composed);
    let grows = |composed: &Composed| always_grows(composer, composed, &lasting);
    if lasting.is_empty() || !composed.iter().all(grows) {
        return None;
    }
    let most_steps = composed.iter().map(|composed| composed.steps).max()?;
    (lasting.len() as u32).checked_mul(most_steps)
}

/// The bits that every choice keeps once they are set.
fn lasting_bits(composer: &Composer<'_>, composed: &[Composed]) -> Vec<usize> {
    let mut lasts = vec![true; composer.packing.bits()];
    for choice in composed {
        let mut aig = choice.aig.clone();
        for edge in &choice.edges {
            let next = composer.packing.encode(&mut aig, &edge.next);
            for (bit, &literal) in next.iter().enumerate() {
                let now = aig.input(bit);
                lasts[bit] &= literal == Lit::TRUE || aig.and(now, !literal) == Lit::FALSE;
            }
        }
    }
    (0..lasts.len()).filter(|&bit| lasts[bit]).collect()
}

/// Whether each outcome of the choice sets a lasting bit that was clear. Asked of the network as it
/// stands, because the composed functions only mean something where the choice is legal.
fn always_grows(composer: &Composer<'_>, composed: &Composed, lasting: &[usize]) -> bool {
    let net = composer.net;
    let mut aig = Aig::new(composer.packing.bits());
    let bits: Vec<Lit> = (0..composer.packing.bits()).map(|bit| aig.input(bit)).collect();
    let fluents = composer.packing.decode(&mut aig, &bits);
    let does = (0..net.moves.len()).map(|mv| Lit::constant(composed.joint.contains(&mv)));
    let inputs: Vec<Lit> = fluents.into_iter().chain(does).collect();
    let mut copier = Copier::new(&net.aig, &inputs);
    let mut premises = vec![!copier.copy(&net.aig, &mut aig, net.terminal)];
    premises.extend(
        composed
            .joint
            .iter()
            .map(|&mv| copier.copy(&net.aig, &mut aig, net.legal[mv])),
    );
    composed.edges.iter().all(|edge| {
        let mut aig = aig.clone();
        let mut transfer = Copier::new(&composed.aig, &bits);
        let legal = transfer.copy(&composed.aig, &mut aig, edge.legal);
        let next: Vec<Lit> = edge
            .next
            .iter()
            .map(|&literal| transfer.copy(&composed.aig, &mut aig, literal))
            .collect();
        let next = composer.packing.encode(&mut aig, &next);
        let stays = lasting
            .iter()
            .map(|&bit| !aig.and(!bits[bit], next[bit]))
            .collect::<Vec<_>>();
        let premises: Vec<Lit> = premises.iter().copied().chain([legal]).chain(stays).collect();
        is_impossible(&aig, &premises)
    })
}

/// Whether no assignment makes all of these true.
fn is_impossible(aig: &Aig, literals: &[Lit]) -> bool {
    let mut solver = BasicSolver::default();
    // What the question does not depend on would only cost time.
    let cone = aig.cone(literals.iter().copied());
    let falsity = SatLit::new(solver.new_var_default(), true);
    let nodes: Vec<SatLit> = (0..aig.nodes())
        .map(|node| match node > 0 && cone[node] {
            true => SatLit::new(solver.new_var_default(), true),
            false => falsity,
        })
        .collect();
    let sat = |literal: Lit| {
        let node = nodes[literal.node()];
        if literal.is_inverted() { !node } else { node }
    };
    solver.add_clause_reuse(&mut vec![!falsity]);
    let gates = aig.gates().iter().enumerate();
    for (gate, &(a, b)) in gates.filter(|(gate, _)| cone[1 + aig.inputs() + gate]) {
        let (g, a, b) = (nodes[1 + aig.inputs() + gate], sat(a), sat(b));
        solver.add_clause_reuse(&mut vec![!g, a]);
        solver.add_clause_reuse(&mut vec![!g, b]);
        solver.add_clause_reuse(&mut vec![g, !a, !b]);
    }
    let assumptions: Vec<SatLit> = literals.iter().map(|&literal| sat(literal)).collect();
    solver.solve_limited(&assumptions) == lbool::FALSE
}
