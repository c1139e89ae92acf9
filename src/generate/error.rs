//! Why no description was written.

use std::fmt;

/// Why no description was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GenerateError {
    /// There is no family of this name.
    UnknownFamily {
        /// The name asked for.
        name: String,
        /// The names there are.
        known: Vec<&'static str>,
    },
    /// The family has no parameter of this name.
    UnknownParameter {
        /// The family's name.
        family: &'static str,
        /// The parameter asked for.
        name: String,
        /// The parameters it has.
        known: Vec<&'static str>,
    },
    /// A parameter was given twice.
    RepeatedParameter {
        /// The parameter's name.
        name: &'static str,
    },
    /// A value that is not of the parameter's kind or out of its range.
    BadValue {
        /// The parameter's name.
        parameter: &'static str,
        /// What was given.
        value: String,
        /// What would have been right, as in "expected …".
        expected: String,
    },
    /// Values that are fine one by one but make no game together.
    NoGame {
        /// Why not.
        reason: String,
    },
}

impl fmt::Display for GenerateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GenerateError::UnknownFamily { name, known } => {
                write!(f, "there is no family `{name}`; families: {}", known.join(", "))
            }
            GenerateError::UnknownParameter { family, name, known } if known.is_empty() => {
                write!(f, "`{family}` has no option `{name}`; it has none at all")
            }
            GenerateError::UnknownParameter { family, name, known } => {
                write!(
                    f,
                    "`{family}` has no option `{name}`; options: {}",
                    known.join(", ")
                )
            }
            GenerateError::RepeatedParameter { name } => write!(f, "`{name}` is given twice"),
            GenerateError::BadValue {
                parameter,
                value,
                expected,
            } => {
                write!(f, "`{parameter}` cannot be `{value}`: expected {expected}")
            }
            GenerateError::NoGame { reason } => write!(f, "no such game: {reason}"),
        }
    }
}

impl std::error::Error for GenerateError {}
