//! The way back: values of a layer from the values of the next one.
//!
//! Question 0 is whether x wins, question 1 whether o wins. A value is a numerator over the denominator of its
//! layer and question. Positions are handled in blocks: expand, look up all successors and add them to the
//! sums they belong to, then write the positions' own values, in the order of the new table.

use super::board::Board;
use super::connect::{BLOCK, Connect, Layer};
use super::table::{AHEAD, Table, Valued};
use super::{Chance, fraction};

/// The part of the slots that may be taken.
const LOAD: f64 = 0.6;

/// A successor to look up.
#[derive(Clone, Copy, Default)]
struct Edge {
    key: u64,
    /// The sum it goes into.
    sum: u32,
    /// Its colour.
    colour: u32,
}

pub fn evaluate<const W: usize, const H: usize, const K: usize, const STOCHASTIC: bool>(
    chance: Chance,
    mut layers: Vec<Layer>,
) -> [(u128, u128); 2] {
    let (mut next, mut own) = (Table::<Valued>::new(), Table::<Valued>::new());
    let mut unit = [1; 2];
    let mut edges = vec![Edge::default(); 2 * W * BLOCK];
    while let Some(Layer { keys, free }) = layers.pop() {
        let step = Step::<W, H, K, STOCHASTIC> {
            depth: layers.len(),
            chance,
            unit,
            common: common_multiple(free),
        };
        own.reset(keys.len(), LOAD);
        for block in keys.chunks(BLOCK) {
            step.block(block, &mut edges, &next, &mut own);
        }
        for (question, unit) in unit.iter_mut().enumerate() {
            *unit = unit.checked_mul(step.factor(question)).expect("denominators fit");
        }
        std::mem::swap(&mut next, &mut own);
    }
    let root = next.get(Board::<W, H, K>::BOTTOM).values;
    [0, 1].map(|question| fraction(root[question], unit[question]))
}

/// The least common multiple of the numbers whose bits are set.
fn common_multiple(numbers: u32) -> u64 {
    let numbers = (1..32).filter(|number| numbers >> number & 1 == 1);
    numbers.fold(1, |multiple, number| {
        multiple / super::divisor(multiple, number) * number
    })
}

/// What is the same for all positions of a layer.
struct Step<const W: usize, const H: usize, const K: usize, const STOCHASTIC: bool> {
    depth: usize,
    chance: Chance,
    /// The next layer's denominators: the numerators of a certain win.
    unit: [u64; 2],
    /// A multiple of all numbers of moves.
    common: u64,
}

impl<const W: usize, const H: usize, const K: usize, const STOCHASTIC: bool> Step<W, H, K, STOCHASTIC> {
    /// Sums per position: one per column, or one.
    const SUMS: usize = if STOCHASTIC { W } else { 1 };

    fn mover(&self) -> usize {
        self.depth % 2
    }

    /// This layer's denominator divided by the next one's.
    fn factor(&self, question: usize) -> u64 {
        if STOCHASTIC {
            self.chance.total
        } else if question == self.mover() {
            1
        } else {
            self.common
        }
    }

    fn block(&self, keys: &[u64], edges: &mut [Edge], next: &Table<Valued>, own: &mut Table<Valued>) {
        if self.mover() == 0 {
            self.block_of::<0>(keys, edges, next, own);
        } else {
            self.block_of::<1>(keys, edges, next, own);
        }
    }

    fn block_of<const MOVER: usize>(
        &self,
        keys: &[u64],
        edges: &mut [Edge],
        next: &Table<Valued>,
        own: &mut Table<Valued>,
    ) {
        let last = self.depth + 1 == Board::<W, H, K>::CELLS;
        let other = 1 - MOVER;
        let mut sums = [[[0; 2]; W]; BLOCK];
        let mut free = [0; BLOCK];
        let mut filled = 0;
        let weights = [self.chance.own, self.chance.total - self.chance.own];
        for (at, &key) in keys.iter().enumerate() {
            let position = Board::<W, H, K>::decode(key);
            let open = Connect::<W, H, K, STOCHASTIC>::open(self.depth, position);
            if !STOCHASTIC {
                free[at] = position.landing.count_ones();
                let wins = open[MOVER] != position.landing;
                sums[at][0][MOVER] = if wins { self.unit[MOVER] } else { 0 };
            }
            for (column, sum) in sums[at].iter_mut().enumerate() {
                let cell = position.landing & Board::<W, H, K>::column(column);
                if STOCHASTIC {
                    let wins = |colour: usize| cell & !open[colour] != 0;
                    sum[MOVER] = if wins(MOVER) {
                        weights[0] * self.unit[MOVER]
                    } else {
                        0
                    };
                    sum[other] = if wins(other) {
                        weights[1] * self.unit[other]
                    } else {
                        0
                    };
                    // Not a move: the least it could be, and the most for the question that is minimised.
                    sum[other] = if cell == 0 { u64::MAX } else { sum[other] };
                }
                for (colour, open) in open.into_iter().enumerate() {
                    if STOCHASTIC || colour == MOVER {
                        let cell = cell & open;
                        edges[filled] = Edge {
                            key: key + (cell << (1 - colour)),
                            sum: (at * Self::SUMS + if STOCHASTIC { column } else { 0 }) as u32,
                            colour: colour as u32,
                        };
                        filled += usize::from(cell != 0);
                    }
                }
            }
        }
        // The last piece fills the board: a draw, which nobody wins.
        let edges = &edges[..if last { 0 } else { filled }];
        for (at, edge) in edges.iter().enumerate() {
            if let Some(ahead) = edges.get(at + AHEAD) {
                next.prefetch(ahead.key);
            }
            let values = next.get(edge.key).values;
            if STOCHASTIC {
                let sum = &mut sums.as_flattened_mut()[edge.sum as usize];
                let weight = weights[usize::from(edge.colour as usize != MOVER)];
                sum[0] += weight * values[0];
                sum[1] += weight * values[1];
            } else {
                let sum = &mut sums[edge.sum as usize][0];
                sum[MOVER] = sum[MOVER].max(values[MOVER]);
                sum[other] += values[other];
            }
        }
        for (at, &key) in keys.iter().enumerate() {
            let mut values = sums[at][0];
            if STOCHASTIC {
                for sum in &sums[at][1..] {
                    values[MOVER] = values[MOVER].max(sum[MOVER]);
                    values[other] = values[other].min(sum[other]);
                }
            } else {
                values[other] *= self.common / u64::from(free[at]);
            }
            own.insert(Valued { key, values });
        }
    }
}
