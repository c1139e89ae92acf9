//! A suite: questions as rows of CSV, with what was published about them.
//!
//! Lines that start with `#` are prose for the Markdown table, the first of them its title.

use crate::cli::exit::Failure;
use crate::cli::lookup;
use crate::cli::solve::objective;
use crate::cli::suggest;
use csv::StringRecord;
use emm::games::{self, BundledSuite};
use std::io;
use std::path::Path;

/// The columns of a suite that have a meaning. Every other one must end in `_s`: seconds that somebody else took.
const COLUMNS: [&str; 9] = [
    "game",
    "role",
    "random_role",
    "horizon",
    "objective",
    "engine",
    "generate",
    "published",
    "note",
];

/// Questions about games.
pub struct Suite {
    /// The suite's name, or the name of its file.
    pub name: String,
    /// The title of its table.
    pub title: String,
    /// What stands above the table: lines of Markdown.
    pub prose: Vec<String>,
    /// The names of the columns with other people's times, without `_s`.
    pub rivals: Vec<String>,
    /// The questions in order.
    pub tasks: Vec<Task>,
}

/// One question of a suite.
#[derive(Clone, Debug)]
pub struct Task {
    /// The line of the suite on which it stands.
    pub line: u64,
    /// The bundled game or the file; only a name if the game is generated.
    pub game: String,
    /// A family with its options, as for `emm generate`; empty if the game is not generated.
    pub generate: String,
    /// The role that is asked about.
    pub role: String,
    /// The players that move at random, separated by spaces.
    pub random_role: String,
    /// How many steps a play may take; empty for no bound.
    pub horizon: String,
    /// `win`, `goal` or `at-least:V`.
    pub objective: String,
    /// The engine to ask, as for `emm solve`, unless the command line says another.
    pub engine: String,
    /// What is published: a percentage, `?` for a question that was published without answer, or nothing.
    pub published: String,
    /// What a reader should know about the published value.
    pub note: String,
    /// Seconds, one for each of [`Suite::rivals`]; `>1200` if there was no answer after that time.
    pub times: Vec<String>,
}

impl Task {
    /// The engine to ask if the command line says `given`.
    pub fn engine<'a>(&'a self, given: &'a str) -> &'a str {
        match (given, self.engine.as_str()) {
            ("auto", own) if !own.is_empty() => own,
            _ => given,
        }
    }

    /// Whether one run of `emm solve` can answer both.
    pub fn shares_a_run(&self, other: &Task) -> bool {
        let run = |task: &Task| {
            let Task {
                game,
                generate,
                random_role,
                horizon,
                objective,
                engine,
                ..
            } = task.clone();
            (game, generate, random_role, horizon, objective, engine)
        };
        run(self) == run(other)
    }
}

/// Finds a suite by its name or path and reads it.
pub fn find(wanted: &str) -> Result<Suite, Failure> {
    let path = Path::new(wanted);
    let is_named = |suite: &&BundledSuite| suite.name == wanted;
    let is_file = wanted == "-" || path.exists() && !path.is_dir();
    match (is_file, games::suites().iter().find(is_named)) {
        (true, _) => match lookup::bytes(path).and_then(text) {
            Ok(text) => read(wanted, &text),
            Err(error) => Err(Failure::input(format!("`{wanted}` cannot be read: {error}"), "")),
        },
        (false, Some(suite)) => read(wanted, suite.text),
        (false, None) => Err(unknown(wanted)),
    }
}

fn text(bytes: Vec<u8>) -> io::Result<String> {
    String::from_utf8(bytes).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}

fn unknown(wanted: &str) -> Failure {
    let names: Vec<&str> = games::suites().iter().map(|suite| suite.name).collect();
    let stem = wanted.strip_suffix(".csv").unwrap_or(wanted);
    let help = match suggest::did_you_mean(&suggest::similar(stem, names.iter().copied())) {
        question if question.is_empty() => format!("the suites are {}", names.join(", ")),
        question => question,
    };
    Failure::input(format!("there is no file and no suite `{wanted}`"), help)
}

/// Reads a suite from its text.
fn read(name: &str, text: &str) -> Result<Suite, Failure> {
    let at = |line: u64, message: String| Failure::input(format!("{name}:{line}: {message}"), HELP);
    let broken = |error: csv::Error| {
        let line = error.position().map_or(0, csv::Position::line);
        at(line, error.to_string())
    };
    let mut reader = csv::ReaderBuilder::new()
        .comment(Some(b'#'))
        .trim(csv::Trim::All)
        .from_reader(text.as_bytes());
    let heading = reader.headers().map_err(broken)?.clone();
    let rivals = rivals(&heading).map_err(|message| at(1, message))?;
    let mut tasks: Vec<Task> = Vec::new();
    for record in reader.records() {
        let record = record.map_err(broken)?;
        let task = task(&heading, &rivals, &record);
        let fault = fault(&task).or_else(|| repeated(&task, &tasks));
        if let Some(message) = fault {
            return Err(at(task.line, message));
        }
        tasks.push(task);
    }
    if tasks.is_empty() {
        return Err(at(1, "the suite asks nothing".to_string()));
    }
    let mut prose = text
        .lines()
        .map_while(|line| line.strip_prefix('#'))
        .map(str::trim);
    Ok(Suite {
        name: name.to_string(),
        title: prose.next().unwrap_or(name).to_string(),
        prose: prose
            .skip_while(|line| line.is_empty())
            .map(str::to_string)
            .collect(),
        rivals: rivals
            .iter()
            .map(|column| column.trim_end_matches("_s").to_string())
            .collect(),
        tasks,
    })
}

const HELP: &str = "a suite is CSV with the columns `game`, `role` and any of `random_role`, `horizon`, \
    `objective`, `engine`, `generate`, `published`, `note` and columns of seconds whose names end in `_s`";

/// The columns of times; complains about columns that nobody would read.
fn rivals(heading: &StringRecord) -> Result<Vec<String>, String> {
    if let Some(missing) = ["game", "role"]
        .iter()
        .find(|&&column| !heading.iter().any(|c| c == column))
    {
        return Err(format!("there is no column `{missing}`"));
    }
    let mut columns = heading.iter().enumerate();
    if let Some((_, twice)) = columns.find(|&(at, name)| heading.iter().take(at).any(|other| other == name)) {
        return Err(format!("the column `{twice}` stands there twice"));
    }
    let others = heading.iter().filter(|column| !COLUMNS.contains(column));
    others
        .map(|column| match column.ends_with("_s") {
            true => Ok(column.to_string()),
            false => Err(format!("`{column}` is no column of a suite")),
        })
        .collect()
}

fn task(heading: &StringRecord, rivals: &[String], record: &StringRecord) -> Task {
    let cell = |column: &str| {
        let place = heading.iter().position(|name| name == column);
        place
            .and_then(|place| record.get(place))
            .unwrap_or_default()
            .to_string()
    };
    let objective = cell("objective");
    Task {
        line: record.position().map_or(0, csv::Position::line),
        game: cell("game"),
        generate: cell("generate"),
        role: cell("role"),
        random_role: cell("random_role"),
        horizon: cell("horizon"),
        objective: if objective.is_empty() {
            "win".to_string()
        } else {
            objective
        },
        engine: cell("engine"),
        published: cell("published"),
        note: cell("note"),
        times: rivals.iter().map(|column| cell(column)).collect(),
    }
}

fn fault(task: &Task) -> Option<String> {
    let is_number = |text: &str| text.parse::<f64>().is_ok_and(|number| number >= 0.0);
    if task.game.is_empty() || task.role.is_empty() {
        return Some("a row needs a game and a role".to_string());
    }
    if task.game == "-" {
        return Some("a suite cannot read a game from standard input".to_string());
    }
    if !task.horizon.is_empty() && task.horizon.parse::<u32>().is_err() {
        return Some(format!("`{}` is no number of steps", task.horizon));
    }
    if let Err(expected) = objective(&task.objective) {
        return Some(format!("`{}` is no objective: {expected}", task.objective));
    }
    let mut random = task.random_role.split_whitespace().chain(["random"]);
    if random.any(|role| role.eq_ignore_ascii_case(&task.role)) {
        return Some(format!(
            "`{}` cannot be asked about and move at random",
            task.role
        ));
    }
    let engines = ["", "auto", "search", "alphabeta", "layered", "sweep"];
    if !engines.contains(&task.engine.as_str()) {
        return Some(format!("`{}` is no engine for a suite", task.engine));
    }
    let is_percentage =
        |text: &str| is_number(text) && text.parse::<f64>().is_ok_and(|number| number <= 100.0);
    if !matches!(task.published.as_str(), "" | "?") && !is_percentage(&task.published) {
        return Some(format!("`{}` is no percentage", task.published));
    }
    let is_time = |time: &&String| time.is_empty() || is_number(time.trim_start_matches('>'));
    let wrong = task.times.iter().find(|time| !is_time(time))?;
    Some(format!("`{wrong}` is no number of seconds"))
}

fn repeated(task: &Task, before: &[Task]) -> Option<String> {
    let first = before
        .iter()
        .find(|other| other.shares_a_run(task) && other.role == task.role)?;
    Some(format!("this is asked on line {} already", first.line))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(text: &str) -> String {
        match read("my.csv", text) {
            Err(Failure::Message { message, .. }) => message,
            _ => panic!("{text} is accepted"),
        }
    }

    #[test]
    fn every_bundled_suite_can_be_read() {
        for suite in games::suites() {
            assert!(read(suite.name, suite.text).is_ok(), "{}", suite.name);
        }
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        assert_eq!(refusal("game\none-shot\n"), "my.csv:1: there is no column `role`");
        assert_eq!(
            refusal("game,role,rolle\n"),
            "my.csv:1: `rolle` is no column of a suite"
        );
        assert_eq!(refusal("game,role\n"), "my.csv:1: the suite asks nothing");
        assert_eq!(
            refusal("# a\ngame,role\none-shot,\n"),
            "my.csv:3: a row needs a game and a role"
        );
        assert_eq!(
            refusal("game,role,horizon\na,x,-1\n"),
            "my.csv:2: `-1` is no number of steps"
        );
        assert_eq!(
            refusal("game,role,published\na,x,half\n"),
            "my.csv:2: `half` is no percentage"
        );
        assert_eq!(
            refusal("game,role,engine\na,x,steam\n"),
            "my.csv:2: `steam` is no engine for a suite"
        );
        assert_eq!(
            refusal("game,role,role\na,x,x\n"),
            "my.csv:1: the column `role` stands there twice"
        );
        assert_eq!(
            refusal("game,role,random_role\na,x,o X\n"),
            "my.csv:2: `x` cannot be asked about and move at random"
        );
        assert_eq!(
            refusal("game,role,objective\na,x,abc\n"),
            "my.csv:2: `abc` is no objective: expected `win`, `goal` or `at-least:V` with V from 1 to 100"
        );
        assert_eq!(
            refusal("game,role,them_s\na,x,*\n"),
            "my.csv:2: `*` is no number of seconds"
        );
        assert_eq!(
            refusal("game,role\na,x\na,x\n"),
            "my.csv:3: this is asked on line 2 already"
        );
        assert!(refusal("game,role\na,x,y\n").starts_with("my.csv:2: "));
    }
}
