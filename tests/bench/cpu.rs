//! CPU time of other programs.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// CPU seconds that one run may take.
pub const PATIENCE: u64 = 120;

/// Clock ticks per second in `/proc`; Linux has told user space 100 on every common platform.
const TICKS: f64 = 100.0;

/// The CPU time of a program that runs in a folder, and how it ended; `None` if it cannot be run, crashes or
/// needs too much. What it prints is caught unless `stdout` says otherwise.
pub fn cpu_seconds(program: &OsStr, args: &[&OsStr], folder: &Path, stdout: Stdio) -> Option<(f64, Output)> {
    let before = children_seconds()?;
    let output = Command::new("sh")
        .args(["-c", &format!("ulimit -t {PATIENCE} && exec \"$@\""), "sh"])
        .arg(program)
        .args(args)
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(stdout)
        .stderr(Stdio::null())
        .output()
        .ok()?;
    let seconds = children_seconds()? - before;
    output.status.code().is_some().then_some((seconds, output))
}

/// User and system time of the children that have ended.
fn children_seconds() -> Option<f64> {
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    // After the name, which may contain anything, fields count from 3; the times are fields 16 and 17.
    let (_, fields) = stat.rsplit_once(')')?;
    let mut fields = fields.split_whitespace().skip(16 - 3);
    let (user, system): (f64, f64) = (fields.next()?.parse().ok()?, fields.next()?.parse().ok()?);
    Some((user + system) / TICKS)
}

/// The geometric mean.
pub fn mean(ratios: &[f64]) -> f64 {
    (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len() as f64).exp()
}

/// A time as a cell of a table.
pub fn cell(seconds: Option<f64>) -> String {
    seconds.map_or_else(|| format!("> {PATIENCE} s"), |seconds| format!("{seconds:.2}"))
}
