//! Runs of `emm solve`, each in a process of its own, several at a time.
//!
//! So the CPU time of a row is that of its game alone, and a game that the operating system ends for want of
//! memory costs one row and not the table.

use super::batch::Batch;
use super::sheet::{self, Row};
use crate::cli::{Context, units};
use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::collections::VecDeque;
use std::io::{self, Read, Seek, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How often a child is looked at.
const TICK: Duration = Duration::from_millis(10);
/// Time for a Ctrl-C that ended a child to be noticed here as well.
const GRACE: Duration = Duration::from_millis(100);

/// What each run may use.
#[derive(Clone, Debug)]
pub struct Share {
    pub jobs: usize,
    pub threads: usize,
    /// Bytes of tables.
    pub memory: usize,
    /// Where layers go that do not fit into it.
    pub spill: Option<PathBuf>,
    pub timeout: Option<Duration>,
    /// The engine's name for `emm solve`.
    pub engine: String,
}

/// How a batch ended, if it was not interrupted.
pub struct Done {
    pub batch: Batch,
    pub rows: Vec<Row>,
    /// What the solver said besides.
    pub said: String,
    /// On the clock, for all its questions together.
    pub elapsed: Duration,
}

/// Lines of progress: one for the whole, one for each run.
pub struct Board {
    lines: MultiProgress,
    overall: ProgressBar,
}

impl Board {
    /// A board for so many questions; invisible unless standard error is a terminal.
    pub fn new(questions: usize, done: usize, context: &Context) -> Board {
        let lines = MultiProgress::new();
        if context.is_quiet() {
            lines.set_draw_target(ProgressDrawTarget::hidden());
        }
        let overall = lines.add(ProgressBar::new(questions as u64));
        if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos} of {len} questions [{elapsed}]") {
            overall.set_style(style);
        }
        overall.set_position(done as u64);
        Board { lines, overall }
    }

    /// Counts answered questions.
    pub fn count(&self, questions: usize) {
        self.overall.inc(questions as u64);
    }

    /// Says something between the lines.
    pub fn say(&self, context: &Context, text: &str) {
        self.lines.suspend(|| context.say(text));
    }

    fn line(&self) -> ProgressBar {
        let line = self.lines.insert_from_back(1, ProgressBar::new_spinner());
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} [{elapsed}]") {
            line.set_style(style);
        }
        line
    }
}

/// Runs all batches, `share.jobs` at a time, and hands over each that is done. Stops early if `finish` says so or
/// `stop` is set.
pub fn run(
    batches: Vec<Batch>,
    share: &Share,
    stop: &AtomicBool,
    board: &Board,
    finish: impl Fn(Done) -> Result<(), ()> + Sync,
) {
    let queue = Mutex::new(VecDeque::from(batches));
    let next = || {
        queue
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
            .pop_front()
    };
    std::thread::scope(|scope| {
        for _ in 0..share.jobs {
            scope.spawn(|| {
                while let Some(batch) = next().filter(|_| !stop.load(Ordering::Relaxed)) {
                    let Some(done) = answer(batch, share, stop, board) else {
                        break;
                    };
                    if finish(done).is_err() {
                        stop.store(true, Ordering::Relaxed);
                    }
                }
            });
        }
    });
}

/// Answers a batch; nothing if it was interrupted.
fn answer(batch: Batch, share: &Share, stop: &AtomicBool, board: &Board) -> Option<Done> {
    let line = board.line();
    let start = Instant::now();
    let outcome = solve(&batch, share, stop, &line);
    line.finish_and_clear();
    let (rows, said) = match outcome {
        Ok(Ended::Interrupted) => return None,
        Ok(Ended::Answered(rows, said)) => (rows, said),
        Ok(Ended::Failed(said)) => (failed(&batch), said),
        Err(error) => (failed(&batch), format!("`emm solve` cannot be run: {error}")),
    };
    Some(Done {
        batch,
        rows,
        said,
        elapsed: start.elapsed(),
    })
}

fn failed(batch: &Batch) -> Vec<Row> {
    batch
        .tasks
        .iter()
        .map(|task| Row::failed(task, &batch.sha256))
        .collect()
}

/// How a run ended.
enum Ended {
    Answered(Vec<Row>, String),
    Failed(String),
    Interrupted,
}

fn solve(batch: &Batch, share: &Share, stop: &AtomicBool, line: &ProgressBar) -> io::Result<Ended> {
    // Files and not pipes: nobody has to read them while the child writes.
    let (mut out, mut err) = (tempfile::tempfile()?, tempfile::tempfile()?);
    let mut command = command(batch, share)?;
    command.stdout(out.try_clone()?).stderr(err.try_clone()?);
    let mut child = command.spawn()?;
    if let (Some(mut stdin), Some(text)) = (child.stdin.take(), &batch.text) {
        stdin.write_all(text.as_bytes())?;
    }
    let code = wait(&mut child, &title(batch), stop, line)?;
    if code != Some(0) {
        std::thread::sleep(GRACE);
    }
    if stop.load(Ordering::Relaxed) {
        return Ok(Ended::Interrupted);
    }
    let said = String::from_utf8_lossy(&contents(&mut err)?)
        .trim_end()
        .to_string();
    let rows = sheet::read_rows(&contents(&mut out)?).unwrap_or_default();
    let name = &batch.tasks[0].game;
    let rows: Vec<Row> = rows.into_iter().map(|row| row.named(name)).collect();
    let pairs = rows.iter().zip(&batch.tasks);
    let is_answer = rows.len() == batch.tasks.len() && pairs.clone().all(|(row, task)| row.is_about(task));
    Ok(match is_answer {
        true => Ended::Answered(rows, said),
        false => Ended::Failed(match code {
            Some(code) => format!(
                "{said}\n{}: `emm solve` ended with exit code {code}",
                title(batch)
            ),
            None => format!("{said}\n{}: `emm solve` was killed", title(batch)),
        }),
    })
}

fn contents(file: &mut std::fs::File) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.rewind()?;
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn command(batch: &Batch, share: &Share) -> io::Result<Command> {
    let task = &batch.tasks[0];
    let mut command = Command::new(std::env::current_exe()?);
    command.arg("solve");
    match &batch.text {
        Some(_) => command.arg("-").stdin(Stdio::piped()),
        None => command.arg(&task.game).stdin(Stdio::null()),
    };
    for task in &batch.tasks {
        command.args(["--role", &task.role]);
    }
    for role in task.random_role.split_whitespace() {
        command.args(["--random", role]);
    }
    if !task.horizon.is_empty() {
        command.args(["--horizon", &task.horizon]);
    }
    command.args([
        "--objective",
        &task.objective,
        "--engine",
        task.engine(&share.engine),
    ]);
    command.args(["--threads", &share.threads.to_string()]);
    command.args(["--memory", &share.memory.to_string()]);
    let may_spill = matches!(task.engine(&share.engine), "auto" | "layered");
    if let Some(folder) = share.spill.as_ref().filter(|_| may_spill) {
        command.arg("--spill").arg(folder);
    }
    if let Some(timeout) = share.timeout {
        command.args(["--timeout", &format!("{}ms", timeout.as_millis())]);
    }
    command.args(["--format", "csv", "--quiet", "--no-progress", "--color", "never"]);
    Ok(command)
}

/// `c4-4x4: x, o moving at random`
fn title(batch: &Batch) -> String {
    let roles: Vec<&str> = batch.tasks.iter().map(|task| task.role.as_str()).collect();
    let task = &batch.tasks[0];
    let random = match task.random_role.as_str() {
        "" => String::new(),
        random => format!(", {random} moving at random"),
    };
    let horizon = match task.horizon.as_str() {
        "" => String::new(),
        horizon => format!(", {horizon} steps"),
    };
    format!("{}: {}{random}{horizon}", task.game, roles.join(" and "))
}

/// Waits for a child, and ends it when the table is to stop; its exit code, unless it was killed.
fn wait(child: &mut Child, title: &str, stop: &AtomicBool, line: &ProgressBar) -> io::Result<Option<i32>> {
    let mut shown = Instant::now();
    line.set_message(title.to_string());
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status.code());
        }
        if stop.load(Ordering::Relaxed) {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        if shown.elapsed() > TICK * 20 {
            shown = Instant::now();
            let memory = resident_bytes(child.id()).map(units::show_bytes);
            line.set_message(format!("{title}, {}", memory.unwrap_or_default()));
            line.tick();
        }
        std::thread::sleep(TICK);
    }
}

/// The memory of a process, where the system tells it.
fn resident_bytes(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kibibytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kibibytes << 10)
}
