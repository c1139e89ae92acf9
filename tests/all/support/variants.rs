//! Other texts of the same game.

use super::random::Random;
use super::random_game::Clause;
use emm::program::Predicate;

/// Puts clauses, and the conditions of each, into another order; the order of the roles has a meaning.
pub fn permute(clauses: &mut [Clause], seed: u64) {
    let mut random = Random::new(seed);
    let roles = clauses
        .iter()
        .take_while(|clause| clause.head.starts_with("(role "))
        .count();
    random.shuffle(&mut clauses[roles..]);
    clauses
        .iter_mut()
        .for_each(|clause| random.shuffle(&mut clause.body));
}

/// Whether a name of a description may be replaced by another.
fn is_free(name: &str) -> bool {
    let is_connective = ["<=", "not", "or", "and", "distinct", "random"].contains(&name);
    let is_variable = name.starts_with('?');
    // Also of the empty name.
    let is_number = name.bytes().all(|byte| byte.is_ascii_digit());
    !is_connective && !is_variable && !is_number && Predicate::keyword(name).is_none()
}

/// Another name, such that names sort differently; the inverse of [`old_name`].
pub fn new_name(name: &str) -> String {
    match is_free(name) {
        true => name.chars().rev().chain("_new".chars()).collect(),
        false => name.to_string(),
    }
}

/// The name that became this one.
pub fn old_name(name: &str) -> String {
    name.strip_suffix("_new")
        .map_or(name.to_string(), |name| name.chars().rev().collect())
}

/// A KIF text with all names replaced.
pub fn rename_text(text: &str) -> String {
    let mut renamed = String::new();
    for part in text.split_inclusive(['(', ')', ' ', '\n']) {
        let name = part.trim_end_matches(['(', ')', ' ', '\n']);
        renamed += &new_name(name);
        renamed += &part[name.len()..];
    }
    renamed
}
