//! `emm table`: a suite of questions, answered one by one into a CSV and a Markdown table.
//!
//! [`suite`] reads what is asked, [`batch`] looks for the games, [`work`] runs the solver, [`sheet`] keeps the rows, [`markdown`] sets them
//! beside what was published.

mod batch;
mod markdown;
pub mod sheet;
pub mod suite;
mod work;

use super::exit::{Exit, Failure};
use super::solve::stop_flag;
use super::{Context, output, units, version};
use batch::{Batch, batches};
use clap::{Args, ValueEnum};
use sheet::Row;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::channel;
use std::sync::{Mutex, MutexGuard, OnceLock};
use std::time::Duration;
use suite::{Suite, Task};
use work::{Board, Done, Share};

const AFTER_HELP: &str = "\
Examples:
  emm table smoke                                     a few seconds, as CSV
  emm table smoke --format markdown
  emm table paper --output paper.csv --markdown paper.md --timeout 1h
  emm table paper --output paper.csv --resume         go on after Ctrl-C
  emm table my-suite.csv

The suites in the program: paper (the published table of stochastic games), qbf (the published table
of deterministic ones), dice, curves (values over the board's size and over p), all, smoke.

SUITE is one of them or a CSV file: one question per row, with the columns
  game         a bundled game, or a path; with `generate` only a name for the table
  role         the role that is asked about
and any of
  random_role  players that move at random, separated by spaces
  horizon      steps; empty for no bound
  objective    win, goal or at-least:V; empty for win
  engine       search, alphabeta, layered or sweep, for games where the choice of `auto` is known to be slower
  generate     a family and its options, as for `emm generate`: `s-tt --width 3 --p 1/3`
  published    a percentage, or ? for a question that was published without an answer
  note         what a reader should know about the row
  NAME_s       seconds that NAME took; >1200 if it had no answer after 1200 s
Lines that start with # are prose for the Markdown table, the first one its title.

Every game is solved in a process of its own, with its share of --memory and of the cores. A game whose share
of the memory is too small is solved again, alone, after the others. With --output the file is complete
after every row. --resume keeps the rows of the file whose game, question, version and given options are the
same and whose status is solved, enclosed or refused, and answers the others; a file with answers to
other questions is refused.

CSV: the columns of `emm solve --format csv`, and one more status: `failed`, if the solver had no answer at all.

Exit code 1 if a question failed or was refused; else 3 if a limit was reached or after Ctrl-C; else 0.";

/// Solve a suite of games into a table, beside the published values
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub struct TableArgs {
    /// The name of a suite, or a CSV file, or `-` for standard input
    #[arg(value_name = "SUITE")]
    suite: String,
    /// Keep the CSV in this file, complete after every row [default: print it at the end, as for `-`]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Write the Markdown table to this file as well; `-` is standard output
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
    /// What to print if no --output names a file
    #[arg(long, default_value = "csv")]
    format: SheetFormat,
    /// Go on with the file of --output: keep the rows that are answered already
    #[arg(long, requires = "output")]
    resume: bool,
    /// Solve so many games at a time [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// Search each game with so many threads [default: the cores, shared by the jobs]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Let the tables of all jobs take at most this much [default: half of the memory]
    #[arg(long, value_name = "SIZE", value_parser = units::bytes)]
    memory: Option<usize>,
    /// Put what does not fit into the memory into temporary folders in DIR, as for `emm solve`
    #[arg(long, value_name = "DIR")]
    spill: Option<PathBuf>,
    /// Stop each game after this time, such as `90s` or `1h30m` [default: never]
    #[arg(long, value_name = "DURATION", value_parser = units::duration)]
    timeout: Option<Duration>,
    /// The algorithm for all games, as for `emm solve`; `auto` is what the suite says
    #[arg(long, default_value = "auto")]
    engine: SheetEngine,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum SheetFormat {
    /// For programs and plots
    Csv,
    /// For people
    Markdown,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum SheetEngine {
    Auto,
    Search,
    Alphabeta,
    Layered,
    Sweep,
}

impl SheetEngine {
    fn name(self) -> &'static str {
        match self {
            SheetEngine::Auto => "auto",
            SheetEngine::Search => "search",
            SheetEngine::Alphabeta => "alphabeta",
            SheetEngine::Layered => "layered",
            SheetEngine::Sweep => "sweep",
        }
    }
}

pub fn run(args: &TableArgs, context: &Context) -> Result<Exit, Failure> {
    let suite = suite::find(&args.suite)?;
    args.check_outputs(&suite)?;
    let kept = args.kept(&suite)?;
    let batches = batches(&suite, context)?;
    let stop = stop_flag()?;
    let mut table = Table::new(args, &suite, context);
    let open = table.keep(batches, &kept);
    let board = Board::new(suite.tasks.len(), table.answered(), context);
    let again = table.answer(open, &args.share(Sharing::Shared), &stop, &board)?;
    table.answer(again, &args.share(Sharing::Alone), &stop, &board)?;
    table.finish()
}

/// Whether a game has the computer for itself.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sharing {
    Shared,
    Alone,
}

impl TableArgs {
    /// The file for the CSV, unless it goes to standard output.
    fn csv_file(&self) -> Option<&Path> {
        output::named(self.output.as_deref())
    }

    /// The file for the Markdown table, if it goes to one.
    fn markdown_file(&self) -> Option<&Path> {
        output::named(self.markdown.as_deref())
    }

    /// What goes to standard output.
    fn printed(&self) -> Option<SheetFormat> {
        match self.markdown.is_some() && self.markdown_file().is_none() {
            true => Some(SheetFormat::Markdown),
            false => self.csv_file().is_none().then_some(self.format),
        }
    }

    /// Fails if what is asked for cannot be written, or would overwrite what is read or written as well.
    fn check_outputs(&self, suite: &Suite) -> Result<(), Failure> {
        if self.resume && self.csv_file().is_none() {
            return Err(Failure::usage(
                "`--resume` goes on with the file of `--output`",
                "name a file",
            ));
        }
        if let (Some(csv), Some(markdown)) = (&self.output, &self.markdown)
            && output::is_same(csv, markdown)
        {
            return Err(Failure::usage(
                "`--output` and `--markdown` name the same file",
                "name two",
            ));
        }
        let is_markdown_printed = self.markdown.is_some() && self.markdown_file().is_none();
        if is_markdown_printed && self.csv_file().is_none() {
            return Err(Failure::usage(
                "standard output is for the CSV if no `--output` names a file",
                "say `--format markdown` for the other table instead",
            ));
        }
        let games = suite.tasks.iter().map(|task| Path::new(&task.game));
        let inputs: Vec<&Path> = games.chain([Path::new(&self.suite)]).collect();
        for path in self.csv_file().into_iter().chain(self.markdown_file()) {
            output::check_beside(path, inputs.iter().copied())?;
        }
        Ok(())
    }

    /// The rows of an earlier run, if this one goes on with them; fails if one would be lost.
    fn kept(&self, suite: &Suite) -> Result<Vec<Row>, Failure> {
        let Some(path) = self.csv_file().filter(|_| self.resume) else {
            return Ok(Vec::new());
        };
        let rows = sheet::load_if_there(path)?;
        let is_stray = |row: &&Row| !suite.tasks.iter().any(|task| row.is_about(task));
        match rows.iter().find(is_stray) {
            Some(row) => Err(Failure::input(
                format!(
                    "`{}` has answers that are none of this suite, such as `{}` for {}",
                    path.display(),
                    row.cell("game"),
                    row.cell("role")
                ),
                "name another file; these would be lost",
            )),
            None => Ok(rows),
        }
    }

    fn share(&self, sharing: Sharing) -> Share {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let jobs = match sharing {
            Sharing::Shared => self.jobs.map_or(cores, usize::from),
            Sharing::Alone => 1,
        };
        Share {
            jobs,
            threads: self.threads.map_or((cores / jobs).max(1), usize::from),
            memory: self.memory.unwrap_or_else(units::half_of_memory) / jobs,
            spill: self.spill.clone(),
            timeout: self.timeout,
            engine: self.engine.name().to_string(),
        }
    }

    /// Whether a row of an earlier run answers the question as it would be answered now.
    fn accepts(&self, row: &Row, task: &Task, sha256: &str) -> bool {
        let engine = task.engine(self.engine.name());
        let same_engine = engine == "auto" || row.cell("engine") == engine;
        let same_threads = self
            .threads
            .is_none_or(|threads| row.cell("threads") == threads.to_string());
        row.is_about(task)
            && row.is_final()
            && row.cell("game_sha256") == sha256
            && row.cell("emm_version") == version()
            && same_engine
            && same_threads
    }
}

/// The rows that are there so far, and where they go.
struct Table<'a> {
    args: &'a TableArgs,
    suite: &'a Suite,
    context: &'a Context,
    /// One place for each question.
    rows: Mutex<Vec<Option<Row>>>,
}

impl<'a> Table<'a> {
    fn new(args: &'a TableArgs, suite: &'a Suite, context: &'a Context) -> Table<'a> {
        Table {
            args,
            suite,
            context,
            rows: Mutex::new(vec![None; suite.tasks.len()]),
        }
    }

    /// Takes over rows of an earlier run, and gives the batches that are still open.
    fn keep(&mut self, batches: Vec<Batch>, kept: &[Row]) -> Vec<Batch> {
        let mut open = Vec::new();
        for batch in batches {
            let find = |task: &Task| {
                let mut found = kept
                    .iter()
                    .filter(|row| self.args.accepts(row, task, &batch.sha256));
                found.next().cloned()
            };
            match batch.tasks.iter().map(find).collect::<Option<Vec<Row>>>() {
                Some(rows) => self.put(&batch, rows),
                None => open.push(batch),
            }
        }
        open
    }

    fn put(&self, batch: &Batch, found: Vec<Row>) {
        let mut rows = self.rows();
        for (&place, row) in batch.places.iter().zip(found) {
            rows[place] = Some(row);
        }
    }

    fn rows(&self) -> MutexGuard<'_, Vec<Option<Row>>> {
        self.rows.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn answered(&self) -> usize {
        self.rows().iter().flatten().count()
    }

    /// Answers batches; gives back those whose share of the memory was too small, if more can be had.
    fn answer(
        &self,
        batches: Vec<Batch>,
        share: &Share,
        stop: &AtomicBool,
        board: &Board,
    ) -> Result<Vec<Batch>, Failure> {
        let trouble = OnceLock::new();
        let (sender, again) = channel();
        work::run(batches, share, stop, board, |done| {
            if share.jobs > 1 && needs_more_memory(&done, share) {
                // The receiver stands below: it is there.
                return sender.send(done.batch).map_err(drop);
            }
            self.tell(&done, board);
            self.put(&done.batch, done.rows);
            // The first failure to write ends the run; later ones are the same.
            self.save().map_err(|failure| drop(trouble.set(failure)))
        });
        drop(sender);
        match trouble.into_inner() {
            Some(failure) => Err(failure),
            None => Ok(again.into_iter().collect()),
        }
    }

    fn tell(&self, done: &Done, board: &Board) {
        board.count(done.rows.len());
        if !done.said.is_empty() {
            board.say(self.context, &done.said);
        }
        for row in &done.rows {
            let seconds = row.cell("walltime_s");
            self.context.note(format_args!(
                "{}: {}: {} after {seconds} s",
                row.cell("game"),
                row.cell("role"),
                row.cell("status")
            ));
        }
    }

    /// Writes the rows to the file that was asked for.
    fn save(&self) -> Result<(), Failure> {
        match self.args.csv_file() {
            Some(path) => sheet::save(path, self.rows().iter().flatten()),
            None => Ok(()),
        }
    }

    /// Writes all that was asked for, and says how it went.
    fn finish(self) -> Result<Exit, Failure> {
        self.save()?;
        let rows = self.rows();
        let markdown = markdown::table(self.suite, &rows);
        if let Some(path) = self.args.markdown_file() {
            output::to_file(path, |out| out.write_all(markdown.as_bytes()))
                .map_err(|error| output::unwritable(path, &error))?;
        }
        match self.args.printed() {
            Some(SheetFormat::Csv) => output::print(|out| sheet::write(rows.iter().flatten(), out))?,
            Some(SheetFormat::Markdown) => output::print(|out| out.write_all(markdown.as_bytes()))?,
            None => {}
        }
        let missing = rows.iter().filter(|row| row.is_none()).count();
        if missing > 0 {
            let advice = match self.args.csv_file() {
                Some(_) => "; `--resume` goes on",
                None => "",
            };
            self.context.say(&format!(
                "interrupted: {missing} of {} questions are not answered{advice}",
                rows.len()
            ));
        }
        Ok(rows.iter().map(exit).fold(Exit::Answered, Exit::worse))
    }
}

/// Whether a limit was reached that is not that of the time.
fn needs_more_memory(done: &Done, share: &Share) -> bool {
    let is_early = share.timeout.is_none_or(|timeout| done.elapsed < timeout);
    is_early && done.rows.iter().any(|row| row.cell("status") == "bounded")
}

fn exit(row: &Option<Row>) -> Exit {
    match row.as_ref().map_or("", |row| row.cell("status")) {
        "solved" | "enclosed" => Exit::Answered,
        "" | "bounded" => Exit::LimitReached,
        _ => Exit::InputError,
    }
}
