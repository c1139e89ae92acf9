//! CPU time of formulas: `emm ssat FILE` against `SharpSSAT -s -u FILE` on the same files.
//!
//! `cargo bench --bench sharpssat` writes the formulas of the paper's questions, with both prefixes, and
//! prints a table in Markdown; names of games as arguments (`-- tt-3x3 s-nim-30`) replace the choice.
//! SharpSSAT is looked for on the PATH, or is what the variable `SHARPSSAT` says. Both programs read a file;
//! a value of SharpSSAT that is further than 1e-6 from the exact one is marked in the table.

mod cpu;

use cpu::{cell, cpu_seconds, mean};
use std::ffi::OsStr;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// SharpSSAT computes in 32-bit floating point and prints 7 digits.
const PRECISION: f64 = 1e-6;

/// A question: game, role and random role.
type Question = [String; 3];

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    // `cargo test --all-targets` runs this too, without the flag, and wants no benchmark.
    if !args.iter().any(|arg| arg == "--bench") {
        return;
    }
    let program = std::env::var_os("SHARPSSAT").unwrap_or("SharpSSAT".into());
    let probe = Command::new(&program)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    if let Err(error) = probe {
        return println!("skipped: `{}` cannot be run: {error}", program.to_string_lossy());
    }
    let named: Vec<&String> = args.iter().filter(|arg| !arg.starts_with('-')).collect();
    let is_asked = |question: &&Question| named.is_empty() || named.contains(&&question[0]);
    println!("# CPU seconds of evaluating the same formulas\n");
    println!("`cargo bench --bench sharpssat`\n");
    println!("| game | role | random | prefix | SharpSSAT | emm | SharpSSAT / emm |");
    println!("|---|---|---|---|---:|---:|---:|");
    let mut ratios = Vec::new();
    for question in questions().iter().filter(is_asked) {
        ratios.extend(["base", "dependency"].map(|prefix| row(&program, question, prefix)));
    }
    let ratios: Vec<f64> = ratios.into_iter().flatten().collect();
    if !ratios.is_empty() {
        println!(
            "| geometric mean of {} | | | | | | {:.2} |",
            ratios.len(),
            mean(&ratios)
        );
    }
}

/// The questions of the paper that it has answered with both prefixes.
fn questions() -> Vec<Question> {
    let suites = emm::games::suites();
    let paper = suites
        .iter()
        .find(|suite| suite.name == "paper")
        .expect("a suite");
    let mut reader = csv::ReaderBuilder::new()
        .comment(Some(b'#'))
        .from_reader(paper.text.as_bytes());
    let heading = reader.headers().expect("a heading").clone();
    let place = |name: &str| {
        heading
            .iter()
            .position(|column| column == name)
            .expect("a column")
    };
    let records = reader.records().map(|record| record.expect("a row"));
    let is_answered = |row: &csv::StringRecord| {
        ["Qb_s", "Qd_s"]
            .into_iter()
            .all(|time| row[place(time)].parse::<f64>().is_ok())
    };
    let question =
        |row: csv::StringRecord| ["game", "role", "random_role"].map(|name| row[place(name)].to_string());
    records.filter(is_answered).map(question).collect()
}

/// Prints the row of a question; the ratio, if both finished with the same value.
fn row(program: &OsStr, question: &Question, prefix: &str) -> Option<f64> {
    // SharpSSAT leaves a file where it runs.
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("formula.sdimacs");
    encode(question, prefix, &file)?;
    let run = |program: &OsStr, args: &[&str]| {
        let args: Vec<&OsStr> = args.iter().map(OsStr::new).chain([file.as_ref()]).collect();
        let (seconds, output) = cpu_seconds(program, &args, folder.path(), Stdio::piped())?;
        Some((seconds, String::from_utf8_lossy(&output.stdout).into_owned()))
    };
    let sharpssat = run(program, &["-s", "-u", "-cs", "2000"]);
    let emm = run(env!("CARGO_BIN_EXE_emm").as_ref(), &["ssat", "--format", "json"]);
    let values = sharpssat
        .as_ref()
        .and_then(|(_, printed)| rounded(printed))
        .zip(emm.as_ref().and_then(|(_, printed)| exact(printed)));
    let is_same = values.is_some_and(|(one, other)| (one - other).abs() <= PRECISION);
    let times = [&sharpssat, &emm].map(|ran| ran.as_ref().map(|(seconds, _)| *seconds));
    let ratio = times[0].zip(times[1]).map(|(one, other)| one / other);
    let verdict = match (ratio, is_same) {
        (Some(ratio), true) => format!("{ratio:.2}"),
        (Some(_), false) => "the values differ".to_string(),
        (None, _) => String::new(),
    };
    println!(
        "| {} | {prefix} | {} | {} | {verdict} |",
        question.join(" | "),
        cell(times[0]),
        cell(times[1])
    );
    std::io::stdout().flush().expect("somebody reads");
    ratio.filter(|_| is_same)
}

fn encode(question: &Question, prefix: &str, file: &Path) -> Option<()> {
    let [game, role, random] = question;
    let mut command = Command::new(env!("CARGO_BIN_EXE_emm"));
    command.args([
        "encode", game, "--role", role, "--prefix", prefix, "--to", "sdimacs",
    ]);
    if !random.is_empty() {
        command.args(["--random", random]);
    }
    let status = command.arg("--output").arg(file).status();
    status.ok()?.success().then_some(())
}

/// The value that SharpSSAT prints.
fn rounded(printed: &str) -> Option<f64> {
    let mut lines = printed.lines();
    lines
        .find_map(|line| line.strip_prefix("# satisfying probability = "))?
        .trim()
        .parse()
        .ok()
}

/// The value that `emm ssat` prints.
fn exact(printed: &str) -> Option<f64> {
    let json: serde_json::Value = serde_json::from_str(printed).ok()?;
    json["value"]["decimal"].as_str()?.parse().ok()
}
