//! `emm man`: the help texts as manual pages.

use super::exit::{Exit, Failure};
use super::{Context, command};
use clap::Args;
use std::fs;
use std::path::PathBuf;

/// Write manual pages, one per command
#[derive(Args)]
#[command(after_help = "\
Examples:
  emm man --output ~/.local/share/man/man1    then: man emm-validate")]
pub struct ManArgs {
    /// The directory to write to; it is made if it is not there
    #[arg(long, short, value_name = "DIR")]
    output: PathBuf,
}

pub fn run(args: &ManArgs, context: &Context) -> Result<Exit, Failure> {
    let pages =
        fs::create_dir_all(&args.output).and_then(|()| clap_mangen::generate_to(command(), &args.output));
    let directory = format!("`{}`", args.output.display());
    pages.map_err(|error| Failure::writing(&directory, &error))?;
    context.note(format_args!("manual pages are in {directory}"));
    Ok(Exit::Answered)
}
