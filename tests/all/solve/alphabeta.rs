//! The engine `alphabeta` against `search` and against the definition, on bundled and on random games.

use super::layered::{SMALL, compare, essence, questions, random_games};
use crate::support::program;
use emm::games::bundled;
use emm::ground::{Limits, MoveId};
use emm::machine::{Bits, Machine};
use emm::solve::{
    Answer, Engine, FirstMoves, Objective, Options, Outcome, Question, SolveError, StopReason, select, solve,
    solve_selected,
};
use emm::source::Source;
use emm::symmetry::Symmetries;
use std::sync::Arc;
use std::time::{Duration, Instant};

fn options() -> Options {
    Options {
        engine: Engine::Alphabeta,
        ..Options::default()
    }
}

fn bundled_machine(name: &str) -> Machine {
    let game = emm::games::find(name).expect("a bundled game");
    Machine::load(Source::new(game.name, game.text)).expect("a machine")
}

/// One question per player, all of them without chance.
fn asked(machine: &Machine, horizon: Option<u32>, objective: Objective) -> Vec<Question<Bits>> {
    questions(machine, horizon, objective).swap_remove(0)
}

fn answers(machine: &Machine, questions: &[Question<Bits>], options: &Options) -> Vec<Answer<Bits, MoveId>> {
    // A limit may leave no time to select it.
    let unlimited = Options {
        deadline: None,
        stop: Arc::default(),
        ..options.clone()
    };
    let selected = select(machine, questions, &unlimited).expect("an engine");
    assert_eq!(selected.engine, Engine::Alphabeta);
    solve_selected(machine, &selected, questions, options).expect("answers")
}

const OBJECTIVES: [Objective; 3] = [Objective::Win, Objective::Goal, Objective::AtLeast(50)];

#[test]
fn alphabeta_equals_search_on_bundled_games() {
    let horizons = [0, 1, 2, 3, 4, 5, 6, 7, 9, 12]
        .map(Some)
        .into_iter()
        .chain([None]);
    let (mut games, mut alike) = (0, 0);
    for game in bundled() {
        let machine = Machine::load(Source::new(game.name, game.text)).expect("a machine");
        let before = alike;
        for (number, horizon) in horizons.clone().enumerate() {
            let questions = asked(&machine, horizon, OBJECTIVES[number % 3]);
            let options = Options {
                threads: 1 + number % 2,
                memory: SMALL,
                ..options()
            };
            if compare(&machine, &questions, &options, game.name).is_none() {
                break;
            }
            alike += questions.len();
        }
        games += usize::from(alike > before);
    }
    println!("{alike} questions about {games} games");
    assert!(
        games >= 15 && alike >= 150,
        "{alike} questions about {games} games"
    );
}

/// Random games in which nobody moves at random: `random` is one of the other players.
#[test]
fn alphabeta_equals_search_and_the_definition_on_random_games() {
    let (mut games, mut alike, mut defined) = (0, 0, 0);
    for (machine, place) in random_games(if cfg!(debug_assertions) { 40 } else { 300 }) {
        games += 1;
        let horizons = [1, 2, 3, 4].map(Some).into_iter().chain([None]);
        for (number, horizon) in horizons.enumerate() {
            let mut questions = asked(&machine, horizon, OBJECTIVES[(games + number) % 3]);
            questions.iter_mut().for_each(|question| question.chance.clear());
            let options = |engine| Options {
                engine,
                memory: [usize::MAX, 0][number % 2],
                deadline: Instant::now().checked_add(Duration::from_millis(50)),
                ..Options::default()
            };
            if compare(&machine, &questions, &options(Engine::Alphabeta), &place).is_none() {
                continue;
            }
            alike += questions.len();
            let definition = solve(&machine, &questions[0], &options(Engine::Reference)).expect("an answer");
            let found = solve_one(&machine, &questions[0], &options(Engine::Alphabeta));
            if let (Outcome::Solved(expected), Outcome::Solved(found)) = (&definition.outcome, &found.outcome)
            {
                assert_eq!(expected, found, "{place}");
                // A run that is out of time may know the value and not all first moves.
                let patient = Options {
                    deadline: None,
                    ..options(Engine::Alphabeta)
                };
                let first_moves = solve_one(&machine, &questions[0], &patient).first_moves;
                assert_eq!(definition.first_moves, first_moves, "{place}");
                defined += 1;
            }
        }
    }
    println!("{alike} and {defined} questions about {games} random games");
    assert!(
        cfg!(debug_assertions) || games >= 150 && alike >= 300 && defined >= 100,
        "{alike} and {defined} questions about {games} games"
    );
}

fn solve_one(machine: &Machine, question: &Question<Bits>, options: &Options) -> Answer<Bits, MoveId> {
    answers(machine, std::slice::from_ref(question), options).remove(0)
}

#[test]
fn neither_threads_nor_the_size_of_the_table_change_an_answer() {
    for (name, horizon) in [
        ("c4-4x4", None),
        ("c4-4x4", Some(11)),
        ("gttt-4x4-1-1-elly", Some(7)),
        ("breakthrough-3x4", Some(13)),
    ] {
        let machine = bundled_machine(name);
        for objective in OBJECTIVES {
            let questions = asked(&machine, horizon, objective);
            let found = [
                (1, usize::MAX),
                (1, 0),
                (1, 1 << 10),
                (2, 1 << 10),
                (2, usize::MAX),
                (3, 0),
            ]
            .map(|(threads, memory)| {
                let options = Options {
                    threads,
                    memory,
                    ..options()
                };
                let answers = answers(&machine, &questions, &options);
                answers.iter().map(essence).collect::<Option<Vec<_>>>()
            });
            assert!(found[0].is_some());
            assert!(
                found.iter().all(|other| *other == found[0]),
                "{name} {objective:?}"
            );
        }
    }
}

#[test]
fn symmetry_changes_no_answer() {
    for name in ["tt-3x3", "c4-4x4", "gttt-4x4-1-1-knobby", "dots-and-boxes-2x2"] {
        let game = emm::games::find(name).expect("a bundled game");
        let program = program(name, game.text).expect("a program");
        let ground = emm::ground::ground(&program, &Limits::default()).expect("a ground program");
        let build = || emm::propnet::Propnet::build(&ground.program).expect("a network");
        let (net, _) = build();
        let symmetries = Symmetries::find(&ground.program, &net, &Default::default());
        let machine = |symmetries: Option<&Symmetries>| {
            let (net, reduction) = build();
            let machine = Machine::new(net, reduction);
            match symmetries {
                Some(symmetries) => machine.with_symmetries(symmetries),
                None => machine,
            }
        };
        let (plain, symmetric) = (machine(None), machine(Some(&symmetries)));
        for (horizon, objective) in [(None, Objective::Win), (Some(5), Objective::Goal)] {
            let found = [&plain, &symmetric].map(|machine| {
                let found = answers(machine, &asked(machine, horizon, objective), &options());
                let visited = found[0].statistics.visited;
                (found.iter().map(essence).collect::<Vec<_>>(), visited)
            });
            assert_eq!(found[0].0, found[1].0, "{name} {horizon:?}");
            assert!(horizon.is_some() || found[1].1 < found[0].1, "{name} {found:?}");
        }
    }
}

#[test]
fn a_limit_leaves_a_proven_interval() {
    let machine = bundled_machine("c4-5x5");
    let question = &asked(&machine, None, Objective::Goal)[0];
    let value = |first_moves, milliseconds| {
        let options = Options {
            first_moves,
            deadline: Instant::now().checked_add(Duration::from_millis(milliseconds)),
            ..options()
        };
        solve_one(&machine, question, &options)
    };
    let solved = value(FirstMoves::Skip, 100_000);
    let Outcome::Solved(solved) = solved.outcome else {
        panic!("{:?}", solved.outcome);
    };
    for first_moves in [FirstMoves::Every, FirstMoves::Skip] {
        let stopped = value(first_moves, 1);
        let Outcome::Stopped(interval, StopReason::Time) = stopped.outcome else {
            panic!("{:?}", stopped.outcome);
        };
        assert!(interval.contains(&solved));
        let is_open = |first: &emm::solve::FirstMove<MoveId>| first.value.lo < first.value.hi;
        assert!(
            stopped
                .first_moves
                .iter()
                .all(|first| is_open(first) || first.value.contains(&solved))
        );
    }
    let stopped = Options {
        stop: Arc::new(true.into()),
        ..options()
    };
    let outcome = solve_one(&machine, question, &stopped).outcome;
    assert!(
        matches!(outcome, Outcome::Stopped(_, StopReason::Interrupt)),
        "{outcome:?}"
    );
}

#[test]
fn chance_is_for_other_engines() {
    let machine = bundled_machine("c4-4x4");
    let all = questions(&machine, None, Objective::Win);
    let auto = Options {
        engine: Engine::Auto,
        ..options()
    };
    assert!(matches!(
        select(&machine, &all[1], &options()),
        Err(SolveError::Unsuitable("something is left to chance"))
    ));
    let chosen = |questions| select(&machine, questions, &auto).expect("an engine").engine;
    assert_eq!(
        (chosen(&all[0]), chosen(&all[1])),
        (Engine::Alphabeta, Engine::Layered)
    );
}

/// States, which change when and only when the engine works differently: a change of these numbers must be meant,
/// and be told with the change that causes it.
#[test]
fn the_engine_has_its_fingerprint() {
    let found = [
        ("c4-4x4", None),
        ("gttt-4x4-1-1-elly", Some(7)),
        ("breakthrough-3x4", Some(19)),
        ("dots-and-boxes-2x3", None),
    ]
    .map(|(name, horizon)| {
        let machine = bundled_machine(name);
        let question = &asked(&machine, horizon, Objective::Win)[0];
        solve_one(&machine, question, &options()).statistics.visited
    });
    assert_eq!(found, [3039, 4278, 161, 28216]);
}
