//! `emm generate`: games of a family, by parameters.
//!
//! The registry of families makes the command line: every family is a subcommand and every parameter an
//! option of it, so that help, completions and suggestions know them all.

use super::Context;
use super::exit::{Exit, Failure};
use super::output::OutputArgs;
use clap::error::{Error, ErrorKind};
use clap::{Arg, ArgMatches, Args, Command, FromArgMatches};
use emm::generate::{self, Family, Parameter};

const EXAMPLES: &str = "\
Examples:
  emm generate s-nim --n 12 --p 1/3 --output s-nim-12.gdl
  emm generate connect --width 5 --height 4 | emm validate -
  emm generate s-nim --help                          the options of a family";

/// A family and the values that were given for its parameters.
pub struct GenerateArgs {
    family: &'static Family,
    values: Vec<(&'static str, String)>,
    output: OutputArgs,
}

pub fn run(args: &GenerateArgs, _context: &Context) -> Result<Exit, Failure> {
    let given: Vec<(&str, &str)> = args
        .values
        .iter()
        .map(|(name, value)| (*name, value.as_str()))
        .collect();
    let text = args.family.generate(&given).map_err(|error| {
        let help = format!("`emm generate {} --help` explains its options", args.family.name);
        Failure::usage(error.to_string(), help)
    })?;
    args.output.write(|out| out.write_all(text.as_bytes()))?;
    Ok(Exit::Answered)
}

impl Args for GenerateArgs {
    fn augment_args(command: Command) -> Command {
        command
            .about("Write a game of a family, such as stochastic nim with any number of pieces")
            .after_help(EXAMPLES)
            .subcommand_value_name("FAMILY")
            .subcommand_help_heading("Families")
            .subcommand_required(true)
            .arg_required_else_help(true)
            .disable_help_subcommand(true)
            .subcommands(generate::families().iter().map(subcommand))
    }

    fn augment_args_for_update(command: Command) -> Command {
        GenerateArgs::augment_args(command)
    }
}

fn subcommand(family: &Family) -> Command {
    let options = family.parameters.iter().map(option);
    OutputArgs::augment_args(Command::new(family.name).about(family.summary).args(options))
}

fn option(parameter: &Parameter) -> Arg {
    let help = format!("{} [default: {}]", parameter.meaning, parameter.default);
    Arg::new(parameter.name)
        .long(parameter.name)
        .value_name("VALUE")
        .help(help)
}

impl FromArgMatches for GenerateArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<GenerateArgs, Error> {
        let (name, options) = matches
            .subcommand()
            .ok_or_else(|| Error::new(ErrorKind::MissingSubcommand))?;
        let family =
            generate::family(name).map_err(|error| Error::raw(ErrorKind::InvalidSubcommand, error))?;
        let given = |parameter: &Parameter| {
            let value = options.get_one::<String>(parameter.name)?;
            Some((parameter.name, value.clone()))
        };
        Ok(GenerateArgs {
            family,
            values: family.parameters.iter().filter_map(given).collect(),
            output: OutputArgs::from_arg_matches(options)?,
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = GenerateArgs::from_arg_matches(matches)?;
        Ok(())
    }
}
