//! Random games as text, valid by construction, made to shrink well.
//!
//! A [`Plan`] is plain data: switches for hand-written groups of clauses, and random clauses as bytes.
//! Every plan renders to a valid description, so taking anything away from a plan gives a valid one:
//!
//! - *Safe*: where a variable would be unbound, a constant stands instead.
//! - *Stratified*: relations have ranks; a clause uses relations up to its head's rank, and negates only
//!   those below it. (The hand-written groups also negate through cycles of relations that are harmless
//!   on ground atoms.)
//! - *Finite*: every argument has a sort, which bounds the depth of its terms; a head uses a variable only
//!   where some condition bounds it at least as much.

mod groups;
mod render;

use proptest::prelude::*;
use std::fmt;

/// The choices that make a game.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Which of [`ROLES`].
    pub roles: usize,
    /// Which groups of hand-written clauses are in.
    pub groups: Vec<bool>,
    /// Random clauses.
    pub clauses: Vec<ClausePlan>,
}

/// A random clause. Bytes are read as choices, in order; a missing byte is 0, the simplest choice.
#[derive(Clone, Debug)]
pub struct ClausePlan {
    /// Which head.
    pub head: Vec<u8>,
    /// The conditions.
    pub body: Vec<Vec<u8>>,
}

/// The casts of a game.
pub const ROLES: [&[&str]; 4] = [&["r0"], &["r0", "r1"], &["r0", "random"], &["r0", "r1", "random"]];

/// A clause as text.
#[derive(Clone, Debug)]
pub struct Clause {
    /// The head.
    pub head: String,
    /// The conditions.
    pub body: Vec<String>,
}

impl fmt::Display for Clause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.body.is_empty() {
            return f.write_str(&self.head);
        }
        write!(f, "(<= {} {})", self.head, self.body.join(" "))
    }
}

/// The clauses of a plan; the roles come first.
pub fn clauses(plan: &Plan) -> Vec<Clause> {
    let roles = ROLES[plan.roles % ROLES.len()];
    let role = |name: &&str| Clause {
        head: format!("(role {name})"),
        body: Vec::new(),
    };
    let mut clauses: Vec<Clause> = roles.iter().map(role).collect();
    let switched = groups::GROUPS
        .iter()
        .zip(&plan.groups)
        .filter(|(_, is_in)| **is_in);
    clauses.extend(switched.flat_map(|(group, _)| group.clauses()));
    clauses.extend(plan.clauses.iter().map(|clause| render::clause(clause, roles)));
    clauses
}

/// The text of clauses, one to a line.
pub fn text(clauses: &[Clause]) -> String {
    clauses.iter().map(|clause| format!("{clause}\n")).collect()
}

/// Random plans.
pub fn plans() -> impl Strategy<Value = Plan> {
    let bytes = || prop::collection::vec(any::<u8>(), 2..14);
    let clause =
        (bytes(), prop::collection::vec(bytes(), 0..5)).prop_map(|(head, body)| ClausePlan { head, body });
    let groups = prop::collection::vec(prop::bool::weighted(0.6), groups::GROUPS.len());
    (0..ROLES.len(), groups, prop::collection::vec(clause, 0..14)).prop_map(|(roles, groups, clauses)| Plan {
        roles,
        groups,
        clauses,
    })
}
