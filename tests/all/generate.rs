//! The games that come with the program: what a family writes is what stands in `games/`, and every file
//! there is a game without anything dubious in it.
//!
//! `EMM_BLESS=1 cargo test --test all generate` writes the files of the families anew.

use emm::check::check;
use emm::games::{BundledGame, bundled, find};
use emm::generate::{GenerateError, families, family};
use emm::ground::{Limits, ground};
use emm::program::Program;
use emm::reference::{Position, Reference, print_state};
use emm::source::Source;
use emm::syntax::parse;
use emm::term::Term;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{env, fs};

/// A file of `games/` that a family writes.
struct Member {
    name: String,
    family: &'static str,
    options: Vec<(&'static str, String)>,
}

impl Member {
    fn new(name: impl Into<String>, family: &'static str, options: &[(&'static str, &str)]) -> Member {
        let options = options
            .iter()
            .map(|&(option, value)| (option, value.to_owned()))
            .collect();
        Member {
            name: name.into(),
            family,
            options,
        }
    }

    fn text(&self) -> String {
        let options: Vec<_> = self
            .options
            .iter()
            .map(|(name, value)| (*name, value.as_str()))
            .collect();
        let text = family(self.family).and_then(|family| family.generate(&options));
        text.unwrap_or_else(|error| panic!("{}: {error}", self.name))
    }
}

fn members() -> Vec<Member> {
    let mut members = vec![
        Member::new("one-shot", "one-shot", &[]),
        Member::new(
            "orchard-restricted",
            "orchard",
            &[("trees", "2"), ("fruits", "2"), ("raven", "1")],
        ),
        Member::new("orchard-full", "orchard", &[]),
    ];
    for n in ["3", "4", "5", "6", "7", "8", "9", "10", "30", "100"] {
        members.push(Member::new(
            format!("s-nim-{n}"),
            "s-nim",
            &[("n", n), ("p", "1/2")],
        ));
    }
    for (size, percent) in [("3x3", "50"), ("3x3", "80"), ("3x4", "80"), ("4x4", "80")] {
        members.push(stochastic_board(
            format!("s-tt-{size}-{percent}"),
            "s-tt",
            &[],
            size,
            percent,
        ));
    }
    for k in ["3", "4"] {
        for (size, percent) in [("4x4", "50"), ("4x4", "80"), ("5x4", "80"), ("5x5", "80")] {
            let name = format!("s-c{k}-{size}-{percent}");
            members.push(stochastic_board(name, "s-connect", &[("k", k)], size, percent));
        }
    }
    for size in ["3x3", "4x4"] {
        members.push(board(format!("tt-{size}"), "tt", &[], size));
    }
    for (k, size) in [
        ("3", "4x4"),
        ("3", "5x5"),
        ("3", "6x6"),
        ("4", "4x4"),
        ("4", "5x4"),
        ("4", "5x5"),
        ("4", "6x6"),
    ] {
        members.push(board(format!("c{k}-{size}"), "connect", &[("k", k)], size));
    }
    for size in ["2x5", "2x6", "3x4", "3x5", "4x4"] {
        members.push(board(format!("breakthrough-{size}"), "breakthrough", &[], size));
    }
    for size in ["2x2", "2x3"] {
        members.push(board(
            format!("dots-and-boxes-{size}"),
            "dots-and-boxes",
            &[],
            size,
        ));
    }
    for animal in ["elly", "fatty", "knobby", "skinny", "tippy"] {
        for stones in ["1", "2"] {
            let options = [("animal", animal), ("first", stones), ("each", stones)];
            members.push(board(
                format!("gttt-4x4-{stones}-{stones}-{animal}"),
                "gttt",
                &options,
                "4x4",
            ));
        }
    }
    members
}

fn board(name: String, family: &'static str, options: &[(&'static str, &str)], size: &str) -> Member {
    let (width, height) = size.split_once('x').expect("a size has an x");
    Member::new(
        name,
        family,
        &[options, &[("width", width), ("height", height)]].concat(),
    )
}

fn stochastic_board(
    name: String,
    family: &'static str,
    options: &[(&'static str, &str)],
    size: &str,
    percent: &str,
) -> Member {
    let p = format!("{percent}/100");
    board(name, family, &[options, &[("p", p.as_str())]].concat(), size)
}

fn games() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("games")
}

#[test]
fn the_files_of_a_family_are_the_generators_output() {
    for member in members() {
        let path = games().join(format!("{}.gdl", member.name));
        if env::var_os("EMM_BLESS").is_some() {
            fs::write(&path, member.text()).expect("games/ can be written");
        }
        let file = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert!(
            file == member.text(),
            "{} differs; EMM_BLESS=1 writes it anew",
            path.display()
        );
    }
}

#[test]
fn every_family_has_a_file_and_works_with_its_defaults() {
    for family in families() {
        assert!(
            members().iter().any(|member| member.family == family.name),
            "{}",
            family.name
        );
        family
            .generate(&[])
            .unwrap_or_else(|error| panic!("{}: {error}", family.name));
    }
    assert!(families().is_sorted_by_key(|family| family.name));
}

#[test]
fn any_rational_is_a_probability() {
    let family = family("s-nim").expect("there is a family s-nim");
    for (p, faces) in [("0", 1), ("1", 1), ("3/7", 7), ("0.25", 4), ("2/6", 3)] {
        let text = family.generate(&[("p", p)]).expect("a probability");
        let die = text.lines().filter(|line| line.starts_with("face("));
        let moves: usize = die.map(|line| line.matches("face(").count()).sum();
        assert_eq!(moves, faces, "{p}");
    }
}

#[test]
fn what_makes_no_game_is_refused_with_a_reason() {
    let refused = |name: &str, options: &[(&str, &str)]| {
        let text = family(name).and_then(|family| family.generate(options));
        text.err().map_or_else(
            || panic!("{name} {options:?} was accepted"),
            |error| error.to_string(),
        )
    };
    assert_eq!(
        refused("connect", &[("k", "7")]),
        "no such game: 7 in a row on a board of 5x4"
    );
    assert_eq!(
        refused("connect", &[("width", "x")]),
        "`width` cannot be `x`: expected a whole number from 2 to 50"
    );
    assert_eq!(
        refused("s-connect", &[("p", "5/4")]),
        "`p` cannot be `5/4`: expected a fraction a/b from 0 to 1 with b at most 1000, as in 4/5"
    );
    assert_eq!(
        refused("tt", &[("p", "1/2")]),
        "`tt` has no option `p`; options: width, height, line"
    );
    assert_eq!(
        refused("one-shot", &[("n", "3")]),
        "`one-shot` has no option `n`; it has none at all"
    );
    assert_eq!(refused("s-nim", &[("n", "3"), ("n", "4")]), "`n` is given twice");
    assert_eq!(
        refused("gttt", &[("animal", "snaky"), ("width", "3")]),
        "no such game: snaky does not fit on a board of 3x4"
    );
    assert!(refused("gttt", &[("animal", "cat")]).contains("expected one of el, elly"));
    assert!(matches!(
        family("chess"),
        Err(GenerateError::UnknownFamily { .. })
    ));
}

#[test]
fn every_file_is_embedded_and_found_by_its_name() {
    let files = fs::read_dir(games())
        .expect("games/ is there")
        .map(|entry| entry.expect("an entry").path());
    let games: BTreeSet<_> = files
        .filter(|path| path.extension().is_some_and(|e| e == "gdl"))
        .collect();
    assert_eq!(games.len(), bundled().len());
    for path in games {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        let game = find(&name).unwrap_or_else(|| panic!("{name} is not embedded"));
        assert_eq!(format!("{}.gdl", game.name), name);
        assert_eq!(find(game.name), Some(game));
        assert_eq!(fs::read_to_string(&path).ok().as_deref(), Some(game.text));
    }
    assert_eq!(find("no-such-game"), None);
}

#[test]
fn every_header_has_its_five_lines_in_order() {
    for game in bundled() {
        for (line, key) in game
            .text
            .lines()
            .zip(["title", "source", "roles", "horizon", "value"])
        {
            let value = game
                .header(key)
                .unwrap_or_else(|| panic!("{}: no {key}", game.name));
            assert_eq!(line[1..].trim_start(), format!("{key}: {value}"), "{}", game.name);
        }
        let roles: Vec<_> = program(game.name, game.text)
            .roles()
            .iter()
            .map(Term::to_string)
            .collect();
        assert_eq!(
            game.header("roles"),
            Some(roles.join(", ").as_str()),
            "{}",
            game.name
        );
        horizon(game);
    }
}

#[test]
fn no_game_has_anything_dubious() {
    for game in bundled() {
        assert_grounds_silently(game.name, game.text);
    }
}

#[test]
fn the_smallest_members_have_nothing_dubious_either() {
    let small = [
        Member::new("pile of one", "s-nim", &[("n", "1")]),
        Member::new("never added", "s-nim", &[("n", "2"), ("p", "0")]),
        Member::new("always added", "s-nim", &[("n", "2"), ("p", "1")]),
        Member::new("always own", "s-tt", &[("p", "1")]),
        Member::new("never own", "s-connect", &[("p", "0")]),
        Member::new(
            "two in a row",
            "connect",
            &[("k", "2"), ("width", "2"), ("height", "2")],
        ),
        Member::new("one box", "dots-and-boxes", &[("width", "1"), ("height", "1")]),
        Member::new("two boxes", "dots-and-boxes", &[("width", "1"), ("height", "2")]),
        Member::new(
            "a narrow board",
            "breakthrough",
            &[("width", "2"), ("height", "4")],
        ),
        Member::new(
            "a row",
            "gttt",
            &[("animal", "tic"), ("width", "3"), ("height", "1"), ("each", "3")],
        ),
        Member::new(
            "one tree",
            "orchard",
            &[("trees", "1"), ("fruits", "1"), ("raven", "1")],
        ),
    ];
    for member in small {
        assert_grounds_silently(&member.name, &member.text());
    }
}

fn assert_grounds_silently(name: &str, text: &str) {
    let grounded = ground(&program(name, text), &Limits::default());
    let grounded = grounded.unwrap_or_else(|error| panic!("{name}: {error}"));
    assert!(
        grounded.diagnostics.is_empty(),
        "{name}: {:#?}",
        grounded.diagnostics
    );
}

#[test]
fn random_plays_are_sound_and_end_within_the_horizon() {
    for (seed, game) in (1..).zip(bundled()) {
        let reference = Reference::new(&program(game.name, game.text)).expect("a game");
        let mut choice = Choice(seed);
        for _ in 0..2 {
            play(game, &reference, &mut choice);
        }
    }
}

/// The program of a game; the test fails if there is the slightest complaint about it.
fn program(name: &str, text: &str) -> Program {
    let parsed = parse(Arc::new(Source::new(name, text)), None);
    assert!(parsed.diagnostics.is_empty(), "{name}: {:#?}", parsed.diagnostics);
    let checked = check(&parsed.description);
    assert!(
        checked.diagnostics.is_empty(),
        "{name}: {:#?}",
        checked.diagnostics
    );
    checked.program.expect("no diagnostics, so a program")
}

fn horizon(game: &BundledGame) -> usize {
    let horizon = game.header("horizon").and_then(|horizon| horizon.parse().ok());
    horizon.unwrap_or_else(|| panic!("{}: the horizon is not a number", game.name))
}

fn play(game: &BundledGame, reference: &Reference, choice: &mut Choice) {
    let mut state = reference.initial();
    for _ in 0..=horizon(game) {
        let place = || format!("{} in {}", game.name, print_state(&state));
        let position = reference
            .position(&state)
            .unwrap_or_else(|error| panic!("{}: {error}", place()));
        if position.terminal {
            return check_goals(reference, &position, &place());
        }
        check_moves(reference, &position, &place());
        let joint: Vec<_> = position.legal.iter().map(|moves| choice.of(moves)).collect();
        state = reference
            .next(&state, &joint)
            .unwrap_or_else(|error| panic!("{}: {error}", place()));
    }
    panic!("{}: a play is longer than the horizon", game.name);
}

fn check_goals(reference: &Reference, position: &Position, place: &str) {
    for (role, goals) in reference.roles().iter().zip(&position.goals) {
        assert_eq!(
            goals.len(),
            usize::from(!is_random(role)),
            "goals of {role}: {place}"
        );
    }
}

/// Every role has a move, and one player at most has a choice.
fn check_moves(reference: &Reference, position: &Position, place: &str) {
    let moves = reference.roles().iter().zip(&position.legal);
    assert!(
        position.legal.iter().all(|moves| !moves.is_empty()),
        "no move: {place}"
    );
    let choosing = moves.filter(|(role, moves)| !is_random(role) && moves.len() > 1);
    assert!(choosing.count() <= 1, "not turn-taking: {place}");
}

fn is_random(role: &Term) -> bool {
    *role == Term::constant("random")
}

/// A linear congruential generator: enough to wander through a game, and the same on every machine.
struct Choice(u64);

impl Choice {
    fn of(&mut self, moves: &BTreeSet<Term>) -> Term {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        let place = (self.0 >> 33) as usize % moves.len();
        moves.iter().nth(place).expect("a place within the set").clone()
    }
}
