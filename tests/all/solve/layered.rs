//! The engine `layered` against `search`, on bundled and on random games.

use crate::support::random_game::{clauses, plans, text};
use crate::support::{machine, program};
use emm::game::Game;
use emm::games::bundled;
use emm::ground::{Limits, MoveId};
use emm::machine::packed::{Merging, Packed};
use emm::machine::{Bits, Machine};
use emm::solve::{
    Answer, Engine, Objective, Options, Outcome, Question, SolveError, StopReason, select, solve,
    solve_selected,
};
use emm::source::Source;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;

/// What must not depend on the engine; nothing if it ran out of time.
pub fn essence(answer: &Answer<Bits, MoveId>) -> Option<String> {
    let is_open = answer
        .first_moves
        .iter()
        .any(|first| first.value.lo != first.value.hi);
    match &answer.outcome {
        Outcome::Stopped(..) => None,
        _ if is_open => None,
        outcome => Some(format!("{outcome:?} {:?} {:?}", answer.first_moves, answer.notes)),
    }
}

/// Bytes of tables that a comparison may take: unlike a time, they are the same on every computer.
pub const SMALL: usize = 12 << 20;

/// The answers of the engine of these options and of `search` to questions about all players at once; nothing if
/// one ran out of memory or if the game is none for the engine.
pub fn compare(
    machine: &Machine,
    questions: &[Question<Bits>],
    options: &Options,
    place: &str,
) -> Option<()> {
    let by_search = Options {
        engine: Engine::Search,
        ..options.clone()
    };
    let expected: Vec<_> = questions
        .iter()
        .map(|question| essence(&solve(machine, question, &by_search).expect("an answer")))
        .collect::<Option<_>>()?;
    let found = match select(machine, questions, options)
        .and_then(|selected| solve_selected(machine, &selected, questions, options))
    {
        Err(SolveError::Unsuitable(_)) => return None,
        other => other.expect("an answer"),
    };
    for ((question, expected), found) in questions.iter().zip(expected).zip(&found) {
        assert_eq!(essence(found)?, expected, "{place} {question:?}");
    }
    Some(())
}

/// One question per player, for each way to make one of them random.
pub fn questions(machine: &Machine, horizon: Option<u32>, objective: Objective) -> Vec<Vec<Question<Bits>>> {
    let roles = machine.roles();
    let players: Vec<usize> = (0..roles.len()).filter(|&role| roles[role] != "random").collect();
    let ask = |role: usize, random: Option<usize>| {
        let mut question = Question {
            horizon,
            objective,
            ..Question::new(machine, role)
        };
        question.chance.extend(random);
        question
    };
    let mut all = vec![players.iter().map(|&role| ask(role, None)).collect()];
    if let [first, second] = players[..] {
        all.push(vec![ask(first, Some(second)), ask(second, Some(first))]);
    }
    all
}

/// How many questions about a game are answered alike. Horizons grow: what follows the first that takes too much
/// would take even more, and is not asked.
fn questions_answered_alike(machine: &Machine, name: &str) -> usize {
    let horizons = [Some(0), Some(1), Some(2), Some(3), Some(6), Some(7), None];
    let mut asked = 0;
    for (number, horizon) in horizons.into_iter().enumerate() {
        let objective = [Objective::Win, Objective::Goal, Objective::AtLeast(50)][number % 3];
        for questions in questions(machine, horizon, objective) {
            let options = Options {
                engine: Engine::Layered,
                threads: 1 + number % 2,
                memory: SMALL,
                ..Options::default()
            };
            if compare(machine, &questions, &options, name).is_none() {
                return asked;
            }
            asked += 1;
        }
    }
    asked
}

#[test]
fn layered_equals_search_on_bundled_games() {
    let (mut games, mut asked) = (0, 0);
    for game in bundled() {
        let machine = Machine::load(Source::new(game.name, game.text)).expect("a machine");
        let alike = questions_answered_alike(&machine, game.name);
        asked += alike;
        games += usize::from(alike > 0);
    }
    println!("{asked} questions about {games} games");
    assert!(
        games >= 40 && asked >= 200,
        "{asked} questions about {games} games"
    );
}

/// The machines of the usable ones among so many random games, and their texts.
pub fn random_games(count: usize) -> impl Iterator<Item = (Machine, String)> {
    let mut runner = TestRunner::deterministic();
    (0..count).filter_map(move |_| {
        let plan = plans().new_tree(&mut runner).expect("a plan").current();
        let text = text(&clauses(&plan));
        let limits = Limits {
            max_rules: 3_000,
            ..Limits::default()
        };
        let machine = machine(&program("random", &text).ok()?, &limits)?;
        Some((machine, text))
    })
}

#[test]
fn an_engine_that_there_is_no_time_to_prepare_is_selected_all_the_same() {
    let game = emm::games::find("s-tt-3x3-80").expect("a bundled game");
    let machine = Machine::load(Source::new(game.name, game.text)).expect("a machine");
    let questions = [Question::new(&machine, 0)];
    for engine in [Engine::Layered, Engine::Alphabeta, Engine::Sweep] {
        let options = Options {
            engine,
            stop: std::sync::Arc::new(true.into()),
            ..Options::default()
        };
        let selected = select(&machine, &questions, &options).expect("an engine");
        assert_eq!(selected.engine, engine);
        let answers = solve_selected(&machine, &selected, &questions, &options).expect("answers");
        let outcome = &answers[0].outcome;
        assert!(
            matches!(outcome, Outcome::Stopped(_, StopReason::Interrupt)),
            "{outcome:?}"
        );
    }
}

#[test]
fn layered_equals_search_on_random_games() {
    let (mut games, mut asked, mut composed) = (0, 0, 0);
    for (machine, place) in random_games(if cfg!(debug_assertions) { 40 } else { 400 }) {
        games += 1;
        let has_merged = |packed: Packed| packed.choices().iter().any(|choice| choice.outcomes() > 1);
        composed += usize::from(Packed::new(&machine, Merging::On, &|| false).is_some_and(has_merged));
        for horizon in [Some(1), Some(2), Some(3), Some(4), None] {
            for questions in questions(&machine, horizon, Objective::Goal) {
                let options = Options {
                    engine: Engine::Layered,
                    memory: SMALL,
                    ..Options::default()
                };
                asked += usize::from(compare(&machine, &questions, &options, &place).is_some());
            }
        }
    }
    println!("{asked} questions about {games} random games, {composed} with composed steps");
    assert!(
        cfg!(debug_assertions) || games >= 200 && asked >= 500,
        "{asked} questions about {games} games"
    );
}

#[test]
fn threads_change_nothing() {
    let game = emm::games::find("s-c3-4x4-80").expect("a bundled game");
    let machine = Machine::load(Source::new(game.name, game.text)).expect("a machine");
    let questions = &questions(&machine, None, Objective::Win)[0];
    let answers = [1, 2, 3, 7].map(|threads| {
        let options = Options {
            engine: Engine::Layered,
            threads,
            ..Options::default()
        };
        let selected = select(&machine, questions, &options).expect("an engine");
        let answers = solve_selected(&machine, &selected, questions, &options).expect("answers");
        let counts = (answers[0].statistics.visited, answers[0].statistics.edges);
        (answers.iter().map(essence).collect::<Vec<_>>(), counts)
    });
    assert!(answers.iter().all(|answer| *answer == answers[0]));
    assert_eq!(answers[0].1.0, 65_827);
}

#[test]
fn a_limit_leaves_a_proven_interval() {
    let game = emm::games::find("s-c4-4x4-80").expect("a bundled game");
    let machine = Machine::load(Source::new(game.name, game.text)).expect("a machine");
    let questions = &questions(&machine, None, Objective::Win)[0];
    let options = Options {
        engine: Engine::Layered,
        memory: 1 << 20,
        ..Options::default()
    };
    let selected = select(&machine, questions, &options).expect("an engine");
    let answers = solve_selected(&machine, &selected, questions, &options).expect("answers");
    for answer in answers {
        assert!(
            matches!(answer.outcome, Outcome::Stopped(..)),
            "{:?}",
            answer.outcome
        );
        assert!(answer.statistics.memory_bytes <= 1 << 20);
    }
}
