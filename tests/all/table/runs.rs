//! Running suites: limits, interruption, resumption, and what is refused.

use super::{file, question, rows, scratch};
use crate::run::{Run, command, emm};
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

const SUITE: &str = "game,role,random_role,published\n\
    one-shot,x,,66.67\n\
    tt-3x3,x,o,99.48\n\
    s-tt-3x3-80,o,,36.75\n\
    s-tt-3x3-80,x,,?\n";

fn table(suite: &Path, options: &[&str]) -> Run {
    emm(&[&["table", suite.to_str().expect("a path")], options].concat())
}

fn written(suite: &str) -> (tempfile::TempDir, std::path::PathBuf) {
    let (folder, path) = scratch("suite.csv");
    fs::write(&path, suite).expect("a suite");
    (folder, path)
}

#[test]
fn a_suite_is_answered_in_its_order_and_compared_with_what_is_published() {
    let (_folder, suite) = written(SUITE);
    let csv = table(&suite, &[]);
    assert_eq!((csv.code, csv.err.as_str()), (0, ""));
    let found: Vec<_> = rows(&csv.out)
        .iter()
        .map(|row| {
            format!(
                "{} {} {} {}",
                row["game"], row["role"], row["numerator"], row["denominator"]
            )
        })
        .collect();
    assert_eq!(
        found,
        [
            "one-shot x 2 3",
            "tt-3x3 x 191 192",
            "s-tt-3x3-80 o 717621 1953125",
            "s-tt-3x3-80 x 164832 390625"
        ]
    );
    let markdown = table(&suite, &["--format", "markdown"]).out;
    let summary =
        "2 agree with what is published, 1 differ from it, 1 were published without an answer and are new";
    assert!(markdown.contains(summary), "{markdown}");
    assert!(markdown.contains("| **no** |"), "{markdown}");
    assert!(
        markdown.contains("- `s-tt-3x3-80`: x: 42.20 %, exactly 164832/390625\n"),
        "{markdown}"
    );
}

#[test]
fn the_games_of_a_family_need_no_file() {
    let (_folder, suite) = written("game,role,generate\nmine,x,s-tt --width 3 --height 3 --p 2/4\n");
    let rows = rows(&table(&suite, &[]).out);
    assert_eq!(
        (rows[0]["game"].as_str(), rows[0]["value"].as_str()),
        ("mine", "0.474609375000")
    );
}

#[test]
fn a_run_goes_on_where_it_was_left() {
    let (folder, suite) = written(SUITE);
    let output = folder.path().join("out.csv");
    let options = ["--output", output.to_str().expect("a path"), "--verbose"];
    assert_eq!(table(&suite, &options).code, 0);
    let complete = fs::read_to_string(&output).expect("a table");
    // Two rows are lost, one of which shares a run, and one is of another version.
    let lines: Vec<&str> = complete.lines().collect();
    let other_version = lines[2].replace(env!("CARGO_PKG_VERSION"), "0.0.9");
    fs::write(&output, [lines[0], lines[1], &other_version, lines[3]].join("\n")).expect("a file");
    let resumed = table(&suite, &[&options[..], &["--resume"]].concat());
    assert_eq!(resumed.code, 0, "{}", resumed.err);
    let answered: Vec<&str> = resumed
        .err
        .lines()
        .filter(|line| line.contains(": solved"))
        .collect();
    assert_eq!(answered.len(), 3, "{}", resumed.err);
    assert!(!resumed.err.contains("one-shot"), "{}", resumed.err);
    let values = |text: &str| -> Vec<_> {
        let row = |row: &super::Row| {
            (
                question(row),
                row["numerator"].clone(),
                row["emm_version"].clone(),
            )
        };
        rows(text).iter().map(row).collect()
    };
    let again = fs::read_to_string(&output).expect("a table");
    assert_eq!(values(&again), values(&complete));
    let nothing_left = table(&suite, &[&options[..], &["--resume"]].concat());
    assert!(!nothing_left.err.contains(": solved"), "{}", nothing_left.err);
    let other_engine = table(
        &suite,
        &[&options[..], &["--resume", "--engine", "search"]].concat(),
    );
    assert_eq!(
        other_engine.err.matches(": solved").count(),
        4,
        "{}",
        other_engine.err
    );
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_leaves_a_whole_file_and_goes_on() {
    let (folder, suite) = written("game,role,random_role\none-shot,x,\nc4-6x6,x,o\n");
    let output = folder.path().join("out.csv");
    let path = output.to_str().expect("a path");
    let args = [
        "table",
        suite.to_str().expect("a path"),
        "--jobs",
        "1",
        "--output",
        path,
    ];
    let mut child = command(&args).stderr(Stdio::piped()).spawn().expect("emm runs");
    let start = Instant::now();
    while !output.exists() {
        assert!(start.elapsed() < Duration::from_secs(60), "there is no row");
        std::thread::sleep(Duration::from_millis(10));
    }
    crate::run::interrupt(&child);
    assert_eq!(child.wait().expect("emm ends").code(), Some(3));
    let left = rows(&fs::read_to_string(&output).expect("a table"));
    assert_eq!(left.len(), 1);
    fs::write(&suite, "game,role,random_role\none-shot,x,\ntt-3x3,x,o\n").expect("a suite");
    let resumed = table(&suite, &["--output", path, "--resume", "--verbose"]);
    assert_eq!(
        (resumed.code, resumed.err.matches(": solved").count()),
        (0, 1),
        "{}",
        resumed.err
    );
    assert_eq!(rows(&fs::read_to_string(&output).expect("a table")).len(), 2);
}

#[test]
fn a_row_without_an_answer_is_there_with_its_status() {
    let (_folder, suite) = written("game,role,random_role\nc4-6x6,x,o\none-shot,x,\n");
    let run = table(&suite, &["--timeout", "300ms"]);
    let statuses: Vec<String> = rows(&run.out).iter().map(|row| row["status"].clone()).collect();
    assert_eq!(
        (run.code, statuses),
        (3, vec!["bounded".to_string(), "solved".to_string()])
    );
    // Two jobs share the memory; what is too little for both is too little for one.
    let run = table(&suite, &["--memory", "1M", "--jobs", "2"]);
    assert_eq!(
        (run.code, run.out.matches(",bounded,").count()),
        (3, 1),
        "{}",
        run.out
    );
}

#[test]
fn a_game_whose_share_of_the_memory_is_too_small_is_solved_alone() {
    let (_folder, suite) = written("game,role\ns-nim-100,x\n");
    let options = ["--memory", "40M", "--engine", "search"];
    let alone = table(&suite, &[&options[..], &["--jobs", "1"]].concat());
    let needed: u64 = rows(&alone.out)[0]["memory_bytes"].parse().expect("a number");
    let memory = (needed + needed / 2).to_string();
    let shared = table(
        &suite,
        &["--memory", &memory, "--engine", "search", "--jobs", "2"],
    );
    assert_eq!(
        (shared.code, shared.out.matches(",solved,").count()),
        (0, 1),
        "{}",
        shared.err
    );
}

#[test]
fn a_broken_table_is_not_gone_on_with() {
    let (folder, suite) = written(SUITE);
    let output = folder.path().join("out.csv");
    let path = output.to_str().expect("a path");
    assert_eq!(table(&suite, &["--output", path]).code, 0);
    let whole = fs::read_to_string(&output).expect("a table");
    let cases = [
        (whole[..whole.len() - 90].to_string(), "found record with"),
        (
            whole[whole.find('\n').unwrap_or(0) + 1..].to_string(),
            "line 1 is not `game,role,",
        ),
        (
            whole.replace(",solved,", ",sloved,"),
            "line 2: `sloved` is no `status`",
        ),
        (
            whole.replace(",191,192,", ",191,0,"),
            "line 3: `191` is no `numerator`",
        ),
        (
            whole.replace(",191,192,", ",190,192,"),
            "line 3: `0.994791666667` is no `value`",
        ),
        ("what is this?".to_string(), "line 1 is not"),
    ];
    for (text, message) in cases {
        fs::write(&output, &text).expect("a file");
        let run = table(&suite, &["--output", path, "--resume"]);
        assert_eq!(run.code, 1, "{}", run.err);
        assert!(run.err.contains("is not a table: "), "{}", run.err);
        assert!(run.err.contains(message), "{}", run.err);
        assert_eq!(
            fs::read_to_string(&output).expect("the file"),
            text,
            "it is left as it was"
        );
    }
}

#[test]
fn what_a_suite_asks_must_be_there() {
    let unknown = emm(&["table", "papr"]);
    assert_eq!(unknown.code, 1);
    assert!(unknown.err.contains("did you mean `paper`?"), "{}", unknown.err);
    let cases = [
        ("game,role\none-shot,y\n", "suite.csv:2: the game has no role `y`"),
        ("game,role\none-shout,x\n", "did you mean `one-shot`?"),
        ("game,role,generate\na,x,s-tt --p 2\n", "suite.csv:2: "),
        ("game,role,generate\na,x,s-tt --p\n", "has no value"),
        ("game,role,generate\na,x,s-t\n", "s-tt"),
        (
            "game,role,colour\na,x,red\n",
            "suite.csv:1: `colour` is no column of a suite",
        ),
        ("game,role\n-,x\n", "standard input"),
    ];
    for (suite, message) in cases {
        let (_folder, path) = written(suite);
        let run = table(&path, &[]);
        assert_eq!((run.code, run.out.as_str()), (1, ""), "{suite}: {}", run.err);
        assert!(run.err.contains(message), "{suite}: {}", run.err);
    }
}

#[test]
fn every_suite_asks_only_what_there_is_and_all_asks_everything() {
    let everything: Vec<_> = rows(&file("games/all.csv")).iter().map(question).collect();
    for suite in ["paper", "qbf", "dice"] {
        for row in rows(&file(&format!("games/{suite}.csv"))) {
            assert!(everything.contains(&question(&row)), "{suite}: {row:?}");
        }
    }
    for game in emm::games::bundled() {
        assert!(
            everything.iter().any(|question| question[0] == game.name),
            "{}",
            game.name
        );
    }
}

#[test]
fn answers_to_other_questions_are_not_lost() {
    let (folder, suite) = written("game,role\none-shot,x\n");
    let output = folder.path().join("out.csv");
    let path = output.to_str().expect("a path");
    assert_eq!(
        emm(&["solve", "s-nim-3", "--format", "csv", "--output", path]).code,
        0
    );
    let before = fs::read_to_string(&output).expect("a table");
    let run = table(&suite, &["--output", path, "--resume"]);
    assert_eq!(run.code, 1);
    assert!(
        run.err.contains("none of this suite, such as `s-nim-3` for x"),
        "{}",
        run.err
    );
    assert_eq!(fs::read_to_string(&output).expect("a table"), before);
}

#[test]
fn outputs_do_not_overwrite_each_other_or_the_suite() {
    let (folder, suite) = written("game,role\none-shot,x\n");
    let same = folder.path().join("./out.csv").display().to_string();
    let path = folder.path().join("out.csv").display().to_string();
    let suite_path = suite.display().to_string();
    let text = fs::read_to_string(&suite).expect("the suite");
    for options in [
        ["--output", &path, "--markdown", &same],
        ["--output", &suite_path, "--jobs", "1"],
    ] {
        let run = table(&suite, &options);
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{}", run.err);
    }
    assert_eq!(fs::read_to_string(&suite).expect("the suite"), text);
    assert!(!folder.path().join("out.csv").exists());
    let run = table(&suite, &["--output", "-"]);
    assert_eq!((run.code, rows(&run.out).len()), (0, 1), "{}", run.err);
    let run = table(&suite, &["--output", &path, "--markdown", "-"]);
    assert!(
        run.code == 0 && run.out.contains("| game |"),
        "{}{}",
        run.out,
        run.err
    );
    let run = crate::run::emm_with_input(&["table", "-"], &text);
    assert_eq!((run.code, rows(&run.out).len()), (0, 1), "{}", run.err);
}

#[test]
fn the_games_of_a_suite_are_not_overwritten() {
    let (folder, suite) = written("game,role\nmine.gdl,x\n");
    let game = folder.path().join("mine.gdl");
    let text = emm(&["games", "--show", "one-shot"]).out;
    fs::write(&game, &text).expect("a game");
    for option in ["--output", "--markdown"] {
        let mut command = command(&[
            "table",
            suite.to_str().expect("a path"),
            option,
            "mine.gdl",
            "--jobs",
            "1",
        ]);
        let run = crate::run::finish({
            command.current_dir(folder.path());
            command
        });
        assert_eq!(run.code, 2, "{}", run.err);
        assert!(run.err.contains("`mine.gdl` is read"), "{}", run.err);
    }
    assert_eq!(fs::read_to_string(&game).expect("the game"), text);
    let both = table(&suite, &["--markdown", "-"]);
    assert_eq!((both.code, both.out.as_str()), (2, ""));
    assert!(both.err.contains("--format markdown"), "{}", both.err);
}
