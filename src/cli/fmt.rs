//! `emm fmt`: a description in its canonical form.

use super::Context;
use super::exit::{Exit, Failure};
use super::load::{self, GameArgs, SyntaxName};
use super::output::OutputArgs;
use clap::Args;
use emm::syntax::{self, Syntax};

/// Print a game canonically, in either syntax
///
/// Reading what is printed gives the same description again, comments included.
#[derive(Args)]
#[command(after_help = "\
Examples:
  emm fmt one-shot                     a bundled game, in its own syntax
  emm fmt game.kif --to infix          from prefix to infix
  emm fmt game.gdl --output game.gdl   in place
  emm fmt game.gdl --check             exit code 1 if it is not in canonical form")]
pub struct FmtArgs {
    #[command(flatten)]
    game: GameArgs,
    /// The syntax to print [default: the one that the game is written in]
    #[arg(long, value_name = "SYNTAX")]
    to: Option<SyntaxName>,
    /// Print nothing; say by the exit code whether the text is canonical already
    #[arg(long, conflicts_with = "output")]
    check: bool,
    #[command(flatten)]
    output: OutputArgs,
}

pub fn run(args: &FmtArgs, context: &Context) -> Result<Exit, Failure> {
    let description = load::description(&args.game, context)?;
    let syntax = args.to.map_or(description.syntax, Syntax::from);
    let text = syntax::print(&description, syntax);
    if !args.check {
        args.output.write(|out| out.write_all(text.as_bytes()))?;
        return Ok(Exit::Answered);
    }
    let source = &description.source;
    if text == source.text() {
        return Ok(Exit::Answered);
    }
    let message = format!("`{}` is not in canonical form", source.name());
    Err(Failure::input(message, "`emm fmt` prints it"))
}
