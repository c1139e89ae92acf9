//! Random plays do not depend on the engine.

use crate::support::{machine, program};
use emm::games;
use emm::ground::Limits;
use emm::reference::{Reference, ReferenceGame};
use emm::simulate::{End, Simulator};

/// Plays of large games take the reference too long.
const MAX_STEPS: u32 = if cfg!(debug_assertions) { 3 } else { 30 };

#[test]
fn machine_and_reference_give_the_same_transcripts() {
    for game in games::bundled() {
        let program = program(game.name, game.text).expect("bundled games are valid");
        let machine = machine(&program, &Limits::default()).expect("bundled games compile");
        let reference = ReferenceGame::new(Reference::new(&program).expect("within reach"));
        let plays = (
            Simulator::new(&machine, MAX_STEPS).play(7).expect("a play"),
            Simulator::new(&reference, MAX_STEPS).play(7).expect("a play"),
        );
        assert_eq!(plays.0, plays.1, "{}", game.name);
    }
}

#[test]
fn statistics_are_those_of_the_plays() {
    let game = games::find("tt-3x3").expect("a bundled game");
    let program = program(game.name, game.text).expect("valid");
    let machine = machine(&program, &Limits::default()).expect("compiles");
    let mut simulator = Simulator::new(&machine, 100);
    let statistics = simulator.statistics(3, 4000, |_| true).expect("plays");
    assert_eq!(
        simulator.statistics(3, 4000, |_| true).expect("plays"),
        statistics
    );
    assert_eq!(
        (statistics.terminal, statistics.stuck, statistics.too_long),
        (4000, 0, 0)
    );
    assert!((5..=9).contains(&statistics.lengths.min().expect("plays")));
    let first = simulator.play(3).expect("a play");
    let alone = simulator.statistics(3, 1, |_| true).expect("a play");
    assert_eq!(alone.lengths.max(), Some(first.steps.len() as u32));
    assert_eq!(first.end, End::Terminal);
    // Known: the first player wins 58.49 % of random plays.
    let wins = statistics.goals[0].share(100).expect("plays");
    assert!((wins.mean - 0.5849).abs() < 4.0 * wins.standard_error, "{wins:?}");
    let stopped = simulator.statistics(3, 4000, |play| play < 10).expect("plays");
    assert_eq!(stopped.plays(), 10);
    let cut = Simulator::new(&machine, 2)
        .statistics(1, 5, |_| true)
        .expect("plays");
    assert_eq!((cut.too_long, cut.goals[0].samples()), (5, 0));
}
