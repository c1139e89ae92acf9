//! KIF text → nested lists, one top-level expression at a time.
//!
//! Reading is iterative and keeps at most a bounded number of open lists, so the depth of the text
//! cannot exhaust the stack, and whoever walks a [`Node`] may recurse.

use crate::diagnostic::Diagnostic;
use crate::source::{Source, Span};
use crate::syntax::MAX_DEPTH;
use crate::syntax::build::nested_too_deep;
use crate::syntax::characters::{is_line_end, is_symbol_char, report_comment, report_unreadable};
use crate::syntax::reports::Reports;

/// Lists that may be open at once: a rule's own pair of parentheses does not count as nesting.
const MAX_OPEN: usize = MAX_DEPTH + 1;

/// A word or a list of nodes.
pub(super) enum Node {
    Word(Span),
    List(Vec<Node>, Span),
}

impl Node {
    /// Its place.
    pub fn span(&self) -> Span {
        match self {
            Node::Word(span) | Node::List(_, span) => *span,
        }
    }
}

/// The next expression at top level.
pub(super) enum Expression {
    Complete(Node),
    /// It was reported.
    Broken,
    End,
}

#[derive(Clone, Copy)]
enum Token {
    Open,
    Close,
    Word,
}

/// A position in a text.
pub(super) struct Reader<'s> {
    source: &'s Source,
    text: &'s str,
    at: usize,
    comments: Vec<String>,
}

/// A list whose `)` has not come yet.
struct OpenList {
    start: usize,
    nodes: Vec<Node>,
}

impl<'s> Reader<'s> {
    /// At the beginning of a text.
    pub fn new(source: &'s Source) -> Reader<'s> {
        Reader {
            source,
            text: source.text(),
            at: 0,
            comments: Vec::new(),
        }
    }

    /// The next expression at top level.
    pub fn next(&mut self, reports: &mut Reports) -> Expression {
        let mut open: Vec<OpenList> = Vec::new();
        let mut beyond = 0_usize;
        let mut too_deep = false;
        while let Some((token, span)) = self.token(reports) {
            match token {
                Token::Open if !open.is_empty() && self.at_rule_arrow() => {
                    return self.unclosed(&open, Some(span), reports);
                }
                Token::Open if open.len() == MAX_OPEN => {
                    if !too_deep {
                        reports.add(nested_too_deep(span));
                    }
                    too_deep = true;
                    beyond += 1;
                }
                Token::Open => open.push(OpenList {
                    start: span.start as usize,
                    nodes: Vec::new(),
                }),
                Token::Close if beyond > 0 => beyond -= 1,
                Token::Word if beyond > 0 => {}
                Token::Word => {
                    if let Some(node) = enclose(&mut open, Node::Word(span)) {
                        return Expression::Complete(node);
                    }
                }
                Token::Close => {
                    let Some(list) = open.pop() else {
                        reports.add(unbalanced(span));
                        return Expression::Broken;
                    };
                    let list = Node::List(list.nodes, Span::new(list.start, span.end as usize));
                    match enclose(&mut open, list) {
                        Some(_) if too_deep => return Expression::Broken,
                        Some(node) => return Expression::Complete(node),
                        None => {}
                    }
                }
            }
        }
        if open.is_empty() {
            Expression::End
        } else {
            self.unclosed(&open, None, reports)
        }
    }

    /// The comments since the last call, and one that follows on the same line.
    pub fn take_comments(&mut self, reports: &mut Reports) -> Vec<String> {
        let rest = &self.text[self.at..];
        let blank = rest
            .find(|c: char| is_line_end(c) || !c.is_whitespace())
            .unwrap_or(rest.len());
        if rest[blank..].starts_with(';') {
            self.at += blank;
            self.comment(reports);
        }
        std::mem::take(&mut self.comments)
    }

    /// Whether the list just opened is a rule: rules do not nest, so some `)` before it is missing.
    fn at_rule_arrow(&self) -> bool {
        let rest = self.text[self.at..].trim_start().strip_prefix("<=");
        rest.is_some_and(|after| !after.starts_with(is_symbol_char))
    }

    /// Reports the outermost open list and goes on with the next line that begins with `(`.
    ///
    /// Every call costs at most one pass over the text, and the bound on errors bounds the calls.
    fn unclosed(&mut self, open: &[OpenList], rule: Option<Span>, reports: &mut Reports) -> Expression {
        let Some(outermost) = open.first() else {
            return Expression::Broken;
        };
        let limit = rule.map_or(self.text.len(), |span| span.start as usize);
        let inside = outermost.start + 1..limit;
        let line = self.text.get(inside).and_then(|inside| inside.find("\n("));
        self.at = line.map_or(limit, |offset| outermost.start + 1 + offset + 1);
        self.comments.clear();
        let hint = match rule {
            Some(span) => format!(
                "a new rule begins in line {} before it",
                self.source.position(span.start).line
            ),
            None => format!("the text ends with {} open", parentheses(open.len())),
        };
        let span = Span::new(outermost.start, outermost.start + 1);
        let message = "this parenthesis is not closed";
        reports.add(Diagnostic::error("unclosed-parenthesis", span, message).hint(hint));
        Expression::Broken
    }

    fn token(&mut self, reports: &mut Reports) -> Option<(Token, Span)> {
        loop {
            if reports.is_full() {
                return None;
            }
            let rest = &self.text[self.at..];
            self.at += rest.find(|c: char| !c.is_whitespace()).unwrap_or(rest.len());
            match self.text[self.at..].chars().next()? {
                ';' => self.comment(reports),
                '(' => return Some((Token::Open, self.advance(1))),
                ')' => return Some((Token::Close, self.advance(1))),
                _ => return Some((Token::Word, self.word(reports))),
            }
        }
    }

    fn advance(&mut self, bytes: usize) -> Span {
        self.at += bytes;
        Span::new(self.at - bytes, self.at)
    }

    fn word(&mut self, reports: &mut Reports) -> Span {
        let rest = &self.text[self.at..];
        let length = rest.find(|c| !is_symbol_char(c)).unwrap_or(rest.len());
        report_unreadable(&rest[..length], self.at, reports);
        self.advance(length)
    }

    fn comment(&mut self, reports: &mut Reports) {
        let rest = &self.text[self.at..];
        let length = rest.find(is_line_end).unwrap_or(rest.len());
        report_comment(&rest[..length], self.at, reports);
        let words = rest[..length].trim_start_matches(';');
        self.comments
            .push(words.strip_prefix(' ').unwrap_or(words).trim_end().to_string());
        self.at += length;
    }
}

/// Puts a node into the innermost open list; gives it back if there is none.
fn enclose(open: &mut [OpenList], node: Node) -> Option<Node> {
    match open.last_mut() {
        Some(list) => {
            list.nodes.push(node);
            None
        }
        None => Some(node),
    }
}

fn unbalanced(span: Span) -> Diagnostic {
    Diagnostic::error("unbalanced-parenthesis", span, "this parenthesis closes nothing")
        .hint("delete it, or open one before it")
}

fn parentheses(count: usize) -> String {
    match count {
        1 => "1 parenthesis".to_string(),
        _ => format!("{count} parentheses"),
    }
}
