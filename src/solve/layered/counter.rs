//! Counting per lane, by bit-slicing: how many moves chance has in each of 512 states.

use crate::machine::packed::Lanes;

/// A number per lane; plane `i` holds bit `i` of all of them.
#[derive(Default)]
pub(super) struct Counter {
    planes: Vec<Lanes>,
}

impl Counter {
    pub(super) fn clear(&mut self) {
        self.planes.clear();
    }

    /// Adds `amount` in these lanes.
    pub(super) fn add(&mut self, lanes: Lanes, amount: u64) {
        for bit in (0..64).filter(|bit| amount >> bit & 1 == 1) {
            let mut carry = lanes;
            let mut plane = bit;
            while !carry.is_empty() {
                if self.planes.len() <= plane {
                    self.planes.resize(plane + 1, Lanes::NONE);
                }
                let sum = self.planes[plane];
                self.planes[plane] = sum.xor(carry);
                carry = carry.and(sum);
                plane += 1;
            }
        }
    }

    /// Calls `visit` with every number that occurs in these lanes, and the lanes that have it.
    pub(super) fn each(&self, lanes: Lanes, mut visit: impl FnMut(u64, Lanes)) {
        self.descend(self.planes.len(), lanes, 0, &mut visit);
    }

    fn descend(&self, planes: usize, lanes: Lanes, value: u64, visit: &mut impl FnMut(u64, Lanes)) {
        if lanes.is_empty() {
            return;
        }
        let Some(plane) = planes.checked_sub(1) else {
            return visit(value, lanes);
        };
        self.descend(plane, lanes.and(self.planes[plane]), value | 1 << plane, visit);
        self.descend(plane, lanes.and_not(self.planes[plane]), value, visit);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_add_up_per_lane() {
        let mut counter = Counter::default();
        counter.add(Lanes::first(10), 3);
        counter.add(Lanes::first(5), 5);
        counter.add(Lanes::first(1), 120);
        let mut found = Vec::new();
        counter.each(Lanes::first(10), |number, lanes| {
            found.push((number, lanes.ones().collect::<Vec<_>>()));
        });
        assert_eq!(
            found,
            [(128, vec![0]), (8, vec![1, 2, 3, 4]), (3, vec![5, 6, 7, 8, 9])]
        );
    }
}
