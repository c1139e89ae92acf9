//! The states of a layer, as pairs of halves.
//!
//! The fields are cut into two halves, low and high. A *part* is one way to fill a half; parts are numbered by
//! how many of their fields are filled. Parts that make every state terminal are left out. So a layer is
//!
//! ```text
//! high part 0: all low parts with L - filled(0) filled fields | high part 1: all low parts with ... | ...
//! ```
//!
//! and a state's place in it is the start of its high part's run plus the rank of its low part.

use crate::machine::packed::Filling;
use std::ops::Range;

/// Most ways to fill a half.
const MOST_PARTS: usize = 1 << 18;

/// A half of the fields and all ways to fill it.
pub(super) struct Half {
    /// The fields, as positions in [`Filling::fields`].
    pub(super) fields: Range<usize>,
    /// Per part, the code of each field.
    codes: Vec<u64>,
    /// The parts with `n` filled fields are `first[n]..first[n + 1]`.
    first: Vec<usize>,
    /// Per field and code other than the first: for each part the one that has this field filled as well.
    next: Vec<Vec<Vec<u32>>>,
}

/// There is no such part.
pub(super) const NONE: u32 = u32::MAX;

/// The number of low fields, so that both halves have about as many parts, the low one rather more, because its
/// parts are evaluated together; nothing if there are too many.
pub(super) fn cut(filling: &Filling) -> Option<usize> {
    let sizes: Vec<usize> = filling.fields.iter().map(|field| field.codes.len()).collect();
    let product = |range: Range<usize>| {
        sizes[range]
            .iter()
            .try_fold(1usize, |all, &size| all.checked_mul(size))
    };
    let parts = |cut: usize| Some((product(0..cut)?, product(cut..sizes.len())?));
    let is_even = |&cut: &usize| parts(cut).is_some_and(|(low, high)| low >= high);
    let fits = |&cut: &usize| parts(cut).is_some_and(|(low, high)| low.max(high) <= MOST_PARTS);
    (0..=sizes.len()).find(is_even).filter(fits)
}

impl Half {
    /// The half with these fields.
    pub(super) fn new(filling: &Filling, fields: Range<usize>) -> Half {
        let sizes: Vec<usize> = filling.fields[fields.clone()]
            .iter()
            .map(|field| field.codes.len())
            .collect();
        // A way to fill is a number whose digit for a field is the position of its code.
        let mut powers = vec![1];
        sizes
            .iter()
            .for_each(|size| powers.push(powers[powers.len() - 1] * size));
        let count = powers[sizes.len()];
        let digit = |number: usize, field: usize| number / powers[field] % sizes[field];
        let code =
            |number: usize, field: usize| filling.fields[fields.start + field].codes[digit(number, field)];
        let filled = |number: usize| (0..sizes.len()).filter(|&field| digit(number, field) > 0).count();
        let is_open = |&number: &usize| {
            let half = fields.clone();
            !filling.is_terminal(|field| half.contains(&field).then(|| code(number, field - half.start)))
        };
        let mut order: Vec<usize> = (0..count).filter(is_open).collect();
        order.sort_by_cached_key(|&number| filled(number));
        let mut first = vec![0; sizes.len() + 2];
        let mut part_of = vec![NONE; count];
        for (part, &number) in order.iter().enumerate() {
            part_of[number] = part as u32;
            first[filled(number) + 1] = part + 1;
        }
        for at in 1..first.len() {
            first[at] = first[at].max(first[at - 1]);
        }
        let next = |field: usize, at: usize| -> Vec<u32> {
            let next = |&number: &usize| match digit(number, field) {
                0 => part_of[number + at * powers[field]],
                _ => NONE,
            };
            order.iter().map(next).collect()
        };
        Half {
            codes: order
                .iter()
                .flat_map(|&number| (0..sizes.len()).map(move |field| code(number, field)))
                .collect(),
            next: (0..sizes.len())
                .map(|field| (1..sizes[field]).map(|at| next(field, at)).collect())
                .collect(),
            first,
            fields,
        }
    }

    /// The code of a field, counted within the half, in a part.
    pub(super) fn code(&self, part: usize, field: usize) -> u64 {
        self.codes[part * self.fields.len() + field]
    }

    /// The parts with so many filled fields.
    pub(super) fn parts(&self, filled: usize) -> Range<usize> {
        match self.first.get(filled..filled + 2) {
            Some(&[start, end]) => start..end,
            _ => 0..0,
        }
    }

    /// For each part the one in which the field has the code at a position, too.
    pub(super) fn next(&self, field: usize, code: usize) -> &[u32] {
        &self.next[field - self.fields.start][code - 1]
    }
}

/// The bytes that a half with these fields takes at most, with the ranks of its parts.
pub(super) fn bytes(filling: &Filling, fields: Range<usize>) -> u64 {
    let sizes = filling.fields[fields]
        .iter()
        .map(|field| field.codes.len() as u64);
    let parts: u64 = sizes.clone().product();
    // Per part: its number, twice, and per field its code, and for each further one the next part and its rank.
    parts * (16 + sizes.map(|size| 8 + 8 * (size - 1)).sum::<u64>())
}

/// Where the runs of a layer begin.
pub(super) struct Layer {
    /// Filled fields.
    pub(super) number: usize,
    /// Per high part: the start of its run; the places of the layer are below the last one.
    starts: Vec<usize>,
}

impl Layer {
    pub(super) fn new(low: &Half, high: &Half, number: usize) -> Layer {
        let mut starts = vec![0];
        for filled in 0..=high.fields.len() {
            let run = number.checked_sub(filled).map_or(0, |rest| low.parts(rest).len());
            for _ in high.parts(filled) {
                starts.push(starts[starts.len() - 1] + run);
            }
        }
        Layer { number, starts }
    }

    /// Number of places.
    pub(super) fn len(&self) -> usize {
        self.starts[self.starts.len() - 1]
    }

    /// The places of a high part's run.
    pub(super) fn run(&self, high: usize) -> Range<usize> {
        self.starts[high]..self.starts[high + 1]
    }
}

/// For each part, the rank of its next one among those with equally many filled fields.
pub(super) fn ranks(half: &Half, next: &[u32]) -> Vec<u32> {
    let mut ranks = Vec::with_capacity(next.len());
    for filled in 0..=half.fields.len() {
        let first = half.parts(filled + 1).start as u32;
        for part in half.parts(filled) {
            ranks.push(match next[part] {
                NONE => NONE,
                next => next - first,
            });
        }
    }
    ranks
}
