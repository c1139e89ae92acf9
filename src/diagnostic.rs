//! What is wrong with a description, where, and what to do about it.
//!
//! Every stage that reads the user's text reports [`Diagnostic`]s: all of them at once, sorted by
//! position. Errors refuse the description; warnings say how something dubious was read.

use crate::source::{Source, Span};
use std::fmt;

/// Whether the description can be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The description has no meaning as it stands.
    Error,
    /// The description has one sensible meaning, which the message states.
    Warning,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
        })
    }
}

/// One problem in a source text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Which check found it: a stable, greppable name such as `unsafe-variable`.
    pub code: &'static str,
    /// Error or warning.
    pub severity: Severity,
    /// The offending place; `None` if the problem is that something is missing.
    pub span: Option<Span>,
    /// The whole rule around the place, for the snippet and for machines.
    pub rule: Option<Span>,
    /// What is wrong, in one sentence without a final full stop.
    pub message: String,
    /// What to do about it, or how it was read.
    pub hint: String,
}

impl Diagnostic {
    /// An error at `span`.
    pub fn error(code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            code,
            severity: Severity::Error,
            span: Some(span),
            rule: None,
            message: message.into(),
            hint: String::new(),
        }
    }

    /// A warning at `span`.
    pub fn warning(code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            severity: Severity::Warning,
            ..Diagnostic::error(code, span, message)
        }
    }

    /// An error about the description as a whole.
    pub fn global_error(code: &'static str, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            span: None,
            ..Diagnostic::error(code, Span::default(), message)
        }
    }

    /// A warning about the description as a whole.
    pub fn global_warning(code: &'static str, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            severity: Severity::Warning,
            ..Diagnostic::global_error(code, message)
        }
    }

    /// Adds the advice.
    pub fn hint(mut self, hint: impl Into<String>) -> Diagnostic {
        self.hint = hint.into();
        self
    }

    /// Adds the rule in which the problem stands.
    pub fn in_rule(mut self, rule: Span) -> Diagnostic {
        self.rule = Some(rule);
        self
    }

    /// Whether this refuses the description.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    /// `file:line:column: severity[code]: message`, for logs and tests.
    pub fn one_line(&self, source: &Source) -> String {
        let place = match self.span {
            Some(span) => {
                let position = source.position(span.start);
                format!("{}:{}:{}", source.name(), position.line, position.column)
            }
            None => source.name().to_string(),
        };
        format!("{place}: {}[{}]: {}", self.severity, self.code, self.message)
    }
}

/// Sorts by position (problems of the whole description last), then by severity and text, and
/// drops exact repetitions.
pub fn sort(diagnostics: &mut Vec<Diagnostic>) {
    diagnostics.sort_by(|a, b| {
        let key = |d: &Diagnostic| (d.span.is_none(), d.span, d.severity, d.code);
        key(a).cmp(&key(b)).then_with(|| a.message.cmp(&b.message))
    });
    diagnostics.dedup();
}

/// Whether any of them is an error.
pub fn any_error(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().any(Diagnostic::is_error)
}
