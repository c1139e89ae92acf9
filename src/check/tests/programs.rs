use super::{GAME, checked};
use crate::term::Term;

/// The rules that a clause after [`GAME`] becomes, in KIF.
fn rules(text: &str) -> Vec<String> {
    let program = checked(&format!("{GAME}{text}")).0.program.expect(text);
    let new = program
        .rules()
        .iter()
        .filter(|rule| rule.span.start as usize >= GAME.len());
    new.map(|rule| rule.to_string()).collect()
}

const CASES: &[(&str, &[&str])] = &[
    ("(<= (next t))", &["(next t)"]),
    (
        "(<= (next t) (true p) (or (true q) (and (true r) (not (true u)))) (true v))",
        &[
            "(<= (next t) (true p) (true q) (true v))",
            "(<= (next t) (true p) (true r) (not (true u)) (true v))",
        ],
    ),
    (
        "(<= (next t) (not (or (true p) (not (true q)))))",
        &["(<= (next t) (not (true p)) (true q))"],
    ),
    (
        "(<= (next t) (not (and (true p) (not (not (true q))))))",
        &["(<= (next t) (not (true p)))", "(<= (next t) (not (true q)))"],
    ),
    (
        "(<= (next t) (or (true p) (true p)))",
        &["(<= (next t) (true p))"],
    ),
    (
        "(<= (next (c ?x ?y)) (true (d ?x)) (true (e ?y)) (not (distinct ?x (f ?y))))",
        &["(<= (next (c (f ?y) ?y)) (true (d (f ?y))) (true (e ?y)))"],
    ),
    ("(<= (next ?x) (not (distinct ?x p)))", &["(next p)"]),
    (
        "(<= (next t) (true p) (distinct p q) (not (distinct q q)))",
        &["(<= (next t) (true p))"],
    ),
    ("(<= (next t) (true ?x) (distinct ?x ?x))", &[]),
    (
        "(<= (next t) (or (true s) (true t)) (or (true u) (not (true s))))",
        &[
            "(<= (next t) (true s) (true u))",
            "(<= (next t) (true t) (true u))",
            "(<= (next t) (true t) (not (true s)))",
        ],
    ),
    (
        "(<= (next t) (distinct ?x ?y) (not (true (c ?x))) (true ?x) (true ?y) (true z))",
        &["(<= (next t) (true ?x) (not (true (c ?x))) (true ?y) (distinct ?x ?y) (true z))"],
    ),
    (
        "(<= (input a (f ?x)) (true2 ?x)) (true2 1) (<= (legal a (f ?x)) (true s))",
        &[
            "(<= (input a (f ?x)) (true2 ?x))",
            "(true2 1)",
            "(<= (legal a (f ?x)) (true s) (input a (f ?x)))",
        ],
    ),
    ("(base (c ?x)) (base d)", &["(base d)"]),
    ("(next t) (<= (next t))", &["(next t)"]),
];

#[test]
fn clauses_become_plain_rules() {
    for (text, expected) in CASES {
        assert_eq!(rules(text), *expected, "{text}");
    }
}

#[test]
fn roles_keep_their_order_and_count_once() {
    let text = "(role b) (role a) (role random) (role b) (init s) (<= terminal (true s))";
    let program = checked(text).0.program.expect(text);
    assert_eq!(program.roles(), ["b", "a", "random"].map(Term::constant));
    let facts = program
        .rules()
        .iter()
        .filter(|rule| rule.head.predicate.name() == "role");
    assert_eq!(facts.count(), 3);
}
