//! How a command ends.

use std::io;

/// The documented exit codes; the discriminant is the code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// The question was answered.
    Answered = 0,
    /// Something is wrong with the game or with a file.
    InputError = 1,
    /// Something is wrong with the command line; most of these are found by clap, with the same code.
    Usage = 2,
    /// A limit was reached; what is known so far was said.
    LimitReached = 3,
    /// Two methods found different values.
    Disagreed = 4,
}

impl Exit {
    /// The exit code of two games together: a disagreement outweighs an error, and an error a limit.
    pub fn worse(self, other: Exit) -> Exit {
        match (self, other) {
            (Exit::Answered, other) | (other, Exit::Answered) => other,
            (Exit::Disagreed, _) | (_, Exit::Disagreed) => Exit::Disagreed,
            (Exit::LimitReached, other) => other,
            (worst, _) => worst,
        }
    }
}

/// Why a command has no answer.
#[derive(Debug)]
pub enum Failure {
    /// All has been said already.
    Reported(Exit),
    /// One message, with advice unless it is empty.
    Message {
        exit: Exit,
        message: String,
        help: String,
    },
}

impl Failure {
    /// Something is wrong with a game or a file.
    pub fn input(message: impl Into<String>, help: impl Into<String>) -> Failure {
        Failure::Message {
            exit: Exit::InputError,
            message: message.into(),
            help: help.into(),
        }
    }

    /// Something is wrong with the command line.
    pub fn usage(message: impl Into<String>, help: impl Into<String>) -> Failure {
        Failure::Message {
            exit: Exit::Usage,
            message: message.into(),
            help: help.into(),
        }
    }

    /// A limit was reached before there was anything to answer with.
    pub fn limit(message: impl Into<String>, help: impl Into<String>) -> Failure {
        Failure::Message {
            exit: Exit::LimitReached,
            message: message.into(),
            help: help.into(),
        }
    }

    /// The same, found in what a file or text says instead of on the command line.
    pub fn of_input(self) -> Failure {
        match self {
            Failure::Message { message, help, .. } => Failure::input(message, help),
            reported => reported,
        }
    }

    /// `destination` cannot be written.
    pub fn writing(destination: &str, error: &io::Error) -> Failure {
        let help = match error.kind() {
            io::ErrorKind::NotFound => "name a file in a folder that exists",
            io::ErrorKind::StorageFull => "free some space, or name a file elsewhere",
            io::ErrorKind::PermissionDenied => "name a file where you may write",
            _ => "",
        };
        Failure::input(format!("{destination} cannot be written: {error}"), help)
    }
}
