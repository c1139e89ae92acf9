//! Infix text → tokens, one at a time.

use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::syntax::characters::{
    is_identifier_char, is_line_end, is_symbol_char, report_comment, report_unreadable,
};
use crate::syntax::reports::Reports;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A symbol without quotes, or a number.
    Name,
    /// `'symbol'`.
    Quoted,
    /// `X`, `_x` or `?x`.
    Variable,
    /// `?'x'`.
    QuotedVariable,
    /// A lone `_`.
    Anonymous,
    Open,
    Close,
    /// `,` or `&`.
    Comma,
    /// `|` or `;`.
    Bar,
    /// `:-` or `<=`.
    Arrow,
    Dot,
    /// `~` or `\+`; the word `not` is a [`Kind::Name`].
    Not,
    /// `!=`, `\=` or `≠`.
    NotEqual,
    Unknown,
    /// A quoted name that was reported.
    Broken,
    End,
}

impl Kind {
    /// Whether a clause cannot end after this token, nor a new one begin with it.
    pub fn continues(self) -> bool {
        use Kind::{Arrow, Bar, Close, Comma, NotEqual, Open};
        matches!(self, Open | Comma | Bar | Arrow | NotEqual | Close)
    }
}

/// A token.
#[derive(Clone, Copy)]
pub(super) struct Token {
    pub kind: Kind,
    pub span: Span,
    /// Whether a line ended between the token before and this one.
    pub first_on_line: bool,
}

/// A comment line and where it stands.
pub(super) struct Comment {
    pub text: String,
    /// Whether it stands on the line of the token before it.
    pub same_line: bool,
}

/// A position in a text.
pub(super) struct Lexer<'s> {
    text: &'s str,
    at: usize,
}

/// Punctuation, longer marks before their prefixes.
const MARKS: [(&str, Kind); 16] = [
    (":-", Kind::Arrow),
    ("<=", Kind::Arrow),
    ("!=", Kind::NotEqual),
    ("\\==", Kind::NotEqual),
    ("\\=", Kind::NotEqual),
    ("≠", Kind::NotEqual),
    ("\\+", Kind::Not),
    ("~", Kind::Not),
    ("(", Kind::Open),
    (")", Kind::Close),
    (",", Kind::Comma),
    ("&", Kind::Comma),
    ("|", Kind::Bar),
    (";", Kind::Bar),
    (".", Kind::Dot),
    ("_", Kind::Anonymous),
];

impl<'s> Lexer<'s> {
    /// At the beginning of a text.
    pub fn new(text: &'s str) -> Lexer<'s> {
        Lexer { text, at: 0 }
    }

    /// The next token; comments before it are added to `comments`.
    pub fn next(&mut self, comments: &mut Vec<Comment>, reports: &mut Reports) -> Token {
        let first_on_line = self.skip(comments, reports);
        let start = self.at;
        let kind = if reports.is_full() {
            Kind::End
        } else {
            self.token(reports)
        };
        Token {
            kind,
            span: Span::new(start, self.at),
            first_on_line,
        }
    }

    /// Skips space and comments; whether a line ended.
    fn skip(&mut self, comments: &mut Vec<Comment>, reports: &mut Reports) -> bool {
        let mut line_ended = self.at == 0;
        loop {
            let rest = &self.text[self.at..];
            let space = rest.find(|c: char| !c.is_whitespace()).unwrap_or(rest.len());
            line_ended |= rest[..space].contains(is_line_end);
            self.at += space;
            let rest = &rest[space..];
            let length = if rest.starts_with('%') {
                rest.find(is_line_end).unwrap_or(rest.len())
            } else if rest.starts_with("/*") {
                self.block_length(reports)
            } else {
                return line_ended;
            };
            let comment = &rest[..length];
            report_comment(comment, self.at, reports);
            comments.extend(comment_lines(comment).map(|text| Comment {
                text,
                same_line: !line_ended,
            }));
            line_ended |= comment.contains(is_line_end);
            self.at += length;
        }
    }

    fn block_length(&self, reports: &mut Reports) -> usize {
        let rest = &self.text[self.at..];
        if let Some(end) = rest[2..].find("*/") {
            return end + 4;
        }
        let span = Span::new(self.at, self.at + 2);
        reports.add(
            Diagnostic::error("unclosed-comment", span, "this comment does not end")
                .hint("close it with `*/`, or begin each line with `%`"),
        );
        rest.len()
    }

    fn token(&mut self, reports: &mut Reports) -> Kind {
        let rest = &self.text[self.at..];
        let Some(first) = rest.chars().next() else {
            return Kind::End;
        };
        let digit_at = |index: usize| rest.as_bytes().get(index).is_some_and(u8::is_ascii_digit);
        let identifier = |from: usize| identifier_end(rest, from);
        match first {
            '\'' => self.quoted(0, Kind::Quoted, reports),
            '?' if rest[1..].starts_with('\'') => self.quoted(1, Kind::QuotedVariable, reports),
            '?' if identifier(1) > 1 => self.take(identifier(1), Kind::Variable, reports),
            '_' if identifier(0) > 1 => self.take(identifier(0), Kind::Variable, reports),
            '-' if digit_at(1) => self.take(identifier(1), Kind::Name, reports),
            c if c.is_uppercase() => self.take(identifier(0), Kind::Variable, reports),
            c if c != '_' && is_identifier_char(c) => self.take(identifier(0), Kind::Name, reports),
            c => {
                let mark = MARKS.iter().find(|(mark, _)| rest.starts_with(mark));
                let (length, kind) =
                    mark.map_or((c.len_utf8(), Kind::Unknown), |(mark, kind)| (mark.len(), *kind));
                self.at += length;
                kind
            }
        }
    }

    fn take(&mut self, length: usize, kind: Kind, reports: &mut Reports) -> Kind {
        report_unreadable(&self.text[self.at..self.at + length], self.at, reports);
        self.at += length;
        kind
    }

    /// A quoted name whose quote stands `skip` bytes ahead.
    fn quoted(&mut self, skip: usize, kind: Kind, reports: &mut Reports) -> Kind {
        let start = self.at;
        let Some(length) = quoted_length(&self.text[start + skip..]) else {
            let rest = &self.text[start..];
            self.at += rest.find(is_line_end).unwrap_or(rest.len());
            let span = Span::new(start + skip, start + skip + 1);
            reports.add(
                Diagnostic::error("unclosed-quote", span, "this quoted name does not end")
                    .hint("close it with `'` on the same line; a quote in a name is written twice"),
            );
            return Kind::Broken;
        };
        self.at += skip + length;
        let name = &self.text[start + skip + 1..self.at - 1];
        report_unreadable(name, start + skip + 1, reports);
        let is_variable_like = kind == Kind::Quoted && name.starts_with('?');
        if name.is_empty() || is_variable_like || !name.chars().all(is_symbol_char) {
            let span = Span::new(start, self.at);
            reports.add(
                Diagnostic::error(
                    "bad-quoted-name",
                    span,
                    "this quoted name could not be written in KIF",
                )
                .hint("leave out spaces, parentheses, `;` and a leading `?`, and do not leave it empty"),
            );
            return Kind::Broken;
        }
        kind
    }
}

fn identifier_end(text: &str, from: usize) -> usize {
    let tail = &text[from..];
    from + tail.find(|c| !is_identifier_char(c)).unwrap_or(tail.len())
}

/// Bytes from the opening to the closing quote, both included.
fn quoted_length(text: &str) -> Option<usize> {
    let mut characters = text.char_indices().skip(1).peekable();
    while let Some((at, c)) = characters.next() {
        match c {
            '\'' if characters.next_if(|&(_, c)| c == '\'').is_some() => {}
            '\'' => return Some(at + 1),
            c if is_line_end(c) => return None,
            _ => {}
        }
    }
    None
}

/// The lines of a comment without its markers.
fn comment_lines(comment: &str) -> impl Iterator<Item = String> {
    let words = match comment.strip_prefix("/*") {
        Some(block) => block.strip_suffix("*/").unwrap_or(block).trim(),
        None => comment.trim_start_matches('%'),
    };
    words
        .split("\r\n")
        .flat_map(|part| part.split(is_line_end))
        .map(|line| line.strip_prefix(' ').unwrap_or(line).trim_end().to_string())
}
