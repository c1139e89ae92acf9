//! The exporter `competition`: lines as solvers of counting competitions print them.
//!
//! `c o …` are comments, the one `s` line is for programs that know solvers of SAT only, and the value stands in
//! `c s exact arb frac p/q`, as in the output format of the Model Counting Competition since 2021.

use super::record::{Record, Verdict};
use super::{Exporter, Text, json};
use crate::solve::Fraction;
use std::io::{self, Write};

/// Lines for one record. More than one would need more than one `s` line, which the format does not have:
/// who writes several gets them one after another.
pub struct Competition;

impl Exporter for Competition {
    fn write(&self, records: &[Record], out: &mut dyn Write) -> io::Result<()> {
        records.iter().try_for_each(|record| lines(record, out))
    }
}

fn lines(record: &Record, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "c o emm {}", record.effort.version)?;
    writeln!(out, "c o game {} sha256 {}", record.game, record.game_sha256)?;
    let horizon = record
        .horizon
        .map_or("none".to_string(), |steps| steps.to_string());
    let objective = json::objective(record.objective);
    writeln!(
        out,
        "c o role {} objective {objective} horizon {horizon}",
        record.role
    )?;
    for role in &record.random_roles {
        writeln!(out, "c o random {role}")?;
    }
    let mut text = Vec::new();
    Text.write(std::slice::from_ref(record), &mut text)?;
    for line in String::from_utf8_lossy(&text).lines() {
        writeln!(out, "c o {}", line.trim())?;
    }
    writeln!(out, "s {}", satisfiable(&record.verdict))?;
    match &record.verdict {
        Verdict::Solved(value) => {
            writeln!(out, "c s type ssat")?;
            writeln!(out, "c s log10-estimate {}", logarithm(value))?;
            writeln!(
                out,
                "c s exact arb frac {}/{}",
                value.numerator(),
                value.denominator()
            )
        }
        _ => Ok(()),
    }
}

/// Whether the value is positive, as far as that is proven.
fn satisfiable(verdict: &Verdict) -> &'static str {
    let zero = Fraction::whole(0);
    match verdict.interval() {
        Some(interval) if interval.lo > zero => "SATISFIABLE",
        Some(interval) if interval.hi == zero => "UNSATISFIABLE",
        _ => "UNKNOWN",
    }
}

fn logarithm(value: &Fraction) -> String {
    match value.to_f64() {
        0.0 => "-inf".to_string(),
        value => format!("{:.12}", value.log10()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample;
    use super::*;

    fn written(record: &Record) -> Vec<String> {
        let mut out = Vec::new();
        Competition.write(std::slice::from_ref(record), &mut out).unwrap();
        String::from_utf8(out)
            .unwrap()
            .lines()
            .map(str::to_string)
            .collect()
    }

    #[test]
    fn every_record_has_one_line_for_solvers_of_sat() {
        for record in sample::records() {
            let lines = written(&record);
            let answers = lines.iter().filter(|line| line.starts_with("s "));
            assert_eq!(answers.count(), 1, "{lines:?}");
            assert!(
                lines
                    .iter()
                    .all(|line| line.starts_with("c ") || line.starts_with("s "))
            );
        }
    }

    #[test]
    fn a_value_is_written_exactly_and_nothing_else_is() {
        let with = |verdict| Record {
            verdict,
            ..sample::records().swap_remove(0)
        };
        let end = |verdict| {
            let lines = written(&with(verdict));
            let at = lines.iter().position(|line| line.starts_with("s "));
            lines[at.unwrap()..].join("; ")
        };
        assert_eq!(
            end(Verdict::Solved(Fraction::new(1, 4).unwrap())),
            "s SATISFIABLE; c s type ssat; c s log10-estimate -0.602059991328; c s exact arb frac 1/4"
        );
        assert_eq!(
            end(Verdict::Solved(Fraction::whole(0))),
            "s UNSATISFIABLE; c s type ssat; c s log10-estimate -inf; c s exact arb frac 0/1"
        );
        let unknown = sample::records().swap_remove(2).verdict;
        assert_eq!(end(unknown), "s UNKNOWN");
    }
}
