//! Names that clingo accepts, one for each name of a game, and back.
//!
//! Names of games are lower case, so a capital letter marks what was changed: a name that clingo cannot
//! read as it stands becomes `zX` and its characters, where any character that is not a small letter, a
//! digit or `_` is written `X<hexadecimal code>X`. So `a+b` is `zXaX2bXb`, and `01`, which is not the
//! number 1 in GDL, is `zX01`. The encoding's own predicates start with `_`, which no name of a game does
//! after the change.

use crate::term::Term;
use std::borrow::Cow;
use std::fmt::{self, Write};

const MARK: &str = "zX";

/// A function or a predicate.
pub fn name(name: &str) -> Cow<'_, str> {
    if is_plain(name) {
        Cow::Borrowed(name)
    } else {
        Cow::Owned(format!("{MARK}{}", escaped(name)))
    }
}

/// A constant: like a function without arguments, but whole numbers that clingo can hold stay numbers.
pub fn constant(constant: &str) -> Cow<'_, str> {
    if is_number(constant) {
        Cow::Borrowed(constant)
    } else {
        name(constant)
    }
}

/// A variable.
pub fn variable(name: &str) -> String {
    if is_plain(name) {
        let (first, rest) = name.split_at(1);
        format!("{}{rest}", first.to_ascii_uppercase())
    } else {
        format!("VX{}", escaped(name))
    }
}

/// The name of a game that stands for this one; nothing if no name does.
pub fn original(mangled: &str) -> Option<String> {
    let Some(mut rest) = mangled.strip_prefix(MARK) else {
        return (is_plain(mangled) || is_number(mangled)).then(|| mangled.to_string());
    };
    let mut original = String::new();
    while let Some(at) = rest.find('X') {
        let (plain, escape) = rest.split_at(at);
        let (code, after) = escape.strip_prefix('X')?.split_once('X')?;
        original.push_str(plain);
        original.push(char::from_u32(u32::from_str_radix(code, 16).ok()?)?);
        rest = after;
    }
    original.push_str(rest);
    Some(original)
}

fn is_word(c: char) -> bool {
    c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_'
}

fn is_plain(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_lowercase()) && name.chars().all(is_word) && name != "not"
}

/// clingo's numbers have 32 bits and no leading zeros.
fn is_number(name: &str) -> bool {
    name.parse::<i32>()
        .is_ok_and(|number| number >= 0 && number.to_string() == name)
}

fn escaped(name: &str) -> String {
    let mut text = String::with_capacity(name.len() + 8);
    for c in name.chars() {
        if is_word(c) {
            text.push(c);
        } else {
            // Writing to a string cannot fail.
            let _ = write!(text, "X{:x}X", u32::from(c));
        }
    }
    text
}

/// A term in clingo's notation.
pub struct Shown<'a>(pub &'a Term);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Term::Variable(v) => f.write_str(&variable(v.as_str())),
            Term::Function(c, args) if args.is_empty() => f.write_str(&constant(c.as_str())),
            Term::Function(function, args) => {
                f.write_str(&name(function.as_str()))?;
                for (n, arg) in args.iter().enumerate() {
                    write!(f, "{}{}", if n == 0 { "(" } else { "," }, Shown(arg))?;
                }
                f.write_str(")")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_back() {
        let names = [
            "a",
            "not",
            "a+b",
            "_exists",
            "1st",
            "x'",
            "ü",
            "zx",
            "a_b",
            "<",
            "007",
            "4294967296",
            "-3",
            "12",
        ];
        for text in names {
            for mangled in [name(text), constant(text)] {
                assert!(mangled.is_ascii());
                assert_eq!(original(&mangled).as_deref(), Some(text), "{mangled}");
            }
        }
        assert_eq!(constant("12"), "12");
        assert_eq!(constant("007"), "zX007");
        assert_eq!(name("12"), "zX12");
        assert_eq!(original("Xx"), None);
    }
}
