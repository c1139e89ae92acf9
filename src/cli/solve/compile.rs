//! From a text to a game that can be played, within the limits.
//!
//! Not every stage looks at the clock, so the work is done by a thread of its own, which is left behind
//! when a limit is reached.

use super::stop_reason;
use crate::cli::Context;
use crate::cli::exit::{Exit, Failure};
use crate::cli::load::{Loaded, SyntaxArgs};
use crate::cli::report;
use cpu_time::ProcessTime;
use emm::ground::{Limit, Limits};
use emm::machine::Machine;
use emm::program::Program;
use emm::propnet::Propnet;
use emm::reference::{Reference, ReferenceGame};
use emm::report::Spent;
use emm::solve::{Engine, StopReason};
use sha2::{Digest, Sha256};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// When something began.
pub struct Clock {
    pub wall: Instant,
    cpu: ProcessTime,
}

impl Clock {
    pub fn start() -> Clock {
        Clock {
            wall: Instant::now(),
            cpu: ProcessTime::now(),
        }
    }

    /// The time since then.
    pub fn spent(&self) -> Spent {
        Spent {
            cpu: self.cpu.elapsed(),
            wall: self.wall.elapsed(),
        }
    }
}

/// A game that was checked.
pub struct Checked {
    pub loaded: Loaded,
    /// The SHA-256 of the text.
    pub sha256: String,
    /// The names of the roles in order.
    pub roles: Vec<String>,
}

/// Reads, parses and checks a game.
pub fn check(game: &Path, syntax: SyntaxArgs) -> Checked {
    let loaded = Loaded::parse(game, syntax).check();
    let digest = Sha256::digest(loaded.source.text());
    let roles = loaded.program.as_ref().map_or(&[][..], Program::roles);
    Checked {
        sha256: digest.iter().map(|byte| format!("{byte:02x}")).collect(),
        roles: roles.iter().map(ToString::to_string).collect(),
        loaded,
    }
}

/// A game that can be played, or why there is none yet.
pub enum Compiled {
    Machine(Box<Machine>),
    Reference(Box<ReferenceGame>),
    Stopped(StopReason),
}

/// Goes on to a game for the engine; reports what is noticed.
pub fn compile(
    checked: Checked,
    engine: Engine,
    deadline: Option<Instant>,
    stop: &AtomicBool,
    context: &Context,
) -> Result<Compiled, Failure> {
    let limits = Limits {
        deadline,
        ..Limits::default()
    };
    let work = move || {
        let loaded = match engine {
            Engine::Search => checked.loaded.ground(&limits),
            Engine::Reference => checked.loaded,
        };
        let game = build(&loaded, engine);
        (loaded, game)
    };
    let Some((loaded, game)) = patiently(work, deadline, stop) else {
        return Ok(Compiled::Stopped(stop_reason(stop)));
    };
    match &loaded.limit {
        Some(reached) if reached.limit == Limit::Time => {
            context.say(&report::limit(&loaded.source, reached));
            Ok(Compiled::Stopped(StopReason::Time))
        }
        _ => {
            loaded.report(context)?;
            game.unwrap_or(Err(Failure::Reported(Exit::InputError)))
        }
    }
}

/// The game, if the stages before left something to build it from.
fn build(loaded: &Loaded, engine: Engine) -> Option<Result<Compiled, Failure>> {
    match engine {
        Engine::Search => {
            let grounded = loaded.grounded.as_ref()?;
            let built = Propnet::build(&grounded.program);
            Some(match built {
                Ok((net, reduction)) => Ok(Compiled::Machine(Box::new(Machine::new(net, reduction)))),
                Err(error) => Err(Failure::input(error.to_string(), "")),
            })
        }
        Engine::Reference => {
            let reference = Reference::new(loaded.program.as_ref()?);
            Some(match reference {
                Ok(reference) => Ok(Compiled::Reference(Box::new(ReferenceGame::new(reference)))),
                Err(error) => Err(Failure::input(error.to_string(), "")),
            })
        }
    }
}

/// The stack of the thread that compiles.
const STACK: usize = 64 << 20;
/// How often the stop flag is looked at.
const TICK: Duration = Duration::from_millis(20);

/// What `work` gives; nothing if a limit is reached before.
fn patiently<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
    deadline: Option<Instant>,
    stop: &AtomicBool,
) -> Option<T> {
    let (sender, receiver) = channel();
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(move || {
        // If nobody waits any more, the result is of no use.
        let _ = sender.send(work());
    });
    let thread = thread.ok()?;
    loop {
        match receiver.recv_timeout(TICK) {
            Ok(result) => return Some(result),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => match thread.join() {
                Ok(()) => return None,
                Err(panic) => std::panic::resume_unwind(panic),
            },
        }
        let is_late = deadline.is_some_and(|deadline| Instant::now() >= deadline);
        if is_late || stop.load(Ordering::Relaxed) {
            return None;
        }
    }
}
