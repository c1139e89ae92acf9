//! `--format json` keeps to its schema, and `--format competition` to one answer.

use crate::run::{emm, emm_with_input};
use crate::support::schema::Schema;
use serde_json::Value;

/// A play can go up and down forever.
const CYCLE: &str = "(role x) (init low) (<= (legal x up) (true low)) (<= (legal x down) (true high))
(<= (next high) (does x up)) (<= (next low) (does x down)) (<= terminal (true end)) (goal x 100)";
/// `x` is stuck.
const STUCK: &str =
    "(role x) (init p) (<= (legal x go) (true q)) (<= (next q) (true q)) (<= terminal (true r)) (goal x 100)";
/// `x` and `o` choose at once, and `o` may have no goal value.
const PENNIES: &str = "(role x) (role o) (init open) (side h) (side t) (<= (legal ?r ?s) (role ?r) (side ?s))
(<= (next won) (does x ?s) (does o ?s)) (<= terminal (not (true open)))
(<= (goal x 100) (true won)) (<= (goal o 100) (not (true won)))";

fn schema() -> Schema {
    let printed = emm(&["schema"]);
    assert_eq!(printed.code, 0);
    Schema::new(serde_json::from_str(&printed.out).expect("JSON"))
}

#[test]
fn json_is_what_its_schema_says() {
    let schema = schema();
    let runs = [
        ("one-shot", "", vec![]),
        ("tt-3x3", "", vec!["--moves", "(choose 1 1)", "--random", "o"]),
        (
            "tt-3x3",
            "",
            vec!["--state", "(cell 1 1 x) (turn o)", "--horizon", "3"],
        ),
        ("s-nim-5", "", vec!["--horizon", "3", "--all-horizons"]),
        ("s-nim-5", "", vec!["--arithmetic", "float"]),
        (
            "s-nim-5",
            "",
            vec!["--engine", "reference", "--objective", "goal"],
        ),
        (
            "c4-5x5",
            "",
            vec!["--timeout", "1ms", "--objective", "at-least:50"],
        ),
        ("-", CYCLE, vec![]),
        ("-", STUCK, vec![]),
        ("-", PENNIES, vec![]),
    ];
    let mut statuses = Vec::new();
    for (game, input, options) in runs {
        let args = [&["solve", game, "--format", "json"], &options[..]].concat();
        let run = emm_with_input(&args, input);
        let written: Value =
            serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{args:?}: {}", run.err));
        assert_eq!(schema.problems(&written), [""; 0], "{args:?}: {written:#}");
        let records = written["records"].as_array().expect("records");
        statuses.extend(
            records
                .iter()
                .map(|record| record["status"].as_str().unwrap_or("").to_string()),
        );
    }
    for status in ["solved", "bounded", "refused"] {
        assert!(
            statuses.iter().any(|found| found == status),
            "no run was {status}"
        );
    }
}

#[test]
fn the_schema_refuses_what_is_wrong() {
    let schema = schema();
    let good: Value =
        serde_json::from_str(&emm(&["solve", "one-shot", "--format", "json"]).out).expect("JSON");
    let wrong = |pointer: &str, value: Value| {
        let mut wrong = good.clone();
        *wrong.pointer_mut(pointer).expect("a field") = value;
        schema.problems(&wrong)
    };
    assert_eq!(schema.problems(&good), [""; 0]);
    let one = "/records/0";
    for (field, value) in [
        ("status", "solvd".into()),
        ("horizon", (-1).into()),
        ("horizon", 1.5.into()),
        ("lower", "0.5".into()),
        ("game_sha256", "12".into()),
        ("start", serde_json::json!({ "kind": "state" })),
        ("notes", Value::Null),
        ("effort/threads", 0.into()),
        ("effort/more", 0.into()),
    ] {
        if field == "effort/more" {
            let mut more = good.clone();
            more["records"][0]["effort"]["more"] = value;
            assert_eq!(schema.problems(&more).len(), 1);
            continue;
        }
        let problems = wrong(&format!("{one}/{field}"), value);
        assert_eq!(problems.len(), 1, "{field}: {problems:?}");
    }
    let mut less = good.clone();
    less["records"][0]
        .as_object_mut()
        .expect("a record")
        .remove("value");
    assert_eq!(schema.problems(&less).len(), 1);
}

#[test]
fn the_lines_of_competitions_have_one_answer() {
    let run = emm(&["solve", "one-shot", "--role", "x", "--format", "competition"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    let answer: Vec<&str> = run.out.lines().filter(|line| !line.starts_with("c o ")).collect();
    insta::assert_snapshot!(answer.join("\n"), @r"
    s SATISFIABLE
    c s type ssat
    c s log10-estimate -0.176091259056
    c s exact arb frac 2/3
    ");
    for several in [
        &["solve", "one-shot"][..],
        &["solve", "one-shot", "one-shot", "--role", "x"],
        &[
            "solve",
            "one-shot",
            "--role",
            "x",
            "--horizon",
            "2",
            "--all-horizons",
        ],
    ] {
        let run = emm(&[several, &["--format", "competition"]].concat());
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{several:?}");
        assert!(run.err.contains("choose a player with `--role`"), "{}", run.err);
    }
}
