//! Where each part of a state lies in a packed key, and what the key's bits say about fluents.
//!
//! ```text
//! group of n exclusive fluents   ⌈log2(n + 1)⌉ bits, code 0 is "none of them";
//!                                ⌈log2 n⌉ bits if exactly one always holds
//! any other fluent               1 bit
//! constant fluent                0 bits
//! ```
//!
//! The code of a group with two fluents and "none" is one bit per fluent, so boards need no decoding.

use super::super::bits::Bits;
use super::super::groups::Group;
use crate::propnet::{Aig, Lit};

/// The layout of a key.
#[derive(Clone, Debug)]
pub(crate) struct Packing {
    fields: Vec<Field>,
    bits: usize,
    /// Per fluent: the value it has in every state that is packed.
    constants: Vec<Option<bool>>,
}

#[derive(Clone, Debug)]
struct Field {
    /// Code `i + first_code` is this fluent.
    fluents: Vec<usize>,
    /// 1 if the code 0 stands for "none".
    first_code: u64,
    shift: usize,
    width: usize,
    /// Per member, the bits, with their values, that tell its code from all other codes in use. Unused codes never
    /// occur, so fewer bits than the whole code often do.
    tests: Vec<Vec<(usize, bool)>>,
}

impl Packing {
    /// The layout for these proven groups, without the fluents that are constant.
    pub(super) fn new(groups: &[&Group], constants: Vec<Option<bool>>) -> Packing {
        let mut grouped = vec![false; constants.len()];
        let mut members: Vec<(Vec<usize>, u64)> = Vec::new();
        for group in groups {
            let changing: Vec<usize> = group
                .fluents
                .iter()
                .copied()
                .filter(|&fluent| constants[fluent].is_none())
                .collect();
            changing.iter().for_each(|&fluent| grouped[fluent] = true);
            if !changing.is_empty() {
                members.push((changing, u64::from(!group.exactly_one)));
            }
        }
        let single = |fluent: &usize| constants[*fluent].is_none() && !grouped[*fluent];
        members.extend(
            (0..constants.len())
                .filter(single)
                .map(|fluent| (vec![fluent], 1)),
        );
        let mut bits = 0;
        let fields = members.into_iter().map(|(fluents, first_code)| {
            let field = Field::new(fluents, first_code, bits);
            bits += field.width;
            field
        });
        let fields = fields.collect();
        Packing {
            fields,
            bits,
            constants,
        }
    }

    /// Bits of a key.
    pub(crate) fn bits(&self) -> usize {
        self.bits
    }

    /// The first bit and the number of bits of each part of a key.
    pub(super) fn places(&self) -> Vec<(usize, usize)> {
        self.fields
            .iter()
            .map(|field| (field.shift, field.width))
            .collect()
    }

    pub(super) fn constants(&self) -> &[Option<bool>] {
        &self.constants
    }

    /// Each fluent as a function of the key, whose bits are the literals `bits`.
    pub(super) fn decode(&self, aig: &mut Aig, bits: &[Lit]) -> Vec<Lit> {
        let mut fluents: Vec<Lit> = self
            .constants
            .iter()
            .map(|value| Lit::constant(value.unwrap_or(false)))
            .collect();
        for field in &self.fields {
            for (member, &fluent) in field.fluents.iter().enumerate() {
                let tests = &field.tests[member];
                let literals = tests
                    .iter()
                    .map(|&(bit, value)| bits[field.shift + bit].inverted_if(!value));
                fluents[fluent] = aig.and_all(literals.collect());
            }
        }
        fluents
    }

    /// The bits of the key in which the fluents are these functions.
    pub(super) fn encode(&self, aig: &mut Aig, fluents: &[Lit]) -> Vec<Lit> {
        let mut bits = Vec::with_capacity(self.bits);
        for field in &self.fields {
            for bit in 0..field.width {
                let coded = field.fluents.iter().enumerate();
                let holding = coded.filter(|&(member, _)| field.code(member) >> bit & 1 == 1);
                bits.push(aig.or_all(holding.map(|(_, &fluent)| fluents[fluent]).collect()));
            }
        }
        bits
    }

    /// The key of a state; nothing if it is none of the states that this layout is for.
    pub(crate) fn pack<const N: usize>(&self, state: &Bits) -> Option<[u64; N]> {
        let mut key = [0; N];
        let is_other =
            |(fluent, value): (usize, &Option<bool>)| value.is_some_and(|value| state.get(fluent) != value);
        if self.constants.iter().enumerate().any(is_other) {
            return None;
        }
        for field in &self.fields {
            let mut holding = (0..field.fluents.len()).filter(|&member| state.get(field.fluents[member]));
            let code = match (holding.next(), holding.next()) {
                (Some(member), None) => field.code(member),
                (None, _) if field.first_code == 1 => 0,
                _ => return None,
            };
            for bit in (0..field.width).filter(|bit| code >> bit & 1 == 1) {
                key[(field.shift + bit) / 64] |= 1 << ((field.shift + bit) % 64);
            }
        }
        Some(key)
    }

    /// The bits of the image of a key under a permutation of fluents that maps groups to groups, as functions of
    /// the key's bits; nothing if it does not.
    pub(super) fn image_gates(&self, aig: &mut Aig, permutation: &[u32]) -> Option<Vec<Lit>> {
        self.images(permutation)?;
        let bits: Vec<Lit> = (0..self.bits).map(|bit| aig.input(bit)).collect();
        let fluents = self.decode(aig, &bits);
        let mut moved = fluents.clone();
        for (&to, &literal) in permutation.iter().zip(&fluents) {
            moved[to as usize] = literal;
        }
        Some(self.encode(aig, &moved))
    }

    /// The image of every code of every field under a permutation of fluents that maps groups to groups,
    /// as (bits of the code, bits of the image); nothing if it does not.
    pub(super) fn images(&self, fluents: &[u32]) -> Option<Vec<FieldImage>> {
        let keeps_constants = |(fluent, value): (usize, &Option<bool>)| {
            self.constants.get(fluents[fluent] as usize) == Some(value)
        };
        if !self.constants.iter().enumerate().all(keeps_constants) {
            return None;
        }
        self.fields
            .iter()
            .map(|field| self.image(field, fluents))
            .collect()
    }

    fn image(&self, field: &Field, fluents: &[u32]) -> Option<FieldImage> {
        let first = fluents[*field.fluents.first()?] as usize;
        let target = self
            .fields
            .iter()
            .find(|target| target.fluents.contains(&first))?;
        if target.fluents.len() != field.fluents.len() || target.first_code != field.first_code {
            return None;
        }
        let mut codes = vec![0; 1 << field.width];
        for (member, &fluent) in field.fluents.iter().enumerate() {
            let at = target
                .fluents
                .iter()
                .position(|&other| other == fluents[fluent] as usize)?;
            codes[field.code(member) as usize] = target.code(at);
        }
        Some(FieldImage {
            shift: field.shift,
            width: field.width,
            target: target.shift,
            codes,
        })
    }
}

/// Where a field goes under a symmetry.
pub(super) struct FieldImage {
    pub(super) shift: usize,
    pub(super) width: usize,
    pub(super) target: usize,
    /// The code in the target field, by code.
    pub(super) codes: Vec<u64>,
}

impl Field {
    fn new(fluents: Vec<usize>, first_code: u64, shift: usize) -> Field {
        let codes = fluents.len() as u64 + first_code;
        let width = (u64::BITS - (codes - 1).leading_zeros()) as usize;
        Field {
            tests: (first_code..codes)
                .map(|code| tests(code, codes, width))
                .collect(),
            width,
            fluents,
            first_code,
            shift,
        }
    }

    fn code(&self, member: usize) -> u64 {
        member as u64 + self.first_code
    }
}

/// Bits that tell a code from all others below `codes`.
fn tests(mine: u64, codes: u64, width: usize) -> Vec<(usize, bool)> {
    let mut mask: u64 = (1 << width) - 1;
    // Zero bits first: what is left are the ones, and a one is a fluent of its own.
    let order = (0..width).filter(|bit| mine >> bit & 1 == 0);
    for bit in order.chain((0..width).filter(|bit| mine >> bit & 1 == 1)) {
        let without = mask & !(1 << bit);
        let mut others = (0..codes).filter(|&code| code != mine);
        if others.all(|other| (other ^ mine) & without != 0) {
            mask = without;
        }
    }
    let tested = (0..width).filter(|bit| mask >> bit & 1 == 1);
    tested.map(|bit| (bit, mine >> bit & 1 == 1)).collect()
}
