//! Rows → series: what is joined by a line, and where its points are.

use super::Over;
use crate::cli::tabulate::sheet::Row;

/// Points that belong together.
pub struct Series {
    pub name: String,
    /// Sorted by x.
    pub points: Vec<(f64, f64)>,
}

/// What the name of a game of a family says about it.
#[derive(Debug, PartialEq, Eq)]
struct Name<'a> {
    family: &'a str,
    /// `3x4`
    board: &'a str,
    /// In percent.
    p: Option<u32>,
}

impl Name<'_> {
    /// `s-tt-3x4-80` is the family `s-tt` on a board of `3x4` with p = 80 %.
    fn read(name: &str) -> Option<Name<'_>> {
        let name = name.strip_suffix(".gdl").unwrap_or(name);
        let is_board = |word: &&str| cells(word).is_some();
        let board = name.split('-').find(is_board)?;
        let (family, rest) = name.split_once(&format!("-{board}"))?;
        let p = match rest {
            "" => None,
            rest => Some(rest.strip_prefix('-')?.parse().ok()?),
        };
        Some(Name { family, board, p })
    }
}

/// How many cells a board such as `3x4` has.
fn cells(board: &str) -> Option<u32> {
    let (width, height) = board.split_once('x')?;
    width.parse::<u32>().ok()?.checked_mul(height.parse().ok()?)
}

/// The series of a plot, in the order of their first rows.
pub fn series(rows: &[Row], over: Over) -> Vec<Series> {
    let mut all: Vec<Series> = Vec::new();
    for row in rows {
        let Some((name, point)) = place(row, over) else {
            continue;
        };
        match all.iter_mut().find(|series| series.name == name) {
            Some(series) => series.points.push(point),
            None => all.push(Series {
                name,
                points: vec![point],
            }),
        }
    }
    for series in &mut all {
        series
            .points
            .sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    }
    all.retain(|series| over.is_scatter() || series.points.len() > 1);
    all
}

/// The series and the point of a row, if it has them.
fn place(row: &Row, over: Over) -> Option<(String, (f64, f64))> {
    let game = row.cell("game");
    if over.is_scatter() {
        let effort = match over {
            Over::Memory => "memory_bytes",
            _ => "cputime_s",
        };
        let point = (row.number("states")?, row.number(effort)?);
        let is_drawn = row.cell("status") == "solved" && point.0 > 0.0 && point.1 > 0.0;
        return is_drawn.then(|| (row.cell("engine").to_string(), point));
    }
    let value = row.value()?.to_f64();
    let y = if row.cell("objective") == "goal" {
        value
    } else {
        100.0 * value
    };
    let (line, x) = match over {
        Over::Horizon => (game.to_string(), row.number("horizon")?),
        Over::P => {
            let name = Name::read(game)?;
            (format!("{}-{}", name.family, name.board), name.p?.into())
        }
        _ => {
            let name = Name::read(game)?;
            let p = name.p.map_or(String::new(), |p| format!(" p={p}%"));
            (format!("{}{p}", name.family), cells(name.board)?.into())
        }
    };
    Some((format!("{line}, {}", who(row)), (x, y)))
}

/// `x`, or `x against random o`
fn who(row: &Row) -> String {
    match row.cell("random_role") {
        "" => row.cell("role").to_string(),
        random => format!("{} against random {random}", row.cell("role")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_families_say_board_and_probability() {
        let read = |name| Name::read(name).map(|name| (name.family, name.board, name.p));
        assert_eq!(read("s-tt-3x4-80"), Some(("s-tt", "3x4", Some(80))));
        assert_eq!(read("c4-5x4.gdl"), Some(("c4", "5x4", None)));
        assert_eq!(read("gttt-4x4-1-1-elly"), None);
        assert_eq!(read("s-nim-30"), None);
    }
}
