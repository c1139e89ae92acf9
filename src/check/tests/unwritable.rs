//! Descriptions that no text gives but a program can build: they must not slip through either.

use super::super::{check, codes};
use crate::source::{Source, Span};
use crate::syntax::{Atom, Clause, Description, Formula, Syntax};
use crate::term::Symbol;
use std::sync::Arc;

fn atom(name: &str) -> Atom {
    Atom {
        predicate: Symbol::new(name),
        args: Vec::new(),
        span: Span::default(),
    }
}

/// What is reported about a single clause.
fn reported(head: &str, body: Vec<Formula>) -> Vec<&'static str> {
    let clause = Clause {
        head: atom(head),
        body,
        comments: Vec::new(),
        span: Span::default(),
    };
    let description = Description {
        source: Arc::new(Source::new("built", "")),
        syntax: Syntax::Kif,
        clauses: vec![clause],
        trailing_comments: Vec::new(),
    };
    let checked = check(&description);
    assert!(checked.program.is_none());
    checked
        .diagnostics
        .iter()
        .map(|diagnostic| diagnostic.code)
        .collect()
}

#[test]
fn connectives_are_no_relations() {
    for name in ["not", "and", "or", "distinct", "<="] {
        assert!(
            reported(name, Vec::new()).contains(&codes::KEYWORD_IN_HEAD),
            "{name}"
        );
        let body = vec![Formula::Atom(atom(name))];
        assert!(
            reported("terminal", body).contains(&codes::KEYWORD_IN_BODY),
            "{name}"
        );
    }
}

#[test]
fn an_or_without_alternatives_never_holds() {
    let body = vec![Formula::Or(Vec::new(), Span::default())];
    assert!(reported("terminal", body).contains(&codes::NEVER_FIRES));
}
