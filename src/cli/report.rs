//! Diagnostics for people (snippets as rustc prints them) and for machines (JSON).

use annotate_snippets::{AnnotationKind, Element, Group, Level, Origin, Renderer, Snippet};
use emm::diagnostic::{Diagnostic, Severity};
use emm::ground::{Limit, LimitReached};
use emm::source::{Source, Span};
use serde_json::{Value, json};
use std::ops::Range;

/// Lines of a span that are shown; of a longer one only the first is.
const MAX_LINES: usize = 12;
/// Bytes around a place that are shown, so that a text without line breaks does not fill the screen.
const MAX_BYTES: usize = 400;

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
    let origin = origin.line(position.line).char_column(position.column);
    let (excerpt, inside) = excerpt(source, span);
    let snippet = Snippet::source(excerpt)
        .line_start(position.line)
        .annotation(AnnotationKind::Primary.span(inside));
    vec![origin.into(), snippet.into()]
}

/// The lines around a span, and the span inside them.
///
/// Cut here rather than by the renderer, which would go through the whole text for every diagnostic.
fn excerpt(source: &Source, span: Span) -> (&str, Range<usize>) {
    let text = source.text();
    let start = floor(text, span.start as usize);
    let end = floor(text, (span.end as usize).max(start));
    let end = end.min(floor(text, start + MAX_BYTES));
    let end = match text[start..end].match_indices('\n').nth(MAX_LINES) {
        Some(_) => start + text[start..end].find('\n').unwrap_or(0),
        None => end,
    };
    let earliest = floor(text, start.saturating_sub(MAX_BYTES));
    let latest = floor(text, end + MAX_BYTES);
    let first = text[earliest..start]
        .rfind('\n')
        .map_or(earliest, |i| earliest + i + 1);
    let last = text[end..latest].find('\n').map_or(latest, |i| end + i);
    (&text[first..last], start - first..end - first)
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
