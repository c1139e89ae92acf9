//! The law on random descriptions and random texts.

use super::{any_error, assert_round_trips, read};
use emm::source::Source;
use emm::source::Span;
use emm::syntax::Atom;
use emm::syntax::{Clause, Description, Formula, Syntax};
use emm::term::{Symbol, Term};
use proptest::prelude::*;
use std::sync::Arc;

const NOWHERE: Span = Span { start: 0, end: 0 };

fn symbol() -> impl Strategy<Value = Symbol> {
    let names = prop_oneof![
        4 => "[a-z][a-z0-9_]{0,6}",
        1 => "-?[0-9]{1,4}",
        2 => "[!-'*-:<->@-~é≠Σ][!-'*-:<-~é≠Σ]{0,4}",
        1 => "(not|and|or|distinct|<=|:-|_|\\.|'|''|%|/\\*|~)",
    ];
    names.prop_map(|name| Symbol::new(&name))
}

fn predicate() -> impl Strategy<Value = Symbol> {
    symbol().prop_filter("not a predicate", |name| {
        let name = name.as_str();
        let number = name
            .strip_prefix('-')
            .unwrap_or(name)
            .bytes()
            .all(|b| b.is_ascii_digit())
            && name != "-";
        !number && !["<=", "and", "or", "not", "distinct"].contains(&name)
    })
}

fn variable() -> impl Strategy<Value = Term> {
    let names = prop_oneof![
        4 => "[a-z_][a-z0-9_]{0,3}",
        1 => "[!-'*-:<-~é]{1,4}",
    ];
    names.prop_map(|name| Term::Variable(Symbol::new(&name)))
}

fn term() -> impl Strategy<Value = Term> {
    let constant = symbol().prop_map(|name| Term::Function(name, Vec::new()));
    prop_oneof![variable(), constant].prop_recursive(4, 12, 3, |inner| {
        let function = symbol().prop_filter("not a function", |name| name.as_str() != "<=");
        (function, prop::collection::vec(inner, 1..4)).prop_map(|(name, args)| Term::Function(name, args))
    })
}

fn atom() -> impl Strategy<Value = Atom> {
    (predicate(), prop::collection::vec(term(), 0..4)).prop_map(|(predicate, args)| Atom {
        predicate,
        args,
        span: NOWHERE,
    })
}

fn formula() -> impl Strategy<Value = Formula> {
    let literal = prop_oneof![
        3 => atom().prop_map(Formula::Atom),
        1 => (term(), term()).prop_map(|(left, right)| Formula::Distinct(left, right, NOWHERE)),
    ];
    literal.prop_recursive(4, 16, 4, |inner| {
        let several = || prop::collection::vec(inner.clone(), 2..4);
        prop_oneof![
            inner
                .clone()
                .prop_map(|formula| Formula::Not(Box::new(formula), NOWHERE)),
            several().prop_map(|parts| Formula::And(parts, NOWHERE)),
            several().prop_map(|parts| Formula::Or(parts, NOWHERE)),
        ]
    })
}

fn comments() -> impl Strategy<Value = Vec<String>> {
    let line = "[ -~é;%*/]{0,20}".prop_map(|line| line.trim_end().to_string());
    prop_oneof![3 => Just(Vec::new()), 1 => prop::collection::vec(line, 1..3)]
}

fn clause() -> impl Strategy<Value = Clause> {
    (atom(), prop::collection::vec(formula(), 0..5), comments()).prop_map(|(head, body, comments)| Clause {
        head,
        body,
        comments,
        span: NOWHERE,
    })
}

fn description() -> impl Strategy<Value = Description> {
    (prop::collection::vec(clause(), 1..8), comments()).prop_map(|(clauses, trailing_comments)| Description {
        source: Arc::new(Source::new("t", "")),
        syntax: Syntax::Kif,
        clauses,
        trailing_comments,
    })
}

proptest! {
    #[test]
    fn every_description_round_trips(description in description()) {
        assert_round_trips(&description);
    }

    #[test]
    fn no_text_breaks_the_readers(text in "[a-cX_?0-9(),.:;|&~!=<'%/* \n\r-]{0,60}") {
        for syntax in [None, Some(Syntax::Kif), Some(Syntax::Infix)] {
            let parsed = read(&text, syntax);
            if !any_error(&parsed.diagnostics) {
                assert_round_trips(&parsed.description);
            }
        }
    }
}
