//! Layers in files: a run goes on where another one was killed, and what is damaged is refused.

use crate::run::{Run, command, emm};
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};
use tempfile::TempDir;

const GAME: &str = "s-c3-5x5-80";
const VALUE: &str = "184142307191786536/298023223876953125";

fn solve(folder: &Path, options: &[&str]) -> Run {
    let folder = folder.display().to_string();
    let question = ["solve", GAME, "--role", "x", "--checkpoint", &folder];
    emm(&[&question, options].concat())
}

fn finished_layers(folder: &Path) -> usize {
    let Ok(text) = fs::read_to_string(folder.join("manifest.json")) else {
        return 0;
    };
    let manifest: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    manifest["layers"].as_array().expect("layers").len()
}

/// Starts a run and kills it after some layers.
fn kill_a_run(folder: &Path) {
    let name = folder.display().to_string();
    let mut command = command(&["solve", GAME, "--role", "x", "--checkpoint", &name]);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().expect("emm runs");
    let start = Instant::now();
    while finished_layers(folder) < 8 {
        assert!(
            start.elapsed() < Duration::from_secs(120),
            "no layers are written"
        );
        assert!(
            child.try_wait().expect("a child").is_none(),
            "it ended before it was killed"
        );
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().expect("it runs");
    child.wait().expect("it was killed");
    assert!(finished_layers(folder) >= 8);
}

#[test]
fn a_killed_run_goes_on_and_a_wrong_checkpoint_is_refused() {
    let folder = TempDir::new().expect("a folder");
    kill_a_run(folder.path());

    let other = solve(folder.path(), &["--horizon", "6"]);
    assert_eq!(other.code, 1, "{}", other.err);
    assert!(
        other.err.contains("belongs to another game, question"),
        "{}",
        other.err
    );

    let layer = folder.path().join("layer-5.bin");
    let bytes = fs::read(&layer).expect("a layer");
    fs::write(&layer, &bytes[..bytes.len() / 2]).expect("a file");
    let truncated = solve(folder.path(), &[]);
    assert_eq!(truncated.code, 1, "{}", truncated.err);
    assert!(
        truncated.err.contains("`layer-5.bin` is not as it was written"),
        "{}",
        truncated.err
    );
    assert!(truncated.out.is_empty());
    fs::write(&layer, bytes).expect("a file");

    let manifest = folder.path().join("manifest.json");
    let text = fs::read_to_string(&manifest).expect("a manifest");
    fs::write(&manifest, &text[..text.len() / 2]).expect("a file");
    let broken = solve(folder.path(), &[]);
    assert!(
        broken.code == 1 && broken.err.contains("its manifest cannot be read"),
        "{}",
        broken.err
    );
    fs::write(&manifest, text).expect("a file");

    let resumed = solve(folder.path(), &["--threads", "1"]);
    assert_eq!(resumed.code, 0, "{}", resumed.err);
    assert!(resumed.err.contains("went on after"), "{}", resumed.err);
    assert!(resumed.out.contains(VALUE), "{}", resumed.out);
    assert!(resumed.out.contains("3098597 states"), "{}", resumed.out);
    let left: Vec<_> = fs::read_dir(folder.path()).expect("a folder").collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn a_run_that_was_stopped_in_the_second_pass_goes_on() {
    let whole = emm(&["solve", "c3-4x4", "--random", "o"]);
    let folder = TempDir::new().expect("a folder");
    let name = folder.path().display().to_string();
    let ask = |options: &[&str]| {
        emm(&[
            &["solve", "c3-4x4", "--random", "o", "--checkpoint", &name],
            options,
        ]
        .concat())
    };
    // The tables lie in files, so this is too little for the values alone.
    let stopped = ask(&["--memory", "250k", "--threads", "1"]);
    assert_eq!(stopped.code, 3, "{}{}", stopped.out, stopped.err);
    let manifest = fs::read_to_string(folder.path().join("manifest.json")).expect("a manifest");
    assert!(manifest.contains("\"complete\": true"), "{manifest}");
    let resumed = ask(&[]);
    assert!(resumed.err.contains("went on after"), "{}", resumed.err);
    let before_effort = |text: &str| text.split("states,").next().unwrap_or_default().to_string();
    assert_eq!(before_effort(&resumed.out), before_effort(&whole.out));
}

#[test]
fn layers_that_do_not_fit_go_to_a_folder_that_is_empty_afterwards() {
    let folder = TempDir::new().expect("a folder");
    let name = folder.path().display().to_string();
    let question = ["solve", "s-c4-4x4-80", "--role", "x", "--memory", "3M"];
    let without = emm(&question);
    assert_eq!(without.code, 3, "{}", without.out);
    let with = emm(&[&question[..], &["--spill", &name]].concat());
    assert_eq!(with.code, 0, "{}", with.err);
    assert!(with.out.contains("40072762444/152587890625"), "{}", with.out);
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0);
}

/// Starts a run that has to spill, and waits until it did.
#[cfg(unix)]
fn spilling_run(folder: &Path, options: &[&str]) -> std::process::Child {
    let name = folder.display().to_string();
    let question = ["solve", "c4-5x5", "--random", "o", "--role", "x", "--no-progress"];
    let limits = ["--engine", "layered", "--memory", "60M", "--spill", &name];
    let mut command = command(&[&question[..], &limits, options].concat());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("emm runs");
    let has_layer =
        |folder: fs::DirEntry| fs::read_dir(folder.path()).is_ok_and(|mut files| files.next().is_some());
    let start = Instant::now();
    while !fs::read_dir(folder).expect("a folder").flatten().any(has_layer) {
        assert!(start.elapsed() < Duration::from_secs(120), "nothing is spilled");
        assert!(child.try_wait().expect("a child").is_none(), "it did not spill");
        std::thread::sleep(Duration::from_millis(1));
    }
    child
}

#[cfg(unix)]
#[test]
fn the_folder_is_empty_after_a_run_that_was_ended_too() {
    let folder = TempDir::new().expect("a folder");
    let interrupted = spilling_run(folder.path(), &[]);
    crate::run::interrupt(&interrupted);
    // Time enough to begin, and far too little to end.
    let out_of_time = spilling_run(folder.path(), &["--timeout", "900ms"]);
    for child in [interrupted, out_of_time] {
        let output = child.wait_with_output().expect("emm ends");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{said}");
    }
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0);
}

#[test]
fn a_checkpoint_that_cannot_be_used_is_explained() {
    let several = emm(&["solve", "c3-4x4", "c4-4x4", "--checkpoint", "x"]);
    assert_eq!(
        (several.code, several.err.contains("for one game")),
        (2, true),
        "{}",
        several.err
    );
    let search = emm(&["solve", "c3-4x4", "--engine", "search", "--checkpoint", "x"]);
    assert_eq!(
        (search.code, search.err.contains("only the engine")),
        (2, true),
        "{}",
        search.err
    );
    let file = tempfile::NamedTempFile::new().expect("a file");
    let not_a_folder = solve(file.path(), &[]);
    assert_eq!(not_a_folder.code, 1);
    assert!(not_a_folder.err.contains("cannot create"), "{}", not_a_folder.err);
}

/// That plays of this game end is found out on the way, and the checkpoint has to know it too.
#[test]
fn the_longest_play_is_known_after_a_resumption() {
    let folder = TempDir::new().expect("a folder");
    let name = folder.path().display().to_string();
    let ask = |options: &[&str]| {
        let question = [
            "solve",
            "cant-stop-small",
            "--role",
            "ann",
            "--threads",
            "1",
            "--format",
            "json",
        ];
        let run = emm(&[&question[..], options].concat());
        let report: serde_json::Value = serde_json::from_str(&run.out).expect("JSON");
        (run.code, report["records"][0]["effort"]["longest_play"].clone())
    };
    let whole = ask(&["--memory", "60M"]);
    assert!(whole.0 == 0 && whole.1.as_u64() > Some(50), "{whole:?}");
    let stopped = ask(&["--memory", "4M", "--checkpoint", &name]);
    assert_eq!(stopped.0, 3);
    let manifest = fs::read_to_string(folder.path().join("manifest.json")).expect("a manifest");
    assert!(manifest.contains("\"complete\": true"), "{manifest}");
    assert_eq!(ask(&["--memory", "60M", "--checkpoint", &name]), whole);
}
