//! Connect-k positions in one word.
//!
//! A column takes `H + 1` bits, the lowest row in its lowest bit. The highest set bit of a column is its
//! sentinel: it stands on the cell where the next piece lands. Below it a piece of x is 1, one of o is 0.
//! The word alone tells the whole position, so it is the key; it is never 0. For 4 columns of height 3:
//!
//! ```text
//!     bits          board       key
//!     3  7 11 15                0 0 1 0     above the board: only sentinels of full columns
//!     2  6 10 14    . . x .     0 0 1 0
//!     1  5  9 13    . . o .     1 0 0 0
//!     0  4  8 12    x . x .     1 1 1 1
//! ```
//!
//! A piece takes the sentinel's bit and the sentinel moves up: x adds `sentinel << 1` to the key, o adds
//! `sentinel`.

/// A board of `W` columns and `H` rows on which `K` in a line win.
pub struct Board<const W: usize, const H: usize, const K: usize>;

/// What a key says.
#[derive(Clone, Copy)]
pub struct Position {
    /// The cells where a piece can land.
    pub landing: u64,
    /// The pieces of x and of o.
    pub pieces: [u64; 2],
}

impl<const W: usize, const H: usize, const K: usize> Board<W, H, K> {
    pub const CELLS: usize = W * H;

    /// The lowest bit of every column: the key of the empty board.
    pub const BOTTOM: u64 = {
        let (mut bits, mut column) = (0, 0);
        while column < W {
            bits |= 1 << (column * (H + 1));
            column += 1;
        }
        bits
    };

    /// The row above the board.
    const ABOVE: u64 = Self::BOTTOM << H;

    /// The cells of a column.
    pub const fn column(column: usize) -> u64 {
        ((1 << H) - 1) << (column * (H + 1))
    }

    #[inline(always)]
    pub fn decode(key: u64) -> Position {
        // Every sentinel is smeared down its column; no bit passes the row above the next column.
        let below = !Self::ABOVE;
        let mut smeared = key;
        let mut shift = 1;
        let mut guard = below;
        while shift <= H {
            smeared |= (smeared >> shift) & guard;
            guard &= guard >> shift;
            shift *= 2;
        }
        let filled = (smeared >> 1) & below;
        let x = key & filled;
        Position {
            landing: smeared & !filled & below,
            pieces: [x, filled ^ x],
        }
    }

    /// The cells that would complete a line of these pieces. Some may be taken or lie outside the board.
    #[inline(always)]
    pub fn completing(pieces: u64) -> u64 {
        // Upwards only a piece on top completes a line.
        let mut cells = Self::run::<true>(pieces, 1)[K - 1];
        for step in [H, H + 1, H + 2] {
            let (up, down) = (Self::run::<true>(pieces, step), Self::run::<false>(pieces, step));
            for length in 0..K {
                cells |= up[length] & down[K - 1 - length];
            }
        }
        cells
    }

    /// Entry `n`: the cells next to `n` pieces in a row, seen in one direction.
    #[inline(always)]
    fn run<const UP: bool>(pieces: u64, step: usize) -> [u64; K] {
        let mut runs = [!0; K];
        for length in 1..K {
            let shift = step * length;
            let moved = if UP { pieces << shift } else { pieces >> shift };
            runs[length] = runs[length - 1] & moved;
        }
        runs
    }
}
