//! Real games: nearly all of them have a meaning.

use emm::check::check;
use emm::diagnostic::{Diagnostic, any_error};
use emm::syntax::{decode, parse};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The files that are refused, with their errors.
const REFUSED: &[(&str, &[&str])] = &[(
    "base.test_case_3f.kif",
    &[
        "base.test_case_3f.kif:11:5: error[unsafe-variable]: variable `?p` is bound by no positive literal",
        "base.test_case_3f.kif:13:22: error[unsafe-variable]: variable `?p` is bound by no positive literal",
    ],
)];

fn descriptions(shared: &Path) -> Vec<PathBuf> {
    let folders = ["ggp", "paper-gdl", "paper-gdl-qbf"].map(|folder| shared.join(folder));
    let entries = folders
        .iter()
        .flat_map(|folder| folder.read_dir().expect("a folder of games"));
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let is_game = |path: &PathBuf| path.extension().is_some_and(|ext| ext == "kif" || ext == "gdl");
    paths.filter(is_game).collect()
}

#[test]
fn real_games_have_a_meaning() {
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared");
    if !shared.is_dir() {
        println!("skipped: ../shared is not there");
        return;
    }
    for path in descriptions(&shared) {
        let name = path
            .file_name()
            .map(|name| name.to_string_lossy().into_owned())
            .unwrap_or_default();
        let (source, unreadable) = decode(&name, std::fs::read(&path).expect("a readable file"));
        assert!(unreadable.is_empty(), "{name}");
        let source = Arc::new(source);
        let parsed = parse(source.clone(), None);
        // A clause that could not be read would escape every check.
        assert!(!any_error(&parsed.diagnostics), "{name}");
        let checked = check(&parsed.description);
        let errors = checked.diagnostics.iter().filter(|d: &&Diagnostic| d.is_error());
        let errors: Vec<String> = errors.map(|error| error.one_line(&source)).collect();
        let expected = REFUSED
            .iter()
            .find(|(refused, _)| *refused == name)
            .map_or(&[][..], |(_, lines)| lines);
        assert_eq!(errors, expected, "{name}");
        assert_eq!(checked.program.is_none(), !expected.is_empty(), "{name}");
    }
}
