//! The text is accepted by clingo without a word, and means what the game does.

use super::Loaded;
use super::games::TRAPS;
use crate::support;
use crate::support::random_game::{clauses, plans, text};
use emm::crosscheck::{Case, Clingo, ClingoForm, Found, Limits, Method, Subject, find_program};
use emm::encode::{Prefix, Question, encode, write_ground, write_with_variables};
use emm::ground::{self, RoleId, ground};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

fn limits() -> Limits {
    Limits::new(Duration::from_secs(20), 4 << 30)
}

pub fn clingo() -> Option<PathBuf> {
    let found = find_program("clingo");
    if found.is_none() {
        println!("skipped: clingo is not there");
    }
    found
}

fn subject(name: &str, game: Loaded) -> Subject {
    Subject::new(name, game.program, game.ground).expect("a network")
}

/// Compares both texts with the search; says for how many questions clingo had an answer.
fn check(clingo: &Path, name: &str, game: Loaded, horizons: std::ops::RangeInclusive<u32>) -> usize {
    let questions: Vec<_> = horizons.flat_map(|horizon| game.questions(horizon)).collect();
    let expected: Vec<_> = questions.iter().map(|question| game.searched(question)).collect();
    let subject = subject(name, game);
    let mut answered = 0;
    for (question, expected) in questions.into_iter().zip(expected) {
        let case = Case {
            role: question.role,
            random: question.random,
            horizon: question.horizon,
        };
        for form in [ClingoForm::Variables, ClingoForm::Ground] {
            let method = Clingo {
                program: clingo.to_path_buf(),
                form,
            };
            match (method.find(&subject, &case, &limits()).found, &expected) {
                (Found::Exact(value), Some(expected)) => {
                    assert_eq!(value, *expected, "{name} {case:?} {form:?}");
                    answered += 1;
                }
                (Found::Exact(_), None) => {}
                (Found::Nothing(reason), _) if reason.starts_with("more than") => {}
                (other, _) => panic!("{name} {case:?} {form:?}: {other:?}"),
            }
        }
    }
    answered
}

#[test]
fn the_answer_sets_of_games_with_traps_give_their_value() {
    let Some(clingo) = clingo() else { return };
    let answered: usize = TRAPS
        .iter()
        .map(|&(name, last, text)| check(&clingo, name, Loaded::new(name, text), 0..=last.min(2)))
        .sum();
    assert!(answered > 60, "clingo answered only {answered} questions");
}

#[test]
fn the_answer_sets_of_bundled_games_give_their_value() {
    let Some(clingo) = clingo() else { return };
    let one_shot = check(&clingo, "one-shot", Loaded::bundled("one-shot"), 0..=2);
    assert_eq!(
        one_shot,
        3 * 4 * 2,
        "two roles, two ways each, three horizons, two texts"
    );
    let nim = check(&clingo, "s-nim-3", Loaded::bundled("s-nim-3"), 1..=2);
    assert!(nim > 6);
}

#[test]
fn the_answer_sets_of_random_games_give_their_value() {
    let Some(clingo) = clingo() else { return };
    let seed = TestRng::from_seed(RngAlgorithm::ChaCha, &[11; 32]);
    let mut runner = TestRunner::new_with_rng(Config::default(), seed);
    let mut answered = 0;
    for _ in 0..16 {
        let plan = plans().new_tree(&mut runner).expect("a plan").current();
        let text = text(&clauses(&plan));
        answered += check(&clingo, &text, Loaded::new("random", &text), 1..=1);
    }
    assert!(answered > 20, "clingo answered only {answered} questions");
}

#[test]
fn clingo_finds_plans_that_win() {
    let Some(clingo) = clingo() else { return };
    for (name, shortest) in [("buttons-and-lights", 6), ("one-switch", 1)] {
        let game = Loaded::bundled(name);
        let answered = check(&clingo, name, game, 0..=shortest + 1);
        assert_eq!(answered as u32, 2 * (shortest + 2), "{name}");
    }
}

#[test]
fn every_bundled_game_is_accepted() {
    let Some(clingo) = clingo() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    for game in emm::games::bundled() {
        let program = support::program(game.name, game.text).expect("a valid game");
        let ground = ground(&program, &ground::Limits::default())
            .expect("a ground program")
            .program;
        let role = (0..).map(RoleId::new).find(|&role| ground.random() != Some(role));
        let question = Question::new(&ground, role.expect("a player"), 1, Prefix::Dependency);
        let sqasp = encode(&ground, &question).expect("an encoding");
        let mut texts = [Vec::new(), Vec::new()];
        write_with_variables(&sqasp, &program, &mut texts[0]).expect("a text");
        write_ground(&sqasp, &mut texts[1]).expect("a text");
        for text in texts {
            let path = folder.path().join("program.lp");
            std::fs::write(&path, text).expect("a file");
            let mut command = Command::new(&clingo);
            let ran = command
                .arg("--mode=gringo")
                .arg(&path)
                .output()
                .expect("clingo runs");
            let complaint = String::from_utf8_lossy(&ran.stderr);
            assert!(
                complaint.is_empty() && ran.status.success(),
                "{}: {complaint}",
                game.name
            );
        }
    }
}
