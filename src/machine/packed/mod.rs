//! The machine on packed keys: decisions only, many at a time.
//!
//! A solver that enumerates states wants three things of a game: few states, small states, and many
//! successors per second. Here a state is a key of as few bits as its proven groups allow; a step that
//! nobody but `random` decides is composed with the decision before it, so that its states never exist,
//! and the fluents that only such states have are dropped; and 512 keys are expanded at once.
//!
//! | file | what it is |
//! |---|---|
//! | `packing` | the layout of a key |
//! | `compose` | a joint move, and the chance-only step after it, as functions of the key |
//! | `growth` | a proof that every play ends, over the composed steps |
//! | `filling` | a proof that states are boards that fill up |
//! | `images`, `image_tables` | equal keys up to symmetry, 512 at once and one by one |
//! | `batch` | 512 keys and their successors |
//! | `siblings` | the successors of one key, and what follows from each |

mod batch;
mod compose;
mod filling;
mod growth;
mod image_tables;
mod images;
mod packing;
mod siblings;

pub(crate) use super::lanes::Lanes;
pub(crate) use super::vectors::{Vectors, Work};
pub use batch::{Expansion, PackedBatch, Wanted};
pub use compose::Merging;
pub use filling::Filling;
pub use image_tables::ImageTables;
pub use images::Images;
pub(crate) use siblings::{Choices, Family, SIBLINGS, Siblings};

use super::code::Code;
use super::{Bits, Machine};
use crate::game::{Game, Position};
use crate::ground::{MoveId, RoleId};
use crate::propnet::{Aig, Copier, Lit, Propnet};
use compose::{Composed, Composer};
use packing::Packing;

/// A game on packed keys.
pub struct Packed {
    packing: Packing,
    /// Every joint move that may be legal, in ascending order.
    choices: Vec<Choice>,
    /// When the moves of `looked` are legal, over the bits of a key.
    look: Code,
    steps: Steps,
    longest_play: Option<u32>,
}

/// How many steps of the description the choices take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Steps {
    /// All the same.
    Each(u32),
    /// Some take one, some two.
    Mixed,
}

/// A joint move and what follows from it.
pub struct Choice {
    /// One move per role.
    pub joint: Vec<MoveId>,
    /// The outcomes of chance after it; a single one if no chance step is composed with it.
    edges: Vec<CompiledEdge>,
    /// Each role's move as an output of the look.
    legal: Vec<usize>,
    total: Option<u64>,
    /// The bits of the key that its legality fixes.
    known: Vec<Option<bool>>,
}

/// One outcome: `next = key & keep | set | changes`.
struct CompiledEdge {
    weight: u64,
    keep: Bits,
    set: Bits,
    /// Outputs: legal, terminal, one per change, then the goals.
    code: Code,
    /// The bit that each change gives.
    changes: Vec<u32>,
}

impl Choice {
    /// How many outcomes chance has after it, at most.
    pub fn outcomes(&self) -> usize {
        self.edges.len()
    }

    /// Of an outcome: how many of random's moves lead to it.
    pub fn weight(&self, outcome: usize) -> u64 {
        self.edges[outcome].weight
    }

    /// The number of random's moves after it, if that is the same in every state.
    pub fn total(&self) -> Option<u64> {
        self.total
    }
}

/// Keys are at most so wide.
const MAX_BITS: usize = 1024;
/// Joint moves times gates that may be composed.
const WORK: usize = 400_000_000;
/// Most joint moves.
const MAX_CHOICES: usize = 1 << 14;
/// Rounds in which constant fluents are looked for.
const ROUNDS: usize = 64;
/// Sampled states from which the constant fluents are guessed.
const SAMPLES: usize = 400;

impl Packed {
    /// Compiles the game for packed keys; nothing if it has too many joint moves or gates for that, or if it is to be
    /// stopped.
    pub fn new(machine: &Machine, merging: Merging, is_stopped: &dyn Fn() -> bool) -> Option<Packed> {
        if machine.net.moves.len() > most_composed(&machine.net) {
            return None;
        }
        let groups: Vec<_> = machine
            .structure
            .groups()
            .iter()
            .filter(|group| group.proven)
            .collect();
        let mut constants = match merging {
            Merging::On => guessed_constants(machine),
            Merging::Off => vec![None; machine.net.fluents.len()],
        };
        for _ in 0..ROUNDS {
            let packing = Packing::new(&groups, constants);
            if packing.bits() >= MAX_BITS {
                return None;
            }
            let composer = Composer {
                net: &machine.net,
                packing: &packing,
                merging,
                always_a_move: machine.structure.proven().always_a_move,
            };
            let composed = compose_all(&composer, is_stopped)?;
            let mut next_constants = packing.constants().to_vec();
            if !drop_changing(&composed, &mut next_constants) {
                let longest_play = growth::longest_play(&composer, &composed);
                return Some(finish(&machine.net, packing, composed, longest_play));
            }
            constants = next_constants;
        }
        None
    }

    /// Bits of a key.
    pub fn bits(&self) -> usize {
        self.packing.bits()
    }

    /// Every joint move that may be legal.
    pub fn choices(&self) -> &[Choice] {
        &self.choices
    }

    /// How many steps of the description the choices take.
    pub fn steps(&self) -> Steps {
        self.steps
    }

    /// No play takes more steps of the description than this, if that is proven.
    pub fn longest_play(&self) -> Option<u32> {
        self.longest_play
    }

    /// The key of a state; nothing if the state is none that a decision leads to.
    pub fn pack<const N: usize>(&self, state: &Bits) -> Option<[u64; N]> {
        (self.bits() < 64 * N).then(|| self.packing.pack(state)).flatten()
    }
}

/// The fluents that have their initial value in all sampled states in which somebody other than random
/// decides. Only a guess, which [`drop_changing`] corrects.
fn guessed_constants(machine: &Machine) -> Vec<Option<bool>> {
    let initial = machine.initial();
    let mut constants: Vec<Option<bool>> = machine.net.initial.iter().map(|&value| Some(value)).collect();
    let mut position = Position::new(machine.roles().len());
    let mut state = initial.clone();
    let mut seed = 1u64;
    for _ in 0..SAMPLES {
        if machine.look(&state, &mut position).is_err() {
            break;
        }
        let is_stuck = position.legal.iter().any(Vec::is_empty);
        if is_decided_by_players(machine, &position) && !position.terminal {
            for (fluent, constant) in constants.iter_mut().enumerate() {
                *constant = constant.filter(|&value| state.get(fluent) == value);
            }
        }
        if position.terminal || is_stuck {
            state = initial.clone();
            continue;
        }
        let joint: Vec<_> = position
            .legal
            .iter()
            .map(|moves| moves[choose(&mut seed, moves.len())])
            .collect();
        match machine.next(&state, &joint) {
            Ok(next) => state = next,
            Err(_) => break,
        }
    }
    constants
}

fn is_decided_by_players(machine: &Machine, position: &Position<MoveId>) -> bool {
    let choosing = (0..position.legal.len()).filter(|&role| position.legal[role].len() > 1);
    let choosing: Vec<usize> = choosing.collect();
    match (machine.random(), &choosing[..]) {
        (Some(random), [only]) => *only != random,
        _ => true,
    }
}

/// A small deterministic source of choices (Steele, Lea and Flood's SplitMix).
fn choose(seed: &mut u64, bound: usize) -> usize {
    *seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (*seed ^ *seed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    (z >> 33) as usize % bound
}

/// How many joint moves may be composed.
fn most_composed(net: &Propnet) -> usize {
    MAX_CHOICES.min(WORK / (net.aig.gates().len() + 1))
}

/// Every joint move that can be legal.
fn compose_all(composer: &Composer<'_>, is_stopped: &dyn Fn() -> bool) -> Option<Vec<Composed>> {
    let net = composer.net;
    let per_role: Vec<Vec<(usize, Vec<Option<bool>>)>> = (0..net.roles.len())
        .map(|role| {
            let moves = net.moves_of(RoleId::new(role));
            moves
                .take_while(|_| !is_stopped())
                .filter_map(|mv| Some((mv, composer.known_bits(&[mv])?)))
                .collect()
        })
        .collect();
    let mut joints: Vec<Vec<usize>> = Vec::new();
    let mut stack: Vec<(Vec<usize>, Vec<Option<bool>>)> =
        vec![(Vec::new(), vec![None; composer.packing.bits()])];
    let limit = most_composed(net);
    while let Some((joint, known)) = stack.pop() {
        let Some(moves) = per_role.get(joint.len()) else {
            joints.push(joint);
            if joints.len() > limit {
                return None;
            }
            continue;
        };
        for (mv, bits) in moves.iter().rev() {
            if let Some(known) = both(&known, bits) {
                stack.push(([&joint[..], &[*mv]].concat(), known));
            }
        }
    }
    let running = joints.iter().take_while(|_| !is_stopped());
    let composed = running.filter_map(|joint| composer.compose(joint)).collect();
    (!is_stopped()).then_some(composed)
}

/// What is known if both are; `None` if they contradict each other.
fn both(left: &[Option<bool>], right: &[Option<bool>]) -> Option<Vec<Option<bool>>> {
    left.iter()
        .zip(right)
        .map(|(&left, &right)| match (left, right) {
            (Some(a), Some(b)) if a != b => None,
            _ => Some(left.or(right)),
        })
        .collect()
}

/// Forgets the constants that some edge changes; tells whether there was one.
fn drop_changing(composed: &[Composed], constants: &mut [Option<bool>]) -> bool {
    let before = constants.iter().flatten().count();
    for edge in composed.iter().flat_map(|composed| &composed.edges) {
        for (constant, &next) in constants.iter_mut().zip(&edge.next) {
            *constant = constant.filter(|&value| next == Lit::constant(value));
        }
    }
    constants.iter().flatten().count() != before
}

fn finish(net: &Propnet, packing: Packing, composed: Vec<Composed>, longest_play: Option<u32>) -> Packed {
    let mut looked: Vec<usize> = composed
        .iter()
        .flat_map(|composed| composed.joint.clone())
        .collect();
    looked.sort_unstable();
    looked.dedup();
    let look = look_code(net, &packing, &looked);
    let mut counts: Vec<u32> = composed.iter().map(|composed| composed.steps).collect();
    counts.dedup();
    let steps = match counts[..] {
        [] => Steps::Each(1),
        [steps] => Steps::Each(steps),
        _ => Steps::Mixed,
    };
    let choices = composed
        .into_iter()
        .map(|composed| compile(&packing, composed, &looked))
        .collect();
    Packed {
        packing,
        choices,
        look,
        steps,
        longest_play,
    }
}

fn look_code(net: &Propnet, packing: &Packing, looked: &[usize]) -> Code {
    let legal: Vec<Lit> = looked.iter().map(|&mv| net.legal[mv]).collect();
    network_code(net, packing, &legal)
}

/// Functions of the network that depend on no move, over the bits of a key.
fn network_code(net: &Propnet, packing: &Packing, literals: &[Lit]) -> Code {
    let mut aig = Aig::new(packing.bits());
    let bits: Vec<Lit> = (0..packing.bits()).map(|bit| aig.input(bit)).collect();
    let fluents = packing.decode(&mut aig, &bits);
    let no_moves = vec![Lit::FALSE; net.moves.len()];
    let mut copier = Copier::new(&net.aig, &[&fluents[..], &no_moves].concat());
    let outputs: Vec<Lit> = literals
        .iter()
        .map(|&literal| copier.copy(&net.aig, &mut aig, literal))
        .collect();
    Code::new(&aig, packing.bits(), &outputs, outputs.len())
}

fn compile(packing: &Packing, mut composed: Composed, looked: &[usize]) -> Choice {
    let place = |mv: &usize| looked.partition_point(|known| known < mv);
    let certain = composed.edges.iter().all(|edge| edge.legal == Lit::TRUE);
    Choice {
        total: certain.then(|| composed.edges.iter().map(|edge| edge.weight).sum()),
        legal: composed.joint.iter().map(place).collect(),
        joint: composed.joint.iter().map(|&mv| MoveId::new(mv)).collect(),
        edges: composed
            .edges
            .iter()
            .map(|edge| compile_edge(packing, edge, &mut composed.aig))
            .collect(),
        known: composed.known,
    }
}

fn compile_edge(packing: &Packing, edge: &compose::Edge, aig: &mut Aig) -> CompiledEdge {
    // As wide as any key: the words beyond the last bit are cleared by them.
    let (mut keep, mut set) = (Bits::zero(MAX_BITS), Bits::zero(MAX_BITS));
    let mut changes = Vec::new();
    let mut outputs = vec![edge.legal, edge.outcome[0]];
    for (bit, literal) in packing.encode(aig, &edge.next).into_iter().enumerate() {
        match literal {
            Lit::FALSE => {}
            Lit::TRUE => set.set(bit),
            _ if literal == aig.input(bit) => keep.set(bit),
            _ => {
                changes.push(bit as u32);
                outputs.push(literal);
            }
        }
    }
    let first = outputs.len();
    outputs.extend(&edge.outcome[1..]);
    CompiledEdge {
        weight: edge.weight,
        keep,
        set,
        code: Code::new(aig, packing.bits(), &outputs, first),
        changes,
    }
}
