//! The engines against each other, against known values, and against their limits.

mod solve_games;

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use emm::game::{Game, Position, Proven};
use emm::reference::{Reference, ReferenceGame};
use emm::solve::{
    Answer, Arithmetic, Engine, FirstMoves, Fraction, Note, Objective, Options, Outcome, Pruning, Question,
    Refusal, Start, StopReason, solve, solve_all_horizons,
};
use emm::source::Source;
use num_bigint::BigUint;
use solve_games::{Chain, CoinNim, RandomGame, Rng, TicTacToe};

fn fraction(numerator: u64, denominator: u64) -> Fraction {
    Fraction::new(numerator, denominator).unwrap()
}

fn options() -> Options {
    Options::default()
}

fn value<G: Game>(game: &G, question: &Question<G::State>, options: &Options) -> Fraction {
    match solve(game, question, options).unwrap().outcome {
        Outcome::Solved(value) => value,
        other => panic!("{other:?}"),
    }
}

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
    for _ in 0..60 {
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

#[test]
fn tic_tac_toe_against_random_has_the_published_values() {
    let game = TicTacToe;
    let against_random = |role: usize| Question {
        chance: vec![1 - role],
        ..Question::new(&game, role)
    };
    let first = value(&game, &against_random(0), &options());
    let second = value(&game, &against_random(1), &options());
    assert_eq!(first, fraction(191, 192));
    assert_eq!(second, fraction(887, 945));
    assert_eq!(
        (first.percent(), second.percent()),
        ("99.48".into(), "93.86".into())
    );
    let draw = Question {
        objective: Objective::AtLeast(50),
        ..Question::new(&game, 0)
    };
    assert_eq!(value(&game, &draw, &options()), fraction(1, 1));
    assert_eq!(value(&game, &Question::new(&game, 0), &options()), fraction(0, 1));
    assert_eq!(
        value(
            &game,
            &Question {
                objective: Objective::Goal,
                ..draw
            },
            &options()
        ),
        fraction(50, 1)
    );
}

#[test]
fn first_moves_have_their_own_values() {
    let game = TicTacToe;
    let question = Question {
        chance: vec![1],
        ..Question::new(&game, 0)
    };
    let answer = solve(&game, &question, &options()).unwrap();
    assert_eq!(answer.first_moves.len(), 9);
    let values: Vec<String> = answer
        .first_moves
        .iter()
        .map(|first| first.value.lo.percent())
        .collect();
    assert_eq!(values[0], values[8]);
    let best: Vec<usize> = (0..9).filter(|&cell| answer.first_moves[cell].optimal).collect();
    assert_eq!(best, [0, 2, 6, 8], "{values:?}");
    // After the first move it is chance's turn.
    let state = game.next(&game.initial(), &[1, 0]).unwrap();
    let after = Question {
        start: Start::Reached(state),
        ..question
    };
    assert!(solve(&game, &after, &options()).unwrap().first_moves.is_empty());
    // The minimising side's choices are shown if it is its turn.
    let other = Question::new(&game, 1);
    let answer = solve(&game, &other, &options()).unwrap();
    assert!(
        answer
            .first_moves
            .iter()
            .all(|first| first.moves[0].0 == 0 && first.optimal)
    );
}

#[test]
fn nim_with_a_coin_is_fair_to_nobody() {
    let game = CoinNim { heap: 12 };
    let values: Vec<Fraction> = (0..2)
        .map(|role| value(&game, &Question::new(&game, role), &options()))
        .collect();
    let reference = Options {
        engine: Engine::Reference,
        ..options()
    };
    for role in 0..2 {
        assert_eq!(
            values[role],
            value(&game, &Question::new(&game, role), &reference)
        );
    }
    // A win of one is a loss of the other.
    let sum = values[0].to_f64() + values[1].to_f64();
    assert!((sum - 1.0).abs() < 1e-12, "{values:?}");
}

#[test]
fn an_entry_for_many_steps_is_not_used_for_few() {
    // The win is five steps away: horizons below see nothing of it, whatever was asked before.
    let game = Chain {
        length: 5,
        proven: Proven::default(),
    };
    let curve = solve_all_horizons(&game, &Question::new(&game, 0), 7, &options()).unwrap();
    let values: Vec<_> = curve
        .outcomes
        .iter()
        .map(|outcome| outcome.interval().unwrap().lo)
        .collect();
    let (zero, one) = (fraction(0, 1), fraction(1, 1));
    assert_eq!(
        values,
        [&zero, &zero, &zero, &zero, &zero, &one, &one, &one].map(Clone::clone)
    );
}

#[test]
fn deep_games_do_not_overflow_the_stack() {
    let game = Chain {
        length: 50_000,
        proven: Proven::default(),
    };
    let answer = solve(&game, &Question::new(&game, 0), &options()).unwrap();
    assert_eq!(answer.outcome, Outcome::Solved(fraction(1, 1)));
    assert_eq!(answer.statistics.longest_play, Some(50_000));
    let game = Chain {
        length: 300_000,
        proven: Proven::default(),
    };
    let answer = solve(
        &game,
        &Question::new(&game, 0),
        &Options {
            threads: 2,
            ..options()
        },
    )
    .unwrap();
    let Outcome::Stopped(interval, StopReason::Depth) = answer.outcome else {
        panic!("{:?}", answer.outcome);
    };
    assert!(interval.contains(&fraction(1, 1)));
}

#[test]
fn what_the_game_proves_is_not_checked() {
    let proven = Proven {
        longest_play: Some(9),
        turn_taking: true,
        always_a_move: true,
        one_goal: true,
    };
    let game = Chain { length: 9, proven };
    let answer = solve(&game, &Question::new(&game, 0), &options()).unwrap();
    assert_eq!(
        (answer.outcome, answer.statistics.explored),
        (Outcome::Solved(fraction(1, 1)), 0)
    );
    // A state from elsewhere is not covered by the proof.
    let given = Question {
        start: Start::Given(3),
        ..Question::new(&game, 0)
    };
    assert_eq!(solve(&game, &given, &options()).unwrap().statistics.explored, 7);
}

#[test]
fn a_limit_leaves_a_proven_interval() {
    let game = solve_games::Quick(TicTacToe);
    let question = Question {
        chance: vec![1],
        ..Question::new(&game, 0)
    };
    let truth = fraction(191, 192);
    let mut narrower = 0;
    for kilobytes in [0, 1, 10, 50, 100, 150, 200, 250, 300, 400, 100_000] {
        for threads in [1, 2] {
            let limited = Options {
                memory: kilobytes << 10,
                threads,
                ..options()
            };
            let answer = solve(&game, &question, &limited).unwrap();
            let interval = answer.outcome.interval().unwrap();
            assert!(interval.contains(&truth), "{kilobytes} {interval:?}");
            assert!(answer.statistics.memory_bytes <= (kilobytes << 10) as u64);
            match answer.outcome {
                Outcome::Stopped(interval, reason) => {
                    assert_eq!(reason, StopReason::Memory);
                    narrower += usize::from(interval.lo > fraction(0, 1) || interval.hi < fraction(1, 1));
                }
                outcome => assert_eq!(outcome, Outcome::Solved(truth.clone())),
            }
        }
    }
    assert!(narrower > 0);
}

#[test]
fn time_and_interruption_end_a_run() {
    let game = TicTacToe;
    let question = Question::new(&game, 0);
    let late = Options {
        deadline: Some(Instant::now()),
        ..options()
    };
    for engine in [Engine::Search, Engine::Reference] {
        let answer = solve(
            &game,
            &question,
            &Options {
                engine,
                ..late.clone()
            },
        )
        .unwrap();
        assert!(matches!(answer.outcome, Outcome::Stopped(_, StopReason::Time)));
    }
    let stopped = options();
    stopped.stop.store(true, Ordering::Relaxed);
    let answer = solve(&game, &question, &stopped).unwrap();
    assert!(matches!(
        answer.outcome,
        Outcome::Stopped(_, StopReason::Interrupt)
    ));
}

#[test]
fn a_deadline_in_the_middle_leaves_a_proven_interval() {
    let game = solve_games::Quick(TicTacToe);
    let question = Question {
        chance: vec![1],
        ..Question::new(&game, 0)
    };
    for micros in [200, 1000, 3000, 10_000] {
        let deadline = Some(Instant::now() + Duration::from_micros(micros));
        let answer = solve(
            &game,
            &question,
            &Options {
                deadline,
                ..options()
            },
        )
        .unwrap();
        assert!(answer.outcome.interval().unwrap().contains(&fraction(191, 192)));
    }
}

#[test]
fn the_search_has_its_fingerprint() {
    let game = TicTacToe;
    let against_random = Question {
        chance: vec![1],
        ..Question::new(&game, 0)
    };
    let count = |question: &Question<_>, pruning, first_moves| {
        let answer = solve(
            &game,
            question,
            &Options {
                pruning,
                first_moves,
                ..options()
            },
        )
        .unwrap();
        (answer.statistics.visited, answer.statistics.edges)
    };
    assert_eq!(
        count(&against_random, Pruning::Off, FirstMoves::Every),
        (4520, 16167)
    );
    assert_eq!(
        count(&against_random, Pruning::On, FirstMoves::Every),
        (4019, 14256)
    );
    assert_eq!(
        count(&against_random, Pruning::On, FirstMoves::Skip),
        (2587, 8783)
    );
    assert_eq!(
        count(&Question::new(&game, 1), Pruning::On, FirstMoves::Skip),
        (276, 892)
    );
}

#[test]
fn fractions_print_rounded_half_up() {
    assert_eq!(fraction(99_995, 100_000).percent(), "100.00");
    assert_eq!(fraction(999_949, 1_000_000).percent(), "99.99");
    assert_eq!(fraction(1, 3).decimal(10), "0.3333333333");
    assert_eq!(fraction(1, 2).decimal(0), "1");
    assert_eq!(fraction(5, 1).to_string(), "5");
    assert_eq!(Fraction::from_f64(0.375), Fraction::new(3, 8));
    assert_eq!(Fraction::from_f64(-1.0), None);
    assert!(Fraction::new(1, 0).is_none());
    assert!(fraction(u64::MAX - 1, u64::MAX) < fraction(u64::MAX, u64::MAX));
}

#[test]
fn fractions_grow_beyond_machine_words() {
    // 200 coins, each worth half of the next: the value has 200 binary digits.
    let game = solve_games::Coins { count: 200 };
    let exact = value(&game, &Question::new(&game, 0), &options());
    let reference = value(
        &game,
        &Question::new(&game, 0),
        &Options {
            engine: Engine::Reference,
            ..options()
        },
    );
    assert_eq!(exact, reference);
    assert_eq!(exact.denominator(), BigUint::from(2u8).pow(200));
    let float = solve(
        &game,
        &Question::new(&game, 0),
        &Options {
            arithmetic: Arithmetic::Float,
            ..options()
        },
    );
    assert!(float.unwrap().outcome.interval().unwrap().contains(&exact));
}

/// A bundled game behind the reference reasoner.
fn bundled(name: &str) -> ReferenceGame {
    let text = emm::games::find(name).unwrap().text;
    let parsed = emm::syntax::parse(Arc::new(Source::new(name, text)), None);
    let program = emm::check::check(&parsed.description).program.unwrap();
    ReferenceGame::new(Reference::new(&program).unwrap())
}

#[test]
fn bundled_games_have_their_values_by_both_engines() {
    let reference = Options {
        engine: Engine::Reference,
        ..options()
    };
    let cases = [
        ("chuck-a-luck", (91, 216)),
        ("gamblers-ruin", (32, 125)),
        ("one-shot", (2, 3)),
    ];
    for (name, (numerator, denominator)) in cases {
        let game = bundled(name);
        let question = Question::new(&game, 0);
        assert_eq!(
            value(&game, &question, &options()),
            fraction(numerator, denominator),
            "{name}"
        );
        assert_eq!(
            value(&game, &question, &reference),
            fraction(numerator, denominator),
            "{name}"
        );
    }
    let game = bundled("s-nim-4");
    for role in 0..2 {
        let question = Question::new(&game, role);
        let found = solve(&game, &question, &options()).unwrap();
        let expected = solve(&game, &question, &reference).unwrap();
        assert_eq!(
            (found.outcome, found.first_moves),
            (expected.outcome, expected.first_moves)
        );
    }
    let game = bundled("rock-paper-scissors");
    // Chance as an adversary chooses at the same time as the role, and sees its hand first.
    let adversary = Question {
        chance: Vec::new(),
        ..Question::new(&game, 0)
    };
    let answer = solve(&game, &adversary, &options()).unwrap();
    assert_eq!(answer.outcome, Outcome::Solved(fraction(0, 1)));
    assert!(
        matches!(answer.notes[..], [Note::NotTurnTaking { .. }]),
        "{:?}",
        answer.notes
    );
}

#[test]
fn the_reference_game_reads_the_facts_that_it_prints() {
    let game = bundled("tt-3x3");
    let state = game.initial();
    assert_eq!(game.state(&game.facts(&state)), Ok(state));
    for wrong in ["", "(cell 1", "a b", "?x", "a) (b", "(cell ?x 1 b)"] {
        assert!(game.state(&[wrong.to_string()]).is_err(), "{wrong}");
    }
}
