//! A small KIF reader for these tests.
use crate::source::{Source, Span};
use crate::syntax::{Atom, Clause, Description, Formula, Syntax};
use crate::term::{Symbol, Term};
use std::sync::Arc;

pub fn parse(source: Arc<Source>) -> Description {
    let tokens = tokens(source.text());
    let mut at = 0;
    let mut clauses = Vec::new();
    while at < tokens.len() {
        clauses.push(clause(&node(&tokens, &mut at)));
    }
    Description {
        source,
        syntax: Syntax::Kif,
        clauses,
        trailing_comments: vec![],
    }
}

#[derive(Debug)]
struct Node {
    name: String,
    list: Option<Vec<Node>>,
    span: Span,
}

fn tokens(text: &str) -> Vec<(String, usize)> {
    let mut out: Vec<(String, usize)> = vec![];
    let mut it = text.char_indices().peekable();
    while let Some((i, c)) = it.next() {
        if c == ';' {
            while it.peek().is_some_and(|(_, c)| *c != '\n') {
                it.next();
            }
        } else if c.is_whitespace() {
        } else if c == '(' || c == ')' {
            out.push((c.to_string(), i));
        } else {
            let mut s = c.to_string();
            while let Some((_, c)) = it.peek() {
                if c.is_whitespace() || "();".contains(*c) {
                    break;
                }
                s.push(*c);
                it.next();
            }
            out.push((s, i));
        }
    }
    out
}

fn node(tokens: &[(String, usize)], at: &mut usize) -> Node {
    let (text, start) = &tokens[*at];
    *at += 1;
    if text != "(" {
        return Node {
            name: text.clone(),
            list: None,
            span: Span::new(*start, start + text.len()),
        };
    }
    let mut list = vec![];
    while tokens[*at].0 != ")" {
        list.push(node(tokens, at));
    }
    let end = tokens[*at].1 + 1;
    *at += 1;
    Node {
        name: list.first().map(|n| n.name.to_lowercase()).unwrap_or_default(),
        list: Some(list),
        span: Span::new(*start, end),
    }
}

fn clause(n: &Node) -> Clause {
    match &n.list {
        Some(l) if n.name == "<=" => Clause {
            head: atom(&l[1]),
            body: l[2..].iter().map(formula).collect(),
            comments: vec![],
            span: n.span,
        },
        _ => Clause {
            head: atom(n),
            body: vec![],
            comments: vec![],
            span: n.span,
        },
    }
}

fn args(n: &Node) -> &[Node] {
    n.list.as_ref().map_or(&[], |l| &l[1..])
}

fn atom(n: &Node) -> Atom {
    Atom {
        predicate: Symbol::new(&n.name),
        args: args(n).iter().map(term).collect(),
        span: n.span,
    }
}

fn term(n: &Node) -> Term {
    match n.name.strip_prefix('?') {
        Some(v) => Term::Variable(Symbol::new(v)),
        None => Term::Function(Symbol::new(&n.name), args(n).iter().map(term).collect()),
    }
}

fn formula(n: &Node) -> Formula {
    let a = args(n);
    match (n.name.as_str(), a) {
        ("distinct", [x, y]) => Formula::Distinct(term(x), term(y), n.span),
        ("not", [x]) => Formula::Not(Box::new(formula(x)), n.span),
        ("and", _) if n.list.is_some() => Formula::And(a.iter().map(formula).collect(), n.span),
        ("or", _) if n.list.is_some() => Formula::Or(a.iter().map(formula).collect(), n.span),
        _ => Formula::Atom(atom(n)),
    }
}
