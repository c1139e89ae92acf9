//! Stochastic tic-tac-toe, three in a line, as one dense array.
//!
//! The index of a position is a number to base 3, one digit per cell, the lowest for cell 0:
//!
//! ```text
//!     cells           digits               index = sum of digit(cell) * 3^cell
//!      8  9 10 11
//!      4  5  6  7     0 empty              x in cell c adds 3^c, o adds 2 * 3^c:
//!      0  1  2  3     1 x, 2 o             successors have larger indices
//! ```
//!
//! So one sweep from the largest index down meets every position after its successors. Positions with a line
//! are not visited and keep the zeros of the array: whoever marks a cell knows whether it completes a line.
//! All positions without a line can be reached, since marks may come in any order and either colour.

use super::table::huge_pages;
use super::{Chance, Report, fraction};
use cpu_time::ThreadTime;

/// The marks of x and of o in half of the cells, and their part of the index.
struct Half {
    marks: [usize; 2],
    index: usize,
}

/// The values of both questions: a numerator over `total` to the power of the empty cells.
type Values = [u64; 2];

struct Sweep {
    cells: usize,
    chance: Chance,
    /// The cells that complete a line, for every set of marks.
    completing: Vec<u16>,
    /// Whether there is a line, for every set of marks.
    line: Vec<u64>,
    /// The powers of 3.
    powers: Vec<usize>,
    /// The powers of `total`.
    units: Vec<u64>,
    /// One more than there are positions: the last is that of a lost or drawn play.
    values: Vec<Values>,
}

pub fn run<const W: usize, const H: usize>(chance: Chance) -> Report {
    let start = ThreadTime::now();
    let mut sweep = Sweep::new(W, H, chance);
    let (open_states, edges) = sweep.run();
    let unit = sweep.units[sweep.cells];
    Report {
        open_states,
        edges,
        values: sweep.values[0].map(|value| fraction(value, unit)),
        cpu_seconds: start.elapsed().as_secs_f64(),
        bytes: 0,
    }
}

impl Sweep {
    fn new(width: usize, height: usize, chance: Chance) -> Self {
        let cells = width * height;
        assert!(cells <= 16, "sets of cells have 16 bits");
        let mut completing = vec![0; 1 << cells];
        let mut line = vec![0; (1_usize << cells).div_ceil(64)];
        let lines = lines(width, height);
        for (marks, completing) in completing.iter_mut().enumerate() {
            for &cells in &lines {
                let missing = cells & !marks;
                if missing == 0 {
                    line[marks / 64] |= 1 << (marks % 64);
                } else if missing.is_power_of_two() {
                    *completing |= missing as u16;
                }
            }
        }
        let powers: Vec<_> = (0..=cells).map(|cell| 3_usize.pow(cell as u32)).collect();
        let unit = |empty| chance.total.checked_pow(empty as u32).expect("denominators fit");
        let mut values = vec![[0; 2]; powers[cells] + 1];
        huge_pages(values.as_mut_ptr(), values.len());
        Sweep {
            cells,
            chance,
            completing,
            line,
            units: (0..=cells).map(unit).collect(),
            powers,
            values,
        }
    }

    fn run(&mut self) -> (u64, u64) {
        let low = self.halves(0, self.cells / 2);
        let high = self.halves(self.cells / 2, self.cells);
        let (mut states, mut edges) = (0, 0);
        for high in high.iter().rev() {
            for low in low.iter().rev() {
                let marks = [high.marks[0] | low.marks[0], high.marks[1] | low.marks[1]];
                let empty = ((1 << self.cells) - 1) & !(marks[0] | marks[1]);
                if self.has_line(marks[0]) || self.has_line(marks[1]) || empty == 0 {
                    continue;
                }
                states += 1;
                edges += 2 * u64::from(empty.count_ones());
                let index = high.index + low.index;
                self.values[index] = if (self.cells as u32 - empty.count_ones()).is_multiple_of(2) {
                    self.value::<0>(index, marks, empty)
                } else {
                    self.value::<1>(index, marks, empty)
                };
            }
        }
        (states, edges)
    }

    /// The values of a position in which `MOVER` moves.
    #[inline(always)]
    fn value<const MOVER: usize>(&self, index: usize, marks: [usize; 2], empty: usize) -> Values {
        let other = 1 - MOVER;
        let unit = self.units[empty.count_ones() as usize - 1];
        let weight = [self.chance.own, self.chance.total - self.chance.own];
        let (nobody, wins) = (self.powers[self.cells], marks.map(|marks| self.completing[marks]));
        let mut best = if MOVER == 0 { [0, u64::MAX] } else { [u64::MAX, 0] };
        let mut rest = empty;
        while rest != 0 {
            let cell = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let mut sum = [0; 2];
            for colour in 0..2 {
                let won = wins[colour] >> cell & 1 != 0;
                let next = index + (colour + 1) * self.powers[cell];
                let mut values = self.values[if won { nobody } else { next }];
                values[colour] += if won { unit } else { 0 };
                let weight = weight[usize::from(colour != MOVER)];
                sum[0] += weight * values[0];
                sum[1] += weight * values[1];
            }
            best[MOVER] = best[MOVER].max(sum[MOVER]);
            best[other] = best[other].min(sum[other]);
        }
        best
    }

    /// All ways to fill these cells that have no line, by ascending index.
    fn halves(&self, from: usize, to: usize) -> Vec<Half> {
        let halves = (0..self.powers[to - from]).map(|number| {
            let mut half = Half {
                marks: [0; 2],
                index: number * self.powers[from],
            };
            for cell in from..to {
                match number / self.powers[cell - from] % 3 {
                    0 => {}
                    mark => half.marks[mark - 1] |= 1 << cell,
                }
            }
            half
        });
        let without = |half: &Half| !half.marks.iter().any(|&marks| self.has_line(marks));
        halves.filter(without).collect()
    }

    #[inline(always)]
    fn has_line(&self, marks: usize) -> bool {
        self.line[marks / 64] >> (marks % 64) & 1 != 0
    }
}

/// All lines of three cells.
fn lines(width: usize, height: usize) -> Vec<usize> {
    let mut lines = Vec::new();
    for (right, up) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
        for start in 0..width * height {
            let cells = (0..3).map(|step| {
                let column = start % width + step * right;
                let row = (start / width).checked_add_signed(step as isize * up)?;
                (column < width && row < height).then_some(1 << (row * width + column))
            });
            lines.extend(cells.sum::<Option<usize>>());
        }
    }
    lines
}
