//! Which module may import which: the pipeline, as a table that fails when an arrow is turned round.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Each module of the library with all it may use. The reference reasoner stands apart on purpose: it is
/// the oracle, so it uses nothing of the grounder, the network or the machine.
const ALLOWED: &[(&str, &[&str])] = &[
    ("source", &[]),
    ("term", &[]),
    ("diagnostic", &["source"]),
    ("game", &[]),
    ("syntax", &["source", "term", "diagnostic"]),
    ("program", &["source", "term"]),
    ("check", &["source", "term", "diagnostic", "syntax", "program"]),
    ("reference", &["source", "term", "program", "game", "syntax"]),
    ("ground", &["source", "term", "diagnostic", "program"]),
    ("propnet", &["ground"]),
    ("symmetry", &["ground", "propnet"]),
    (
        "machine",
        &[
            "source",
            "diagnostic",
            "syntax",
            "check",
            "ground",
            "propnet",
            "symmetry",
            "game",
        ],
    ),
    ("perft", &["game", "ground", "machine"]),
    ("simulate", &["game"]),
    ("fraction", &[]),
    ("solve", &["game", "ground", "machine", "fraction"]),
    ("report", &["game", "solve"]),
    ("cnf", &["source", "diagnostic"]),
    ("encode", &["source", "term", "program", "ground", "cnf"]),
    ("ssat", &["cnf", "fraction"]),
    (
        "crosscheck",
        &[
            "program",
            "ground",
            "propnet",
            "symmetry",
            "machine",
            "game",
            "perft",
            "solve",
            "reference",
            "fraction",
            "encode",
            "cnf",
            "ssat",
        ],
    ),
    ("generate", &["syntax"]),
    ("games", &["generate"]),
];

fn rust_files(path: &Path) -> Vec<PathBuf> {
    if path.is_file() {
        return vec![path.to_path_buf()];
    }
    let entries = fs::read_dir(path)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path());
    entries
        .flat_map(|entry| rust_files(&entry))
        .filter(|file| file.extension().is_some_and(|e| e == "rs"))
        .collect()
}

/// The modules named after `crate::` in a file's code, tests and comments left out.
fn imports(file: &Path) -> Vec<String> {
    let text = fs::read_to_string(file).expect("a readable file");
    let code = text.split("#[cfg(test)]").next().unwrap_or_default();
    let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
    lines
        .flat_map(|line| {
            line.split("crate::")
                .skip(1)
                .map(str::to_string)
                .collect::<Vec<_>>()
        })
        .map(|rest| {
            rest.chars()
                .take_while(|c| c.is_alphanumeric() || *c == '_')
                .collect()
        })
        .collect()
}

#[test]
fn modules_import_only_what_stands_before_them() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let allowed: BTreeMap<_, _> = ALLOWED.iter().copied().collect();
    let mut wrong = Vec::new();
    let mut seen = 0;
    for (module, may_use) in &allowed {
        let folder = src.join(module);
        let single = src.join(format!("{module}.rs"));
        let files = [folder, single]
            .into_iter()
            .filter(|path| path.exists())
            .flat_map(|path| rust_files(&path));
        for file in files.filter(|file| !file.components().any(|part| part.as_os_str() == "tests")) {
            seen += 1;
            for import in imports(&file) {
                let is_module = allowed.contains_key(import.as_str());
                if is_module && import != *module && !may_use.contains(&import.as_str()) {
                    wrong.push(format!(
                        "{} uses {import}",
                        file.strip_prefix(&src).unwrap_or(&file).display()
                    ));
                }
            }
        }
    }
    assert!(seen > 50, "only {seen} files were looked at");
    assert!(
        wrong.is_empty(),
        "imports against the pipeline:\n{}",
        wrong.join("\n")
    );
}

#[test]
fn every_module_of_the_library_is_in_the_table() {
    let lib = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lib.rs")).expect("lib.rs");
    let modules = lib
        .lines()
        .filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';'));
    for module in modules {
        assert!(
            ALLOWED.iter().any(|(name, _)| *name == module),
            "`{module}` is not in the table of imports"
        );
    }
}
