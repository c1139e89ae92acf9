//! Reachable states from random plays, as material for conjectures. Always the same for a game.

use super::bits::{Bits, bit_of, ones_within};
use super::code::Code;
use super::step_inputs;
use crate::ground::RoleId;
use crate::propnet::Propnet;

/// Gate evaluations that may be spent.
const WORK: usize = 10_000_000;

/// Most steps of one play.
const MAX_STEPS: usize = 200;

/// Fluents that hold in sampled states; the first one is the initial state.
pub(super) fn states(net: &Propnet, look: &Code, next: &Code) -> Vec<Vec<usize>> {
    let initial = Bits::from_values(net.initial.iter().copied());
    let wanted = (WORK / (look.slots() + next.slots())).clamp(10, 1000);
    let mut samples = vec![initial.ones().collect()];
    let mut player = Player {
        net,
        look,
        next,
        random: SplitMix(1),
    };
    while samples.len() < wanted {
        let before = samples.len();
        let mut state = initial.clone();
        for _ in 0..MAX_STEPS {
            let Some(successor) = player.random_successor(&state).filter(|_| samples.len() < wanted) else {
                break;
            };
            state = successor;
            samples.push(state.ones().collect());
        }
        if samples.len() == before {
            break;
        }
    }
    samples
}

struct Player<'m> {
    net: &'m Propnet,
    look: &'m Code,
    next: &'m Code,
    random: SplitMix,
}

impl Player<'_> {
    /// `None` in terminal and stuck states.
    fn random_successor(&mut self, state: &Bits) -> Option<Bits> {
        let Player {
            net,
            look,
            next,
            random,
        } = self;
        let joint = look.evaluate(state.words(), |holds| {
            if bit_of(holds, net.moves.len()) {
                return None;
            }
            let mut joint = Vec::new();
            for role in 0..net.roles.len() {
                let mut legal = Vec::new();
                ones_within(holds, net.moves_of(RoleId::new(role)), |mv| legal.push(mv));
                joint.push(legal[random.below(legal.len())?]);
            }
            Some(joint)
        });
        let inputs = step_inputs(net, state, joint?.into_iter());
        let successor = |holds: &[u64]| Bits::from_words(net.fluents.len(), holds);
        Some(next.evaluate(inputs.words(), successor))
    }
}

/// SplitMix64: small, and good enough to choose moves by.
struct SplitMix(u64);

impl SplitMix {
    fn below(&mut self, bound: usize) -> Option<usize> {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ z >> 31) as usize).checked_rem(bound)
    }
}
