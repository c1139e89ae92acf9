//! From a text to a game that can be played, within the limits.

use super::stop_reason;
use crate::cli::Context;
use crate::cli::exit::{Exit, Failure};
use crate::cli::load::{Loaded, SyntaxArgs, sha256};
use crate::cli::patience::{Stage, patiently};
use crate::cli::report;
use cpu_time::ProcessTime;
use emm::ground::{GroundProgram, Limit, Limits};
use emm::machine::Machine;
use emm::program::Program;
use emm::propnet::{self, BuildError, Propnet};
use emm::reference::{Reference, ReferenceError, ReferenceGame};
use emm::report::Spent;
use emm::solve::{Engine, StopReason};
use emm::symmetry::Symmetries;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// What to do if time was short.
const MORE_TIME: &str = "raise `--timeout`";

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
    let roles = loaded.program.as_ref().map_or(&[][..], Program::roles);
    Checked {
        sha256: sha256(loaded.source.text()),
        roles: roles.iter().map(ToString::to_string).collect(),
        loaded,
    }
}

/// Whether symmetries of the game are looked for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum SymmetryWish {
    Used,
    Unused,
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
    symmetry: SymmetryWish,
    limits: &Limits,
    stop: &AtomicBool,
    context: &Context,
) -> Result<Compiled, Failure> {
    let deadline = limits.deadline;
    let limits = limits.clone();
    let work = move |stage: &Stage| {
        stage.enter("grounding");
        let loaded = match engine {
            Engine::Reference => checked.loaded,
            _ => checked.loaded.ground(&limits),
        };
        let game = build(&loaded, engine, symmetry, deadline, stage);
        (loaded, game)
    };
    let (loaded, game) = match patiently(work, deadline, stop) {
        Ok(done) => done,
        Err(left) => {
            let reason = stop_reason(stop);
            if reason == StopReason::Time {
                context.say(&report::stopped(&left.message(), MORE_TIME));
            }
            return Ok(Compiled::Stopped(reason));
        }
    };
    match &loaded.limit {
        Some(reached) => {
            context.say(&report::limit(&loaded.source, reached));
            Ok(Compiled::Stopped(match reached.limit {
                Limit::Time => StopReason::Time,
                Limit::Rules => StopReason::Size,
            }))
        }
        None => {
            loaded.report(context)?;
            match game {
                None => Err(Failure::Reported(Exit::InputError)),
                Some(Err(NoGame::Network(error))) => {
                    let (reason, help) = match error.limit {
                        propnet::Limit::Time => (StopReason::Time, MORE_TIME),
                        propnet::Limit::Gates => (StopReason::Size, "`--engine reference` needs no network"),
                    };
                    context.say(&report::stopped(&error.to_string(), help));
                    Ok(Compiled::Stopped(reason))
                }
                Some(Err(NoGame::Reference(error))) => Err(Failure::input(error.to_string(), "")),
                Some(Ok(game)) => Ok(game),
            }
        }
    }
}

/// Why an engine has no game although the rules are sound.
enum NoGame {
    Network(BuildError),
    Reference(ReferenceError),
}

/// The game, if the stages before left something to build it from.
fn build(
    loaded: &Loaded,
    engine: Engine,
    symmetry: SymmetryWish,
    deadline: Option<Instant>,
    stage: &Stage,
) -> Option<Result<Compiled, NoGame>> {
    match engine {
        Engine::Auto | Engine::Search | Engine::Alphabeta | Engine::Layered | Engine::Sweep => {
            let program = &loaded.grounded.as_ref()?.program;
            let may_use = matches!(engine, Engine::Auto | Engine::Alphabeta | Engine::Layered);
            let symmetry = if may_use { symmetry } else { SymmetryWish::Unused };
            let machine = machine(program, symmetry, deadline, stage);
            Some(
                machine
                    .map(|machine| Compiled::Machine(Box::new(machine)))
                    .map_err(NoGame::Network),
            )
        }
        Engine::Reference => {
            stage.enter("preparing the reference reasoner");
            let reference = Reference::new(loaded.program.as_ref()?);
            let game =
                reference.map(|reference| Compiled::Reference(Box::new(ReferenceGame::new(reference))));
            Some(game.map_err(NoGame::Reference))
        }
    }
}

fn machine(
    program: &GroundProgram,
    symmetry: SymmetryWish,
    deadline: Option<Instant>,
    stage: &Stage,
) -> Result<Machine, BuildError> {
    stage.enter("building the network");
    let (net, reduction) = Propnet::build_within(program, &propnet::Limits::until(deadline))?;
    stage.enter("looking for symmetries");
    let symmetries =
        (symmetry == SymmetryWish::Used).then(|| Symmetries::find(program, &net, &Default::default()));
    stage.enter("compiling the machine");
    let machine = Machine::new(net, reduction);
    Ok(match symmetries {
        Some(symmetries) => machine.with_symmetries(&symmetries),
        None => machine,
    })
}
