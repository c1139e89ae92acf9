//! [`Cache`]: what is proven about residual formulas, in bounded memory.
//!
//! Keys are whole formulas (see [`super::key`]); a hash only says where to look. When the memory is used up,
//! entries that were of no use since the last time are dropped, and all of them if that is not enough:
//! a formula that was forgotten is evaluated again.

use super::interval::Interval;
use ahash::RandomState;
use hashbrown::HashMap;

struct Entry {
    interval: Interval,
    /// Whether it answered a question since entries were last dropped.
    is_useful: bool,
}

pub(super) struct Cache {
    entries: HashMap<Box<[u8]>, Entry, RandomState>,
    /// Estimate of the bytes of all entries.
    bytes: usize,
    /// More bytes than this are not kept.
    limit: usize,
}

impl Cache {
    pub fn new(limit: usize) -> Cache {
        Cache {
            entries: HashMap::default(),
            bytes: 0,
            limit,
        }
    }

    pub fn get(&mut self, key: &[u8]) -> Option<&Interval> {
        let entry = self.entries.get_mut(key)?;
        entry.is_useful = true;
        Some(&entry.interval)
    }

    /// Remembers what is proven, together with what was known.
    pub fn insert(&mut self, key: Box<[u8]>, interval: Interval) {
        if let Some(entry) = self.entries.get_mut(&key) {
            entry.interval = interval.and(&entry.interval);
            return;
        }
        let bytes = entry_bytes(&key, &interval);
        if self.bytes + bytes > self.limit {
            self.drop_some();
        }
        if self.bytes + bytes <= self.limit {
            self.bytes += bytes;
            let is_useful = false;
            self.entries.insert(key, Entry { interval, is_useful });
        }
    }

    fn drop_some(&mut self) {
        let mut bytes = 0;
        self.entries.retain(|key, entry| {
            let is_kept = std::mem::take(&mut entry.is_useful);
            bytes += if is_kept {
                entry_bytes(key, &entry.interval)
            } else {
                0
            };
            is_kept
        });
        self.bytes = bytes;
        if bytes > self.limit / 2 {
            self.clear();
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.entries.clear();
        self.bytes = 0;
    }

    pub fn len(&self) -> usize {
        self.entries.len()
    }

    pub fn bytes(&self) -> usize {
        self.bytes
    }
}

/// The key, its allocation, and at most 16/7 slots of the table.
fn entry_bytes(key: &[u8], interval: &Interval) -> usize {
    let slot = size_of::<(Box<[u8]>, Entry)>() + 1;
    key.len() + 16 + (slot * 16).div_ceil(7) + interval.heap_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fraction::Fraction;

    fn key(number: u32) -> Box<[u8]> {
        number.to_le_bytes().as_slice().into()
    }

    #[test]
    fn a_full_cache_keeps_what_was_useful() {
        let mut cache = Cache::new(10_000);
        cache.insert(key(0), Interval::one());
        let mut number = 1;
        while cache.bytes() + 200 <= 10_000 {
            cache.insert(key(number), Interval::zero());
            number += 1;
        }
        assert!(cache.get(&key(0)).is_some());
        let full = cache.len();
        cache.insert(key(number), Interval::zero());
        cache.insert(key(number + 1), Interval::zero());
        assert!(cache.len() < full && cache.bytes() <= 10_000);
        assert_eq!(cache.get(&key(0)), Some(&Interval::one()));
    }

    #[test]
    fn bounds_of_a_formula_are_put_together() {
        let half = Fraction::new(1, 2).unwrap();
        let mut cache = Cache::new(10_000);
        let (lower, upper) = (Fraction::whole(0), Fraction::whole(1));
        cache.insert(
            key(0),
            Interval {
                lo: half.clone(),
                hi: upper,
            },
        );
        cache.insert(
            key(0),
            Interval {
                lo: lower,
                hi: half.clone(),
            },
        );
        assert_eq!(cache.get(&key(0)), Some(&Interval::exactly(half)));
    }
}
