//! The command line of `emm`: every command is one file of `cli`.
#![deny(missing_docs)]

mod cli;

use cli::{Cli, Command, Context};
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = Cli::read();
    let context = Context::new(&cli.global);
    let outcome = match &cli.command {
        Command::Solve(args) => cli::solve::run(args, &context),
        Command::Validate(args) => cli::validate::run(args, &context),
        Command::Fmt(args) => cli::fmt::run(args, &context),
        Command::Ground(args) => cli::ground::run(args, &context),
        Command::Encode(args) => cli::encode::run(args, &context),
        Command::Show(args) => cli::show::run(args, &context),
        Command::Perft(args) => cli::perft::run(args, &context),
        Command::Simulate(args) => cli::simulate::run(args, &context),
        Command::Table(args) => cli::tabulate::run(args, &context),
        Command::Plot(args) => cli::plot::run(args, &context),
        Command::Crosscheck(args) => cli::crosscheck::run(args, &context),
        Command::Ssat(args) => cli::ssat::run(args, &context),
        Command::Games(args) => cli::games::run(args, &context),
        Command::Generate(args) => cli::generate::run(args, &context),
        Command::Schema(args) => cli::schema::run(args, &context),
        Command::Completions(args) => cli::completions::run(args, &context),
        Command::Man(args) => cli::man::run(args, &context),
    };
    context.exit_code(outcome)
}
