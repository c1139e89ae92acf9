//! States and edges of every engine, which change when and only when the engine works differently: a change of these
//! numbers must be meant, and be told with the change that causes it.

use super::layered::questions;
use emm::games::find;
use emm::machine::Machine;
use emm::solve::{Engine, Objective, Options, Outcome, select, solve, solve_selected};
use emm::source::Source;

/// A question about the first player, and what an engine visits to answer it.
struct Signature {
    engine: Engine,
    game: &'static str,
    horizon: Option<u32>,
    states: u64,
    edges: u64,
}

const fn signature(
    engine: Engine,
    game: &'static str,
    horizon: Option<u32>,
    (states, edges): (u64, u64),
) -> Signature {
    Signature {
        engine,
        game,
        horizon,
        states,
        edges,
    }
}

const SIGNATURES: [Signature; 11] = [
    signature(Engine::Reference, "one-shot", None, (3, 12)),
    signature(Engine::Reference, "s-nim-5", None, (95, 158)),
    signature(Engine::Search, "s-nim-30", None, (3_920, 7_799)),
    signature(Engine::Search, "s-tt-3x3-80", Some(7), (878, 3_703)),
    signature(Engine::Search, "c3-4x4", None, (4_441, 12_977)),
    signature(Engine::Layered, "s-tt-3x3-80", None, (1_582, 11_568)),
    signature(Engine::Layered, "s-nim-30", None, (3_119, 6_193)),
    signature(Engine::Layered, "s-c4-4x4-50", Some(7), (27, 216)),
    signature(Engine::Layered, "s-c3-4x4-80", None, (32_970, 179_520)),
    signature(Engine::Sweep, "s-tt-3x3-80", None, (11_093, 80_150)),
    signature(Engine::Sweep, "s-tt-3x4-80", Some(6), (289, 5_832)),
];

#[test]
fn every_engine_has_its_signature() {
    let mut wrong = Vec::new();
    for signature in &SIGNATURES {
        let game = find(signature.game).expect("a bundled game");
        let machine = Machine::load_with_symmetries(Source::new(game.name, game.text)).expect("a machine");
        let questions = &questions(&machine, signature.horizon, Objective::Win)[0];
        let options = Options {
            engine: signature.engine,
            threads: 1,
            ..Options::default()
        };
        let answer = match signature.engine {
            Engine::Layered | Engine::Sweep => {
                let selected = select(&machine, questions, &options).expect("an engine");
                let answers = solve_selected(&machine, &selected, questions, &options);
                answers.expect("answers").swap_remove(0)
            }
            _ => solve(&machine, &questions[0], &options).expect("an answer"),
        };
        assert!(matches!(answer.outcome, Outcome::Solved(_)), "{}", signature.game);
        let found = (answer.statistics.visited, answer.statistics.edges);
        if found != (signature.states, signature.edges) {
            wrong.push(format!("{:?} on {}: {found:?}", signature.engine, signature.game));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
