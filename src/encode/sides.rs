//! [`Question`] and [`Sides`]: who does what in a game, as far as an encoding cares.

use crate::ground::{GroundProgram, MoveId, RoleId};
use std::fmt;

/// What is to be encoded: the probability that a role wins within a number of steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The role that maximises: the paper's x.
    pub role: RoleId,
    /// The roles that move uniformly at random, each independently: the paper's r. All others minimise.
    pub random: Vec<RoleId>,
    /// How many steps a play may take: the paper's n.
    pub horizon: u32,
    /// Where atoms that are no choices are quantified.
    pub prefix: Prefix,
}

impl Question {
    /// The paper's question about a role, with the role called `random`, if there is one, moving at random.
    pub fn new(program: &GroundProgram, role: RoleId, horizon: u32, prefix: Prefix) -> Question {
        Question {
            role,
            random: program.random().into_iter().collect(),
            horizon,
            prefix,
        }
    }
}

/// The two quantifier prefixes of the paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prefix {
    /// Q_b, Definition 3: all atoms that are no choices are innermost.
    Base,
    /// Q_d, Definition 4: an atom stands right after the choices that it depends on.
    Dependency,
}

/// Why a question cannot be encoded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EncodeError {
    /// The role that is to maximise moves at random.
    RandomRole(String),
    /// The horizon is larger than this.
    Horizon(u32),
    /// A plain answer set program has no place for other players or chance; the roles that are too many.
    NotAlone(Vec<String>),
    /// The program or the formula would take several gibibytes.
    TooLarge,
}

impl fmt::Display for EncodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EncodeError::RandomRole(role) => {
                write!(f, "`{role}` moves at random, so it has no value of its own")
            }
            EncodeError::Horizon(most) => {
                write!(f, "the horizon is too large: at most {most} steps can be encoded")
            }
            EncodeError::NotAlone(roles) => write!(
                f,
                "a plain answer set program finds plans for a player alone, and this game also has {}",
                roles
                    .iter()
                    .map(|role| format!("`{role}`"))
                    .collect::<Vec<_>>()
                    .join(", ")
            ),
            EncodeError::TooLarge => {
                f.write_str("the encoding is too large: it would take several gibibytes")
            }
        }
    }
}

impl std::error::Error for EncodeError {}

/// The largest horizon: levels of the prefix, four to a step, must be numbers for clingo.
const MOST_STEPS: u32 = 100_000_000;

/// The roles by what they do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sides {
    /// x: maximises.
    pub own: RoleId,
    /// o: minimise.
    pub others: Vec<RoleId>,
    /// r: move at random.
    pub random: Vec<RoleId>,
    /// γ: the moves of each role in their order, indexed by role.
    pub moves: Vec<Vec<MoveId>>,
}

impl Sides {
    /// The sides of a question.
    pub fn new(program: &GroundProgram, question: &Question) -> Result<Sides, EncodeError> {
        let name = |role: RoleId| program.terms().display(program.roles()[role.index()]).to_string();
        if question.random.contains(&question.role) {
            return Err(EncodeError::RandomRole(name(question.role)));
        }
        if question.horizon > MOST_STEPS {
            return Err(EncodeError::Horizon(MOST_STEPS));
        }
        let roles = || (0..program.roles().len()).map(RoleId::new);
        let is_random = |role: &RoleId| question.random.contains(role);
        let mut moves = vec![Vec::new(); program.roles().len()];
        for (index, mv) in program.moves().iter().enumerate() {
            moves[mv.role.index()].push(MoveId::new(index));
        }
        Ok(Sides {
            own: question.role,
            others: roles()
                .filter(|role| *role != question.role && !is_random(role))
                .collect(),
            random: roles().filter(is_random).collect(),
            moves,
        })
    }

    /// ⌈log2 |γ(o)|⌉: how many `dec_o` name a move of the role.
    pub fn bits(&self, role: RoleId) -> u32 {
        let moves = self.moves[role.index()].len();
        moves.next_power_of_two().trailing_zeros()
    }

    /// Whether the role has nobody to play against or with.
    pub fn is_alone(&self) -> bool {
        self.others.is_empty() && self.random.is_empty()
    }

    /// Nothing if the role is alone; else an error that names the others.
    pub fn alone(&self, program: &GroundProgram) -> Result<(), EncodeError> {
        let name = |role: &RoleId| program.terms().display(program.roles()[role.index()]).to_string();
        let others: Vec<String> = self.others.iter().chain(&self.random).map(name).collect();
        match others.is_empty() {
            true => Ok(()),
            false => Err(EncodeError::NotAlone(others)),
        }
    }
}
