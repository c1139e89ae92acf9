//! Limits are outcomes, and what is proven by then is true.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use emm::game::Proven;
use emm::solve::{Engine, Options, Outcome, Question, Start, StopReason, solve};

use super::games::{Chain, Quick, TicTacToe};
use super::{fraction, options};

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
    let game = Quick(TicTacToe);
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
    let game = Quick(TicTacToe);
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
