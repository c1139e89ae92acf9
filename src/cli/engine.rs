//! GAME → an engine that can play it.

use super::context::Context;
use super::exit::{Exit, Failure};
use super::load::{GameArgs, Loaded, RuleLimit};
use super::patience::{Stage, patiently};
use super::units;
use clap::{Args, ValueEnum};
use emm::game::GameError;
use emm::ground::{GroundProgram, Limits};
use emm::machine::Machine;
use emm::propnet::{self, BuildError, Propnet};
use emm::reference::{Reference, ReferenceGame};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// Who says what the rules of a game mean.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum EngineName {
    /// The compiled machine.
    Machine,
    /// The reference reasoner: slow, and simple enough to be trusted.
    Reference,
}

impl EngineName {
    /// As on the command line.
    pub fn name(self) -> &'static str {
        match self {
            EngineName::Machine => "machine",
            EngineName::Reference => "reference",
        }
    }
}

#[derive(Args)]
pub struct EngineArgs {
    #[command(flatten)]
    pub game: GameArgs,
    #[command(flatten)]
    rules: RuleLimit,
    /// Stop after this time, such as `90s`, `2m` or `1h30m` [default: never]
    #[arg(long, value_name = "DURATION", value_parser = units::duration)]
    timeout: Option<Duration>,
}

impl EngineArgs {
    /// Starts the clock.
    pub fn limits(&self) -> Limits {
        self.rules.within(self.timeout)
    }

    /// The machine of the game; reports, and fails if there is none.
    pub fn machine(&self, limits: &Limits, context: &Context) -> Result<Compiled, Failure> {
        let (game, syntax, limits) = (self.game.game.clone(), self.game.syntax, limits.clone());
        let deadline = limits.deadline;
        let work = move |stage: &Stage| {
            stage.enter("grounding");
            let mut loaded = Loaded::parse(&game, syntax).ground(&limits);
            let grounded = loaded.grounded.take().filter(|_| !loaded.has_error());
            let machine = grounded.map(|grounded| {
                let machine = compile(&mut loaded, &grounded.program, deadline, stage);
                (machine, grounded.program.rules().len())
            });
            (loaded, machine)
        };
        let (loaded, machine) = patiently(work, deadline, &AtomicBool::new(false))?;
        loaded.report(context)?;
        let (machine, ground_rules) = machine.ok_or(Failure::Reported(Exit::InputError))?;
        Ok(Compiled {
            ground_rules,
            machine: machine.map_err(network_failure)?,
            name: loaded.source.name().to_string(),
            times: loaded.times,
        })
    }

    /// The reference reasoner of the game; reports, and fails if there is none.
    pub fn reference(&self, limits: &Limits, context: &Context) -> Result<(ReferenceGame, String), Failure> {
        let (game, syntax) = (self.game.game.clone(), self.game.syntax);
        let work = move |stage: &Stage| {
            let loaded = Loaded::parse(&game, syntax).check();
            stage.enter("preparing the reference reasoner");
            let reference = loaded
                .program
                .as_ref()
                .filter(|_| !loaded.has_error())
                .map(Reference::new);
            (loaded, reference)
        };
        let (loaded, reference) = patiently(work, limits.deadline, &AtomicBool::new(false))?;
        loaded.report(context)?;
        let reference = reference.ok_or(Failure::Reported(Exit::InputError))?;
        let reference = reference.map_err(|error| Failure::input(error.to_string(), ""))?;
        Ok((ReferenceGame::new(reference), loaded.source.name().to_string()))
    }
}

/// The last two stages.
fn compile(
    loaded: &mut Loaded,
    program: &GroundProgram,
    deadline: Option<Instant>,
    stage: &Stage,
) -> Result<Machine, BuildError> {
    stage.enter("building the network");
    let limits = propnet::Limits::until(deadline);
    let (net, reduction) = loaded.timed("build", |_| Propnet::build_within(program, &limits))?;
    stage.enter("compiling the machine");
    Ok(loaded.timed("compile", |_| Machine::new(net, reduction)))
}

fn network_failure(error: BuildError) -> Failure {
    let help = match error.limit {
        propnet::Limit::Gates => "`--engine reference`, where a command has it, needs no network",
        propnet::Limit::Time => "raise `--timeout`",
    };
    Failure::limit(error.to_string(), help)
}

/// A machine and how it came about.
pub struct Compiled {
    pub machine: Machine,
    /// The name of the game.
    pub name: String,
    /// How many rules it has without variables.
    pub ground_rules: usize,
    /// What each stage took, in order.
    pub times: Vec<(&'static str, Duration)>,
}

/// The engine could not answer.
pub fn failed(error: GameError) -> Failure {
    Failure::input(error.to_string(), "")
}
