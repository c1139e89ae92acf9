//! Text → [`Description`]: the two syntaxes of GDL, read and printed.
//!
//! A description is what the author wrote, nothing interpreted yet: `or` and nested `not` are still
//! there, keywords are ordinary names, and every part knows its place in the text.
//!
//! The law that holds the two syntaxes together: for every description `d` that [`parse`] accepts and
//! either syntax `s`, reading [`print(d, s)`](print()) gives `d` again, comments included. So neither reader
//! accepts what the other syntax cannot say: the words `<=`, `and`, `or`, `not` and `distinct` are never
//! predicates, a quoted infix name holds only characters of a KIF symbol, and a junction of one formula
//! is that formula.

mod build;
mod characters;
mod description;
mod infix;
mod kif;
mod names;
mod print;
mod recognise;
mod reports;

use crate::diagnostic::Diagnostic;
use crate::source::Source;
use std::sync::Arc;

pub use description::{Atom, Clause, Description, Formula, Syntax};
pub use print::print;

/// Deepest nesting of a clause, counted in parentheses of its KIF form without the rule's own pair.
///
/// Bounding it once, here, makes recursion over descriptions safe in every later stage.
pub const MAX_DEPTH: usize = 200;

/// What came of reading a text.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The clauses that could be read: all of them if no diagnostic is an error.
    pub description: Description,
    /// Everything that was noticed, sorted by position.
    pub diagnostics: Vec<Diagnostic>,
}

/// Makes a [`Source`] of a file's bytes: UTF-8, with or without a byte order mark.
///
/// Bytes that are not UTF-8 become U+FFFD, which [`parse`] reports where it meets them, because only
/// there it is known whether they stand in a comment (a warning) or not (an error). If a diagnostic is
/// returned, it is an error and the source is empty: there is nothing worth parsing.
pub fn decode(name: &str, bytes: Vec<u8>) -> (Source, Vec<Diagnostic>) {
    match refusal(&bytes) {
        Some(diagnostic) => (Source::new(name, ""), vec![diagnostic]),
        None => (Source::new(name, utf8(bytes)), Vec::new()),
    }
}

fn refusal(bytes: &[u8]) -> Option<Diagnostic> {
    if bytes.len() > Source::MAX_BYTES {
        let message = format!(
            "the text has {} bytes, more than the {} that can be read",
            bytes.len(),
            Source::MAX_BYTES
        );
        return Some(Diagnostic::global_error("too-large", message).hint("split or shorten the description"));
    }
    is_utf16(bytes).then(|| {
        Diagnostic::global_error("encoding", "the text is UTF-16, not UTF-8").hint("save it as UTF-8")
    })
}

/// By its byte order mark, or because every second byte of the beginning is 0, as in Latin text.
fn is_utf16(bytes: &[u8]) -> bool {
    let beginning = &bytes[..bytes.len().min(64)];
    let is_zero = |first: usize| beginning.iter().skip(first).step_by(2).all(|&byte| byte == 0);
    let has_mark = bytes.starts_with(&[0xFF, 0xFE]) || bytes.starts_with(&[0xFE, 0xFF]);
    has_mark || beginning.len() >= 4 && is_zero(0) != is_zero(1)
}

fn utf8(bytes: Vec<u8>) -> String {
    let mut text = String::from_utf8(bytes)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
    if text.starts_with('\u{FEFF}') {
        text.drain(..'\u{FEFF}'.len_utf8());
    }
    text
}

/// Reads a description; `None` means that the syntax is recognised by the content.
///
/// Recognition looks at the first character that is neither space nor comment (`;…`, `%…` or `/*…*/`).
/// `(` is KIF. Otherwise bare words are passed over until something tells: a word that touches a `(`,
/// a full stop or any punctuation of infix is infix; a `(` that stands alone is KIF. A text of bare words
/// only is KIF, unless it has a `%` comment.
///
/// After an error, reading goes on with the next clause, so that one run reports every clause that is
/// wrong, up to a bound.
pub fn parse(source: Arc<Source>, syntax: Option<Syntax>) -> Parsed {
    let syntax = syntax.unwrap_or_else(|| recognise::syntax_of(source.text()));
    let outcome = match syntax {
        Syntax::Kif => kif::parse(&source),
        Syntax::Infix => infix::parse(&source),
    };
    let (clauses, trailing_comments, diagnostics) = outcome.finish();
    let description = Description {
        source,
        syntax,
        clauses,
        trailing_comments,
    };
    Parsed {
        description,
        diagnostics,
    }
}
