//! The line `p cnf VARIABLES CLAUSES`.

use super::numbers::integer;
use std::str::SplitAsciiWhitespace;

/// So many variables are read from any text. A larger number has to be one that the text can hold, at two
/// bytes each, so that a header alone cannot fill the memory.
const FEW_VARIABLES: usize = 1_000_000;

/// What a header says.
pub(super) enum Counts {
    /// The numbers of variables and of clauses.
    Good(usize, i64),
    /// More variables than the text can have.
    TooLarge(i64),
    Malformed,
}

/// Reads the words of a header of a text with so many bytes.
pub(super) fn counts(words: SplitAsciiWhitespace, bytes: usize) -> Counts {
    let words: Vec<&str> = words.take(5).collect();
    let counts = match words[..] {
        ["p", "cnf", variables, clauses] => integer(variables).zip(integer(clauses)),
        _ => None,
    };
    match counts {
        Some((variables, clauses)) if variables >= 0 && clauses >= 0 => match usize::try_from(variables) {
            Ok(variables) if variables <= FEW_VARIABLES.max(bytes / 2) => Counts::Good(variables, clauses),
            _ => Counts::TooLarge(variables),
        },
        _ => Counts::Malformed,
    }
}
