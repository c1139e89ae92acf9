//! [`Description`] → [`Program`]: is it GDL, and what does it mean?
//!
//! [`check`] reports every problem at once. Errors are descriptions without a sensible meaning;
//! warnings say how something dubious was read. [`codes`] lists all of them. One file per kind of
//! question:
//!
//! | file | question |
//! |---|---|
//! | `keywords` | are GDL's keywords used where and as GDL allows? |
//! | `names` | are relations defined, used, and of one arity? |
//! | `game` | is it a game: roles, moves, goals, an end? |
//! | `dependencies` | does a relation depend on moves or positions that it must not know? |
//! | `normal`, `equality`, `contradiction` | `or`, nested `not` and `not distinct` become plain rules |
//! | `safety` | is every variable bound, and before it is needed? |
//! | `duplicates` | does a rule stand twice? |
//! | `lower` | the last four, clause by clause |

pub mod codes;
mod contradiction;
mod dependencies;
mod duplicates;
mod equality;
mod game;
mod keywords;
mod lower;
mod names;
mod normal;
mod safety;
mod walk;

#[cfg(test)]
mod tests;

use crate::diagnostic::{self, Diagnostic};
use crate::program::Program;
use crate::syntax::Description;

/// What [`check`] found.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The program; `None` if and only if there is an error among the diagnostics.
    pub program: Option<Program>,
    /// Everything wrong or dubious, sorted by position.
    pub diagnostics: Vec<Diagnostic>,
}

/// Checks a description and gives it its meaning as a logic program.
pub fn check(description: &Description) -> Checked {
    let mut diagnostics = Vec::new();
    let clauses = &description.clauses;
    let sound = keywords::check(clauses, &mut diagnostics);
    names::check(clauses, &mut diagnostics);
    let roles = game::check(clauses, &mut diagnostics);
    dependencies::check(&sound, &mut diagnostics);
    let rules = lower::rules(&description.source, &sound, &mut diagnostics);
    diagnostic::sort(&mut diagnostics);
    let program = (!diagnostic::any_error(&diagnostics)).then(|| Program {
        source: description.source.clone(),
        roles,
        rules,
    });
    Checked { program, diagnostics }
}
