//! The catalogue of bad inputs, and of odd ones that real games contain: what each gives, word for word.
//!
//! `tests/data/bad` and `tests/data/quirks` hold descriptions `NAME.gdl` with `NAME.expected` beside
//! them. `EMM_BLESS=1 cargo test --test all bad` writes what is found; read it before it is committed.

mod extremes;

use emm::check::{check, codes};
use emm::diagnostic::{Diagnostic, any_error};
use emm::ground::{GroundError, Limits, ground};
use emm::source::Source;
use emm::syntax::{decode, parse};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What the pipeline says about a file: every diagnostic with its hint, then where it ended.
pub fn outcome(name: &str, bytes: Vec<u8>) -> String {
    let (source, refused) = decode(name, bytes);
    let source = Arc::new(source);
    let mut out = lines(&refused, &source);
    if any_error(&refused) {
        return out + "refused by decode\n";
    }
    let parsed = parse(source.clone(), None);
    out += &lines(&parsed.diagnostics, &source);
    if any_error(&parsed.diagnostics) {
        return out + "refused by parse\n";
    }
    let checked = check(&parsed.description);
    out += &lines(&checked.diagnostics, &source);
    let Some(program) = checked.program else {
        return out + "refused by check\n";
    };
    match ground(&program, &Limits::default()) {
        Ok(grounded) => out + &lines(&grounded.diagnostics, &source) + "accepted\n",
        Err(GroundError::Rejected(diagnostics)) => {
            out + &lines(&diagnostics, &source) + "refused by ground\n"
        }
        Err(GroundError::Limit(limit)) => out + &limit.message + "\nstopped by a limit\n",
    }
}

fn lines(diagnostics: &[Diagnostic], source: &Source) -> String {
    let line =
        |diagnostic: &Diagnostic| format!("{}\n    hint: {}\n", diagnostic.one_line(source), diagnostic.hint);
    diagnostics.iter().map(line).collect()
}

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data")
        .join(name)
}

/// The descriptions of a folder, sorted.
fn descriptions(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder of descriptions");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "gdl"));
    paths.sort();
    paths
}

/// Compares every description of a folder with its expected outcome, or writes that.
fn compare_folder(folder: &Path) {
    let mut differences = Vec::new();
    for path in descriptions(folder) {
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let found = outcome(&name, fs::read(&path).expect("a readable file"));
        let expected_path = path.with_extension("expected");
        if std::env::var_os("EMM_BLESS").is_some() {
            fs::write(&expected_path, &found).expect("a writable folder");
        }
        let expected = fs::read_to_string(&expected_path).unwrap_or_default();
        if found != expected {
            differences.push(format!("{name}: expected\n{expected}\nfound\n{found}"));
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

#[test]
fn bad_inputs_give_their_messages() {
    compare_folder(&folder("bad"));
    assert!(descriptions(&folder("bad")).len() >= 60);
}

#[test]
fn quirks_of_real_games_give_their_messages() {
    compare_folder(&folder("quirks"));
}

#[test]
fn every_hint_is_there() {
    for path in [folder("bad"), folder("quirks")]
        .iter()
        .flat_map(|folder| descriptions(folder))
    {
        let expected = fs::read_to_string(path.with_extension("expected")).expect("an expected outcome");
        assert!(!expected.contains("hint: \n"), "{}", path.display());
    }
}

/// Rust files below a folder.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// The codes that a Rust text gives to diagnostics: string literals right after a constructor, or
/// chosen beforehand as the first of a pair.
fn codes_in(text: &str) -> BTreeSet<String> {
    let constructors = [
        "Diagnostic::error(",
        "Diagnostic::warning(",
        "global_error(",
        "global_warning(",
        "=> (",
    ];
    let after = |constructor: &&str| {
        let ends = text
            .match_indices(*constructor)
            .map(|(start, found)| start + found.len());
        ends.collect::<Vec<_>>()
    };
    let literal = |start: usize| text[start..].trim_start().strip_prefix('"')?.split('"').next();
    let is_code = |name: &&str| name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-');
    let ends = constructors.iter().flat_map(after);
    ends.filter_map(literal)
        .filter(is_code)
        .map(str::to_string)
        .collect()
}

#[test]
fn every_code_is_in_the_catalogue() {
    let mut known: BTreeSet<String> = codes::ALL.iter().map(|code| code.name.to_string()).collect();
    let mut paths = Vec::new();
    for stage in ["src/syntax", "src/ground"] {
        sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join(stage), &mut paths);
    }
    for path in paths {
        known.extend(codes_in(&fs::read_to_string(path).expect("a readable source")));
    }
    for code in [
        "encoding",
        "unstratified",
        "variable-as-function",
        "not-covered",
        "nested-too-deep",
    ] {
        assert!(
            known.contains(code),
            "the sources were not understood: {code} is missing in {known:?}"
        );
    }
    let expected = descriptions(&folder("bad"));
    let expected: String = expected
        .iter()
        .map(|path| fs::read_to_string(path.with_extension("expected")).expect("an expected outcome"))
        .collect();
    // Its file would have a gigabyte; `extremes` makes one.
    known.remove("too-large");
    let missing: Vec<_> = known
        .iter()
        .filter(|code| !expected.contains(&format!("[{code}]")))
        .collect();
    assert!(missing.is_empty(), "no bad input for {missing:?}");
}
