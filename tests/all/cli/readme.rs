//! The README says what the program does.

use emm::check::codes;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn the_examples_of_the_readme_print_what_it_shows() {
    trycmd::TestCases::new().case("README.md");
}

#[test]
fn the_formula_of_the_examples_is_what_encode_prints() {
    let file = fs::read_to_string(root().join("tests/data/cli/one-shot.sdimacs")).expect("a formula");
    let run = crate::run::emm(&["encode", "one-shot", "--role", "x", "--to", "sdimacs"]);
    assert_eq!(
        run.out, file,
        "`emm encode one-shot --role x --to sdimacs` writes it anew"
    );
}

#[test]
fn the_readme_lists_every_diagnostic_and_no_other() {
    let readme = fs::read_to_string(root().join("README.md")).expect("README.md");
    let (_, section) = readme
        .split_once("## Diagnostics")
        .expect("a section of diagnostics");
    let section = section.split("\n## ").next().expect("a section");
    let rows = section.lines().filter_map(|line| line.strip_prefix("| `"));
    let listed: BTreeSet<&str> = rows.filter_map(|row| row.split('`').next()).collect();
    let mut sources = Vec::new();
    for part in ["src/syntax", "src/ground", "src/cli"] {
        read_all(&root().join(part), &mut sources);
    }
    let written = sources.iter().flat_map(|text| codes_in(text));
    let known: BTreeSet<&str> = codes::ALL.iter().map(|code| code.name).chain(written).collect();
    assert!(
        known.len() > codes::ALL.len() + 20,
        "the codes of the other stages are found: {known:?}"
    );
    assert_eq!(listed, known);
}

#[test]
fn the_readme_explains_the_checks_as_the_checks_do() {
    let readme = fs::read_to_string(root().join("README.md")).expect("README.md");
    for code in codes::ALL {
        let row = format!("| `{}` | {} | {} |", code.name, code.severity, code.meaning);
        assert!(readme.contains(&row), "README.md lacks the row\n{row}");
    }
}

fn read_all(directory: &Path, texts: &mut Vec<String>) {
    for entry in fs::read_dir(directory).expect("a directory") {
        let path = entry.expect("an entry").path();
        match path.is_dir() {
            true => read_all(&path, texts),
            false => texts.push(fs::read_to_string(&path).expect("a text")),
        }
    }
}

/// The literal codes that diagnostics are made with: after the maker, or in a tuple that a `match` gives.
fn codes_in(text: &str) -> impl Iterator<Item = &str> {
    let makers = ["error(", "warning(", "=> (\"variable-as-"];
    let places = makers.into_iter().flat_map(|maker| text.match_indices(maker));
    places.filter_map(|(at, _)| {
        let (_, rest) = text[at..].split_once('(')?;
        let (code, after) = rest.trim_start().strip_prefix('"')?.split_once('"')?;
        let is_code = code.chars().all(|c| c.is_ascii_lowercase() || c == '-');
        (is_code && after.starts_with(',')).then_some(code)
    })
}
