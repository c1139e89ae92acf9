//! Where answers go: standard output, or a file that is there completely or not at all.

use super::exit::Failure;
use clap::Args;
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

#[derive(Args)]
pub struct OutputArgs {
    /// Write to this file, which appears only when it is complete; `-` is standard output
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl OutputArgs {
    /// Writes what `write` writes to where the user wants it.
    pub fn write(&self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
        match self.output.as_deref().filter(|path| *path != Path::new("-")) {
            None => print(write),
            Some(path) => {
                to_file(path, write).map_err(|e| Failure::writing(&format!("`{}`", path.display()), &e))
            }
        }
    }
}

/// Writes to standard output.
pub fn print(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
    let mut stdout = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let written = write(&mut stdout).and_then(|()| stdout.flush());
    written.map_err(|error| Failure::writing("standard output", &error))
}

/// Devices and pipes are written directly; a file, or what a link leads to, is replaced when all is written.
pub fn to_file(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let existing = fs::metadata(path).ok();
    if existing.as_ref().is_some_and(|found| !found.is_file()) {
        return buffered(fs::OpenOptions::new().write(true).open(path)?, write).map(drop);
    }
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let directory = target.parent().filter(|parent| !parent.as_os_str().is_empty());
    let temporary = temporary_in(directory.unwrap_or(Path::new(".")))?;
    let (file, temporary) = temporary.into_parts();
    let file = buffered(file, write)?;
    if let Some(found) = existing {
        file.set_permissions(found.permissions())?;
    }
    temporary.persist(&target).map_err(|failed| failed.error)
}

fn buffered(file: fs::File, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<fs::File> {
    let mut buffer = BufWriter::with_capacity(1 << 16, file);
    write(&mut buffer)?;
    buffer.into_inner().map_err(io::IntoInnerError::into_error)
}

/// A file with the permissions that any new file would have.
fn temporary_in(directory: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".emm-");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(directory)
}
