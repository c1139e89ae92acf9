//! Reachable states from random plays, as material for conjectures. Always the same for a game.

use super::bits::Bits;
use super::code::{Code, Part, value};
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
        slots: Vec::new(),
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
    slots: Vec<u8>,
    random: SplitMix,
}

impl Player<'_> {
    /// `None` in terminal and stuck states.
    fn random_successor(&mut self, state: &Bits) -> Option<Bits> {
        let Player {
            net,
            look,
            next,
            slots,
            random,
        } = self;
        look.run(Part::All, |fluent| state.get(fluent), slots);
        if value(slots, look.outputs[net.moves.len()]) {
            return None;
        }
        let mut joint = Vec::new();
        for role in 0..net.roles.len() {
            let moves = net.moves_of(RoleId::new(role));
            let legal: Vec<_> = moves.filter(|&mv| value(slots, look.outputs[mv])).collect();
            joint.push(*legal.get(random.below(legal.len())?)?);
        }
        let fluents = net.fluents.len();
        next.run(
            Part::All,
            |i| {
                if i < fluents {
                    state.get(i)
                } else {
                    joint.contains(&(i - fluents))
                }
            },
            slots,
        );
        Some(Bits::from_values(
            next.outputs.iter().map(|&output| value(slots, output)),
        ))
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
