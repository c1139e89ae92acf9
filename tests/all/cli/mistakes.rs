//! Mistakes of users: the messages are those of `tests/data/cli/errors.md`, and what nobody reads is no mistake.

use crate::run::command;
use std::io::Read;
use std::process::Stdio;

#[test]
fn mistakes_are_explained_on_one_screen_with_their_exit_code() {
    trycmd::TestCases::new().case("tests/data/cli/errors.md");
}

/// As in `emm games | head -1`.
#[test]
fn whoever_stops_reading_gets_no_complaint() {
    for args in [&["games"][..], &["ground", "s-c4-4x4-80", "--quiet"], &["schema"]] {
        let mut command = command(args);
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("emm runs");
        drop(child.stdout.take());
        let mut complaint = String::new();
        let mut stderr = child.stderr.take().expect("a pipe");
        stderr.read_to_string(&mut complaint).expect("UTF-8");
        assert_eq!(complaint, "", "{args:?}");
        assert!(child.wait().expect("emm ends").success(), "{args:?}");
    }
}

#[test]
fn verbose_tells_what_is_done_and_the_answer_is_the_same() {
    let run = |args: &[&str]| crate::run::emm(&[&["solve", "one-shot", "--format", "csv"], args].concat());
    let (silent, verbose) = (run(&[]), run(&["-v"]));
    assert_eq!(silent.err, "");
    for stage in [
        "parse: ",
        "network: ",
        "machine: ",
        "symmetries: ",
        "engine layered: ",
    ] {
        assert!(verbose.err.contains(stage), "{stage}{}", verbose.err);
    }
    let values = |text: &str| {
        let rows = text
            .lines()
            .map(|line| line.split(',').take(11).collect::<Vec<_>>().join(","));
        rows.collect::<Vec<_>>()
    };
    assert_eq!(values(&silent.out), values(&verbose.out));
}

#[test]
fn the_version_says_how_the_program_was_built() {
    let short = crate::run::emm(&["-V"]).out;
    let long = crate::run::emm(&["--version"]).out;
    assert_eq!(short.lines().count(), 1);
    assert!(long.starts_with(short.trim_end()), "{long}");
    for part in ["target ", "profile ", "vectors "] {
        assert!(long.contains(part), "{long}");
    }
    assert!(!long.contains(env!("CARGO_MANIFEST_DIR")));
}
