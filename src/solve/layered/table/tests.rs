use super::*;
use std::collections::BTreeSet;

/// Keys of so many bits, some of them close to each other.
fn keys<const N: usize>(bits: usize, count: usize) -> Vec<[u64; N]> {
    let mut seed = 7u64;
    let mut next = || {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        seed ^ seed >> 31
    };
    let cut = |word: usize, value: u64| value & low_bits((bits.saturating_sub(64 * word)).min(64) as u32);
    let mut keys = Vec::new();
    while keys.len() < count {
        let key: [u64; N] = std::array::from_fn(|word| cut(word, next()));
        keys.push(key);
        keys.push(std::array::from_fn(|word| cut(word, key[word] ^ 1)));
    }
    keys
}

fn check<const N: usize>(bits: usize, count: usize, parts: usize, attempt: usize) {
    let keys = keys::<N>(bits, count);
    let shape = Shape {
        bits,
        keys: count,
        parts,
        attempt,
    };
    let mut table = Table::<N>::new(shape).expect("memory");
    for round in 0..2 {
        for (number, mut inserter) in table.inserters().into_iter().enumerate() {
            let mine = |key: &&[u64; N]| part_of(inserter.slotting.hash.of(key), parts) == number;
            let mine: Vec<[u64; N]> = keys.iter().filter(mine).copied().collect();
            assert_eq!(inserter.insert_all(&mine), Ok(()), "{shape:?} {round}");
        }
    }
    let (mut found, mut places) = (Vec::new(), Vec::new());
    table.collect(0, table.slots(), &mut found, &mut places);
    let set: BTreeSet<[u64; N]> = keys.iter().copied().collect();
    assert_eq!(found.iter().copied().collect::<BTreeSet<_>>(), set, "{shape:?}");
    assert_eq!((found.len(), table.len()), (set.len(), set.len()));
    let mut again = Vec::new();
    table.places::<u8>(&found, &[], &mut again);
    assert_eq!(again, places, "{shape:?}");
    assert_eq!(table.held_bytes(), shape.bytes::<N>());
}

#[test]
fn what_goes_in_comes_out_with_its_place() {
    for parts in [1, 2, 3] {
        for count in [1, 100, 5000] {
            for attempt in [0, 1, 2] {
                check::<1>(14, count, parts, attempt);
                check::<1>(23, count, parts, attempt);
                check::<1>(39, count, parts, attempt);
                check::<1>(63, count, parts, attempt);
                check::<2>(64, count, parts, attempt);
                check::<2>(65, count, parts, attempt);
                check::<2>(73, count, parts, attempt);
                check::<2>(127, count, parts, attempt);
                check::<4>(200, count, parts, attempt);
            }
        }
    }
    check::<2>(70, 400_000, 2, 0);
    check::<1>(33, 400_000, 2, 0);
    check::<1>(3, 8, 1, 0);
}

#[test]
fn a_table_that_is_too_small_says_so() {
    let shape = Shape {
        bits: 40,
        keys: 100,
        parts: 1,
        attempt: 0,
    };
    let mut table = Table::<1>::new(shape).expect("memory");
    assert_eq!(table.inserters()[0].insert_all(&keys(40, 1000)), Err(Full));
}
