//! The diagnostics of one text, bounded so that a binary file does not give thousands.

use crate::diagnostic::{self, Diagnostic};
use crate::source::Span;

/// Errors after which reading stops, and warnings after which they are only counted.
const LIMIT: usize = 50;

/// What was noticed so far.
#[derive(Default)]
pub(super) struct Reports {
    errors: Vec<Diagnostic>,
    warnings: Vec<Diagnostic>,
    /// Warnings beyond the limit.
    left_out: usize,
}

/// How much was noticed at some moment.
#[derive(Clone, Copy, Default)]
pub(super) struct Mark {
    errors: usize,
    warnings: usize,
}

impl Reports {
    /// Notes a problem.
    pub fn add(&mut self, diagnostic: Diagnostic) {
        match (diagnostic.is_error(), self.warnings.len() < LIMIT) {
            // One more than is shown, so that it is known that something is left out.
            (true, _) if self.errors.len() <= LIMIT => self.errors.push(diagnostic),
            (true, _) => {}
            (false, true) => self.warnings.push(diagnostic),
            (false, false) => self.left_out += 1,
        }
    }

    /// Whether there are so many errors that reading further is useless.
    pub fn is_full(&self) -> bool {
        self.errors.len() > LIMIT
    }

    /// Whether nothing is wrong.
    pub fn has_no_error(&self) -> bool {
        self.errors.is_empty()
    }

    /// This moment.
    pub fn mark(&self) -> Mark {
        Mark {
            errors: self.errors.len(),
            warnings: self.warnings.len(),
        }
    }

    /// Says of everything noticed in `rule` since `mark` that it stands there. What was noticed outside
    /// belongs to a comment or to the token after the rule.
    pub fn place_in_rule(&mut self, mark: Mark, rule: Span) {
        let errors = self.errors.iter_mut().skip(mark.errors);
        for diagnostic in errors.chain(self.warnings.iter_mut().skip(mark.warnings)) {
            let inside = diagnostic.span.is_some_and(|span| rule.to(span) == rule);
            diagnostic.rule = inside.then_some(rule);
        }
    }

    /// All of it, sorted by position.
    pub fn finish(mut self) -> Vec<Diagnostic> {
        let stopped = self.is_full();
        self.errors.truncate(LIMIT);
        let mut all = self.errors;
        all.append(&mut self.warnings);
        diagnostic::sort(&mut all);
        if stopped {
            let message = "further problems are not shown";
            all.push(Diagnostic::global_error("too-many", message).hint(format!(
                "reading stopped after {LIMIT} errors; is this a game description?"
            )));
        } else if self.left_out > 0 {
            let message = format!("{} further warnings are not shown", self.left_out);
            all.push(
                Diagnostic::global_warning("too-many", message).hint("the description was read completely"),
            );
        }
        all
    }
}
