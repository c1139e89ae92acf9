//! Real games, against the values of an independent implementation.

use super::{machine, shared};
use emm::game::Game;
use emm::machine::Machine;
use emm::solve::{Answer, Note, Objective, Options, Outcome, Question, Refusal, solve, solve_all_horizons};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::time::Instant;

/// How far the curve of a game that can run forever is compared.
const CYCLIC_HORIZON: u32 = 12;

/// The first has unsafe rules, which mean nothing: the check refuses it (see `tests/all/ground/real_games.rs`). The
/// second takes half a minute to ground.
const LEFT_OUT: [&str; 2] = ["base.test_case_3f", "mummymaze1p"];

/// Games that take too long without optimisation.
fn is_large(expected: &Value) -> bool {
    expected["states"].as_u64() > Some(6000)
}

/// Games with more states are solved with one thread only.
const THREADED_STATES: u64 = 2000;
/// The curves of games with more states end at this horizon.
const LARGE_HORIZON: u32 = 8;

fn is_threaded(expected: &Value) -> bool {
    expected["states"].as_u64() <= Some(THREADED_STATES)
}

fn games() -> Vec<(PathBuf, Value)> {
    let Some(folder) = shared("ggp") else {
        return Vec::new();
    };
    let mut all: Vec<(PathBuf, Value)> = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("a file").path();
        let name = path.display().to_string();
        if let Some(stem) = name.strip_suffix(".solve.json") {
            let text = fs::read_to_string(&path).expect("a text");
            all.push((
                format!("{stem}.kif").into(),
                serde_json::from_str(&text).expect("JSON"),
            ));
        }
    }
    all.sort_by(|(a, _), (b, _)| a.cmp(b));
    all.retain(|(_, expected)| LEFT_OUT.iter().all(|name| expected["game"] != *name));
    all.retain(|(_, expected)| !cfg!(debug_assertions) || !is_large(expected));
    all
}

fn options(threads: usize) -> Options {
    Options {
        threads,
        ..Options::default()
    }
}

fn shown(outcome: &Outcome<<Machine as Game>::State>) -> String {
    match outcome {
        Outcome::Solved(value) => value.to_string(),
        other => format!("{other:?}"),
    }
}

#[test]
fn real_games_have_their_known_values() {
    let games = games();
    for (path, expected) in &games {
        let start = Instant::now();
        let game = machine(path);
        for (role, name) in game.roles().iter().enumerate() {
            let values = expected["values"].as_object().expect("values");
            let Some((_, values)) = values.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)) else {
                assert_eq!(name, "random", "{}", path.display());
                continue;
            };
            let compared = Compared {
                game: &game,
                path,
                expected,
                values,
                role,
            };
            compared.value();
            compared.expected_goal();
            compared.curve();
        }
        println!("{}: {:.1?}", path.display(), start.elapsed());
    }
    println!("{} games", games.len());
}

/// A role of a game with what is known about it.
struct Compared<'a> {
    game: &'a Machine,
    path: &'a PathBuf,
    expected: &'a Value,
    values: &'a Value,
    role: usize,
}

type MachineAnswer = Answer<<Machine as Game>::State, <Machine as Game>::Move>;

impl Compared<'_> {
    fn place(&self) -> String {
        format!("{}, role {}", self.path.display(), self.role)
    }

    /// The answer, which must be the same with one thread and with two, where the game is small enough.
    fn answer(&self, objective: Objective, horizon: Option<u32>) -> MachineAnswer {
        let question = Question {
            objective,
            horizon,
            ..Question::new(self.game, self.role)
        };
        let one = solve(self.game, &question, &options(1)).expect("an answer");
        if !is_threaded(self.expected) {
            return one;
        }
        let two = solve(self.game, &question, &options(2)).expect("an answer");
        assert_eq!(one.outcome, two.outcome, "{}", self.place());
        assert_eq!(one.first_moves, two.first_moves, "{}", self.place());
        assert_eq!(one.notes, two.notes, "{}", self.place());
        one
    }

    fn value(&self) {
        let cyclic = self.expected["cyclic"] == true;
        let answer = self.answer(Objective::Win, None);
        let is_cycle = matches!(answer.outcome, Outcome::Refused(Refusal::Cycle(_)));
        assert_eq!(is_cycle, cyclic, "{}", self.place());
        if cyclic {
            return;
        }
        assert_eq!(shown(&answer.outcome), self.values["p100"], "{}", self.place());
        // What is proven without looking at all states may be more than the longest play.
        let longest = answer.statistics.longest_play.map(u64::from);
        assert!(
            longest >= self.expected["longest_play"].as_u64(),
            "{}",
            self.place()
        );
        let simultaneous = answer
            .notes
            .iter()
            .any(|note| matches!(note, Note::NotTurnTaking { .. }));
        // With two roles the sides are the roles; with more, a coalition may choose at once.
        if self.game.roles().len() == 2 {
            assert_eq!(
                simultaneous,
                self.expected["turn_taking"] == false,
                "{}",
                self.place()
            );
        }
        self.first_moves(&answer);
    }

    fn first_moves(&self, answer: &MachineAnswer) {
        let Some(expected) = self.values["first_moves"].as_object() else {
            return;
        };
        let expected: BTreeMap<String, String> = expected
            .iter()
            .map(|(name, value)| {
                (
                    name.to_lowercase(),
                    value.as_str().unwrap_or_default().to_string(),
                )
            })
            .collect();
        let found: BTreeMap<String, String> = answer
            .first_moves
            .iter()
            .map(|first| {
                let [(role, mv)] = first.moves[..] else {
                    panic!("{}: one role moves", self.place())
                };
                assert_eq!(role, self.role, "{}", self.place());
                assert_eq!(first.value.lo, first.value.hi, "{}", self.place());
                (self.game.move_name(role, mv), first.value.lo.to_string())
            })
            .collect();
        assert_eq!(found, expected, "{}", self.place());
    }

    fn expected_goal(&self) {
        if self.expected["cyclic"] == true {
            return;
        }
        let answer = self.answer(Objective::Goal, None);
        match answer.outcome {
            // An expected value needs one value; the other implementation takes some.
            Outcome::Refused(Refusal::SeveralGoals { .. }) => {
                assert_ne!(
                    self.expected["terminal_with_several_goals"],
                    0,
                    "{}",
                    self.place()
                );
            }
            outcome => assert_eq!(shown(&outcome), self.values["egoal"], "{}", self.place()),
        }
    }

    fn curve(&self) {
        let longest = self.expected["longest_play"].as_u64();
        let all = longest.map_or(CYCLIC_HORIZON, |longest| longest as u32 + 1);
        let question = Question::new(self.game, self.role);
        let curve = |last: u32, threads: usize| {
            solve_all_horizons(self.game, &question, last, &options(threads))
                .expect("a curve")
                .outcomes
        };
        let one = match is_threaded(self.expected) {
            true => curve(all, 1),
            false => curve(all.min(LARGE_HORIZON), 1),
        };
        if is_threaded(self.expected) {
            assert_eq!(one, curve(all, 2), "{}", self.place());
        }
        let changes = self.values["p100_by_horizon"].as_array().expect("a curve");
        for (horizon, outcome) in one.iter().enumerate() {
            let change = changes
                .iter()
                .rfind(|change| change[0].as_u64() <= Some(horizon as u64));
            let expected = &change.expect("a value from horizon 0 on")[1];
            assert_eq!(
                shown(outcome),
                *expected,
                "{} within {horizon} steps",
                self.place()
            );
        }
    }
}
