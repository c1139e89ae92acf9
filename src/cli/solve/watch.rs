//! Watching a run from outside: a line of progress on a terminal, and Ctrl-C.

use crate::cli::Context;
use crate::cli::exit::Failure;
use crate::cli::units;
use emm::solve::Progress;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::{self, IsTerminal};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// The exit code of a program that was killed by Ctrl-C.
const KILLED: i32 = 130;
/// How often the line is drawn.
const TICK: Duration = Duration::from_millis(150);

/// A flag that the first Ctrl-C sets; the second one ends the program at once.
pub fn stop_flag() -> Result<Arc<AtomicBool>, Failure> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = stop.clone();
    let handler = move || {
        if flag.swap(true, Ordering::Relaxed) {
            std::process::exit(KILLED);
        }
    };
    match ctrlc::set_handler(handler) {
        Ok(()) => Ok(stop),
        Err(error) => Err(Failure::input(format!("Ctrl-C cannot be caught: {error}"), "")),
    }
}

/// Shows the progress of a run until it is dropped.
pub struct Watch {
    thread: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Watch {
    /// Starts to show a line, made anew again and again from the time that passed, where that is wanted
    /// and can be seen.
    pub fn start(line: impl Fn(Duration) -> String + Send + 'static, context: &Context, wish: Wish) -> Watch {
        if wish == Wish::Hidden || context.is_quiet() || !io::stderr().is_terminal() {
            return Watch { thread: None };
        }
        let (sender, receiver) = channel();
        let thread = std::thread::spawn(move || {
            let bar = ProgressBar::new_spinner();
            if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} [{elapsed}]") {
                bar.set_style(style);
            }
            let start = Instant::now();
            while let Err(RecvTimeoutError::Timeout) = receiver.recv_timeout(TICK) {
                bar.set_message(line(start.elapsed()));
                bar.tick();
            }
            bar.finish_and_clear();
        });
        Watch {
            thread: Some((sender, thread)),
        }
    }
}

/// Whether progress is wanted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Wish {
    Shown,
    Hidden,
}

impl Drop for Watch {
    fn drop(&mut self) {
        if let Some((sender, thread)) = self.thread.take() {
            drop(sender);
            // A line of progress that failed to be drawn is no reason to fail.
            let _ = thread.join();
        }
    }
}

/// How far a search is.
pub fn line(progress: &Progress, elapsed: Duration) -> String {
    let read = |counter: &std::sync::atomic::AtomicU64| counter.load(Ordering::Relaxed);
    let (checked, searched) = (read(&progress.explored), read(&progress.visited));
    let (what, states) = match searched {
        0 => ("checking", checked),
        _ => ("searching", searched),
    };
    let rate = states as f64 / elapsed.as_secs_f64().max(0.001);
    format!(
        "{what}, {states} states, {rate:.0}/s, {:.0} % of the first moves, depth {}, {}",
        100.0 * progress.fraction(),
        read(&progress.depth),
        units::show_bytes(read(&progress.memory_bytes)),
    )
}
