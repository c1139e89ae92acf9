//! Description → text, in either syntax, so that reading it gives the description again.
//!
//! A clause stands on one line if it fits, else its conditions stand one to a line. Clauses of one
//! predicate form a group; groups, and clauses with comments, are set off by a blank line.

use super::characters::is_number;
use super::description::{Atom, Clause, Description, Formula, Syntax};
use crate::term::{Symbol, Term};
use std::fmt::Write;

/// Columns that a line should not exceed.
const WIDTH: usize = 80;
const INDENT: usize = 4;

/// The text of a description in the given syntax.
pub fn print(description: &Description, syntax: Syntax) -> String {
    let mut out = String::new();
    let mut previous: Option<&Symbol> = None;
    for clause in &description.clauses {
        let new_group = previous.is_some_and(|predicate| *predicate != clause.head.predicate);
        if previous.is_some() && (new_group || !clause.comments.is_empty()) {
            out.push('\n');
        }
        print_comments(&clause.comments, syntax, &mut out);
        layout(&clause_block(clause, syntax), 0, &mut out);
        out.push('\n');
        previous = Some(&clause.head.predicate);
    }
    if previous.is_some() && !description.trailing_comments.is_empty() {
        out.push('\n');
    }
    print_comments(&description.trailing_comments, syntax, &mut out);
    out
}

fn print_comments(comments: &[String], syntax: Syntax, out: &mut String) {
    let marker = match syntax {
        Syntax::Kif => ';',
        Syntax::Infix => '%',
    };
    for comment in comments {
        out.push_str(format!("{marker} {comment}").trim_end());
        out.push('\n');
    }
}

/// Text that may be broken into lines: `open gap item separator item … close`.
enum Block {
    Text(String),
    Group {
        open: String,
        /// Between `open` and the first item, if both stand on one line.
        gap: &'static str,
        items: Vec<Block>,
        separator: &'static str,
        close: &'static str,
    },
}

/// Writes a block that begins at column `indent`.
fn layout(block: &Block, indent: usize, out: &mut String) {
    let mut flat = String::new();
    write_flat(block, &mut flat);
    match block {
        Block::Group {
            open,
            items,
            separator,
            close,
            ..
        } if indent + flat.chars().count() > WIDTH => {
            out.push_str(open);
            for (index, item) in items.iter().enumerate() {
                out.push_str(if index == 0 { "" } else { separator });
                out.push('\n');
                out.extend(std::iter::repeat_n(' ', indent + INDENT));
                layout(item, indent + INDENT, out);
            }
            out.push_str(close);
        }
        _ => out.push_str(&flat),
    }
}

fn write_flat(block: &Block, out: &mut String) {
    match block {
        Block::Text(text) => out.push_str(text),
        Block::Group {
            open,
            gap,
            items,
            separator,
            close,
        } => {
            out.push_str(open);
            out.push_str(gap);
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push_str(separator);
                    out.push(' ');
                }
                write_flat(item, out);
            }
            out.push_str(close);
        }
    }
}

fn clause_block(clause: &Clause, syntax: Syntax) -> Block {
    let head = application(&clause.head.predicate, &clause.head.args, syntax);
    let items: Vec<Block> = clause
        .body
        .iter()
        .map(|formula| formula_block(formula, syntax))
        .collect();
    match (syntax, items.is_empty()) {
        (Syntax::Kif, true) => Block::Text(head),
        (Syntax::Infix, true) => Block::Text(head + "."),
        (Syntax::Kif, false) => group(format!("(<= {head}"), " ", items, "", ")"),
        (Syntax::Infix, false) => group(format!("{head} :-"), " ", items, ",", "."),
    }
}

fn formula_block(formula: &Formula, syntax: Syntax) -> Block {
    let blocks = |parts: &[Formula]| parts.iter().map(|part| formula_block(part, syntax)).collect();
    match (formula, syntax) {
        (Formula::Atom(Atom { predicate, args, .. }), _) => Block::Text(application(predicate, args, syntax)),
        (Formula::Distinct(left, right, _), Syntax::Kif) => Block::Text(format!("(distinct {left} {right})")),
        (Formula::Distinct(left, right, _), Syntax::Infix) => {
            Block::Text(format!("distinct({},{})", infix_term(left), infix_term(right)))
        }
        (Formula::Not(inner, _), Syntax::Kif) => {
            group("(not".into(), " ", vec![formula_block(inner, syntax)], "", ")")
        }
        (Formula::Not(inner, _), Syntax::Infix) => {
            group("not".into(), " ", vec![formula_block(inner, syntax)], "", "")
        }
        (Formula::And(parts, _), Syntax::Kif) => group("(and".into(), " ", blocks(parts), "", ")"),
        (Formula::Or(parts, _), Syntax::Kif) => group("(or".into(), " ", blocks(parts), "", ")"),
        (Formula::And(parts, _), Syntax::Infix) => group("(".into(), "", blocks(parts), ",", ")"),
        (Formula::Or(parts, _), Syntax::Infix) => group("(".into(), "", blocks(parts), " |", ")"),
    }
}

fn group(
    open: String,
    gap: &'static str,
    items: Vec<Block>,
    separator: &'static str,
    close: &'static str,
) -> Block {
    Block::Group {
        open,
        gap,
        items,
        separator,
        close,
    }
}

fn application(name: &Symbol, args: &[Term], syntax: Syntax) -> String {
    let mut out = String::new();
    match syntax {
        Syntax::Kif => write_kif(name, args, &mut out),
        Syntax::Infix => write_infix(name, args, &mut out),
    }
    out
}

fn write_kif(name: &Symbol, args: &[Term], out: &mut String) {
    if args.is_empty() {
        out.push_str(name.as_str());
        return;
    }
    out.push('(');
    out.push_str(name.as_str());
    for arg in args {
        // Writing to a string cannot fail.
        let _ = write!(out, " {arg}");
    }
    out.push(')');
}

fn write_infix(name: &Symbol, args: &[Term], out: &mut String) {
    write_infix_name(name.as_str(), out);
    for (index, arg) in args.iter().enumerate() {
        out.push(if index == 0 { '(' } else { ',' });
        write_infix_term(arg, out);
    }
    if !args.is_empty() {
        out.push(')');
    }
}

fn infix_term(term: &Term) -> String {
    let mut out = String::new();
    write_infix_term(term, &mut out);
    out
}

fn write_infix_term(term: &Term, out: &mut String) {
    match term {
        Term::Function(name, args) => write_infix(name, args, out),
        Term::Variable(name) => write_infix_variable(name.as_str(), out),
    }
}

fn write_infix_name(name: &str, out: &mut String) {
    let starts_plain = name.starts_with(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit());
    if is_number(name) || (starts_plain && is_plain(name)) {
        out.push_str(name);
    } else {
        write_quoted(name, out);
    }
}

/// A lone `_` would be a fresh variable each time, so the variable of that name is written `?_`.
fn write_infix_variable(name: &str, out: &mut String) {
    let starts_plain = name.starts_with(|c: char| c.is_ascii_lowercase() || c == '_');
    match (is_plain(name), starts_plain && name != "_") {
        (true, true) => out.push_str(&name.to_ascii_uppercase()),
        (true, false) => {
            out.push('?');
            out.push_str(name);
        }
        (false, _) => {
            out.push('?');
            write_quoted(name, out);
        }
    }
}

fn is_plain(name: &str) -> bool {
    name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

fn write_quoted(name: &str, out: &mut String) {
    out.push('\'');
    out.push_str(&name.replace('\'', "''"));
    out.push('\'');
}
