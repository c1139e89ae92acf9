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
        match self.file() {
            None => print(write),
            Some(path) => to_file(path, write).map_err(|error| unwritable(path, &error)),
        }
    }

    /// Fails if the file cannot be written, as far as that can be told before there is anything to write: whoever
    /// waits for an answer does not want to hear of it then. It must be none of the files that are read.
    pub fn check<'a>(&self, inputs: impl IntoIterator<Item = &'a PathBuf>) -> Result<(), Failure> {
        let inputs = inputs.into_iter().map(PathBuf::as_path);
        self.file().map_or(Ok(()), |file| check_beside(file, inputs))
    }

    /// The file that was asked for; none for standard output.
    pub fn file(&self) -> Option<&Path> {
        named(self.output.as_deref())
    }
}

/// The file of an option that may also be `-`, which is standard output.
pub fn named(path: Option<&Path>) -> Option<&Path> {
    path.filter(|path| *path != Path::new("-"))
}

/// As [`check_file`], for a file that must be none of those that are read.
pub fn check_beside<'a>(path: &Path, inputs: impl IntoIterator<Item = &'a Path>) -> Result<(), Failure> {
    match path.exists() && inputs.into_iter().any(|input| is_same(path, input)) {
        true => Err(Failure::usage(
            format!("`{}` is read, and would be overwritten", path.display()),
            "name another file for the output",
        )),
        false => check_file(path),
    }
}

/// Whether two paths lead to the same file; devices and pipes can be read and written.
pub fn is_same(one: &Path, other: &Path) -> bool {
    let is_special = fs::metadata(one).is_ok_and(|found| !found.is_file());
    !is_special && place(one) == place(other)
}

/// A path that is the same for all paths to a file, even if it is not there yet.
fn place(path: &Path) -> PathBuf {
    let missing = || Some(fs::canonicalize(folder(path)).ok()?.join(path.file_name()?));
    let place = fs::canonicalize(path).ok().or_else(missing);
    place.unwrap_or_else(|| path.to_path_buf())
}

/// As [`OutputArgs::check`], for a file.
pub fn check_file(path: &Path) -> Result<(), Failure> {
    let found = match fs::metadata(path) {
        Ok(found) if found.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        // Devices and pipes are opened only once.
        Ok(found) if !found.is_file() => Ok(()),
        _ => temporary_in(folder(&target(path))).map(drop),
    };
    found.map_err(|error| unwritable(path, &error))
}

/// The failure to write a file.
pub fn unwritable(path: &Path, error: &io::Error) -> Failure {
    Failure::writing(&format!("`{}`", path.display()), error)
}

/// Writes to standard output.
pub fn print(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
    let mut stdout = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    printed(write(&mut stdout).and_then(|()| stdout.flush()))
}

/// What came of writing to standard output. That nobody reads on, as in `emm … | head -1`, is no failure: the exit code
/// stays that of the answer.
pub fn printed(written: io::Result<()>) -> Result<(), Failure> {
    match written {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::writing("standard output", &error))
        }
        _ => Ok(()),
    }
}

/// Devices and pipes are written directly; a file, or what a link leads to, is replaced when all is written.
pub fn to_file(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let existing = fs::metadata(path).ok();
    if existing.as_ref().is_some_and(|found| !found.is_file()) {
        return buffered(fs::OpenOptions::new().write(true).open(path)?, write).map(drop);
    }
    let target = target(path);
    let temporary = temporary_in(folder(&target))?;
    let (file, temporary) = temporary.into_parts();
    let file = buffered(file, write)?;
    if let Some(found) = existing {
        file.set_permissions(found.permissions())?;
    }
    temporary.persist(&target).map_err(|failed| failed.error)
}

/// The file itself, where the path is a link.
fn target(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf())
}

fn folder(target: &Path) -> &Path {
    let folder = target.parent().filter(|parent| !parent.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
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
    // The error would name the temporary file, which nobody has asked for.
    builder
        .tempfile_in(directory)
        .map_err(|error| error.kind().into())
}
