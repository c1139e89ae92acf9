//! Which syntax a text is written in, by its first telling character.

use super::characters::{is_line_end, is_symbol_char};
use super::description::Syntax;

/// The syntax of a text; the rule stands at [`parse`](super::parse).
pub(super) fn syntax_of(text: &str) -> Syntax {
    let mut rest = text.trim_start();
    let mut default = Syntax::Kif;
    loop {
        match rest.chars().next() {
            None => return default,
            Some('(' | ')') => return Syntax::Kif,
            Some(';') => rest = after_line(rest),
            Some('%') => {
                default = Syntax::Infix;
                rest = after_line(rest);
            }
            Some(_) if rest.starts_with("/*") => {
                default = Syntax::Infix;
                rest = rest.split_once("*/").map_or("", |(_, after)| after);
            }
            Some(_) => {
                let end = rest.find(|c| !is_symbol_char(c)).unwrap_or(rest.len());
                let (word, after) = rest.split_at(end);
                if tells_infix(word) || after.starts_with('(') {
                    return Syntax::Infix;
                }
                rest = after;
            }
        }
        rest = rest.trim_start();
    }
}

fn tells_infix(word: &str) -> bool {
    word.ends_with(['.', ',', '&', '|', '\'', '~']) || word.contains(":-") || word == "<="
}

fn after_line(text: &str) -> &str {
    text.find(is_line_end).map_or("", |end| &text[end..])
}
