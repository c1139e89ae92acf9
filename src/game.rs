//! [`Game`]: what a solver may ask of a game, whatever computes the answer.
//!
//! Six questions with contracts, implemented by the compiled machine and by the reference reasoner.
//! Nothing above this trait knows about gates, rules or terms.

use std::fmt;
use std::hash::Hash;

/// A game as a transition system over complete states.
pub trait Game: Sync {
    /// A complete state. Equal states are the same position; nothing else is remembered.
    type State: Clone + Eq + Hash + Send + Sync + fmt::Debug;
    /// A move of some role, meaningful only together with the role.
    type Move: Copy + Eq + Ord + Send + Sync + fmt::Debug;

    /// The names of the roles in order of declaration; a role is its index here.
    fn roles(&self) -> &[String];

    /// The state in which every play starts.
    fn initial(&self) -> Self::State;

    /// Looks at a state: fills `position` with all that the rules say about it.
    ///
    /// `position` is overwritten; passing the same one again saves allocations.
    fn look(&self, state: &Self::State, position: &mut Position<Self::Move>) -> Result<(), GameError>;

    /// The state after a joint move: one legal move per role, in the order of [`Game::roles`], in a
    /// state that is not terminal. For anything else the answer is unspecified, but never a panic.
    fn next(&self, state: &Self::State, joint: &[Self::Move]) -> Result<Self::State, GameError>;

    /// The facts that hold in a state, in GDL's prefix notation, sorted.
    fn facts(&self, state: &Self::State) -> Vec<String>;

    /// The state in which exactly these facts hold (prefix notation, as [`Game::facts`] gives them);
    /// an error names the first one that can hold in no state.
    fn state(&self, facts: &[String]) -> Result<Self::State, GameError>;

    /// A move in GDL's prefix notation.
    fn move_name(&self, role: usize, mv: Self::Move) -> String;

    /// What is proven for all states reachable from [`Game::initial`]; a solver need not check it again.
    fn proven(&self) -> Proven {
        Proven::default()
    }

    /// The bytes that a state owns outside of itself, for the accounting of memory.
    fn heap_bytes(&self, _state: &Self::State) -> usize {
        0
    }
}

/// Facts that are proven for every state reachable from the initial one. The default proves nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Proven {
    /// No play takes more steps than this.
    pub longest_play: Option<u32>,
    /// In every non-terminal state at most one role, apart from one called `random`, has more than one
    /// legal move.
    pub turn_taking: bool,
    /// In every non-terminal state every role has a legal move.
    pub always_a_move: bool,
    /// In every terminal state every role, apart from one called `random`, has exactly one goal value.
    pub one_goal: bool,
}

/// What the rules say about a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position<M> {
    /// Whether plays end here.
    pub terminal: bool,
    /// The goal values per role.
    pub goals: Vec<GoalSet>,
    /// The legal moves per role, ascending. Also filled in terminal states, where they mean nothing.
    pub legal: Vec<Vec<M>>,
}

impl<M> Position<M> {
    /// An empty position for a game with so many roles.
    pub fn new(roles: usize) -> Position<M> {
        Position {
            terminal: false,
            goals: vec![GoalSet::default(); roles],
            legal: (0..roles).map(|_| Vec::new()).collect(),
        }
    }
}

/// A set of goal values from 0 to 100. In a sound game it has exactly one element in every terminal
/// state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct GoalSet(u128);

impl GoalSet {
    /// Adds a value; values above 100 are ignored, because GDL has none.
    pub fn insert(&mut self, value: u8) {
        if value <= 100 {
            self.0 |= 1 << value;
        }
    }

    /// Whether the value is in the set.
    pub fn contains(self, value: u8) -> bool {
        value <= 100 && self.0 >> value & 1 == 1
    }

    /// How many values there are.
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The values, ascending.
    pub fn values(self) -> impl Iterator<Item = u8> {
        (0..=100).filter(move |&value| self.contains(value))
    }

    /// The largest value.
    pub fn max(self) -> Option<u8> {
        (!self.is_empty()).then(|| 127 - self.0.leading_zeros() as u8)
    }
}

impl FromIterator<u8> for GoalSet {
    fn from_iter<I: IntoIterator<Item = u8>>(values: I) -> GoalSet {
        let mut set = GoalSet::default();
        values.into_iter().for_each(|value| set.insert(value));
        set
    }
}

/// Why a game could not answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameError(pub String);

impl fmt::Display for GameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for GameError {}
