//! Plans of a player alone: what clingo and the search find, played on the machine.

use super::Loaded;
use super::clingo::clingo;
use crate::run::emm;
use emm::game::{Game, Position};
use emm::machine::Machine;
use std::process::Command;

/// Games of one player without chance, which can be won.
const GAMES: [&str; 4] = ["one-switch", "buttons-and-lights", "coins", "peg-15"];

/// Plays moves by their names, from the first state to a terminal one with the goal 100.
fn wins(machine: &Machine, plan: &[String]) -> bool {
    let mut state = machine.initial();
    let mut position = Position::new(1);
    for name in plan {
        machine.look(&state, &mut position).expect("a position");
        let mut legal = position.legal[0].iter();
        let Some(&mv) = legal.find(|mv| machine.move_name(0, **mv) == *name) else {
            return false;
        };
        if position.terminal {
            return false;
        }
        state = machine.next(&state, &[mv]).expect("a state");
    }
    machine.look(&state, &mut position).expect("a position");
    position.terminal && position.goals[0].contains(100)
}

/// What stands in the brackets of `does(player,MOVE,TIME)` in the order of times, as GDL writes moves.
fn plan(answer_set: &str) -> Vec<String> {
    let moves = answer_set.split_whitespace().map(|atom| {
        let inside = atom.strip_prefix("does(").and_then(|rest| rest.strip_suffix(')'));
        let (before, time) = inside.and_then(|inside| inside.rsplit_once(',')).expect(atom);
        let (_, mv) = before.split_once(',').expect(atom);
        let name = match mv.split_once('(') {
            Some((name, arguments)) => format!("({name} {}", arguments.replace(',', " ")),
            None => mv.to_string(),
        };
        (time.parse::<u32>().expect("a time"), name)
    });
    let mut moves: Vec<(u32, String)> = moves.collect();
    moves.sort();
    moves.into_iter().map(|(_, name)| name).collect()
}

#[test]
fn the_plain_program_gives_clingo_a_plan_that_wins() {
    let Some(clingo) = clingo() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("plan.lp");
    for name in GAMES {
        let text = emm(&["encode", name, "--to", "asp"]);
        assert_eq!((text.code, text.err.as_str()), (0, ""), "{name}");
        std::fs::write(&file, &text.out).expect("a file");
        let ran = Command::new(&clingo).arg(&file).output().expect("clingo runs");
        assert!(ran.stderr.is_empty(), "{}", String::from_utf8_lossy(&ran.stderr));
        let printed = String::from_utf8(ran.stdout).expect("UTF-8");
        let answer_set = printed.lines().find(|line| line.starts_with("does("));
        let plan = plan(answer_set.unwrap_or_else(|| panic!("{name}: {printed}")));
        assert!(wins(&Loaded::bundled(name).machine, &plan), "{name}: {plan:?}");
        let short = emm(&["encode", name, "--to", "asp", "--horizon", "0"]);
        std::fs::write(&file, &short.out).expect("a file");
        let ran = Command::new(&clingo).arg(&file).output().expect("clingo runs");
        assert_eq!(ran.status.code(), Some(20), "{name} is not won without a move");
    }
}

#[test]
fn the_search_prints_a_plan_that_wins() {
    for name in GAMES {
        let run = emm(&["solve", name]);
        let line = run
            .out
            .lines()
            .find_map(|line| line.trim().strip_prefix("a shortest way to it, in "));
        let (length, plan) = line.and_then(|line| line.split_once(": ")).expect("a plan");
        // Moves with arguments are in brackets, and no move here is a word beside others.
        let names = plan.trim_matches(['(', ')']).split(") (");
        let names: Vec<String> = match plan.starts_with('(') {
            true => names.map(|name| format!("({name})")).collect(),
            false => plan.split(' ').map(str::to_string).collect(),
        };
        assert!(length.starts_with(&names.len().to_string()), "{name}: {line:?}");
        assert!(wins(&Loaded::bundled(name).machine, &names), "{name}: {names:?}");
    }
}
