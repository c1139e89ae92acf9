//! CPU time of grounding: `emm ground GAME` against `gringo --text` on the same rules.
//!
//! `cargo bench --bench gringo` compares the ten games of `../shared/ggp` with the most ground rules
//! among those that `emm` grounds within its default limits, and prints a table in Markdown; names of
//! games as arguments (`-- racer hexPie`) replace the choice. Both programs read a file and write their
//! answer to `/dev/null`. In the translation, `true` and `does` are choices over `init`, `next` and `legal`.

mod cpu;

use cpu::{PATIENCE, cell, cpu_seconds, mean};
use emm::program::{Atom, Literal, Predicate, Program, Rule};
use emm::source::Source;
use emm::term::Term;
use emm::{check, ground, syntax};
use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Games that are compared.
const GAMES: usize = 10;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    // `cargo test --all-targets` runs this too, without the flag, and wants no benchmark.
    if !args.iter().any(|arg| arg == "--bench") {
        return;
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/ggp");
    if !folder.is_dir() {
        return println!("skipped: ../shared is not there");
    }
    if Command::new("gringo").arg("--version").output().is_err() {
        return println!("skipped: gringo is not installed");
    }
    let named: Vec<&str> = args
        .iter()
        .map(String::as_str)
        .filter(|arg| !arg.starts_with('-'))
        .collect();
    let (games, command) = match named[..] {
        [] => (largest(&folder), "cargo bench --bench gringo".to_string()),
        _ => (
            named
                .iter()
                .map(|name| folder.join(format!("{name}.kif")))
                .collect(),
            format!("cargo bench --bench gringo -- {}", named.join(" ")),
        ),
    };
    println!("# CPU seconds of grounding\n");
    println!("`{command}`\n");
    println!("| game | ground rules | gringo | emm | gringo / emm |");
    println!("|---|---:|---:|---:|---:|");
    let ratios: Vec<f64> = games.iter().filter_map(|game| row(game)).collect();
    println!(
        "| geometric mean of {} | | | | {:.2} |",
        ratios.len(),
        mean(&ratios)
    );
}

fn program(path: &Path) -> Option<Program> {
    let (source, _): (Source, _) = syntax::decode(&path.to_string_lossy(), fs::read(path).ok()?);
    let parsed = syntax::parse(Arc::new(source), None);
    check::check(&parsed.description).program
}

/// The number of ground rules, if the default limits allow them.
fn ground_rules(path: &Path) -> Option<usize> {
    let limits = ground::Limits {
        deadline: Some(Instant::now() + Duration::from_secs(PATIENCE)),
        ..ground::Limits::default()
    };
    let grounded = ground::ground(&program(path)?, &limits).ok()?;
    Some(grounded.program.rules().len())
}

fn largest(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder of games");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let mut sized: Vec<(usize, PathBuf)> = paths
        .filter(|path| path.extension().is_some_and(|extension| extension == "kif"))
        .filter_map(|path| Some((ground_rules(&path)?, path)))
        .collect();
    sized.sort_by(|a, b| b.cmp(a));
    sized.into_iter().take(GAMES).map(|(_, path)| path).collect()
}

/// Prints the row of a game; the ratio, if both finished.
fn row(path: &Path) -> Option<f64> {
    let name = path.file_stem()?.to_string_lossy();
    let translated = std::env::temp_dir().join(format!("emm-bench-{}-{name}.lp", std::process::id()));
    fs::write(&translated, translate(&program(path)?)).expect("a writable directory");
    let seconds = |program: &str, args: &[&OsStr]| {
        let ran = cpu_seconds(program.as_ref(), args, &std::env::temp_dir(), Stdio::null());
        ran.filter(|(_, output)| output.status.success())
            .map(|(seconds, _)| seconds)
    };
    let gringo = seconds("gringo", &["--text".as_ref(), translated.as_os_str()]);
    fs::remove_file(&translated).expect("our own file");
    let emm = seconds(
        env!("CARGO_BIN_EXE_emm"),
        &["ground".as_ref(), path.as_os_str(), "-q".as_ref()],
    );
    let ratio = gringo.zip(emm).map(|(gringo, emm)| gringo / emm);
    let rules = ground_rules(path).map_or_else(String::new, |rules| rules.to_string());
    println!(
        "| {name} | {rules} | {} | {} | {} |",
        cell(gringo),
        cell(emm),
        ratio.map_or_else(String::new, |ratio| format!("{ratio:.2}"))
    );
    std::io::stdout().flush().expect("somebody reads");
    ratio
}

fn translate(program: &Program) -> String {
    let mut text =
        String::from("{true_(F)} :- init(F).\n{true_(F)} :- next(F).\n{does(R,M)} :- legal(R,M), role(R).\n");
    text.extend(program.rules().iter().map(rule));
    text
}

fn rule(rule: &Rule) -> String {
    let body: Vec<String> = rule.body.iter().map(literal).collect();
    match body.is_empty() {
        true => format!("{}.\n", atom(&rule.head)),
        false => format!("{} :- {}.\n", atom(&rule.head), body.join(", ")),
    }
}

fn literal(literal: &Literal) -> String {
    match literal {
        Literal::Positive(positive) => atom(positive),
        Literal::Negative(negative) => format!("not {}", atom(negative)),
        Literal::Distinct(a, b) => format!("{} != {}", term(a), term(b)),
    }
}

fn atom(atom: &Atom) -> String {
    let name = match &atom.predicate {
        Predicate::Defined(name, _) => format!("p_{}", mangled(name.as_str())),
        // A reserved word of the other language.
        Predicate::True => "true_".to_string(),
        keyword => keyword.name().to_string(),
    };
    applied(&name, &atom.args)
}

fn term(of: &Term) -> String {
    match of {
        Term::Variable(name) => format!("V{}", mangled(name.as_str())),
        Term::Function(name, args) if args.is_empty() => format!("c_{}", mangled(name.as_str())),
        Term::Function(name, args) => applied(&format!("f_{}", mangled(name.as_str())), args),
    }
}

fn applied(name: &str, args: &[Term]) -> String {
    match args {
        [] => name.to_string(),
        _ => format!("{name}({})", args.iter().map(term).collect::<Vec<_>>().join(",")),
    }
}

/// A name with nothing but letters, digits and underscores.
fn mangled(name: &str) -> String {
    let plain = |c: char| match c.is_ascii_alphanumeric() {
        true => c.to_string(),
        false => format!("_{:x}_", c as u32),
    };
    name.chars().map(plain).collect()
}
