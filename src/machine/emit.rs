//! Writing down the successors of many states: those of the open lanes, one after the other.

use super::bits::Bits;
use super::lanes::{LANES, Lanes};
use super::vectors::Vectors;

/// The successors under one joint move.
pub(crate) struct Emission {
    /// Lanes of the states that have a successor, ascending: the first `count` of these.
    lanes: Vec<usize>,
    count: usize,
    /// Words of the successors, one successor after the other; `width` words each.
    words: Vec<u64>,
    width: usize,
}

/// How a successor comes from its state: `state & keep | set | changes`.
pub(crate) struct Change<'c> {
    pub(crate) keep: &'c Bits,
    pub(crate) set: &'c Bits,
    /// Fluents, and in which lanes they hold afterwards.
    pub(crate) fluents: &'c [u32],
    pub(crate) holds: &'c [Lanes],
}

impl Emission {
    /// Nothing, of so many words per state.
    pub(crate) fn new(width: usize) -> Emission {
        Emission {
            lanes: vec![0; LANES],
            count: 0,
            words: vec![0; LANES * width],
            width,
        }
    }

    /// Nothing again.
    pub(crate) fn clear(&mut self) {
        self.count = 0;
    }

    /// Lanes of the states that have a successor, ascending.
    pub(crate) fn lanes(&self) -> &[usize] {
        &self.lanes[..self.count]
    }

    /// Their successors' words.
    pub(crate) fn words(&self) -> &[u64] {
        &self.words[..self.count * self.width]
    }

    /// The successors of the open lanes; `states` has the words of all [`LANES`] states.
    pub(crate) fn emit(&mut self, states: &[u64], open: Lanes, change: &Change, vectors: Vectors) {
        #[cfg(target_arch = "x86_64")]
        if let (1, Vectors::Avx512) = (self.width, vectors) {
            // SAFETY: these vectors are only chosen if the processor has them.
            return unsafe { self.emit_words(states, open, change) };
        }
        let _ = vectors;
        self.list(open);
        let masks = || change.keep.words().iter().zip(change.set.words());
        let next = self.words.chunks_exact_mut(self.width);
        for (&lane, next) in self.lanes[..self.count].iter().zip(next) {
            let words = states[lane * self.width..].iter().zip(masks());
            next.iter_mut()
                .zip(words)
                .for_each(|(next, (word, (keep, set)))| *next = word & keep | set);
        }
        for (&fluent, &holds) in change.fluents.iter().zip(change.holds) {
            self.set(fluent as usize, holds.and(open), open);
        }
    }

    /// Successors of which nothing is known but in which lanes the fluents hold.
    pub(crate) fn emit_signals(&mut self, open: Lanes, holds: &[Lanes]) {
        self.list(open);
        self.words[..self.count * self.width].fill(0);
        for (fluent, &holds) in holds.iter().enumerate() {
            self.set(fluent, holds.and(open), open);
        }
    }

    fn list(&mut self, open: Lanes) {
        let mut count = 0;
        open.for_each(|lane| {
            self.lanes[count] = lane;
            count += 1;
        });
        self.count = count;
    }

    /// Sets a fluent in the successors of the lanes `holds`, which are among the lanes `open`. A lane's
    /// successor stands at the lane's rank among the open ones.
    fn set(&mut self, fluent: usize, holds: Lanes, open: Lanes) {
        let (width, word, bit) = (self.width, fluent / 64, 1 << (fluent % 64));
        let mut before = 0;
        for (&lanes, &open) in holds.0.iter().zip(&open.0) {
            let mut left = lanes;
            while left != 0 {
                let lower = (left & left.wrapping_neg()) - 1;
                let at = before + (open & lower).count_ones() as usize;
                self.words[at * width + word] |= bit;
                left &= left - 1;
            }
            before += open.count_ones() as usize;
        }
    }

    /// [`Emission::emit`] for states of one word: eight successors at a time are computed, whether their
    /// lanes are open or not, and the open ones are moved together.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f,popcnt")]
    fn emit_words(&mut self, states: &[u64], open: Lanes, change: &Change) {
        use std::arch::x86_64::*;
        assert!(states.len() == LANES && self.words.len() == LANES && self.lanes.len() == LANES);
        let keep = _mm512_set1_epi64(change.keep.words()[0] as i64);
        let set = _mm512_set1_epi64(change.set.words()[0] as i64);
        let eight = _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0);
        let mut count = 0;
        for word in (0..8).filter(|&word| open.0[word] != 0) {
            for byte in 0..8 {
                let lane = word * 64 + byte * 8;
                let byte_of = |lanes: &Lanes| (lanes.0[word] >> (byte * 8)) as u8;
                // SAFETY: `lane + 8 <= LANES`, and `states` has that many words.
                let state = unsafe { _mm512_loadu_si512(states.as_ptr().add(lane).cast()) };
                let mut next = _mm512_or_si512(_mm512_and_si512(state, keep), set);
                for (&fluent, holds) in change.fluents.iter().zip(change.holds) {
                    let bit = _mm512_set1_epi64(1 << fluent);
                    next = _mm512_mask_or_epi64(next, byte_of(holds), next, bit);
                }
                let open = byte_of(&open);
                let lanes = _mm512_add_epi64(eight, _mm512_set1_epi64(lane as i64));
                let next = _mm512_maskz_compress_epi64(open, next);
                let lanes = _mm512_maskz_compress_epi64(open, lanes);
                // Whole vectors are written, because compressing into memory is much slower; the next ones
                // overwrite what is too much.
                // SAFETY: no lane gave more than one successor, so `count <= lane`, and `lane + 8 <= LANES`,
                // which is the length of both. Here a `usize` has 64 bits.
                unsafe {
                    _mm512_storeu_si512(self.words.as_mut_ptr().add(count).cast(), next);
                    _mm512_storeu_si512(self.lanes.as_mut_ptr().add(count).cast(), lanes);
                }
                count += open.count_ones() as usize;
            }
        }
        self.count = count;
    }
}

#[cfg(test)]
mod tests {
    use super::{Change, Emission};
    use crate::machine::bits::Bits;
    use crate::machine::lanes::{LANES, Lanes};
    use crate::machine::vectors::Vectors;

    fn noise(seed: u64) -> impl Iterator<Item = u64> {
        let mut at = seed;
        std::iter::from_fn(move || {
            at = at
                .wrapping_mul(0x5851_f42d_4c95_7f2d)
                .wrapping_add(0x1405_7b7e_f767_814f);
            Some(at ^ at >> 29)
        })
    }

    fn bits(words: &mut impl Iterator<Item = u64>, width: usize) -> Bits {
        let mut bits = Bits::zero(width * 64);
        bits.words_mut().fill_with(|| words.next().unwrap_or(0));
        bits
    }

    #[test]
    fn all_vectors_emit_what_the_definition_says() {
        for (width, vectors) in [1, 2, 3]
            .into_iter()
            .flat_map(|width| [(width, Vectors::Portable), (width, Vectors::detect())])
        {
            let mut words = noise(width as u64);
            let mut emission = Emission::new(width);
            let states: Vec<u64> = words.by_ref().take(LANES * width).collect();
            for density in 0..12 {
                let mut lanes = || Lanes(std::array::from_fn(|_| words.next().unwrap_or(0)));
                // Lanes that are open ever more rarely, and then whole words that are not.
                let mut open = (0..density).fold(Lanes::ALL, |open, _| open.and(lanes()));
                open.0[density / 2] = if density % 2 == 0 { 0 } else { u64::MAX };
                let (fluents, holds) = ([3, 17, width as u32 * 64 - 1], [lanes(), lanes(), Lanes::ALL]);
                let (keep, set) = (bits(&mut words, width), bits(&mut words, width));
                let change = Change {
                    keep: &keep,
                    set: &set,
                    fluents: &fluents,
                    holds: &holds,
                };
                emission.emit(&states, open, &change, vectors);
                let expected: Vec<usize> = (0..LANES).filter(|&lane| open.get(lane)).collect();
                assert_eq!(emission.lanes(), expected);
                assert_eq!(emission.words().len(), expected.len() * width);
                for (&lane, next) in expected.iter().zip(emission.words().chunks(width)) {
                    let mut after = bits(&mut states[lane * width..].iter().copied(), width);
                    for (word, (keep, set)) in after
                        .words_mut()
                        .iter_mut()
                        .zip(keep.words().iter().zip(set.words()))
                    {
                        *word = *word & keep | set;
                    }
                    for (&fluent, holds) in fluents.iter().zip(&holds).filter(|(_, holds)| holds.get(lane)) {
                        let _ = holds;
                        after.set(fluent as usize);
                    }
                    assert_eq!(after.words(), next);
                }
            }
        }
    }
}
