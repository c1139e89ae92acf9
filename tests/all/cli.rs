//! The command line as a user meets it: the binary is run, and what it prints and its exit code are looked at.

mod commands;
mod diagnostics;
mod engines;
mod files;
#[cfg(unix)]
mod help;
mod mistakes;
mod readme;
