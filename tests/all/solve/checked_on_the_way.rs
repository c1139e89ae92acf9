//! The engine `layered` on games of which too little is proven: it checks them while it solves them.

use super::layered::{compare, questions};
use crate::support::random::Random;
use emm::game::Game;
use emm::machine::{Bits, Machine};
use emm::solve::{Answer, Engine, Objective, Options, Outcome, Question, Refusal, select, solve_selected};
use emm::source::Source;

/// No state is checked before the game is solved.
fn on_the_way() -> Options {
    Options {
        engine: Engine::Layered,
        check_bytes: 0,
        ..Options::default()
    }
}

fn answers(machine: &Machine, questions: &[Question<Bits>]) -> Vec<Answer<Bits, emm::ground::MoveId>> {
    let selected = select(machine, questions, &on_the_way()).expect("an engine");
    solve_selected(machine, &selected, questions, &on_the_way()).expect("answers")
}

/// A token on the nodes of a random graph, moved by the owner of the node and by chance. Nodes that no play reaches
/// may be without moves or lie on cycles, so that nothing can be proven about all states, and sometimes others are.
fn graph_game(seed: u64) -> String {
    let mut dice = Random::new(seed);
    let nodes = 5 + dice.below(12);
    let mut text = "role(x). role(o). role(random). init(at(0)).\n\
        legal(random,heads). legal(random,tails).\n\
        legal(P,noop) :- role(P), distinct(P,random), true(at(N)), not owner(N,P).\n\
        next(at(M)) :- true(at(N)), owner(N,P), does(P,V), does(random,C), edge(N,V,C,M).\n\
        legal(P,V) :- true(at(N)), owner(N,P), edge(N,V,heads,M).\n\
        terminal :- true(at(N)), end(N).\n\
        goal(P,V) :- role(P), distinct(P,random), true(at(N)), worth(N,P,V).\n"
        .to_string();
    for node in 0..nodes {
        let is_end = node > 2 && dice.below(4) == 0 || node + 1 == nodes;
        let (worth, owner) = (dice.below(101), ["x", "o"][dice.below(2)]);
        text += &format!(
            "worth({node},x,{worth}). worth({node},o,{}). owner({node},{owner}).\n",
            100 - worth
        );
        if is_end {
            text += &format!("end({node}).\n");
        }
        let moves = if dice.below(12) == 0 { 0 } else { 1 + dice.below(3) };
        for (number, toss) in (0..moves).flat_map(|number| [(number, "heads"), (number, "tails")]) {
            let to = match dice.below(25) {
                0 => dice.below(nodes),
                _ => nodes.min(node + 1 + dice.below(5)) - 1 + usize::from(node + 1 < nodes),
            };
            text += &format!("edge({node},m{number},{toss},{}).\n", to.min(nodes - 1));
        }
    }
    text
}

#[test]
fn random_games_have_the_same_answers_however_they_are_checked() {
    let (mut solved, mut cycles, mut stuck) = (0, 0, 0);
    for seed in 0..if cfg!(debug_assertions) { 40 } else { 600 } {
        let text = graph_game(seed);
        let machine = Machine::load(Source::new("graph", &text)).expect("a machine");
        for (number, horizon) in [Some(2), Some(5), None, None].into_iter().enumerate() {
            let options = Options {
                threads: 1 + number % 2,
                ..on_the_way()
            };
            for questions in questions(&machine, horizon, Objective::Goal) {
                compare(&machine, &questions, &options, &text).expect("an answer");
                let answer = &answers(&machine, &questions)[0];
                let proven = machine.proven();
                let is_open = !proven.always_a_move || horizon.is_none() && proven.longest_play.is_none();
                match &answer.outcome {
                    Outcome::Refused(Refusal::Cycle(_)) => cycles += 1,
                    Outcome::Refused(Refusal::Stuck { .. }) => stuck += 1,
                    _ => solved += usize::from(is_open && answer.statistics.explored == 0),
                }
            }
        }
    }
    println!("{solved} solved without a check before, {cycles} cycles, {stuck} without a move");
    if !cfg!(debug_assertions) {
        assert!(solved >= 200 && cycles >= 50 && stuck >= 50);
    }
}

/// A counter that only chance moves on, and that is never proven to end: two of its bits swap on the way.
const WALK: &str = "
    role(x). role(random).
    succ(0,1). succ(1,2). succ(2,3). succ(3,4). succ(4,5). succ(5,6).
    init(at(0)). init(left(6)).
    legal(x,go) :- true(at(0)). legal(x,go) :- true(at(N)), succ(M,N).
    legal(x,wait) :- true(at(N)), odd(N).
    odd(1). odd(3). odd(5).
    legal(random,heads). legal(random,tails).
    next(at(N)) :- does(x,go), does(random,heads), true(at(M)), succ(M,N).
    next(at(M)) :- does(x,go), does(random,tails), true(at(M)).
    next(at(M)) :- does(x,wait), true(at(M)).
    next(left(M)) :- true(left(N)), succ(M,N).
    terminal :- true(at(4)).
    terminal :- true(left(0)).
    goal(x,100) :- true(at(4)). goal(x,0) :- not true(at(4)).
";

#[test]
fn a_walk_that_ends_has_its_value_and_its_length() {
    let machine = Machine::load(Source::new("walk", WALK)).expect("a machine");
    let found = answers(&machine, &[Question::new(&machine, 0)]);
    // Four heads in six tosses.
    assert_eq!(
        found[0].outcome,
        Outcome::Solved(emm::solve::Fraction::new(22, 64).expect("a fraction"))
    );
    assert_eq!(found[0].statistics.longest_play, Some(6));
}

#[test]
fn a_walk_that_need_not_end_is_refused() {
    let endless = WALK.replace("true(left(N)), succ(M,N).", "true(left(M)).");
    let machine = Machine::load(Source::new("walk", endless)).expect("a machine");
    let found = answers(&machine, &[Question::new(&machine, 0)]);
    assert!(
        matches!(&found[0].outcome, Outcome::Refused(Refusal::Cycle(_))),
        "{:?}",
        found[0].outcome
    );
}

#[test]
fn a_walk_without_a_move_is_refused() {
    let stuck = WALK.replace(
        "legal(x,go) :- true(at(N)), succ(M,N).",
        "legal(x,go) :- true(at(N)), even(N). even(2).",
    );
    let stuck = stuck.replace("odd(1). odd(3).", "");
    let machine = Machine::load(Source::new("walk", stuck)).expect("a machine");
    let found = answers(&machine, &[Question::new(&machine, 0)]);
    assert!(matches!(
        &found[0].outcome,
        Outcome::Refused(Refusal::Stuck { .. } | Refusal::Cycle(_))
    ));
}

/// A choice and a toss by turns, four times; after two of each `x` may be without a move.
const TOSSES: &str = "
    role(x). role(random).
    succ(0,1). succ(1,2). succ(2,3). succ(3,4).
    face(a). face(b). face(c).
    init(choosing). init(done(0)). init(last(a)).
    lost :- true(done(2)), true(last(c)).
    legal(x,take(F)) :- true(choosing), face(F), not lost.
    legal(x,wait) :- true(tossing).
    legal(random,wait) :- true(choosing).
    legal(random,heads) :- true(tossing).
    legal(random,tails) :- true(tossing).
    next(last(F)) :- does(x,take(F)).
    next(last(F)) :- true(last(F)), does(random,heads).
    next(last(a)) :- does(random,tails).
    next(tossing) :- true(choosing).
    next(choosing) :- true(tossing).
    next(done(M)) :- true(done(N)), true(tossing), succ(N,M).
    next(done(N)) :- true(done(N)), true(choosing).
    terminal :- true(done(4)).
    goal(x,100) :- true(last(b)). goal(x,0) :- not true(last(b)).
";

#[test]
fn a_state_without_a_move_is_found_wherever_the_horizon_cuts_a_composed_step() {
    let machine = Machine::load(Source::new("tosses", TOSSES)).expect("a machine");
    for horizon in 0..10 {
        let questions = [Question {
            horizon: Some(horizon),
            ..Question::new(&machine, 0)
        }];
        let outcome = &answers(&machine, &questions)[0].outcome;
        let is_stuck = matches!(outcome, Outcome::Refused(Refusal::Stuck { .. }));
        // The state is reached after four steps; if none is left then, nobody has to move.
        assert_eq!(is_stuck, horizon > 4, "{horizon}: {outcome:?}");
    }
}
