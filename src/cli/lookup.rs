//! GAME → bytes: a path, standard input, or a bundled game.

use super::suggest;
use emm::diagnostic::Diagnostic;
use emm::games;
use emm::source::Source;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// A text that was found.
pub struct Found {
    /// What diagnostics call it.
    pub name: String,
    pub bytes: Vec<u8>,
}

/// Finds a game; the diagnostic says why it cannot be read.
pub fn find(game: &Path) -> Result<Found, Diagnostic> {
    if game == Path::new("-") {
        return read("<stdin>", io::stdin().lock());
    }
    let name = game.display().to_string();
    let bundled = game.to_str().and_then(games::find);
    match (game.metadata(), bundled) {
        (Ok(found), None) if found.is_dir() => {
            let message = format!("`{name}` is a directory, not a game");
            Err(Diagnostic::global_error("unreadable", message).hint("name a file in it"))
        }
        (Ok(found), _) if !found.is_dir() => read_file(&name, game),
        (_, Some(game)) => Ok(Found {
            name: format!("{}.gdl", game.name),
            bytes: game.text.as_bytes().to_vec(),
        }),
        (Err(error), None) if error.kind() != io::ErrorKind::NotFound => Err(unreadable(&name, &error)),
        _ => Err(not_found(&name)),
    }
}

fn read_file(name: &str, path: &Path) -> Result<Found, Diagnostic> {
    let file = File::open(path).map_err(|error| unreadable(name, &error))?;
    read(name, file)
}

/// Reads one byte more than is accepted, so that decoding sees that it is too large.
fn read(name: &str, from: impl Read) -> Result<Found, Diagnostic> {
    let mut bytes = Vec::new();
    let mut bounded = from.take(Source::MAX_BYTES as u64 + 1);
    bounded
        .read_to_end(&mut bytes)
        .map_err(|error| unreadable(name, &error))?;
    Ok(Found {
        name: name.to_string(),
        bytes,
    })
}

fn unreadable(name: &str, error: &io::Error) -> Diagnostic {
    Diagnostic::global_error("unreadable", format!("`{name}` cannot be read: {error}"))
}

fn not_found(name: &str) -> Diagnostic {
    let message = format!("there is no file and no bundled game `{name}`");
    let stem = Path::new(name)
        .file_name()
        .map_or(name.into(), |stem| stem.to_string_lossy());
    let stem = stem.strip_suffix(".gdl").unwrap_or(&stem);
    let similar = suggest::similar(stem, games::bundled().iter().map(|game| game.name));
    let hint = match suggest::did_you_mean(&similar) {
        question if question.is_empty() => "`emm games` lists the bundled games".to_string(),
        question => question,
    };
    Diagnostic::global_error("no-such-game", message).hint(hint)
}
