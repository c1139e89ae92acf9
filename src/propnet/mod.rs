//! [`GroundProgram`] → [`Propnet`]: the rules as a network of gates.
//!
//! Inputs are the fluents (`true`) and the moves (`does`); outputs are `next`, `legal`, `terminal` and
//! `goal`. Recursive rules are unrolled to their least fixed point, so the network has no cycles.

mod aig;
mod build;
mod dot;
mod reduce;

pub use aig::{Aig, Copier, Lit};
pub use build::{BuildError, Limit, Limits};
pub use dot::to_dot;
pub use reduce::{Reduction, ReductionStep};

use crate::ground::{FluentId, GroundMove, GroundProgram, RoleId};

/// A game as a network.
///
/// Input `i` of the graph is fluent `i` for `i < fluents`, then come the moves.
#[derive(Clone)]
pub struct Propnet {
    /// The gates.
    pub aig: Aig,
    /// Names of the roles, in order of declaration.
    pub roles: Vec<String>,
    /// The role that moves at random.
    pub random: Option<RoleId>,
    /// Names of the fluents that can change.
    pub fluents: Vec<String>,
    /// Names of the fluents that hold in every state.
    pub constant_fluents: Vec<String>,
    /// Every move, sorted by role.
    pub moves: Vec<NamedMove>,
    /// Whether each fluent holds at the start.
    pub initial: Vec<bool>,
    /// Whether each fluent holds next.
    pub next: Vec<Lit>,
    /// Whether each move is legal.
    pub legal: Vec<Lit>,
    /// Whether the state is terminal.
    pub terminal: Lit,
    /// When a role gets a value; sorted by role and value.
    pub goals: Vec<GoalOutput>,
}

/// A move as people write it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedMove {
    /// Who makes it.
    pub role: RoleId,
    /// KIF notation.
    pub name: String,
}

/// One `goal` of the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GoalOutput {
    /// Whose.
    pub role: RoleId,
    /// 0 to 100.
    pub value: u8,
    /// When it holds.
    pub holds: Lit,
}

impl Propnet {
    /// Builds and reduces the network, with default limits. The second part tells what each reduction gained.
    pub fn build(program: &GroundProgram) -> Result<(Propnet, Reduction), BuildError> {
        Propnet::build_within(program, &Limits::default())
    }

    /// As [`Propnet::build`], with these limits.
    pub fn build_within(
        program: &GroundProgram,
        limits: &Limits,
    ) -> Result<(Propnet, Reduction), BuildError> {
        let (net, reduction) = reduce::reduce(build::build(program, limits)?);
        log::debug!(
            "network: {} fluents, {} moves, {} gates",
            net.fluents.len(),
            net.moves.len(),
            net.aig.gates().len()
        );
        Ok((net, reduction))
    }

    /// The literal of `true(fluent)`.
    pub fn fluent(&self, fluent: usize) -> Lit {
        self.aig.input(fluent)
    }

    /// The literal of `does(move)`.
    pub fn does(&self, mv: usize) -> Lit {
        self.aig.input(self.fluents.len() + mv)
    }

    /// All outputs.
    pub fn outputs(&self) -> impl Iterator<Item = Lit> + '_ {
        let goals = self.goals.iter().map(|goal| goal.holds);
        self.next
            .iter()
            .chain(&self.legal)
            .copied()
            .chain([self.terminal])
            .chain(goals)
    }

    /// `terminal` and the goals, in order, of a state whose fluents are the functions `fluents` of the
    /// graph `aig`; their gates are added to it.
    pub fn outcome_of(&self, fluents: &[Lit], aig: &mut Aig) -> Vec<Lit> {
        let no_moves = vec![Lit::FALSE; self.moves.len()];
        let mut copier = Copier::new(&self.aig, &[fluents, &no_moves].concat());
        let outcome = std::iter::once(self.terminal).chain(self.goals.iter().map(|goal| goal.holds));
        outcome
            .map(|literal| copier.copy(&self.aig, aig, literal))
            .collect()
    }

    /// The moves of a role, as positions in `moves`.
    pub fn moves_of(&self, role: RoleId) -> std::ops::Range<usize> {
        let start = self.moves.partition_point(|mv| mv.role < role);
        let end = self.moves.partition_point(|mv| mv.role <= role);
        start..end
    }
}

fn names(program: &GroundProgram) -> (Vec<String>, Vec<String>, Vec<NamedMove>) {
    let text = |term| program.terms().display(term).to_string();
    let roles = program.roles().iter().map(|&role| text(role)).collect();
    let fluents = program.fluents().iter().map(|&fluent| text(fluent)).collect();
    let named = |mv: &GroundMove| NamedMove {
        role: mv.role,
        name: text(mv.term),
    };
    (roles, fluents, program.moves().iter().map(named).collect())
}

fn initial(program: &GroundProgram) -> Vec<bool> {
    let mut initial = vec![false; program.fluents().len()];
    program
        .initial()
        .iter()
        .for_each(|fluent: &FluentId| initial[fluent.index()] = true);
    initial
}
