//! The command line as a user meets it: the binary is run, and what it prints and its exit code are looked at.

#[path = "cli/commands.rs"]
mod commands;
#[path = "cli/diagnostics.rs"]
mod diagnostics;
#[path = "cli/engines.rs"]
mod engines;
#[path = "cli/files.rs"]
mod files;
#[path = "cli/readme.rs"]
mod readme;
#[path = "cli/run.rs"]
mod run;
