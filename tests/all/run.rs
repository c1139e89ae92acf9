//! Running the binary.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

/// What a run printed, and its exit code.
pub struct Run {
    pub code: i32,
    pub out: String,
    pub err: String,
}

/// The binary in `tests/data/cli`, with the colours that a user without a terminal gets.
pub fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_emm"));
    command.args(args).current_dir(data()).stdin(Stdio::null());
    for variable in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
        command.env_remove(variable);
    }
    command
}

/// Runs the binary with nothing on standard input.
pub fn emm(args: &[&str]) -> Run {
    finish(command(args))
}

/// Runs a prepared command.
pub fn finish(mut command: Command) -> Run {
    let output = command.output().expect("emm runs");
    Run {
        code: output.status.code().expect("emm is not killed"),
        out: String::from_utf8(output.stdout).expect("UTF-8"),
        err: String::from_utf8(output.stderr).expect("UTF-8"),
    }
}

/// Runs the binary with `input` on standard input.
pub fn emm_with_input(args: &[&str], input: &str) -> Run {
    let mut command = command(args);
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().expect("emm runs");
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(input.as_bytes()).expect("emm reads its input");
    drop(stdin);
    let output = child.wait_with_output().expect("emm ends");
    Run {
        code: output.status.code().expect("emm is not killed"),
        out: String::from_utf8(output.stdout).expect("UTF-8"),
        err: String::from_utf8(output.stderr).expect("UTF-8"),
    }
}

/// Presses Ctrl-C.
#[cfg(unix)]
pub fn interrupt(child: &Child) {
    let killed = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(killed.expect("kill runs").success());
}

/// The files of these tests.
pub fn data() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/cli")
}
