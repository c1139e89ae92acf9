//! What several test files share: reading texts, machines to compare, and random games.
//!
//! Each test uses only part of it, hence the `allow`.
#![allow(dead_code)]

pub mod machines;
pub mod naive;
pub mod random;
pub mod random_game;
pub mod schema;
pub mod spelling;
pub mod variants;

use emm::check::check;
use emm::diagnostic::{Diagnostic, any_error};
use emm::ground::{Limits, ground};
use emm::machine::Machine;
use emm::program::Program;
use emm::propnet::Propnet;
use emm::source::Source;
use emm::syntax::parse;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Fails with what differs, a line each, unless that is nothing.
pub fn assert_all_equal(differences: &[String]) {
    let count = differences.len();
    assert!(count == 0, "{count} differ:\n{}", differences.join("\n"));
}

/// The checked program of a text, or its errors.
pub fn program(name: &str, text: &str) -> Result<Program, String> {
    let source = Arc::new(Source::new(name, text));
    let parsed = parse(source.clone(), None);
    if any_error(&parsed.diagnostics) {
        return Err(errors(&parsed.diagnostics, &source));
    }
    let checked = check(&parsed.description);
    checked
        .program
        .ok_or_else(|| errors(&checked.diagnostics, &source))
}

/// The machine of a program, unless it would be too large.
pub fn machine(program: &Program, limits: &Limits) -> Option<Machine> {
    let grounded = ground(program, limits).ok()?;
    let (net, reduction) = Propnet::build(&grounded.program).ok()?;
    Some(Machine::new(net, reduction))
}

/// The errors among diagnostics, one to a line.
pub fn errors(diagnostics: &[Diagnostic], source: &Source) -> String {
    let errors = diagnostics.iter().filter(|diagnostic| diagnostic.is_error());
    errors
        .map(|error| error.one_line(source))
        .collect::<Vec<_>>()
        .join("\n")
}

/// The descriptions in these folders of `../shared`, sorted; `None` if it is not there.
pub fn shared_games(folders: &[&str]) -> Option<Vec<PathBuf>> {
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared");
    if !shared.is_dir() {
        println!("skipped: ../shared is not there");
        return None;
    }
    let mut found = Vec::new();
    for folder in folders {
        let entries = shared.join(folder).read_dir().expect("a folder of games");
        found.extend(entries.map(|entry| entry.expect("an entry").path()));
    }
    found.retain(|path| path.extension().is_some_and(|ext| ext == "kif" || ext == "gdl"));
    found.sort();
    Some(found)
}
