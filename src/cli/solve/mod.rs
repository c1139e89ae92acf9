//! `emm solve`: the value of games.
//!
//! [`compile`] turns a text into a game within the limits, [`start`] finds the position that is asked about,
//! [`ask`] puts the questions, [`watch`] shows how far a run is and lets the user end it, [`wishes`] says which options go
//! together.

mod ask;
mod compile;
mod start;
pub mod watch;
mod wishes;

use super::exit::{Exit, Failure};
use super::load::{RuleLimit, SyntaxArgs};
use super::output::{OutputArgs, print};
use super::{Context, units};
use ask::Asked;
use clap::{Args, ValueEnum};
use compile::{Clock, Compiled, SymmetryWish};
use emm::report::{Competition, Csv, Exporter, Json, Record, Text, Verdict};
use emm::solve::{Arithmetic, Engine, Objective, StopReason};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

pub use watch::stop_flag;

/// A curve has at most so many points: as many as a play can have steps.
const MOST_HORIZONS: u32 = 100_000;

const AFTER_HELP: &str = "\
Examples:
  emm solve s-nim-30                                   both players of a bundled game
  emm solve c4-4x4 --random o --role x                 against a player who moves at random
  emm solve s-nim-30 --horizon 40 --all-horizons --format csv    a curve to plot
  emm solve tt-3x3 --moves '(choose 2 2); (choose 1 1)'   after some moves
  emm solve tt-3x3 --state '(cell 1 1 x) (cell 2 2 o) (turn x)'
  emm solve c3-6x6 --random o --checkpoint run --memory 4G     a long run that may be interrupted
  emm solve games/*.gdl --timeout 60s --memory 8G --format csv --output values.csv

The value is the greatest probability with which the role can make sure to win (goal value 100),
whatever the other players do; `random` moves uniformly at random. A step is one joint move.

MOVES: joint moves separated by `;` or line breaks. A joint move is the move of the only role that
has a choice, or `role:move role:move ...` (forced moves may be left out), or the moves of all roles
in order. STATE and MOVES may be `@FILE`.

--timeout is for each game, from reading it to its last role; --memory is for the tables of a run.
When one is reached, or after Ctrl-C, the interval in which the value is proven to lie is printed.

--checkpoint DIR: the engine `layered` keeps every finished layer in DIR, with checksums. The same command goes
on where a run ended, even if it was killed, and gives the same answer; a folder of another question and
a damaged one are refused. When the answer is there, the files are removed.

Exit code 1 if a game cannot be used or a question has no answer (a play can run forever, ...);
else 3 if a limit was reached; else 0.

Status: `solved` (exact), `enclosed` (floating point: an interval as wide as the rounding error),
`bounded` (a limit was reached: an interval), `refused` (the question has no answer).

CSV: game,role,random_role,objective,horizon,status,value,numerator,denominator,states,edges,engine,
  threads,cputime_s,walltime_s,memory_bytes,emm_version,game_sha256
  `value` has 12 decimals and is empty unless they are certain. Times are from the text to the answer.

Competition: comments `c o ...`; one line `s SATISFIABLE` (the value is positive), `s UNSATISFIABLE`
  (it is 0) or `s UNKNOWN`; if it is solved, `c s type ssat`, `c s log10-estimate` and
  `c s exact arb frac P/Q`. One line `s` is one answer, so `--role` chooses one player.

JSON, version 1 (`emm schema` prints its JSON Schema): {\"version\": 1, \"records\": [RECORD, ...]}, one for each game, role and horizon
  RECORD: {\"game\", \"game_sha256\", \"role\", \"random_roles\": [name, ...], \"objective\", \"horizon\",
    \"start\": {\"kind\": \"initial\", \"state\" or \"moves\", \"facts\" or \"moves\": [...]},
    \"status\", \"value\": null or {\"fraction\", \"numerator\", \"denominator\", \"decimal\"},
    \"lower\", \"upper\": fractions, or null if refused,
    \"stopped_by\": null, \"time\", \"memory\", \"interrupt\", \"depth\" or \"size\",
    \"refusal\": null or {\"kind\": \"cycle\", \"stuck\" or \"several-goals\", \"state\": [fact, ...], ...},
    \"first_moves\": [{\"moves\": {role: move}, \"value\", \"lower\", \"upper\", \"optimal\"}, ...],
    \"plan\": null or [move, ...],
    \"notes\": [{\"kind\": \"not-turn-taking\", \"no-goal\" or \"several-goals\", \"state\", ...}, ...],
    \"effort\": {\"engine\", \"arithmetic\", \"threads\", \"states\", \"edges\", \"checked_states\",
      \"table_hits\", \"table_entries\", \"memory_bytes\", \"longest_play\",
      \"compile\" and \"solve\": {\"cputime_s\", \"walltime_s\"}, \"emm_version\"}}";

/// Print the value of games: how likely each player wins if all play perfectly
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub struct SolveArgs {
    /// Paths, `-` for standard input, or names of bundled games
    #[arg(value_name = "GAME", required = true)]
    games: Vec<PathBuf>,
    #[command(flatten)]
    syntax: SyntaxArgs,
    /// Solve for this role; may be given several times [default: every player]
    #[arg(long = "role", value_name = "ROLE")]
    roles: Vec<String>,
    /// Let this player move uniformly at random; may be given several times
    #[arg(long = "random", value_name = "ROLE")]
    random: Vec<String>,
    /// Let plays take at most so many steps; an unfinished play is not won [default: no bound]
    #[arg(
        long,
        value_name = "N",
        value_parser = clap::value_parser!(u32).range(..u32::MAX as i64)
    )]
    horizon: Option<u32>,
    /// Solve for every horizon from 0 to N, which is at most 100000
    #[arg(long, requires = "horizon")]
    all_horizons: bool,
    /// `win`, `goal` (the expected goal value) or `at-least:V` (a goal value of V or more)
    #[arg(long, default_value = "win", value_parser = objective)]
    objective: Objective,
    /// Start in the state in which exactly these facts hold: `(cell 1 1 x) (control o)` or @FILE
    #[arg(long, value_name = "STATE", conflicts_with = "moves")]
    state: Option<String>,
    /// Start after these moves: `(mark 1 1); (mark 2 2)` or @FILE
    #[arg(long, value_name = "MOVES")]
    moves: Option<String>,
    /// The algorithm: `search` prunes, `alphabeta` is for games without chance, `layered` enumerates all states,
    /// `sweep` goes through all ways to fill a board, `auto` takes the one that is expected to be fastest,
    /// `reference` is the definition itself, slow, for comparison
    #[arg(long, default_value = "auto")]
    engine: EngineName,
    /// Let the engines `alphabeta` and `layered` keep states that are mirror images or rotations of each other apart
    #[arg(long)]
    no_symmetry: bool,
    /// Say on standard error which engine was chosen and why
    #[arg(long)]
    explain: bool,
    /// `exact` fractions, or `float` intervals that contain the value; `auto` is exact
    #[arg(long, default_value = "auto")]
    arithmetic: ArithmeticName,
    /// Search with so many threads; more than four per core are not used [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Let the tables take at most this much: `500M`, `1.5G`, a number of bytes; G is 1024^3 [default: half of the memory]
    #[arg(long, value_name = "SIZE", value_parser = units::bytes)]
    memory: Option<usize>,
    /// Put layers that do not fit into the memory into a temporary folder in DIR (engine `layered`)
    #[arg(long, value_name = "DIR", conflicts_with = "checkpoint")]
    spill: Option<PathBuf>,
    /// Keep what is done in DIR, and go on from there if a run was interrupted (engine `layered`)
    #[arg(long, value_name = "DIR", conflicts_with_all = ["all_horizons", "state"])]
    checkpoint: Option<PathBuf>,
    #[command(flatten)]
    rules: RuleLimit,
    /// Stop after this time, such as `90s`, `2m`, `1h30m` or `250ms`; a number alone is in seconds [default: never]
    #[arg(long, value_name = "DURATION", value_parser = units::duration)]
    timeout: Option<Duration>,
    /// How to write the answer
    #[arg(long, default_value = "text")]
    format: RecordFormat,
    #[command(flatten)]
    output: OutputArgs,
    /// Show no progress, even on a terminal
    #[arg(long)]
    no_progress: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum EngineName {
    Auto,
    Search,
    Alphabeta,
    Layered,
    Sweep,
    Reference,
}

impl EngineName {
    fn engine(self) -> Engine {
        match self {
            EngineName::Auto => Engine::Auto,
            EngineName::Search => Engine::Search,
            EngineName::Alphabeta => Engine::Alphabeta,
            EngineName::Layered => Engine::Layered,
            EngineName::Sweep => Engine::Sweep,
            EngineName::Reference => Engine::Reference,
        }
    }
}

#[derive(Clone, Copy, ValueEnum)]
enum ArithmeticName {
    Auto,
    Exact,
    Float,
}

impl ArithmeticName {
    fn arithmetic(self) -> Arithmetic {
        match self {
            ArithmeticName::Auto | ArithmeticName::Exact => Arithmetic::Exact,
            ArithmeticName::Float => Arithmetic::Float,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum RecordFormat {
    /// For people
    Text,
    /// Everything, for programs
    Json,
    /// For tables and plots
    Csv,
    /// One role of one game as solvers of the Model Counting Competition print it
    Competition,
}

impl RecordFormat {
    fn exporter(self) -> &'static dyn Exporter {
        match self {
            RecordFormat::Text => &Text,
            RecordFormat::Json => &Json,
            RecordFormat::Csv => &Csv,
            RecordFormat::Competition => &Competition,
        }
    }
}

pub fn objective(text: &str) -> Result<Objective, String> {
    let bar = |text: &str| text.parse().ok().filter(|bar| (1..=100).contains(bar));
    match (text, text.strip_prefix("at-least:").and_then(bar)) {
        ("win", _) => Ok(Objective::Win),
        ("goal", _) => Ok(Objective::Goal),
        (_, Some(bar)) => Ok(Objective::AtLeast(bar)),
        _ => Err("expected `win`, `goal` or `at-least:V` with V from 1 to 100".to_string()),
    }
}

pub fn run(args: &SolveArgs, context: &Context) -> Result<Exit, Failure> {
    wishes::check(args)?;
    let files = [&args.state, &args.moves].into_iter().flatten();
    let files: Vec<PathBuf> = files.filter_map(|text| start::named_file(text)).collect();
    args.output.check(args.games.iter().chain(&files))?;
    let stop = watch::stop_flag()?;
    let mut records = Vec::new();
    let mut overall = Exit::Answered;
    for (number, game) in args.games.iter().enumerate() {
        if stop.load(Ordering::Relaxed) {
            overall = overall.worse(Exit::LimitReached);
            let rest: Vec<_> = args.games[number..]
                .iter()
                .map(|game| game.display().to_string())
                .collect();
            context.say(&format!("interrupted: not begun: {}", rest.join(", ")));
            break;
        }
        match solve_game(args, game, &stop, context) {
            Ok(answers) => {
                overall = answers.iter().map(exit).fold(overall, Exit::worse);
                records.extend(answers);
            }
            Err(Failure::Reported(exit)) => overall = overall.worse(exit),
            Err(failure) if args.games.len() == 1 => return Err(failure),
            Err(Failure::Message { exit, message, help }) => {
                let message = format!("{}: {message}", game.display());
                context.say(&super::report::message(&message, &help));
                overall = overall.worse(exit);
            }
        }
    }
    if records.is_empty() {
        return Err(Failure::Reported(overall));
    }
    let write = |out: &mut dyn Write| args.format.exporter().write(&records, out);
    let written = args.output.write(write);
    if written.is_err() && args.output.file().is_some() {
        // The answer may have taken hours: it is not to be lost with the file.
        print(write)?;
    }
    written?;
    if args.format == RecordFormat::Csv {
        say_what_csv_cannot(&records, context);
    }
    Ok(overall)
}

fn exit(record: &Record) -> Exit {
    match record.verdict {
        Verdict::Solved(_) | Verdict::Enclosed(_) => Exit::Answered,
        Verdict::Bounded(..) => Exit::LimitReached,
        Verdict::Refused(_) => Exit::InputError,
    }
}

/// The columns of CSV have no place for an interval or a reason.
fn say_what_csv_cannot(records: &[Record], context: &Context) {
    let silent: Vec<Record> = records
        .iter()
        .filter(|record| exit(record) != Exit::Answered)
        .cloned()
        .collect();
    let mut text = Vec::new();
    if !context.is_quiet() && !silent.is_empty() && Text.write(&silent, &mut text).is_ok() {
        context.say(String::from_utf8_lossy(&text).trim_end());
    }
}

/// All answers about one game.
fn solve_game(
    args: &SolveArgs,
    game: &Path,
    stop: &Arc<AtomicBool>,
    context: &Context,
) -> Result<Vec<Record>, Failure> {
    let clock = Clock::start();
    let deadline = args.timeout.and_then(|timeout| clock.wall.checked_add(timeout));
    let checked = compile::check(game, args.syntax);
    if checked.loaded.has_error() {
        checked.loaded.report(context)?;
    }
    let asked = Asked::new(args, game, &checked, deadline, stop.clone(), context)?;
    if args.format == RecordFormat::Competition && asked.answers() != 1 {
        return Err(Failure::usage(
            "the format `competition` is for one answer",
            "choose a player with `--role`, and neither several games nor `--all-horizons`",
        ));
    }
    let symmetry = match args.no_symmetry {
        true => SymmetryWish::Unused,
        false => SymmetryWish::Used,
    };
    match compile::compile(
        checked,
        args.engine.engine(),
        symmetry,
        &args.rules.until(deadline),
        stop,
        context,
    )? {
        Compiled::Machine(machine) => {
            let start = start::find(&*machine, args)?;
            start::check_machine_state(&machine, &start)?;
            asked.answer_compiled(&machine, &start, clock.spent())
        }
        Compiled::Reference(reference) => {
            let start = start::find(&*reference, args)?;
            asked.answer(&*reference, &start, clock.spent())
        }
        Compiled::Stopped(reason) => Ok(asked.unanswered(reason, clock.spent())),
    }
}

/// What stopped a run before the search.
fn stop_reason(stop: &AtomicBool) -> StopReason {
    match stop.load(Ordering::Relaxed) {
        true => StopReason::Interrupt,
        false => StopReason::Time,
    }
}
