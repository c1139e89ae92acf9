//! The exporter `text`: for people.
//!
//! A value is a percentage with two decimals, as the paper prints it, and below it the fraction that it
//! stands for. The records of all horizons of one question become one table.

use super::Exporter;
use super::decimal::{DIGITS, Direction, decimal, number, range, range_with};
use super::record::{Beginning, Facts, Record, Refused, Remark, ValuedMove, Verdict};
use crate::solve::{Fraction, Objective, StopReason};
use std::fmt::Write as _;
use std::io::{self, Write};
use std::time::Duration;

/// A paragraph per question.
pub struct Text;

/// A fraction with more characters than this is abbreviated: nobody reads it, and JSON has it all.
const LONGEST_FRACTION: usize = 160;
/// Decimals of a value that was computed in floating point: enough to see where the rounding errors are.
const FLOAT_DIGITS: u32 = 18;
/// Most decimals of the values of first moves.
const MOST_DIGITS: u32 = 12;
/// Facts of a state that are shown.
const MOST_FACTS: usize = 60;
/// Steps of a play that are shown.
const MOST_STEPS: usize = 40;

impl Exporter for Text {
    fn write(&self, records: &[Record], out: &mut dyn Write) -> io::Result<()> {
        for (number, group) in records.chunk_by(is_same_question).enumerate() {
            if number > 0 {
                writeln!(out)?;
            }
            out.write_all(paragraph(group).as_bytes())?;
        }
        Ok(())
    }
}

/// Whether the second record is about the same question with one more step.
fn is_same_question(one: &Record, other: &Record) -> bool {
    let same_game = one.game == other.game && one.game_sha256 == other.game_sha256;
    let one_more = one.horizon.is_some() && one.horizon.map(|steps| steps + 1) == other.horizon;
    same_game && one.role == other.role && one_more
}

fn paragraph(group: &[Record]) -> String {
    let mut text = String::new();
    match group {
        [record] => single(&mut text, record),
        [.., last] => {
            curve(&mut text, group);
            remarks(&mut text, last);
            effort(&mut text, last);
        }
        [] => {}
    }
    text
}

fn single(text: &mut String, record: &Record) {
    line(
        text,
        &format!("{}: {}{}", record.game, headline(record), circumstances(record)),
    );
    match &record.verdict {
        Verdict::Solved(value) => line(text, &format!("  exactly {}", fraction(value))),
        Verdict::Enclosed(interval) => {
            let lo = decimal(&interval.lo, 1, FLOAT_DIGITS, Direction::Down);
            let hi = decimal(&interval.hi, 1, FLOAT_DIGITS, Direction::Up);
            line(text, &format!("  between {lo} and {hi}, in floating point"));
        }
        Verdict::Bounded(interval, _) => {
            line(text, &format!("  at least {}", fraction(&interval.lo)));
            line(text, &format!("  at most  {}", fraction(&interval.hi)));
        }
        Verdict::Refused(refused) => refusal(text, refused),
    }
    first_moves(text, record);
    if let Some(plan) = &record.plan {
        let steps = steps(plan.len());
        line(
            text,
            &format!(
                "  a shortest way to it, in {steps}: {}",
                shown(plan, MOST_STEPS, " ")
            ),
        );
    }
    remarks(text, record);
    effort(text, record);
}

fn line(text: &mut String, content: &str) {
    text.push_str(content);
    text.push('\n');
}

/// What was found, in a sentence.
fn headline(record: &Record) -> String {
    let (role, objective) = (&record.role, record.objective);
    let claim = match objective {
        Objective::Win => format!("{role} wins with probability"),
        Objective::Goal => format!("{role} gets a goal value, on average, of"),
        Objective::AtLeast(bar) => format!("{role} gets a goal value of at least {bar} with probability"),
    };
    match &record.verdict {
        Verdict::Solved(value) => format!("{claim} {}", number(objective, value, Direction::Nearest)),
        Verdict::Enclosed(interval) => format!("{claim} {}", range(objective, interval)),
        Verdict::Bounded(interval, reason) => {
            format!("{claim} {} ({})", range(objective, interval), stopped(*reason))
        }
        Verdict::Refused(_) => format!("there is no answer for {role}"),
    }
}

/// The conditions of the question that are not the usual ones.
fn circumstances(record: &Record) -> String {
    let mut all = Vec::new();
    if let Some(horizon) = record.horizon {
        all.push(format!("within {}", steps(horizon as usize)));
    }
    all.extend(condition(record));
    match all.is_empty() {
        true => String::new(),
        false => format!(", {}", all.join(", ")),
    }
}

fn condition(record: &Record) -> Vec<String> {
    let mut all = Vec::new();
    match &record.random_roles[..] {
        [] => {}
        [role] => all.push(format!("{role} moving at random")),
        roles => all.push(format!("{} moving at random", roles.join(" and "))),
    }
    match &record.beginning {
        Beginning::Initial => {}
        Beginning::State(_) => all.push("from the given state".to_string()),
        Beginning::Moves(moves) => all.push(format!("after {}", shown(moves, MOST_STEPS, "; "))),
    }
    all
}

fn stopped(reason: StopReason) -> &'static str {
    match reason {
        StopReason::Time => "stopped by the time limit",
        StopReason::Memory => "stopped by the memory limit",
        StopReason::Interrupt => "interrupted",
        StopReason::Size => "stopped: the game is too large",
        StopReason::Depth => "stopped: plays are too long to follow",
    }
}

fn fraction(value: &Fraction) -> String {
    let text = value.to_string();
    match text.len() <= LONGEST_FRACTION {
        true => text,
        false => {
            let digits = value.denominator().to_string().len();
            let shown = decimal(value, 1, 30, Direction::Down);
            format!("{shown}… (a fraction whose denominator has {digits} digits: --format json)")
        }
    }
}

fn refusal(text: &mut String, refused: &Refused) {
    match refused {
        Refused::Cycle {
            state,
            approach,
            moves,
        } => {
            line(text, "  a play can run forever: it can come back to the state");
            line(text, &format!("    {}", facts(state)));
            if let Some(moves) = moves {
                line(text, &format!("  by {}", shown(moves, MOST_STEPS, "; ")));
            }
            if let Some(approach) = approach.as_ref().filter(|approach| !approach.is_empty()) {
                let way = shown(approach, MOST_STEPS, "; ");
                line(text, &format!("  which is reached by {way}"));
            }
            line(
                text,
                "  help: --horizon N asks for the value within N steps, which always exists",
            );
        }
        Refused::Stuck { state, role } => {
            line(
                text,
                &format!("  {role} has no legal move in a state that is not terminal:"),
            );
            line(text, &format!("    {}", facts(state)));
        }
        Refused::SeveralGoals { state, role } => {
            line(
                text,
                &format!("  {role} has several goal values in the terminal state"),
            );
            line(text, &format!("    {}", facts(state)));
            line(text, "  help: --objective win or at-least:V still have an answer");
        }
    }
}

fn first_moves(text: &mut String, record: &Record) {
    let Some(first) = record.first_moves.first() else {
        return;
    };
    let roles: Vec<&str> = first.moves.iter().map(|(role, _)| role.as_str()).collect();
    let aim = match roles.contains(&record.role.as_str()) {
        true => "",
        false => ", against it",
    };
    line(
        text,
        &format!("  first moves of {}{aim} (* is optimal):", roles.join(" and ")),
    );
    let digits = telling_digits(record);
    let values: Vec<String> = record
        .first_moves
        .iter()
        .map(|first| range_with(digits, record.objective, &first.value))
        .collect();
    let width = values
        .iter()
        .map(|value| value.chars().count())
        .max()
        .unwrap_or(0);
    for (first, value) in record.first_moves.iter().zip(&values) {
        let mark = if first.optimal { '*' } else { ' ' };
        line(text, &format!("  {mark} {value:>width$}  {}", move_names(first)));
    }
}

/// The decimals that it takes to tell the values of the best moves from those of all others.
fn telling_digits(record: &Record) -> u32 {
    let shown = |digits, first: &ValuedMove| range_with(digits, record.objective, &first.value);
    let (best, others): (Vec<_>, Vec<_>) = record.first_moves.iter().partition(|first| first.optimal);
    let tells = |&digits: &u32| {
        let best: Vec<String> = best.iter().map(|first| shown(digits, first)).collect();
        others.iter().all(|first| !best.contains(&shown(digits, first)))
    };
    (DIGITS..MOST_DIGITS).find(tells).unwrap_or(MOST_DIGITS)
}

fn move_names(first: &ValuedMove) -> String {
    match &first.moves[..] {
        [(_, only)] => only.clone(),
        all => {
            let named: Vec<String> = all.iter().map(|(role, mv)| format!("{role}:{mv}")).collect();
            named.join(" ")
        }
    }
}

fn remarks(text: &mut String, record: &Record) {
    for remark in &record.remarks {
        let (what, state) = match remark {
            Remark::NotTurnTaking { state } => {
                let what = format!(
                    "both sides choose at once; the value lets {} choose first, so it is a lower bound",
                    record.role
                );
                (what, state)
            }
            Remark::NoGoal { state, role } => {
                let what =
                    format!("{role} has no goal value at some ends of the game, which counts as not won");
                (what, state)
            }
            Remark::SeveralGoals { state, role } => {
                let what =
                    format!("{role} has several goal values at some ends of the game; the largest counts");
                (what, state)
            }
        };
        line(text, &format!("  note: {what}; for example in"));
        line(text, &format!("    {}", facts(state)));
    }
}

fn effort(text: &mut String, record: &Record) {
    let effort = &record.effort;
    let statistics = &effort.statistics;
    let threads = count(effort.threads as u64, "thread", "threads");
    let mut all = format!(
        "  {}, {}, engine {}, {threads}, {} CPU",
        count(statistics.visited, "state", "states"),
        count(statistics.table_entries, "table entry", "table entries"),
        effort.engine,
        seconds(effort.total().cpu),
    );
    if statistics.explored > 0 {
        let _ = write!(
            all,
            ", {} checked before",
            count(statistics.explored, "state", "states")
        );
    }
    line(text, &all);
}

fn seconds(duration: Duration) -> String {
    format!("{:.3} s", duration.as_secs_f64())
}

/// One question for many horizons.
fn curve(text: &mut String, group: &[Record]) {
    let Some(last) = group.last() else { return };
    let conditions = condition(last)
        .iter()
        .fold(String::new(), |all, one| all + ", " + one);
    line(
        text,
        &format!("{}: {}{conditions}, within", last.game, claim_of_curve(last)),
    );
    let width = group
        .iter()
        .filter_map(|record| record.horizon)
        .map(|horizon| horizon.to_string().len())
        .max()
        .unwrap_or(1);
    for record in group {
        let horizon = record.horizon.unwrap_or(0);
        let value = match &record.verdict {
            Verdict::Solved(value) => {
                let percent = number(record.objective, value, Direction::Nearest);
                format!("{percent:>8}  {}", fraction(value))
            }
            Verdict::Enclosed(interval) => range(record.objective, interval),
            Verdict::Bounded(interval, reason) => {
                format!("{} ({})", range(record.objective, interval), stopped(*reason))
            }
            Verdict::Refused(_) => "no answer".to_string(),
        };
        line(text, &format!("  {horizon:>width$} steps  {value}"));
    }
}

fn claim_of_curve(record: &Record) -> String {
    let role = &record.role;
    match record.objective {
        Objective::Win => format!("{role} wins"),
        Objective::Goal => format!("{role} gets a goal value, on average"),
        Objective::AtLeast(bar) => format!("{role} gets a goal value of at least {bar}"),
    }
}

fn steps(number: usize) -> String {
    count(number as u64, "step", "steps")
}

fn count(number: u64, one: &str, many: &str) -> String {
    match number {
        1 => format!("1 {one}"),
        n => format!("{n} {many}"),
    }
}

fn facts(facts: &Facts) -> String {
    match facts.is_empty() {
        true => "(no fact holds)".to_string(),
        false => shown(facts, MOST_FACTS, " "),
    }
}

/// The first few of a list, and how many more there are.
fn shown(all: &[String], most: usize, separator: &str) -> String {
    let first = all[..all.len().min(most)].join(separator);
    match all.len().saturating_sub(most) {
        0 => first,
        more => format!("{first}{separator}… ({more} more)"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample;
    use super::*;

    #[test]
    fn every_question_is_a_paragraph() {
        let mut out = Vec::new();
        Text.write(&sample::records(), &mut out).unwrap();
        insta::assert_snapshot!(String::from_utf8(out).unwrap());
    }
}
