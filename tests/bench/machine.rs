//! States expanded per CPU second: reference reasoner, scalar machine, bit-sliced machine.
//!
//! `cargo bench --bench machine` prints a table in Markdown. To expand a state is to look at it and to
//! compute the successor under every joint move. All engines expand reachable states that are not
//! terminal, met breadth first; the reference is given an evenly spaced part of them.

use emm::game::{Game, Position};
use emm::machine::{Batch, Bits, LANES, Machine};
use emm::perft::{Expander, Scalar, Tally};
use emm::reference::{Reference, ReferenceGame};
use emm::source::Source;
use emm::{check, games, generate, syntax};
use std::collections::HashSet;
use std::fs;
use std::hint::black_box;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};

const GAMES: [&str; 3] = ["tt-3x3", "c4-5x5", "breakthrough-4x4"];

/// Options of a generator and their values.
type Arguments = [(&'static str, &'static str)];

/// States that ggp-base's prover expands per CPU second, measured elsewhere with one thread, and the family and
/// the parameters of a game of the same kind and size. Of ggp-base's network no rate is given.
const PROVER: [(&str, f64, &str, &Arguments); 3] = [
    ("tic-tac-toe", 2500.0, "tt", &[]),
    (
        "connect four 8x6",
        1400.0,
        "connect",
        &[("k", "4"), ("width", "8"), ("height", "6")],
    ),
    (
        "breakthrough 6x6",
        350.0,
        "breakthrough",
        &[("width", "6"), ("height", "6")],
    ),
];

/// States that are expanded again and again.
const STATES: usize = 20_000;

/// States that the reference is given.
const REFERENCE_STATES: usize = 200;

/// CPU time per engine and game.
const TIME: Duration = Duration::from_secs(2);

fn main() {
    // `cargo test --all-targets` runs this too, without the flag, and wants no benchmark.
    if !std::env::args().any(|arg| arg == "--bench") {
        return;
    }
    println!("# States expanded per CPU second\n");
    println!("`cargo bench --bench machine`\n");
    println!(
        "| game | reference | scalar machine | bit-sliced machine | scalar / reference | bit-sliced / scalar |"
    );
    println!("|---|---:|---:|---:|---:|---:|");
    for name in GAMES {
        row(name);
    }
    println!("\n## Beside another implementation\n");
    println!(
        "The rates of ggp-base's logic prover were not measured here: they are those of `../shared/ggp/README.md`,"
    );
    println!(
        "one thread on a computer of this kind, for the published games. Ours are for generated games of the same kind"
    );
    println!("and size.\n");
    println!(
        "| game | ggp-base's prover, measured elsewhere | scalar machine | bit-sliced machine | scalar / prover |"
    );
    println!("|---|---:|---:|---:|---:|");
    for (name, prover, family, parameters) in PROVER {
        row_beside(name, prover, family, parameters);
    }
}

fn row(name: &str) {
    let text = games::find(name).expect("a bundled game").text;
    let machine = Machine::load(Source::new(name, text)).expect("bundled games compile");
    let states = open_states(&machine);
    let reference = reference_speed(&reference(name, text), &machine, &states);
    let scalar = scalar_speed(&machine, &states);
    let sliced = sliced_speed(&machine, &states);
    println!(
        "| {name} | {} | {} | {} | {:.0} | {:.1} |",
        thousands(reference),
        thousands(scalar),
        thousands(sliced),
        scalar / reference,
        sliced / scalar
    );
}

fn row_beside(name: &str, prover: f64, family: &str, parameters: &[(&str, &str)]) {
    let family = generate::family(family).expect("a family");
    let text = family.generate(parameters).expect("a game of the family");
    let machine = Machine::load(Source::new(name, text)).expect("generated games compile");
    let states = open_states(&machine);
    let (scalar, sliced) = (scalar_speed(&machine, &states), sliced_speed(&machine, &states));
    println!(
        "| {name} | {} | {} | {} | {:.0} |",
        thousands(prover),
        thousands(scalar),
        thousands(sliced),
        scalar / prover
    );
}

fn thousands(number: f64) -> String {
    let digits = format!("{number:.0}");
    let groups = digits.as_bytes().rchunks(3).rev();
    let groups: Vec<_> = groups.map(|group| String::from_utf8_lossy(group)).collect();
    groups.join(" ")
}

fn reference(name: &str, text: &str) -> ReferenceGame {
    let parsed = syntax::parse(Arc::new(Source::new(name, text)), None);
    let program = check::check(&parsed.description)
        .program
        .expect("bundled games are valid");
    ReferenceGame::new(Reference::new(&program).expect("within reach"))
}

/// Reachable states that are not terminal, breadth first.
fn open_states(machine: &Machine) -> Vec<Bits> {
    let mut position = Position::new(machine.roles().len());
    let mut seen = HashSet::from([machine.initial()]);
    let (mut found, mut open) = (vec![machine.initial()], Vec::new());
    let mut scalar = Scalar::new(machine);
    let mut at = 0;
    while at < found.len() && open.len() < STATES {
        let state = found[at].clone();
        at += 1;
        machine
            .look(&state, &mut position)
            .expect("the machine always answers");
        if position.terminal {
            continue;
        }
        let mut add = |_, next: Bits| {
            if seen.insert(next.clone()) {
                found.push(next);
            }
            ControlFlow::Continue(())
        };
        let expanded = scalar.expand(std::slice::from_ref(&state), &mut Tally::new(), Some(&mut add));
        expanded.expect("the machine always answers");
        open.push(state);
    }
    open
}

/// Repeats `round`, which expands so many states, until the time is over: states per CPU second.
fn speed(states: usize, mut round: impl FnMut()) -> f64 {
    // The first round specialises the joint moves.
    round();
    let (start, mut rounds) = (cpu_time(), 0);
    while rounds == 0 || cpu_time() - start < TIME {
        round();
        rounds += 1;
    }
    (rounds * states) as f64 / (cpu_time() - start).as_secs_f64()
}

/// The CPU time of this thread; the time of day where the system does not tell.
fn cpu_time() -> Duration {
    let told = fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|text| text.split(' ').next()?.parse().ok());
    nanoseconds.map_or_else(
        || {
            static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
            START.get_or_init(Instant::now).elapsed()
        },
        Duration::from_nanos,
    )
}

fn expand_all<G: Game>(game: &G, states: &[G::State]) {
    let mut scalar = Scalar::new(game);
    let mut tally = Tally::new();
    let mut visit = |_, next: G::State| {
        black_box(next);
        ControlFlow::Continue(())
    };
    for state in states {
        let expanded = scalar.expand(std::slice::from_ref(state), &mut tally, Some(&mut visit));
        expanded.expect("the engine answers");
    }
    black_box(tally);
}

fn reference_speed(reference: &ReferenceGame, machine: &Machine, states: &[Bits]) -> f64 {
    let spaced = states.iter().step_by(states.len().div_ceil(REFERENCE_STATES));
    let states: Vec<_> = spaced
        .map(|state| reference.state(&machine.facts(state)).expect("a state"))
        .collect();
    speed(states.len(), || expand_all(reference, &states))
}

fn scalar_speed(machine: &Machine, states: &[Bits]) -> f64 {
    speed(states.len(), || expand_all(machine, states))
}

fn sliced_speed(machine: &Machine, states: &[Bits]) -> f64 {
    let mut batch = Batch::new(machine);
    speed(states.len(), || {
        for chunk in states.chunks(LANES) {
            batch.load(chunk);
            batch.expand(|successors| {
                black_box(successors.words(0));
                ControlFlow::Continue(())
            });
        }
    })
}
