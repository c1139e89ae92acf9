//! The options that every command has, and standard error.

use super::exit::{Exit, Failure};
use super::report;
use anstream::{AutoStream, ColorChoice};
use clap::{ArgAction, Args, ValueEnum};
use emm::diagnostic::Diagnostic;
use emm::source::Source;
use indicatif::ProgressBar;
use std::fmt;
use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Duration;

#[derive(Args)]
pub struct GlobalArgs {
    /// When to use colours; `auto` means on a terminal, unless NO_COLOR is set
    #[arg(
        long,
        global = true,
        value_name = "WHEN",
        default_value = "auto",
        help_heading = "Global options"
    )]
    color: Color,
    /// No warnings and no notes on standard error
    #[arg(
        long,
        short,
        global = true,
        conflicts_with = "verbose",
        help_heading = "Global options"
    )]
    quiet: bool,
    /// Say what is done, and how long it takes, on standard error
    #[arg(long, short, global = true, action = ArgAction::SetTrue, help_heading = "Global options")]
    verbose: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Color {
    Auto,
    Always,
    Never,
}

/// How much is said besides the answer. Errors are always said.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Verbosity {
    Quiet,
    Normal,
    Verbose,
}

/// What the library tells about its work, on standard error. It is there only if the user wants it: else a
/// message costs the library one comparison, and none is in a loop.
struct Log {
    color: ColorChoice,
}

impl log::Log for Log {
    fn enabled(&self, _metadata: &log::Metadata) -> bool {
        true
    }

    fn log(&self, record: &log::Record) {
        let mut stderr = AutoStream::new(io::stderr().lock(), self.color);
        let _ = writeln!(stderr, "{}", record.args());
    }

    fn flush(&self) {}
}

/// What a command needs to know about the terminal and the user's wishes.
pub struct Context {
    color: ColorChoice,
    verbosity: Verbosity,
}

impl Context {
    pub fn new(args: &GlobalArgs) -> Context {
        let color = match args.color {
            Color::Auto => ColorChoice::Auto,
            Color::Always => ColorChoice::Always,
            Color::Never => ColorChoice::Never,
        };
        let verbosity = match (args.quiet, args.verbose) {
            (true, _) => Verbosity::Quiet,
            (false, false) => Verbosity::Normal,
            (false, true) => Verbosity::Verbose,
        };
        if verbosity == Verbosity::Verbose && log::set_boxed_logger(Box::new(Log { color })).is_ok() {
            log::set_max_level(log::LevelFilter::Debug);
        }
        Context { color, verbosity }
    }

    /// Whether nothing but errors is to be said.
    pub fn is_quiet(&self) -> bool {
        self.verbosity == Verbosity::Quiet
    }

    /// Whether a diagnostic is worth saying.
    pub fn wants(&self, diagnostic: &Diagnostic) -> bool {
        diagnostic.is_error() || self.verbosity > Verbosity::Quiet
    }

    /// Standard output for styled text, which loses its colours where they are not wanted.
    pub fn styled_stdout(&self) -> AutoStream<io::StdoutLock<'static>> {
        AutoStream::new(io::stdout().lock(), self.color)
    }

    /// Says diagnostics on standard error, with snippets.
    pub fn report(&self, source: &Source, diagnostics: &[Diagnostic]) {
        for diagnostic in diagnostics.iter().filter(|d| self.wants(d)) {
            self.say(&format!("{}\n", report::snippet(source, diagnostic)));
        }
    }

    /// Says a line of what is going on, if the user wants to know.
    pub fn note(&self, text: fmt::Arguments) {
        if self.verbosity == Verbosity::Verbose {
            self.say(&text.to_string());
        }
    }

    /// A line on standard error that changes while something goes on; only on a terminal.
    pub fn spinner(&self) -> ProgressBar {
        if self.verbosity == Verbosity::Quiet {
            return ProgressBar::hidden();
        }
        let spinner = ProgressBar::new_spinner();
        spinner.enable_steady_tick(Duration::from_millis(100));
        spinner
    }

    /// Says something on standard error. If even that is closed, there is nobody left to tell.
    pub fn say(&self, text: &str) {
        let mut stderr = AutoStream::new(io::stderr().lock(), self.color);
        let _ = writeln!(stderr, "{text}");
    }

    /// Says why there is no answer, if that is left to say, and gives the exit code.
    pub fn exit_code(&self, outcome: Result<Exit, Failure>) -> ExitCode {
        let exit = outcome.unwrap_or_else(|failure| self.tell(failure));
        ExitCode::from(exit as u8)
    }

    /// Says what failed, if that is left to say.
    pub fn tell(&self, failure: Failure) -> Exit {
        match failure {
            Failure::Reported(exit) => exit,
            Failure::Message { exit, message, help } => {
                self.say(&report::message(&message, &help));
                exit
            }
        }
    }
}
