//! Diagnostics for people (snippets as rustc prints them) and for machines (JSON).

use annotate_snippets::{AnnotationKind, Element, Group, Level, Origin, Renderer, Snippet};
use emm::diagnostic::{Diagnostic, Severity};
use emm::ground::{Limit, LimitReached};
use emm::source::{Source, Span};
use serde_json::{Value, json};
use std::ops::Range;

/// Lines of a span that are shown; of a longer one only the first is.
const MAX_LINES: usize = 12;
/// Bytes before and after a place that are given to the renderer, which shows what fits a line of them:
/// it would else go through the whole of a text without line breaks, for every diagnostic.
const MAX_BYTES: usize = 1 << 14;

/// The diagnostic with its place in the text, styled.
pub fn snippet(source: &Source, diagnostic: &Diagnostic) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let title = level
        .primary_title(diagnostic.message.as_str())
        .id(diagnostic.code);
    render(title.elements(place(source, diagnostic.span)), &diagnostic.hint)
}

/// The limit with the rule that reached it, styled.
pub fn limit(source: &Source, reached: &LimitReached) -> String {
    let title = Level::WARNING
        .with_name("limit")
        .primary_title(reached.message.as_str());
    let hint = match reached.limit {
        Limit::Rules => "raise `--max-rules`, or bind the variables of this rule more tightly",
        Limit::Time => "raise `--timeout`",
    };
    render(title.elements(place(source, Some(reached.rule))), hint)
}

/// A limit that no place in a text is to blame for, styled.
pub fn stopped(message: &str, help: &str) -> String {
    let title = Level::WARNING.with_name("limit").primary_title(message);
    render(title.elements(Vec::<Element>::new()), help)
}

/// An error that has no place in a text, styled.
pub fn message(message: &str, help: &str) -> String {
    let title = Level::ERROR.primary_title(message);
    render(title.elements(Vec::<Element>::new()), help)
}

fn render(group: Group, hint: &str) -> String {
    let group = if hint.is_empty() {
        group
    } else {
        group.element(Level::HELP.message(hint))
    };
    Renderer::styled().render(&[group])
}

/// `file:line:column` and the lines of `span`. A source without a name has no place to show.
fn place<'a>(source: &'a Source, span: Option<Span>) -> Vec<Element<'a>> {
    let origin = Origin::path(source.name());
    let Some(span) = span else {
        let is_named = !source.name().is_empty();
        return is_named.then(|| origin.into()).into_iter().collect();
    };
    let position = source.position(span.start);
    let excerpt = excerpt(source, span);
    let snippet = Snippet::source(excerpt.text)
        .line_start(position.line)
        .annotation(AnnotationKind::Primary.span(excerpt.span));
    match excerpt.start {
        Start::Line => vec![snippet.path(source.name()).into()],
        // The renderer would count columns from where the line was cut.
        Start::MidLine => {
            let origin = origin.line(position.line).char_column(position.column);
            vec![origin.into(), snippet.into()]
        }
    }
}

/// The lines around a span.
struct Excerpt<'a> {
    text: &'a str,
    /// Whether the text starts where a line does.
    start: Start,
    /// The span, in bytes of `text`.
    span: Range<usize>,
}

enum Start {
    Line,
    MidLine,
}

fn excerpt(source: &Source, span: Span) -> Excerpt<'_> {
    let text = source.text();
    let start = floor(text, span.start as usize);
    let end = shown_end(text, start, floor(text, (span.end as usize).max(start)));
    let earliest = floor(text, start.saturating_sub(MAX_BYTES));
    let latest = floor(text, end + MAX_BYTES);
    let line_start = text[earliest..start].rfind('\n').map(|i| earliest + i + 1);
    let first = line_start.unwrap_or(earliest);
    let rest = text[end..latest].split('\n').next().unwrap_or_default();
    let last = end + rest.trim_end_matches('\r').len();
    let is_cut = line_start.is_none() && earliest > 0;
    Excerpt {
        text: &text[first..last],
        start: if is_cut { Start::MidLine } else { Start::Line },
        span: start - first..end - first,
    }
}

/// Where the shown part of `start..end` ends: all of it, or its first line if there are too many.
fn shown_end(text: &str, start: usize, end: usize) -> usize {
    let end = end.min(floor(text, start + MAX_BYTES));
    let mut breaks = text[start..end].match_indices('\n').map(|(i, _)| start + i);
    match (breaks.next(), breaks.nth(MAX_LINES - 2)) {
        (Some(first), Some(_)) => first,
        _ => end,
    }
}

/// The last boundary of characters at or before `offset`.
fn floor(text: &str, offset: usize) -> usize {
    let offset = offset.min(text.len());
    (0..=offset)
        .rev()
        .find(|&i| text.is_char_boundary(i))
        .unwrap_or(0)
}

/// The diagnostic as a JSON object; positions count from 1, and are null for the description as a whole.
pub fn json(source: &Source, diagnostic: &Diagnostic) -> Value {
    let start = diagnostic.span.map(|span| source.position(span.start));
    let end = diagnostic.span.map(|span| source.position(span.end));
    json!({
        "code": diagnostic.code,
        "severity": diagnostic.severity.to_string(),
        "line": start.map(|position| position.line),
        "column": start.map(|position| position.column),
        "end_line": end.map(|position| position.line),
        "end_column": end.map(|position| position.column),
        "message": diagnostic.message,
        "hint": diagnostic.hint,
        "rule": diagnostic.rule.map(|rule| source.slice(rule)),
    })
}

/// The limit as a JSON object.
pub fn limit_json(source: &Source, reached: &LimitReached) -> Value {
    let position = source.position(reached.rule.start);
    json!({
        "kind": match reached.limit {
            Limit::Rules => "rules",
            Limit::Time => "time",
        },
        "message": reached.message,
        "line": position.line,
        "column": position.column,
        "rule": source.slice(reached.rule),
        "instances": reached.instances,
    })
}
