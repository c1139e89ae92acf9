//! The files in `games/` that belong to a family are the generator's output.
//!
//! `EMM_BLESS=1 cargo test --test generate` writes them anew.

use emm::generate::{GenerateError, families, family};
use std::path::{Path, PathBuf};
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
