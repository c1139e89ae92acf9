//! Files that hold layers: what does not fit into memory, and what an interrupted run goes on with.
//!
//! A layer never changes once it is complete, so it can lie in a file and be mapped. The folder of a checkpoint holds
//!
//! ```text
//! lock             held by the run that uses the folder
//! layer-I.bin      the slots of the table of layer I, part after part
//! values-I.bin     the values of layer I: all questions of slot 0, of slot 1, …
//! manifest.json    what question this is, and shape and SHA-256 of every file above
//! ```
//!
//! **Invariant**: the manifest names only files that are complete. Every file is written under another name and then
//! renamed, the manifest last, so a run that is killed at any time leaves the state after some layer. What is read
//! is checked against the manifest; nothing is guessed.

use super::super::question::{Checkpoint, Options, SolveError};
use super::forward::Tables;
use super::manifest::{LayerNote, Manifest, ValuesNote};
use super::table::Table;
use super::{Layers, Stop};
use sha2::{Digest, Sha256};
use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// Files that a run has not finished begin with this.
const UNFINISHED: &str = "unfinished-";
const MANIFEST: &str = "manifest.json";
/// What to do with a checkpoint that cannot be used.
pub(super) const BEGIN_AGAIN: &str = "name another folder, or delete this one to begin again";

/// Where layers go besides memory.
pub(super) enum Store {
    /// Nowhere.
    Memory,
    /// To a folder that vanishes with the run, if they do not fit into memory.
    Spill(TempDir),
    /// To a folder that stays until the run is complete.
    Checkpoint(Folder),
}

/// The folder of a checkpoint.
pub(super) struct Folder {
    path: PathBuf,
    identity: String,
    /// Locked as long as it is open.
    _lock: File,
}

/// What an earlier run left.
pub(super) struct Saved<const N: usize> {
    pub(super) layers: Layers<N>,
    /// Whether all layers are there.
    pub(super) is_complete: bool,
    /// The last layer of which the values are there; no table behind it is left.
    pub(super) values: Option<ValuesNote>,
    pub(super) visited: u64,
    pub(super) edges: u64,
}

impl Store {
    /// The store that the options ask for. A checkpoint of another question is refused; `question` tells them apart.
    pub(super) fn open(options: &Options, question: &str) -> Result<Store, SolveError> {
        match (&options.checkpoint, &options.spill) {
            (Some(checkpoint), _) => Folder::open(checkpoint, question).map(Store::Checkpoint),
            (None, Some(folder)) => tempfile::Builder::new()
                .prefix("emm-layers-")
                .tempdir_in(folder)
                .map(Store::Spill)
                // The error would name the temporary folder, which nobody has asked for.
                .map_err(|error| storage("write to", folder, &error.kind().into())),
            (None, None) => Ok(Store::Memory),
        }
    }

    /// What an earlier run left here.
    pub(super) fn saved<const N: usize>(&self) -> Result<Option<Saved<N>>, SolveError> {
        match self {
            Store::Checkpoint(folder) => folder.saved(),
            Store::Memory | Store::Spill(_) => Ok(None),
        }
    }

    /// Moves tables out of memory, if there is somewhere else.
    pub(super) fn spill<const N: usize>(&self, tables: &mut Tables<N>) -> Result<(), Stop> {
        let Store::Spill(folder) = self else {
            return Ok(());
        };
        Ok(tables.move_out(|number, table| keep_table(folder.path(), number, table).map(drop))?)
    }

    /// Notes that the last of the layers is complete, and the totals of those before it.
    pub(super) fn keep<const N: usize>(
        &self,
        layers: &mut Layers<N>,
        is_complete: bool,
        (visited, edges): (u64, u64),
    ) -> Result<(), Stop> {
        let Store::Checkpoint(folder) = self else {
            return Ok(());
        };
        let checksums = &mut layers.checksums;
        layers.tables.move_out(|number, table| {
            let sha256 = keep_table(&folder.path, number, table)?;
            checksums.truncate(number);
            checksums.push(sha256);
            Ok::<(), SolveError>(())
        })?;
        let notes = layers.tables.iter().zip(&layers.checksums);
        let manifest = Manifest {
            identity: folder.identity.clone(),
            layers: notes
                .map(|(table, sha256)| LayerNote::new(table, sha256))
                .collect(),
            totals: layers.totals.clone(),
            is_complete,
            values: None,
            visited,
            edges,
        };
        Ok(folder.write_manifest(&manifest)?)
    }

    /// Keeps the values of a layer; what lies behind it is not needed any more.
    pub(super) fn keep_values(&self, layer: usize, words: usize, values: &[u64]) -> Result<(), Stop> {
        let Store::Checkpoint(folder) = self else {
            return Ok(());
        };
        let mut manifest = folder
            .manifest()?
            .ok_or_else(|| folder.damaged("it has no manifest"))?;
        let path = values_file(&folder.path, layer);
        let sha256 = write_file(&path, &[bytemuck::cast_slice(values)])
            .map_err(|error| storage("write", &path, &error))?;
        manifest.values = Some(ValuesNote {
            layer,
            words,
            count: values.len() / words,
            sha256,
        });
        folder.write_manifest(&manifest)?;
        // Files that are not named any more are harmless, so failing to remove them is, too.
        let _ = fs::remove_file(layer_file(&folder.path, layer + 1));
        let _ = fs::remove_file(values_file(&folder.path, layer + 1));
        Ok(())
    }

    /// The file with the values of a layer, checked.
    pub(super) fn values(&self, note: &ValuesNote) -> Result<File, Stop> {
        let Store::Checkpoint(folder) = self else {
            return Err(Stop::Limit);
        };
        Ok(folder.checked(&values_file(&folder.path, note.layer), &note.sha256)?)
    }

    /// Removes everything: the run is complete.
    pub(super) fn clear(&self, layers: usize) {
        let Store::Checkpoint(folder) = self else {
            return;
        };
        // What cannot be removed is in nobody's way: without the manifest it is not read.
        let _ = fs::remove_file(folder.path.join(MANIFEST));
        for layer in 0..layers {
            let _ = fs::remove_file(layer_file(&folder.path, layer));
            let _ = fs::remove_file(values_file(&folder.path, layer));
        }
        let _ = fs::remove_file(folder.path.join("lock"));
    }
}

impl Folder {
    fn open(checkpoint: &Checkpoint, question: &str) -> Result<Folder, SolveError> {
        let path = checkpoint.directory.clone();
        fs::create_dir_all(&path).map_err(|error| storage("create", &path, &error))?;
        let lock_path = path.join("lock");
        let lock = File::create(&lock_path).map_err(|error| storage("write", &lock_path, &error))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(SolveError::Storage {
                    message: format!("the checkpoint `{}` is used by another run", path.display()),
                    advice: "wait for that run, or name another folder",
                });
            }
            Err(TryLockError::Error(error)) => return Err(storage("lock", &lock_path, &error)),
        }
        let folder = Folder {
            identity: format!("{} {question}", checkpoint.identity),
            path,
            _lock: lock,
        };
        folder.tidy();
        Ok(folder)
    }

    /// Removes what a killed run was writing.
    fn tidy(&self) {
        let entries = fs::read_dir(&self.path).into_iter().flatten().flatten();
        for entry in entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(UNFINISHED)) {
            let _ = fs::remove_file(entry.path());
        }
    }

    fn manifest(&self) -> Result<Option<Manifest>, SolveError> {
        let path = self.path.join(MANIFEST);
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(storage("read", &path, &error)),
        };
        let manifest = Manifest::parse(&text).ok_or_else(|| self.damaged("its manifest cannot be read"))?;
        if manifest.identity != self.identity {
            return Err(SolveError::Storage {
                message: format!(
                    "the checkpoint `{}` belongs to another game, question or version of emm",
                    self.path.display()
                ),
                advice: BEGIN_AGAIN,
            });
        }
        Ok(Some(manifest))
    }

    fn write_manifest(&self, manifest: &Manifest) -> Result<(), SolveError> {
        let path = self.path.join(MANIFEST);
        write_file(&path, &[manifest.to_string().as_bytes()])
            .map(drop)
            .map_err(|error| storage("write", &path, &error))
    }

    fn saved<const N: usize>(&self) -> Result<Option<Saved<N>>, SolveError> {
        let Some(manifest) = self.manifest()? else {
            return Ok(None);
        };
        let needed = manifest
            .values
            .as_ref()
            .map_or(usize::MAX, |values| values.layer + 1);
        let mut layers = Layers {
            totals: manifest.totals,
            ..Layers::default()
        };
        for (number, note) in manifest.layers.iter().enumerate().take(needed) {
            layers.tables.push(self.table(number, note)?);
            layers.checksums.push(note.sha256.clone());
        }
        Ok(Some(Saved {
            layers,
            is_complete: manifest.is_complete,
            values: manifest.values,
            visited: manifest.visited,
            edges: manifest.edges,
        }))
    }

    fn table<const N: usize>(&self, number: usize, note: &LayerNote) -> Result<Table<N>, SolveError> {
        let path = layer_file(&self.path, number);
        let file = self.checked(&path, &note.sha256)?;
        Table::open(note.shape, &note.lens, &file).map_err(|error| storage("map", &path, &error))
    }

    /// The file, if it is as it was written.
    fn checked(&self, path: &Path, sha256: &str) -> Result<File, SolveError> {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let file = File::open(path).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => self.damaged(&format!("`{name}` is missing")),
            _ => storage("read", path, &error),
        })?;
        let mut reader = &file;
        let mut hasher = Sha256::new();
        let mut buffer = vec![0; 1 << 20];
        loop {
            match io::Read::read(&mut reader, &mut buffer) {
                Ok(0) => break,
                Ok(count) => hasher.update(&buffer[..count]),
                Err(error) => return Err(storage("read", path, &error)),
            }
        }
        match hex(hasher) == sha256 {
            true => Ok(file),
            false => Err(self.damaged(&format!("`{name}` is not as it was written"))),
        }
    }

    fn damaged(&self, what: &str) -> SolveError {
        SolveError::Storage {
            message: format!("the checkpoint `{}` is damaged: {what}", self.path.display()),
            advice: BEGIN_AGAIN,
        }
    }
}

/// Writes a table to its file and maps it from there; gives the checksum.
fn keep_table<const N: usize>(
    folder: &Path,
    number: usize,
    table: &mut Table<N>,
) -> Result<String, SolveError> {
    let path = layer_file(folder, number);
    let written = write_file(&path, &table.bytes());
    let sha256 = written.map_err(|error| storage("write", &path, &error))?;
    let mapped = File::open(&path).and_then(|file| Table::open(table.shape(), &table.lens(), &file));
    *table = mapped.map_err(|error| storage("map", &path, &error))?;
    Ok(sha256)
}

fn layer_file(folder: &Path, layer: usize) -> PathBuf {
    folder.join(format!("layer-{layer}.bin"))
}

fn values_file(folder: &Path, layer: usize) -> PathBuf {
    folder.join(format!("values-{layer}.bin"))
}

/// Writes a file that is there completely or not at all; gives its SHA-256.
fn write_file(path: &Path, pieces: &[&[u8]]) -> io::Result<String> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let file = tempfile::Builder::new().prefix(UNFINISHED).tempfile_in(folder);
    let mut file = file.map_err(|error| error.kind())?;
    let mut hasher = Sha256::new();
    for piece in pieces {
        file.write_all(piece)?;
        hasher.update(piece);
    }
    file.as_file().sync_data()?;
    file.persist(path)?;
    Ok(hex(hasher))
}

fn hex(hasher: Sha256) -> String {
    hasher
        .finalize()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

fn storage(verb: &str, path: &Path, error: &io::Error) -> SolveError {
    let advice = match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            "free some space, or name a folder elsewhere; finished layers of a checkpoint are still good"
        }
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            "name a folder where you may write"
        }
        io::ErrorKind::NotFound => "name a folder that exists",
        io::ErrorKind::AlreadyExists | io::ErrorKind::NotADirectory => "name a folder, not a file",
        _ => "",
    };
    SolveError::Storage {
        message: format!("cannot {verb} `{}`: {error}", path.display()),
        advice,
    }
}
