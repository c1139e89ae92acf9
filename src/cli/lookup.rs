//! GAME → bytes: a path, standard input, or a bundled game.

use super::suggest;
use emm::diagnostic::Diagnostic;
use emm::games;
use emm::source::Source;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Entries of a directory that are looked through for a suggestion.
const MOST_NEIGHBOURS: usize = 10_000;

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
            name,
            bytes: game.text.as_bytes().to_vec(),
        }),
        (Err(error), None) if error.kind() != io::ErrorKind::NotFound => Err(unreadable(&name, &error)),
        _ => Err(not_found(game)),
    }
}

/// The bytes of a file, or of standard input for `-`.
pub fn bytes(path: &Path) -> io::Result<Vec<u8>> {
    let bytes = match path == Path::new("-") {
        true => bounded(io::stdin().lock())?,
        false => bounded(File::open(path)?)?,
    };
    match bytes.len() > Source::MAX_BYTES {
        true => Err(io::ErrorKind::FileTooLarge.into()),
        false => Ok(bytes),
    }
}

/// Reads a file that is no game, or standard input; the diagnostic says why it cannot be read.
pub fn find_file(path: &Path) -> Result<Found, Diagnostic> {
    match path == Path::new("-") {
        true => read("<stdin>", io::stdin().lock()),
        false => read_file(&path.display().to_string(), path),
    }
}

fn read_file(name: &str, path: &Path) -> Result<Found, Diagnostic> {
    let file = File::open(path).map_err(|error| unreadable(name, &error))?;
    read(name, file)
}

fn read(name: &str, from: impl Read) -> Result<Found, Diagnostic> {
    Ok(Found {
        bytes: bounded(from).map_err(|error| unreadable(name, &error))?,
        name: name.to_string(),
    })
}

/// Reads one byte more than is accepted, so that it can be seen that it is too large.
fn bounded(from: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(Source::MAX_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn unreadable(name: &str, error: &io::Error) -> Diagnostic {
    Diagnostic::global_error("unreadable", format!("`{name}` cannot be read: {error}"))
        .hint("check the path, and whether you may read it")
}

fn not_found(path: &Path) -> Diagnostic {
    let message = format!("there is no file and no bundled game `{}`", path.display());
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let files = neighbours(path);
    let files = suggest::similar(&name, files.iter().map(String::as_str));
    let stem = name.strip_suffix(".gdl").unwrap_or(&name);
    let mut similar = suggest::similar(stem, games::bundled().iter().map(|game| game.name));
    similar.splice(0..0, files);
    let hint = match suggest::did_you_mean(&similar) {
        question if question.is_empty() => "`emm games` lists the bundled games".to_string(),
        question => question,
    };
    Diagnostic::global_error("no-such-game", message).hint(hint)
}

/// The names of the files that stand where `path` would.
fn neighbours(path: &Path) -> Vec<String> {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    let entries = parent.unwrap_or(Path::new(".")).read_dir();
    let files = entries.into_iter().flatten().take(MOST_NEIGHBOURS).flatten();
    files
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()))
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect()
}
