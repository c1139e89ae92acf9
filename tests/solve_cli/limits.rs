//! A run that is ended early prints an interval that contains the value.

use crate::run::command;
use emm::solve::Fraction;
use serde_json::Value;
use std::process::{Child, Stdio};
use std::time::Duration;

/// 99.758…, the value of this question.
const GAME: [&str; 7] = ["solve", "c4-5x4", "--random", "o", "--role", "x", "--no-progress"];
const VALUE: (u64, u64) = (32_321_699_843, 32_400_000_000);

fn fraction(value: &Value) -> Fraction {
    let text = value.as_str().expect("a fraction");
    let (numerator, denominator) = text.split_once('/').unwrap_or((text, "1"));
    let part = |text: &str| text.parse().expect("a number");
    Fraction::new(part(numerator), part(denominator)).expect("a fraction")
}

fn start(options: &[&str]) -> Child {
    let args = [&GAME[..], options, &["--format", "json"]].concat();
    let mut command = command(&args);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("emm runs")
}

/// Checks what an ended run printed.
fn check(child: Child, reason: &str) {
    let output = child.wait_with_output().expect("emm ends");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{said}");
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let record = &report["records"][0];
    assert_eq!(
        (&record["status"], &record["stopped_by"]),
        (&"bounded".into(), &reason.into())
    );
    assert_eq!(record["value"], Value::Null);
    let value = Fraction::new(VALUE.0, VALUE.1).expect("a fraction");
    let (lo, hi) = (fraction(&record["lower"]), fraction(&record["upper"]));
    assert!(lo <= value && value <= hi && lo < hi, "{record}");
}

#[test]
fn a_time_limit_leaves_an_interval() {
    check(start(&["--timeout", "0.2s"]), "time");
    check(start(&["--timeout", "1ms"]), "time");
    check(start(&["--timeout", "200ms", "--horizon", "12"]), "time");
}

#[test]
fn a_memory_limit_leaves_an_interval() {
    check(start(&["--memory", "1M"]), "memory");
    check(start(&["--memory", "0"]), "memory");
}

#[cfg(unix)]
#[test]
fn an_interrupt_leaves_an_interval() {
    let child = start(&[]);
    std::thread::sleep(Duration::from_millis(300));
    let killed = std::process::Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(killed.expect("kill runs").success());
    check(child, "interrupt");
}

#[test]
fn a_limit_is_told_in_every_format() {
    let limited = |format: &str| {
        let args = [&GAME[..], &["--memory", "64k", "--format", format]].concat();
        crate::run::emm(&args)
    };
    let text = limited("text");
    assert_eq!(text.code, 3);
    assert!(text.out.contains("(stopped by the memory limit)"), "{}", text.out);
    let csv = limited("csv");
    assert_eq!((csv.code, csv.out.lines().count()), (3, 2));
    assert!(csv.out.contains(",bounded,,,,"), "{}", csv.out);
    assert!(csv.err.contains("between 0.00 % and 100.00 %"), "{}", csv.err);
}
