//! The exporter `csv`: one row per record, ready to plot.

use super::decimal::{Direction, decimal};
use super::record::{Record, Verdict};
use super::{Exporter, json};
use crate::solve::Fraction;
use std::io::{self, Write};

/// Rows with the columns of [`Csv::COLUMNS`].
pub struct Csv;

/// Decimals of the column `value`.
const DIGITS: u32 = 12;

impl Csv {
    /// The names of the columns, in order.
    pub const COLUMNS: [&'static str; 18] = [
        "game",
        "role",
        "random_role",
        "objective",
        "horizon",
        "status",
        "value",
        "numerator",
        "denominator",
        "states",
        "edges",
        "engine",
        "threads",
        "cputime_s",
        "walltime_s",
        "memory_bytes",
        "emm_version",
        "game_sha256",
    ];

    /// The column `value` for this number.
    pub fn value(value: &Fraction) -> String {
        decimal(value, 1, DIGITS, Direction::Nearest)
    }
}

impl Exporter for Csv {
    fn write(&self, records: &[Record], out: &mut dyn Write) -> io::Result<()> {
        let mut writer = csv::Writer::from_writer(out);
        writer.write_record(Csv::COLUMNS)?;
        for record in records {
            writer.write_record(row(record))?;
        }
        writer.flush()
    }
}

fn row(record: &Record) -> [String; 18] {
    let (numerator, denominator) = match &record.verdict {
        Verdict::Solved(value) => (value.numerator().to_string(), value.denominator().to_string()),
        _ => Default::default(),
    };
    let (statistics, spent) = (&record.effort.statistics, record.effort.total());
    [
        record.game.clone(),
        record.role.clone(),
        record.random_roles.join(" "),
        json::objective(record.objective),
        record
            .horizon
            .map_or(String::new(), |horizon| horizon.to_string()),
        record.verdict.status().to_string(),
        value(&record.verdict),
        numerator,
        denominator,
        statistics.visited.to_string(),
        statistics.edges.to_string(),
        record.effort.engine.to_string(),
        record.effort.threads.to_string(),
        format!("{:.6}", spent.cpu.as_secs_f64()),
        format!("{:.6}", spent.wall.as_secs_f64()),
        statistics.memory_bytes.to_string(),
        record.effort.version.clone(),
        record.game_sha256.clone(),
    ]
}

/// The value rounded to the nearest; empty unless all digits are certain.
fn value(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Solved(value) => Csv::value(value),
        Verdict::Enclosed(interval) if Csv::value(&interval.lo) == Csv::value(&interval.hi) => {
            Csv::value(&interval.lo)
        }
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample;
    use super::*;

    #[test]
    fn every_record_is_a_row() {
        let mut out = Vec::new();
        Csv.write(&sample::records(), &mut out).unwrap();
        insta::assert_snapshot!(String::from_utf8(out).unwrap());
    }
}
