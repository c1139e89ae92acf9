//! What is wrong with a text, all of it, but of one kind not more than anybody reads.

use crate::diagnostic::{self, Diagnostic, Severity};
use std::collections::BTreeMap;

/// Diagnostics of one kind that are kept: a broken file can have millions.
const MAX_ALIKE: usize = 20;

/// Collects diagnostics.
#[derive(Default)]
pub(super) struct Problems {
    kept: Vec<Diagnostic>,
    counts: BTreeMap<(Severity, &'static str), usize>,
}

impl Problems {
    /// Notes a problem. `make` runs only if it will be shown, so that a million alike cost nothing.
    pub fn note(&mut self, severity: Severity, code: &'static str, make: impl FnOnce() -> Diagnostic) {
        let count = self.counts.entry((severity, code)).or_default();
        *count += 1;
        if *count <= MAX_ALIKE {
            self.kept.push(Diagnostic {
                severity,
                code,
                ..make()
            });
        }
    }

    /// Notes an error.
    pub fn error(&mut self, code: &'static str, make: impl FnOnce() -> Diagnostic) {
        self.note(Severity::Error, code, make);
    }

    /// Whether the text cannot be used.
    pub fn any_error(&self) -> bool {
        self.counts
            .keys()
            .any(|(severity, _)| *severity == Severity::Error)
    }

    /// The diagnostics in order.
    pub fn finish(mut self) -> Vec<Diagnostic> {
        let many = self.counts.iter().filter(|&(_, &count)| count > MAX_ALIKE);
        self.kept
            .extend(many.map(|(&(severity, code), &count)| Diagnostic {
                severity,
                ..Diagnostic::global_error(
                    "too-many",
                    format!("{} further problems `{code}` are not shown", count - MAX_ALIKE),
                )
            }));
        diagnostic::sort(&mut self.kept);
        self.kept
    }
}
