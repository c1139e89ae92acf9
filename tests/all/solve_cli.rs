//! `emm solve`: published values, real games, the engines against each other, limits, and what it says.

mod checkpoint;
mod engines;
mod formats;
mod limits;
mod published;
mod real_games;
mod surface;

use emm::machine::Machine;
use emm::source::Source;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Games and values that stand beside the repository; nothing if they are not there.
fn shared(part: &str) -> Option<PathBuf> {
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared");
    if !shared.is_dir() {
        println!("skipped: ../shared is not there");
        return None;
    }
    Some(shared.join(part))
}

fn machine(path: &Path) -> Machine {
    let text = std::fs::read(path).expect("a game");
    let text = String::from_utf8_lossy(&text).into_owned();
    match Machine::load(Source::new(path.display().to_string(), text)) {
        Ok(machine) => machine,
        Err(error) => panic!("{}: {error}", path.display()),
    }
}

/// The records that a run prints as JSON; the exit code must be `code`.
fn records(args: &[&str], code: i32) -> Vec<Value> {
    let run = crate::run::emm(&[args, &["--format", "json"]].concat());
    assert_eq!(run.code, code, "{args:?}: {}", run.err);
    let report: Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!(report["version"], 1);
    report["records"].as_array().expect("records").clone()
}
