//! The machine against the reference reasoner: every game, state by state, as sets.

mod strange;

use crate::support::random::Random;
use crate::support::{machine, program, shared_games};
use emm::game::{Game, Position};
use emm::ground::{Limits, MoveId, ground};
use emm::machine::{Batch, Bits, Machine};
use emm::program::Program;
use emm::reference::Reference;
use emm::syntax;
use emm::term::Term;
use std::collections::{BTreeSet, HashMap};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

fn as_text(terms: &BTreeSet<Term>) -> BTreeSet<String> {
    terms.iter().map(Term::to_string).collect()
}

/// Plays at random on machine and reference at once and compares all they say. Returns the states.
fn compare_plays(
    name: &str,
    program: &Program,
    machine: &Machine,
    deadline: Instant,
    plays: u64,
) -> Vec<Bits> {
    let reference = Reference::new(program).unwrap_or_else(|error| panic!("{name}: {error}"));
    let mut position = Position::new(machine.roles().len());
    let mut seen = Vec::new();
    for play in 0..plays {
        let mut dice = Random::new(play + 1);
        let (mut ours, mut theirs) = (machine.initial(), reference.initial());
        for step in 0..200 {
            if Instant::now() > deadline {
                return seen;
            }
            let place = || format!("{name}, play {play}, step {step}: {:?}", machine.facts(&ours));
            assert_eq!(
                machine.facts(&ours).into_iter().collect::<BTreeSet<_>>(),
                as_text(&theirs),
                "{}",
                place()
            );
            assert_eq!(
                machine.state(&machine.facts(&ours)).as_ref(),
                Ok(&ours),
                "{}",
                place()
            );
            let key = machine
                .layout()
                .pack(&ours)
                .unwrap_or_else(|_| panic!("no key: {}", place()));
            assert_eq!(machine.layout().unpack(&key), ours, "{}", place());
            seen.push(ours.clone());
            machine
                .look(&ours, &mut position)
                .expect("the machine always answers");
            let expected = reference
                .position(&theirs)
                .unwrap_or_else(|error| panic!("{}: {error}", place()));
            assert_eq!(position.terminal, expected.terminal, "terminal in {}", place());
            for (role, legal) in position.legal.iter().enumerate() {
                let legal: BTreeSet<_> = legal.iter().map(|&mv| machine.move_name(role, mv)).collect();
                assert_eq!(
                    legal,
                    as_text(&expected.legal[role]),
                    "legal moves of role {role} in {}",
                    place()
                );
                let goals: BTreeSet<_> = position.goals[role]
                    .values()
                    .map(|value| value.to_string())
                    .collect();
                assert_eq!(
                    goals,
                    as_text(&expected.goals[role]),
                    "goals of role {role} in {}",
                    place()
                );
            }
            if position.terminal || position.legal.iter().any(Vec::is_empty) {
                break;
            }
            let joint: Vec<MoveId> = position
                .legal
                .iter()
                .map(|moves| moves[dice.below(moves.len())])
                .collect();
            let terms: Vec<Term> = joint
                .iter()
                .enumerate()
                .map(|(role, &mv)| {
                    let name = machine.move_name(role, mv);
                    expected.legal[role]
                        .iter()
                        .find(|term| term.to_string() == name)
                        .expect("compared above")
                        .clone()
                })
                .collect();
            ours = machine.next(&ours, &joint).expect("the machine always answers");
            theirs = reference
                .next(&theirs, &terms)
                .unwrap_or_else(|error| panic!("{name}: {error}"));
        }
    }
    seen
}

/// The bit-sliced evaluator says what the scalar one says, successors and their outcomes included.
/// So do all of its paths: every kind of vectors that the processor has, and the portable one.
fn compare_evaluators(name: &str, machine: &Machine, states: &[Bits]) {
    for batch in Batch::of_each_kind(machine) {
        compare_batch(name, machine, states, batch);
    }
}

fn compare_batch(name: &str, machine: &Machine, states: &[Bits], mut batch: Batch) {
    for chunk in states.chunks(300) {
        batch.load(chunk);
        let mut position = Position::new(machine.roles().len());
        let terminal: BTreeSet<usize> = batch.terminal().collect();
        let legal: Vec<BTreeSet<usize>> = (0..machine.net().moves.len())
            .map(|mv| batch.legal(MoveId::new(mv)).collect())
            .collect();
        for (at, state) in chunk.iter().enumerate() {
            machine
                .look(state, &mut position)
                .expect("the machine always answers");
            assert_eq!(
                terminal.contains(&at),
                position.terminal,
                "{name}: {:?}",
                machine.facts(state)
            );
            let scalar: BTreeSet<usize> = position.legal.iter().flatten().map(|mv| mv.index()).collect();
            let sliced: BTreeSet<usize> = (0..legal.len()).filter(|&mv| legal[mv].contains(&at)).collect();
            assert_eq!(sliced, scalar, "{name}: {:?}", machine.facts(state));
        }
        let mut edges: HashMap<usize, usize> = HashMap::new();
        batch.expand_with_outcomes(|successors, outcomes| {
            for (index, &at) in successors.states.iter().enumerate() {
                *edges.entry(at).or_default() += 1;
                if *edges.get(&at).unwrap_or(&0) > 40 {
                    continue;
                }
                let next = machine
                    .next(&chunk[at], successors.joint)
                    .expect("the machine always answers");
                assert_eq!(
                    next.words(),
                    successors.words(index),
                    "{name}: {:?}",
                    machine.facts(&chunk[at])
                );
                let mut after = Position::new(machine.roles().len());
                machine
                    .look(&next, &mut after)
                    .expect("the machine always answers");
                assert_eq!(
                    after.terminal,
                    outcomes.is_terminal(index),
                    "{name}: {:?}",
                    machine.facts(&next)
                );
                for (number, goal) in machine.net().goals.iter().enumerate() {
                    let holds = after.goals[goal.role.index()].contains(goal.value);
                    assert_eq!(
                        holds,
                        outcomes.has_goal(index, number),
                        "{name}: {:?}",
                        machine.facts(&next)
                    );
                }
            }
            ControlFlow::Continue(())
        });
        for (at, state) in chunk.iter().enumerate() {
            machine
                .look(state, &mut position)
                .expect("the machine always answers");
            let joint: usize = position.legal.iter().map(Vec::len).product();
            let expected = if position.terminal { 0 } else { joint };
            assert_eq!(
                edges.get(&at).copied().unwrap_or(0),
                expected,
                "{name}: {:?}",
                machine.facts(state)
            );
        }
    }
}

#[test]
fn bundled_games_behave_as_the_reference_says() {
    for game in emm::games::bundled() {
        let program = program(game.name, game.text).expect("bundled games are valid");
        let machine = machine(&program, &Limits::default()).expect("bundled games compile");
        let deadline = Instant::now() + Duration::from_millis(300);
        let states = compare_plays(game.name, &program, &machine, deadline, 3);
        assert!(!states.is_empty(), "{}", game.name);
        compare_evaluators(game.name, &machine, &states);
    }
}

/// Small, but takes half a minute to compile.
const LEFT_OUT: &str = "factoringImpossibleTurtleBrain.kif";

/// Games that become larger than this when they are grounded have a test of their own.
const MAX_RULES: usize = 60_000;

/// The games of `../shared`, those that become larger than `MAX_RULES` or the others.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Published {
    Small,
    Large,
}

/// Compares plays of published games for no longer than `time` each; gives the number of games compared.
fn compare_published(which: Published, time: Duration) -> usize {
    let Some(files) = shared_games(&["ggp", "paper-gdl", "paper-gdl-qbf"]) else {
        return 0;
    };
    let (mut compared, mut skipped) = (0, Vec::new());
    for file in files {
        let name = file.file_name().expect("a name").to_string_lossy().into_owned();
        let bytes = std::fs::read(&file).expect("a readable file");
        let (source, _) = syntax::decode(&name, bytes);
        let Ok(program) = program(&name, source.text()) else {
            skipped.push(format!("{name} (refused)"));
            continue;
        };
        let small = Limits {
            max_rules: MAX_RULES,
            ..Limits::default()
        };
        let is_large = name == LEFT_OUT || ground(&program, &small).is_err();
        if is_large != (which == Published::Large) {
            continue;
        }
        let Some(machine) = machine(&program, &Limits::default()) else {
            skipped.push(format!("{name} (too large)"));
            continue;
        };
        let states = compare_plays(&name, &program, &machine, Instant::now() + time, 2);
        compare_evaluators(&name, &machine, &states[..states.len().min(40)]);
        println!("{name}: {} states", states.len());
        compared += usize::from(!states.is_empty());
    }
    println!("{compared} games compared; not: {}", skipped.join(", "));
    compared
}

#[test]
fn published_games_behave_as_the_reference_says() {
    let time = Duration::from_millis(if cfg!(debug_assertions) { 30 } else { 60 });
    let compared = compare_published(Published::Small, time);
    assert!(compared == 0 || compared > 180, "{compared}");
}

#[test]
#[ignore = "takes half an hour"]
fn large_published_games_behave_as_the_reference_says() {
    let compared = compare_published(Published::Large, Duration::from_secs(20));
    assert!(compared == 0 || compared > 15, "{compared}");
}
