//! Random plays of real games.

use crate::support::machines::{Budget, Compared, Unequal, compare};
use crate::support::naive::{Naive, check_order};
use crate::support::{assert_all_equal, program, shared_games};
use emm::games;
use emm::ground::{Limits, ground};
use emm::reference::Reference;
use std::time::{Duration, Instant};

/// Enough for all but a few games.
const MAX_RULES: usize = 1_000_000;

/// Descriptions that have no value here, by file name.
const REFUSED: [&str; 1] = ["base.test_case_3f.kif"];

/// How long to look at one game.
#[derive(Clone, Copy)]
struct Patience {
    grounding: Duration,
    playing: Duration,
}

/// What came of a game.
enum Outcome {
    Equal(Compared),
    Differs(String),
    Skipped(String),
}

fn compare_game(name: &str, text: &str, patience: Patience) -> Outcome {
    let program = match program(name, text) {
        Ok(program) => program,
        Err(errors) if REFUSED.contains(&name) => return Outcome::Skipped(errors.replace('\n', "; ")),
        Err(errors) => return Outcome::Differs(errors),
    };
    let limits = Limits {
        max_rules: MAX_RULES,
        deadline: Some(Instant::now() + patience.grounding),
        ..Limits::default()
    };
    let grounded = match ground(&program, &limits) {
        Ok(grounded) => grounded.program,
        Err(error @ emm::ground::GroundError::Rejected(_)) => return Outcome::Differs(error.to_string()),
        Err(limit) => return Outcome::Skipped(limit.to_string()),
    };
    if let Err(disorder) = check_order(&grounded) {
        return Outcome::Differs(disorder);
    }
    let oracle = match Reference::new(&program) {
        Ok(oracle) => oracle,
        Err(error) => return Outcome::Skipped(error.to_string()),
    };
    let budget = Budget {
        plays: 3,
        steps: 40,
        deadline: Some(Instant::now() + patience.playing),
    };
    match compare(&oracle, &Naive::new(&grounded), 1, budget) {
        Ok(compared) => Outcome::Equal(compared),
        Err(Unequal::Differs(difference)) => Outcome::Differs(difference),
        Err(Unequal::NoOracle(reason)) => Outcome::Skipped(reason),
    }
}

/// Compares all, prints what was skipped and why, fails with every difference; gives the number skipped.
fn compare_games(texts: impl Iterator<Item = (String, String)>, patience: Patience) -> usize {
    let (mut equal, mut skipped, mut different) = (0, Vec::new(), Vec::new());
    let (mut states, mut steps, mut terminal) = (0, 0, 0);
    for (name, text) in texts {
        match compare_game(&name, &text, patience) {
            Outcome::Equal(compared) => {
                equal += 1;
                states += compared.states;
                steps += compared.steps;
                terminal += compared.terminal;
            }
            Outcome::Differs(difference) => different.push(format!("{name}: {difference}")),
            Outcome::Skipped(reason) => skipped.push(format!("{name}: {reason}")),
        }
    }
    println!("{equal} games equal in {states} states ({terminal} terminal) and {steps} steps");
    println!("{} skipped:\n{}", skipped.len(), skipped.join("\n"));
    assert_all_equal(&different);
    skipped.len()
}

#[test]
fn bundled_games_are_the_same_when_ground() {
    let texts = games::bundled()
        .iter()
        .map(|game| (game.name.to_string(), game.text.to_string()));
    let patience = Patience {
        grounding: Duration::from_secs(60),
        playing: Duration::from_millis(150),
    };
    assert_eq!(compare_games(texts, patience), 0);
}

#[test]
#[cfg_attr(debug_assertions, ignore = "takes minutes without optimisation")]
fn real_games_are_the_same_when_ground() {
    let Some(paths) = shared_games(&["ggp", "paper-gdl", "paper-gdl-qbf"]) else {
        return;
    };
    let texts = paths.iter().map(|path| {
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let bytes = std::fs::read(path).expect("a readable file");
        (name, String::from_utf8_lossy(&bytes).into_owned())
    });
    let patience = Patience {
        grounding: Duration::from_secs(5),
        playing: Duration::from_millis(60),
    };
    let skipped = compare_games(texts, patience);
    assert!(skipped <= 40, "more games are skipped than were: {skipped}");
}
