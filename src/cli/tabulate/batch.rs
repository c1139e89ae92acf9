//! Tasks → batches: the games are looked for before the first of them is solved.

use super::suite::{Suite, Task};
use crate::cli::Context;
use crate::cli::exit::{Exit, Failure};
use crate::cli::load::{Loaded, SyntaxArgs, sha256};
use crate::cli::suggest;
use emm::check;
use emm::generate;
use emm::program::Program;
use emm::source::Source;
use emm::syntax;
use std::path::Path;
use std::sync::Arc;

/// Questions about a game that one run of `emm solve` answers.
pub struct Batch {
    /// The places of the questions in the suite.
    pub places: Vec<usize>,
    pub tasks: Vec<Task>,
    /// The text of the game if it is generated.
    pub text: Option<String>,
    /// The SHA-256 of the game's text.
    pub sha256: String,
}

/// A game that was found.
struct Found {
    text: Option<String>,
    sha256: String,
    roles: Vec<String>,
}

/// The suite's questions, those together that one run answers. Fails if a game or a role is not there.
pub fn batches(suite: &Suite, context: &Context) -> Result<Vec<Batch>, Failure> {
    let mut batches: Vec<Batch> = Vec::new();
    for (place, task) in suite.tasks.iter().enumerate() {
        let wrong = |message: String, help: String| {
            Failure::input(format!("{}:{}: {message}", suite.name, task.line), help)
        };
        let found = find(task, context, &wrong)?;
        for role in task.random_role.split_whitespace().chain([task.role.as_str()]) {
            check_role(role, &found.roles).map_err(|(message, help)| wrong(message, help))?;
        }
        let known = batches.iter_mut().find(|batch| batch.tasks[0].shares_a_run(task));
        match known {
            Some(batch) => {
                batch.places.push(place);
                batch.tasks.push(task.clone());
            }
            None => batches.push(Batch {
                places: vec![place],
                tasks: vec![task.clone()],
                text: found.text,
                sha256: found.sha256,
            }),
        }
    }
    Ok(batches)
}

fn find(task: &Task, context: &Context, wrong: &dyn Fn(String, String) -> Failure) -> Result<Found, Failure> {
    if task.generate.is_empty() {
        let loaded = Loaded::parse(Path::new(&task.game), SyntaxArgs::default()).check();
        if loaded.has_error() {
            loaded.report(context)?;
            return Err(Failure::Reported(Exit::InputError));
        }
        return Ok(Found {
            text: None,
            sha256: sha256(loaded.source.text()),
            roles: names(loaded.program.as_ref()),
        });
    }
    let text = generated(&task.generate).map_err(|message| {
        let help = "`emm generate --help` explains the families and their options";
        wrong(message, help.to_string())
    })?;
    let parsed = syntax::parse(Arc::new(Source::new(task.game.as_str(), text.as_str())), None);
    let program = check::check(&parsed.description).program;
    Ok(Found {
        sha256: sha256(&text),
        roles: names(program.as_ref()),
        text: Some(text),
    })
}

/// The game of `FAMILY --option value --option value`.
fn generated(arguments: &str) -> Result<String, String> {
    let words: Vec<&str> = arguments.split_whitespace().collect();
    let (family, options) = words.split_first().ok_or("there is no family")?;
    let pairs = options.chunks(2).map(|pair| match pair {
        [name, value] => match name.strip_prefix("--") {
            Some(name) => Ok((name, *value)),
            None => Err(format!("`{name}` is no option")),
        },
        _ => Err(format!("an option of `{arguments}` has no value")),
    });
    let pairs = pairs.collect::<Result<Vec<_>, _>>()?;
    let text = generate::family(family).and_then(|family| family.generate(&pairs));
    text.map_err(|error| error.to_string())
}

/// Suites name roles as the game does, so that rows can be compared.
fn check_role(role: &str, roles: &[String]) -> Result<(), (String, String)> {
    if roles.iter().any(|known| known == role) {
        return Ok(());
    }
    let similar = suggest::similar(role, roles.iter().map(String::as_str));
    let help = match suggest::did_you_mean(&similar) {
        question if question.is_empty() => format!("its roles are {}", roles.join(", ")),
        question => question,
    };
    Err((format!("the game has no role `{role}`"), help))
}

fn names(program: Option<&Program>) -> Vec<String> {
    let roles = program.map_or(&[][..], Program::roles);
    roles.iter().map(ToString::to_string).collect()
}
