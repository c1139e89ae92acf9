//! What all commands share, and the list of them.
//!
//! A command is a file with an `Args` struct and a function `run`: it loads games through [`load`], writes
//! its answer through [`output`] and whatever else there is to say to standard error through [`Context`].
//! Standard output carries the answer and nothing else.

pub mod completions;
pub mod context;
pub mod engine;
pub mod exit;
pub mod fmt;
pub mod games;
pub mod generate;
pub mod ground;
pub mod load;
pub mod lookup;
pub mod man;
pub mod output;
pub mod perft;
pub mod report;
pub mod show;
pub mod simulate;
pub mod solve;
pub mod suggest;
pub mod table;
pub mod units;
pub mod validate;

pub use context::{Context, GlobalArgs};

use clap::{Parser, Subcommand, ValueEnum};

const EXIT_CODES: &str = "\
Exit codes:
  0  answered
  1  error in the input: a game that cannot be found, read or used, or a question without answer
  2  usage: a wrong option or value
  3  a limit (time, memory, size, Ctrl-C) was reached
  4  a cross-check disagreed

GAME is a path, `-` for standard input, or the name of a bundled game with or without `.gdl`
(`emm games` lists them). A file wins over a bundled game of the same name.";

/// Exact values of stochastic games written in the Game Description Language (GDL)
#[derive(Parser)]
#[command(name = "emm", version = version(), max_term_width = 100, after_help = EXIT_CODES)]
#[command(
    disable_help_subcommand = true,
    subcommand_required = true,
    arg_required_else_help = true
)]
pub struct Cli {
    #[command(flatten)]
    pub global: GlobalArgs,
    #[command(subcommand)]
    pub command: Command,
}

/// The version, with the commit if the build was told of it in the environment variable `EMM_COMMIT`.
pub fn version() -> String {
    let version = env!("CARGO_PKG_VERSION");
    match option_env!("EMM_COMMIT") {
        Some(commit) => format!("{version} ({commit})"),
        None => version.to_string(),
    }
}

#[derive(Subcommand)]
pub enum Command {
    Solve(solve::SolveArgs),
    Validate(validate::ValidateArgs),
    Fmt(fmt::FmtArgs),
    Ground(ground::GroundArgs),
    Show(show::ShowArgs),
    Perft(perft::PerftArgs),
    Simulate(simulate::SimulateArgs),
    Games(games::GamesArgs),
    Generate(generate::GenerateArgs),
    Completions(completions::CompletionsArgs),
    Man(man::ManArgs),
}

/// How an answer is written.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people.
    Text,
    /// For machines.
    Json,
}

/// How an answer that is a table is written.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum TableFormat {
    /// For people.
    Text,
    /// For machines.
    Json,
    /// For spreadsheets and plots.
    Csv,
}
