//! Roles by name: who is asked about, and who moves at random.

use super::exit::Failure;
use super::suggest;
use emm::ground::{GroundProgram, RoleId};

/// The role that moves at random without being told to.
const RANDOM: &str = "random";

/// The roles of a game, by name, and who of them moves at random.
pub struct Roles {
    names: Vec<String>,
    chance: Vec<usize>,
    made_random: Vec<usize>,
}

impl Roles {
    /// The roles of these names, of which some are to move at random, as `random` does.
    pub fn new(names: Vec<String>, made_random: &[String]) -> Result<Roles, Failure> {
        let mut roles = Roles {
            names,
            chance: Vec::new(),
            made_random: Vec::new(),
        };
        let named = roles.find_all(made_random)?;
        let is_chance = |role: &usize| roles.names[*role] == RANDOM || named.contains(role);
        roles.chance = (0..roles.names.len()).filter(is_chance).collect();
        roles.made_random = named;
        roles.made_random.retain(|&role| roles.names[role] != RANDOM);
        Ok(roles)
    }

    /// As [`Roles::new`], of a ground program.
    pub fn of(program: &GroundProgram, made_random: &[String]) -> Result<Roles, Failure> {
        let names = program.roles().iter();
        let names = names.map(|&role| program.terms().display(role).to_string());
        Roles::new(names.collect(), made_random)
    }

    /// The names of all roles.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The roles that move at random.
    pub fn chance(&self) -> &[usize] {
        &self.chance
    }

    /// The names of the players that were made random.
    pub fn made_random(&self) -> Vec<String> {
        let made_random = self.made_random.iter();
        made_random.map(|&role| self.names[role].clone()).collect()
    }

    /// The same roles for the encoder.
    pub fn chance_ids(&self) -> Vec<RoleId> {
        self.chance.iter().copied().map(RoleId::new).collect()
    }

    /// The roles that are asked about: those that are named, or all players.
    pub fn asked(&self, wanted: &[String]) -> Result<Vec<usize>, Failure> {
        let named = self.find_all(wanted)?;
        if let Some(&role) = named.iter().find(|role| self.chance.contains(role)) {
            let message = format!(
                "`{}` moves at random, so there is no value for it",
                self.names[role]
            );
            return Err(Failure::usage(
                message,
                format!("the players are {}", self.players()),
            ));
        }
        if !named.is_empty() {
            return Ok(named);
        }
        let all: Vec<usize> = (0..self.names.len())
            .filter(|role| !self.chance.contains(role))
            .collect();
        match all.is_empty() {
            true => Err(Failure::usage(
                "every role moves at random, so no player has a value",
                "",
            )),
            false => Ok(all),
        }
    }

    /// Those that do not move at random, in words.
    pub fn players(&self) -> String {
        quoted(
            (0..self.names.len()).filter(|role| !self.chance.contains(role)),
            &self.names,
        )
    }

    /// The roles of these names, each once.
    fn find_all(&self, wanted: &[String]) -> Result<Vec<usize>, Failure> {
        let mut roles = Vec::new();
        for name in wanted {
            let role = find_role(name, &self.names)?;
            if !roles.contains(&role) {
                roles.push(role);
            }
        }
        Ok(roles)
    }
}

/// The role of this name; GDL does not distinguish capitals.
pub fn find_role(name: &str, names: &[String]) -> Result<usize, Failure> {
    let found = names
        .iter()
        .position(|known| known.eq_ignore_ascii_case(name.trim()));
    found.ok_or_else(|| {
        let similar = suggest::similar(name, names.iter().map(String::as_str));
        let help = match suggest::did_you_mean(&similar) {
            question if question.is_empty() => {
                format!("its roles are {}", quoted(0..names.len(), names))
            }
            question => question,
        };
        Failure::usage(format!("the game has no role `{name}`"), help)
    })
}

fn quoted(roles: impl Iterator<Item = usize>, names: &[String]) -> String {
    let names: Vec<String> = roles.map(|role| format!("`{}`", names[role])).collect();
    match names.is_empty() {
        true => "none".to_string(),
        false => names.join(", "),
    }
}
