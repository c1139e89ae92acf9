//! Rows beside what was published about them, as Markdown.

use super::sheet::Row;
use super::suite::{Suite, Task};
use crate::cli::units;
use emm::report::{Direction, decimal};
use emm::solve::Fraction;
use std::fmt::Write;

/// Digits of an exact fraction that a cell shows; longer ones stand in the CSV.
const LONGEST_FRACTION: usize = 48;

/// A question with its row, if it has one by now.
type Pair<'a> = (&'a Task, Option<&'a Row>);

/// A column: its heading and its cells.
struct Column<'a> {
    heading: String,
    cell: Box<dyn Fn(Pair) -> String + 'a>,
}

impl<'a> Column<'a> {
    fn new(heading: &str, cell: impl Fn(Pair) -> String + 'a) -> Column<'a> {
        Column {
            heading: heading.to_string(),
            cell: Box::new(cell),
        }
    }
}

/// How a value compares with the published one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Agreement {
    /// Nothing is published about it.
    Unpublished,
    /// It was published as unknown, and is known now.
    New,
    /// The published digits are those of the value.
    Agrees,
    /// They are not.
    Differs,
    /// There is no value.
    Open,
}

/// The whole document.
pub fn table(suite: &Suite, rows: &[Option<Row>]) -> String {
    let pairs: Vec<Pair> = suite.tasks.iter().zip(rows.iter().map(Option::as_ref)).collect();
    let mut out = format!("# {}\n\n", suite.title);
    for line in &suite.prose {
        let _ = writeln!(out, "{line}");
    }
    if !suite.prose.is_empty() {
        out.push('\n');
    }
    let _ = writeln!(
        out,
        "Written by `emm table {}`. {}\n",
        suite.name,
        summary(&pairs)
    );
    write_table(&mut out, &columns(suite), &pairs);
    write_list(&mut out, "New", Agreement::New, &pairs);
    write_list(
        &mut out,
        "Different from what is published",
        Agreement::Differs,
        &pairs,
    );
    out
}

fn columns(suite: &Suite) -> Vec<Column<'_>> {
    let mut columns = vec![
        Column::new("game", |(task, _)| task.game.clone()),
        Column::new("role", |(task, _)| task.role.clone()),
        Column::new("random", |(task, _)| task.random_role.clone()),
        Column::new("horizon", |(task, _)| task.horizon.clone()),
        Column::new("objective", |(task, _)| objective(task)),
        Column::new("published %", |(task, _)| task.published.clone()),
        Column::new("emm %", shown),
        Column::new("agrees", |pair| agreement_word(pair).to_string()),
        Column::new("exactly", fraction),
        Column::new("states", |(_, row)| {
            thousands(row.map_or("", |row| row.cell("states")))
        }),
        Column::new("engine", |(_, row)| {
            row.map_or(String::new(), |row| row.cell("engine").to_string())
        }),
        Column::new("CPU s", |(_, row)| seconds(row, "cputime_s")),
        Column::new("time s", |(_, row)| seconds(row, "walltime_s")),
    ];
    for (place, rival) in suite.rivals.iter().enumerate() {
        columns.push(Column::new(&format!("{rival} s"), move |(task, _)| {
            task.times[place].clone()
        }));
        columns.push(Column::new(&format!("faster than {rival}"), move |pair| {
            speed_up(pair, place)
        }));
    }
    columns
}

/// Columns that are empty throughout are left out.
fn write_table(out: &mut String, columns: &[Column], pairs: &[Pair]) {
    let filled: Vec<(&str, Vec<String>)> = columns
        .iter()
        .map(|column| {
            let cells = pairs.iter().map(|&pair| (column.cell)(pair)).collect();
            (column.heading.as_str(), cells)
        })
        .filter(|(_, cells): &(&str, Vec<String>)| cells.iter().any(|cell| !cell.is_empty()))
        .collect();
    let headings: Vec<&str> = filled.iter().map(|(heading, _)| *heading).collect();
    let _ = writeln!(out, "| {} |", headings.join(" | "));
    let is_text =
        |heading: &str| ["game", "role", "random", "objective", "agrees", "engine"].contains(&heading);
    let rules = headings
        .iter()
        .map(|heading| if is_text(heading) { "---" } else { "---:" });
    let _ = writeln!(out, "|{}|", rules.collect::<Vec<_>>().join("|"));
    for place in 0..pairs.len() {
        let cells: Vec<&str> = filled.iter().map(|(_, cells)| cells[place].as_str()).collect();
        let _ = writeln!(out, "| {} |", cells.join(" | "));
    }
}

/// The rows that compare in this way, one to a line.
fn write_list(out: &mut String, title: &str, wanted: Agreement, pairs: &[Pair]) {
    let listed: Vec<Pair> = pairs
        .iter()
        .copied()
        .filter(|&pair| agreement(pair) == wanted)
        .collect();
    if listed.is_empty() {
        return;
    }
    let _ = writeln!(out, "\n## {title}\n");
    for (task, row) in listed {
        let random = match task.random_role.as_str() {
            "" => String::new(),
            random => format!(" against a random {random}"),
        };
        let exactly = match fraction((task, row)) {
            fraction if fraction.is_empty() => String::new(),
            fraction => format!(", exactly {fraction}"),
        };
        let published = match task.published.as_str() {
            "?" => String::new(),
            published => format!("; published {published} %"),
        };
        let note = match task.note.as_str() {
            "" => String::new(),
            note => format!(". {note}"),
        };
        let _ = writeln!(
            out,
            "- `{}`: {}{random}: {} %{exactly}{published}{note}",
            task.game,
            task.role,
            shown((task, row))
        );
    }
}

fn summary(pairs: &[Pair]) -> String {
    let count = |wanted: Agreement| pairs.iter().filter(|&&pair| agreement(pair) == wanted).count();
    let parts = [
        (count(Agreement::Agrees), "agree with what is published"),
        (count(Agreement::Differs), "differ from it"),
        (
            count(Agreement::New),
            "were published without an answer and are new",
        ),
        (count(Agreement::Open), "have no answer yet"),
    ];
    let parts: Vec<String> = parts
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| format!("{count} {what}"))
        .collect();
    let questions = units::show_count(pairs.len(), "question");
    match parts.is_empty() {
        true => format!("{questions}, all answered."),
        false => format!("{questions}: {}.", parts.join(", ")),
    }
}

fn agreement(pair: Pair) -> Agreement {
    let (task, row) = pair;
    let value = row.and_then(Row::value);
    match (value, task.published.as_str()) {
        (None, _) if row.is_some_and(|row| row.cell("status") == "enclosed") => Agreement::Unpublished,
        (None, _) => Agreement::Open,
        (Some(_), "") => Agreement::Unpublished,
        (Some(_), "?") => Agreement::New,
        (Some(value), published) if in_percent(&value, published) == published => Agreement::Agrees,
        (Some(_), _) => Agreement::Differs,
    }
}

/// A value in percent, with as many decimals as the published one.
fn in_percent(value: &Fraction, published: &str) -> String {
    let decimals = published
        .split_once('.')
        .map_or(0, |(_, decimals)| decimals.len());
    decimal(value, 100, decimals as u32, Direction::Nearest)
}

fn agreement_word(pair: Pair) -> &'static str {
    match agreement(pair) {
        Agreement::New => "new",
        Agreement::Agrees => "yes",
        Agreement::Differs => "**no**",
        Agreement::Unpublished | Agreement::Open => "",
    }
}

/// The value as the paper prints it, or why there is none.
fn shown((task, row): Pair) -> String {
    let Some(row) = row else {
        return "not answered".to_string();
    };
    match (row.value(), task.objective.as_str()) {
        (Some(value), "goal") => value.decimal(2),
        (Some(value), _) => value.percent(),
        (None, _) if row.cell("status") == "enclosed" => row.cell("value").to_string(),
        (None, _) => row.cell("status").to_string(),
    }
}

fn fraction((_, row): Pair) -> String {
    let value = row.and_then(Row::value).as_ref().map(Fraction::to_string);
    value
        .filter(|text| text.len() <= LONGEST_FRACTION)
        .unwrap_or_default()
}

fn objective(task: &Task) -> String {
    match task.objective.as_str() {
        "win" => String::new(),
        other => other.to_string(),
    }
}

fn seconds(row: Option<&Row>, column: &str) -> String {
    let seconds = row.and_then(|row| row.number(column));
    seconds.map_or(String::new(), |seconds| format!("{seconds:.2}"))
}

/// How many times as long the others took, by the CPU time of all threads: it does not depend on what else the
/// computer does, and counts against several threads.
fn speed_up((task, row): Pair, rival: usize) -> String {
    let theirs = &task.times[rival];
    let bound = if theirs.starts_with('>') { ">" } else { "" };
    let ours = row
        .filter(|row| row.is_final())
        .and_then(|row| row.number("cputime_s"));
    match (theirs.trim_start_matches('>').parse::<f64>(), ours) {
        (Ok(theirs), Some(ours)) if ours > 0.0 => {
            let factor = theirs / ours;
            let digits = if factor < 10.0 { 1 } else { 0 };
            format!("{bound}{factor:.digits$}x")
        }
        _ => String::new(),
    }
}

/// A whole number with its digits in groups of three.
fn thousands(digits: &str) -> String {
    let mut out = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            out.push('\u{202f}');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_grouped_from_the_right() {
        assert_eq!(thousands("1234567").replace('\u{202f}', " "), "1 234 567");
        assert_eq!(thousands("123"), "123");
        assert_eq!(thousands(""), "");
    }
}
