//! Which characters are what, the same for both syntaxes.

use super::reports::Reports;
use crate::diagnostic::Diagnostic;
use crate::source::Span;

/// What stands for bytes that were not UTF-8.
const REPLACEMENT: char = '\u{FFFD}';

/// Whether the character ends a line. Old texts end lines with a carriage return alone.
pub(super) fn is_line_end(c: char) -> bool {
    matches!(c, '\n' | '\r')
}

/// Whether the character can stand in a KIF symbol. Unreadable characters count, so that one wrong byte
/// gives one message and not a name torn in two.
pub(super) fn is_symbol_char(c: char) -> bool {
    !c.is_whitespace() && !matches!(c, '(' | ')' | ';')
}

/// Whether the character can stand in an infix name without quotes.
pub(super) fn is_identifier_char(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || is_unreadable(c)
}

/// Whether nobody can have meant this character: replaced bytes, controls, invisible marks.
pub(super) fn is_unreadable(c: char) -> bool {
    c == REPLACEMENT || (c.is_control() && !c.is_whitespace()) || is_invisible(c)
}

fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}' | '\u{FEFF}')
}

/// Whether the name is an integer.
pub(super) fn is_number(name: &str) -> bool {
    let digits = name.strip_prefix('-').unwrap_or(name);
    !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())
}

/// Reports each run of unreadable characters in a word that starts at byte `start`.
pub(super) fn report_unreadable(word: &str, start: usize, reports: &mut Reports) {
    let mut rest = word;
    while let Some(bad) = rest.find(is_unreadable) {
        let from = word.len() - rest.len() + bad;
        let tail = &word[from..];
        let length = tail.find(|c| !is_unreadable(c)).unwrap_or(tail.len());
        reports.add(unreadable(
            &tail[..length],
            Span::new(start + from, start + from + length),
        ));
        rest = &tail[length..];
    }
}

fn unreadable(run: &str, span: Span) -> Diagnostic {
    match run.chars().find(|&c| c != REPLACEMENT) {
        None => Diagnostic::error("encoding", span, "these bytes are not UTF-8 text")
            .hint("save the file as UTF-8"),
        Some(c) => Diagnostic::error(
            "control-character",
            span,
            format!(
                "the invisible character U+{:04X} cannot be part of a description",
                u32::from(c)
            ),
        )
        .hint("delete it; is this a text file?"),
    }
}

/// Warns of replaced bytes in a comment that starts at byte `start`.
pub(super) fn report_comment(comment: &str, start: usize, reports: &mut Reports) {
    if let Some(at) = comment.find(REPLACEMENT) {
        let span = Span::new(start + at, start + at + REPLACEMENT.len_utf8());
        reports.add(
            Diagnostic::warning("encoding", span, "this comment is not UTF-8 text")
                .hint("the rules are not affected; save the file as UTF-8"),
        );
    }
}

/// At most 40 characters of a text that goes into a message.
pub(super) fn clip(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_string(),
    }
}
