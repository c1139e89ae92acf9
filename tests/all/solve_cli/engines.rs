//! The engines against each other on the bundled games.

use crate::run::{Run, emm_with_input};
use emm::check::check;
use emm::game::Game;
use emm::games::bundled;
use emm::machine::Machine;
use emm::reference::{Reference, ReferenceGame};
use emm::solve::{Answer, Engine, FirstMoves, Objective, Options, Outcome, Question, solve};
use emm::source::Source;
use emm::syntax;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// For each question and engine; a game that takes longer is not small.
const PATIENCE: Duration = Duration::from_millis(60);
/// For all games together.
const BUDGET: Duration = Duration::from_secs(40);
/// Horizons that are compared.
const HORIZONS: [Option<u32>; 8] = [
    Some(0),
    Some(1),
    Some(2),
    Some(3),
    Some(5),
    Some(8),
    Some(13),
    None,
];

fn reference(text: &str) -> ReferenceGame {
    let parsed = syntax::parse(Arc::new(Source::new("game", text)), None);
    let program = check(&parsed.description).program.expect("a program");
    ReferenceGame::new(Reference::new(&program).expect("a reference"))
}

/// What must not depend on the engine: the value, and the names and values of the first moves. Nothing
/// if the engine ran out of time.
fn essence<G: Game>(game: &G, answer: &Answer<G::State, G::Move>) -> Option<(String, Vec<String>)> {
    let outcome = match &answer.outcome {
        Outcome::Stopped(..) => return None,
        Outcome::Solved(value) => value.to_string(),
        other => format!("{other:?}").split(['(', ' ', '{']).take(3).collect(),
    };
    let mut moves: Vec<String> = answer
        .first_moves
        .iter()
        .map(|first| {
            let names: Vec<String> = first
                .moves
                .iter()
                .map(|&(role, mv)| game.move_name(role, mv))
                .collect();
            format!("{} {} {}", names.join(" "), first.value.lo, first.optimal)
        })
        .collect();
    moves.sort();
    Some((outcome, moves))
}

fn ask<G: Game>(
    game: &G,
    role: usize,
    random: Option<usize>,
    objective: Objective,
    horizon: Option<u32>,
    engine: Engine,
) -> Option<(String, Vec<String>)> {
    let mut question = Question {
        objective,
        horizon,
        ..Question::new(game, role)
    };
    question.chance.extend(random);
    let options = Options {
        engine,
        first_moves: FirstMoves::Every,
        deadline: Instant::now().checked_add(PATIENCE),
        ..Options::default()
    };
    essence(game, &solve(game, &question, &options).expect("an answer"))
}

#[test]
fn search_on_the_machine_equals_the_reference_on_small_bundled_games() {
    let end = Instant::now() + BUDGET;
    let (mut games, mut questions) = (0, 0);
    for game in bundled() {
        if Instant::now() >= end {
            break;
        }
        let oracle = reference(game.text);
        // Only a game that the oracle can do at all is compared.
        if ask(&oracle, 0, None, Objective::Win, None, Engine::Reference).is_none() {
            continue;
        }
        let compiled = Machine::load(Source::new(game.name, game.text)).expect("a machine");
        games += 1;
        for role in (0..oracle.roles().len()).filter(|&role| oracle.roles()[role] != "random") {
            let others =
                (0..oracle.roles().len()).find(|&other| other != role && oracle.roles()[other] != "random");
            for random in [None, others] {
                for objective in [Objective::Win, Objective::Goal, Objective::AtLeast(50)] {
                    for horizon in HORIZONS {
                        if Instant::now() >= end {
                            continue;
                        }
                        let expected = ask(&oracle, role, random, objective, horizon, Engine::Reference);
                        let found = ask(&compiled, role, random, objective, horizon, Engine::Search);
                        if let (Some(expected), Some(found)) = (expected, found) {
                            let place = format!("{} {role} {random:?} {objective:?} {horizon:?}", game.name);
                            assert_eq!(found, expected, "{place}");
                            questions += 1;
                        }
                    }
                }
            }
        }
    }
    println!("{questions} questions about {games} games");
    assert!(
        games >= 2 && questions >= 100,
        "{questions} questions about {games} games"
    );
}

#[test]
fn what_is_too_much_for_one_engine_is_left_to_another() {
    // The probability to see heads within 4200 tosses has a denominator of 4200 bits.
    let text = "role(x). role(random). init(alive). legal(x,wait). legal(random,h). legal(random,t).\n\
                next(alive). next(hit) :- does(random,h). terminal :- true(hit).\n\
                goal(x,100) :- true(hit). goal(x,0) :- not true(hit).\n";
    let run = |engine: &str| {
        let question = ["solve", "-", "--horizon", "4200", "--explain", "--engine", engine];
        emm_with_input(&question, text)
    };
    let (auto, search, layered) = (run("auto"), run("search"), run("layered"));
    assert_eq!((auto.code, search.code), (0, 0), "{}{}", auto.err, search.err);
    let too_much = "the denominator of the value has more than 4096 bits";
    assert!(
        layered.code == 1 && layered.err.contains(too_much),
        "{}",
        layered.err
    );
    assert!(auto.err.contains(too_much), "{}", auto.err);
    let value = |run: &Run| {
        run.out
            .lines()
            .find(|line| line.contains("exactly"))
            .map(str::to_string)
    };
    assert!(value(&auto).is_some());
    assert_eq!(value(&auto), value(&search));
}
