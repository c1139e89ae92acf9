//! Games made of what is hard for the engine `layered`: several players, wide keys, weights, cycles, symmetries.

use super::layered::{SMALL, essence};
use emm::game::Game;
use emm::games::bundled;
use emm::machine::{Bits, Machine};
use emm::solve::{
    Engine, Objective, Options, Outcome, Question, Refusal, SolveError, Start, select, solve, solve_selected,
};
use emm::source::Source;

/// Three players take turns and fill rows of twenty lamps, which no group makes smaller, so that keys are wide.
/// What random may do depends on the row, and some of it has the same effect: numbers of moves and weights differ.
const LAMPS: &str = "
    role(a). role(b). role(c). role(random).
    succ(1,2). succ(2,3). succ(3,4). succ(4,5). succ(5,6). succ(6,7). succ(7,8).
    turn(1,a). turn(2,b). turn(3,c). turn(4,a). turn(5,b). turn(6,c). turn(7,a).
    lamp(1). lamp(2). lamp(3). lamp(4). lamp(5). lamp(6). lamp(7). lamp(8). lamp(9). lamp(10).
    lamp(11). lamp(12). lamp(13). lamp(14). lamp(15). lamp(16). lamp(17). lamp(18). lamp(19). lamp(20).
    wind(still). wind(breeze). wind(storm).
    off(breeze,3). off(breeze,7). off(storm,3). off(storm,11). off(storm,20).
    init(row(1)).
    legal(P,light) :- true(row(S)), turn(S,P).
    legal(P,rest) :- true(row(S)), turn(S,P).
    legal(P,noop) :- role(P), distinct(P,random), true(row(S)), not turn(S,P).
    legal(random,still) :- true(row(S)).
    legal(random,breeze) :- true(row(S)).
    legal(random,storm) :- true(row(S)), not true(on(1,1)).
    lit(S) :- true(row(S)), turn(S,P), does(P,light).
    next(on(S,L)) :- lit(S), lamp(L), does(random,W), not off(W,L).
    next(on(S,L)) :- true(on(S,L)).
    next(row(T)) :- true(row(S)), succ(S,T).
    terminal :- true(row(8)).
    odd :- true(on(1,3)), not true(on(2,7)).
    odd :- true(on(4,11)), not true(on(5,20)), not true(on(1,1)).
    odd :- not true(on(6,3)), true(on(7,7)), true(on(3,1)).
    even :- true(on(2,3)), not true(on(3,20)).
    goal(a,100) :- odd. goal(a,40) :- not odd.
    goal(b,100) :- even, not odd. goal(b,10) :- odd. goal(b,0) :- not odd, not even.
    goal(c,100) :- not odd, not even. goal(c,50) :- odd. goal(c,50) :- even, not odd.
";

/// A token on a ring of five places: x and o push it in turn, random may blow it back. States recur after two
/// steps and after five, and without a horizon a play need not end.
const RING: &str = "
    role(x). role(o). role(random).
    place(0). place(1). place(2). place(3). place(4).
    succ(0,1). succ(1,2). succ(2,3). succ(3,4). succ(4,0).
    init(at(2)). init(control(x)).
    legal(P,left) :- true(control(P)).
    legal(P,right) :- true(control(P)).
    legal(x,noop) :- true(control(o)).
    legal(o,noop) :- true(control(x)).
    legal(random,calm). legal(random,windy).
    pushed(left) :- does(x,left). pushed(left) :- does(o,left).
    pushed(right) :- does(x,right). pushed(right) :- does(o,right).
    next(at(Q)) :- true(at(P)), pushed(right), succ(P,Q), does(random,calm).
    next(at(Q)) :- true(at(P)), pushed(left), succ(Q,P), does(random,calm).
    next(at(P)) :- true(at(P)), does(random,windy).
    next(control(o)) :- true(control(x)).
    next(control(x)) :- true(control(o)).
    terminal :- true(at(0)), true(control(x)).
    goal(x,100) :- terminal. goal(x,0) :- not terminal.
    goal(o,0) :- terminal. goal(o,100) :- not terminal.
";

fn load(text: &str) -> Machine {
    Machine::load_with_symmetries(Source::new("trap", text)).expect("a machine")
}

fn questions(machine: &Machine, horizon: Option<u32>, objective: Objective) -> Vec<Question<Bits>> {
    let roles = machine.roles();
    let players = (0..roles.len()).filter(|&role| roles[role] != "random");
    let ask = |role| Question {
        horizon,
        objective,
        ..Question::new(machine, role)
    };
    players.map(ask).collect()
}

fn with(engine: Engine, threads: usize) -> Options {
    Options {
        engine,
        threads,
        ..Options::default()
    }
}

/// The answers of `layered`; nothing if the game is none for it.
fn layered(
    machine: &Machine,
    questions: &[Question<Bits>],
    options: &Options,
) -> Option<Vec<Option<String>>> {
    let answers = select(machine, questions, options)
        .and_then(|selected| solve_selected(machine, &selected, questions, options));
    match answers {
        Err(SolveError::Unsuitable(_)) => None,
        answers => Some(answers.expect("answers").iter().map(essence).collect()),
    }
}

/// All engines say the same, `layered` with one, two and three threads.
fn all_agree(machine: &Machine, horizon: Option<u32>) {
    for objective in [Objective::Win, Objective::Goal, Objective::AtLeast(50)] {
        let questions = questions(machine, horizon, objective);
        let ask = |engine| -> Vec<Option<String>> {
            let answers = questions
                .iter()
                .map(|question| solve(machine, question, &with(engine, 1)));
            answers
                .map(|answer| essence(&answer.expect("an answer")))
                .collect()
        };
        let expected = ask(Engine::Search);
        assert!(expected.iter().all(Option::is_some));
        let values = |essences: &[Option<String>]| -> Vec<String> {
            let value = |essence: &Option<String>| {
                essence
                    .as_ref()
                    .map(|text| text.split(' ').next().map(str::to_string))
            };
            essences
                .iter()
                .filter_map(|essence| value(essence).flatten())
                .collect()
        };
        assert_eq!(values(&ask(Engine::Reference)), values(&expected));
        for threads in [1, 2, 3] {
            let found = layered(machine, &questions, &with(Engine::Layered, threads));
            assert_eq!(
                found.as_ref(),
                Some(&expected),
                "{horizon:?} {objective:?} {threads}"
            );
        }
    }
}

#[test]
fn three_players_wide_keys_and_weights_are_valued_alike() {
    let machine = load(LAMPS);
    let asked = &questions(&machine, None, Objective::Win);
    let selected = select(&machine, asked, &with(Engine::Layered, 1)).expect("an engine");
    assert!(selected.key_bits() > Some(128), "{:?}", selected.key_bits());
    assert_eq!(asked.len(), 3);
    for horizon in [None, Some(3), Some(6), Some(7)] {
        all_agree(&machine, horizon);
    }
}

#[test]
fn states_that_recur_at_different_depths_are_valued_for_each_horizon() {
    let machine = load(RING);
    for horizon in 1..=9 {
        all_agree(&machine, Some(horizon));
    }
}

#[test]
fn a_play_that_can_run_forever_is_refused_and_not_looped_over() {
    let machine = load(RING);
    for threads in [1, 2] {
        let options = with(Engine::Layered, threads);
        let questions = questions(&machine, None, Objective::Win);
        let selected = select(&machine, &questions, &options).expect("an engine");
        let answers = solve_selected(&machine, &selected, &questions, &options).expect("answers");
        for answer in answers {
            let Outcome::Refused(Refusal::Cycle(_)) = answer.outcome else {
                panic!("{:?}", answer.outcome);
            };
        }
    }
}

#[test]
fn symmetries_change_nothing_but_the_work() {
    let (mut games, mut asked) = (0, 0);
    for game in bundled() {
        let source = || Source::new(game.name, game.text);
        let symmetric = Machine::load_with_symmetries(source()).expect("a machine");
        if symmetric.symmetries().len() < 2 {
            continue;
        }
        let plain = Machine::load(source()).expect("a machine");
        let before = asked;
        for horizon in [Some(2), Some(5), None] {
            for random in [None, Some(1)] {
                let mut questions = questions(&plain, horizon, Objective::Win);
                questions.truncate(1);
                questions[0]
                    .chance
                    .extend(random.filter(|_| plain.roles().len() == 2));
                let options = |threads| Options {
                    memory: SMALL,
                    ..with(Engine::Layered, threads)
                };
                let without = layered(&plain, &questions, &options(1));
                let with = layered(&symmetric, &questions, &options(2));
                if let (Some([Some(without)]), Some([Some(with)])) = (without.as_deref(), with.as_deref()) {
                    assert_eq!(without, with, "{} {horizon:?}", game.name);
                    asked += 1;
                }
            }
        }
        games += usize::from(asked > before);
    }
    println!("{asked} questions about {games} games");
    assert!(
        games >= 15 && asked >= 50,
        "{asked} questions about {games} games"
    );
}

#[test]
fn any_state_may_be_the_start() {
    // A start that no symmetry maps to itself: images must still be states of the same value.
    let game = emm::games::find("s-c3-4x4-80").expect("a bundled game");
    let machine = load(game.text);
    let mut position = emm::game::Position::new(machine.roles().len());
    let mut state = machine.initial();
    for _ in 0..6 {
        machine.look(&state, &mut position).expect("a position");
        let joint: Vec<_> = position.legal.iter().map(|moves| moves[0]).collect();
        state = machine.next(&state, &joint).expect("a successor");
    }
    let mut questions = questions(&machine, None, Objective::Win);
    for question in &mut questions {
        question.start = Start::Reached(state.clone());
    }
    let answers = questions
        .iter()
        .map(|question| solve(&machine, question, &with(Engine::Search, 1)));
    let expected: Vec<_> = answers
        .map(|answer| essence(&answer.expect("an answer")))
        .collect();
    let found = layered(&machine, &questions, &with(Engine::Layered, 2));
    assert_eq!(found, Some(expected));
}
