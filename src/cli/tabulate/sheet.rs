//! The CSV that a table is written to: the columns of `emm solve --format csv`, one row per question.
//!
//! Invariant: the file is complete at any time. It is written anew with every row and replaces the one before.

use super::suite::Task;
use crate::cli::exit::Failure;
use crate::cli::lookup;
use crate::cli::output;
use crate::cli::version;
use emm::report::Csv;
use emm::solve::Fraction;
use std::io;
use std::path::Path;

/// A row: one text for each of [`Csv::COLUMNS`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row(Vec<String>);

/// The status of a question that the solver could not even refuse; the other ones are those of `emm solve`.
const FAILED: &str = "failed";

/// No time, number of states or of bytes that is not 0 is outside of these.
const LEAST: f64 = 1e-9;
const MOST: f64 = 1e18;

impl Row {
    /// The row of a question whose run ended without an answer.
    pub fn failed(task: &Task, sha256: &str) -> Row {
        let cell = |column: &&str| match *column {
            "game" => task.game.clone(),
            "role" => task.role.clone(),
            "random_role" => task.random_role.clone(),
            "objective" => task.objective.clone(),
            "horizon" => task.horizon.clone(),
            "status" => FAILED.to_string(),
            "emm_version" => version(),
            "game_sha256" => sha256.to_string(),
            _ => String::new(),
        };
        Row(Csv::COLUMNS.iter().map(cell).collect())
    }

    /// The row under the name that the game has in the suite.
    pub fn named(mut self, game: &str) -> Row {
        self.0[0] = game.to_string();
        self
    }

    /// The cell of this column.
    pub fn cell(&self, column: &str) -> &str {
        let place = Csv::COLUMNS.iter().position(|name| *name == column);
        place
            .and_then(|place| self.0.get(place))
            .map_or("", String::as_str)
    }

    /// The value, if it is exact.
    pub fn value(&self) -> Option<Fraction> {
        Fraction::parse(self.cell("numerator"), self.cell("denominator"))
    }

    /// The number in a cell, such as a time, if it is one that can be measured.
    pub fn number(&self, column: &str) -> Option<f64> {
        let number = self.cell(column).parse().ok();
        number.filter(|number| *number == 0.0 || (LEAST..=MOST).contains(number))
    }

    /// Whether this row is about the question.
    pub fn is_about(&self, task: &Task) -> bool {
        self.cell("game") == task.game
            && self.cell("role") == task.role
            && self.cell("random_role") == task.random_role
            && self.cell("objective") == task.objective
            && self.cell("horizon") == task.horizon
    }

    /// Whether there is no more to find out: a limit or a failure may be different the next time.
    pub fn is_final(&self) -> bool {
        matches!(self.cell("status"), "solved" | "enclosed" | "refused")
    }
}

/// The rows that a run of `emm solve` printed.
pub fn read_rows(text: &[u8]) -> Result<Vec<Row>, String> {
    let mut reader = csv::Reader::from_reader(text);
    let heading = reader.headers().map_err(|error| error.to_string())?;
    if heading.iter().ne(Csv::COLUMNS) {
        return Err(format!("line 1 is not `{}`", Csv::COLUMNS.join(",")));
    }
    let rows = reader.records().map(|record| {
        let record = record.map_err(|error| error.to_string())?;
        let line = record.position().map_or(0, csv::Position::line);
        let row = Row(record.iter().map(str::to_string).collect());
        match fault(&row) {
            None => Ok(row),
            Some(column) => Err(format!("line {line}: `{}` is no `{column}`", row.cell(column))),
        }
    });
    rows.collect()
}

/// A column that does not contain what it should.
fn fault(row: &Row) -> Option<&'static str> {
    let is_solved = row.cell("status") == "solved";
    let statuses = ["solved", "enclosed", "bounded", "refused", FAILED];
    let is_hash = |text: &str| text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let is_number = |column: &str| row.number(column).is_some() || row.cell("status") == FAILED;
    let checks = [
        ("status", statuses.contains(&row.cell("status"))),
        ("numerator", row.value().is_some() == is_solved),
        (
            "value",
            row.value()
                .is_none_or(|value| row.cell("value") == Csv::value(&value)),
        ),
        ("states", is_number("states")),
        ("cputime_s", is_number("cputime_s")),
        ("walltime_s", is_number("walltime_s")),
        ("game_sha256", is_hash(row.cell("game_sha256"))),
    ];
    let wrong = checks.into_iter().find(|(_, is_right)| !is_right);
    wrong.map(|(column, _)| column)
}

/// The rows of a file that a run is to go on with; a file that is not there has none.
pub fn load_if_there(path: &Path) -> Result<Vec<Row>, Failure> {
    match path.try_exists() {
        Ok(false) => Ok(Vec::new()),
        _ => load(
            path,
            "remove what is broken, or leave out `--resume` to write the file anew",
        ),
    }
}

/// The rows of a file, or of standard input for `-`; `help` says what to do if it is broken.
pub fn load(path: &Path, help: &str) -> Result<Vec<Row>, Failure> {
    let text = lookup::bytes(path)
        .map_err(|error| Failure::input(format!("`{}` cannot be read: {error}", path.display()), ""))?;
    read_rows(&text)
        .map_err(|error| Failure::input(format!("`{}` is not a table: {error}", path.display()), help))
}

/// Writes rows as CSV.
pub fn write<'a>(rows: impl Iterator<Item = &'a Row>, out: &mut dyn io::Write) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(out);
    writer.write_record(Csv::COLUMNS)?;
    for row in rows {
        writer.write_record(&row.0)?;
    }
    writer.flush()
}

/// Writes rows to a file, which is replaced when all is written.
pub fn save<'a>(path: &Path, rows: impl Iterator<Item = &'a Row>) -> Result<(), Failure> {
    output::to_file(path, |out| write(rows, out)).map_err(|error| output::unwritable(path, &error))
}
