//! Probing: where a key stands in an array of slots, or where it may be put.
//!
//! How many slots one has to look at is a matter of chance, so a loop that looks at one after the other is guessed wrong
//! by the processor about once for each key. Where the processor has the vectors, several slots are therefore looked
//! at together, without a branch: a third less time for each key in the layers of S-TT 4x4.

use super::Full;
use crate::machine::packed::Vectors;
#[cfg(target_arch = "x86_64")]
use crate::machine::packed::Work;
#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::*;

/// How many inserts or look-ups ahead a slot is fetched.
const AHEAD: usize = 24;
/// Slots that can be looked at together, at most. Behind the last one where a probe may begin there are so many.
pub(super) const WIDEST: usize = 16;

/// What an array of slots is made of.
pub(super) trait Slot: Copy + PartialEq {
    const FREE: Self;
    /// Slots that [`Slot::meet`] looks at.
    const WIDTH: usize;

    /// The slot so many places further from its home.
    fn further(self, places: usize, displacement_at: u32) -> Self;

    /// Which of [`Slot::WIDTH`] slots are this one, if each is one place further from its home than the one before.
    ///
    /// # Safety
    ///
    /// There are so many slots, and the processor has AVX-512F.
    #[cfg(target_arch = "x86_64")]
    unsafe fn meet(slots: *const Self, slot: Self, displacement_at: u32) -> Met;
}

/// Bit `i` says something about the slot `i` places behind the first.
#[derive(Clone, Copy)]
pub(super) struct Met {
    same: u32,
    free: u32,
}

impl Slot for u64 {
    const FREE: Self = 0;
    const WIDTH: usize = 8;

    #[inline(always)]
    fn further(self, places: usize, displacement_at: u32) -> Self {
        self.wrapping_add((places as u64) << displacement_at)
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    unsafe fn meet(slots: *const Self, slot: Self, displacement_at: u32) -> Met {
        // SAFETY: the caller's.
        unsafe {
            let there = _mm512_loadu_epi64(slots.cast());
            let places = _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0);
            let further = _mm512_sll_epi64(places, _mm_cvtsi32_si128(displacement_at as i32));
            let wanted = _mm512_add_epi64(_mm512_set1_epi64(slot as i64), further);
            Met {
                same: _mm512_cmpeq_epi64_mask(there, wanted).into(),
                free: _mm512_testn_epi64_mask(there, there).into(),
            }
        }
    }
}

impl Slot for u32 {
    const FREE: Self = 0;
    const WIDTH: usize = 16;

    #[inline(always)]
    fn further(self, places: usize, displacement_at: u32) -> Self {
        self.wrapping_add((places as u32) << displacement_at)
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    unsafe fn meet(slots: *const Self, slot: Self, displacement_at: u32) -> Met {
        // SAFETY: the caller's.
        unsafe {
            let there = _mm512_loadu_epi32(slots.cast());
            let places = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
            let further = _mm512_sll_epi32(places, _mm_cvtsi32_si128(displacement_at as i32));
            let wanted = _mm512_add_epi32(_mm512_set1_epi32(slot as i32), further);
            Met {
                same: _mm512_cmpeq_epi32_mask(there, wanted).into(),
                free: _mm512_testn_epi32_mask(there, there).into(),
            }
        }
    }
}

impl<const N: usize> Slot for [u64; N] {
    const FREE: Self = [0; N];
    const WIDTH: usize = if N == 1 { 8 } else { 1 };

    #[inline(always)]
    fn further(self, _: usize, _: u32) -> Self {
        self
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    unsafe fn meet(slots: *const Self, slot: Self, _: u32) -> Met {
        // SAFETY: the caller's.
        unsafe {
            if N > 1 {
                return Met::one(*slots, slot);
            }
            let there = _mm512_loadu_epi64(slots.cast());
            let wanted = _mm512_set1_epi64(slot[0] as i64);
            Met {
                same: _mm512_cmpeq_epi64_mask(there, wanted).into(),
                free: _mm512_testn_epi64_mask(there, there).into(),
            }
        }
    }
}

impl Met {
    #[inline(always)]
    fn one<S: Slot>(there: S, slot: S) -> Met {
        Met {
            same: (there == slot).into(),
            free: (there == S::FREE).into(),
        }
    }
}

/// How slots are looked at.
trait Look {
    fn width<S: Slot>() -> usize;
    /// As [`Slot::meet`], for the slots from `at` on.
    fn meet<S: Slot>(slots: &[S], at: usize, slot: S, displacement_at: u32) -> Met;
}

/// One by one.
struct Single;
/// As many as there are in a vector. Only to be used where the processor has AVX-512F.
#[cfg(target_arch = "x86_64")]
struct Together;

impl Look for Single {
    #[inline(always)]
    fn width<S: Slot>() -> usize {
        1
    }

    #[inline(always)]
    fn meet<S: Slot>(slots: &[S], at: usize, slot: S, _: u32) -> Met {
        Met::one(slots[at], slot)
    }
}

#[cfg(target_arch = "x86_64")]
impl Look for Together {
    #[inline(always)]
    fn width<S: Slot>() -> usize {
        S::WIDTH
    }

    #[inline(always)]
    fn meet<S: Slot>(slots: &[S], at: usize, slot: S, displacement_at: u32) -> Met {
        let slots = &slots[at..at + S::WIDTH];
        // SAFETY: there are so many, and only functions for these vectors look in this way.
        unsafe { S::meet(slots.as_ptr(), slot, displacement_at) }
    }
}

/// Slots of keys, and where the part of a slot that tells its distance from home begins.
pub(super) struct Slotted<F> {
    /// Home and slot of a key.
    pub(super) slot_of: F,
    pub(super) displacement_at: u32,
    /// A key stands fewer places than this from its home: a multiple of what is looked at together.
    pub(super) reach: usize,
}

/// Keys to be inserted into one part.
pub(super) struct Insertion<'w, S, K, F> {
    pub(super) slots: &'w mut [S],
    pub(super) keys: &'w [K],
    pub(super) slotted: Slotted<F>,
    /// How many keys there are, and how many there may be.
    pub(super) len: &'w mut usize,
    pub(super) most: usize,
}

impl<S: Slot, K, F: Fn(&K) -> (usize, S)> Insertion<'_, S, K, F> {
    /// Inserts the keys that are not there yet.
    pub(super) fn run(self, vectors: Vectors) -> Result<(), Full> {
        match vectors {
            #[cfg(target_arch = "x86_64")]
            Vectors::Avx512 => vectors.run(InsertTogether(self)),
            _ => insert_all::<Single, S, K, F>(self),
        }
    }
}

#[cfg(target_arch = "x86_64")]
struct InsertTogether<'w, S, K, F>(Insertion<'w, S, K, F>);

#[cfg(target_arch = "x86_64")]
impl<S: Slot, K, F: Fn(&K) -> (usize, S)> Work for InsertTogether<'_, S, K, F> {
    type Output = Result<(), Full>;

    #[inline(always)]
    fn run(self) -> Self::Output {
        insert_all::<Together, S, K, F>(self.0)
    }
}

#[inline(always)]
fn insert_all<L: Look, S: Slot, K, F: Fn(&K) -> (usize, S)>(
    insertion: Insertion<'_, S, K, F>,
) -> Result<(), Full> {
    let Insertion {
        slots,
        keys,
        slotted,
        len,
        most,
    } = insertion;
    let mut ready = [(0usize, S::FREE); AHEAD];
    for at in 0..keys.len() + AHEAD {
        if at >= AHEAD {
            let (home, slot) = ready[at % AHEAD];
            *len += usize::from(insert::<L, S, F>(slots, home, slot, &slotted)?);
            if *len > most {
                return Err(Full);
            }
        }
        if let Some(key) = keys.get(at) {
            ready[at % AHEAD] = (slotted.slot_of)(key);
            fetch(slots, ready[at % AHEAD].0);
        }
    }
    Ok(())
}

/// Tells whether the key is new.
#[inline(always)]
fn insert<L: Look, S: Slot, F>(
    slots: &mut [S],
    home: usize,
    mut slot: S,
    slotted: &Slotted<F>,
) -> Result<bool, Full> {
    let displacement_at = slotted.displacement_at;
    let end = (slots.len() - WIDEST).min(home + slotted.reach);
    let mut at = home;
    while at < end {
        let met = L::meet(slots, at, slot, displacement_at);
        if met.same | met.free != 0 {
            // Found and free end in the same way: nothing to guess.
            let places = (met.same | met.free).trailing_zeros() as usize;
            slots[at + places] = slot.further(places, displacement_at);
            return Ok(met.free >> places & 1 == 1);
        }
        at += L::width::<S>();
        slot = slot.further(L::width::<S>(), displacement_at);
    }
    Err(Full)
}

/// Keys to be found in the parts of a table; all of them are there.
pub(super) struct Finding<'w, S, K, F, P> {
    pub(super) parts: &'w [&'w [S]],
    pub(super) keys: &'w [K],
    pub(super) slotted: Slotted<F>,
    /// Before, the parts that the keys belong to; afterwards their places.
    pub(super) places: &'w mut [u32],
    /// Is told every place.
    pub(super) found: P,
}

impl<S: Slot, K, F: Fn(&K) -> (usize, S), P: Fn(usize)> Finding<'_, S, K, F, P> {
    /// Finds the keys.
    pub(super) fn run(self, vectors: Vectors) {
        match vectors {
            #[cfg(target_arch = "x86_64")]
            Vectors::Avx512 => vectors.run(FindTogether(self)),
            _ => find_all::<Single, S, K, F, P>(self),
        }
    }
}

#[cfg(target_arch = "x86_64")]
struct FindTogether<'w, S, K, F, P>(Finding<'w, S, K, F, P>);

#[cfg(target_arch = "x86_64")]
impl<S: Slot, K, F: Fn(&K) -> (usize, S), P: Fn(usize)> Work for FindTogether<'_, S, K, F, P> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        find_all::<Together, S, K, F, P>(self.0);
    }
}

#[inline(always)]
fn find_all<L: Look, S: Slot, K, F: Fn(&K) -> (usize, S), P: Fn(usize)>(finding: Finding<'_, S, K, F, P>) {
    let Finding {
        parts,
        keys,
        slotted,
        places,
        found,
    } = finding;
    let part_slots = parts[0].len();
    let mut ready = [(0usize, S::FREE); AHEAD];
    for at in 0..keys.len() + AHEAD {
        if at >= AHEAD {
            let part = places[at - AHEAD] as usize;
            let (home, slot) = ready[at % AHEAD];
            let place = part * part_slots + find::<L, S>(parts[part], home, slot, slotted.displacement_at);
            found(place);
            places[at - AHEAD] = place as u32;
        }
        if let Some(key) = keys.get(at) {
            ready[at % AHEAD] = (slotted.slot_of)(key);
            fetch(parts[places[at] as usize], ready[at % AHEAD].0);
        }
    }
}

#[inline(always)]
fn find<L: Look, S: Slot>(slots: &[S], home: usize, mut slot: S, displacement_at: u32) -> usize {
    let mut at = home;
    loop {
        let met = L::meet(slots, at, slot, displacement_at);
        if met.same != 0 {
            return at + met.same.trailing_zeros() as usize;
        }
        at += L::width::<S>();
        slot = slot.further(L::width::<S>(), displacement_at);
    }
}

/// Fetches the slots that are looked at together from this one on: they lie on one cache line or two.
#[inline(always)]
fn fetch<S: Slot>(slots: &[S], at: usize) {
    prefetch(slots, at);
    prefetch(slots, at + S::WIDTH - 1);
}

#[inline(always)]
pub(super) fn prefetch<T>(slots: &[T], at: usize) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: prefetching has no effect on what the program computes, whatever the address.
    unsafe {
        _mm_prefetch::<{ _MM_HINT_T0 }>(slots.as_ptr().wrapping_add(at).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (slots, at);
}

/// Appends the numbers of the slots of a range that are not free, plus `base`.
#[inline]
pub(super) fn occupied<S: Slot>(
    slots: &[S],
    range: std::ops::Range<usize>,
    base: usize,
    places: &mut Vec<u32>,
) {
    let start = places.len();
    places.resize(start + range.len(), 0);
    let mut count = start;
    // Whether a slot is free cannot be guessed, so every number is written, and stays where its slot is not free.
    for at in range {
        places[count] = (base + at) as u32;
        count += usize::from(slots[at] != S::FREE);
    }
    places.truncate(count);
}
