//! What problems look like.

use crate::run::{command, emm, emm_with_input, finish};

#[test]
fn problems_are_shown_in_their_place_with_advice() {
    let run = emm(&["validate", "mistakes.kif"]);
    assert_eq!((run.code, run.err.as_str()), (1, ""));
    insta::assert_snapshot!(run.out, @r"
    error[unsafe-variable]: variable `?n` is bound by no positive literal
     --> mistakes.kif:5:5
      |
    5 | (<= (legal x (take ?n))
      |     ^^^^^^^^^^^^^^^^^^^
      |
      = help: add a literal that says which values `?n` can have (with `or`: in every alternative)

    warning[undefined]: `less/2` is never defined, so it is always false
      --> mistakes.kif:10:5
       |
    10 |     (less ?n ?m))
       |     ^^^^^^^^^^^^
       |
       = help: define it, or remove it

    error[goal-value]: goal value `101` is not a whole number from 0 to 100
      --> mistakes.kif:15:1
       |
    15 | (goal x 101)
       | ^^^^^^^^^^^^
       |
       = help: 100 is a win, 0 is a loss

    mistakes.kif: refused: 2 errors, 1 warning
    ");
}

#[test]
fn a_limit_is_shown_with_the_rule() {
    let run = emm(&["validate", "explodes.kif", "--max-rules", "0"]);
    assert_eq!(run.code, 3);
    assert!(run.out.starts_with("limit: grounding stopped: "), "{}", run.out);
    assert!(run.out.ends_with("explodes.kif: limit reached\n"), "{}", run.out);
}

#[test]
fn colours_appear_only_where_they_are_wanted() {
    let is_coloured = |run: crate::run::Run| (run.out + &run.err).contains('\u{1b}');
    assert!(!is_coloured(emm(&["validate", "mistakes.kif"])));
    assert!(!is_coloured(emm(&["ground", "mistakes.kif"])));
    assert!(is_coloured(emm(&[
        "validate",
        "mistakes.kif",
        "--color",
        "always"
    ])));
    assert!(is_coloured(emm(&["--color", "always", "ground", "mistakes.kif"])));
    assert!(!is_coloured(emm(&[
        "validate",
        "mistakes.kif",
        "--color",
        "never"
    ])));
    let mut no_color = command(&["validate", "mistakes.kif"]);
    no_color.env("NO_COLOR", "1");
    assert!(!is_coloured(finish(no_color)));
}

#[test]
fn quiet_leaves_errors_and_the_summary() {
    let run = emm(&["validate", "mistakes.kif", "--quiet"]);
    assert!(
        run.out.contains("error[unsafe-variable]") && !run.out.contains("warning["),
        "{}",
        run.out
    );
    assert!(
        run.out.ends_with("mistakes.kif: refused: 2 errors, 1 warning\n"),
        "{}",
        run.out
    );
}

#[test]
fn places_are_right_in_texts_without_line_breaks() {
    let text = format!(
        "{}(init {})) {}",
        "(role x) ".repeat(4000),
        "ü",
        "(foo ?y) ".repeat(4000)
    );
    let run = emm_with_input(&["validate", "-"], &text);
    assert_eq!(run.code, 1);
    assert!(run.out.contains(" --> <stdin>:1:36009\n"), "{}", run.out);
    let widest = run.out.lines().map(|line| line.chars().count()).max();
    assert!(widest < Some(200), "{widest:?}");
}

#[test]
fn of_a_long_rule_the_first_line_is_shown() {
    let body = "  (true (p ?x))\n".repeat(40);
    let run = emm_with_input(
        &["validate", "-"],
        &format!("(role x)\n(<= (next (p ?x))\n{body}"),
    );
    assert_eq!(run.code, 1);
    assert!(run.out.lines().count() < 30, "{}", run.out);
}

#[test]
fn of_very_many_problems_of_one_kind_the_first_are_shown() {
    let text = format!("(role x)\n{}", "(p ?x)\n".repeat(500));
    let run = emm_with_input(&["validate", "-"], &text);
    assert_eq!(run.out.matches("error[unsafe-variable]").count(), 100);
    assert!(
        run.out
            .contains("error[too-many]: 400 further problems `unsafe-variable`"),
        "{}",
        run.out
    );
    assert!(
        run.out.contains("\n<stdin>: refused: 500 errors, "),
        "{}",
        run.out
    );
}

#[test]
fn line_ends_of_windows_are_not_shown() {
    let run = emm_with_input(
        &["validate", "-"],
        "(role x)\r\n(<= (next ?x)\r\n    (p ?y))\r\n(q",
    );
    assert!(
        run.out.contains("4 | (q\n") && !run.out.contains('␍'),
        "{}",
        run.out
    );
    let run = emm_with_input(&["validate", "-"], "(role x)\r\n(<= (next ?x)\r\n    (p ?y))\r\n");
    assert!(
        run.out.contains("2 | (<= (next ?x)\n") && !run.out.contains('␍'),
        "{}",
        run.out
    );
}
