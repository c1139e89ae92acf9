//! The cross-check itself: that it sees what it should, and what it does then.

#[cfg(unix)]
mod external;

use crate::encode::Loaded;
use crate::encode::games::TRAPS;
use crate::run::{Run, emm, emm_with_input};
use emm::crosscheck::{
    ByFormula, ByReference, BySearch, Case, DepQbf, Finding, Found, Limits, Method, Subject, Verdict,
    compare, find_program, longest_play, minimise, save, settle,
};
use emm::encode::Prefix;
use emm::fraction::Fraction;
use std::time::Duration;

fn limits() -> Limits {
    Limits::new(Duration::from_secs(60), 4 << 30)
}

fn subject(name: &str) -> (Subject, Case) {
    let game = Loaded::bundled(name);
    let question = game.questions(0).remove(0);
    let case = Case {
        role: question.role,
        random: question.random,
        horizon: 0,
    };
    let subject = Subject::new(name, game.program, game.ground).expect("a network");
    (subject, case)
}

fn at(case: &Case, horizon: u32) -> Case {
    Case {
        horizon,
        ..case.clone()
    }
}

/// A search that is wrong from some horizon on.
struct Faulty(u32);

impl Method for Faulty {
    fn name(&self) -> String {
        "faulty".to_string()
    }

    fn find(&self, subject: &Subject, case: &Case, limits: &Limits) -> Finding {
        let right = BySearch.find(subject, case, limits);
        let found = match right.found {
            Found::Exact(_) if case.horizon >= self.0 => Found::Exact(Fraction::whole(1)),
            other => other,
        };
        Finding {
            method: self.name(),
            found,
            ..right
        }
    }
}

#[test]
fn a_fault_is_found_minimised_and_saved() {
    let (subject, case) = subject("s-nim-3");
    let faulty = Faulty(5);
    let formula = ByFormula(Prefix::Dependency);
    let methods: [&dyn Method; 2] = [&faulty, &formula];
    let found = compare(&subject, &at(&case, 12), &methods, &limits());
    assert_eq!(
        found.verdict(),
        Verdict::Disagree("faulty".to_string(), "Q_d".to_string())
    );
    let smallest = minimise(&subject, found, &methods, &limits());
    assert_eq!(smallest.case.horizon, 5);
    let folder = tempfile::tempdir().expect("a folder");
    let saved = save(&subject, &smallest, folder.path()).expect("a saved disagreement");
    for name in [
        "game.gdl",
        "README.txt",
        "base.lp",
        "base.sdimacs",
        "dependency.lp",
        "dependency.sdimacs",
    ] {
        let text = std::fs::read_to_string(saved.join(name)).expect(name);
        assert!(text.len() > 100, "{name}");
    }
    let report = std::fs::read_to_string(saved.join("README.txt")).expect("a report");
    assert!(report.contains("faulty: 1\n"), "{report}");
}

#[test]
fn limits_and_absence_are_no_agreement() {
    let (subject, case) = subject("s-tt-3x3-80");
    let short = Limits {
        time: Duration::from_millis(1),
        ..limits()
    };
    let formula = ByFormula(Prefix::Base);
    let found = compare(&subject, &at(&case, 18), &[&formula, &formula], &short);
    assert!(matches!(found.findings[0].found, Found::Between(..)), "{found:?}");
    assert_eq!(found.verdict(), Verdict::Open);
}

/// A method that never comes to an end, and knows only this.
struct Slow(u64, u64);

impl Method for Slow {
    fn name(&self) -> String {
        "slow".to_string()
    }

    fn find(&self, _: &Subject, _: &Case, _: &Limits) -> Finding {
        Finding {
            method: self.name(),
            found: Found::Between(Fraction::whole(self.0), Fraction::whole(self.1)),
            size: None,
            time: Duration::ZERO,
        }
    }
}

#[test]
fn a_limit_hides_no_contradiction() {
    let (subject, case) = subject("s-nim-3");
    let settled = |methods: &[&dyn Method]| settle(&subject, &at(&case, 12), methods, &limits());
    let verdict = |methods: &[&dyn Method]| settled(methods).map(|comparison| comparison.verdict());
    let formula = ByFormula(Prefix::Base);
    let disagree = |one: &str, other: &str| Some(Verdict::Disagree(one.to_string(), other.to_string()));
    assert_eq!(verdict(&[&BySearch, &formula]), Some(Verdict::Agree(2)));
    assert_eq!(verdict(&[&BySearch, &formula, &Slow(0, 1)]), None);
    assert_eq!(verdict(&[&BySearch]), None);
    assert_eq!(
        verdict(&[&BySearch, &Slow(1, 1), &formula]),
        disagree("search", "slow"),
        "5/16 is not between 1 and 1"
    );
    assert_eq!(
        verdict(&[&BySearch, &Faulty(5), &Slow(0, 1)]),
        disagree("search", "faulty")
    );
}

#[test]
fn all_own_methods_agree_on_small_games_at_all_horizons() {
    let methods: [&dyn Method; 4] = [
        &BySearch,
        &ByFormula(Prefix::Base),
        &ByFormula(Prefix::Dependency),
        &ByReference,
    ];
    for (name, last) in [("one-shot", 1), ("s-nim-4", 16), ("buttons-and-lights", 6)] {
        let (subject, case) = subject(name);
        for horizon in 0..=last {
            let found = compare(&subject, &at(&case, horizon), &methods, &limits());
            assert_eq!(found.verdict(), Verdict::Agree(4), "{name} {found:?}");
        }
    }
    let (subject, case) = subject("one-shot");
    let value = compare(&subject, &at(&case, 1), &methods, &limits());
    assert_eq!(value.value().expect("a value").to_string(), "2/3");
}

#[test]
fn depqbf_agrees_where_it_is() {
    let Some(program) = find_program("depqbf") else {
        println!("skipped: depqbf is not there");
        return;
    };
    let (subject, case) = subject("tt-3x3");
    let depqbf = DepQbf { program };
    let formula = ByFormula(Prefix::Base);
    for horizon in [5, 7, 9] {
        let found = compare(&subject, &at(&case, horizon), &[&depqbf, &formula], &limits());
        assert_eq!(found.verdict(), Verdict::Agree(2), "{found:?}");
    }
}

#[test]
fn the_longest_play_is_found_where_states_recur_at_several_depths() {
    let longest = |name| longest_play(&Loaded::bundled(name).machine, &limits());
    // Pieces that are taken need no steps any more; the file says 21 as a bound.
    assert_eq!(longest("breakthrough-2x5"), Some(21));
    assert_eq!(longest("buttons-and-lights"), Some(6));
    let trap = |wanted| TRAPS.iter().find(|trap| trap.0 == wanted).expect("a game").2;
    let machine = |name| Loaded::new(name, trap(name)).machine;
    assert_eq!(longest_play(&machine("never ends"), &limits()), None);
    assert_eq!(longest_play(&machine("starts won"), &limits()), Some(0));
}

#[test]
fn the_command_prints_a_table() {
    let run: Run = emm(&[
        "crosscheck",
        "one-shot",
        "--role",
        "x",
        "--with",
        "internal",
        "--format",
        "csv",
    ]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert_eq!(run.out.lines().count(), 4, "{}", run.out);
    assert!(
        run.out
            .lines()
            .skip(1)
            .all(|line| line.contains(",2/3,") && line.ends_with("3 agree"))
    );
}

#[test]
fn the_encoder_explains_what_it_cannot_do() {
    let refused = |arguments: &[&str], code: i32, words: &str| {
        let run = emm(arguments);
        assert_eq!(run.code, code, "{}", run.err);
        assert!(run.err.contains(words), "{}", run.err);
        assert!(run.out.is_empty());
    };
    refused(&["encode", "one-shot"], 2, "the players are `x`, `o`");
    refused(&["encode", "one-shot", "--role", "random"], 2, "moves at random");
    refused(
        &["encode", "one-shot", "--role", "x", "--to", "qdimacs"],
        1,
        "--to sdimacs",
    );
    refused(
        &["encode", "one-shot", "--role", "x", "--to", "asp"],
        1,
        "`o`, `random`",
    );
    refused(
        &["encode", "s-nim-3", "--role", "x", "--horizon", "4000000000"],
        2,
        "at most",
    );
    let endless = TRAPS
        .iter()
        .find(|trap| trap.0 == "never ends")
        .expect("a game")
        .2;
    let run = emm_with_input(&["encode", "-"], endless);
    assert_eq!(run.code, 1, "{}", run.err);
    assert!(run.err.contains("--horizon N"), "{}", run.err);
}

#[cfg(unix)]
#[test]
fn an_interrupt_leaves_what_was_compared() {
    let folder = tempfile::tempdir().expect("a folder");
    let results = folder.path().join("new/folder");
    let path = results.display().to_string();
    let args = [
        "crosscheck",
        "one-shot",
        "s-tt-4x4-80",
        "--results",
        &path,
        "--format",
        "csv",
    ];
    let mut command = crate::run::command(&args);
    command
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped());
    let child = command.spawn().expect("emm runs");
    let is_begun =
        || std::fs::read_to_string(results.join("crosscheck.csv")).is_ok_and(|text| text.contains("shot,o"));
    let start = std::time::Instant::now();
    while !is_begun() {
        assert!(start.elapsed() < Duration::from_secs(60), "there are no rows");
        std::thread::sleep(Duration::from_millis(5));
    }
    crate::run::interrupt(&child);
    let output = child.wait_with_output().expect("emm ends");
    assert_eq!(output.status.code(), Some(3));
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.lines().count() == 7 && !text.contains("s-tt"), "{text}");
}

/// One bit of many is flipped in every step, forever.
const FLIPS: &str =
    "role(x). bit(1). bit(2). bit(3). bit(4). bit(5). bit(6). bit(7). bit(8). bit(9). bit(10).
    init(on(1)). legal(x,flip(B)) :- bit(B).
    next(on(B)) :- does(x,flip(B)), not true(on(B)).
    next(on(B)) :- true(on(B)), not does(x,flip(B)).
    goal(x,100).";

#[test]
fn a_game_that_cannot_be_asked_about_takes_no_other_with_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let flips = folder.path().join("flips.gdl");
    std::fs::write(&flips, FLIPS).expect("a game");
    let flips = flips.to_str().expect("a path");
    let run = emm(&[
        "crosscheck",
        flips,
        "one-shot",
        "--horizon",
        "all",
        "--format",
        "csv",
    ]);
    assert_eq!(run.code, 1, "{}", run.err);
    assert!(
        run.err
            .contains("it is not known how long a play of `flips` can take"),
        "{}",
        run.err
    );
    assert_eq!(run.out.lines().count(), 13, "{}", run.out);
    let small = emm(&["crosscheck", "one-shot", "--max-rules", "3"]);
    assert_eq!((small.code, small.out.as_str()), (3, ""), "{}", small.err);
    std::fs::write(folder.path().join("crosscheck.csv"), "x,y\n").expect("a file");
    let results = folder.path().to_str().expect("a path");
    let broken = emm(&["crosscheck", "one-shot", "--results", results]);
    assert_eq!((broken.code, broken.out.as_str()), (1, ""));
    assert!(broken.err.contains("is not a table"), "{}", broken.err);
}
