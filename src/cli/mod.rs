//! What all commands share, and the list of them.
//!
//! A command is a file with an `Args` struct and a function `run`: it loads games through [`load`], writes
//! its answer through [`output`] and whatever else there is to say to standard error through [`Context`].
//! Standard output carries the answer and nothing else.

pub mod completions;
pub mod context;
pub mod crosscheck;
pub mod encode;
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
pub mod patience;
pub mod perft;
pub mod plot;
pub mod report;
pub mod roles;
pub mod schema;
pub mod show;
pub mod simulate;
pub mod solve;
pub mod ssat;
pub mod suggest;
pub mod table;
pub mod tabulate;
pub mod units;
pub mod validate;

pub use context::{Context, GlobalArgs};

use clap::{ColorChoice, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use std::ffi::OsString;

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
#[command(name = "emm", version = version(), long_version = long_version(), max_term_width = 100, after_help = EXIT_CODES)]
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

impl Cli {
    /// What the user wants; or the help, or a complaint, and the end of the program.
    pub fn read() -> Cli {
        let command = command().color(color(std::env::args_os()));
        Cli::from_arg_matches(&command.get_matches()).unwrap_or_else(|error| error.exit())
    }
}

/// What `--color` says, for help and complaints, which come before the command line is understood.
fn color(arguments: impl Iterator<Item = OsString>) -> ColorChoice {
    let arguments: Vec<String> = arguments
        .map(|argument| argument.to_string_lossy().into_owned())
        .collect();
    let wish = arguments
        .iter()
        .enumerate()
        .find_map(|(at, argument)| match argument.as_str() {
            "--color" => arguments.get(at + 1).map(String::as_str),
            other => other.strip_prefix("--color="),
        });
    match wish {
        Some("always") => ColorChoice::Always,
        Some("never") => ColorChoice::Never,
        _ => ColorChoice::Auto,
    }
}

/// The command line. The texts after the options are wrapped at the width of the terminal, like all others, and `-1` after
/// an option is its value, to be refused with the reason.
pub fn command() -> clap::Command {
    adapted(Cli::command())
}

fn adapted(command: clap::Command) -> clap::Command {
    let help = command.get_after_help().map(|help| paragraphs(&help.to_string()));
    match help {
        Some(help) => command.after_help(help),
        None => command,
    }
    .mut_args(
        |arg| match arg.is_positional() || !arg.get_action().takes_values() {
            true => arg,
            false => arg.allow_negative_numbers(true),
        },
    )
    .mut_subcommands(adapted)
}

/// Joins the lines of every paragraph. Indented lines stay as they are.
fn paragraphs(text: &str) -> String {
    let is_prose = |line: &str| !line.is_empty() && !line.starts_with(' ') && !line.ends_with(':');
    let mut joined = String::new();
    let mut last = "";
    for line in text.lines() {
        let goes_on = is_prose(last) && !line.is_empty() && !line.starts_with(' ');
        joined.push_str(match (joined.is_empty(), goes_on) {
            (true, _) => "",
            (false, true) => " ",
            (false, false) => "\n",
        });
        joined.push_str(line);
        last = line;
    }
    joined
}

/// The version, with the commit if the build knew it: from git, or from the environment variable `EMM_COMMIT`.
pub fn version() -> String {
    let version = env!("CARGO_PKG_VERSION");
    match option_env!("EMM_COMMIT") {
        Some(commit) => format!("{version} ({commit})"),
        None => version.to_string(),
    }
}

/// The version, and how the program was built.
fn long_version() -> String {
    format!(
        "{}\ntarget {}, profile {}, vectors of this processor: {}",
        version(),
        env!("EMM_TARGET"),
        env!("EMM_PROFILE"),
        emm::machine::vectors(),
    )
}

#[derive(Subcommand)]
pub enum Command {
    Solve(solve::SolveArgs),
    Validate(validate::ValidateArgs),
    Fmt(fmt::FmtArgs),
    Ground(ground::GroundArgs),
    Encode(encode::EncodeArgs),
    Show(show::ShowArgs),
    Perft(perft::PerftArgs),
    Simulate(simulate::SimulateArgs),
    Table(tabulate::TableArgs),
    Plot(plot::PlotArgs),
    Ssat(ssat::SsatArgs),
    Crosscheck(crosscheck::CrosscheckArgs),
    Games(games::GamesArgs),
    Generate(generate::GenerateArgs),
    Schema(schema::SchemaArgs),
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
