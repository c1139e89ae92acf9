//! The examples of every `--help`, run by a shell as a user would.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// Programs that are not on every computer: of an example that hands them its output, only our part is run.
const PROGRAMS: [&str; 3] = [" | clingo", " | depqbf", " | dot"];

/// The example that names a file of a program that its reader has to build.
const FOREIGN: &str = "SharpSSAT=";

/// Examples that take more than a few seconds: their commands are only looked at, with `--help` at their end.
const LONG: [&str; 5] = ["c3-6x6", "games/*.gdl", "table paper", "table curves", "--suite"];

#[test]
fn the_examples_of_every_help_work() {
    let mut count = 0;
    for command in commands() {
        let folder = tempfile::tempdir().expect("a folder");
        lay_out(folder.path());
        for example in examples(&command) {
            if example.contains(FOREIGN) {
                continue;
            }
            let ours = PROGRAMS.iter().find_map(|program| example.split_once(program));
            let ours = ours.map_or(example.as_str(), |(ours, _)| ours);
            let line = match LONG.iter().any(|long| ours.contains(long)) {
                true => format!("{ours} --help"),
                false => ours.to_string(),
            };
            count += 1;
            run(&line, folder.path());
        }
    }
    assert!(count > 30, "{count} examples were found");
}

/// The commands that the help of the program lists.
fn commands() -> Vec<String> {
    let help = crate::run::emm(&["--help"]).out;
    let list = help.split("Commands:\n").nth(1).expect("a list of commands");
    let list = list.split("\n\n").next().expect("an end of the list");
    let names = list.lines().filter_map(|line| line.strip_prefix("  "));
    names
        .filter(|line| !line.starts_with(' '))
        .map(|line| line.split(' ').next().expect("a name").to_string())
        .collect()
}

/// The examples of a command, without the words that explain them.
fn examples(command: &str) -> Vec<String> {
    let help = crate::run::emm(&[command, "--help"]).out;
    let Some(section) = help.split("Examples:\n").nth(1) else {
        panic!("`emm {command} --help` has no examples");
    };
    let lines = section.lines().take_while(|line| line.starts_with("  emm "));
    let text = |line: &str| {
        let line = line.trim_start();
        line.split("   ").next().unwrap_or(line).trim_end().to_string()
    };
    lines.map(text).collect()
}

/// The files that examples speak of.
fn lay_out(folder: &Path) {
    let copy = |command: &str| run(command, folder);
    copy("emm fmt one-shot --to kif --output game.kif");
    copy("emm fmt one-shot --output game.gdl");
    copy("emm encode one-shot --role x --to sdimacs --output formula.sdimacs");
    copy("emm encode tt-3x3 --role x --horizon 3 --to qdimacs --output formula.qdimacs");
    copy("emm solve s-nim-3 s-nim-4 --format csv --output all.csv");
    fs::write(folder.join("my-suite.csv"), "game,role\none-shot,x\n").expect("a file");
    fs::create_dir_all(folder.join(".local/share/bash-completion/completions")).expect("a folder");
    fs::create_dir_all(folder.join(".config/fish/completions")).expect("a folder");
    for table in ["curves.csv", "crosscheck.csv"] {
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("results").join(table);
        fs::copy(from, folder.join(table)).expect("a copy");
    }
}

fn run(line: &str, folder: &Path) {
    let binary = Path::new(env!("CARGO_BIN_EXE_emm"));
    let beside = binary.parent().expect("a folder").display();
    let path = format!("{beside}:{}", std::env::var("PATH").unwrap_or_default());
    let output = Command::new("bash")
        .args(["-o", "pipefail", "-c", line])
        .current_dir(folder)
        .env("PATH", path)
        .env("HOME", folder)
        .stdin(Stdio::null())
        .output()
        .expect("a shell");
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{line}\n{}\n{err}", output.status);
}
