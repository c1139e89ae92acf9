//! Symmetries: the groups that are known, verified elements, and games that stay the same when played
//! through one.

use crate::support::random::Random;
use crate::support::random_game::{clauses, plans, text};
use crate::support::variants::rename_text;
use crate::support::{program, shared_games};
use emm::game::{Game, Position};
use emm::ground::{GroundProgram, Limits as GroundLimits, MoveId, ground};
use emm::machine::{Bits, Machine};
use emm::propnet::Propnet;
use emm::symmetry::{Automorphism, Automorphisms, Limits, Symmetries, Symmetry, find, verify};
use emm::syntax::decode;
use proptest::prelude::*;
use std::time::Instant;

/// Games that become too large are left out.
const MAX_RULES: usize = 20_000;

fn grounded(name: &str, text: &str) -> Option<GroundProgram> {
    let program = program(name, text).unwrap_or_else(|error| panic!("{name}: {error}"));
    let limits = GroundLimits {
        max_rules: MAX_RULES,
        ..GroundLimits::default()
    };
    ground(&program, &limits).ok().map(|grounded| grounded.program)
}

fn bundled(name: &str) -> GroundProgram {
    let game = emm::games::find(name).expect("a bundled game");
    grounded(name, game.text).expect("a small game")
}

fn all_of(program: &GroundProgram) -> Automorphisms {
    find(program, &Limits::default())
}

/// The order of the group, which must be listed in full.
fn order(program: &GroundProgram) -> usize {
    let found = all_of(program);
    assert!(!found.gave_up());
    assert_eq!(found.order(), Some(found.elements().len() as u128));
    found.elements().len()
}

#[test]
fn boards_have_the_symmetries_that_one_sees() {
    for (name, expected) in [
        ("tt-3x3", 8),
        ("tt-4x4", 8),
        ("s-tt-3x3-50", 8),
        ("s-tt-3x3-80", 8),
        ("s-tt-3x4-80", 4),
        ("s-tt-4x4-80", 8),
        ("c3-4x4", 2),
        ("c4-5x5", 2),
        ("c4-6x6", 2),
        ("s-c4-4x4-80", 2),
        ("breakthrough-3x4", 2),
        ("gttt-4x4-1-1-elly", 8),
        ("s-nim-10", 1),
    ] {
        assert_eq!(order(&bundled(name)), expected, "{name}");
    }
}

#[test]
fn symmetries_that_one_does_not_see_are_found_too() {
    for (name, expected) in [
        // The two outer lines of each corner box are in no other box: 2^4 times those of the board.
        ("dots-and-boxes-2x2", 16 * 8),
        ("dots-and-boxes-2x3", 16 * 4),
        // Four in a row or column, no diagonals: rows and columns in any order, and exchanged.
        ("gttt-4x4-1-1-skinny", 24 * 24 * 2),
        // Six faces.
        ("chuck-a-luck", 720),
    ] {
        let found = all_of(&bundled(name));
        assert_eq!(found.order(), Some(expected), "{name}");
        assert!(found.elements().len() > 4, "{name}");
        assert_eq!(expected % found.elements().len() as u128, 0, "{name}: a subgroup");
    }
}

#[test]
fn faces_of_a_die_with_the_same_effect_are_interchangeable() {
    let program = bundled("s-c4-4x4-80");
    let found = all_of(&program);
    let symmetries = found.generators().iter().map(|found| found.symmetry(&program));
    // Four faces give the piece its own colour.
    assert_eq!(symmetries.filter(Symmetry::fixes_fluents).count(), 3);
}

#[test]
fn one_rule_breaks_the_symmetry() {
    let game = emm::games::find("c4-5x5").expect("a bundled game");
    let text = format!(
        "{}\n(<= terminal (true (cell 1 1 x)))\n",
        kif("c4-5x5", game.text)
    );
    assert_eq!(order(&grounded("broken", &text).expect("small")), 1);
    let text = format!(
        "{}\n(<= terminal (true (cell 3 1 x)))\n",
        kif("c4-5x5", game.text)
    );
    assert_eq!(order(&grounded("middle", &text).expect("small")), 2);
    let text = format!("{}\n(init (cell 1 1 x))\n", kif("c4-5x5", game.text));
    assert_eq!(order(&grounded("begun", &text).expect("small")), 1);
}

/// A game's ground rules in KIF, whatever it was written in.
fn kif(name: &str, text: &str) -> String {
    grounded(name, text).expect("a small game").to_string()
}

#[test]
fn names_do_not_matter() {
    for name in ["tt-3x3", "s-tt-3x4-80", "c4-5x5", "sliding-2x3", "coins"] {
        let program = bundled(name);
        let renamed = grounded(name, &rename_text(&program.to_string())).expect("a small game");
        assert_eq!(all_of(&program).order(), all_of(&renamed).order(), "{name}");
    }
}

#[test]
fn what_is_not_an_automorphism_is_refused() {
    let program = bundled("tt-3x3");
    let found = all_of(&program);
    let (fluents, inputs) = (
        program.fluents().len(),
        program.fluents().len() + program.moves().len(),
    );
    for element in found.elements() {
        assert!(verify(&program, element));
        for (a, b) in [(0, 1), (0, fluents), (fluents, fluents + 1), (inputs, inputs + 1)] {
            let mut wrong = element.clone();
            wrong.atoms.swap(a, b);
            assert!(!verify(&program, &wrong), "{a} and {b} are exchanged");
        }
        let mut doubled = element.clone();
        doubled.atoms[0] = doubled.atoms[1];
        assert!(!verify(&program, &doubled));
    }
    assert!(!verify(&program, &Automorphism { atoms: Vec::new() }));
}

#[test]
fn a_small_budget_gives_a_smaller_group_and_says_so() {
    let program = bundled("tt-3x3");
    for work in [0, 100, 3_000, 5_000, 10_000, 20_000] {
        let limits = Limits { work, elements: 64 };
        let found = find(&program, &limits);
        assert_eq!(
            found,
            find(&program, &limits),
            "the same budget gives the same answer"
        );
        assert!(found.gave_up() || found.elements().len() == 8, "{work}");
        assert!(is_group(found.elements()));
    }
    for elements in [0, 1, 2, 4, 7] {
        let limits = Limits {
            elements,
            ..Limits::default()
        };
        let found = find(&program, &limits);
        assert!(found.elements().len() <= elements.max(1));
        assert_eq!(found.order(), Some(8));
        assert!(is_group(found.elements()));
    }
}

fn is_group(elements: &[Automorphism]) -> bool {
    let product = |a: &Automorphism, b: &Automorphism| -> Vec<u32> {
        a.atoms.iter().map(|&atom| b.atoms[atom as usize]).collect()
    };
    let contains = |atoms: Vec<u32>| elements.iter().any(|element| element.atoms == atoms);
    let all = |a: &Automorphism| elements.iter().all(|b| contains(product(a, b)));
    elements.iter().all(all)
}

/// A game that is played together with its image under a symmetry.
struct Mirror<'m> {
    machine: &'m Machine,
    symmetry: &'m Symmetry,
}

impl Mirror<'_> {
    fn state(&self, state: &Bits) -> Bits {
        let mut values = vec![false; self.symmetry.fluents.len()];
        for (fluent, &image) in self.symmetry.fluents.iter().enumerate() {
            values[image as usize] = state.get(fluent);
        }
        Bits::from_values(values.into_iter())
    }

    fn mv(&self, mv: MoveId) -> MoveId {
        MoveId::new(self.symmetry.moves[mv.index()] as usize)
    }

    fn position(&self, state: &Bits) -> Position<MoveId> {
        let mut position = Position::new(self.machine.roles().len());
        self.machine.look(state, &mut position).expect("an answer");
        position
    }

    /// The image of what the rules say about a state.
    fn image(&self, mut position: Position<MoveId>) -> Position<MoveId> {
        for moves in &mut position.legal {
            moves.iter_mut().for_each(|mv| *mv = self.mv(*mv));
            moves.sort_unstable();
        }
        position
    }

    /// Plays at random; how many states were compared.
    fn play(&self, seed: u64, steps: usize) -> usize {
        let mut random = Random::new(seed);
        let mut state = self.machine.initial();
        assert_eq!(self.state(&state), state, "the initial state stays");
        for step in 0..steps {
            let position = self.position(&state);
            let mirrored = self.state(&state);
            let place = || format!("{:?}", self.machine.facts(&state));
            assert_eq!(
                self.image(position.clone()),
                self.position(&mirrored),
                "{}",
                place()
            );
            if position.terminal || position.legal.iter().any(Vec::is_empty) {
                return step + 1;
            }
            let choose = |moves: &Vec<MoveId>| moves[random.below(moves.len())];
            let joint: Vec<MoveId> = position.legal.iter().map(choose).collect();
            let images: Vec<MoveId> = joint.iter().map(|&mv| self.mv(mv)).collect();
            let next = self.machine.next(&state, &joint).expect("an answer");
            let expected = self.machine.next(&mirrored, &images).expect("an answer");
            assert_eq!(self.state(&next), expected, "{}", place());
            state = next;
        }
        steps
    }
}

/// Verifies everything that was found about a program, and plays it. The number of elements.
fn examine(program: &GroundProgram, seed: u64) -> usize {
    let found = all_of(program);
    let all = found.elements().iter().chain(found.generators());
    all.for_each(|element| assert!(verify(program, element)));
    let (net, reduction) = Propnet::build(program).expect("a small network");
    let symmetries = Symmetries::new(program, &net, &found);
    assert_eq!(
        symmetries.generators().len(),
        found.generators().len(),
        "none is lost"
    );
    assert!(symmetries.elements()[0].fixes_fluents());
    let machine = Machine::new(net, reduction);
    let some = symmetries
        .elements()
        .iter()
        .take(8)
        .chain(symmetries.generators().iter().take(8));
    for (number, symmetry) in some.enumerate() {
        let mirror = Mirror {
            machine: &machine,
            symmetry,
        };
        mirror.play(seed + number as u64, 30);
    }
    symmetries.elements().len()
}

#[test]
fn bundled_games_are_the_same_when_played_through_a_symmetry() {
    let mut with_symmetry = 0;
    for game in emm::games::bundled() {
        let Some(program) = grounded(game.name, game.text) else {
            continue;
        };
        let start = Instant::now();
        let found = all_of(&program);
        let time = start.elapsed();
        let elements = examine(&program, 1);
        println!(
            "{}: {} rules, order {:?}, {elements} elements, {} generators, {time:?}, gave up: {}",
            game.name,
            program.rules().len(),
            found.order(),
            found.generators().len(),
            found.gave_up(),
        );
        with_symmetry += usize::from(elements > 1);
    }
    assert!(with_symmetry > 20, "only {with_symmetry} games");
}

#[test]
fn published_games_are_the_same_when_played_through_a_symmetry() {
    let Some(files) = shared_games(&["ggp", "paper-gdl"]) else {
        return;
    };
    let mut with_symmetry = 0;
    for file in files.iter().step_by(3) {
        let name = file.file_name().expect("a name").to_string_lossy().into_owned();
        let (source, _) = decode(&name, std::fs::read(file).expect("a readable file"));
        let program = program(&name, source.text()).ok();
        let limits = GroundLimits {
            max_rules: MAX_RULES,
            ..GroundLimits::default()
        };
        let grounded = program.and_then(|program| ground(&program, &limits).ok());
        let elements = grounded.map_or(1, |grounded| examine(&grounded.program, 1));
        with_symmetry += usize::from(elements > 1);
    }
    assert!(with_symmetry > 5, "only {with_symmetry} games");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, ..ProptestConfig::default() })]

    #[test]
    fn random_games_are_the_same_when_played_through_a_symmetry(plan in plans(), seed in 0u64..1000) {
        let text = text(&clauses(&plan));
        if let Some(program) = grounded("random", &text) {
            examine(&program, seed);
            let renamed = grounded("renamed", &rename_text(&text));
            let renamed = renamed.expect("as small as before");
            prop_assert_eq!(all_of(&program).order(), all_of(&renamed).order());
        }
    }
}
