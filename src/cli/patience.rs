//! Work that may take longer than the user wants to wait.
//!
//! Not every stage looks at the clock, so the work is done by a thread of its own, which is left behind
//! when a limit is reached.

use super::exit::Failure;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The stack of the thread that works.
const STACK: usize = 64 << 20;
/// How often the stop flag is looked at.
const TICK: Duration = Duration::from_millis(20);
/// How long a stage that looks at the clock itself may take to say what it was at.
const GRACE: Duration = Duration::from_secs(1);

/// What the work is at.
#[derive(Clone)]
pub struct Stage(Arc<Mutex<&'static str>>);

impl Stage {
    fn new() -> Stage {
        Stage(Arc::new(Mutex::new("starting")))
    }

    /// From now on the work is at this: "reading the game".
    pub fn enter(&self, name: &'static str) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = name;
    }

    fn name(&self) -> &'static str {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The work was left behind.
pub struct LeftBehind {
    /// What it was at.
    stage: &'static str,
}

impl LeftBehind {
    /// A sentence about it.
    pub fn message(&self) -> String {
        format!("the time limit was reached in {}", self.stage)
    }
}

impl From<LeftBehind> for Failure {
    fn from(left: LeftBehind) -> Failure {
        Failure::limit(left.message(), "raise `--timeout`")
    }
}

/// What `work` gives, unless the deadline comes or the flag is raised before.
pub fn patiently<T: Send + 'static>(
    work: impl FnOnce(&Stage) -> T + Send + 'static,
    deadline: Option<Instant>,
    stop: &AtomicBool,
) -> Result<T, LeftBehind> {
    let (sender, receiver) = channel();
    let stage = Stage::new();
    let theirs = stage.clone();
    let left_behind = || LeftBehind { stage: stage.name() };
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(move || {
        // If nobody waits any more, the result is of no use.
        let _ = sender.send(work(&theirs));
    });
    let thread = thread.map_err(|_| left_behind())?;
    loop {
        match receiver.recv_timeout(TICK) {
            Ok(result) => return Ok(result),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => match thread.join() {
                Ok(()) => return Err(left_behind()),
                Err(panic) => std::panic::resume_unwind(panic),
            },
        }
        let is_late =
            deadline.is_some_and(|deadline| Instant::now().saturating_duration_since(deadline) >= GRACE);
        if is_late || stop.load(Ordering::Relaxed) {
            return Err(left_behind());
        }
    }
}
