//! The oracle against an independent one: plays and breadth-first counts that another implementation's
//! prover computed for real games. Every comparison is of sets; a disagreement names the game, the step
//! and the facts that differ.

use emm::program::Program;
use emm::reference::{Position, Reference, State, print_state};
use emm::term::{Symbol, Term};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

#[test]
fn plays_of_real_games_are_reproduced() {
    for_each_game("trace.jsonl", |game, text| {
        let reference = game.reference()?;
        let steps: Vec<Step> = text.lines().map(|line| Step::read(line, &reference)).collect();
        compare_play(&reference, &steps)
    });
}

#[test]
fn breadth_first_counts_of_real_games_are_reproduced() {
    for_each_game("counts.json", |game, text| {
        let counts: Value = serde_json::from_str(text).map_err(|e| e.to_string())?;
        let layers = counts["layers"].as_array().ok_or("no layers")?;
        compare_layers(&game.reference()?, layers)
    });
}

/// Runs `compare` on every game that has a file `NAME.<extension>`, prints the slowest, and fails with
/// all disagreements.
fn for_each_game(extension: &str, compare: impl Fn(&Game, &str) -> Result<(), String>) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/ggp");
    if !folder.is_dir() {
        println!("skipped: ../shared is not there");
        return;
    }
    let mut times: Vec<(Duration, String)> = Vec::new();
    let mut disagreements = Vec::new();
    for game in games(&folder) {
        let Ok(text) = std::fs::read_to_string(folder.join(format!("{}.{extension}", game.name))) else {
            continue;
        };
        let start = Instant::now();
        let r = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| compare(&game, &text)));
        let r = r.unwrap_or_else(|_| Err("PANIC".into()));
        eprintln!("T {:.2?} {}", start.elapsed(), game.name);
        if let Err(difference) = r {
            disagreements.push(format!("{}: {difference}", game.name));
        }
        times.push((start.elapsed(), game.name));
    }
    let total: Duration = times.iter().map(|(time, _)| time).sum();
    times.sort_by(|a, b| b.cmp(a));
    println!(
        "{} games with {extension} in {total:.1?}; the slowest: {:.2?}",
        times.len(),
        &times[..15]
    );
    assert!(
        disagreements.is_empty(),
        "{} disagree:\n{}",
        disagreements.len(),
        disagreements.join("\n")
    );
}

/// A description in the folder of real games.
struct Game {
    name: String,
    file: PathBuf,
}

impl Game {
    fn reference(&self) -> Result<Reference, String> {
        Reference::new(&self.program()?).map_err(|e| e.to_string())
    }

    fn program(&self) -> Result<Program, String> {
        let text = std::fs::read_to_string(&self.file).map_err(|e| e.to_string())?;
        Ok(emm::reference::quick_program(&text))
    }
}

/// The descriptions of a folder, by name.
fn games(folder: &Path) -> Vec<Game> {
    let files = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let descriptions = files.filter(|file| file.extension().is_some_and(|extension| extension == "kif"));
    let mut games: Vec<Game> = descriptions
        .map(|file| Game {
            name: file.file_stem().unwrap().to_string_lossy().into_owned(),
            file,
        })
        .collect();
    games.sort_by(|a, b| a.name.cmp(&b.name));
    games
}

/// One line of a play.
struct Step {
    number: u64,
    state: State,
    position: Position,
    /// The joint move; none at the end of the play.
    joint: Option<Vec<Term>>,
}

impl Step {
    fn read(line: &str, reference: &Reference) -> Step {
        let line: Value = serde_json::from_str(line).unwrap();
        let by_role = |field: &Value| {
            let sets = reference
                .roles()
                .iter()
                .map(|role| terms(&lookup(field, role)).into_iter().collect());
            sets.collect()
        };
        let position = Position {
            terminal: line["terminal"].as_bool().unwrap(),
            legal: by_role(&line["legal"]),
            goals: by_role(&line["goals"]),
        };
        let joint = line.get("move").map(terms);
        Step {
            number: line["step"].as_u64().unwrap(),
            state: terms(&line["state"]).into_iter().collect(),
            position,
            joint,
        }
    }
}

/// The entry of a role, whose name may be written with capitals there.
fn lookup(object: &Value, role: &Term) -> Value {
    let entries = object.as_object().into_iter().flatten();
    let of_role = entries
        .filter(|(name, _)| read_term(name).0 == *role)
        .map(|(_, value)| value.clone());
    of_role.last().unwrap_or(Value::Array(Vec::new()))
}

/// The terms of an array of strings or numbers.
fn terms(array: &Value) -> Vec<Term> {
    let items = array.as_array().into_iter().flatten();
    items
        .map(|item| read_term(&item.as_str().map_or_else(|| item.to_string(), str::to_owned)).0)
        .collect()
}

/// Reads one ground term of KIF and returns the rest of the text.
fn read_term(text: &str) -> (Term, &str) {
    let text = text.trim_start();
    let Some(mut rest) = text.strip_prefix('(') else {
        let (name, rest) = text.split_at(text.find([' ', '(', ')']).unwrap_or(text.len()));
        return (Term::constant(name), rest);
    };
    let (name, after) = rest.split_at(rest.find([' ', '(', ')']).unwrap_or(rest.len()));
    rest = after.trim_start();
    let mut args = Vec::new();
    while !rest.is_empty() && !rest.starts_with(')') {
        let (arg, after) = read_term(rest);
        args.push(arg);
        rest = after.trim_start();
    }
    (
        Term::Function(Symbol::new(name), args),
        rest.strip_prefix(')').unwrap_or(rest),
    )
}

/// Steps 0 to n of a play, some in the middle left out.
fn compare_play(reference: &Reference, steps: &[Step]) -> Result<(), String> {
    if let Some(first) = steps.first() {
        compare("initial state", &reference.initial(), &first.state)?;
    }
    for (index, step) in steps.iter().enumerate() {
        let at_step = |e: String| format!("step {}: {e}\n  in {}", step.number, print_state(&step.state));
        compare_position(reference, step).map_err(at_step)?;
        if let (Some(joint), Some(after)) = (&step.joint, steps.get(index + 1))
            && after.number == step.number + 1
        {
            let next = reference
                .next(&step.state, joint)
                .map_err(|e| at_step(e.to_string()))?;
            compare("next state", &next, &after.state).map_err(at_step)?;
        }
    }
    Ok(())
}

/// `legal` is recorded only where the play goes on.
fn compare_position(reference: &Reference, step: &Step) -> Result<(), String> {
    let position = reference.position(&step.state).map_err(|e| e.to_string())?;
    if position.terminal != step.position.terminal {
        return Err(format!(
            "terminal is {}, expected {}",
            position.terminal, step.position.terminal
        ));
    }
    for (index, role) in reference.roles().iter().enumerate() {
        if !position.terminal {
            compare(
                &format!("legal {role}"),
                &position.legal[index],
                &step.position.legal[index],
            )?;
        }
        compare(
            &format!("goal {role}"),
            &position.goals[index],
            &step.position.goals[index],
        )?;
    }
    Ok(())
}

/// An error that names what is missing and what is too much.
fn compare(what: &str, found: &BTreeSet<Term>, expected: &BTreeSet<Term>) -> Result<(), String> {
    let list = |set: BTreeSet<Term>| print_state(&set);
    if found == expected {
        return Ok(());
    }
    let (missing, extra) = (list(expected - found), list(found - expected));
    Err(format!("{what}: missing [{missing}], too much [{extra}]"))
}

/// Evaluations of a state that a game may cost in the comparison of counts.
const BUDGET: u64 = 100;

/// Breadth-first search, as many layers as the budget allows.
fn compare_layers(reference: &Reference, layers: &[Value]) -> Result<(), String> {
    let mut seen = BTreeSet::new();
    let mut layer = BTreeSet::from([reference.initial()]);
    let mut spent = 0;
    for expected in layers {
        let count = |field: &str| expected[field].as_u64().unwrap_or_default();
        spent += count("states");
        if spent > BUDGET {
            break;
        }
        let found = Layer::of(reference, &layer, &seen)?;
        let wanted = [
            count("states"),
            count("new"),
            count("terminal"),
            count("stuck"),
            count("joint"),
        ];
        if found.counts != wanted {
            let depth = count("depth");
            return Err(format!(
                "depth {depth}: states, new, terminal, stuck, joint are {:?}, expected {wanted:?}",
                found.counts
            ));
        }
        spent += count("joint");
        if spent > BUDGET {
            break;
        }
        seen.append(&mut layer);
        layer = found.successors(reference)?;
    }
    Ok(())
}

/// The states at one depth.
struct Layer {
    /// states, new, terminal, stuck, joint.
    counts: [u64; 5],
    /// The joint moves of the states that are not terminal.
    joint: Vec<(State, Vec<Term>)>,
}

impl Layer {
    fn of(reference: &Reference, states: &BTreeSet<State>, seen: &BTreeSet<State>) -> Result<Layer, String> {
        let (mut terminal, mut stuck) = (0, 0);
        let mut joint = Vec::new();
        for state in states {
            let position = reference.position(state).map_err(|e| e.to_string())?;
            if position.terminal {
                terminal += 1;
            } else if position.legal.iter().any(BTreeSet::is_empty) {
                stuck += 1;
            } else {
                joint.extend(
                    joint_moves(&position)
                        .into_iter()
                        .map(|moves| (state.clone(), moves)),
                );
            }
        }
        let new = states.difference(seen).count() as u64;
        Ok(Layer {
            counts: [states.len() as u64, new, terminal, stuck, joint.len() as u64],
            joint,
        })
    }

    fn successors(&self, reference: &Reference) -> Result<BTreeSet<State>, String> {
        let next = self
            .joint
            .iter()
            .map(|(state, joint)| reference.next(state, joint));
        next.collect::<Result<_, _>>().map_err(|e| e.to_string())
    }
}

/// All ways to choose one legal move for each role.
fn joint_moves(position: &Position) -> Vec<Vec<Term>> {
    position.legal.iter().fold(vec![Vec::new()], |joint, moves| {
        let extend = |chosen: &Vec<Term>| -> Vec<Vec<Term>> {
            moves
                .iter()
                .map(|choice| [chosen.as_slice(), std::slice::from_ref(choice)].concat())
                .collect()
        };
        joint.iter().flat_map(extend).collect()
    })
}
