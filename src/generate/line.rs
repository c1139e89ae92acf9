//! Rules for k marks in a row.

use super::error::GenerateError;
use crate::syntax::Syntax;

/// The four rules for `line(P)`: `length` cells of one player in a row, a column or a diagonal.
///
/// The facts `right(C,D)` and `up(R,S)` stand between the cells they link, so that a join from left to
/// right never meets an unbound column or row.
pub(super) fn rules(syntax: Syntax, length: u32) -> String {
    let directions = [
        (Column::Right, Row::Same),
        (Column::Same, Row::Up),
        (Column::Right, Row::Up),
        (Column::Right, Row::Down),
    ];
    directions
        .into_iter()
        .map(|(column, row)| rule(syntax, length, column, row))
        .collect()
}

#[derive(Clone, Copy)]
enum Column {
    Same,
    Right,
}

#[derive(Clone, Copy)]
enum Row {
    Same,
    Up,
    Down,
}

fn rule(syntax: Syntax, length: u32, column: Column, row: Row) -> String {
    let var = |name: char, i: u32| match syntax {
        Syntax::Kif => format!("?{name}{i}"),
        Syntax::Infix => format!("{}{i}", name.to_ascii_uppercase()),
    };
    let column_at = |i| match column {
        Column::Same => var('c', 1),
        Column::Right => var('c', i),
    };
    let row_at = |i| match row {
        Row::Same => var('r', 1),
        Row::Up | Row::Down => var('r', i),
    };
    let mut body = vec![cell(syntax, &column_at(1), &row_at(1))];
    for i in 2..=length {
        if matches!(column, Column::Right) {
            body.push(link(syntax, "right", &column_at(i - 1), &column_at(i)));
        }
        match row {
            Row::Same => {}
            Row::Up => body.push(link(syntax, "up", &row_at(i - 1), &row_at(i))),
            Row::Down => body.push(link(syntax, "up", &row_at(i), &row_at(i - 1))),
        }
        body.push(cell(syntax, &column_at(i), &row_at(i)));
    }
    match syntax {
        Syntax::Kif => format!("(<= (line ?p)\n    {})\n", body.join("\n    ")),
        Syntax::Infix => format!("line(P) :-\n    {}.\n", body.join(",\n    ")),
    }
}

fn cell(syntax: Syntax, column: &str, row: &str) -> String {
    match syntax {
        Syntax::Kif => format!("(true (cell {column} {row} ?p))"),
        Syntax::Infix => format!("true(cell({column},{row},P))"),
    }
}

fn link(syntax: Syntax, name: &str, from: &str, to: &str) -> String {
    match syntax {
        Syntax::Kif => format!("({name} {from} {to})"),
        Syntax::Infix => format!("{name}({from},{to})"),
    }
}

/// Refuses boards without neighbours in some direction, and lines that do not fit.
pub(super) fn check_board(width: u32, height: u32, length: u32) -> Result<(), GenerateError> {
    let reason = if width < 2 || height < 2 {
        format!("a board of {width}x{height}: both sides must be at least 2")
    } else if length < 2 || length > width.max(height) {
        format!("{length} in a row on a board of {width}x{height}")
    } else {
        return Ok(());
    };
    Err(GenerateError::NoGame { reason })
}
