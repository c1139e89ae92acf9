//! Known values, and how they are printed.

use std::sync::Arc;

use emm::game::{Game, Proven};
use emm::reference::{Reference, ReferenceGame};
use emm::solve::{
    Arithmetic, Engine, FirstMoves, Fraction, Note, Objective, Options, Outcome, Pruning, Question, Start,
    solve, solve_all_horizons,
};
use emm::source::Source;
use num_bigint::BigUint;

use super::games::{Chain, CoinNim, Coins, TicTacToe};
use super::{fraction, options, value};

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
    for (role, expected) in values.iter().enumerate() {
        assert_eq!(*expected, value(&game, &Question::new(&game, role), &reference));
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
    let game = Coins { count: 200 };
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
