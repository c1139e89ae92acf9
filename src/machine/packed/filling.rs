//! A proof that states are boards that fill up: a product of small fields, each of which is set once.
//!
//! A field *fills up* if every edge either keeps it or gives it a constant code, in states in which the
//! field is proven to have its first code still. If every edge fills exactly one such field, the layer of a
//! state is the number of its filled fields; if the other bits of the key are the same in all states of a
//! layer, then the fields alone name the state. All of it is derived from the compiled edges and from what
//! the legality of a choice says about the bits of the key, over all keys that the codes allow.

use super::super::code::Code;
use super::{Bits, Choice, CompiledEdge, Machine, Packed, network_code};
use std::collections::BTreeSet;

/// Edges times fields that the proof may look at.
const WORK: usize = 4_000_000;
/// Bits of the widest field.
const MOST_BITS: usize = 8;

/// A game whose states are fields that fill up.
pub struct Filling {
    /// The fields.
    pub(crate) fields: Vec<Filled>,
    /// Per layer: the bits of the key outside of the fields that are one.
    pub(crate) rest: Vec<Bits>,
    /// Per choice and outcome: the field and the code that it gets, as positions; nothing if the choice is
    /// never legal.
    fills: Vec<Vec<Option<(usize, usize)>>>,
    /// When a key is terminal.
    pub(super) terminal: Code,
}

/// A field that fills up.
pub(crate) struct Filled {
    /// Its first bit.
    pub(crate) shift: usize,
    /// Its bits.
    pub(crate) width: usize,
    /// Its codes, the one before it is filled first.
    pub(crate) codes: Vec<u64>,
}

/// A part of a key, with the codes that it can have.
struct Field {
    shift: usize,
    width: usize,
    first: u64,
    domain: BTreeSet<u64>,
}

/// What an edge does to a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Effect {
    Keeps,
    /// From the first code to this one.
    Fills(u64),
    Other,
}

impl Filling {
    /// The proof for plays from a state with this key, or why there is none.
    pub fn new<const N: usize>(
        machine: &Machine,
        packed: &Packed,
        start: &[u64; N],
    ) -> Result<Filling, &'static str> {
        let places = packed.packing.places();
        let edges: usize = packed.choices.iter().map(Choice::outcomes).sum();
        if edges * places.len() > WORK || places.iter().any(|&(_, width)| width > MOST_BITS) {
            return Err("the game is too large to prove that its states fill up");
        }
        let mut fields: Vec<Field> = places
            .into_iter()
            .map(|(shift, width)| {
                let code = (0..width).fold(0, |code, bit| {
                    let at = shift + bit;
                    code | (start[at / 64] >> (at % 64) & 1) << bit
                });
                Field {
                    shift,
                    width,
                    first: code,
                    domain: [code].into(),
                }
            })
            .collect();
        while widen(packed, &mut fields) {}
        let growing: Vec<bool> = fields.iter().map(|field| grows(packed, &fields, field)).collect();
        let mut order = Vec::new();
        for (field, _) in fields.iter().zip(&growing).filter(|(_, grows)| **grows) {
            let others = field.domain.iter().copied().filter(|&code| code != field.first);
            order.push(Filled {
                shift: field.shift,
                width: field.width,
                codes: [field.first].into_iter().chain(others).collect(),
            });
        }
        if order.is_empty() {
            return Err("no part of the state fills up for good");
        }
        let fills = packed
            .choices
            .iter()
            .map(|choice| fills(choice, &fields, &order))
            .collect::<Result<Vec<_>, _>>()?;
        let rest = rest(packed, &fields, &growing, order.len())?;
        Ok(Filling {
            rest,
            fills,
            fields: order,
            terminal: network_code(machine.net(), &packed.packing, &[machine.net().terminal]),
        })
    }

    /// The field that an outcome of a choice fills, and the position of its new code.
    pub(crate) fn fill(&self, choice: usize, outcome: usize) -> Option<(usize, usize)> {
        self.fills[choice][outcome]
    }

    /// Whether a state is terminal whatever the fields have that `code` gives nothing for; only if that is
    /// evident gate by gate.
    pub(crate) fn is_terminal(&self, code: impl Fn(usize) -> Option<u64>) -> bool {
        let mut inputs = vec![MAYBE; self.terminal.first_gate()];
        inputs[0] = NO;
        for (number, field) in self.fields.iter().enumerate() {
            if let Some(code) = code(number) {
                for bit in 0..field.width {
                    inputs[1 + field.shift + bit] = if code >> bit & 1 == 1 { YES } else { NO };
                }
            }
        }
        certainty(&self.terminal, inputs) == YES
    }

    /// Whether the fields can have any of their codes after the first step already.
    pub fn is_free(&self, legal: impl Fn(usize) -> bool) -> bool {
        let mut found: BTreeSet<(usize, usize)> = BTreeSet::new();
        for (choice, fills) in self.fills.iter().enumerate() {
            if legal(choice) {
                found.extend(fills.iter().flatten());
            }
        }
        let codes: usize = self.fields.iter().map(|field| field.codes.len() - 1).sum();
        found.len() == codes
    }

    /// The keys that the fields allow.
    pub fn keys(&self) -> f64 {
        self.fields.iter().map(|field| field.codes.len() as f64).product()
    }
}

/// What a signal can be, as a set: bit 0 is "zero", bit 1 is "one".
const NO: u8 = 1;
const YES: u8 = 2;
const MAYBE: u8 = 3;

/// What the first output of the code can be, if the slots before the gates can be this.
fn certainty(code: &Code, mut slots: Vec<u8>) -> u8 {
    let value = |slots: &[u8], literal: crate::propnet::Lit| {
        let set = slots[literal.node()];
        match literal.is_inverted() {
            true => set >> 1 | (set & 1) << 1,
            false => set,
        }
    };
    for &(a, b) in &code.gates {
        let (a, b) = (value(&slots, a), value(&slots, b));
        slots.push((a | b) & NO | a & b & YES);
    }
    value(&slots, code.outputs[0])
}

/// Adds to the domains what one more step can lead to; tells whether something was new.
fn widen(packed: &Packed, fields: &mut [Field]) -> bool {
    let mut has_grown = false;
    for choice in &packed.choices {
        if !is_possible(choice, fields) {
            continue;
        }
        for field in fields.iter_mut() {
            let now: Vec<u64> = possible(choice, field).collect();
            for edge in &choice.edges {
                for &code in &now {
                    match after(edge, field, code) {
                        Some(next) => has_grown |= field.domain.insert(next),
                        None => (0..1 << field.width).for_each(|next| has_grown |= field.domain.insert(next)),
                    }
                }
            }
        }
    }
    has_grown
}

/// Whether the choice can be legal, as far as the domains tell.
fn is_possible(choice: &Choice, fields: &[Field]) -> bool {
    fields
        .iter()
        .all(|field| possible(choice, field).next().is_some())
}

/// The codes that the field can have when the choice is made.
fn possible(choice: &Choice, field: &Field) -> impl Iterator<Item = u64> {
    let fits = |code: &u64| {
        (0..field.width)
            .all(|bit| choice.known[field.shift + bit].is_none_or(|value| value == (code >> bit & 1 == 1)))
    };
    field.domain.iter().copied().filter(fits)
}

/// The code of the field after the edge; nothing if that depends on more than the code before.
fn after(edge: &CompiledEdge, field: &Field, code: u64) -> Option<u64> {
    (0..field.width).try_fold(0, |next, bit| {
        let at = field.shift + bit;
        let old = edge.keep.get(at) && code >> bit & 1 == 1;
        let is_open = edge.changes.contains(&(at as u32));
        (!is_open).then_some(next | u64::from(old || edge.set.get(at)) << bit)
    })
}

fn effect(choice: &Choice, edge: &CompiledEdge, field: &Field) -> Effect {
    let now: Vec<u64> = possible(choice, field).collect();
    if now.iter().all(|&code| after(edge, field, code) == Some(code)) {
        return Effect::Keeps;
    }
    match now[..] {
        [code] if code == field.first => after(edge, field, code).map_or(Effect::Other, Effect::Fills),
        _ => Effect::Other,
    }
}

/// Whether the field fills up.
fn grows(packed: &Packed, fields: &[Field], field: &Field) -> bool {
    let possible = packed.choices.iter().filter(|choice| is_possible(choice, fields));
    let mut effects = possible.flat_map(|choice| {
        let edges = choice.edges.iter();
        edges.map(move |edge| effect(choice, edge, field))
    });
    field.domain.len() > 1 && effects.all(|effect| effect != Effect::Other)
}

/// What the outcomes of a choice fill.
fn fills(
    choice: &Choice,
    fields: &[Field],
    order: &[Filled],
) -> Result<Vec<Option<(usize, usize)>>, &'static str> {
    if !is_possible(choice, fields) {
        return Ok(vec![None; choice.edges.len()]);
    }
    let mut all = Vec::new();
    for edge in &choice.edges {
        let mut filled = Vec::new();
        for (number, place) in order.iter().enumerate() {
            let field = fields
                .iter()
                .find(|field| field.shift == place.shift && field.width > 0);
            if let Some(Effect::Fills(code)) = field.map(|field| effect(choice, edge, field)) {
                let at = place.codes.iter().position(|&other| other == code);
                filled.push((number, at.unwrap_or_default()));
            }
        }
        match filled[..] {
            [only] => all.push(Some(only)),
            _ => return Err("not every step fills exactly one part of the state for good"),
        }
    }
    Ok(all)
}

/// Per layer, the bits outside of the growing fields; an error if states of a layer differ in them.
fn rest(
    packed: &Packed,
    fields: &[Field],
    growing: &[bool],
    steps: usize,
) -> Result<Vec<Bits>, &'static str> {
    let others: Vec<&Field> = fields
        .iter()
        .zip(growing)
        .filter(|(_, grows)| !**grows)
        .map(|(field, _)| field)
        .collect();
    let mut codes: Vec<u64> = others.iter().map(|field| field.first).collect();
    let mut layers = vec![bits(&others, &codes)];
    let possible_at = |choice: &&Choice, codes: &[u64]| {
        let mut fitting = others.iter().zip(codes);
        is_possible(choice, fields)
            && fitting.all(|(field, &code)| possible(choice, field).any(|other| other == code))
    };
    for _ in 0..steps {
        let choices = packed.choices.iter().filter(|choice| possible_at(choice, &codes));
        let mut next: Option<Vec<u64>> = None;
        for edge in choices.flat_map(|choice| &choice.edges) {
            let found: Option<Vec<u64>> = others
                .iter()
                .zip(&codes)
                .map(|(field, &code)| after(edge, field, code))
                .collect();
            let found = found.ok_or("what does not fill up depends on more than the number of steps")?;
            if next.as_ref().is_some_and(|next| *next != found) {
                return Err("what does not fill up differs after equally many steps");
            }
            next = Some(found);
        }
        let Some(next) = next else { break };
        codes = next;
        layers.push(bits(&others, &codes));
    }
    Ok(layers)
}

fn bits(fields: &[&Field], codes: &[u64]) -> Bits {
    let mut bits = Bits::zero(super::MAX_BITS);
    for (field, &code) in fields.iter().zip(codes) {
        (0..field.width)
            .filter(|bit| code >> bit & 1 == 1)
            .for_each(|bit| bits.set(field.shift + bit));
    }
    bits
}
