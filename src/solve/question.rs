//! [`Question`] and [`Options`]: what is asked of a solver, and how it may go about it.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use crate::game::{Game, GameError, GoalSet};

use super::limits::Progress;

/// Which value of a game is wanted.
#[derive(Clone, Debug)]
pub struct Question<S> {
    /// The role that maximises, as an index into [`Game::roles`]. All roles that are neither this one nor
    /// in `chance` minimise together.
    pub role: usize,
    /// The roles that move uniformly at random, each independently of the others.
    pub chance: Vec<usize>,
    /// How many steps a play may take; without it, as many as it takes.
    pub horizon: Option<u32>,
    /// What a terminal state is worth.
    pub objective: Objective,
    /// Where the play starts.
    pub start: Start<S>,
}

impl<S> Question<S> {
    /// The paper's question for a role: the probability to win from the initial state, without horizon,
    /// where a role that is called `random` moves at random.
    pub fn new<G: Game<State = S>>(game: &G, role: usize) -> Question<S> {
        let chance = (0..game.roles().len())
            .filter(|&role| game.roles()[role] == "random")
            .collect();
        Question {
            role,
            chance,
            horizon: None,
            objective: Objective::Win,
            start: Start::Initial,
        }
    }

    pub(super) fn check<G: Game<State = S>>(&self, game: &G) -> Result<(), SolveError> {
        let roles = game.roles().len();
        match self
            .chance
            .iter()
            .chain([&self.role])
            .find(|&&role| role >= roles)
        {
            Some(&role) => Err(SolveError::NoSuchRole(role)),
            None if self.chance.contains(&self.role) => Err(SolveError::RandomRole(self.role)),
            None => Ok(()),
        }
    }

    pub(super) fn start_state<G: Game<State = S>>(&self, game: &G) -> S
    where
        S: Clone,
    {
        match &self.start {
            Start::Initial => game.initial(),
            Start::Reached(state) | Start::Given(state) => state.clone(),
        }
    }
}

/// Where a play starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Start<S> {
    /// The game's initial state.
    Initial,
    /// A state that a play from the initial state has reached: all that is proven for the game holds.
    Reached(S),
    /// Any state: nothing is known about what can be reached from it.
    Given(S),
}

/// What a terminal state is worth to the maximising role. Every other state is worth 0 when the play
/// stops there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Objective {
    /// 1 if 100 is among the role's goal values, else 0: the paper's Definition 1.
    Win,
    /// The role's goal value, 0 to 100; 0 if there is none.
    Goal,
    /// 1 if one of the role's goal values is at least this, else 0.
    AtLeast(u8),
}

impl Objective {
    /// The largest value that a state can have.
    pub fn top(self) -> u8 {
        match self {
            Objective::Win | Objective::AtLeast(_) => 1,
            Objective::Goal => 100,
        }
    }

    /// The value of a terminal state with these goal values. Several goal values have no meaning for
    /// [`Objective::Goal`]; such games are refused.
    pub fn worth(self, goals: GoalSet) -> u8 {
        match self {
            Objective::Win => goals.contains(100).into(),
            Objective::Goal => goals.max().unwrap_or(0),
            Objective::AtLeast(bar) => goals.max().is_some_and(|goal| goal >= bar).into(),
        }
    }
}

/// How a question is to be answered. Nothing here changes the answer, except that a limit may be reached.
#[derive(Clone, Debug)]
pub struct Options {
    /// The algorithm.
    pub engine: Engine,
    /// How numbers are represented.
    pub arithmetic: Arithmetic,
    /// How many threads search; at least one.
    pub threads: usize,
    /// How many bytes the tables may take.
    pub memory: usize,
    /// When to stop.
    pub deadline: Option<Instant>,
    /// Stops the run when somebody sets it.
    pub stop: Arc<AtomicBool>,
    /// Whether the engine `search` leaves out what cannot change the value.
    pub pruning: Pruning,
    /// Which first moves get their own value.
    pub first_moves: FirstMoves,
    /// Where the run can be watched.
    pub progress: Arc<Progress>,
    /// Where the engine `layered` puts layers that do not fit into memory, for the time of the run.
    pub spill: Option<PathBuf>,
    /// Where the engine `layered` keeps what it has done, to go on with it after an interruption.
    pub checkpoint: Option<Checkpoint>,
    /// Bytes of states up to which a game of which something is not proven is checked before it is solved. The engine
    /// `layered` checks larger ones while it solves them.
    pub check_bytes: usize,
}

/// A folder in which a run keeps what it has done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    /// The folder; it is made if it is not there.
    pub directory: PathBuf,
    /// What tells the game and the program from others, such as a hash of the text and a version. The question is
    /// added to it.
    pub identity: String,
}

/// A cycle or a state without a move is mostly met early, and its witness is short then.
const CHECK_BYTES: usize = 64 << 20;

impl Default for Options {
    fn default() -> Options {
        Options {
            engine: Engine::Search,
            arithmetic: Arithmetic::Exact,
            threads: 1,
            memory: usize::MAX,
            deadline: None,
            stop: Arc::default(),
            pruning: Pruning::On,
            first_moves: FirstMoves::Every,
            progress: Arc::default(),
            spill: None,
            checkpoint: None,
            check_bytes: CHECK_BYTES,
        }
    }
}

/// The algorithms that find the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// The one that is expected to be fastest.
    Auto,
    /// Depth-first search with a table, windows and threads.
    Search,
    /// Depth first on packed keys, for compiled games without chance.
    Alphabeta,
    /// All states layer by layer, then values from the last layer back; for compiled games only.
    Layered,
    /// As `Layered`, without a table, for boards that fill up; for compiled games only.
    Sweep,
    /// The recursion of Definition 1 as it stands, for comparison. Slow.
    Reference,
}

/// How numbers are represented.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arithmetic {
    /// Fractions: the value itself.
    Exact,
    /// Floating point, rounded outwards: an interval that contains the value.
    Float,
}

/// Whether the search leaves out what cannot change the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pruning {
    /// It does.
    On,
    /// It visits all reachable states, which is for comparison only.
    Off,
}

/// Which first moves get their own value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FirstMoves {
    /// Every one.
    Every,
    /// None: only the value of the game is wanted, and more can be pruned.
    Skip,
}

/// Why a question could not be asked or a game not be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SolveError {
    /// The game has no role with this index.
    NoSuchRole(usize),
    /// The role that is to maximise moves at random.
    RandomRole(usize),
    /// The game could not answer.
    Game(GameError),
    /// The engine that was asked for cannot answer this question.
    Unsuitable(&'static str),
    /// The operating system gave no thread.
    Threads(String),
    /// A checkpoint, or a folder for layers, cannot be used.
    Storage {
        /// What is wrong.
        message: String,
        /// What to do about it.
        advice: &'static str,
    },
}

impl fmt::Display for SolveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SolveError::NoSuchRole(role) => write!(f, "the game has no role number {role}"),
            SolveError::RandomRole(role) => {
                write!(
                    f,
                    "role number {role} moves at random, so it has no value of its own"
                )
            }
            SolveError::Game(error) => error.fmt(f),
            SolveError::Unsuitable(reason) => {
                write!(f, "the engine that was asked for cannot answer this: {reason}")
            }
            SolveError::Threads(error) => write!(f, "no thread to search on: {error}"),
            SolveError::Storage { message, .. } => f.write_str(message),
        }
    }
}

impl std::error::Error for SolveError {}

impl From<GameError> for SolveError {
    fn from(error: GameError) -> SolveError {
        SolveError::Game(error)
    }
}
