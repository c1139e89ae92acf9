//! Plain tables: columns aligned by spaces, nothing after the last.

use std::fmt::Write;

/// Where the cells of a column stand.
#[derive(Clone, Copy)]
pub enum Align {
    Left,
    Right,
}

/// Lays out rows of cells, the first of which is the heading. Columns without `Align` are on the left.
pub fn layout(columns: &[Align], rows: &[Vec<String>]) -> String {
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns.len()).map(width).collect();
    let mut out = String::new();
    for row in rows {
        let mut line = String::new();
        for ((cell, align), width) in row.iter().zip(columns).zip(&widths) {
            let _ = match align {
                Align::Left => write!(line, "{cell:<width$}  "),
                Align::Right => write!(line, "{cell:>width$}  "),
            };
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}
