//! GAME → an engine that can play it.

use super::context::Context;
use super::exit::{Exit, Failure};
use super::load::{GameArgs, Loaded};
use super::units;
use clap::{Args, ValueEnum};
use emm::game::GameError;
use emm::ground::{Grounded, Limits};
use emm::machine::Machine;
use emm::program::Program;
use emm::propnet::Propnet;
use emm::reference::{Reference, ReferenceGame};
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
    /// Stop grounding at so many ground rules and atoms; `500k` and `20M` are numbers too
    #[arg(long, value_name = "N", default_value = "20M", value_parser = units::count)]
    max_rules: usize,
    /// Stop after this time, such as `90s`, `2m` or `1h30m` [default: never]
    #[arg(long, value_name = "DURATION", value_parser = units::duration)]
    timeout: Option<Duration>,
}

impl EngineArgs {
    /// Starts the clock.
    pub fn limits(&self) -> Limits {
        Limits {
            max_rules: self.max_rules,
            deadline: self
                .timeout
                .and_then(|timeout| Instant::now().checked_add(timeout)),
            ..Limits::default()
        }
    }

    /// The machine of the game; reports, and fails if there is none.
    pub fn machine(&self, limits: &Limits, context: &Context) -> Result<Compiled, Failure> {
        let loaded = Loaded::parse(&self.game.game, self.game.syntax).ground(limits);
        loaded.report(context)?;
        let grounded: Grounded = loaded.grounded.ok_or(Failure::Reported(Exit::InputError))?;
        let mut times = loaded.times;
        let start = Instant::now();
        let (net, reduction) = Propnet::build(&grounded.program).map_err(|error| Failure::Message {
            exit: Exit::LimitReached,
            message: error.to_string(),
            help: "`--engine reference`, where a command has it, needs no network".to_string(),
        })?;
        times.push(("build", start.elapsed()));
        let start = Instant::now();
        let machine = Machine::new(net, reduction);
        times.push(("compile", start.elapsed()));
        for (stage, time) in times.iter().rev().take(2).rev() {
            context.note(format_args!("{stage}: {}", units::show_duration(*time)));
        }
        Ok(Compiled {
            machine,
            name: loaded.source.name().to_string(),
            times,
        })
    }

    /// The reference reasoner of the game; reports, and fails if there is none.
    pub fn reference(&self, context: &Context) -> Result<(ReferenceGame, String), Failure> {
        let loaded = Loaded::parse(&self.game.game, self.game.syntax).check();
        loaded.report(context)?;
        let program: Program = loaded.program.ok_or(Failure::Reported(Exit::InputError))?;
        let reference = Reference::new(&program).map_err(|error| Failure::input(error.to_string(), ""))?;
        Ok((ReferenceGame::new(reference), loaded.source.name().to_string()))
    }
}

/// A machine and how it came about.
pub struct Compiled {
    pub machine: Machine,
    /// The name of the game.
    pub name: String,
    /// What each stage took, in order.
    pub times: Vec<(&'static str, Duration)>,
}

/// The engine could not answer.
pub fn failed(error: GameError) -> Failure {
    Failure::input(error.to_string(), "")
}
