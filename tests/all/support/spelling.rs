//! Descriptions that spell one name in several ways, compared with data of who takes them for different names.

use std::collections::BTreeSet;

/// How names of a description are compared. GDL folds case; the prover does not, which matters in the few
/// descriptions that spell one name in several ways.
#[derive(Clone, Copy)]
pub enum Spelling {
    /// No name is spelled in two ways.
    OneForEachName,
    /// Some name is.
    Several,
}

impl Spelling {
    /// How this description is to be read.
    pub fn of(description: &str) -> Spelling {
        let code = description.lines().filter_map(|line| line.split(';').next());
        let words = code.flat_map(|line| line.split(|c: char| c.is_whitespace() || c == '(' || c == ')'));
        let spellings: BTreeSet<&str> = words.collect();
        let names: BTreeSet<String> = spellings.iter().map(|word| word.to_lowercase()).collect();
        if names.len() < spellings.len() {
            Spelling::Several
        } else {
            Spelling::OneForEachName
        }
    }

    /// The text, in which different spellings are different names even if case is folded.
    pub fn apply(self, text: String) -> String {
        match self {
            Spelling::OneForEachName => text,
            Spelling::Several => text.chars().map(mark_capital).collect(),
        }
    }
}

/// `N` becomes `n_upper`.
fn mark_capital(letter: char) -> String {
    if letter.is_uppercase() {
        format!("{}_upper", letter.to_lowercase())
    } else {
        letter.to_string()
    }
}
