//! The commands that play: `show`, `perft`, `simulate`.

use crate::run::{emm, emm_with_input};
use serde_json::Value;

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

#[test]
fn perft_counts_in_three_formats_and_both_engines_agree() {
    let text = emm(&["perft", "tt-3x3"]);
    assert_eq!((text.code, text.err.as_str()), (0, ""));
    assert!(
        text.out
            .ends_with("5478 distinct states: all that can be reached\n"),
        "{}",
        text.out
    );
    let csv = emm(&["perft", "tt-3x3", "--depth", "2", "--format", "csv"]);
    let expected =
        "depth,states,new,terminal,stuck,joint,paths\n0,1,1,0,0,9,1\n1,9,9,0,0,72,9\n2,72,72,0,0,504,72\n";
    assert_eq!((csv.code, csv.out.as_str()), (0, expected));
    let by = |engine| json(&emm(&["perft", "one-shot", "--engine", engine, "--format", "json"]).out);
    let (machine, reference) = (by("machine"), by("reference"));
    assert_eq!(machine["layers"], reference["layers"]);
    assert_eq!(machine["end"], "exhausted");
    assert_eq!(machine["layers"][1]["goals"]["100,0,"], 1);
}

#[test]
fn a_limit_of_perft_prints_the_finished_layers_and_exits_with_3() {
    let memory = emm(&["perft", "c4-5x5", "--memory", "100k", "--format", "json"]);
    assert_eq!((memory.code, memory.err.as_str()), (3, ""));
    let found = json(&memory.out);
    assert_eq!(found["end"], "memory");
    assert_eq!(found["layers"][1]["states"], 5);
    let time = emm(&["perft", "tt-3x3", "--engine", "reference", "--timeout", "0"]);
    assert_eq!(time.code, 3);
    assert!(time.out.contains("stopped by the limit: time"), "{}", time.out);
}

#[test]
fn simulate_gives_the_same_transcript_on_both_engines() {
    let by = |engine, format| {
        let run = emm(&[
            "simulate", "s-nim-10", "--seed", "5", "--engine", engine, "--format", format,
        ]);
        assert_eq!((run.code, run.err.as_str()), (0, ""), "{engine}");
        run.out
    };
    for format in ["text", "json", "csv"] {
        assert_eq!(by("machine", format), by("reference", format));
    }
    assert!(by("machine", "text").contains("end: terminal after "));
    assert_eq!(json(&by("machine", "json"))["end"], "terminal");
}

#[test]
fn simulate_gives_statistics_of_many_plays() {
    let of = |format| {
        emm(&[
            "simulate", "one-shot", "--seed", "1", "--plays", "1k", "--format", format,
        ])
    };
    let text = of("text");
    assert_eq!((text.code, text.err.as_str()), (0, ""));
    assert!(text.out.contains("1000 plays: 1 to 1 steps"), "{}", text.out);
    let found = json(&of("json").out);
    assert_eq!(found["plays"], 1000);
    assert_eq!(found["roles"][0]["samples"], 1000);
    assert_eq!(of("csv").out.lines().count(), 4);
    assert_eq!(
        emm(&[
            "simulate",
            "one-shot",
            "--seed",
            "1",
            "--plays",
            "9",
            "--timeout",
            "0"
        ])
        .code,
        3
    );
}

#[test]
fn show_tells_what_is_proven_and_draws() {
    let text = emm(&["show", "tt-3x3"]);
    assert_eq!((text.code, text.err.as_str()), (0, ""));
    assert!(
        text.out.contains("at most one player has a choice at a time"),
        "{}",
        text.out
    );
    let found = json(&emm(&["show", "tt-3x3", "--stats", "--format", "json"]).out);
    assert_eq!(found["proven"]["turn_taking"], true);
    assert_eq!(found["roles"][0]["choice"], "possible");
    assert!(
        found["reductions"]
            .as_array()
            .is_some_and(|steps| steps.len() > 2)
    );
    assert!(found["joint_moves"]["gates"]["max"].is_u64());
    let drawing = emm(&["show", "one-shot", "--dot"]).out;
    assert!(drawing.starts_with("digraph propnet {") && drawing.ends_with("}\n"));
    for part in [
        "label=\"does x left\"",
        "\"next won\" [",
        "label=\"∨\"",
        "never: next choosing",
    ] {
        assert!(drawing.contains(part), "{part} in {drawing}");
    }
}

/// Reachability in a graph that changes: its network grows with every round of the recursion.
fn exploding_network() -> String {
    let nodes: String = (0..70).map(|node| format!("node(n{node}). ")).collect();
    nodes
        + "role(x). legal(x, add(A, B)) :- node(A), node(B).
           next(edge(A, B)) :- does(x, add(A, B)).
           next(edge(A, B)) :- true(edge(A, B)).
           path(A, B) :- true(edge(A, B)).
           path(A, C) :- path(A, B), path(B, C).
           terminal :- path(n0, n1). goal(x, 100) :- path(n1, n0). goal(x, 0) :- not path(n1, n0)."
}

#[test]
fn the_time_limit_reaches_the_network_too_and_names_what_exploded() {
    let game = exploding_network();
    let commands: [&[&str]; 4] = [
        &["show", "-"],
        &["perft", "-", "--depth", "1"],
        &["simulate", "-", "--seed", "1"],
        &["solve", "-"],
    ];
    for command in commands {
        let run = emm_with_input(&[command, &["--timeout", "2s", "--quiet"]].concat(), &game);
        assert_eq!(run.code, 3, "{command:?}: {}", run.err);
        // A slow computer may not get to the network.
        let told = ["is one of 4900 atoms", "the time limit was reached"];
        assert!(
            told.iter().any(|part| run.err.contains(part)),
            "{command:?}: {}",
            run.err
        );
    }
}

#[test]
fn bad_options_are_usage_errors_that_say_what_is_possible() {
    let wrong: [(&[&str], &str); 7] = [
        (
            &["perft", "tt-3x3", "--depth", "-1"],
            "-1 is not in 0..=4294967295",
        ),
        (
            &["perft", "tt-3x3", "--depth", "99999999999"],
            "not in 0..=4294967295",
        ),
        (
            &["perft", "tt-3x3", "--engine", "gpu"],
            "possible values: machine, reference",
        ),
        (&["perft", "tt-3x3", "--memory", "lots"], "--memory"),
        (&["simulate", "tt-3x3"], "--seed"),
        (&["show", "tt-3x3", "--dot", "--stats"], "cannot be used with"),
        (&["show", "tt-3x3", "--timeout", "soon"], "--timeout"),
    ];
    for (args, part) in wrong {
        let run = emm(args);
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{args:?}: {}", run.err);
        assert!(run.err.contains(part), "{args:?}: {}", run.err);
    }
}
