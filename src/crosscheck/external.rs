//! Other programs: found on the path, called in a temporary folder, within limits, read strictly.

use super::internal::formula;
use super::{Case, Finding, Found, Limits, Method, Subject};
use crate::cnf::Cnf;
use crate::cnf::dimacs::{self, Dialect};
use crate::encode::Prefix;
use crate::fraction::Fraction;
use std::fs::File;
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How often a program is looked after.
const TICK: Duration = Duration::from_millis(5);
/// Bytes of a program's output that are read.
const MOST_OUTPUT: u64 = 1 << 30;
/// SharpSSAT computes in 32-bit floating point and prints 7 digits.
const SHARPSSAT_ERROR: f64 = 1e-6;

/// The file of a program on the path.
pub fn find_program(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let file = std::env::split_paths(&path)
        .map(|folder| folder.join(name))
        .find(|file| file.is_file())?;
    // Programs run in a folder of their own.
    std::path::absolute(file).ok()
}

/// What a program printed, and its exit code.
pub(super) struct Ran {
    pub(super) code: Option<i32>,
    pub(super) output: String,
    pub(super) errors: String,
}

/// Runs a program in a folder; nothing but a reason if it cannot be run or takes too long.
pub(super) fn run(
    program: &Path,
    arguments: &[String],
    folder: &Path,
    limits: &Limits,
) -> Result<Ran, String> {
    let (output, errors) = (folder.join("output"), folder.join("errors"));
    let file = |path: &Path| File::create(path).map_err(|error| error.to_string());
    // The shell sets the limit of memory, in kibibytes, and becomes the program.
    let mut child = Command::new("sh")
        .args(["-c", "ulimit -v \"$0\"; exec \"$@\""])
        .arg((limits.memory / 1024).to_string())
        .arg(program)
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(file(&output)?)
        .stderr(file(&errors)?)
        .spawn()
        .map_err(|error| format!("`{}` cannot be run: {error}", program.display()))?;
    let deadline = Instant::now() + limits.time;
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break status,
            Ok(None) if Instant::now() < deadline && !limits.is_stopped() => std::thread::sleep(TICK),
            Ok(None) => {
                // It is our own child, so only a child that has just ended can be missed.
                let _ = child.kill();
                let _ = child.wait();
                return Err(match limits.is_stopped() {
                    true => "interrupted".to_string(),
                    false => format!("no answer within {} s", limits.time.as_secs_f64()),
                });
            }
            Err(error) => return Err(error.to_string()),
        }
    };
    Ok(Ran {
        code: status.code(),
        output: read(&output)?,
        errors: read(&errors)?,
    })
}

fn read(path: &Path) -> Result<String, String> {
    let mut text = Vec::new();
    let file = File::open(path).map_err(|error| error.to_string())?;
    file.take(MOST_OUTPUT)
        .read_to_end(&mut text)
        .map_err(|error| error.to_string())?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}

/// Runs `find` with a temporary folder and takes the time.
pub(super) fn in_folder(method: String, find: impl FnOnce(&Path) -> Result<Answer, String>) -> Finding {
    let start = Instant::now();
    let folder = tempfile::tempdir().map_err(|error| format!("no temporary folder: {error}"));
    let answer = folder.and_then(|folder| find(folder.path()));
    let (found, size) = match answer {
        Ok(answer) => (answer.found, answer.size),
        Err(reason) => (Found::Nothing(reason), None),
    };
    Finding {
        method,
        found,
        size,
        time: start.elapsed(),
    }
}

/// What was found, and the size of the formula.
pub(super) struct Answer {
    pub(super) found: Found,
    pub(super) size: Option<(usize, usize)>,
}

/// SharpSSAT on the formula with one of the prefixes.
pub struct SharpSsat {
    /// Where it is.
    pub program: PathBuf,
    /// The prefix.
    pub prefix: Prefix,
}

impl Method for SharpSsat {
    fn name(&self) -> String {
        match self.prefix {
            Prefix::Base => "SharpSSAT Q_b".to_string(),
            Prefix::Dependency => "SharpSSAT Q_d".to_string(),
        }
    }

    fn find(&self, subject: &Subject, case: &Case, limits: &Limits) -> Finding {
        in_folder(self.name(), |folder| {
            let (cnf, file) = written(subject, case, self.prefix, Dialect::Sdimacs, folder)?;
            let ask = |options: &[&str]| {
                let megabytes = (limits.memory >> 20).to_string();
                let arguments = options.iter().copied().chain(["-cs", &megabytes, &file]);
                let arguments: Vec<String> = arguments.map(String::from).collect();
                run(&self.program, &arguments, folder, limits)
            };
            // Universal blocks need `-u`, with which it crashes on some formulas that are false. Then a run
            // without tells whether the value is 0, and nothing else.
            let answer = sharpssat_answer(&ask(&["-s", "-u"])?);
            let answer = answer.or_else(|reason| match sharpssat_answer(&ask(&["-s"])?) {
                Ok(0.0) => Ok(0.0),
                _ => Err(reason),
            })?;
            Ok(Answer {
                found: Found::Near(answer, SHARPSSAT_ERROR),
                size: Some((cnf.variables, cnf.clauses.len())),
            })
        })
    }
}

/// The number in the one line that has it.
fn sharpssat_answer(ran: &Ran) -> Result<f64, String> {
    if ran.code.is_none() {
        return Err("SharpSSAT crashed".to_string());
    }
    let lines = ran
        .output
        .lines()
        .filter_map(|line| line.strip_prefix("# satisfying probability = "));
    let mut answers = lines.map(|number| number.trim().parse::<f64>());
    match (answers.next(), answers.next()) {
        (Some(Ok(answer)), None) if (0.0..=1.0 + SHARPSSAT_ERROR).contains(&answer) => Ok(answer),
        _ => Err(format!("no answer (exit code {})", ran.code.unwrap_or_default())),
    }
}

/// DepQBF on the formula, for games without chance.
pub struct DepQbf {
    /// Where it is.
    pub program: PathBuf,
}

impl Method for DepQbf {
    fn name(&self) -> String {
        "DepQBF".to_string()
    }

    fn find(&self, subject: &Subject, case: &Case, limits: &Limits) -> Finding {
        in_folder(self.name(), |folder| {
            if !case.random.is_empty() {
                return Err("the game has chance".to_string());
            }
            let (cnf, file) = written(subject, case, Prefix::Dependency, Dialect::Qdimacs, folder)?;
            let ran = run(&self.program, &[file], folder, limits)?;
            let value = match (ran.code, ran.output.trim()) {
                (Some(10), "SAT") => 1,
                (Some(20), "UNSAT") => 0,
                (code, _) => return Err(format!("no answer (exit code {code:?})")),
            };
            Ok(Answer {
                found: Found::Exact(Fraction::whole(value)),
                size: Some((cnf.variables, cnf.clauses.len())),
            })
        })
    }
}

/// The formula, and the name of the file that it is in.
fn written(
    subject: &Subject,
    case: &Case,
    prefix: Prefix,
    dialect: Dialect,
    folder: &Path,
) -> Result<(Cnf, String), String> {
    let cnf = formula(subject, case, prefix).map_err(|error| error.to_string())?;
    if cnf.variables == 0 {
        return Err("the formula is decided before any solver sees it".to_string());
    }
    let file = folder.join("formula");
    write_formula(&cnf, dialect, &file).map_err(|error| error.to_string())?;
    Ok((cnf, file.display().to_string()))
}

fn write_formula(cnf: &Cnf, dialect: Dialect, path: &Path) -> io::Result<()> {
    let mut file = BufWriter::new(File::create(path)?);
    dimacs::write(cnf, dialect, [""; 0], &mut file)?;
    file.flush()
}
