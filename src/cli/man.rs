//! `emm man`: the help texts as manual pages.

use super::exit::{Exit, Failure};
use super::{Context, command, output, version};
use clap::Args;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

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
    fs::create_dir_all(&args.output).map_err(|error| output::unwritable(&args.output, &error))?;
    let mut root = command();
    root.build();
    pages(&root, &args.output)?;
    context.note(format_args!("manual pages are in `{}`", args.output.display()));
    Ok(Exit::Answered)
}

/// Writes the page of a command and those of the commands below it.
fn pages(command: &clap::Command, folder: &Path) -> Result<(), Failure> {
    let page = Man::new(command.clone())
        .source(format!("emm {}", version()))
        .manual("emm manual");
    let path = folder.join(page.get_filename());
    output::to_file(&path, |out| write(&page, command, out))
        .map_err(|error| output::unwritable(&path, &error))?;
    command
        .get_subcommands()
        .try_for_each(|below| pages(below, folder))
}

fn write(page: &Man, command: &clap::Command, out: &mut dyn Write) -> io::Result<()> {
    page.render_title(out)?;
    page.render_name_section(out)?;
    page.render_synopsis_section(out)?;
    page.render_description_section(out)?;
    page.render_options_section(out)?;
    if command.has_subcommands() {
        page.render_subcommands_section(out)?;
    }
    match command.get_after_help() {
        Some(help) => notes(&help.to_string()).to_writer(out),
        None => Ok(()),
    }
}

/// The text after the options. Indented lines are examples and layouts, and stay as they are.
fn notes(help: &str) -> Roff {
    let mut roff = Roff::new();
    roff.control("SH", ["NOTES"]);
    let mut is_filled = true;
    for line in help.lines() {
        let fills = !line.starts_with(' ');
        if fills != is_filled {
            roff.control(if fills { "fi" } else { "nf" }, []);
            is_filled = fills;
        }
        match line.is_empty() {
            true => roff.control("PP", []),
            false => roff.text([roman(line)]),
        };
    }
    if !is_filled {
        roff.control("fi", []);
    }
    roff
}
