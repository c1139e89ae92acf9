//! Composing steps: a decision, and the forced or chance-only step after it, as one choice.
//!
//! Under "these moves are made, they are legal, the state is not terminal" most of the network collapses
//! (as in `transition`, but over the bits of a key). If then nobody but `random` has a choice in the
//! state that is reached, and it is never terminal, that state need not exist: the next step is composed
//! with the first one.

use super::packing::Packing;
use crate::ground::RoleId;
use crate::propnet::{Aig, Copier, Lit, Propnet};
use std::collections::BTreeMap;

/// A joint move with everything that can follow from it.
pub(super) struct Composed {
    /// One move per role, as positions in the network's moves.
    pub(super) joint: Vec<usize>,
    /// The bits of the key that its legality fixes.
    pub(super) known: Vec<Option<bool>>,
    /// Steps of the description that it takes.
    pub(super) steps: u32,
    /// Functions of the key that the edges refer to.
    pub(super) aig: Aig,
    pub(super) edges: Vec<Edge>,
}

/// One outcome of chance after a decision, or the only outcome.
pub(super) struct Edge {
    /// How many of random's moves it stands for.
    pub(super) weight: u64,
    /// When random can make the move.
    pub(super) legal: Lit,
    /// The fluents of the state that is reached.
    pub(super) next: Vec<Lit>,
    /// `terminal` and the network's goals in that state.
    pub(super) outcome: Vec<Lit>,
}

/// Whether forced and chance-only steps are composed with the decision before them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Merging {
    /// They are.
    On,
    /// Every step of the description is a step.
    Off,
}

/// Composes steps over one layout of keys.
pub(super) struct Composer<'n> {
    pub(super) net: &'n Propnet,
    pub(super) packing: &'n Packing,
    pub(super) merging: Merging,
    /// Whether every role is proven to have a move in every state that is not terminal.
    pub(super) always_a_move: bool,
}

/// Rounds of finding bits that the moves' legality fixes.
const ROUNDS: usize = 3;

impl Composer<'_> {
    /// What is known about the key's bits when this joint move is made; `None` if it cannot be.
    pub(super) fn known_bits(&self, joint: &[usize]) -> Option<Vec<Option<bool>>> {
        let mut known = vec![None; self.packing.bits()];
        for _ in 0..ROUNDS {
            let found = Scenario::new(self, joint, &known)?.fixed_bits()?;
            let before = known.iter().flatten().count();
            for (bit, value) in found {
                if known[bit] == Some(!value) {
                    return None;
                }
                known[bit] = Some(value);
            }
            if known.iter().flatten().count() == before {
                break;
            }
        }
        Some(known)
    }

    /// The joint move with all that follows; `None` if it cannot be made.
    pub(super) fn compose(&self, joint: &[usize]) -> Option<Composed> {
        let known = self.known_bits(joint)?;
        let mut scenario = Scenario::new(self, joint, &known)?;
        let random_is_forced = self.random_is_forced(&mut scenario, joint);
        let next: Vec<Lit> = self
            .net
            .next
            .iter()
            .map(|&literal| scenario.copy(literal))
            .collect();
        let mut aig = scenario.aig;
        let outcome = self.net.outcome_of(&next, &mut aig);
        let goes_on = outcome.first() == Some(&Lit::FALSE);
        let merged = (self.merging == Merging::On && random_is_forced && goes_on)
            .then(|| self.chance_edges(&next, &mut aig))
            .flatten();
        let (steps, edges) = match merged {
            Some(edges) => (2, edges),
            None => {
                let only = Edge {
                    weight: 1,
                    legal: Lit::TRUE,
                    next,
                    outcome,
                };
                (1, vec![only])
            }
        };
        Some(Composed {
            joint: joint.to_vec(),
            known,
            steps,
            aig,
            edges,
        })
    }

    fn random_is_forced(&self, scenario: &mut Scenario<'_>, joint: &[usize]) -> bool {
        let Some(random) = self.net.random else {
            return true;
        };
        let others = self.net.moves_of(random).filter(|mv| !joint.contains(mv));
        let mut others = others.map(|mv| scenario.copy(self.net.legal[mv]));
        others.all(|legal| legal == Lit::FALSE)
    }

    /// The edges of the state with these fluents, if only random can have a choice there.
    fn chance_edges(&self, fluents: &[Lit], aig: &mut Aig) -> Option<Vec<Edge>> {
        let net = self.net;
        let no_moves = vec![Lit::FALSE; net.moves.len()];
        let mut copier = Copier::new(&net.aig, &[fluents, &no_moves].concat());
        let mut legal_moves = |role: RoleId, aig: &mut Aig| -> Vec<(usize, Lit)> {
            let moves = net.moves_of(role);
            let legal = moves.map(|mv| (mv, copier.copy(&net.aig, aig, net.legal[mv])));
            legal.filter(|&(_, legal)| legal != Lit::FALSE).collect()
        };
        let mut forced = Vec::new();
        for role in (0..net.roles.len()).map(RoleId::new) {
            if Some(role) == net.random {
                continue;
            }
            match legal_moves(role, aig)[..] {
                [(mv, legal)] if legal == Lit::TRUE || self.always_a_move => forced.push(mv),
                _ => return None,
            }
        }
        let chance = match net.random {
            Some(random) => legal_moves(random, aig),
            None => vec![(usize::MAX, Lit::TRUE)],
        };
        let certain = self.always_a_move || chance.iter().any(|&(_, legal)| legal == Lit::TRUE);
        if chance.is_empty() || !certain {
            return None;
        }
        let mut edges: Vec<Edge> = Vec::new();
        for (mv, legal) in chance {
            let does = |other: usize| Lit::constant(other == mv || forced.contains(&other));
            let moves: Vec<Lit> = (0..net.moves.len()).map(does).collect();
            let mut copier = Copier::new(&net.aig, &[fluents, &moves].concat());
            let next: Vec<Lit> = net
                .next
                .iter()
                .map(|&literal| copier.copy(&net.aig, aig, literal))
                .collect();
            // Moves with the same successor are one edge with their number as weight.
            match edges
                .iter_mut()
                .find(|edge| edge.legal == legal && edge.next == next)
            {
                Some(edge) => edge.weight += 1,
                None => {
                    let outcome = net.outcome_of(&next, aig);
                    edges.push(Edge {
                        weight: 1,
                        legal,
                        next,
                        outcome,
                    });
                }
            }
        }
        Some(edges)
    }
}

/// A copy of the network's relevant part under the assumptions of one joint move. Its inputs are the
/// bits of a key.
struct Scenario<'n> {
    net: &'n Propnet,
    aig: Aig,
    copier: Copier,
    /// Functions of the key that hold because the moves are legal and the state is not terminal.
    assumed: Vec<Lit>,
}

impl<'n> Scenario<'n> {
    /// `None` if the assumptions contradict each other.
    fn new(composer: &Composer<'n>, joint: &[usize], known: &[Option<bool>]) -> Option<Scenario<'n>> {
        let net = composer.net;
        let mut aig = Aig::new(composer.packing.bits());
        let bits: Vec<Lit> = known
            .iter()
            .enumerate()
            .map(|(bit, value)| value.map_or(aig.input(bit), Lit::constant))
            .collect();
        let fluents = composer.packing.decode(&mut aig, &bits);
        let does = (0..net.moves.len()).map(|mv| Lit::constant(joint.contains(&mv)));
        let inputs: Vec<Lit> = fluents.iter().copied().chain(does).collect();
        let copier = Copier::new(&net.aig, &inputs);
        let mut scenario = Scenario {
            net,
            aig,
            copier,
            assumed: Vec::new(),
        };
        let legal = joint.iter().map(|&mv| net.legal[mv]);
        scenario.assume(legal.chain([!net.terminal]).collect(), &inputs)?;
        Some(scenario)
    }

    fn copy(&mut self, literal: Lit) -> Lit {
        self.copier.copy(&self.net.aig, &mut self.aig, literal)
    }

    /// Records what follows from the given literals of the network being true. A gate that is false is
    /// entered as such, so that the same function of unchanged bits is recognised later on.
    fn assume(&mut self, literals: Vec<Lit>, inputs: &[Lit]) -> Option<()> {
        let mut facts: BTreeMap<usize, bool> = BTreeMap::new();
        let mut stack = literals;
        while let Some(literal) = stack.pop() {
            let holds = !literal.is_inverted();
            if literal == Lit::FALSE || facts.get(&literal.node()) == Some(&!holds) {
                return None;
            }
            if literal == Lit::TRUE || facts.insert(literal.node(), holds).is_some() {
                continue;
            }
            if let (true, Some((a, b))) = (holds, self.net.aig.as_gate(literal.node())) {
                stack.extend([a, b]);
            }
        }
        for (node, holds) in facts {
            match (self.net.aig.as_input(node), self.net.aig.as_gate(node)) {
                (Some(input), _) => self.assumed.push(inputs[input].inverted_if(!holds)),
                (None, Some((a, b))) if !holds => {
                    let (a, b) = (self.copy(a), self.copy(b));
                    match (a, b) {
                        (Lit::TRUE, other) | (other, Lit::TRUE) => self.assumed.push(!other),
                        _ => self.aig.assume_false(a, b),
                    }
                    self.copier.fix(node, Lit::FALSE);
                }
                _ => self.copier.fix(node, Lit::TRUE),
            }
        }
        Some(())
    }

    /// Bits whose value the assumptions fix; `None` if they contradict each other.
    fn fixed_bits(self) -> Option<Vec<(usize, bool)>> {
        let mut fixed = Vec::new();
        let mut stack = self.assumed;
        while let Some(literal) = stack.pop() {
            if literal == Lit::FALSE {
                return None;
            }
            if let Some(bit) = self.aig.as_input(literal.node()) {
                fixed.push((bit, !literal.is_inverted()));
            } else if let (false, Some((a, b))) = (literal.is_inverted(), self.aig.as_gate(literal.node())) {
                stack.extend([a, b]);
            }
        }
        Some(fixed)
    }
}
