//! Games as nobody writes them: huge, empty, stuck, or over before they begin.

use super::{compare_evaluators, compare_plays, program};
use crate::support::machine;
use emm::ground::{Limits as GroundLimits, MoveId, ground};
use emm::machine::Machine;
use emm::perft::{Expander, Layer, Limits, Scalar, Sliced, perft};
use emm::propnet::{BuildError, Limit, Limits as NetLimits, Propnet};
use emm::reference::{Reference, ReferenceGame};
use std::fmt::Write;
use std::time::{Duration, Instant};

/// `count` facts `name(k0).`, `name(k1).`, ...
fn facts(name: &str, count: usize) -> String {
    (0..count).fold(String::new(), |mut text, number| {
        let _ = write!(text, "{name}(k{number}). ");
        text
    })
}

/// More than a thousand fluents that exclude nothing.
fn switches(count: usize) -> String {
    facts("switch", count)
        + "role(x). legal(x, flip(S)) :- switch(S).
           next(on(S)) :- does(x, flip(S)), not true(on(S)).
           next(on(S)) :- true(on(S)), not does(x, flip(S)).
           terminal :- true(on(k0)), true(on(k1)).
           goal(x, 100) :- true(on(k0)). goal(x, 0) :- not true(on(k0))."
}

/// Far more joint moves than any table holds.
fn auction(bids: usize) -> String {
    facts("bid", bids)
        + "role(a). role(b). role(c). init(open). legal(R, pay(B)) :- role(R), bid(B).
           next(sold(B)) :- does(a, pay(B)), does(b, pay(B)).
           next(sold(B)) :- does(c, pay(B)), true(open).
           terminal :- not true(open). goal(R, 50) :- role(R)."
}

fn crowd(roles: usize) -> String {
    facts("role", roles)
        + "init(now). legal(R, go) :- role(R). legal(k0, stay).
           next(later) :- does(k0, go). next(now) :- does(k0, stay), true(now).
           terminal :- true(later). goal(R, 100) :- role(R), true(later)."
}

/// Whether one node is reached from another, in a graph that the players change: recursion inside a step.
fn paths(nodes: usize) -> String {
    facts("node", nodes)
        + "role(x). role(y). legal(x, add(A, B)) :- node(A), node(B). legal(y, cut(A)) :- node(A).
           init(edge(k0, k1)).
           next(edge(A, B)) :- does(x, add(A, B)).
           next(edge(A, B)) :- true(edge(A, B)), not does(y, cut(A)).
           path(A, B) :- true(edge(A, B)).
           path(A, C) :- path(A, B), path(B, C).
           terminal :- path(k0, k2), path(k2, k0).
           goal(x, 100) :- path(k2, k1). goal(x, 0) :- not path(k2, k1). goal(y, 50)."
}

const SMALL: [(&str, &str); 9] = [
    (
        "terminal at once",
        "role(x). legal(x, a). terminal. goal(x, 100).",
    ),
    (
        "empty at the start",
        "role(x). legal(x, a). next(p) :- does(x, a). terminal :- true(p). goal(x, 100) :- true(p).",
    ),
    (
        "a role without moves",
        "role(x). role(y). init(p). legal(x, a). next(p). terminal :- true(q). next(q) :- does(y, b).
         goal(x, 100). goal(y, 0).",
    ),
    (
        "nobody can move",
        "role(x). init(p). next(p). terminal :- true(q). goal(x, 100).",
    ),
    (
        "never over",
        "role(x). init(p). legal(x, a). next(p). goal(x, 0).",
    ),
    ("nothing but a role", "role(x)."),
    (
        "random alone",
        "role(random). init(p). legal(random, a). legal(random, b). next(q) :- does(random, a).
         next(r) :- does(random, b). terminal :- not true(p). goal(random, 100) :- true(q).",
    ),
    (
        "every goal at once",
        "role(x). init(p). legal(x, a). terminal :- not true(p). goal(x, 0). goal(x, 50). goal(x, 100).",
    ),
    (
        "a move that is never legal",
        "role(x). init(p). input(x, a). input(x, b). legal(x, a). next(p) :- does(x, b). next(q) :- true(p).
         terminal :- true(q). goal(x, 100).",
    ),
];

fn strange_games() -> Vec<(&'static str, String)> {
    let mut games: Vec<_> = SMALL
        .iter()
        .map(|&(name, text)| (name, text.to_string()))
        .collect();
    games.extend([
        ("switches", switches(1100)),
        ("auction", auction(150)),
        ("crowd", crowd(200)),
        ("paths", paths(4)),
    ]);
    games
}

fn layers(expander: impl Expander) -> Vec<Layer> {
    let limits = Limits {
        depth: Some(3),
        deadline: Some(Instant::now() + Duration::from_millis(500)),
        memory: Some(20 << 20),
        ..Limits::default()
    };
    perft(expander, limits, |_| {}).expect("an answer").layers
}

#[test]
fn strange_games_behave_as_the_reference_says() {
    for (name, text) in strange_games() {
        let program = program(name, &text).unwrap_or_else(|_| panic!("{name} is valid"));
        let machine =
            machine(&program, &GroundLimits::default()).unwrap_or_else(|| panic!("{name} compiles"));
        let deadline = Instant::now() + Duration::from_millis(500);
        let states = compare_plays(name, &program, &machine, deadline, 3);
        assert!(!states.is_empty(), "{name}");
        if name != "auction" {
            // Three million joint moves in each state are too many to compare.
            compare_evaluators(name, &machine, &states[..states.len().min(5)]);
        }
        let reference = ReferenceGame::new(Reference::new(&program).expect("within reach"));
        let found = [layers(Sliced::new(&machine)), layers(Scalar::new(&machine))];
        let expected = layers(Scalar::new(&reference));
        for found in found {
            let both = found.len().min(expected.len());
            assert_eq!(found[..both], expected[..both], "{name}");
        }
    }
}

#[test]
fn a_state_of_more_than_a_thousand_bits_has_a_key_of_as_many() {
    let program = program("switches", &switches(1100)).expect("valid");
    let machine: Machine = machine(&program, &GroundLimits::default()).expect("compiles");
    assert_eq!((machine.layout().bits(), machine.layout().words()), (1100, 18));
}

#[test]
fn a_joint_move_that_is_none_is_no_panic() {
    use emm::game::Game;
    let program = program("crowd", &crowd(3)).expect("valid");
    let machine = machine(&program, &GroundLimits::default()).expect("compiles");
    let state = machine.initial();
    for joint in [
        vec![],
        vec![MoveId::new(0)],
        vec![MoveId::new(1_000_000); 3],
        vec![MoveId::new(0); 9],
    ] {
        machine.next(&state, &joint).expect("the machine always answers");
    }
}

fn build(text: &str, limits: NetLimits) -> Result<(), BuildError> {
    let program = program("paths", text).expect("valid");
    let grounded = ground(&program, &GroundLimits::default()).expect("within reach");
    Propnet::build_within(&grounded.program, &limits).map(|_| ())
}

#[test]
fn a_network_that_explodes_is_an_error_that_names_what_did() {
    let text = paths(14);
    let few = NetLimits {
        max_gates: 20_000,
        ..NetLimits::default()
    };
    let error = build(&text, few).expect_err("too many gates");
    assert_eq!((error.limit, error.gates), (Limit::Gates, 20_000));
    let message = error.to_string();
    assert!(
        message.starts_with("the network has more than 20000 gates: `(path k0 "),
        "{message}"
    );
    assert!(
        message.ends_with("atoms that depend on each other") && error.component > 100,
        "{message}"
    );
    let late = NetLimits {
        deadline: Some(Instant::now()),
        ..NetLimits::default()
    };
    assert_eq!(build(&text, late).expect_err("no time").limit, Limit::Time);
}
