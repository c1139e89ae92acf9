//! `emm schema`: what `--format json` means, for programs.

use super::Context;
use super::exit::{Exit, Failure};
use super::output::OutputArgs;
use clap::Args;

/// Print the JSON Schema of what `emm solve --format json` writes
#[derive(Args)]
#[command(after_help = "\
Examples:
  emm schema --output emm.schema.json

Fields may be added within a version of the format; none is removed or changes its meaning.")]
pub struct SchemaArgs {
    #[command(flatten)]
    output: OutputArgs,
}

pub fn run(args: &SchemaArgs, _context: &Context) -> Result<Exit, Failure> {
    args.output
        .write(|out| out.write_all(emm::report::JSON_SCHEMA.as_bytes()))?;
    Ok(Exit::Answered)
}
