//! The engine `sweep` against the others, where it can answer, and its refusals where it cannot.

use super::layered::{SMALL, essence, questions};
use crate::support::{machine, program};
use emm::game::{Game, Position};
use emm::games::{bundled, find};
use emm::ground::{Limits, MoveId};
use emm::machine::{Bits, Machine};
use emm::solve::{
    Answer, Engine, Objective, Options, Outcome, Question, SolveError, Start, select, solve, solve_selected,
};
use emm::source::Source;

fn load(name: &str) -> Machine {
    let game = find(name).expect("a bundled game");
    Machine::load(Source::new(game.name, game.text)).expect("a machine")
}

fn answers(
    machine: &Machine,
    questions: &[Question<Bits>],
    options: &Options,
) -> Result<Vec<Answer<Bits, MoveId>>, SolveError> {
    let selected = select(machine, questions, options)?;
    solve_selected(machine, &selected, questions, options)
}

fn with(engine: Engine) -> Options {
    Options {
        engine,
        ..Options::default()
    }
}

/// Compares `sweep` with `search` and `layered`; nothing if one ran out of memory, an error if `sweep` cannot answer.
fn compare(
    machine: &Machine,
    questions: &[Question<Bits>],
    options: &Options,
    place: &str,
) -> Result<Option<()>, &'static str> {
    let options = |engine| Options {
        engine,
        ..options.clone()
    };
    let found = match answers(machine, questions, &options(Engine::Sweep)) {
        Err(SolveError::Unsuitable(why)) => return Err(why),
        other => other.expect("answers"),
    };
    let layered = answers(machine, questions, &options(Engine::Layered)).expect("answers");
    for ((question, found), layered) in questions.iter().zip(&found).zip(&layered) {
        let search = solve(machine, question, &options(Engine::Search)).expect("an answer");
        let essences = [found, layered, &search].map(essence);
        if essences.iter().any(Option::is_none) {
            return Ok(None);
        }
        assert_eq!(essences[0], essences[1], "{place} {question:?}");
        assert_eq!(essences[0], essences[2], "{place} {question:?}");
    }
    Ok(Some(()))
}

#[test]
fn sweep_equals_the_other_engines_on_bundled_games() {
    let horizons = [Some(1), Some(2), Some(3), Some(4), Some(7), Some(10), None];
    let (mut names, mut asked) = (Vec::new(), 0);
    for game in bundled() {
        let compiled = Machine::load(Source::new(game.name, game.text)).expect("a machine");
        let before = asked;
        'game: for (number, horizon) in horizons.into_iter().enumerate() {
            for mut questions in questions(&compiled, horizon, Objective::Win) {
                let options = Options {
                    threads: 1 + number % 3,
                    memory: SMALL,
                    ..Options::default()
                };
                for objective in [Objective::Win, Objective::Goal, Objective::AtLeast(50)] {
                    questions
                        .iter_mut()
                        .for_each(|question| question.objective = objective);
                    match compare(&compiled, &questions, &options, game.name) {
                        Ok(Some(())) => asked += 1,
                        // Larger horizons take even more.
                        Ok(None) => break 'game,
                        // It is the rules that do not suit, whatever the objective.
                        Err(_) => break,
                    }
                }
            }
        }
        if asked > before {
            names.push(game.name);
        }
    }
    println!("{asked} questions about {names:?}");
    for name in [
        "s-tt-3x3-50",
        "s-tt-3x3-80",
        "s-tt-3x4-80",
        "s-tt-4x4-80",
        "tt-3x3",
    ] {
        assert!(names.contains(&name), "{name} is missing in {names:?}");
    }
    assert!(asked >= 60, "{asked} questions about {names:?}");
}

#[test]
fn every_combination_is_visited_once_for_any_number_of_threads() {
    for (name, states, edges) in [
        ("s-tt-3x3-80", 11_093, 80_150),
        ("s-tt-3x4-80", 212_109, 2_102_296),
    ] {
        let machine = load(name);
        let questions = &questions(&machine, None, Objective::Win)[0];
        let found = [1, 2, 3].map(|threads| {
            let options = Options {
                threads,
                ..with(Engine::Sweep)
            };
            let answers = answers(&machine, questions, &options).expect("answers");
            let counts = (answers[0].statistics.visited, answers[0].statistics.edges);
            assert_eq!(counts, (states, edges), "{name}");
            answers.iter().map(essence).collect::<Vec<_>>()
        });
        assert!(found[0][0].is_some() && found.iter().all(|other| *other == found[0]));
    }
}

#[test]
fn plays_may_start_on_a_board_with_marks() {
    let machine = load("s-tt-3x4-80");
    let mut state = machine.initial();
    let mut position = Position::new(machine.roles().len());
    for step in 0..8 {
        machine.look(&state, &mut position).expect("a look");
        let joint: Vec<MoveId> = position
            .legal
            .iter()
            .map(|moves| moves[(5 * step) % moves.len()])
            .collect();
        state = machine.next(&state, &joint).expect("a successor");
        if step % 2 == 1 {
            let mut questions = questions(&machine, None, Objective::Win).remove(0);
            for question in &mut questions {
                question.start = Start::Reached(state.clone());
            }
            let found = compare(&machine, &questions, &Options::default(), "s-tt-3x4-80");
            assert_eq!(found, Ok(Some(())), "after {} steps", step + 1);
        }
    }
}

/// Stochastic tic-tac-toe with another rule in the place of one.
fn variant(rule: &str, other: &str) -> Machine {
    let text = find("s-tt-3x3-80").expect("a bundled game").text;
    assert!(text.contains(rule), "{rule}");
    let program = program("variant", &text.replace(rule, other)).expect("a program");
    machine(&program, &Limits::default()).expect("a machine")
}

/// Why `sweep` does not answer; `layered` and `search` do, and agree.
fn refusal(machine: &Machine, horizon: u32) -> &'static str {
    let questions = &questions(machine, Some(horizon), Objective::Win)[0];
    let layered = answers(machine, questions, &with(Engine::Layered)).expect("answers");
    let search = solve(machine, &questions[0], &with(Engine::Search)).expect("an answer");
    assert_eq!(essence(&layered[0]), essence(&search));
    let auto = select(machine, questions, &with(Engine::Auto)).expect("an engine");
    assert_ne!(auto.engine, Engine::Sweep);
    match answers(machine, questions, &with(Engine::Sweep)) {
        Err(SolveError::Unsuitable(why)) => why,
        other => panic!("{other:?}"),
    }
}

const STAYS: &str = "(<= (next (cell ?c ?r ?p)) (true (cell ?c ?r ?p)))";
const TURNS: &str = "(<= (next (turn ?p)) (true (turn ?q)) (opponent ?p ?q) tossing)";

#[test]
fn a_cell_that_can_be_emptied_again_is_no_board_that_fills_up() {
    let emptied = "(<= (next (cell ?c ?r ?p)) (true (cell ?c ?r ?p)) (not (swept ?c ?r)))
        (<= (swept 2 2) tossing (marked 1 1))";
    let why = refusal(&variant(STAYS, emptied), 6);
    assert!(why.contains("not every step fills exactly one part"), "{why}");
}

#[test]
fn a_mark_that_changes_its_owner_is_no_board_that_fills_up() {
    let turned = "(<= (next (cell ?c ?r ?p)) (true (cell ?c ?r ?p)) (not (turned ?c ?r)))
        (<= (next (cell ?c ?r ?p)) (true (cell ?c ?r ?q)) (opponent ?p ?q) (turned ?c ?r))
        (<= (turned 2 2) tossing (marked 1 1))";
    let why = refusal(&variant(STAYS, turned), 6);
    assert!(why.contains("not every step fills exactly one part"), "{why}");
}

#[test]
fn a_turn_that_depends_on_the_board_is_refused() {
    let stays = "(<= (next (turn ?p)) (true (turn ?q)) (opponent ?p ?q) tossing (not (marked 1 1)))
        (<= (next (turn ?p)) (true (turn ?p)) tossing (marked 1 1))";
    let why = refusal(&variant(TURNS, stays), 6);
    assert!(why.contains("what does not fill up"), "{why}");
}

#[test]
fn a_limit_leaves_a_proven_interval() {
    let machine = load("s-tt-3x4-80");
    let questions = &questions(&machine, None, Objective::Win)[0];
    let options = Options {
        memory: 1 << 16,
        ..with(Engine::Sweep)
    };
    for answer in answers(&machine, questions, &options).expect("answers") {
        assert!(matches!(answer.outcome, Outcome::Stopped(..)));
    }
}

#[test]
fn auto_sweeps_where_positions_are_all_ways_to_fill_a_board() {
    let engine = |name: &str| {
        let machine = load(name);
        let questions = &questions(&machine, None, Objective::Win)[0];
        let selected = select(&machine, questions, &with(Engine::Auto)).expect("an engine");
        selected.engine
    };
    // These machines know no symmetries.
    assert_eq!(engine("s-tt-3x4-80"), Engine::Sweep);
    assert_eq!(engine("s-c4-4x4-80"), Engine::Layered);
    assert_eq!(engine("tt-3x3"), Engine::Alphabeta);
}
