//! Each check on a small description: what is reported, and what the rules become.

mod programs;
mod reports;
mod unwritable;

use super::{Checked, check};
use crate::diagnostic::Diagnostic;
use crate::source::Source;
use crate::syntax::parse;
use std::sync::Arc;

/// The smallest game without anything to complain about, on one line: a case that stands after it
/// begins in line 2.
const GAME: &str = "(role a) (init s) (legal a m) (goal a 100) (<= terminal (true s))\n";

/// Checks a text; also the diagnostics as single lines without the name of the file.
fn checked(text: &str) -> (Checked, Vec<String>) {
    let source = Arc::new(Source::new("g", text));
    let checked = check(&parse(source.clone(), None).description);
    let line = |d: &Diagnostic| d.one_line(&source).replacen("g:", "", 1);
    let lines = checked.diagnostics.iter().map(line).collect();
    (checked, lines)
}
