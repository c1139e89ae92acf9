//! The engines against each other on random games.

use emm::game::{Game, Position};
use emm::solve::{
    Answer, Arithmetic, Engine, FirstMoves, Note, Objective, Options, Outcome, Pruning, Question, Refusal,
    solve, solve_all_horizons,
};

use super::games::{RandomGame, Rng};
use super::{fraction, options};

/// All questions about a random game: every role, several objectives, every horizon and none, with one of
/// the other roles turned random or not.
fn questions(game: &RandomGame) -> Vec<Question<u16>> {
    let mut all = Vec::new();
    for role in 0..game.roles().len() {
        let plain = Question::new(game, role);
        if plain.chance.contains(&role) {
            continue;
        }
        let mut sides = vec![plain.chance.clone()];
        sides.extend(
            (0..game.roles().len())
                .find(|other| *other != role)
                .map(|other| vec![other]),
        );
        for chance in sides {
            for objective in [Objective::Win, Objective::Goal, Objective::AtLeast(50)] {
                for horizon in (0..=game.layers()).map(Some).chain([None]) {
                    all.push(Question {
                        chance: chance.clone(),
                        objective,
                        horizon,
                        ..plain.clone()
                    });
                }
            }
        }
    }
    all
}

/// What must not depend on how the answer was found.
fn essence(answer: &Answer<u16, u8>) -> impl PartialEq + std::fmt::Debug + use<> {
    (
        answer.outcome.clone(),
        answer.first_moves.clone(),
        answer.notes.clone(),
    )
}

#[test]
fn search_equals_reference_on_random_games() {
    let mut rng = Rng::new(1);
    let mut solved = 0;
    for number in 0..2500 {
        let game = RandomGame::generate(&mut rng);
        let all = questions(&game);
        // All questions on some games, a few on the others.
        let step = if number % 25 == 0 { 1 } else { 7 };
        for question in all.iter().skip(number % 7).step_by(step) {
            solved += usize::from(compare(&game, question));
        }
    }
    assert!(solved > 20_000, "only {solved} questions had a value");
}

/// Compares the engines on one question; says whether it had a value.
fn compare(game: &RandomGame, question: &Question<u16>) -> bool {
    let run = |options: &Options| solve(game, question, options).unwrap();
    let reference = run(&Options {
        engine: Engine::Reference,
        ..options()
    });
    let pruned = run(&options());
    let unpruned = run(&Options {
        pruning: Pruning::Off,
        ..options()
    });
    assert_eq!(essence(&pruned), essence(&unpruned), "{game:?} {question:?}");
    let float = run(&Options {
        arithmetic: Arithmetic::Float,
        ..options()
    });
    let plain = run(&Options {
        first_moves: FirstMoves::Skip,
        ..options()
    });
    assert_eq!(plain.outcome, pruned.outcome, "{game:?} {question:?}");
    match (&reference.outcome, &pruned.outcome) {
        (Outcome::Solved(expected), Outcome::Solved(found)) => {
            assert_eq!(expected, found, "{game:?} {question:?}");
            assert_eq!(reference.first_moves, pruned.first_moves, "{game:?} {question:?}");
            let kinds = |notes: &[Note<u16>]| {
                let mut kinds: Vec<_> = notes
                    .iter()
                    .map(|note| format!("{note:?}")[..5].to_owned())
                    .collect();
                kinds.sort();
                kinds
            };
            assert_eq!(
                kinds(&reference.notes),
                kinds(&pruned.notes),
                "{game:?} {question:?}"
            );
            let interval = float.outcome.interval().unwrap();
            assert!(interval.contains(expected), "{game:?} {question:?}");
            assert!(interval.hi.to_f64() - interval.lo.to_f64() < 1e-10);
            true
        }
        (Outcome::Refused(_), Outcome::Refused(refusal)) => {
            assert!(
                is_true(game, question, refusal),
                "{game:?} {question:?} {refusal:?}"
            );
            assert_eq!(float.outcome, pruned.outcome);
            false
        }
        (expected, found) => panic!("{expected:?} {found:?} {game:?} {question:?}"),
    }
}

/// Whether a refusal's witness is one.
fn is_true(game: &RandomGame, question: &Question<u16>, refusal: &Refusal<u16>) -> bool {
    let look = |state: u16| {
        let mut position = Position::new(game.roles().len());
        game.look(&state, &mut position).unwrap();
        position
    };
    match refusal {
        Refusal::Stuck { state, role } => !look(*state).terminal && look(*state).legal[*role].is_empty(),
        Refusal::SeveralGoals { state, role } => {
            look(*state).terminal
                && look(*state).goals[*role].len() > 1
                && question.objective == Objective::Goal
        }
        Refusal::Cycle(states) => {
            let next = states.iter().cycle().skip(1);
            question.horizon.is_none() && states.iter().zip(next).all(|(s, t)| game.leads_to(*s, *t))
        }
    }
}

#[test]
fn threads_do_not_change_the_answer() {
    let mut rng = Rng::new(2);
    for _ in 0..300 {
        let game = RandomGame::generate(&mut rng);
        for question in questions(&game).iter().step_by(5) {
            for arithmetic in [Arithmetic::Exact, Arithmetic::Float] {
                let one = solve(
                    &game,
                    question,
                    &Options {
                        arithmetic,
                        ..options()
                    },
                )
                .unwrap();
                let two = solve(
                    &game,
                    question,
                    &Options {
                        arithmetic,
                        threads: 2,
                        ..options()
                    },
                )
                .unwrap();
                assert_eq!(essence(&one), essence(&two), "{game:?} {question:?}");
            }
        }
    }
}

#[test]
fn the_generator_reaches_all_kinds_of_games() {
    let mut rng = Rng::new(1);
    let mut seen = std::collections::BTreeMap::<&str, usize>::new();
    for _ in 0..500 {
        let game = RandomGame::generate(&mut rng);
        for question in questions(&game) {
            let answer = solve(
                &game,
                &question,
                &Options {
                    engine: Engine::Reference,
                    ..options()
                },
            )
            .unwrap();
            let mut see = |kind| *seen.entry(kind).or_default() += 1;
            match &answer.outcome {
                Outcome::Refused(Refusal::Cycle(_)) => see("cycle"),
                Outcome::Refused(Refusal::Stuck { .. }) => see("stuck"),
                Outcome::Refused(Refusal::SeveralGoals { .. }) => see("several goals, refused"),
                Outcome::Solved(value) if *value == fraction(0, 1) => see("zero"),
                Outcome::Solved(value) if *value == fraction(1, 1) => see("one"),
                Outcome::Solved(_) => see("between"),
                other => panic!("{other:?}"),
            }
            for note in &answer.notes {
                see(match note {
                    Note::NotTurnTaking { .. } => "simultaneous",
                    Note::NoGoal { .. } => "no goal",
                    Note::SeveralGoals { .. } => "several goals",
                });
            }
            if let [first, ..] = &answer.first_moves[..] {
                see(if first.moves.iter().any(|(role, _)| *role == question.role) {
                    "max"
                } else {
                    "min"
                });
            }
        }
    }
    let kinds = [
        "cycle",
        "stuck",
        "several goals, refused",
        "zero",
        "one",
        "between",
        "simultaneous",
        "no goal",
        "several goals",
        "max",
        "min",
    ];
    for kind in kinds {
        assert!(
            seen.get(kind).is_some_and(|&count| count >= 20),
            "{kind}: {seen:?}"
        );
    }
}

#[test]
fn one_run_gives_the_values_for_all_horizons() {
    let mut rng = Rng::new(3);
    for _ in 0..150 {
        let game = RandomGame::generate(&mut rng);
        let role = (0..game.roles().len())
            .find(|&role| game.roles()[role] != "random")
            .unwrap();
        let question = Question::new(&game, role);
        let curve = solve_all_horizons(&game, &question, 9, &options()).unwrap();
        if let [Outcome::Refused(_)] = curve.outcomes[..] {
            continue;
        }
        assert_eq!(curve.outcomes.len(), 10);
        for (horizon, outcome) in curve.outcomes.iter().enumerate() {
            let question = Question {
                horizon: Some(horizon as u32),
                ..question.clone()
            };
            let reference = Options {
                engine: Engine::Reference,
                ..options()
            };
            assert_eq!(*outcome, solve(&game, &question, &reference).unwrap().outcome);
        }
    }
}
