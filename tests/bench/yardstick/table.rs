//! The exact hash tables: open addressing, linear probing, full keys, no deletion.
//!
//! The hash of a key is `key * FACTOR` modulo 2^64 and the home of a key is the hash scaled to the number of
//! slots, so the table is (but for probing) in the order of the hashes. Two things follow.
//!
//! - A table is copied into a larger one, or made again from its keys, front to back.
//! - The hash is linear: a move that adds `d` to the key adds `d * FACTOR` to the hash, whatever the
//!   position. If positions are expanded in the order of the table, the successors by one move walk through
//!   the next table front to back, and all moves together are a few dozen such walks, which caches like.

/// 2^64 divided by the golden ratio, odd.
const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;

/// Slots behind the last home, so that probing need not wrap around.
const SLACK: usize = 1 << 10;

/// How many keys ahead slots are fetched.
pub const AHEAD: usize = 40;

/// What a slot holds: a key, 0 where it is free, and perhaps more.
pub trait Slot: Copy {
    const FREE: Self;
    fn key(&self) -> u64;
}

impl Slot for u64 {
    const FREE: Self = 0;

    #[inline(always)]
    fn key(&self) -> u64 {
        *self
    }
}

/// A key with the values of both questions.
#[derive(Clone, Copy)]
pub struct Valued {
    pub key: u64,
    pub values: [u64; 2],
}

impl Slot for Valued {
    const FREE: Self = Valued {
        key: 0,
        values: [0; 2],
    };

    #[inline(always)]
    fn key(&self) -> u64 {
        self.key
    }
}

pub struct Table<S> {
    slots: Vec<S>,
    homes: u64,
    used: usize,
}

impl<S: Slot> Table<S> {
    pub fn new() -> Self {
        Table {
            slots: Vec::new(),
            homes: 0,
            used: 0,
        }
    }

    /// Empties the table and makes room for so many keys, `load` being the part of the slots they may take.
    pub fn reset(&mut self, keys: usize, load: f64) {
        self.homes = (keys as f64 / load) as u64 + 1;
        self.used = 0;
        self.slots.clear();
        let slots = self.homes as usize + SLACK;
        if self.slots.capacity() < slots {
            self.slots = Vec::new();
            self.slots.reserve_exact(slots);
            huge_pages(self.slots.as_mut_ptr(), slots);
        }
        self.slots.resize(slots, S::FREE);
    }

    pub fn len(&self) -> usize {
        self.used
    }

    /// The part of the slots that would be taken with so many more keys.
    pub fn load(&self, more: usize) -> f64 {
        (self.used + more) as f64 / self.homes as f64
    }

    /// The used slots in the order of the table.
    pub fn iter(&self) -> impl Iterator<Item = &S> {
        self.slots.iter().filter(|slot| slot.key() != 0)
    }

    #[inline(always)]
    fn home(&self, key: u64) -> usize {
        let hash = key.wrapping_mul(FACTOR);
        ((u128::from(hash) * u128::from(self.homes)) >> 64) as usize
    }

    #[inline(always)]
    pub fn insert(&mut self, slot: S) {
        let mut at = self.home(slot.key());
        loop {
            let there = self.slots[at].key();
            // Found and free end in the same way: one branch less to guess.
            if there == slot.key() || there == 0 {
                self.slots[at] = slot;
                self.used += usize::from(there == 0);
                return;
            }
            at += 1;
        }
    }

    /// The slot of a key that is in the table.
    #[inline(always)]
    pub fn get(&self, key: u64) -> &S {
        let mut at = self.home(key);
        while self.slots[at].key() != key {
            at += 1;
        }
        &self.slots[at]
    }

    /// Fetches the slot of a key into the cache.
    #[inline(always)]
    pub fn prefetch(&self, key: u64) {
        prefetch(self.slots.as_ptr().wrapping_add(self.home(key)));
    }
}

impl Table<u64> {
    /// Appends the keys in the order of the table.
    pub fn keys_into(&self, keys: &mut Vec<u64>) {
        keys.extend(self.iter());
    }

    /// Inserts all keys, fetching slots ahead; grows when the load would pass `most`.
    pub fn insert_all(&mut self, keys: &[u64], most: f64) {
        if self.load(keys.len()) > most {
            self.grow(keys.len(), most);
        }
        for (at, &key) in keys.iter().enumerate() {
            if let Some(&ahead) = keys.get(at + AHEAD) {
                self.prefetch(ahead);
            }
            self.insert(key);
        }
    }

    fn grow(&mut self, more: usize, most: f64) {
        let mut larger = Table::new();
        larger.reset((self.used + more) * 3 / 2, most);
        for &key in self.iter() {
            larger.insert(key);
        }
        *self = larger;
    }
}

#[inline(always)]
fn prefetch<T>(address: *const T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch reads nothing and is allowed at any address.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch(address.cast(), _MM_HINT_T0);
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = address;
}

/// Asks for large pages, where the system has them: fewer address translations miss.
pub fn huge_pages<T>(start: *mut T, count: usize) {
    #[cfg(target_os = "linux")]
    {
        unsafe extern "C" {
            fn madvise(address: *mut u8, length: usize, advice: i32) -> i32;
        }
        const MADV_HUGEPAGE: i32 = 14;
        const PAGE: usize = 4096;
        let first = (start as usize).next_multiple_of(PAGE);
        let end = start as usize + count * size_of::<T>();
        if end > first {
            // SAFETY: advice on whole pages of our own memory; a refusal changes nothing.
            unsafe { madvise(first as *mut u8, end - first, MADV_HUGEPAGE) };
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = (start, count);
}
