use super::super::codes;
use super::{GAME, checked};
use crate::diagnostic::any_error;
use std::collections::HashSet;

/// What follows [`GAME`], and everything that is reported.
const CASES: &[(&str, &[&str])] = &[
    (
        "(<= (legal a) (true s))",
        &["2:5: error[keyword-arity]: `legal` has 1 argument here"],
    ),
    (
        "(<= (next t) (does a m) (terminal 1))",
        &["2:25: error[keyword-arity]: `terminal` has 1 argument here"],
    ),
    (
        "(true s)",
        &["2:1: error[keyword-in-head]: `true` cannot be the head of a fact or rule"],
    ),
    (
        "(<= (does a m) (true s))",
        &["2:5: error[keyword-in-head]: `does` cannot be the head of a fact or rule"],
    ),
    (
        "(<= (next t) (init t))",
        &["2:14: error[keyword-in-body]: `init` cannot be an atom of a body"],
    ),
    (
        "(<= (next t) (or (true s) (not (next u))))",
        &["2:32: error[keyword-in-body]: `next` cannot be an atom of a body"],
    ),
    (
        "(<= (role a) (true s))",
        &[
            "2:5: error[role-rule]: `role` is given by a rule with conditions",
            "2:5: warning[role-twice]: role `a` is declared again",
        ],
    ),
    (
        "(role ?r)",
        &["2:1: error[role-rule]: `role` is given with a variable"],
    ),
    (
        "(<= (sees a ?x) (true ?x) (sees a s))",
        &["2:5: error[hidden-information]: `sees` belongs to games of imperfect information"],
    ),
    (
        "(<= (goal a 0) (knows a s))",
        &["2:16: error[hidden-information]: `knows` belongs to games of imperfect information"],
    ),
    (
        "(<= (legal a n) (true s) foo) (<= foo bar) (<= bar (not (does a m)))",
        &["2:26: error[depends-on-does]: `legal` must not depend on `does`: legal -> foo -> bar -> does"],
    ),
    (
        "(<= terminal (does a m)) (<= (goal a 0) (does a m)) (<= (next t) (does a m))",
        &[
            "2:14: error[depends-on-does]: `terminal` must not depend on `does`: terminal -> does",
            "2:41: error[depends-on-does]: `goal` must not depend on `does`: goal -> does",
        ],
    ),
    (
        "(<= (init t) foo) (<= foo (or (true s) (true t)))",
        &["2:14: error[depends-on-true]: `init` must not depend on `true`: init -> foo -> true"],
    ),
    (
        "(<= (base ?x) (true ?x)) (<= (input a ?m) (does a ?m))",
        &[
            "2:15: error[depends-on-true]: `base` must not depend on `true`: base -> true",
            "2:43: error[depends-on-does]: `input` must not depend on `does`: input -> does",
        ],
    ),
    (
        "(goal a 150) (goal a 007) (goal a -1) (goal a win) (goal a (f 1))",
        &[
            "2:1: error[goal-value]: goal value `150` is not a whole number from 0 to 100",
            "2:27: error[goal-value]: goal value `-1` is not a whole number from 0 to 100",
            "2:39: error[goal-value]: goal value `win` is not a whole number from 0 to 100",
            "2:52: error[goal-value]: goal value `(f 1)` is not a whole number from 0 to 100",
        ],
    ),
    (
        "(<= (next (c ?x)) (true s))",
        &["2:5: error[unsafe-variable]: variable `?x` is bound by no positive literal"],
    ),
    (
        "(<= (next t) (true s) (not (true (c ?x))) (distinct ?y ?x))",
        &[
            "2:28: error[unsafe-variable]: variable `?x` is bound by no positive literal",
            "2:43: error[unsafe-variable]: variable `?y` is bound by no positive literal",
        ],
    ),
    (
        "(<= (next ?x) (or (true ?x) (true s)))",
        &["2:5: error[unsafe-variable]: variable `?x` is bound by no positive literal"],
    ),
    (
        "(<= (legal a ?m) (true s))",
        &["2:5: error[unsafe-variable]: variable `?m` is bound by no positive literal"],
    ),
    (
        "(input a m) (<= (legal a (mark ?x)) (true s))",
        &["2:17: error[unsafe-variable]: variable `?x` is bound by no positive literal"],
    ),
    (
        "(input a m) (<= (legal a ?m) (true s))",
        &["2:17: warning[legal-variable]: variable `?m` stands only in the head of this `legal` rule"],
    ),
    (
        "(base (c ?x ?y)) (<= (input a (f ?x)) (role a))",
        &[
            "2:1: warning[useless-base-rule]: variables `?x` and `?y` stand only in the head of this `base`",
            "2:22: warning[useless-base-rule]: variable `?x` stands only in the head of this `input`",
        ],
    ),
    (
        "(<= (next (not s)) (true s)) (<= (next t) (true (c (and a b))))",
        &[
            "2:5: warning[connective-in-term]: `not` stands inside a term",
            "2:43: warning[connective-in-term]: `and` stands inside a term",
        ],
    ),
    (
        "(p 1) (<= (next t) (p 1) (p 1 2))",
        &[
            "2:26: warning[arity-varies]: relation `p` is used with 1 argument and with 2 arguments",
            "2:26: warning[undefined]: `p/2` is never defined, so it is always false",
        ],
    ),
    (
        "(<= (next (c 1)) (true (c 1 2)))",
        &["2:18: warning[arity-varies]: function `c` is used with 1 argument and with 2 arguments"],
    ),
    ("(<= (next c) (true (c 1)))", &[]),
    (
        "(<= (next t) (not foo))",
        &["2:19: warning[undefined]: `foo/0` is never defined, so it is always false"],
    ),
    (
        "(<= (next t) (input a m))",
        &["2:14: warning[undefined]: `input` is never defined, so it is always false"],
    ),
    (
        "(p 1) (p 2)",
        &["2:1: warning[unused]: `p/1` is defined but never used"],
    ),
    (
        "(role a)",
        &["2:1: warning[role-twice]: role `a` is declared again"],
    ),
    (
        "(role b) (role random)",
        &[
            "2:1: warning[no-goal]: no `goal` applies to role `b`",
            "2:1: warning[no-legal]: no `legal` applies to role `b`",
            "2:10: warning[no-legal]: no `legal` applies to role `random`",
        ],
    ),
    (
        "(<= (goal ?r 0) (role ?r)) (<= (legal ?r n) (role ?r)) (role b)",
        &[],
    ),
    (
        "(<= (next t) (does b m) (does b n))",
        &["2:14: warning[unknown-role]: `b` in `does` is not a declared role"],
    ),
    (
        "(<= (next t) (not (true (c ?x))) (true (d ?x)) (not (true (e ?y))) (true (c ?y)))",
        &["2:19: warning[reordered]: the negation of `true` stands before the literal that binds `?x`"],
    ),
    ("(<= (next t) (distinct ?x s) (true ?x))", &[]),
    (
        "(<= (next t) (true ?x) (distinct ?x ?x))",
        &["2:24: warning[never-fires]: `(distinct ?x ?x)` never holds"],
    ),
    (
        "(<= (next t) (or (true s) (not (distinct p q))))",
        &["2:32: warning[never-fires]: `(not (distinct p q))` never holds"],
    ),
    (
        "(<= (next t) (true s) (not (true s)))",
        &["2:28: warning[never-fires]: `(true s)` would have to hold and not to hold"],
    ),
    (
        "(<= (next t) (true ?x) (not (distinct ?x a)) (distinct ?x a))",
        &["2:46: warning[never-fires]: `a` would have to be distinct from itself"],
    ),
    (
        "(<= (next t) (true ?x) (not (distinct ?x a)) (not (distinct ?x b)))",
        &["2:29: warning[never-fires]: the terms of `not distinct` can never be equal"],
    ),
    // Contradictions between alternatives of different disjunctions are nobody's mistake.
    (
        "(<= (next t) (or (true s) (true t)) (or (true u) (not (true s))))",
        &[],
    ),
    (
        "(<= (next (c ?x)) (true (c ?x)))\n(<= (next (c ?y)) (true (c ?y)))\n(<= (next (c ?x)) (true (c ?y)) (true (c ?x)))",
        &["3:1: warning[duplicate-rule]: this clause for `next` stands already in line 2"],
    ),
];

#[test]
fn every_problem_is_reported_where_it_stands() {
    for (text, expected) in CASES {
        let (checked, lines) = checked(&format!("{GAME}{text}"));
        assert_eq!(lines, *expected, "{text}");
        assert_eq!(
            checked.program.is_none(),
            any_error(&checked.diagnostics),
            "{text}"
        );
    }
}

/// Whole descriptions, for what is missing rather than wrong.
const DESCRIPTIONS: &[(&str, &[&str])] = &[
    (
        "",
        &[
            "error[no-role]: no role is declared",
            "warning[no-init]: there is no `init`, so the initial position is empty",
            "warning[no-terminal]: there is no `terminal` rule, so the game never ends",
        ],
    ),
    (
        "(role random) (init s) (legal random m) (<= terminal (true s))",
        &["1:1: warning[only-random]: `random` is the only role, so no player has a value"],
    ),
];

#[test]
fn what_a_game_needs_is_missed() {
    for (text, expected) in DESCRIPTIONS {
        let lines: Vec<String> = checked(text)
            .1
            .iter()
            .map(|line| line.trim().to_string())
            .collect();
        assert_eq!(lines, *expected, "{text}");
    }
}

/// A rule whose disjunctions stand for 2^13 rules.
fn long_rule() -> String {
    let conditions: String = (0..257).map(|i| format!(" (true p{i})")).collect();
    format!("{GAME}(<= (next t){conditions})")
}

fn or_explosion() -> String {
    let pairs = (0..13)
        .map(|i| format!("(or (true p{i}) (true q{i}))"))
        .collect::<Vec<_>>()
        .join(" ");
    format!("{GAME}(<= (next t) {pairs})")
}

/// A rule whose equalities stand for a term of 2^40 symbols.
fn equality_explosion() -> String {
    let equal = |i| format!("(not (distinct ?x{i} (f ?x{} ?x{})))", i + 1, i + 1);
    let chain = (0..40).map(equal).collect::<Vec<_>>().join(" ");
    format!("{GAME}(<= (next ?x0) {chain} (true ?x40))")
}

#[test]
fn explosions_are_refused() {
    let message = "2:1: error[or-explosion]: the disjunctions in this rule for `next` multiply too much";
    assert_eq!(checked(&or_explosion()).1, [message]);
    let message = "2:1: error[equality-explosion]: the equalities in this rule for `next` build a huge term";
    assert_eq!(checked(&equality_explosion()).1, [message]);
    let message = "2:1: error[rule-too-long]: this rule for `next` has too many conditions";
    assert_eq!(checked(&long_rule()).1, [message]);
}

#[test]
fn every_code_occurs_with_its_severity_a_hint_and_its_rule() {
    let mut texts: Vec<String> = CASES.iter().map(|(text, _)| format!("{GAME}{text}")).collect();
    texts.extend(DESCRIPTIONS.iter().map(|(text, _)| text.to_string()));
    texts.extend([or_explosion(), equality_explosion(), long_rule()]);
    let mut seen = HashSet::new();
    for diagnostic in texts.iter().flat_map(|text| checked(text).0.diagnostics) {
        let code = codes::ALL.iter().find(|code| code.name == diagnostic.code);
        assert_eq!(
            code.map(|code| code.severity),
            Some(diagnostic.severity),
            "{diagnostic:?}"
        );
        assert!(!diagnostic.hint.is_empty(), "{diagnostic:?}");
        assert_eq!(
            diagnostic.span.is_some(),
            diagnostic.rule.is_some(),
            "{diagnostic:?}"
        );
        seen.insert(diagnostic.code);
    }
    let missing: Vec<_> = codes::ALL
        .iter()
        .filter(|code| !seen.contains(code.name))
        .collect();
    assert!(missing.is_empty(), "no case for {missing:?}");
}

#[test]
fn hints_name_what_was_probably_meant() {
    let hint = |text: &str| checked(&format!("{GAME}{text}")).0.diagnostics.remove(0).hint;
    assert_eq!(
        hint("(<= (next t) (adjacnt 1)) (<= (next u) (adjacent 1)) (adjacent 1)"),
        "did you mean `adjacent`?"
    );
    assert_eq!(hint("(<= (next t) (xyz 1))"), "define it, or remove it");
    assert_eq!(
        hint("(role xplayer) (<= (legal ?r n) (role ?r)) (goal xplayr 0) (goal xplayer 0)"),
        "did you mean `xplayer`?"
    );
    assert_eq!(
        hint("(<= (nxet t) (true s))"),
        "it has no effect on the game; did you mean `next`?"
    );
    assert_eq!(hint("(<= (next t) (dose a m))"), "did you mean `does`?");
    assert_eq!(hint("(<= (next t) (does zzz m))"), "the roles are a");
}

const TIC_TAC_TOE: &str = "
    (role x) (role o)
    (index 1) (index 2) (index 3)
    (<= (base (cell ?m ?n b)) (index ?m) (index ?n))
    (<= (base (cell ?m ?n ?p)) (index ?m) (index ?n) (role ?p))
    (<= (base (control ?p)) (role ?p))
    (<= (input ?p (mark ?m ?n)) (role ?p) (index ?m) (index ?n))
    (<= (input ?p noop) (role ?p))
    (<= (init (cell ?m ?n b)) (index ?m) (index ?n))
    (init (control x))
    (<= (legal ?p (mark ?m ?n)) (true (cell ?m ?n b)) (true (control ?p)))
    (<= (legal x noop) (true (control o)))
    (<= (legal o noop) (true (control x)))
    (<= (next (cell ?m ?n ?p)) (does ?p (mark ?m ?n)))
    (<= (next (cell ?m ?n ?w)) (true (cell ?m ?n ?w)) (distinct ?w b))
    (<= (next (cell ?m ?n b)) (does ?p (mark ?j ?k)) (true (cell ?m ?n b)) (or (distinct ?m ?j) (distinct ?n ?k)))
    (<= (next (control o)) (true (control x)))
    (<= (next (control x)) (true (control o)))
    (<= (row ?m ?w) (true (cell ?m 1 ?w)) (true (cell ?m 2 ?w)) (true (cell ?m 3 ?w)))
    (<= (column ?n ?w) (true (cell 1 ?n ?w)) (true (cell 2 ?n ?w)) (true (cell 3 ?n ?w)))
    (<= (diagonal ?w) (true (cell 1 1 ?w)) (true (cell 2 2 ?w)) (true (cell 3 3 ?w)))
    (<= (diagonal ?w) (true (cell 1 3 ?w)) (true (cell 2 2 ?w)) (true (cell 3 1 ?w)))
    (<= (line ?w) (or (row ?m ?w) (column ?m ?w) (diagonal ?w)))
    (<= open (true (cell ?m ?n b)))
    (<= (goal ?p 100) (role ?p) (line ?p))
    (<= (goal ?p 50) (role ?p) (not (line x)) (not (line o)) (not open))
    (<= (goal ?p 0) (role ?p) (line ?q) (role ?q) (distinct ?p ?q))
    (<= terminal (role ?p) (line ?p))
    (<= terminal (not open))";

#[test]
fn nothing_is_wrong_with_clean_games() {
    for text in [GAME, TIC_TAC_TOE] {
        let (checked, lines) = checked(text);
        assert_eq!(lines, [""; 0]);
        assert!(checked.program.is_some());
    }
}
