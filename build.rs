//! Lists `games/*.gdl` for `src/games.rs`, so that a new file is in the binary without being named anywhere.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=games");
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    let mut paths: Vec<PathBuf> = fs::read_dir(root.join("games"))?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<io::Result<_>>()?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "gdl"));
    paths.sort_by_key(|path| name(path));
    let entries: String = paths.iter().map(|path| entry(path)).collect();
    fs::write(out.join("bundled_games.rs"), format!("&[\n{entries}]\n"))
}

/// The path is completed when the library is compiled: a checkout that was moved still finds its games.
fn entry(path: &Path) -> String {
    let name = name(path);
    let file = format!("/games/{name}.gdl");
    format!(
        "    BundledGame {{ name: {name:?}, text: include_str!(concat!(env!(\"CARGO_MANIFEST_DIR\"), {file:?})) }},\n"
    )
}

fn name(path: &Path) -> String {
    path.file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}
