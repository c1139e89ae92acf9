//! The exporter `json`: everything that is known, for programs.

use super::Exporter;
use super::decimal::{Direction, decimal};
use super::record::{Beginning, Effort, Record, Refused, Remark, Spent, ValuedMove, Verdict};
use crate::solve::{Fraction, Interval, Objective, StopReason};
use serde_json::{Map, Value, json};
use std::io::{self, Write};

/// `{"version": 1, "records": […]}`. Fractions are strings, because JSON's numbers lose digits.
pub struct Json;

/// Decimals of a value besides its fraction.
const DIGITS: u32 = 12;

impl Exporter for Json {
    fn write(&self, records: &[Record], out: &mut dyn Write) -> io::Result<()> {
        let records: Vec<Value> = records.iter().map(record).collect();
        writeln!(out, "{:#}", json!({ "version": 1, "records": records }))
    }
}

/// An objective as it is written on the command line.
pub(super) fn objective(objective: Objective) -> String {
    match objective {
        Objective::Win => "win".to_string(),
        Objective::Goal => "goal".to_string(),
        Objective::AtLeast(bar) => format!("at-least:{bar}"),
    }
}

fn record(record: &Record) -> Value {
    let interval = record.verdict.interval();
    let solved = match &record.verdict {
        Verdict::Solved(value) => Some(value),
        _ => None,
    };
    json!({
        "game": record.game,
        "game_sha256": record.game_sha256,
        "role": record.role,
        "random_roles": record.random_roles,
        "objective": objective(record.objective),
        "horizon": record.horizon,
        "start": beginning(&record.beginning),
        "status": record.verdict.status(),
        "value": solved.map(value),
        "lower": interval.as_ref().map(|interval| interval.lo.to_string()),
        "upper": interval.as_ref().map(|interval| interval.hi.to_string()),
        "stopped_by": stop_reason(&record.verdict),
        "refusal": refusal(&record.verdict),
        "first_moves": record.first_moves.iter().map(first_move).collect::<Vec<_>>(),
        "plan": record.plan,
        "notes": record.remarks.iter().map(remark).collect::<Vec<_>>(),
        "effort": effort(&record.effort),
    })
}

fn beginning(beginning: &Beginning) -> Value {
    match beginning {
        Beginning::Initial => json!({ "kind": "initial" }),
        Beginning::State(facts) => json!({ "kind": "state", "facts": facts }),
        Beginning::Moves(moves) => json!({ "kind": "moves", "moves": moves }),
    }
}

fn value(value: &Fraction) -> Value {
    json!({
        "fraction": value.to_string(),
        "numerator": value.numerator().to_string(),
        "denominator": value.denominator().to_string(),
        "decimal": decimal(value, 1, DIGITS, Direction::Nearest),
    })
}

fn stop_reason(verdict: &Verdict) -> Option<&'static str> {
    match verdict {
        Verdict::Bounded(_, StopReason::Time) => Some("time"),
        Verdict::Bounded(_, StopReason::Memory) => Some("memory"),
        Verdict::Bounded(_, StopReason::Interrupt) => Some("interrupt"),
        Verdict::Bounded(_, StopReason::Size) => Some("size"),
        Verdict::Bounded(_, StopReason::Depth) => Some("depth"),
        _ => None,
    }
}

fn refusal(verdict: &Verdict) -> Value {
    match verdict {
        Verdict::Refused(Refused::Cycle {
            state,
            approach,
            moves,
        }) => json!({ "kind": "cycle", "state": state, "approach": approach, "moves": moves }),
        Verdict::Refused(Refused::Stuck { state, role }) => {
            json!({ "kind": "stuck", "state": state, "role": role })
        }
        Verdict::Refused(Refused::SeveralGoals { state, role }) => {
            json!({ "kind": "several-goals", "state": state, "role": role })
        }
        _ => Value::Null,
    }
}

fn first_move(first: &ValuedMove) -> Value {
    let moves: Map<String, Value> = first
        .moves
        .iter()
        .map(|(role, mv)| (role.clone(), mv.as_str().into()))
        .collect();
    let Interval { lo, hi } = &first.value;
    json!({
        "moves": moves,
        "value": (lo == hi).then(|| value(lo)),
        "lower": lo.to_string(),
        "upper": hi.to_string(),
        "optimal": first.optimal,
    })
}

fn remark(remark: &Remark) -> Value {
    match remark {
        Remark::NotTurnTaking { state } => json!({ "kind": "not-turn-taking", "state": state }),
        Remark::NoGoal { state, role } => json!({ "kind": "no-goal", "state": state, "role": role }),
        Remark::SeveralGoals { state, role } => {
            json!({ "kind": "several-goals", "state": state, "role": role })
        }
    }
}

fn effort(effort: &Effort) -> Value {
    let statistics = &effort.statistics;
    json!({
        "engine": effort.engine,
        "arithmetic": effort.arithmetic,
        "threads": effort.threads,
        "states": statistics.visited,
        "edges": statistics.edges,
        "checked_states": statistics.explored,
        "table_hits": statistics.table_hits,
        "table_entries": statistics.table_entries,
        "memory_bytes": statistics.memory_bytes,
        "longest_play": statistics.longest_play,
        "compile": spent(effort.compile),
        "solve": spent(effort.solve),
        "emm_version": effort.version,
    })
}

fn spent(spent: Spent) -> Value {
    json!({ "cputime_s": spent.cpu.as_secs_f64(), "walltime_s": spent.wall.as_secs_f64() })
}

#[cfg(test)]
mod tests {
    use super::super::sample;
    use super::*;

    #[test]
    fn everything_about_a_record_is_written() {
        let mut out = Vec::new();
        Json.write(&sample::records()[..1], &mut out).unwrap();
        insta::assert_snapshot!(String::from_utf8(out).unwrap());
    }

    #[test]
    fn what_ended_without_a_value_says_why() {
        let why = |record: &Record| {
            (
                record.verdict.status(),
                stop_reason(&record.verdict),
                refusal(&record.verdict)["kind"].clone(),
            )
        };
        let records = sample::records();
        let reasons: Vec<_> = records.iter().map(why).collect();
        assert_eq!(
            reasons,
            [
                ("solved", None, Value::Null),
                ("bounded", Some("time"), Value::Null),
                ("refused", None, "cycle".into()),
                ("solved", None, Value::Null),
                ("solved", None, Value::Null),
            ]
        );
    }
}
