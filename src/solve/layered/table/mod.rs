//! The open states of one layer: a set of keys in which every key has a place.
//!
//! Open addressing with linear probing. The table never grows: a place stays what it is, and values can
//! stand in an array beside it. It is split into parts by hash, so that threads can fill it without
//! meeting.
//!
//! The hash is linear in the words of the key, and the home of a key is its hash scaled to the number of
//! homes. So a move that adds `d` to the key adds the same to every hash: if states are expanded in the
//! order of their table, the successors by one move walk through the next table front to back, and all
//! moves together are a few dozen such walks, which caches like.
//!
//! A slot holds the full key, or, where that is shorter, what the place does not tell (a *quotient*):
//!
//! ```text
//! occupied | displacement from home | remainder
//! ```
//!
//! Place and slot together tell the key (see [`Hash`]). Either way nothing is ever taken for something else.

mod parting;
mod probe;
mod shape;

use super::array::Array;
use super::hash::{Hash, low_bits};
use crate::machine::packed::Vectors;
use parting::{Parting, part_of};
use probe::{Finding, Insertion, Slot, Slotted, occupied, prefetch};
pub(super) use shape::Shape;
use shape::{Kind, MOST};
use std::fs::File;
use std::io;

/// The set of keys of one layer.
pub(super) struct Table<const N: usize> {
    shape: Shape,
    slotting: Slotting<N>,
    parts: Vec<Part<N>>,
    vectors: Vectors,
}

/// The keys with the same part of their hash.
pub(super) struct Part<const N: usize> {
    slots: Slots<N>,
    len: usize,
}

enum Slots<const N: usize> {
    Full(Array<[u64; N]>),
    Short(Array<u64>),
    Tiny(Array<u32>),
}

/// A part has no room for another key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Full;

impl<const N: usize> Table<N> {
    /// A table of this shape; nothing if the system has no memory for it.
    pub(super) fn new(shape: Shape) -> Option<Table<N>> {
        let slots = shape.slots();
        let part = || {
            let slots = match shape.kind::<N>() {
                Kind::Tiny => Slots::Tiny(Array::new(slots)?),
                Kind::Short => Slots::Short(Array::new(slots)?),
                Kind::Full => Slots::Full(Array::new(slots)?),
            };
            Some(Part { slots, len: 0 })
        };
        Some(Table {
            shape,
            slotting: shape.slotting(),
            parts: (0..shape.parts).map(|_| part()).collect::<Option<_>>()?,
            vectors: Vectors::detect(),
        })
    }

    /// The table whose [`Table::bytes`] a file has, with so many keys in each part.
    pub(super) fn open(shape: Shape, lens: &[usize], file: &File) -> io::Result<Table<N>> {
        let slots = shape.slots();
        let part_bytes = (slots * shape.kind::<N>().bytes::<N>()) as u64;
        let part = |(number, &len): (u64, &usize)| -> io::Result<Part<N>> {
            let offset = number * part_bytes;
            let slots = match shape.kind::<N>() {
                Kind::Tiny => Slots::Tiny(Array::open(file, offset, slots)?),
                Kind::Short => Slots::Short(Array::open(file, offset, slots)?),
                Kind::Full => Slots::Full(Array::open(file, offset, slots)?),
            };
            Ok(Part { slots, len })
        };
        Ok(Table {
            shape,
            slotting: shape.slotting(),
            parts: (0..).zip(lens).map(part).collect::<io::Result<_>>()?,
            vectors: Vectors::detect(),
        })
    }

    /// What was known of it before it was made.
    pub(super) fn shape(&self) -> Shape {
        self.shape
    }

    /// Number of keys of each part.
    pub(super) fn lens(&self) -> Vec<usize> {
        self.parts.iter().map(|part| part.len).collect()
    }

    /// The slots of the parts, as they lie in memory.
    pub(super) fn bytes(&self) -> Vec<&[u8]> {
        self.parts.iter().map(|part| part.slots.bytes()).collect()
    }

    /// Number of keys.
    pub(super) fn len(&self) -> usize {
        self.parts.iter().map(|part| part.len).sum()
    }

    /// Number of slots; places are below it.
    pub(super) fn slots(&self) -> usize {
        self.parts.iter().map(|part| part.slots.len()).sum()
    }

    /// The bytes of memory that it takes.
    pub(super) fn held_bytes(&self) -> u64 {
        self.parts.iter().map(|part| part.slots.held_bytes()).sum()
    }

    /// The part that a key belongs to.
    #[inline]
    pub(super) fn part_of(&self, key: &[u64; N]) -> usize {
        part_of(self.slotting.hash.of(key), self.parts.len())
    }

    /// Appends the part that each key belongs to.
    pub(super) fn parts_of(&self, keys: &[[u64; N]], parts: &mut Vec<u32>) {
        let start = parts.len();
        parts.resize(start + keys.len(), 0);
        if self.parts.len() > 1 {
            let parting = Parting {
                hash: &self.slotting.hash,
                keys,
                count: self.parts.len(),
                parts: &mut parts[start..],
            };
            self.vectors.run(parting);
        }
    }

    /// Inserts keys that are not there yet, for each part those that belong to it; gives up when a part is
    /// full. The parts are independent of each other.
    pub(super) fn inserters(&mut self) -> Vec<Inserter<'_, N>> {
        let (slotting, vectors) = (&self.slotting, self.vectors);
        let inserter = |part| Inserter {
            slotting,
            part,
            vectors,
        };
        self.parts.iter_mut().map(inserter).collect()
    }

    /// Appends the keys of the slots from `start` to `end`, with their places.
    pub(super) fn collect(&self, start: usize, end: usize, keys: &mut Vec<[u64; N]>, places: &mut Vec<u32>) {
        let mut base = 0;
        for part in &self.parts {
            let slots = part.slots.len();
            let range = start.saturating_sub(base).min(slots)..end.saturating_sub(base).min(slots);
            let first = places.len();
            part.slots.occupied(range, base, places);
            let places = places[first..].iter().map(|&place| place as usize - base);
            match &part.slots {
                Slots::Full(slots) => keys.extend(places.map(|at| full_key(slots[at]))),
                Slots::Short(slots) => keys.extend(places.map(|at| self.slotting.key(at, slots[at]))),
                Slots::Tiny(slots) => keys.extend(places.map(|at| self.slotting.key(at, slots[at].into()))),
            }
            base += slots;
        }
    }

    /// Appends the place of each key; all of them are in the table. What stands at these places of the array
    /// `beside`, which has so many items for each slot, is fetched.
    pub(super) fn places<T>(&self, keys: &[[u64; N]], beside: &[T], places: &mut Vec<u32>) {
        let start = places.len();
        self.parts_of(keys, places);
        let places = &mut places[start..];
        let items = beside.len() / self.slots();
        let found = |place: usize| prefetch(beside, place * items);
        let slotting = &self.slotting;
        match &self.parts[0].slots {
            Slots::Full(_) => self.find(Slots::full, keys, slotting.full(), places, found),
            Slots::Short(_) => self.find(Slots::short, keys, slotting.short(), places, found),
            Slots::Tiny(_) => self.find(Slots::tiny, keys, slotting.tiny(), places, found),
        }
    }

    fn find<'t, S: Slot + 't>(
        &'t self,
        slots_of: impl Fn(&'t Slots<N>) -> &'t [S],
        keys: &[[u64; N]],
        slotted: Slotted<impl Fn(&[u64; N]) -> (usize, S)>,
        places: &mut [u32],
        found: impl Fn(usize),
    ) {
        let parts: Vec<&[S]> = self.parts.iter().map(|part| slots_of(&part.slots)).collect();
        let finding = Finding {
            parts: &parts,
            keys,
            slotted,
            places,
            found,
        };
        finding.run(self.vectors);
    }
}

/// The top bit of a full key's last word.
const OCCUPIED: u64 = 1 << 63;

#[inline]
fn full_key<const N: usize>(mut slot: [u64; N]) -> [u64; N] {
    slot[N - 1] ^= OCCUPIED;
    slot
}

/// How the keys of each part are slotted.
struct Slotting<const N: usize> {
    hash: Hash<N>,
    displacement_bits: u32,
}

/// By kind of slot.
impl<const N: usize> Slotting<N> {
    /// Keys that a part may hold.
    fn most(&self) -> usize {
        (self.hash.homes() as f64 * MOST) as usize
    }

    /// The home of a key, and a quotient without its displacement.
    #[inline]
    fn quotient(&self, key: &[u64; N]) -> (usize, u64) {
        let (home, remainder) = self.hash.split(key);
        let occupied = 1 << (self.hash.remainder_bits() + self.displacement_bits);
        (home, occupied | remainder)
    }

    /// The key of a quotient at a place.
    #[inline]
    fn key(&self, at: usize, slot: u64) -> [u64; N] {
        let remainder_bits = self.hash.remainder_bits();
        let displacement = slot >> remainder_bits & low_bits(self.displacement_bits);
        let home = at as u64 - displacement;
        self.hash.join(home as usize, slot & low_bits(remainder_bits))
    }

    #[inline]
    fn full(&self) -> Slotted<impl Fn(&[u64; N]) -> (usize, [u64; N])> {
        self.slotted(|key: &[u64; N]| {
            let mut slot = *key;
            slot[N - 1] |= OCCUPIED;
            (self.hash.home(key), slot)
        })
    }

    #[inline]
    fn short(&self) -> Slotted<impl Fn(&[u64; N]) -> (usize, u64)> {
        self.slotted(|key: &[u64; N]| self.quotient(key))
    }

    #[inline]
    fn tiny(&self) -> Slotted<impl Fn(&[u64; N]) -> (usize, u32)> {
        self.slotted(|key: &[u64; N]| {
            let (home, slot) = self.quotient(key);
            (home, slot as u32)
        })
    }

    #[inline]
    fn slotted<F>(&self, slot_of: F) -> Slotted<F> {
        Slotted {
            slot_of,
            displacement_at: self.hash.remainder_bits(),
            reach: 1 << self.displacement_bits,
        }
    }
}

impl<const N: usize> Slots<N> {
    fn full(&self) -> &[[u64; N]] {
        match self {
            Slots::Full(slots) => slots,
            _ => &[],
        }
    }

    fn short(&self) -> &[u64] {
        match self {
            Slots::Short(slots) => slots,
            _ => &[],
        }
    }

    fn tiny(&self) -> &[u32] {
        match self {
            Slots::Tiny(slots) => slots,
            _ => &[],
        }
    }

    fn len(&self) -> usize {
        match self {
            Slots::Full(slots) => slots.len(),
            Slots::Short(slots) => slots.len(),
            Slots::Tiny(slots) => slots.len(),
        }
    }

    fn bytes(&self) -> &[u8] {
        match self {
            Slots::Full(slots) => bytemuck::cast_slice(slots.as_flattened()),
            Slots::Short(slots) => bytemuck::cast_slice(slots),
            Slots::Tiny(slots) => bytemuck::cast_slice(slots),
        }
    }

    fn occupied(&self, range: std::ops::Range<usize>, base: usize, places: &mut Vec<u32>) {
        match self {
            Slots::Full(slots) => occupied(slots, range, base, places),
            Slots::Short(slots) => occupied(slots, range, base, places),
            Slots::Tiny(slots) => occupied(slots, range, base, places),
        }
    }

    fn held_bytes(&self) -> u64 {
        match self {
            Slots::Full(slots) => slots.held_bytes(),
            Slots::Short(slots) => slots.held_bytes(),
            Slots::Tiny(slots) => slots.held_bytes(),
        }
    }
}

/// What fills one part.
pub(super) struct Inserter<'t, const N: usize> {
    slotting: &'t Slotting<N>,
    part: &'t mut Part<N>,
    vectors: Vectors,
}

impl<const N: usize> Inserter<'_, N> {
    pub(super) fn insert_all(&mut self, keys: &[[u64; N]]) -> Result<(), Full> {
        let (slotting, vectors) = (self.slotting, self.vectors);
        let len = &mut self.part.len;
        match &mut self.part.slots {
            Slots::Full(slots) => insert(slots, keys, slotting.full(), len, slotting.most(), vectors),
            Slots::Short(slots) => insert(slots, keys, slotting.short(), len, slotting.most(), vectors),
            Slots::Tiny(slots) => insert(slots, keys, slotting.tiny(), len, slotting.most(), vectors),
        }
    }
}

fn insert<S: Slot, K>(
    slots: &mut [S],
    keys: &[K],
    slotted: Slotted<impl Fn(&K) -> (usize, S)>,
    len: &mut usize,
    most: usize,
    vectors: Vectors,
) -> Result<(), Full> {
    let insertion = Insertion {
        slots,
        keys,
        slotted,
        len,
        most,
    };
    insertion.run(vectors)
}

#[cfg(test)]
mod tests;
