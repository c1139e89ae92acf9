//! A run that is ended early prints an interval that contains the value.

use crate::run::{command, emm_with_input};
use emm::solve::Fraction;
use serde_json::Value;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

/// A question that takes an engine long enough to be ended.
struct Asked {
    game: &'static str,
    engine: &'static str,
    value: (u64, u64),
}

const ASKED: [Asked; 2] = [
    Asked {
        game: "c4-5x4",
        engine: "search",
        value: (32_321_699_843, 32_400_000_000),
    },
    Asked {
        game: "c4-5x5",
        engine: "layered",
        value: (624_996_231, 625_000_000),
    },
];

fn fraction(value: &Value) -> Fraction {
    let text = value.as_str().expect("a fraction");
    let (numerator, denominator) = text.split_once('/').unwrap_or((text, "1"));
    let part = |text: &str| text.parse().expect("a number");
    Fraction::new(part(numerator), part(denominator)).expect("a fraction")
}

impl Asked {
    fn args<'a>(&'a self, options: &[&'a str]) -> Vec<&'a str> {
        let question = [
            "solve",
            self.game,
            "--engine",
            self.engine,
            "--random",
            "o",
            "--role",
            "x",
        ];
        [&question[..], &["--no-progress"], options].concat()
    }

    fn start(&self, options: &[&str]) -> Child {
        let mut command = command(&[&self.args(options)[..], &["--format", "json"]].concat());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().expect("emm runs")
    }

    /// Checks what a run with these options prints.
    fn ends(&self, options: &[&str], reason: &str) {
        self.check(self.start(options), reason);
    }

    /// Checks what an ended run printed.
    fn check(&self, child: Child, reason: &str) {
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
        let value = Fraction::new(self.value.0, self.value.1).expect("a fraction");
        let (lo, hi) = (fraction(&record["lower"]), fraction(&record["upper"]));
        assert!(lo <= value && value <= hi && lo < hi, "{record}");
    }
}

#[test]
fn a_time_limit_leaves_an_interval() {
    for asked in &ASKED {
        asked.ends(&["--timeout", "0.2s"], "time");
        asked.ends(&["--timeout", "1ms"], "time");
    }
    ASKED[0].ends(&["--timeout", "200ms", "--horizon", "12"], "time");
}

#[test]
fn a_memory_limit_leaves_an_interval() {
    for asked in &ASKED {
        asked.ends(&["--memory", "1M"], "memory");
        asked.ends(&["--memory", "0"], "memory");
    }
}

#[cfg(unix)]
#[test]
fn an_interrupt_leaves_an_interval() {
    for asked in &ASKED {
        let child = asked.start(&[]);
        std::thread::sleep(Duration::from_millis(300));
        crate::run::interrupt(&child);
        asked.check(child, "interrupt");
    }
}

#[test]
fn a_limit_is_told_in_every_format() {
    let limited = |format: &str| crate::run::emm(&ASKED[0].args(&["--memory", "64k", "--format", format]));
    let text = limited("text");
    assert_eq!(text.code, 3);
    assert!(text.out.contains("(stopped by the memory limit)"), "{}", text.out);
    let csv = limited("csv");
    assert_eq!((csv.code, csv.out.lines().count()), (3, 2));
    assert!(csv.out.contains(",bounded,,,,"), "{}", csv.out);
    assert!(csv.err.contains("between 0.00 % and 100.00 %"), "{}", csv.err);
}

/// Values of so many coins are long numbers, and on the way back from the last one no position is new.
#[test]
fn a_time_limit_ends_long_plays_as_well() {
    let coins = "(role x) (role random) (init (at 0))
        (<= (legal x go)) (<= (legal x stop)) (<= (legal random heads)) (<= (legal random tails))
        (<= (next (at 0)) (does x go) (does random heads))
        (<= (next (at 1)) (does x go) (does random tails))
        (<= (next won) (does x stop) (true (at 1)))
        (<= (next lost) (does x stop) (true (at 0)))
        (<= terminal (true won)) (<= terminal (true lost))
        (<= (goal x 100) (true won)) (<= (goal x 0) (not (true won)))";
    let options = [
        "--engine",
        "search",
        "--horizon",
        "100000",
        "--timeout",
        "1s",
        "--format",
        "csv",
    ];
    let start = Instant::now();
    let run = emm_with_input(&[&["solve", "-", "--quiet"], &options[..]].concat(), coins);
    assert_eq!(run.code, 3, "{}", run.err);
    assert!(run.out.contains(",bounded,"), "{}", run.out);
    // It took minutes when the clock was not looked at on the way back.
    assert!(start.elapsed() < Duration::from_secs(30), "{:?}", start.elapsed());
}
