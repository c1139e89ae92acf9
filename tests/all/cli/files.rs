//! Where games come from and where answers go.

use crate::run::{command, emm, emm_with_input, finish};
use std::fs;

#[test]
fn a_slip_in_the_name_of_a_game_gets_a_suggestion() {
    for command in ["validate", "ground", "fmt"] {
        let run = emm(&[command, "s-nim-3O"]);
        assert_eq!(run.code, 1, "{command}");
        assert!(
            (run.out + &run.err).contains("did you mean `s-nim-30`"),
            "{command}"
        );
    }
    insta::assert_snapshot!(emm(&["fmt", "one-shto.gdl"]).err, @r"
    error[no-such-game]: there is no file and no bundled game `one-shto.gdl`
     |
     = help: did you mean `one-shot`?
    ");
    insta::assert_snapshot!(emm(&["fmt", "chess"]).err, @r"
    error[no-such-game]: there is no file and no bundled game `chess`
     |
     = help: `emm games` lists the bundled games
    ");
}

#[test]
fn a_slip_in_the_name_of_a_file_gets_a_suggestion() {
    let run = emm(&["fmt", "./mistake.kif"]);
    assert!(
        run.code == 1 && run.err.contains("did you mean `mistakes.kif`?"),
        "{}",
        run.err
    );
}

#[test]
fn a_directory_is_not_a_game() {
    let run = emm(&["ground", "."]);
    assert_eq!((run.code, run.out.as_str()), (1, ""));
    assert!(run.err.contains("`.` is a directory"), "{}", run.err);
}

#[test]
fn a_file_wins_over_a_bundled_game_and_a_directory_does_not() {
    let directory = tempfile::tempdir().expect("a directory");
    let validate = || {
        let mut command = command(&["validate", "one-shot"]);
        command.current_dir(directory.path());
        finish(command).out
    };
    fs::create_dir(directory.path().join("one-shot")).expect("a directory");
    assert_eq!(validate(), "one-shot: ok: 3 roles, 2 fluents, 6 moves\n");
    fs::remove_dir(directory.path().join("one-shot")).expect("removed");
    let text = "role(x). init(p). legal(x,noop). terminal :- true(p). goal(x,100).";
    fs::write(directory.path().join("one-shot"), text).expect("written");
    assert!(
        validate().ends_with("one-shot: ok: 1 role, 1 fluent, 1 move, 2 warnings\n"),
        "{}",
        validate()
    );
}

#[test]
fn standard_input_is_a_game() {
    let run = emm_with_input(&["validate", "-"], "(role x");
    assert_eq!(run.code, 1);
    assert!(run.out.contains("--> <stdin>:1:1"), "{}", run.out);
    assert_eq!(emm_with_input(&["validate", "-"], "").code, 1);
}

#[test]
fn output_replaces_a_file_only_when_it_is_complete() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("game.kif");
    let path = file.to_str().expect("UTF-8");
    fs::write(&file, "(role x) (init").expect("written");
    assert_eq!(emm(&["fmt", path, "--output", path]).code, 1);
    assert_eq!(fs::read_to_string(&file).expect("there"), "(role x) (init");
    fs::write(&file, "(role x)    (init p)").expect("written");
    let run = emm(&["fmt", path, "--output", path]);
    assert_eq!((run.code, run.out.as_str(), run.err.as_str()), (0, "", ""));
    assert_eq!(
        fs::read_to_string(&file).expect("there"),
        "(role x)\n\n(init p)\n"
    );
    assert_eq!(
        fs::read_dir(directory.path()).expect("there").count(),
        1,
        "no temporary file stays"
    );
}

#[test]
fn output_to_a_dash_is_standard_output() {
    assert_eq!(
        emm(&["fmt", "one-shot", "--output", "-"]).out,
        emm(&["fmt", "one-shot"]).out
    );
}

#[test]
fn an_output_that_cannot_be_written_is_an_error() {
    let run = emm(&["generate", "one-shot", "--output", "nowhere/game.gdl"]);
    assert_eq!((run.code, run.out.as_str()), (1, ""));
    assert!(
        run.err.contains("`nowhere/game.gdl` cannot be written"),
        "{}",
        run.err
    );
}

#[cfg(unix)]
mod unix {
    use super::*;
    use std::os::unix::fs::{PermissionsExt, symlink};

    #[test]
    fn output_keeps_permissions_and_follows_links() {
        let directory = tempfile::tempdir().expect("a directory");
        let (file, link) = (
            directory.path().join("game.gdl"),
            directory.path().join("link.gdl"),
        );
        fs::write(&file, "").expect("written");
        fs::set_permissions(&file, PermissionsExt::from_mode(0o640)).expect("set");
        symlink(&file, &link).expect("linked");
        let run = emm(&["generate", "one-shot", "--output", link.to_str().expect("UTF-8")]);
        assert_eq!(run.code, 0, "{}", run.err);
        assert!(link.is_symlink() && file.metadata().expect("there").len() > 0);
        assert_eq!(
            file.metadata().expect("there").permissions().mode() & 0o777,
            0o640
        );
    }

    #[test]
    fn output_to_a_device_is_written_directly() {
        assert_eq!(emm(&["generate", "one-shot", "--output", "/dev/null"]).code, 0);
        assert!(!fs::metadata("/dev/null").expect("there").is_file());
    }
}

#[test]
fn what_is_read_is_not_overwritten() {
    let folder = tempfile::tempdir().expect("a folder");
    let game = folder.path().join("game.gdl");
    let text = std::fs::read_to_string(crate::run::data().join("coin.gdl")).expect("a game");
    std::fs::write(&game, &text).expect("a file");
    let path = game.to_str().expect("a path");
    for command in ["solve", "ground", "show", "perft", "encode", "ssat", "crosscheck"] {
        let run = emm(&[command, path, "--output", path]);
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{command}: {}", run.err);
        assert!(
            run.err.contains("is read, and would be overwritten"),
            "{command}: {}",
            run.err
        );
    }
    assert_eq!(std::fs::read_to_string(&game).expect("the game"), text);
}
