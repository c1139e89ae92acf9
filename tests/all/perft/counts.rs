//! Counts of published and bundled games.

use crate::support::spelling::Spelling;
use crate::support::{assert_all_equal, machine, program, shared_games};
use emm::games;
use emm::ground;
use emm::machine::Machine;
use emm::perft::{End, Layer, Limits, Perft, Scalar, Sliced, perft};
use emm::program::Program;
use emm::reference::{Reference, ReferenceGame};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// Games that become larger are left out: compiling them takes longer than all the others together, and few of
/// them get beyond the first layer.
const MAX_RULES: usize = 120_000;

/// Small, but takes half a minute to compile.
const LEFT_OUT: &str = "factoringImpossibleTurtleBrain";

/// Time and states per game; a layer that would exceed them is not begun or not finished.
const TIME: Duration = Duration::from_millis(150);
const STATES: u64 = 200_000;

/// A layer as the data has it.
#[derive(Debug, PartialEq, Eq)]
struct Counts {
    depth: u64,
    states: u64,
    new: u64,
    terminal: u64,
    stuck: u64,
    joint: String,
    paths: String,
    goals: BTreeMap<String, u64>,
}

impl From<&Layer> for Counts {
    fn from(layer: &Layer) -> Counts {
        Counts {
            depth: layer.depth.into(),
            states: layer.states,
            new: layer.new,
            terminal: layer.terminal,
            stuck: layer.stuck,
            joint: layer.joint.to_string(),
            paths: layer.paths.to_string(),
            goals: layer.goals.clone(),
        }
    }
}

/// The layers of a file of counts, and whether they are all.
fn published(text: &str) -> (Vec<Counts>, bool) {
    let data: Value = serde_json::from_str(text).expect("JSON");
    // Numbers of paths exceed what the reader takes for a whole number, so they are read as text.
    let paths = text.split("\"paths\":").skip(1).map(|rest| {
        let digits = rest.trim_start();
        let end = digits.find(|c: char| !c.is_ascii_digit());
        digits[..end.unwrap_or(digits.len())].to_string()
    });
    let layers = data["layers"].as_array().expect("layers").iter();
    let counts = layers.zip(paths).map(|(layer, paths)| Counts {
        depth: layer["depth"].as_u64().expect("a number"),
        states: layer["states"].as_u64().expect("a number"),
        new: layer["new"].as_u64().expect("a number"),
        terminal: layer["terminal"].as_u64().expect("a number"),
        stuck: layer["stuck"].as_u64().expect("a number"),
        joint: layer["joint"].as_u64().expect("a number").to_string(),
        paths,
        goals: serde_json::from_value(layer["goals"].clone()).expect("counts"),
    });
    (counts.collect(), data["complete"].as_bool() == Some(true))
}

/// How deep to walk so that the data says there is little enough to do.
fn depth_within_budget(expected: &[Counts]) -> u32 {
    let mut states = 0;
    let fits = expected.iter().take_while(|layer| {
        states += layer.states;
        states <= STATES
    });
    fits.count().saturating_sub(1) as u32
}

/// Compares layer by layer; gives the number of layers, or the first that differs.
fn compare(found: &Perft, expected: &[Counts], is_complete: bool) -> Result<usize, String> {
    for (layer, expected) in found.layers.iter().zip(expected) {
        let layer = Counts::from(layer);
        if layer != *expected {
            return Err(format!("found {layer:?}\n  expected {expected:?}"));
        }
    }
    let is_all = found.layers.len() == expected.len();
    if found.end == End::Exhausted && !is_all && is_complete {
        return Err(format!(
            "exhausted after {} layers, not {}",
            found.layers.len(),
            expected.len()
        ));
    }
    Ok(found.layers.len())
}

/// What came of a game.
enum Outcome {
    /// Layers that the machine has right, and those that the reference has right.
    Equal(usize, usize),
    Differs(String),
    Skipped(String),
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Equal(machine, reference) => {
                write!(f, "{machine} layers of the machine, {reference} of the reference")
            }
            Outcome::Differs(difference) => write!(f, "differs: {difference}"),
            Outcome::Skipped(reason) => write!(f, "skipped: {reason}"),
        }
    }
}

fn compare_game(name: &str, text: &str, counts: &str) -> Outcome {
    let spelling = Spelling::of(text);
    let program = match program(name, &spelling.apply(text.to_string())) {
        Ok(program) => program,
        Err(errors) => return Outcome::Skipped(errors.replace('\n', "; ")),
    };
    let ground_limits = ground::Limits {
        max_rules: MAX_RULES,
        ..ground::Limits::default()
    };
    let Some(machine) = machine(&program, &ground_limits) else {
        return Outcome::Skipped("too large".to_string());
    };
    let (expected, is_complete) = published(counts);
    let limits = |time| Limits {
        depth: Some(depth_within_budget(&expected)),
        deadline: Some(Instant::now() + time),
        ..Limits::default()
    };
    let found = perft(Sliced::new(&machine), limits(TIME), |_| {}).expect("the machine always answers");
    let by_machine = match compare(&found, &expected, is_complete) {
        Ok(layers) => layers,
        Err(difference) => return Outcome::Differs(difference),
    };
    match reference_counts(&program, limits(TIME / 10)) {
        None => Outcome::Equal(by_machine, 0),
        Some(found) => match compare(&found, &expected, is_complete) {
            Ok(by_reference) => Outcome::Equal(by_machine, by_reference),
            Err(difference) => Outcome::Differs(format!("the reference: {difference}")),
        },
    }
}

/// `None` if the game is out of its reach.
fn reference_counts(program: &Program, limits: Limits) -> Option<Perft> {
    let game = ReferenceGame::new(Reference::new(program).ok()?);
    perft(Scalar::new(&game), limits, |_| {}).ok()
}

#[test]
#[cfg_attr(debug_assertions, ignore = "takes minutes without optimisation")]
fn published_counts_are_reproduced() {
    let Some(paths) = shared_games(&["ggp"]) else {
        return;
    };
    let (mut games, mut layers, mut reference_layers) = (0, 0, 0);
    let (mut skipped, mut different) = (Vec::new(), Vec::new());
    for path in paths {
        let Ok(counts) = std::fs::read_to_string(path.with_extension("counts.json")) else {
            continue;
        };
        let name = path
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        if name == LEFT_OUT {
            continue;
        }
        let start = Instant::now();
        let outcome = compare_game(&name, &read(&path), &counts);
        println!("{name}: {outcome} in {:.1?}", start.elapsed());
        match outcome {
            Outcome::Equal(by_machine, by_reference) => {
                games += 1;
                layers += by_machine;
                reference_layers += by_reference;
            }
            Outcome::Differs(difference) => different.push(format!("{name}: {difference}")),
            Outcome::Skipped(reason) => skipped.push(format!("{name}: {reason}")),
        }
    }
    println!("{games} games: {layers} layers of the machine, {reference_layers} of the reference");
    println!("{} skipped:\n{}", skipped.len(), skipped.join("\n"));
    assert_all_equal(&different);
    assert!(games > 140, "{games} games");
}

fn read(path: &Path) -> String {
    String::from_utf8_lossy(&std::fs::read(path).expect("a readable file")).into_owned()
}

fn bundled(name: &str) -> (Program, Machine) {
    let game = games::find(name).expect("a bundled game");
    let program = program(name, game.text).expect("bundled games are valid");
    let machine = machine(&program, &ground::Limits::default()).expect("bundled games compile");
    (program, machine)
}

#[test]
fn machine_and_reference_count_the_same_in_bundled_games() {
    let time = Duration::from_millis(if cfg!(debug_assertions) { 50 } else { 60 });
    let mut layers = 0;
    for game in games::bundled() {
        let (program, machine) = bundled(game.name);
        let deadline = Limits {
            deadline: Some(Instant::now() + time),
            ..Limits::default()
        };
        let expected = reference_counts(&program, deadline).expect("within reach");
        let Some(last) = expected.layers.last() else {
            continue;
        };
        let limits = Limits {
            depth: Some(last.depth),
            ..Limits::default()
        };
        for found in [
            perft(Sliced::new(&machine), limits, |_| {}),
            perft(Scalar::new(&machine), limits, |_| {}),
        ] {
            let found = found.expect("the machine always answers");
            assert_eq!(found.layers, expected.layers, "{}", game.name);
        }
        layers += expected.layers.len();
    }
    println!("{layers} layers");
    assert!(layers > 150, "{layers}");
}

#[test]
fn every_limit_is_an_outcome_with_the_finished_layers() {
    let (_, machine) = bundled("c4-5x5");
    let stop = AtomicBool::new(true);
    let limited = [
        (
            Limits {
                depth: Some(3),
                ..Limits::default()
            },
            End::Depth,
        ),
        (
            Limits {
                memory: Some(1 << 16),
                ..Limits::default()
            },
            End::Memory,
        ),
        (
            Limits {
                deadline: Some(Instant::now()),
                ..Limits::default()
            },
            End::Time,
        ),
        (
            Limits {
                stop: Some(&stop),
                ..Limits::default()
            },
            End::Interrupt,
        ),
    ];
    let known = perft(
        Sliced::new(&machine),
        Limits {
            depth: Some(6),
            ..Limits::default()
        },
        |_| {},
    )
    .expect("counts");
    for (limits, end) in limited {
        let mut finished = Vec::new();
        let found = perft(Sliced::new(&machine), limits, |layer| {
            finished.push(layer.clone())
        })
        .expect("counts");
        assert_eq!(found.end, end);
        assert_eq!(found.layers, finished);
        let both = found.layers.len().min(known.layers.len());
        assert_eq!(found.layers[..both], known.layers[..both]);
    }
}
