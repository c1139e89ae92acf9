//! Keys up to symmetry: of all images of a key, the smallest stands for all of them.
//!
//! 512 keys at a time, bit-sliced. On boards an image is only another order of the bits, which costs nothing then; what
//! is left is to compare and to choose, a few operations per bit and symmetry, and to turn keys into bits and back. Looking
//! up eleven bits of one key at a time in tables instead took five times as long for the eight symmetries of S-TT 4x4.

use super::super::code::{Code, Part};
use super::super::lanes::{self, LANES, Lanes};
use super::super::vectors::{Vectors, Work};
use super::Packed;
use crate::propnet::{Aig, Lit};

/// The images of keys under a group of symmetries.
pub struct Images<const N: usize> {
    bits: usize,
    /// Per symmetry other than the identity: the bits of the image, by those of the key.
    elements: Vec<Code>,
}

/// The bits of up to [`LANES`] keys, while the least images are found.
#[derive(Default)]
pub(super) struct Room {
    /// The keys, one after the other.
    words: Vec<u64>,
    /// Those of the keys, and what is computed from them.
    slots: Vec<Lanes>,
    /// Those of the least images so far.
    least: Vec<Lanes>,
}

impl<const N: usize> Images<N> {
    /// The images under a group of permutations of the fluents, given with or without the identity;
    /// nothing if one of them does not map keys to keys.
    pub fn new(packed: &Packed, permutations: &[Vec<u32>]) -> Option<Images<N>> {
        let is_identity = |permutation: &Vec<u32>| (0u32..).zip(permutation).all(|(at, &to)| at == to);
        let elements = permutations
            .iter()
            .filter(|permutation| !is_identity(permutation))
            .map(|permutation| image(packed, permutation))
            .collect::<Option<Vec<_>>>()?;
        Some(Images {
            bits: packed.bits(),
            elements,
        })
    }

    /// Number of symmetries, the identity included.
    pub fn order(&self) -> usize {
        self.elements.len() + 1
    }

    /// Puts the smallest image in the place of every key.
    pub(super) fn minimise(&self, keys: &mut [[u64; N]], room: &mut Room, vectors: Vectors) {
        lanes::make_room(&mut room.slots, 1 + 64 * N);
        room.least.resize(64 * N, Lanes::NONE);
        let words = &mut room.words;
        words.resize(LANES * N, 0);
        for keys in keys.chunks_mut(LANES) {
            words[..keys.len() * N].copy_from_slice(keys.as_flattened());
            let (signals, _) = room.slots[1..].as_chunks_mut::<64>();
            for (word, signals) in signals[..N].iter_mut().enumerate() {
                let bits = self.bits.saturating_sub(64 * word);
                lanes::slice(&words[word..], N, bits, signals, vectors);
            }
            room.least[..self.bits].copy_from_slice(&room.slots[1..=self.bits]);
            for element in &self.elements {
                lanes::run(element, Part::All, &mut room.slots, vectors);
                vectors.run(Choosing {
                    slots: &room.slots,
                    image: &element.outputs,
                    least: &mut room.least,
                });
            }
            let (least, _) = room.least.as_chunks::<64>();
            for (word, &least) in least[..N].iter().enumerate() {
                lanes::unslice(least, N, &mut words[word..], vectors);
            }
            let flat = keys.as_flattened_mut();
            flat.copy_from_slice(&words[..flat.len()]);
        }
    }
}

/// Taking the images where they are less than the least so far.
struct Choosing<'w> {
    slots: &'w [Lanes],
    image: &'w [Lit],
    least: &'w mut [Lanes],
}

impl Work for Choosing<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let (mut less, mut equal) = (Lanes::NONE, Lanes::ALL);
        for bit in (0..self.image.len()).rev() {
            let (new, old) = (lanes::value(self.slots, self.image[bit]), self.least[bit]);
            let differs = equal.and(new.xor(old));
            less = less.or(differs.and(old));
            equal = equal.and_not(differs);
            if equal.is_empty() {
                break;
            }
        }
        if less.is_empty() {
            return;
        }
        for bit in 0..self.image.len() {
            let (new, old) = (lanes::value(self.slots, self.image[bit]), self.least[bit]);
            self.least[bit] = old.xor(new.xor(old).and(less));
        }
    }
}

fn image(packed: &Packed, permutation: &[u32]) -> Option<Code> {
    let bits = packed.bits();
    let mut aig = Aig::new(bits);
    let image = packed.packing.image_gates(&mut aig, permutation)?;
    Some(Code::new(&aig, bits, &image, image.len()))
}

#[cfg(test)]
mod tests {
    use super::super::Merging;
    use super::*;
    use crate::game::{Game, Position};
    use crate::machine::{Bits, Machine};
    use crate::source::Source;

    /// The states of some plays.
    fn states(machine: &Machine, count: usize) -> Vec<Bits> {
        let mut position = Position::new(machine.roles().len());
        let (mut states, mut state, mut turn) = (Vec::new(), machine.initial(), 0);
        while states.len() < count {
            machine.look(&state, &mut position).expect("a position");
            if position.terminal {
                state = machine.initial();
                continue;
            }
            states.push(state.clone());
            let joint: Vec<_> = position
                .legal
                .iter()
                .map(|moves| moves[turn * 7 % moves.len()])
                .collect();
            turn += 1 + turn / 3;
            state = machine.next(&state, &joint).expect("a successor");
        }
        states
    }

    fn permuted(state: &Bits, permutation: &[u32]) -> Bits {
        let mut image = Bits::zero(permutation.len());
        (0..permutation.len())
            .filter(|&fluent| state.get(fluent))
            .for_each(|fluent| image.set(permutation[fluent] as usize));
        image
    }

    fn check<const N: usize>(name: &str, order: usize) {
        let game = crate::games::find(name).expect("a bundled game");
        let source = Source::new(game.name, game.text);
        let machine = Machine::load_with_symmetries(source).expect("a machine");
        let symmetries = machine.symmetries();
        let packed = Packed::new(&machine, Merging::Off, &|| false).expect("a packed game");
        let images = Images::<N>::new(&packed, symmetries).expect("images");
        assert_eq!(images.order(), order, "{name}");
        let states = states(&machine, 1300);
        let key = |state: &Bits| packed.pack::<N>(state).expect("a key");
        let mut keys: Vec<[u64; N]> = states.iter().map(key).collect();
        images.minimise(&mut keys, &mut Room::default(), Vectors::detect());
        for (state, found) in states.iter().zip(&keys) {
            let all = symmetries
                .iter()
                .map(|permutation| key(&permuted(state, permutation)));
            let least = all
                .chain([key(state)])
                .min_by(|one, other| one.iter().rev().cmp(other.iter().rev()));
            assert_eq!(Some(*found), least, "{name}");
        }
    }

    #[test]
    fn the_least_of_all_images_is_found() {
        check::<1>("s-tt-3x3-80", 8);
        check::<2>("c3-6x6", 2);
    }
}
