//! `emm completions`: the command line's grammar for shells.

use super::exit::{Exit, Failure};
use super::{Context, command, output};
use clap::Args;
use clap_complete::Shell;

/// Print a completion script for a shell
#[derive(Args)]
#[command(after_help = "\
Examples:
  emm completions bash > ~/.local/share/bash-completion/completions/emm
  emm completions fish > ~/.config/fish/completions/emm.fish")]
pub struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

pub fn run(args: &CompletionsArgs, _context: &Context) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command(), "emm", &mut script);
    output::print(|out| out.write_all(&script))?;
    Ok(Exit::Answered)
}
