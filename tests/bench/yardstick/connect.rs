//! Connect-k and stochastic connect-k, layer by layer: the way forward, and both ways together.
//!
//! Layer `n` holds the open positions with `n` pieces; x moves in even layers. Forward, every layer is
//! expanded into the table of the next one, whose keys are kept in the order of the table. Edges are not
//! kept: `backward` expands every layer again.

use super::backward::evaluate;
use super::board::{Board, Position};
use super::table::Table;
use super::{Chance, Report};
use cpu_time::ThreadTime;

/// Positions expanded at once.
pub const BLOCK: usize = 256;

/// The part of the slots that may be taken.
const LOAD: f64 = 0.6;

/// The open positions of a layer.
pub struct Layer {
    /// In the order of their table.
    pub keys: Vec<u64>,
    /// Bit `m` tells that `m` columns are free in some position.
    pub free: u32,
}

/// The game: `STOCHASTIC` pieces may land in the opponent's colour.
pub struct Connect<const W: usize, const H: usize, const K: usize, const STOCHASTIC: bool>;

impl<const W: usize, const H: usize, const K: usize, const STOCHASTIC: bool> Connect<W, H, K, STOCHASTIC> {
    pub fn run(chance: Chance) -> Report {
        let start = ThreadTime::now();
        let (layers, edges) = Self::enumerate();
        let open_states = layers.iter().map(|layer| layer.keys.len() as u64).sum();
        let values = evaluate::<W, H, K, STOCHASTIC>(chance, layers);
        Report {
            open_states,
            edges,
            values,
            cpu_seconds: start.elapsed().as_secs_f64(),
            bytes: 0,
        }
    }

    /// The open positions of every layer, and the number of edges, those that end the play included.
    fn enumerate() -> (Vec<Layer>, u64) {
        let cells = Board::<W, H, K>::CELLS;
        let mut layers = Vec::with_capacity(cells);
        let mut keys = vec![Board::<W, H, K>::BOTTOM];
        let mut table = Table::<u64>::new();
        let mut buffer = vec![0; 2 * W * BLOCK];
        let (mut edges, mut before) = (0, 1);
        for depth in 0..cells {
            let last = depth + 1 == cells;
            // Growth slows down from layer to layer: the last factor is enough.
            let growth = keys.len() as f64 / before as f64;
            let expected = (keys.len() as f64 * growth) as usize + buffer.len();
            table.reset(if last { 0 } else { expected }, LOAD);
            let mut free = 0;
            for block in keys.chunks(BLOCK) {
                let mut filled = 0;
                for &key in block {
                    let position = Board::<W, H, K>::decode(key);
                    let columns = position.landing.count_ones();
                    free |= 1 << columns;
                    edges += u64::from(columns);
                    let open = Self::open(depth, position);
                    for column in 0..W {
                        let colours = if STOCHASTIC {
                            0..2
                        } else {
                            depth % 2..depth % 2 + 1
                        };
                        for colour in colours {
                            let cell = open[colour] & Board::<W, H, K>::column(column);
                            buffer[filled] = key + (cell << (1 - colour));
                            filled += usize::from(cell != 0);
                        }
                    }
                }
                if !last {
                    table.insert_all(&buffer[..filled], LOAD);
                }
            }
            before = keys.len();
            let mut next = Vec::with_capacity(table.len());
            table.keys_into(&mut next);
            layers.push(Layer { keys, free });
            keys = next;
        }
        (layers, if STOCHASTIC { 2 * edges } else { edges })
    }

    /// The cells where a piece of x, one of o would land without ending the play (but by filling the board);
    /// in the game without chance only the colour whose turn it is means something.
    #[inline(always)]
    pub fn open(depth: usize, position: Position) -> [u64; 2] {
        let mut open = [position.landing; 2];
        for (colour, open) in open.iter_mut().enumerate() {
            if STOCHASTIC || colour == depth % 2 {
                *open &= !Board::<W, H, K>::completing(position.pieces[colour]);
            }
        }
        open
    }
}
