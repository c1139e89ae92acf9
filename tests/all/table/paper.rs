//! What was published, beside the suites and the bundled games.

use super::{Row, file, question, rows, shared};
use crate::run::{emm, emm_with_input};
use std::collections::BTreeMap;
use std::path::Path;

/// A cell of the paper's tables as suites write it.
fn seconds(cell: &str, limit: &str) -> String {
    match cell {
        "*" => format!(">{limit}"),
        cell => cell.to_string(),
    }
}

#[test]
fn the_suite_paper_is_the_published_table() {
    let Some(published) = shared("expected/paper-table.csv") else {
        return;
    };
    let families = BTreeMap::from([
        ("C-3", "c3"),
        ("C-4", "c4"),
        ("TT", "tt"),
        ("S-C-3", "s-c3"),
        ("S-C-4", "s-c4"),
        ("S-TT", "s-tt"),
        ("S-N", "s-nim"),
    ]);
    let expected = |row: &Row| {
        let p = match row["p"].as_str() {
            _ if row["game"] == "S-N" => String::new(),
            "" => String::new(),
            p => format!("-{}0", p.trim_start_matches("0.")),
        };
        let (role, other) = if row["role"] == "first" {
            ("x", "o")
        } else {
            ("o", "x")
        };
        let random = if row["game"].starts_with("S-") { "" } else { other };
        let game = format!("{}-{}{p}", families[row["game"].as_str()], row["config"]);
        let times = ["qb_s", "qd_s", "emm_s"].map(|column| seconds(&row[column], "1200"));
        (
            game,
            role.to_string(),
            random.to_string(),
            row["value_percent"].clone(),
            times,
        )
    };
    let expected: Vec<_> = rows(&published).iter().map(expected).collect();
    let cell = |row: &Row, column: &str| row[column].clone();
    let suite: Vec<_> = rows(&file("games/paper.csv"))
        .iter()
        .map(|row| {
            let times = ["Qb_s", "Qd_s", "EMM_s"].map(|column| cell(row, column));
            (
                cell(row, "game"),
                cell(row, "role"),
                cell(row, "random_role"),
                cell(row, "published"),
                times,
            )
        })
        .collect();
    assert_eq!(suite, expected);
}

#[test]
fn the_suite_qbf_asks_every_row_within_its_depth_and_at_any() {
    let Some(published) = shared("expected/qbf-table.csv") else {
        return;
    };
    let asked: Vec<_> = rows(&file("games/qbf.csv")).iter().map(question).collect();
    for row in rows(&published) {
        let config = &row["config"];
        let game = match row["game"].as_str() {
            "Connect-4" => format!("c4-{config}"),
            "GTTT-1-1" => format!("gttt-4x4-1-1-{config}"),
            "GTTT-2-2" => format!("gttt-4x4-2-2-{config}"),
            other => format!("{}-{config}", other.to_lowercase()),
        };
        for horizon in [row["tmax"].as_str(), ""] {
            let wanted = [game.as_str(), "x", "", horizon, "win"].map(String::from);
            assert!(asked.contains(&wanted), "{wanted:?}");
        }
    }
}

/// The exact values of all players.
fn values(args: &[&str], input: &str) -> Vec<String> {
    let args = [&["solve"], args, &["--format", "csv", "--quiet"]].concat();
    let run = emm_with_input(&args, input);
    let value = |row: &Row| match row["status"].as_str() {
        "solved" => format!("{}/{}", row["numerator"], row["denominator"]),
        status => status.to_string(),
    };
    rows(&run.out).iter().map(value).collect()
}

fn paper_file(name: &str) -> Option<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared").join(name);
    if !path.is_file() {
        println!("skipped: ../shared/{name} is not there");
        return None;
    }
    Some(path.display().to_string())
}

fn generated(arguments: &str) -> String {
    let words: Vec<&str> = arguments.split_whitespace().collect();
    emm(&[&["generate"], &words[..]].concat()).out
}

/// `solve_cli::published` compares the larger boards, which are solved there anyway.
#[test]
fn families_and_the_papers_files_have_the_same_values_where_the_rules_are_the_same() {
    let pairs = [
        ("tic-tac-toe-stochastic-3x3", "s-tt --width 3 --height 3 --p 4/5"),
        (
            "tic-tac-toe-stochastic-3x3-50-50",
            "s-tt --width 3 --height 3 --p 1/2",
        ),
        // Its name says 2-3; two of five moves of its coin are the player's.
        (
            "tic-tac-toe-stochastic-3x3-2-3",
            "s-tt --width 3 --height 3 --p 2/5",
        ),
    ];
    for (file, arguments) in pairs {
        let Some(path) = paper_file(&format!("paper-gdl/{file}.gdl")) else {
            return;
        };
        let ours = values(&["-"], &generated(arguments));
        assert_eq!(ours.len(), 2, "{arguments}");
        assert_eq!(values(&[&path], ""), ours, "{file}");
    }
    // Against a random player, the files of the deterministic games.
    for (file, arguments) in [
        ("paper-gdl/tic-tac-toe", "tt --width 3 --height 3"),
        (
            "paper-gdl-qbf/connect-3-4x4",
            "connect --k 3 --width 4 --height 4",
        ),
        (
            "paper-gdl-qbf/connect-4-4x4",
            "connect --k 4 --width 4 --height 4",
        ),
    ] {
        let Some(path) = paper_file(&format!("{file}.gdl")) else {
            return;
        };
        for (theirs, ours) in [("oplayer", "o"), ("xplayer", "x")] {
            let expected = values(&["-", "--random", ours], &generated(arguments));
            assert_eq!(values(&[&path, "--random", theirs], ""), expected, "{file}");
        }
    }
}

#[test]
fn the_papers_nim_counts_rounds_only_where_its_file_keeps_them() {
    let Some(small) = paper_file("paper-gdl/nim-stochastic-1-3.gdl") else {
        return;
    };
    // The round is lost in the first player's random phase: plays can last forever.
    assert_eq!(values(&[&small], ""), ["refused", "refused"]);
    assert_eq!(values(&["s-nim-3"], ""), ["5/16", "21/32"]);
    // With 30 pieces the file counts. There a play that is too long is won by the first player, and in the text it
    // is a draw: the second player's value is the same, and the two of the file add up to 1.
    let Some(large) = paper_file("paper-gdl/nim-stochastic-1-30.gdl") else {
        return;
    };
    let (theirs, ours) = (values(&[&large], ""), values(&["s-nim-30"], ""));
    assert_eq!(theirs[1], ours[1]);
    assert_ne!(theirs[0], ours[0]);
    assert_eq!(theirs[0], "72059131200679287/144115188075855872");
    assert_eq!(ours[1], "72056056875176585/144115188075855872");
}

#[test]
fn lines_at_the_border_count_in_our_larger_board_and_not_in_the_papers() {
    // The file's `succ` stops at 3, so three marks on columns 2, 3 and 4 are no line for it.
    let Some(path) = paper_file("paper-gdl/tic-tac-toe-stochastic-4x4.gdl") else {
        return;
    };
    let state = "(cell 2 1 x) (cell 3 1 x) (cell 4 1 x) (turn o)";
    let theirs = state.replace("turn o", "control oplayer");
    let question = |game: &str, role: &str, state: &str| {
        values(&[game, "--role", role, "--horizon", "0", "--state", state], "")
    };
    assert_eq!(question("s-tt-4x4-80", "x", state), ["1/1"]);
    assert_eq!(question(&path, "xplayer", &theirs), ["0/1"]);
}
