//! The value of an extended stochastic SAT formula, exactly.
//!
//! The value of a formula without variables is 1 if all clauses are satisfied, else 0; that of `Q x F` is
//! the maximum of `F[x]` and `F[not x]` for exists, the minimum for forall, and `p F[x] + (1-p) F[not x]`
//! for chance. A QBF is the special case without chance: its value is 1 if it is true, else 0.
//!
//! The evaluator is a search over partial assignments that looks at residual formulas only:
//!
//! | module | what it knows |
//! |---|---|
//! | `matrix` | the formula, sorted |
//! | `state` | an assignment, what follows from it, which clauses it leaves |
//! | `components` | the parts into which a residual formula falls |
//! | `key` | a residual formula as bytes |
//! | `cache` | what is proven about residual formulas |
//! | `interval` | bounds and windows |
//! | `search` | the recursion |
//!
//! In the formula of a game whose variables stand in the order of time, what is left between two steps is
//! the position, so this behaves like a search of the game with a table of positions, although it knows
//! nothing of games.

mod bits;
mod cache;
mod components;
mod interval;
mod key;
mod limits;
mod matrix;
mod search;
mod state;

pub use interval::Interval;

use crate::cnf::Cnf;
use limits::Limits;
use matrix::Matrix;
use search::Search;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

/// How a run is limited and watched.
#[derive(Clone, Debug)]
pub struct Options {
    /// Bytes that the tables may take, half of them the cache: when they are used up, entries are dropped.
    pub memory: usize,
    /// When to stop.
    pub deadline: Option<Instant>,
    /// Set it to stop the run.
    pub stop: Arc<AtomicBool>,
    /// What the run has done so far.
    pub progress: Arc<Progress>,
}

impl Default for Options {
    /// A gibibyte, and no other limit.
    fn default() -> Options {
        Options {
            memory: 1 << 30,
            deadline: None,
            stop: Arc::default(),
            progress: Arc::default(),
        }
    }
}

/// Counters of a run, which can be read at any time from another thread.
#[derive(Debug, Default)]
pub struct Progress {
    /// Residual formulas that were looked at.
    pub formulas: AtomicU64,
    /// How many of them the cache answered.
    pub cache_hits: AtomicU64,
    /// Entries in the cache.
    pub cache_entries: AtomicU64,
    /// Estimate of the bytes of the cache.
    pub cache_bytes: AtomicU64,
}

/// The limit that ended a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// The deadline passed.
    Time,
    /// The stop flag was set.
    Interrupt,
    /// More decisions were open than fit the stack.
    Depth,
}

/// What a run found out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The value lies in it; exact unless a limit was reached.
    pub interval: Interval,
    /// The limit that was reached. The interval may be exact all the same.
    pub stopped_by: Option<StopReason>,
    /// Residual formulas that were looked at. The same formula gives the same number, if no limit is reached.
    pub formulas: u64,
    /// How many of them the cache answered.
    pub cache_hits: u64,
    /// Entries in the cache at the end.
    pub cache_entries: u64,
}

/// Stack per open decision. The three functions of the recursion take about 850 bytes together in a release
/// build; the rest is for builds without optimisation.
const FRAME: usize = 4 << 10;
/// Decisions that may be open: their stack is a gibibyte of address space, used as far as it is needed.
const MOST_OPEN: usize = 1 << 18;

/// Evaluates a formula.
///
/// ```
/// use emm::{cnf::dimacs, source::Source, ssat};
/// let text = "p cnf 2 2\ne 1 0\nr 0.25 2 0\n1 2 0\n-1 -2 0\n";
/// let cnf = dimacs::read(&Source::new("a", text)).cnf.unwrap();
/// let outcome = ssat::evaluate(&cnf, &ssat::Options::default());
/// assert_eq!(outcome.interval.lo.to_string(), "3/4");
/// ```
pub fn evaluate(cnf: &Cnf, options: &Options) -> Outcome {
    // A formula that falls apart is open together with its part.
    let depth = (2 * cnf.variables).min(MOST_OPEN);
    let stack = (depth + 64) * FRAME;
    std::thread::scope(|scope| {
        let builder = std::thread::Builder::new()
            .name("ssat".to_string())
            .stack_size(stack);
        let thread = builder.spawn_scoped(scope, || run(cnf, options, depth));
        match thread.map(|thread| thread.join()) {
            Ok(Ok(outcome)) => outcome,
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            // No thread with such a stack: what there is has to do.
            Err(_) => run(cnf, options, 64),
        }
    })
}

fn run(cnf: &Cnf, options: &Options, depth: usize) -> Outcome {
    let limits = Limits::new(options, depth + 1);
    let matrix = Matrix::new(cnf);
    let mut search = Search::new(&matrix, options.memory, &limits);
    let interval = search.run();
    search.publish(&options.progress);
    let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
    Outcome {
        interval,
        stopped_by: limits.reached(),
        formulas: read(&options.progress.formulas),
        cache_hits: read(&options.progress.cache_hits),
        cache_entries: read(&options.progress.cache_entries),
    }
}
