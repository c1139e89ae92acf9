//! Text → [`Description`]: the two syntaxes of GDL, read and printed.
//!
//! A description is what the author wrote, nothing interpreted yet: `or` and nested `not` are still
//! there, keywords are ordinary names, and every part knows its place in the text.

mod description;

pub use description::{Atom, Clause, Description, Formula, Syntax};
