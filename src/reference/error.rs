//! What can go wrong while a state is evaluated.

use std::fmt;

/// Why a state has no model that the reference could compute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReferenceError {
    /// An atom is neither true nor false, because it depends on its own negation.
    Unstratified {
        /// The undefined atom, in KIF notation.
        atom: String,
        /// A rule for it, with its line.
        rule: String,
    },
    /// A rule derives ever deeper terms.
    GrowingTerm {
        /// The rule, with its line.
        rule: String,
        /// The beginning of the atom that went too deep.
        atom: String,
    },
    /// The facts do not fit into [`MAX_SYMBOLS`].
    TooManyFacts {
        /// The rule that derived one too many, with its line.
        rule: String,
    },
}

/// Deepest nesting of a derived term: far above what games use, far below what the stack can hold.
pub const MAX_DEPTH: usize = 256;

/// Most symbols that all facts of one evaluation may have together: about a gigabyte.
pub const MAX_SYMBOLS: usize = 10_000_000;

impl fmt::Display for ReferenceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReferenceError::Unstratified { atom, rule } => {
                write!(
                    f,
                    "{atom} is neither true nor false: it depends on its own negation, see {rule}"
                )
            }
            ReferenceError::GrowingTerm { rule, atom } => {
                write!(f, "terms grow beyond {MAX_DEPTH} levels: {atom} by {rule}")
            }
            ReferenceError::TooManyFacts { rule } => {
                write!(
                    f,
                    "the facts have more than {MAX_SYMBOLS} symbols, the last by {rule}"
                )
            }
        }
    }
}

impl std::error::Error for ReferenceError {}
