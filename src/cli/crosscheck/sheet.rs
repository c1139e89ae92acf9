//! The table of a cross-check: as text, CSV and Markdown.
//!
//! A table in a folder is added to: a run replaces the questions that it asks, and leaves the others.

use super::record::{self, Record, Status};
use crate::cli::exit::Failure;
use crate::cli::output;
use crate::cli::table::{self, Align};
use crate::cli::units::show_duration;
use std::fs;
use std::io;
use std::path::Path;
use std::time::Duration;

/// Shorter times are not compared: they are mostly that of reading and encoding.
pub const LEAST_COMPARED: Duration = Duration::from_millis(10);

/// A question and its answers: at least one record.
pub struct Row(Vec<Record>);

impl Row {
    pub fn new(records: Vec<Record>) -> Row {
        Row(records)
    }

    /// A cell that all records of the question share.
    fn cell(&self, column: &str) -> &str {
        self.0.first().map_or("", |record| record.cell(column))
    }

    fn is_about_the_same(&self, other: &Row) -> bool {
        let question = |row: &Row| row.0.first().map(|record| record.question().to_vec());
        question(self) == question(other)
    }

    /// What is asked and what came of it, in a few words.
    pub fn title(&self) -> String {
        let words = ["game", "role", "horizon"].map(|column| self.cell(column));
        format!("{} steps: {}", words.join(" "), self.cell("verdict"))
    }

    /// What all answers took.
    pub fn time(&self) -> Duration {
        self.0.iter().map(Record::time).sum()
    }

    fn record(&self, method: &str) -> Option<&Record> {
        self.0.iter().find(|record| record.cell("method") == method)
    }

    fn value(&self) -> String {
        match self.0.iter().find_map(Record::value) {
            Some(value) => format!("{} = {} %", abbreviated(&value.to_string()), value.percent()),
            None => "?".to_string(),
        }
    }

    /// `7 of 9` if the longest play is not reached.
    fn horizon(&self) -> String {
        let (horizon, longest) = (self.cell("horizon"), self.cell("longest_play"));
        let number = |cell: &str| cell.parse::<u32>().ok();
        match number(horizon) < number(longest) {
            true => format!("{horizon} of {longest}"),
            false => horizon.to_string(),
        }
    }

    /// The size of the formula, from a record that has it.
    fn size(&self, column: &str) -> String {
        let sizes = self.0.iter().map(|record| record.cell(column));
        sizes
            .max_by_key(|size| size.len())
            .unwrap_or_default()
            .to_string()
    }

    fn cells(&self, methods: &[&str]) -> Vec<String> {
        let mut cells = ["game", "role", "random_roles"]
            .map(|column| self.cell(column).to_string())
            .to_vec();
        cells.extend([self.horizon(), self.size("variables"), self.size("clauses")]);
        let brief = |method: &&str| self.record(method).map_or(String::new(), brief);
        cells.extend(methods.iter().map(brief));
        cells.extend([self.cell("verdict").to_string(), self.value()]);
        cells
    }

    /// The time with Q_b, and that with Q_d as a multiple of it, if both are long enough to be compared.
    pub fn shifting(&self) -> Option<(f64, f64)> {
        let seconds = |method| {
            let record = self.record(method)?;
            let is_compared = record.status() == Status::Answered && record.time() >= LEAST_COMPARED;
            is_compared.then(|| record.time().as_secs_f64())
        };
        let (base, dependency) = (seconds("Q_b")?, seconds("Q_d")?);
        Some((base, dependency / base))
    }
}

/// A fraction that fits a table.
fn abbreviated(fraction: &str) -> String {
    match fraction.len() {
        0..=24 => fraction.to_string(),
        length => format!(
            "{}… ({length} characters)",
            fraction.get(..12).unwrap_or_default()
        ),
    }
}

/// A method's cell: what it took, or why there is no answer.
fn brief(record: &Record) -> String {
    match record.status() {
        Status::Answered => show_duration(record.time()),
        Status::Stopped => "stopped".to_string(),
        Status::Absent => "absent".to_string(),
        Status::Wrong => "wrong".to_string(),
        Status::Nothing => "-".to_string(),
    }
}

/// All rows.
#[derive(Default)]
pub struct Sheet {
    pub rows: Vec<Row>,
}

impl Sheet {
    /// The table of a CSV: neighbouring records of one question and horizon are a row.
    pub fn read(text: &[u8]) -> Result<Sheet, String> {
        let records = record::read(text)?;
        let is_same =
            |a: &Record, b: &Record| a.question() == b.question() && a.cell("horizon") == b.cell("horizon");
        let rows = records.chunk_by(is_same).map(|records| Row(records.to_vec()));
        Ok(Sheet { rows: rows.collect() })
    }

    fn methods(&self) -> Vec<&str> {
        let mut methods: Vec<&str> = Vec::new();
        for method in self.records().map(|record| record.cell("method")) {
            if !methods.contains(&method) {
                methods.push(method);
            }
        }
        methods
    }

    fn records(&self) -> impl Iterator<Item = &Record> {
        self.rows.iter().flat_map(|row| &row.0)
    }

    fn cells(&self) -> Vec<Vec<String>> {
        let methods = self.methods();
        let fixed = ["game", "role", "random", "steps", "variables", "clauses"];
        let heading = fixed.iter().chain(&methods).chain(&["verdict", "value"]);
        let heading = heading.map(|name| name.to_string()).collect();
        let rows = self.rows.iter().map(|row| row.cells(&methods));
        std::iter::once(heading).chain(rows).collect()
    }

    pub fn text(&self) -> String {
        let mut columns = vec![Align::Left; 3];
        columns.extend(vec![Align::Right; 3 + self.methods().len()]);
        columns.extend([Align::Left; 2]);
        table::layout(&columns, &self.cells())
    }

    pub fn csv(&self) -> String {
        record::write(self.records())
    }

    pub fn markdown(&self) -> String {
        let cells = self.cells();
        let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
        let rule = format!("|{}\n", "---|".repeat(cells[0].len()));
        let body: String = cells[1..].iter().map(|row| line(row)).collect();
        let count = |is_wanted: fn(&str) -> bool| {
            let rows = self.rows.iter();
            rows.filter(|row| is_wanted(row.cell("verdict"))).count()
        };
        format!(
            "# Search against formula\n\n\
             Written by `emm crosscheck`. The time of a method is CPU time (elapsed time for other programs). \
             `steps` is the horizon: the longest play, if that is known, unless it says `of`.\n\n\
             {} questions: {} agree, {} disagree, {} are open. {} of them are answered for the longest play.\n\n\
             {}{rule}{body}{}",
            self.rows.len(),
            count(|verdict| verdict.ends_with(" agree")),
            count(|verdict| verdict.ends_with(" DISAGREE")),
            count(|verdict| verdict == "open"),
            self.rows
                .iter()
                .filter(|row| row.cell("horizon") == row.cell("longest_play"))
                .count(),
            line(&cells[0]),
            self.prefixes()
        )
    }

    /// What the choice of the prefix costs: the time with Q_d as a multiple of the time with Q_b.
    fn prefixes(&self) -> String {
        let ratios: Vec<f64> = self
            .rows
            .iter()
            .filter_map(|row| Some(row.shifting()?.1))
            .collect();
        if ratios.is_empty() {
            return String::new();
        }
        let mean = (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len() as f64).exp();
        let most = ratios.iter().copied().fold(f64::MIN, f64::max);
        let least = ratios.iter().copied().fold(f64::MAX, f64::min);
        format!(
            "\nTime with Q_d over time with Q_b, for the {} questions that take {} or more with both: \
             {least:.2} to {most:.2}, {mean:.2} on (geometric) average.\n",
            ratios.len(),
            show_duration(LEAST_COMPARED)
        )
    }

    /// This table with those rows of another one that are about other questions, by name.
    fn added_to(&self, before: Sheet) -> Sheet {
        let is_new = |row: &Row| self.rows.iter().any(|asked| asked.is_about_the_same(row));
        let kept = before.rows.into_iter().filter(|row| !is_new(row));
        let own = self.rows.iter().map(|row| Row(row.0.clone()));
        let mut rows: Vec<Row> = kept.chain(own).collect();
        rows.sort_by(|a, b| a.cell("game").cmp(b.cell("game")));
        Sheet { rows }
    }

    /// Adds the table to `crosscheck.csv` in a folder, and writes `crosscheck.md` anew.
    pub fn add_to(&self, folder: &Path) -> Result<(), Failure> {
        let path = folder.join(FILE);
        let sheet = self.added_to(before(&path)?);
        for (path, text) in [
            (path, sheet.csv()),
            (folder.join("crosscheck.md"), sheet.markdown()),
        ] {
            output::to_file(&path, |out| out.write_all(text.as_bytes()))
                .map_err(|error| output::unwritable(&path, &error))?;
        }
        Ok(())
    }
}

/// The table in a folder of results.
const FILE: &str = "crosscheck.csv";

/// Makes the folder for [`Sheet::add_to`] if it is not there, and fails if the table in it cannot be read or written: whoever
/// waits for answers does not want to hear of it then.
pub fn prepare(folder: &Path) -> Result<(), Failure> {
    fs::create_dir_all(folder).map_err(|error| output::unwritable(folder, &error))?;
    let path = folder.join(FILE);
    output::check_file(&path)?;
    before(&path).map(drop)
}

/// The table of earlier runs.
fn before(path: &Path) -> Result<Sheet, Failure> {
    match fs::read(path) {
        Ok(text) => Sheet::read(&text).map_err(|error| {
            let message = format!("`{}` is not a table: {error}", path.display());
            Failure::input(message, "remove it, or name another folder")
        }),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Sheet::default()),
        Err(error) => Err(Failure::input(
            format!("`{}` cannot be read: {error}", path.display()),
            "",
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_added_to() {
        let text = |lines: &[&str]| format!("{}\n{}\n", record::COLUMNS.join(","), lines.join("\n"));
        let read = |lines: &[&str]| Sheet::read(text(lines).as_bytes()).expect("a table");
        let a = "a,x,,2,4,Q_b,1,2,0.100000,0.5,1/2,,2 agree";
        let b = "b,x,o,3,3,Q_b,1,2,0.100000,,,stopped: between 0 and 1,open";
        let (longer, c) = (a.replace(",2,4,", ",4,4,"), a.replace("a,x", "c,x"));
        let before = read(&[b, a]);
        let after = read(&[&c, &longer]).added_to(before);
        assert_eq!(after.csv(), text(&[&longer, b, &c]));
        assert_eq!(after.rows[1].cells(&["Q_b"])[6], "stopped");
        assert!(Sheet::read(b"x,y\n").is_err());
    }
}
