//! The lines of `crosscheck.csv`: for each question, what each method found.

use emm::crosscheck::{Comparison, Finding, Found, Subject, Verdict};
use emm::fraction::Fraction;
use std::time::Duration;

/// The columns of the CSV.
pub const COLUMNS: [&str; 13] = [
    "game",
    "role",
    "random_roles",
    "horizon",
    "longest_play",
    "method",
    "variables",
    "clauses",
    "seconds",
    "value",
    "fraction",
    "note",
    "verdict",
];

/// What is noted of a limit that was reached, and of an answer that contradicts itself.
const STOPPED: &str = "stopped: ";
const WRONG: &str = "wrong: ";

/// What one method found: a text for each of [`COLUMNS`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record(Vec<String>);

/// How a method's answer ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    Answered,
    Stopped,
    Absent,
    Wrong,
    Nothing,
}

/// The records of a comparison.
pub fn records(subject: &Subject, comparison: &Comparison, longest: Option<u32>) -> Vec<Record> {
    let random = comparison.case.random.iter().map(|&role| subject.role_name(role));
    // The role called `random` always moves at random.
    let random: Vec<String> = random.filter(|name| name != "random").collect();
    let question = [
        subject.name.clone(),
        subject.role_name(comparison.case.role),
        random.join(" "),
        comparison.case.horizon.to_string(),
        longest.map(|longest| longest.to_string()).unwrap_or_default(),
    ];
    let verdict = match comparison.verdict() {
        Verdict::Agree(methods) => format!("{methods} agree"),
        Verdict::Open => "open".to_string(),
        Verdict::Disagree(one, other) => format!("{one} and {other} DISAGREE"),
    };
    let record = |finding| {
        let found = answer(finding).into_iter().chain([verdict.clone()]);
        Record(question.iter().cloned().chain(found).collect())
    };
    comparison.findings.iter().map(record).collect()
}

/// The columns from `method` to `note`.
fn answer(finding: &Finding) -> [String; 7] {
    let (value, fraction, note) = match &finding.found {
        Found::Exact(value) => (value.decimal(12), value.to_string(), String::new()),
        Found::Near(value, error) => (value.to_string(), String::new(), format!("within {error}")),
        Found::Between(lo, hi) => {
            let note = format!("{STOPPED}between {} and {}", lo.decimal(6), hi.decimal(6));
            (String::new(), String::new(), note)
        }
        Found::Nothing(reason) => (String::new(), String::new(), reason.clone()),
        Found::Wrong(reason) => (String::new(), String::new(), format!("{WRONG}{reason}")),
    };
    let size = finding
        .size
        .map(|(variables, clauses)| [variables, clauses].map(|size| size.to_string()));
    let [variables, clauses] = size.unwrap_or_default();
    let seconds = format!("{:.6}", finding.time.as_secs_f64());
    [
        finding.method.clone(),
        variables,
        clauses,
        seconds,
        value,
        fraction,
        note,
    ]
}

impl Record {
    /// The cell of this column.
    pub fn cell(&self, column: &str) -> &str {
        let place = COLUMNS.iter().position(|name| *name == column);
        place
            .and_then(|place| self.0.get(place))
            .map_or("", String::as_str)
    }

    /// What is asked, without the horizon: game, role and players made random.
    pub fn question(&self) -> &[String] {
        &self.0[..3]
    }

    /// How it ended.
    pub fn status(&self) -> Status {
        match self.cell("note") {
            _ if !self.cell("value").is_empty() => Status::Answered,
            "absent" => Status::Absent,
            note if note.starts_with(STOPPED) => Status::Stopped,
            note if note.starts_with(WRONG) => Status::Wrong,
            _ => Status::Nothing,
        }
    }

    /// What it took.
    pub fn time(&self) -> Duration {
        let seconds = self.cell("seconds").parse().unwrap_or(0.0);
        Duration::try_from_secs_f64(seconds).unwrap_or_default()
    }

    /// The exact value.
    pub fn value(&self) -> Option<Fraction> {
        let fraction = self.cell("fraction");
        let (numerator, denominator) = fraction.split_once('/').unwrap_or((fraction, "1"));
        Fraction::parse(numerator, denominator)
    }
}

/// The records of a CSV.
pub fn read(text: &[u8]) -> Result<Vec<Record>, String> {
    let mut reader = csv::Reader::from_reader(text);
    let heading = reader.headers().map_err(|error| error.to_string())?;
    if heading.iter().ne(COLUMNS) {
        return Err(format!("line 1 is not `{}`", COLUMNS.join(",")));
    }
    let records = reader.records().map(|record| {
        let record = record.map_err(|error| error.to_string())?;
        Ok(Record(record.iter().map(str::to_string).collect()))
    });
    records.collect()
}

/// The CSV of these records.
pub fn write<'a>(records: impl Iterator<Item = &'a Record>) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    // Writing to memory cannot fail.
    let _ = writer.write_record(COLUMNS);
    for record in records {
        let _ = writer.write_record(&record.0);
    }
    String::from_utf8_lossy(&writer.into_inner().unwrap_or_default()).into_owned()
}
