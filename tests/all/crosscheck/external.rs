//! Other programs, played by scripts: right, wrong, slow, crashing, and talking nonsense.

use super::{at, limits, subject};
use crate::run::{command, finish};
use emm::cnf::dimacs;
use emm::crosscheck::{
    BySearch, Case, DepQbf, Finding, Found, Limits, Method, SharpSsat, Subject, Verdict, compare,
};
use emm::encode::Prefix;
use emm::source::Source;
use emm::ssat;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Writes a script.
fn script(folder: &Path, body: &str) -> PathBuf {
    let path = folder.join("program");
    fs::write(&path, format!("#!/bin/sh\n{body}\n")).expect("a file");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("permissions");
    path
}

/// What SharpSSAT is taken to say about one-shot, whose value is 2/3, if it behaves like this.
fn said(body: &str) -> Found {
    let folder = tempfile::tempdir().expect("a folder");
    let (subject, case) = subject("one-shot");
    find(&subject, &at(&case, 1), &script(folder.path(), body), &limits()).found
}

fn find(subject: &Subject, case: &Case, program: &Path, limits: &Limits) -> Finding {
    let prefix = Prefix::Dependency;
    let program = program.to_path_buf();
    SharpSsat { program, prefix }.find(subject, case, limits)
}

fn answer(number: &str) -> String {
    format!("echo 'c noise'; echo '# satisfying probability = {number}'")
}

#[test]
fn sharpssat_is_asked_about_the_formula_and_believed_within_its_precision() {
    let folder = tempfile::tempdir().expect("a folder");
    let (subject, case) = subject("one-shot");
    let case = at(&case, 1);
    let verdict = |number: &str| {
        let into = folder.path().display();
        let body =
            format!("echo \"$1 $2 $3 $4\" > {into}/options; cp \"$5\" {into}/formula; pwd > {into}/where");
        let program = script(folder.path(), &format!("{body}; {}", answer(number)));
        let sharpssat = SharpSsat {
            program,
            prefix: Prefix::Base,
        };
        compare(&subject, &case, &[&BySearch, &sharpssat], &limits()).verdict()
    };
    for right in ["0.6666667", "0.66666592"] {
        assert_eq!(verdict(right), Verdict::Agree(2), "{right}");
    }
    for wrong in ["0.666669", "0.66666", "0", "1"] {
        let disagree = Verdict::Disagree("search".to_string(), "SharpSSAT Q_b".to_string());
        assert_eq!(verdict(wrong), disagree, "{wrong}");
    }
    let read = |name| fs::read_to_string(folder.path().join(name)).expect(name);
    assert_eq!(read("options"), "-s -u -cs 4096\n");
    let cnf = dimacs::read(&Source::new("formula", read("formula")))
        .cnf
        .expect("a formula");
    let value = ssat::evaluate(&cnf, &ssat::Options::default()).interval.lo;
    assert_eq!(value.to_string(), "2/3");
    assert!(!Path::new(read("where").trim()).exists(), "its folder is gone");
}

#[test]
fn nonsense_and_crashes_are_no_answers() {
    let nothing = |body: &str| match said(body) {
        Found::Nothing(reason) => reason,
        other => panic!("{body}: {other:?}"),
    };
    for number in ["", "x", "nan", "inf", "-0.5", "1.1", "0.5 or so", "2/3"] {
        assert_eq!(nothing(&answer(number)), "no answer (exit code 0)", "{number}");
    }
    assert_eq!(
        nothing(&format!("{0}; {0}", answer("0.6666667"))),
        "no answer (exit code 0)"
    );
    assert_eq!(nothing("exit 134"), "no answer (exit code 134)");
    // Also if it crashes after it has printed the right answer.
    let crash = format!("{}; kill -SEGV $$", answer("0.6666667"));
    assert_eq!(nothing(&crash), "SharpSSAT crashed");
    let gone = Path::new("/no/such/program");
    let (subject, case) = subject("one-shot");
    let found = find(&subject, &at(&case, 1), gone, &limits()).found;
    assert!(matches!(found, Found::Nothing(_)), "{found:?}");
}

#[test]
fn after_a_crash_only_zero_is_believed() {
    let without = |number| format!("case \"$*\" in *-u*) kill -SEGV $$;; esac; {}", answer(number));
    assert!(matches!(said(&without("0")), Found::Near(0.0, _)));
    assert!(matches!(said(&without("0.6666667")), Found::Nothing(_)));
}

#[test]
fn a_slow_program_is_ended() {
    let folder = tempfile::tempdir().expect("a folder");
    let (subject, case) = subject("one-shot");
    let short = Limits {
        time: Duration::from_millis(300),
        ..limits()
    };
    let start = Instant::now();
    let program = script(folder.path(), "exec sleep 60");
    let found = find(&subject, &at(&case, 1), &program, &short).found;
    assert_eq!(found, Found::Nothing("no answer within 0.3 s".to_string()));
    assert!(start.elapsed() < Duration::from_secs(20));
}

#[test]
fn depqbf_needs_its_exit_code() {
    let folder = tempfile::tempdir().expect("a folder");
    let (subject, mut case) = subject("tt-3x3");
    case.horizon = 5;
    let found = |body| {
        let program = script(folder.path(), body);
        DepQbf { program }.find(&subject, &case, &limits()).found
    };
    assert!(matches!(found("echo SAT; exit 10"), Found::Exact(value) if value.to_string() == "1"));
    assert!(matches!(found("echo UNSAT; exit 20"), Found::Exact(value) if value.to_string() == "0"));
    for bad in [
        "echo SAT; exit 0",
        "echo SAT; exit 20",
        "echo UNSAT; exit 10",
        "exit 10",
        "kill -9 $$",
    ] {
        assert!(matches!(found(bad), Found::Nothing(_)), "{bad}");
    }
}

/// Runs `emm crosscheck` on s-nim-3 with a script for SharpSSAT, which the command finds by option.
fn crosscheck(folder: &Path, body: &str, options: &[&str]) -> crate::run::Run {
    let program = format!("sharpssat={}", script(folder, body).display());
    let asked = [
        "crosscheck",
        "s-nim-3",
        "--role",
        "x",
        "--horizon",
        "12",
        "--program",
    ];
    let mut command = command(&[&asked[..], &[&program], options].concat());
    command.arg("--save").arg(folder.join("saved"));
    finish(command)
}

#[test]
fn a_wrong_program_is_exit_code_4_and_a_saved_reproduction() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = crosscheck(folder.path(), &answer("0.9"), &["--with", "internal,sharpssat"]);
    assert_eq!(run.code, 4, "{}", run.err);
    assert!(
        run.err
            .contains("error: search and SharpSSAT Q_b disagree about `s-nim-3`"),
        "{}",
        run.err
    );
    assert!(run.out.contains("DISAGREE"), "{}", run.out);
    let saved: Vec<PathBuf> = fs::read_dir(folder.path().join("saved"))
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    let [saved] = &saved[..] else {
        panic!("one case is saved: {saved:?}");
    };
    // Within three steps nobody can win, which is known before any solver is asked.
    let report = fs::read_to_string(saved.join("README.txt")).expect("a report");
    assert!(report.contains("SharpSSAT Q_b: 0.9 within 0.000001"), "{report}");
    let horizon: u32 = report
        .split("within ")
        .nth(1)
        .and_then(|rest| rest.split(' ').next()?.parse().ok())
        .expect("a horizon");
    assert!(horizon < 12, "the smallest horizon is looked for: {report}");
    for name in [
        "game.gdl",
        "base.lp",
        "base.sdimacs",
        "dependency.lp",
        "dependency.sdimacs",
    ] {
        assert!(saved.join(name).is_file(), "{name}");
    }
    let mut again = command(&["crosscheck"]);
    again.arg(saved.join("game.gdl"));
    again.args(["--role", "x", "--horizon", &horizon.to_string()]);
    assert_eq!(finish(again).code, 0, "without the wrong program all agree");
}

#[test]
fn what_is_absent_or_unknown_is_said() {
    let mut absent = command(&["crosscheck", "one-shot", "--with", "sharpssat,clingo"]);
    absent.env("PATH", "");
    let run = finish(absent);
    assert_eq!(run.code, 3, "{}", run.err);
    assert_eq!(run.out.matches("absent").count(), 4, "{}", run.out);
    for (program, words) in [
        ("sharpsat=/bin/sh", "the programs are clingo, SharpSSAT, depqbf"),
        ("clingo=/no/such/file", "there is no file"),
        ("clingo", "expected `NAME=FILE`"),
    ] {
        let run = crate::run::emm(&["crosscheck", "one-shot", "--program", program]);
        assert_eq!(run.code, 2, "{}", run.err);
        assert!(run.err.contains(words), "{}", run.err);
    }
}

#[test]
fn results_are_added_to_a_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    let into = folder.path().to_str().expect("a path");
    for game in ["one-shot", "coins", "one-shot"] {
        let run = crate::run::emm(&["crosscheck", game, "--results", into]);
        assert_eq!(run.code, 0, "{}", run.err);
    }
    let csv = fs::read_to_string(folder.path().join("crosscheck.csv")).expect("a table");
    let games: Vec<&str> = csv
        .lines()
        .skip(1)
        .filter_map(|line| line.split(',').next())
        .collect();
    assert_eq!(games, [["coins"; 3], ["one-shot"; 3], ["one-shot"; 3]].concat());
    let markdown = fs::read_to_string(folder.path().join("crosscheck.md")).expect("a table");
    assert!(
        markdown.contains("3 questions: 3 agree, 0 disagree, 0 are open. 3 of them"),
        "{markdown}"
    );
    fs::write(folder.path().join("crosscheck.csv"), "something else\n").expect("a file");
    let run = crate::run::emm(&["crosscheck", "coins", "--results", into]);
    assert_eq!(run.code, 1, "{}", run.err);
    assert!(run.err.contains("is not a table"), "{}", run.err);
}

#[test]
fn a_limit_makes_the_horizon_smaller() {
    // No machine evaluates this formula in a second: connect-4 on 6x6 is not even solved by search.
    let run = crate::run::emm(&[
        "crosscheck",
        "c4-6x6",
        "--role",
        "x",
        "--timeout",
        "1s",
        "--format",
        "csv",
    ]);
    assert_eq!(run.code, 0, "{}", run.err);
    let line = run.out.lines().nth(1).expect("a row");
    let cells: Vec<&str> = line.split(',').collect();
    let horizon: u32 = cells[3].parse().expect("a horizon");
    assert_eq!(cells[4], "36");
    assert!(
        (1..36).contains(&horizon) && line.ends_with("3 agree"),
        "{}",
        run.out
    );
}
