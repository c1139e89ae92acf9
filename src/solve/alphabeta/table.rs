//! The table: facts about positions, of a size that is given, shared by threads that never wait.
//!
//! It forgets: where a bucket is full, the entry that took the least work makes room. What it still says is
//! exact: an entry tells which position it is about, never only a hash of it.
//!
//! ```text
//! short   effort | fact | remainder          one word; bucket and remainder are the key (see `Hash`)
//! long    effort | fact | busy, words of the key
//! ```
//!
//! Effort is not 0, so 0 is a free entry. A short entry is read and written as one atomic word. A long entry
//! is locked by its busy bit; who finds it locked goes without.

use super::super::layered::array::Array;
use super::super::layered::hash::{Hash, low_bits, remainder_bits};
use super::fact::{Fact, Notation};
use std::sync::atomic::{AtomicU64, Ordering};

/// Entries of a bucket: for short ones a cache line.
const BUCKET: usize = 8;
/// Bits of the effort, at the top of a word.
const EFFORT: u32 = 6;
/// Entries that are locked have this bit.
const BUSY: u64 = 1;

/// The size of a table, and what its entries look like.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    /// Bits of a key.
    pub(super) bits: usize,
    /// Words of a key.
    pub(super) words: usize,
    pub(super) buckets: usize,
    pub(super) notation: Notation,
}

impl Shape {
    fn is_short(&self) -> bool {
        let remainder = remainder_bits(self.bits, self.buckets as u64);
        self.bits < 128 && remainder + self.notation.bits() + EFFORT <= u64::BITS
    }

    /// Words of an entry.
    fn entry(&self) -> usize {
        match self.is_short() {
            true => 1,
            false => 1 + self.words,
        }
    }

    pub(super) fn entries(&self) -> u64 {
        (self.buckets * BUCKET) as u64
    }

    pub(super) fn bytes(&self) -> u64 {
        self.entries() * 8 * self.entry() as u64
    }

    /// The memory of a table.
    pub(super) fn allocate(&self) -> Option<Array<u64>> {
        Array::new(self.bytes() as usize / 8)
    }
}

/// A table in some memory, as threads share it.
pub(super) struct Table<'m, const N: usize> {
    shape: Shape,
    hash: Hash<N>,
    words: &'m [AtomicU64],
}

/// The number of nodes of a search, as the table remembers it.
fn effort(nodes: u64) -> u64 {
    u64::from(nodes.max(1).ilog2() + 1).min(low_bits(EFFORT))
}

impl<'m, const N: usize> Table<'m, N> {
    /// The table in memory of its shape.
    pub(super) fn new(shape: Shape, memory: &'m mut Array<u64>) -> Table<'m, N> {
        Table {
            shape,
            hash: Hash::new(shape.bits, shape.buckets as u64, 0),
            words: memory.atomic(),
        }
    }

    /// Fetches what [`Table::get`] and [`Table::put`] will look at.
    #[inline]
    pub(super) fn prefetch(&self, key: &[u64; N]) {
        let at = self.hash.home(key) * BUCKET * self.shape.entry();
        #[cfg(target_arch = "x86_64")]
        // SAFETY: prefetching has no effect on what the program computes, whatever the address.
        unsafe {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            _mm_prefetch::<_MM_HINT_T0>(self.words.as_ptr().wrapping_add(at).cast());
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = at;
    }

    /// What is known of a position.
    #[inline]
    pub(super) fn get(&self, key: &[u64; N]) -> Option<Fact> {
        match self.shape.is_short() {
            true => self.get_short(key),
            false => self.get_long(key),
        }
    }

    /// Notes a fact that took a search of so many nodes; tells whether the table holds one more than before.
    pub(super) fn put(&self, key: &[u64; N], fact: Fact, nodes: u64) -> bool {
        let noted = self.shape.notation.write(fact);
        self.put_noted(key, noted, effort(nodes))
    }

    fn put_noted(&self, key: &[u64; N], noted: u64, effort: u64) -> bool {
        match self.shape.is_short() {
            true => self.put_short(key, noted, effort),
            false => self.put_long(key, noted, effort),
        }
    }

    /// Takes over what another table holds.
    pub(super) fn fill_from(&self, other: &Table<'_, N>) {
        for (at, entry) in other.words.chunks_exact(other.shape.entry()).enumerate() {
            let first = entry[0].load(Ordering::Relaxed);
            if first == 0 {
                continue;
            }
            let effort = first >> (u64::BITS - EFFORT);
            let (key, noted) = match &entry[1..] {
                [] => {
                    let remainder = other.hash.remainder_bits();
                    let key = other.hash.join(at / BUCKET, first & low_bits(remainder));
                    (key, first >> remainder)
                }
                words => (load(words), first >> 1),
            };
            let noted = noted & low_bits(self.shape.notation.bits());
            self.put_noted(&key, noted, effort);
        }
    }

    fn bucket(&self, home: usize) -> &[AtomicU64] {
        let words = BUCKET * self.shape.entry();
        &self.words[home * words..][..words]
    }

    #[inline]
    fn get_short(&self, key: &[u64; N]) -> Option<Fact> {
        let (home, remainder) = self.hash.split(key);
        let bits = self.hash.remainder_bits();
        for entry in self.bucket(home) {
            let entry = entry.load(Ordering::Relaxed);
            if entry == 0 {
                return None;
            }
            if entry & low_bits(bits) == remainder {
                let noted = entry >> bits & low_bits(self.shape.notation.bits());
                return Some(self.shape.notation.read(noted));
            }
        }
        None
    }

    fn put_short(&self, key: &[u64; N], noted: u64, effort: u64) -> bool {
        let (home, remainder) = self.hash.split(key);
        let bits = self.hash.remainder_bits();
        let bucket = self.bucket(home);
        let (mut place, mut least) = (0, u64::MAX);
        for (at, entry) in bucket.iter().enumerate() {
            let entry = entry.load(Ordering::Relaxed);
            let is_same = entry & low_bits(bits) == remainder;
            let worth = match entry >> (u64::BITS - EFFORT) {
                _ if is_same => 0,
                effort => effort,
            };
            if worth < least {
                (place, least) = (at, worth);
            }
            if least == 0 {
                break;
            }
        }
        let entry = effort << (u64::BITS - EFFORT) | noted << bits | remainder;
        let before = bucket[place].swap(entry, Ordering::Relaxed);
        before == 0
    }

    fn get_long(&self, key: &[u64; N]) -> Option<Fact> {
        for entry in self.bucket(self.hash.home(key)).chunks_exact(1 + N) {
            if entry[0].load(Ordering::Relaxed) == 0 {
                return None;
            }
            let Some(first) = lock(&entry[0]) else {
                continue;
            };
            let is_same = load(&entry[1..]) == *key;
            entry[0].store(first, Ordering::Release);
            if is_same {
                let noted = first >> 1 & low_bits(self.shape.notation.bits());
                return Some(self.shape.notation.read(noted));
            }
        }
        None
    }

    fn put_long(&self, key: &[u64; N], noted: u64, effort: u64) -> bool {
        let bucket = self.bucket(self.hash.home(key));
        let (mut place, mut least) = (None, u64::MAX);
        for entry in bucket.chunks_exact(1 + N) {
            let Some(first) = lock(&entry[0]) else {
                continue;
            };
            let worth = match first >> (u64::BITS - EFFORT) {
                _ if load(&entry[1..]) == *key => 0,
                effort => effort,
            };
            entry[0].store(first, Ordering::Release);
            if worth < least {
                (place, least) = (Some(entry), worth);
            }
            if least == 0 {
                break;
            }
        }
        let Some((entry, before)) = place.and_then(|entry| Some((entry, lock(&entry[0])?))) else {
            return false;
        };
        for (word, &value) in entry[1..].iter().zip(key) {
            word.store(value, Ordering::Relaxed);
        }
        entry[0].store(effort << (u64::BITS - EFFORT) | noted << 1, Ordering::Release);
        before == 0
    }
}

/// Locks a long entry; gives its first word, or nothing if another thread has it.
fn lock(first: &AtomicU64) -> Option<u64> {
    let before = first.load(Ordering::Relaxed);
    let is_free = before & BUSY == 0;
    let locked = is_free
        && first
            .compare_exchange(before, before | BUSY, Ordering::Acquire, Ordering::Relaxed)
            .is_ok();
    locked.then_some(before)
}

fn load<const N: usize>(words: &[AtomicU64]) -> [u64; N] {
    std::array::from_fn(|word| words[word].load(Ordering::Relaxed))
}

#[cfg(test)]
mod tests {
    use super::super::fact::{Answer, Verdict};
    use super::*;

    fn shape(bits: usize, words: usize, buckets: usize) -> Shape {
        Shape {
            bits,
            words,
            buckets,
            notation: Notation::new(5, Some(20)),
        }
    }

    /// Keys of so many bits, as many as there are if those are fewer.
    fn key<const N: usize>(bits: usize, number: u64) -> [u64; N] {
        std::array::from_fn(|word| {
            let bits = bits.saturating_sub(64 * word).min(64) as u32;
            (number + 1)
                .wrapping_mul(0x9e37_79b9_7f4a_7c15)
                .rotate_left(word as u32)
                & low_bits(bits)
        })
    }

    /// A fact that tells which key it belongs to, as far as facts can.
    fn fact<const N: usize>(key: &[u64; N]) -> Fact {
        let mixed = key.iter().fold(7u64, |sum, &word| {
            (sum ^ word).wrapping_mul(0x2545_f491_4f6c_dd1d)
        });
        Fact {
            threshold: (mixed >> 40) as u8 % 5,
            verdict: Verdict {
                answer: [Answer::Reached, Answer::Missed][(mixed >> 50) as usize % 2],
                choices: (mixed >> 33) as u32 % 21,
            },
        }
    }

    /// What a table says about the first keys; how many it knows.
    fn check<const N: usize>(table: &Table<'_, N>, bits: usize, keys: u64) -> usize {
        let known = |number: &u64| {
            let key = key::<N>(bits, *number);
            let found = table.get(&key);
            assert!(
                found.is_none_or(|found| found == fact(&key)),
                "{bits} bits, {key:x?}"
            );
            found.is_some()
        };
        (0..keys).filter(known).count()
    }

    fn what_is_remembered_is_true<const N: usize>(bits: usize) {
        for (buckets, keys) in [(1, 1000), (64, 400), (100, 100_000)] {
            let shape = shape(bits, N, buckets);
            let mut memory = shape.allocate().expect("memory");
            let table = Table::<N>::new(shape, &mut memory);
            std::thread::scope(|scope| {
                for thread in 0..2 {
                    let table = &table;
                    scope.spawn(move || {
                        for number in 0..keys {
                            let key = key::<N>(bits, number);
                            table.put(&key, fact(&key), 1 + number % 1000);
                            check(table, bits, if number % 100 == thread { 50 } else { 0 });
                        }
                    });
                }
            });
            let known = check(&table, bits, keys);
            assert!(
                known * 3 >= shape.entries().min(keys) as usize,
                "{known} of {keys}, {bits} bits"
            );
            let larger = Shape {
                buckets: buckets * 2,
                ..shape
            };
            let mut more = larger.allocate().expect("memory");
            let grown = Table::<N>::new(larger, &mut more);
            grown.fill_from(&table);
            assert!(check(&grown, bits, keys) * 10 >= known * 9, "{bits} bits");
        }
    }

    #[test]
    fn what_is_remembered_is_true_for_keys_of_any_width() {
        for bits in [20, 33, 63] {
            what_is_remembered_is_true::<1>(bits);
        }
        for bits in [64, 66, 73, 127] {
            what_is_remembered_is_true::<2>(bits);
        }
        what_is_remembered_is_true::<4>(200);
    }
}
