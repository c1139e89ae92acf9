//! What `emm solve` prints, takes and refuses.

use super::records;
use crate::run::{emm, emm_with_input};
use emm::game::{Game, Position};
use emm::games;
use emm::machine::Machine;
use emm::solve::shortest_play;
use emm::source::Source;

/// A play can go up and down forever; `x` decides after the first step.
const CYCLE: &str = "(role x) (init start) (<= (legal x go) (true start)) (<= (legal x up) (true low))
(<= (legal x down) (true high)) (<= (legal x stop) (true high)) (<= (next low) (does x go))
(<= (next high) (does x up)) (<= (next low) (does x down)) (<= (next end) (does x stop))
(<= terminal (true end)) (goal x 100)";

/// `x` and `o` choose at once.
const PENNIES: &str = "(role x) (role o) (init open) (side h) (side t) (<= (legal ?r ?s) (role ?r) (side ?s))
(<= (next won) (does x ?s) (does o ?s)) (<= terminal (not (true open)))
(<= (goal x 100) (true won)) (<= (goal o 100) (not (true won)))";

#[test]
fn text_is_for_people() {
    let run = emm(&["solve", "one-shot", "--threads", "1"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    let times = |line: &str| match line.split_once(" thread, ") {
        Some((before, _)) => format!("{before} thread, TIME\n"),
        None => format!("{line}\n"),
    };
    let text: String = run.out.lines().map(times).collect();
    insta::assert_snapshot!(text, @r"
    one-shot: x wins with probability 66.67 %
      exactly 2/3
      first moves of x (* is optimal):
      * 66.67 %  left
        33.33 %  right
      1 state, 1 table entry, engine layered, 1 thread, TIME

    one-shot: o wins with probability 33.33 %
      exactly 1/3
      first moves of x, against it (* is optimal):
      * 33.33 %  left
        66.67 %  right
      1 state, 1 table entry, engine layered, 1 thread, TIME
    ");
}

#[test]
fn csv_has_the_documented_columns_and_a_row_for_each_horizon() {
    let run = emm(&[
        "solve",
        "s-nim-5",
        "--role",
        "x",
        "--horizon",
        "6",
        "--all-horizons",
        "--format",
        "csv",
    ]);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    let mut lines = run.out.lines();
    assert_eq!(
        lines.next(),
        Some(
            "game,role,random_role,objective,horizon,status,value,numerator,denominator,states,edges,engine,threads,\
             cputime_s,walltime_s,memory_bytes,emm_version,game_sha256"
        )
    );
    let rows: Vec<String> = lines
        .map(|line| line.split(',').take(9).collect::<Vec<_>>().join(","))
        .collect();
    assert_eq!(rows.len(), 7);
    assert_eq!(rows[0], "s-nim-5,x,,win,0,solved,0.000000000000,0,1");
    assert_eq!(rows[6], "s-nim-5,x,,win,6,solved,0.250000000000,1,4");
}

#[test]
fn the_reference_engine_and_floats_agree_with_the_search() {
    let value = |options: &[&str]| records(&[&["solve", "s-nim-4"], options].concat(), 0);
    let search = value(&[]);
    let reference = value(&["--engine", "reference"]);
    let float = value(&["--arithmetic", "float"]);
    for ((search, reference), float) in search.iter().zip(&reference).zip(&float) {
        assert_eq!(search["value"], reference["value"]);
        assert_eq!(reference["effort"]["engine"], "reference");
        assert!(
            float["status"] == "enclosed" || float["value"] == search["value"],
            "{float}"
        );
    }
}

#[test]
fn a_position_can_be_given_by_moves_or_by_its_facts() {
    let by_moves = records(
        &[
            "solve",
            "tt-3x3",
            "--role",
            "x",
            "--moves",
            "(choose 1 1); choose(1,2)\nx:(choose 2 2)",
        ],
        0,
    );
    let facts = "(cell 1 1 x) (cell 1 2 o) (cell 2 2 x) (turn o)";
    let by_facts = records(&["solve", "tt-3x3", "--role", "x", "--state", facts], 0);
    let values =
        |records: &[serde_json::Value]| (records[0]["value"].clone(), records[0]["first_moves"].clone());
    assert_eq!(values(&by_moves), values(&by_facts));
    assert_eq!(by_moves[0]["value"]["fraction"], "1");
    assert_eq!(by_moves[0]["start"]["moves"][1], "x:noop o:(choose 1 2)");
    let reference = records(
        &[
            "solve",
            "tt-3x3",
            "--role",
            "x",
            "--engine",
            "reference",
            "--state",
            facts,
        ],
        0,
    );
    assert_eq!(values(&by_facts).0, values(&reference).0);
}

#[test]
fn wrong_moves_and_facts_are_explained() {
    for (options, words) in [
        (
            &["--moves", "(chose 1 1)"][..],
            &["move 1", "did you mean `(choose 1 1)`", "legal are"][..],
        ),
        (
            &["--moves", "(choose 1 1); (choose 1 1)"],
            &["move 2", "no legal move of o"],
        ),
        (
            &["--moves", "x:(choose 1 1) o:(choose 1 2)"],
            &["no legal move of o", "`noop`"],
        ),
        (
            &["--state", "(cell 1 1 x) (cell 1 1 o) (turn x)"],
            &["`(cell 1 1 *)`"],
        ),
        (&["--state", "(cel 1 1 x)"], &["`(cel 1 1 x)` holds in no state"]),
        (&["--state", "(cell 1 1"], &["not a list of facts"]),
        (&["--state", "@nowhere.kif"], &["`nowhere.kif` cannot be read"]),
    ] {
        let run = emm(&[&["solve", "tt-3x3"], options].concat());
        assert_eq!((run.code, run.out.as_str()), (1, ""), "{options:?}");
        assert!(
            words.iter().all(|word| run.err.contains(word)),
            "{options:?}: {}",
            run.err
        );
    }
    let run = emm_with_input(&["solve", "-", "--moves", "h"], PENNIES);
    assert!(
        run.code == 1 && run.err.contains("x has `h`, `t`; o has `h`, `t`"),
        "{}",
        run.err
    );
    let over = emm_with_input(&["solve", "-", "--moves", "h t; h t"], PENNIES);
    assert!(
        over.code == 1 && over.err.contains("the play is over"),
        "{}",
        over.err
    );
}

#[test]
fn a_play_that_can_run_forever_is_shown() {
    let run = emm_with_input(&["solve", "-", "--threads", "1"], CYCLE);
    assert_eq!(run.code, 1);
    assert!(
        run.out.contains("by x:up; x:down") || run.out.contains("by x:down; x:up"),
        "{}",
        run.out
    );
    assert!(run.out.contains("which is reached by x:go"), "{}", run.out);
    assert!(run.out.contains("--horizon N"), "{}", run.out);
    let bounded = emm_with_input(&["solve", "-", "--horizon", "3", "--quiet"], CYCLE);
    assert_eq!(bounded.code, 0);
    assert!(
        bounded.out.contains("100.00 %, within 3 steps"),
        "{}",
        bounded.out
    );
    assert!(bounded.out.contains("in 3 steps: go up stop"), "{}", bounded.out);
}

#[test]
fn simultaneous_choices_are_noted_with_a_state() {
    let run = emm_with_input(&["solve", "-", "--quiet"], PENNIES);
    assert_eq!(run.code, 0);
    assert!(
        run.out
            .contains("so it is a lower bound; for example in\n    open\n"),
        "{}",
        run.out
    );
    assert!(run.out.contains("no goal value at some ends"), "{}", run.out);
}

#[test]
fn a_wrong_question_is_a_usage_error() {
    for (args, words) in [
        (&["--role", "y"][..], "no role `y`"),
        (&["--role", "randon"], "did you mean `random`?"),
        (&["--role", "random"], "`random` moves at random"),
        (&["--role", "x", "--random", "x"], "`x` moves at random"),
        (&["--random", "x", "--random", "o"], "every role moves at random"),
        (&["--horizon", "-1"], "-1"),
        (&["--horizon", "many"], "many"),
        (&["--all-horizons"], "--horizon"),
        (&["--objective", "draw"], "at-least:V"),
        (&["--objective", "at-least:101"], "from 1 to 100"),
        (&["--memory", "lots"], "expected a size"),
        (&["--timeout", "soon"], "expected a duration"),
        (&["--threads", "0"], "0"),
        (&["--engine", "quantum"], "reference"),
        (&["--state", "open", "--moves", "left"], "cannot be used with"),
    ] {
        let run = emm(&[&["solve", "one-shot"], args].concat());
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{args:?}");
        assert!(run.err.contains(words), "{args:?}: {}", run.err);
        assert!(run.err.lines().count() < 24, "{args:?}: {}", run.err);
    }
}

#[test]
fn one_bad_game_does_not_stop_the_others() {
    let run = emm(&[
        "solve",
        "mistakes.kif",
        "one-shot",
        "--format",
        "csv",
        "--role",
        "x",
    ]);
    assert_eq!((run.code, run.out.lines().count()), (1, 2));
    assert!(run.err.contains("error[unsafe-variable]"), "{}", run.err);
}

#[test]
fn a_plan_replays_to_a_win() {
    for name in ["buttons-and-lights", "coins", "peg-15"] {
        let game = games::find(name).expect("a game");
        let machine = Machine::load(Source::new(name, game.text)).expect("a machine");
        let is_won = |_: &_, position: &Position<_>| position.terminal && position.goals[0].contains(100);
        let play = shortest_play(&machine, &machine.initial(), is_won, 1 << 18).expect("no error");
        let (mut state, mut position) = (machine.initial(), Position::new(1));
        for joint in play.expect("a play") {
            machine.look(&state, &mut position).expect("a position");
            assert!(
                !position.terminal && position.legal[0].contains(&joint[0]),
                "{name}"
            );
            state = machine.next(&state, &joint).expect("a state");
        }
        machine.look(&state, &mut position).expect("a position");
        assert!(position.terminal && position.goals[0].contains(100), "{name}");
    }
}

#[test]
fn an_output_file_is_written_and_nothing_is_printed() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("values.json");
    let run = emm(&[
        "solve",
        "one-shot",
        "--format",
        "json",
        "--output",
        &path.display().to_string(),
    ]);
    assert_eq!((run.code, run.out.as_str()), (0, ""));
    assert!(
        std::fs::read_to_string(path)
            .expect("a file")
            .contains("\"fraction\": \"2/3\"")
    );
}

/// `x` has two goal values where it wins, `o` has one everywhere.
const TWO_GOALS: &str = "(role x) (role o) (role random) (init start)
(<= (legal x ?m) (true start) (move ?m)) (move a) (move b) (<= (legal o noop) (true start))
(<= (legal random ?c) (true start) (coin ?c)) (coin h) (coin t)
(<= (next won) (does x a) (does random h)) (<= (next lost) (does x a) (does random t)) (<= (next lost) (does x b))
(<= terminal (not (true start)))
(<= (goal x 100) (true won)) (<= (goal x 50) (true won)) (<= (goal x 0) (true lost))
(<= (goal o 0) (true won)) (<= (goal o 100) (true lost))";

#[test]
fn a_question_without_an_answer_keeps_no_other_from_its_own() {
    for engine in ["auto", "layered", "search"] {
        let options = [
            "solve",
            "-",
            "--objective",
            "goal",
            "--format",
            "csv",
            "--engine",
            engine,
        ];
        let run = emm_with_input(&options, TWO_GOALS);
        assert_eq!(run.code, 1, "{}", run.err);
        let rows: Vec<&str> = run.out.lines().skip(1).collect();
        assert!(rows[0].starts_with("-,x,,goal,,refused,,"), "{}", run.out);
        assert!(
            rows[1].starts_with("-,o,,goal,,solved,50.000000000000,50,1,"),
            "{}",
            run.out
        );
    }
}

#[test]
fn a_game_that_is_too_large_has_an_answer_all_the_same() {
    let run = emm(&[
        "solve",
        "tt-4x4",
        "--role",
        "x",
        "--max-rules",
        "100",
        "--format",
        "json",
    ]);
    assert_eq!(run.code, 3, "{}", run.err);
    assert!(run.err.contains("raise `--max-rules`"), "{}", run.err);
    let report: serde_json::Value = serde_json::from_str(&run.out).expect("JSON");
    let record = &report["records"][0];
    assert_eq!(
        (&record["status"], &record["stopped_by"]),
        (&"bounded".into(), &"size".into())
    );
}

#[test]
fn moves_name_each_role_once() {
    let after = |moves: &str| emm(&["solve", "one-shot", "--role", "x", "--moves", moves]);
    let stranger = after("y:left");
    assert_eq!(stranger.code, 1);
    assert!(
        stranger.err.contains("the game has no role `y`"),
        "{}",
        stranger.err
    );
    let twice = after("x:left x:right");
    assert_eq!(twice.code, 1);
    assert!(twice.err.contains("has two moves of x"), "{}", twice.err);
    let none = after(" ; ");
    assert!(
        none.out
            .starts_with("one-shot: x wins with probability 66.67 %\n"),
        "{}",
        none.out
    );
}

#[test]
fn wishes_that_no_engine_meets_are_told() {
    let refused = |options: &[&str], what: &str, help: &str| {
        let run = emm(&[&["solve", "s-nim-3"], options].concat());
        assert_eq!((run.code, run.out.as_str()), (2, ""));
        assert!(run.err.contains(what) && run.err.contains(help), "{}", run.err);
    };
    refused(
        &["--arithmetic", "float", "--checkpoint", "no-such-folder"],
        "only the engine `search` computes in floating point",
        "leave out `--checkpoint`",
    );
    refused(
        &["--all-horizons", "--horizon", "3", "--no-symmetry"],
        "only `search` and `reference` answer all horizons",
        "leave out `--no-symmetry`",
    );
    refused(
        &["--engine", "reference", "--memory", "1G"],
        "no limit of memory",
        "leave out `--engine`",
    );
    refused(
        &["--engine", "reference", "--threads", "2"],
        "one thread",
        "leave out `--engine`",
    );
}

#[test]
fn a_file_of_moves_is_not_overwritten() {
    let folder = tempfile::tempdir().expect("a folder");
    let moves = folder.path().join("moves.txt");
    std::fs::write(&moves, "\u{feff}x:left random:(door a)").expect("a file");
    let (path, named) = (moves.display().to_string(), format!("@{}", moves.display()));
    let ask =
        |options: &[&str]| emm(&[&["solve", "one-shot", "--role", "x", "--moves", &named], options].concat());
    let run = ask(&["--output", &path]);
    assert_eq!(run.code, 2, "{}", run.err);
    let run = ask(&[]);
    assert!(run.out.contains("100.00 %"), "{}{}", run.out, run.err);
}

#[test]
fn an_engine_without_time_is_named_all_the_same() {
    for engine in ["layered", "alphabeta", "sweep"] {
        let options = [
            "solve",
            "c4-6x6",
            "--timeout",
            "0s",
            "--engine",
            engine,
            "--role",
            "x",
            "--format",
            "csv",
        ];
        let run = emm(&options);
        assert_eq!(run.code, 3, "{}", run.err);
        let row = run.out.lines().nth(1).unwrap_or_default();
        let engine = format!(",{engine},");
        assert!(row.contains(",bounded,") && row.contains(&engine), "{row}");
    }
}
