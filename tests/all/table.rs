//! `emm table`, `emm plot`, the suites, and what they say in `results/`.

mod paper;
mod plot;
mod results;
mod runs;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// A row of CSV by the names of its columns.
type Row = BTreeMap<String, String>;

/// The rows of CSV; lines that start with `#` are left out.
fn rows(text: &str) -> Vec<Row> {
    let mut reader = csv::ReaderBuilder::new()
        .comment(Some(b'#'))
        .from_reader(text.as_bytes());
    let heading: Vec<String> = reader
        .headers()
        .expect("a heading")
        .iter()
        .map(String::from)
        .collect();
    let records = reader.records().map(|record| record.expect("a row"));
    let row = |record: csv::StringRecord| {
        heading
            .iter()
            .cloned()
            .zip(record.iter().map(String::from))
            .collect()
    };
    records.map(row).collect()
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A file of this repository.
fn file(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// A file beside this repository, if it is there.
fn shared(path: &str) -> Option<String> {
    let text = fs::read_to_string(root().join("../shared").join(path)).ok();
    if text.is_none() {
        println!("skipped: ../shared/{path} is not there");
    }
    text
}

/// What identifies a question, with empty cells for columns that a suite does not have.
fn question(row: &Row) -> [String; 5] {
    let cell = |column: &str| row.get(column).cloned().unwrap_or_default();
    let objective = match cell("objective") {
        objective if objective.is_empty() => "win".to_string(),
        objective => objective,
    };
    [
        cell("game"),
        cell("role"),
        cell("random_role"),
        cell("horizon"),
        objective,
    ]
}

/// A folder that goes away, and a path in it.
fn scratch(name: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(name);
    (folder, path)
}
