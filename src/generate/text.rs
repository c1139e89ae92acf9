//! Facts as text.

use crate::syntax::Syntax;
use std::ops::RangeInclusive;

/// A line is broken before it gets longer than this.
const LINE_WIDTH: usize = 100;

/// One fact `name(…)` for each list of arguments, several on a line.
pub(super) fn facts(syntax: Syntax, name: &str, rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut text = String::new();
    let mut column = 0;
    for row in rows {
        let fact = match syntax {
            Syntax::Kif => format!("({name} {})", row.join(" ")),
            Syntax::Infix => format!("{name}({}).", row.join(",")),
        };
        if column > 0 {
            let fits = column + 1 + fact.len() <= LINE_WIDTH;
            text.push(if fits { ' ' } else { '\n' });
            column = if fits { column + 1 } else { 0 };
        }
        column += fact.len();
        text += &fact;
    }
    text + "\n"
}

/// Facts `name(n)` for each number.
pub(super) fn numbers(syntax: Syntax, name: &str, range: RangeInclusive<u32>) -> String {
    facts(syntax, name, range.map(|n| vec![n.to_string()]))
}

/// Facts `name(n,n+1)` for each two neighbours in the range; a range of one number has none.
pub(super) fn successors(syntax: Syntax, name: &str, range: RangeInclusive<u32>) -> String {
    let pairs = range.clone().zip(range.skip(1));
    facts(
        syntax,
        name,
        pairs.map(|(a, b)| vec![a.to_string(), b.to_string()]),
    )
}
