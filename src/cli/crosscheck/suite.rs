//! Lists of questions.

use crate::cli::exit::Failure;
use crate::cli::roles::Roles;
use clap::ValueEnum;
use emm::crosscheck::{Case, Subject};
use emm::games;
use emm::ground::RoleId;
use std::path::PathBuf;

/// The lists that have a name.
#[derive(Clone, Copy, ValueEnum)]
pub enum Suite {
    /// The instances of the paper that a formula is expected to manage
    Paper,
    /// All bundled games, every player; games without chance also against a random player
    All,
}

/// What is asked about a game.
#[derive(Clone, Default)]
pub struct Task {
    /// The roles by name; all players if there are none.
    pub roles: Vec<String>,
    /// The players that move at random, by name.
    pub random: Vec<String>,
}

const PAPER: [&str; 20] = [
    "one-shot",
    "tt-3x3",
    "c3-4x4",
    "c4-4x4",
    "s-c3-4x4-50",
    "s-c3-4x4-80",
    "s-c4-4x4-50",
    "s-c4-4x4-80",
    "s-tt-3x3-50",
    "s-tt-3x3-80",
    "s-nim-3",
    "s-nim-4",
    "s-nim-5",
    "s-nim-6",
    "s-nim-7",
    "s-nim-8",
    "s-nim-9",
    "s-nim-10",
    "s-nim-30",
    "s-nim-100",
];

impl Suite {
    /// The games with what is asked about them.
    pub fn tasks(self) -> Vec<(PathBuf, Vec<Task>)> {
        let against_random = |role: &str| Task {
            roles: Vec::new(),
            random: vec![role.to_string()],
        };
        let names: Vec<&str> = match self {
            Suite::Paper => PAPER.to_vec(),
            Suite::All => games::bundled().iter().map(|game| game.name).collect(),
        };
        let tasks = |name: &str| {
            let has_random = has_role(name, "random");
            let players = ["x", "o"]
                .into_iter()
                .filter(|role| !has_random && has_role(name, role));
            let against = players.map(against_random);
            match self {
                Suite::Paper if !has_random => against.collect(),
                _ => std::iter::once(Task::default()).chain(against).collect(),
            }
        };
        names
            .into_iter()
            .map(|name| (PathBuf::from(name), tasks(name)))
            .collect()
    }
}

/// Whether a bundled game declares a role, by its header.
fn has_role(game: &str, role: &str) -> bool {
    let text = games::find(game).map_or("", |game| game.text);
    let roles = text.lines().find_map(|line| line.split_once("roles:"));
    roles.is_some_and(|(_, roles)| roles.split(',').any(|name| name.trim() == role))
}

impl Task {
    /// The questions, without their horizon.
    pub fn cases(&self, subject: &Subject) -> Result<Vec<Case>, Failure> {
        let roles = Roles::of(&subject.ground, &self.random)?;
        let case = |role| Case {
            role: RoleId::new(role),
            random: roles.chance_ids(),
            horizon: 0,
        };
        Ok(roles.asked(&self.roles)?.into_iter().map(case).collect())
    }
}
