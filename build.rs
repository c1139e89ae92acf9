//! Lists `games/*.gdl` and `games/*.csv` for `src/games.rs`, so that a new file is in the binary without being
//! named anywhere, and tells `emm --version` what it was built from.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=games");
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    describe_build(&root);
    embed(&root, "gdl", "BundledGame", "bundled_games.rs")?;
    embed(&root, "csv", "BundledSuite", "bundled_suites.rs")
}

/// Writes a list of all files of `games/` with this extension.
fn embed(root: &Path, extension: &str, kind: &str, list: &str) -> io::Result<()> {
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    let mut paths: Vec<PathBuf> = fs::read_dir(root.join("games"))?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<io::Result<_>>()?;
    paths.retain(|path| path.extension().is_some_and(|found| found == extension));
    paths.sort_by_key(|path| name(path));
    let entries: String = paths.iter().map(|path| entry(path, extension, kind)).collect();
    fs::write(out.join(list), format!("&[\n{entries}]\n"))
}

/// The path is completed when the library is compiled: a checkout that was moved still finds its games.
fn entry(path: &Path, extension: &str, kind: &str) -> String {
    let name = name(path);
    let file = format!("/games/{name}.{extension}");
    format!(
        "    {kind} {{ name: {name:?}, text: include_str!(concat!(env!(\"CARGO_MANIFEST_DIR\"), {file:?})) }},\n"
    )
}

fn name(path: &Path) -> String {
    path.file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

/// Sets `EMM_COMMIT` (unless the environment does), `EMM_TARGET` and `EMM_PROFILE` for the compiler.
fn describe_build(root: &Path) {
    println!("cargo::rerun-if-env-changed=EMM_COMMIT");
    // Whether there are changes since the commit is asked anew whenever the program changes.
    for part in ["src", "Cargo.toml", "Cargo.lock", "build.rs"] {
        println!("cargo::rerun-if-changed={part}");
    }
    for (variable, of_cargo) in [("EMM_TARGET", "TARGET"), ("EMM_PROFILE", "PROFILE")] {
        println!(
            "cargo::rustc-env={variable}={}",
            env::var(of_cargo).unwrap_or_default()
        );
    }
    if env::var_os("EMM_COMMIT").is_some() {
        return;
    }
    if let Some(commit) = commit(root) {
        println!("cargo::rustc-env=EMM_COMMIT={commit}");
    }
}

/// The commit of this checkout, with `-dirty` if files differ from it; nothing outside of git, or if the
/// sources only lie somewhere in another project's checkout.
fn commit(root: &Path) -> Option<String> {
    let top = git(root, &["rev-parse", "--show-toplevel"])?;
    if fs::canonicalize(top).ok()? != fs::canonicalize(root).ok()? {
        return None;
    }
    for file in ["HEAD", "logs/HEAD"] {
        let path = root.join(git(root, &["rev-parse", "--git-path", file])?);
        if path.exists() {
            println!("cargo::rerun-if-changed={}", path.display());
        }
    }
    git(
        root,
        &["describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"],
    )
}

/// What git prints, if it can be asked.
fn git(root: &Path, args: &[&str]) -> Option<String> {
    let output = Command::new("git").arg("-C").arg(root).args(args).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    (output.status.success() && !text.trim().is_empty()).then(|| text.trim().to_string())
}
