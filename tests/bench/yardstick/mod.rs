//! Hand-written solvers of a few games, to compare the general engines with.
//!
//! `connect` and its parts do what the layered engine does, with bitboards: one thread, forward by layers into
//! exact tables of eight-byte keys, only open positions, no edges kept, then backward with exact integers,
//! both players' values in one run. `tic_tac_toe` is the dense array that the sweep is compared with.

mod backward;
mod board;
mod connect;
mod table;
mod tic_tac_toe;

/// A game to be solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Config {
    /// Connect-`line`; the player who is not asked about moves at random.
    Connect {
        width: usize,
        height: usize,
        line: usize,
    },
    /// Stochastic connect-`line`; the player who is not asked about does his worst.
    StochasticConnect {
        width: usize,
        height: usize,
        line: usize,
        chance: Chance,
    },
    /// Stochastic tic-tac-toe, three in a line; the player who is not asked about does his worst.
    StochasticTicTacToe {
        width: usize,
        height: usize,
        chance: Chance,
    },
}

/// A piece lands in its player's colour with probability `own / total`, else in the opponent's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chance {
    pub own: u64,
    pub total: u64,
}

impl Chance {
    const NONE: Chance = Chance { own: 1, total: 1 };
}

/// What a solver found and what it took.
#[derive(Clone, Copy, Debug)]
pub struct Report {
    /// Reachable positions that are not terminal.
    pub open_states: u64,
    /// Successors of open positions, terminal ones included, one per move and colour.
    pub edges: u64,
    /// The probability that x wins, that o wins: numerator and denominator in lowest terms.
    pub values: [(u128, u128); 2],
    /// CPU seconds of the thread.
    pub cpu_seconds: f64,
    /// The most memory held at once.
    pub bytes: usize,
}

/// Solves a game on one thread.
///
/// # Panics
///
/// If the board is not among those compiled in, or a denominator passes 64 bits.
pub fn run(config: Config) -> Report {
    use connect::Connect;
    macro_rules! boards {
        ($stochastic:literal, $board:expr, $chance:expr, $(($w:literal, $h:literal, $k:literal))*) => {
            match $board {
                $(($w, $h, $k) => Connect::<$w, $h, $k, $stochastic>::run($chance),)*
                board => panic!("no solver is compiled for {board:?}"),
            }
        };
    }
    super::memory::reset();
    let mut report = match config {
        Config::Connect { width, height, line } => {
            boards!(
                false,
                (width, height, line),
                Chance::NONE,
                (4, 4, 3)(4, 4, 4)(5, 4, 4)(5, 5, 4)
            )
        }
        Config::StochasticConnect {
            width,
            height,
            line,
            chance,
        } => {
            boards!(
                true,
                (width, height, line),
                chance,
                (4, 4, 3)(4, 4, 4)(5, 4, 4)(5, 5, 3)
            )
        }
        Config::StochasticTicTacToe {
            width,
            height,
            chance,
        } => match (width, height) {
            (3, 3) => tic_tac_toe::run::<3, 3>(chance),
            (3, 4) => tic_tac_toe::run::<3, 4>(chance),
            (4, 4) => tic_tac_toe::run::<4, 4>(chance),
            board => panic!("no solver is compiled for {board:?}"),
        },
    };
    report.bytes = super::memory::peak();
    report
}

fn fraction(numerator: u64, denominator: u64) -> (u128, u128) {
    let divisor = divisor(numerator, denominator);
    (u128::from(numerator / divisor), u128::from(denominator / divisor))
}

/// The greatest common divisor.
fn divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { divisor(b, a % b) }
}
