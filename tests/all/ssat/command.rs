//! `emm ssat`.

use crate::run::{command, emm, emm_with_input, finish};
use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;
use tempfile::TempDir;

const FORMULA: &str = "c prob 1/3 2 0\np cnf 3 3\na 1 0\nr 0.333 2 0\ne 3 0\n1 2 3 0\n-2 -3 0\n2 -3 0\n";

#[test]
fn the_value_is_printed_exactly() {
    let run = emm_with_input(&["ssat", "-"], FORMULA);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    assert!(run.out.starts_with("33.33 %\n  exactly 1/3\n"), "{}", run.out);
    let quantified = emm_with_input(&["ssat", "-"], "p cnf 2 1\na 1 0\ne 2 0\n1 -2 0\n");
    assert!(
        quantified.out.contains("the formula is true"),
        "{}",
        quantified.out
    );
}

#[test]
fn json_has_the_fraction() {
    let run = emm_with_input(&["ssat", "-", "--format", "json"], FORMULA);
    let json: serde_json::Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!(json["value"]["fraction"], "1/3");
    assert_eq!(
        (&json["status"], &json["lower"]),
        (&"solved".into(), &"1/3".into())
    );
    assert_eq!(json["variables"], 3);
}

#[test]
fn a_limit_is_exit_code_3_with_bounds() {
    // Nothing is forced, so something has to be decided.
    let text = "p cnf 3 3\nr 0.5 1 2 3 0\n1 2 3 0\n-1 -2 0\n-2 -3 1 0\n";
    let run = emm_with_input(&["ssat", "-", "--timeout", "0"], text);
    assert_eq!((run.code, run.err.as_str()), (3, ""));
    assert!(run.out.contains("stopped by the time limit"), "{}", run.out);
    assert!(
        run.out
            .starts_with("from 0.00 to 100.00 %\n  at least 0\n  at most  1\n"),
        "{}",
        run.out
    );
}

#[test]
fn mistakes_are_shown_with_their_line() {
    let run = emm_with_input(&["ssat", "-"], "p cnf 1 1\ne 1 0\n1 -2 0\n");
    assert_eq!((run.code, run.out.as_str()), (1, ""));
    let expected = "\
error[unknown-variable]: variable 2 is greater than the number of variables, 1
 --> <stdin>:3:3
  |
3 | 1 -2 0
  |   ^^
";
    assert!(run.err.starts_with(expected), "{}", run.err);
    let missing = emm(&["ssat", "no-such.sdimacs"]);
    assert_eq!(missing.code, 1);
    assert!(
        missing.err.contains("`no-such.sdimacs` cannot be read"),
        "{}",
        missing.err
    );
}

/// The formula of connect-4 on 5x5 against a random player, which takes minutes.
fn long() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("long.sdimacs");
    let arguments = [
        "encode", "c4-5x5", "--role", "x", "--random", "o", "--to", "sdimacs",
    ];
    let mut encode = command(&arguments);
    encode.arg("--output").arg(&file);
    assert_eq!(finish(encode).code, 0);
    (folder, file)
}

#[test]
fn an_interrupt_leaves_bounds() {
    let (_folder, file) = long();
    let mut ssat = command(&["ssat", "--format", "json"]);
    ssat.arg(&file).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = ssat.spawn().expect("emm runs");
    // Long enough to read the formula and to begin.
    std::thread::sleep(Duration::from_millis(1500));
    crate::run::interrupt(&child);
    let output = child.wait_with_output().expect("emm ends");
    assert_eq!(output.status.code(), Some(3));
    assert!(output.stderr.is_empty(), "progress is for terminals");
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(
        (&json["status"], &json["stopped_by"], &json["value"]),
        (&"bounded".into(), &"interrupt".into(), &serde_json::Value::Null)
    );
    assert!(json["lower"].is_string() && json["upper"].is_string());
}

#[test]
fn time_ends_a_run_and_memory_does_not() {
    let (_folder, file) = long();
    let run = |options: &[&str]| {
        let mut ssat = command(&[&["ssat"], options].concat());
        ssat.arg(&file);
        finish(ssat)
    };
    let stopped = run(&["--timeout", "300ms", "--memory", "64k"]);
    assert_eq!((stopped.code, stopped.err.as_str()), (3, ""));
    assert!(
        stopped.out.contains("stopped by the time limit"),
        "{}",
        stopped.out
    );
    let little = emm_with_input(&["ssat", "-", "--memory", "0"], FORMULA);
    assert!(little.out.contains("exactly 1/3"), "{}", little.out);
}

#[test]
fn what_is_no_text_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("formula");
    let elf = [&b"\x7fELF\x02\x01\x01"[..], &[0; 64], &[0xff; 64]].concat();
    let utf16: Vec<u8> = "p cnf 1 0\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    for bytes in [&elf[..], &utf16, b"\xff\xfe", b""] {
        std::fs::write(&file, bytes).expect("a file");
        let mut ssat = command(&["ssat"]);
        ssat.arg(&file);
        let run = finish(ssat);
        assert_eq!((run.code, run.out.as_str()), (1, ""), "{bytes:?}: {}", run.err);
        assert!(run.err.starts_with("error["), "{}", run.err);
    }
    assert_eq!(emm(&["ssat", "."]).code, 1);
}
