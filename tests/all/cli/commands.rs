//! Every command on good input, and on a wrong command line.

use crate::run::{command, emm, emm_with_input};
use serde_json::Value;
use std::io::{BufRead, BufReader, Read};
use std::process::Stdio;

const TINY: &str = "(role x)\n(init p)\n(legal x noop)\n(<= terminal (true p))\n(goal x 100)\n";

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

#[test]
fn help_and_version_are_answers() {
    assert!(emm(&["--version"]).out.starts_with("emm "));
    for args in [
        vec!["--help"],
        vec!["solve", "--help"],
        vec!["validate", "--help"],
        vec!["fmt", "--help"],
        vec!["ground", "--help"],
        vec!["show", "--help"],
        vec!["perft", "--help"],
        vec!["simulate", "--help"],
        vec!["ssat", "--help"],
        vec!["games", "--help"],
        vec!["generate", "--help"],
        vec!["generate", "s-nim", "--help"],
        vec!["schema", "--help"],
        vec!["completions", "--help"],
        vec!["man", "--help"],
    ] {
        let run = emm(&args);
        assert_eq!((run.code, run.err.as_str()), (0, ""), "{args:?}");
        let is_family = args.len() == 3;
        assert!(
            is_family || run.out.contains("Examples:") || run.out.contains("Exit codes:"),
            "{args:?}"
        );
        let widest = run.out.lines().map(|line| line.chars().count()).max();
        assert!(widest <= Some(100), "{args:?} is {widest:?} columns wide");
    }
}

#[test]
fn a_wrong_command_line_is_a_usage_error() {
    for args in [
        vec![],
        vec!["frobnicate"],
        vec!["validate"],
        vec!["validate", "one-shot", "--formt", "json"],
        vec!["validate", "one-shot", "--timeout", "soon"],
        vec!["validate", "one-shot", "--max-rules", "-1"],
        vec!["ground", "one-shot", "--format", "json"],
        vec!["show", "one-shot", "--dot", "--stats"],
        vec!["perft", "one-shot", "--depth", "-1"],
        vec!["perft", "one-shot", "--engine", "steam"],
        vec!["simulate", "one-shot"],
        vec!["fmt", "one-shot", "--check", "--output", "x"],
        vec!["fmt", "one-shot", "--quiet", "--verbose"],
        vec!["generate", "s-nym"],
        vec!["generate", "s-nim", "--pieces", "3"],
        vec!["generate", "s-nim", "--n", "3", "--n", "4"],
        vec!["generate", "s-nim", "--n", "none"],
    ] {
        let run = emm(&args);
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{args:?}");
        assert!(!run.err.is_empty(), "{args:?}");
    }
}

#[test]
fn slips_in_options_and_families_get_a_suggestion() {
    assert!(
        emm(&["validate", "one-shot", "--formt", "json"])
            .err
            .contains("'--format'")
    );
    assert!(emm(&["generate", "s-nym"]).err.contains("'s-nim'"));
    assert!(
        emm(&["validate", "one-shot", "--format", "jsn"])
            .err
            .contains("'json'")
    );
}

#[test]
fn fmt_prints_either_syntax_and_the_way_back_is_the_same() {
    let infix = emm(&["fmt", "one-shot"]);
    let kif = emm(&["fmt", "one-shot", "--to", "kif"]);
    assert_eq!((infix.code, kif.code), (0, 0));
    assert!(kif.out.contains("(<= (next won)"), "{}", kif.out);
    let back = emm_with_input(&["fmt", "-", "--to", "infix"], &kif.out);
    assert_eq!(back.out, infix.out);
}

#[test]
fn fmt_check_tells_by_the_exit_code() {
    let canonical = emm_with_input(&["fmt", "-"], TINY).out;
    let run = emm_with_input(&["fmt", "-", "--check"], &canonical);
    assert_eq!((run.code, run.out.as_str(), run.err.as_str()), (0, "", ""));
    let run = emm_with_input(&["fmt", "-", "--check"], &canonical.replace(' ', "  "));
    assert_eq!((run.code, run.out.as_str()), (1, ""));
    assert!(
        run.err.contains("`<stdin>` is not in canonical form"),
        "{}",
        run.err
    );
}

#[test]
fn a_forced_syntax_is_obeyed() {
    assert_eq!(emm_with_input(&["fmt", "-", "--syntax", "kif"], TINY).code, 0);
    let run = emm_with_input(&["fmt", "-", "--syntax", "infix"], TINY);
    assert_eq!((run.code, run.out.as_str()), (1, ""));
    assert!(run.err.contains("<stdin>:1:1"), "{}", run.err);
}

#[test]
fn validate_sums_up_every_game() {
    let run = emm(&["validate", "one-shot", "one-shot.gdl"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    insta::assert_snapshot!(run.out, @r"
    one-shot: ok: 3 roles, 2 fluents, 6 moves
    one-shot.gdl: ok: 3 roles, 2 fluents, 6 moves
    ");
}

#[test]
fn validate_reports_in_json_what_it_says_in_text() {
    let run = emm(&[
        "validate",
        "--format",
        "json",
        "one-shot",
        "mistakes.kif",
        "nowhere.kif",
    ]);
    assert_eq!((run.code, run.err.as_str()), (1, ""));
    let report = json(&run.out);
    assert_eq!(report["version"], 1);
    let [good, bad, missing] = report["games"].as_array().expect("games").as_slice() else {
        panic!("three games: {report}");
    };
    assert_eq!((&good["ok"], &good["source"]), (&true.into(), &"one-shot".into()));
    assert_eq!(good["summary"]["roles"], json(r#"["x", "o", "random"]"#));
    assert_eq!(
        (&good["summary"]["fluents"], &good["summary"]["moves"]),
        (&2.into(), &6.into())
    );
    assert_eq!(
        (&bad["ok"], &bad["game"]),
        (&false.into(), &"mistakes.kif".into())
    );
    let first = &bad["diagnostics"][0];
    assert_eq!(
        (&first["code"], &first["severity"]),
        (&"unsafe-variable".into(), &"error".into())
    );
    let place = ["line", "column", "end_line", "end_column"].map(|key| first[key].as_u64());
    assert_eq!(place, [Some(5), Some(5), Some(5), Some(24)]);
    assert!(
        first["rule"]
            .as_str()
            .is_some_and(|rule| rule.starts_with("(<= (legal"))
    );
    assert_eq!(
        (&missing["source"], &missing["ok"]),
        (&Value::Null, &false.into())
    );
    assert_eq!(missing["diagnostics"][0]["code"], "no-such-game");
    assert_eq!(missing["diagnostics"][0]["line"], Value::Null);
}

#[test]
fn ground_prints_a_description_of_the_same_game() {
    let once = emm(&["ground", "s-nim-5"]);
    assert_eq!((once.code, once.err.as_str()), (0, ""));
    let twice = emm_with_input(&["ground", "-", "--quiet"], &once.out);
    assert_eq!((twice.code, twice.err.as_str()), (0, ""));
    let sorted = |text: &str| {
        let mut lines: Vec<String> = text.lines().map(String::from).collect();
        lines.sort();
        lines
    };
    assert_eq!(sorted(&twice.out), sorted(&once.out));
}

#[test]
fn statistics_of_grounding_name_every_rule_once() {
    let run = emm(&["ground", "one-shot", "--stats", "--format", "json"]);
    let stats = json(&run.out);
    let rules = stats["source_rules"].as_array().expect("rules");
    assert_eq!((rules.len(), &stats["facts"]), (11, &15.into()));
    let door = rules
        .iter()
        .find(|rule| rule["line"] == 26)
        .expect("the rule in line 26");
    assert_eq!((&door["instances"], &door["column"]), (&3.into(), &1.into()));
    let text = emm(&["ground", "one-shot", "--stats"]).out;
    assert!(
        text.contains("legal(random,door(D)) :- true(choosing), door(D)."),
        "{text}"
    );
    assert!(text.contains("time to ground"), "{text}");
}

#[test]
fn a_limit_is_an_outcome_that_names_the_rule() {
    let run = emm(&["ground", "explodes.kif", "--max-rules", "10k"]);
    assert_eq!((run.code, run.out.as_str()), (3, ""));
    assert!(run.err.contains("explodes.kif:5:1"), "{}", run.err);
    assert!(run.err.contains("--max-rules"), "{}", run.err);
    let run = emm(&["ground", "explodes.kif", "--timeout", "1ms"]);
    assert_eq!(run.code, 3);
    assert!(run.err.contains("time limit"), "{}", run.err);
}

#[test]
fn an_error_outweighs_a_limit() {
    let limits = ["validate", "--max-rules", "10k", "explodes.kif", "one-shot"];
    assert_eq!(emm(&limits).code, 3);
    let run = emm(&[
        "validate",
        "--max-rules",
        "10k",
        "explodes.kif",
        "mistakes.kif",
        "--format",
        "json",
    ]);
    assert_eq!(run.code, 1);
    assert_eq!(json(&run.out)["games"][0]["limit"]["kind"], "rules");
}

#[test]
fn games_are_listed_with_their_roles_in_order() {
    let games = json(&emm(&["games", "--format", "json"]).out);
    let games = games.as_array().expect("games");
    let nim = games
        .iter()
        .find(|game| game["name"] == "s-nim-30")
        .expect("s-nim-30");
    assert_eq!(
        (&nim["roles"], &nim["horizon"]),
        (&json(r#"["x", "o", "random"]"#), &120.into())
    );
    for game in games {
        assert!(
            game["roles"].as_array().is_some_and(|roles| !roles.is_empty()),
            "{game}"
        );
        assert!(
            game["horizon"].is_u64() && game["title"].is_string() && game["value"].is_string(),
            "{game}"
        );
    }
    let table = emm(&["games"]).out;
    assert_eq!(table.lines().count(), games.len() + 1);
}

#[test]
fn the_text_of_a_bundled_game_can_be_had() {
    let run = emm(&["games", "--show", "one-shot.gdl"]);
    assert!(run.out.starts_with("% title: One shot\n"), "{}", run.out);
    let run = emm(&["games", "--show", "one-shoot"]);
    assert_eq!(run.code, 1);
    assert!(run.err.contains("did you mean `one-shot`?"), "{}", run.err);
}

#[test]
fn generated_games_are_valid() {
    for family in emm::generate::families() {
        let game = emm(&["generate", family.name]);
        assert_eq!((game.code, game.err.as_str()), (0, ""), "{}", family.name);
        let run = emm_with_input(&["validate", "-"], &game.out);
        assert_eq!(run.code, 0, "{}: {}", family.name, run.out);
    }
    let run = emm(&["generate", "s-nim", "--n", "7", "--p", "1/3"]);
    assert!(
        run.out
            .starts_with("% title: Stochastic nim with 7 pieces, p = 1/3\n"),
        "{}",
        run.out
    );
}

#[test]
fn completions_know_the_families() {
    for shell in ["bash", "zsh", "fish"] {
        let run = emm(&["completions", shell]);
        assert_eq!(run.code, 0);
        assert!(run.out.contains("dots-and-boxes"), "{shell}");
    }
}

#[test]
fn manual_pages_are_written_for_every_command() {
    let directory = tempfile::tempdir().expect("a directory");
    let pages = directory.path().join("man/man1");
    let run = emm(&["man", "--output", pages.to_str().expect("UTF-8")]);
    assert_eq!((run.code, run.out.as_str(), run.err.as_str()), (0, "", ""));
    for page in ["emm.1", "emm-validate.1", "emm-generate-s-nim.1"] {
        assert!(pages.join(page).is_file(), "{page}");
    }
    assert_eq!(emm(&["man", "--output", "mistakes.kif"]).code, 1);
}

#[test]
fn verbose_notes_and_warnings_go_to_standard_error() {
    let run = emm(&["fmt", "one-shot", "--verbose"]);
    assert!(run.err.contains("parse: "), "{}", run.err);
    assert_eq!(run.out, emm(&["fmt", "one-shot"]).out);
    let no_end = TINY.replace("(<= terminal (true p))\n", "");
    let run = emm_with_input(&["ground", "-"], &no_end);
    assert!(
        run.code == 0 && run.err.contains("warning[no-terminal]"),
        "{}",
        run.err
    );
    let run = emm_with_input(&["ground", "-", "--quiet"], &no_end);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
}

#[test]
fn a_reader_that_leaves_early_is_no_error() {
    let mut child = command(&["ground", "s-nim-100"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("emm runs");
    let mut reader = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut line = String::new();
    reader.read_line(&mut line).expect("a line");
    drop(reader);
    let mut said = String::new();
    child
        .stderr
        .take()
        .expect("a pipe")
        .read_to_string(&mut said)
        .expect("UTF-8");
    assert_eq!((line.as_str(), said.as_str()), ("(role x)\n", ""));
    assert_eq!(child.wait().expect("emm ends").code(), Some(0));
}
