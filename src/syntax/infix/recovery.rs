//! What to say when an infix clause goes wrong, and where to go on.

use super::Parser;
use super::lexer::Kind;
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::syntax::characters::clip;

impl Parser<'_> {
    /// The `)` that belongs to `open`.
    pub(super) fn close(&mut self, open: Span) -> Option<()> {
        if self.consume(Kind::Close) {
            return Some(());
        }
        let clause_over = matches!(self.token.kind, Kind::Dot | Kind::Arrow | Kind::End);
        if !clause_over && !self.token.first_on_line {
            return self.unexpected("`,` or `)`");
        }
        let hint = match self.previous.kind {
            // "after `)`" would not say after which.
            Kind::Close if self.token.kind != Kind::End => {
                format!("write `)` before `{}`", clip(self.source.slice(self.token.span)))
            }
            _ => format!(
                "write `)` after `{}`",
                clip(self.source.slice(self.previous.span))
            ),
        };
        let message = "this parenthesis is not closed";
        self.refuse(Diagnostic::error("unclosed-parenthesis", open, message).hint(hint))
    }

    /// Refuses the next token.
    pub(super) fn unexpected<T>(&mut self, expected: &str) -> Option<T> {
        let found = clip(self.source.slice(self.token.span));
        let span = self.token.span;
        let diagnostic = match self.token.kind {
            // The lexer has said what is wrong.
            Kind::Broken => return None,
            Kind::End => Diagnostic::error(
                "unexpected-end",
                span,
                format!("the text ends where {expected} should follow"),
            )
            .hint("complete or delete the last clause"),
            Kind::Close => {
                Diagnostic::error("unbalanced-parenthesis", span, "this parenthesis closes nothing")
                    .hint(format!("expected {expected}"))
            }
            _ => Diagnostic::error("unexpected-token", span, format!("unexpected `{found}`"))
                .hint(unexpected_hint(&found, expected)),
        };
        self.refuse(diagnostic)
    }

    /// Goes behind the clause that began at `start`: behind its full stop, or to a line that does not
    /// look like a continuation.
    pub(super) fn skip_clause(&mut self, start: Span) {
        if self.token.span == start {
            self.advance();
        }
        while self.previous.kind != Kind::Dot && self.token.kind != Kind::End {
            let joined = self.previous.kind != Kind::Close && self.previous.kind.continues();
            if self.token.first_on_line && !joined && !self.token.kind.continues() {
                break;
            }
            self.advance();
        }
    }
}

fn unexpected_hint(found: &str, expected: &str) -> String {
    match found {
        "+" | "-" | "*" | "/" => {
            format!("expected {expected}; GDL has no arithmetic, so name the relation, as in `succ(M,N)`")
        }
        "{" | "}" | ":" => {
            format!("expected {expected}; choice rules belong to answer set programming, not to GDL")
        }
        "=" => format!("expected {expected}; use one variable for equal terms, `!=` for distinct ones"),
        _ => format!("expected {expected}"),
    }
}
