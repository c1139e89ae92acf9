//! Generalised tic-tac-toe: the first to form an animal wins.

use super::argument::Arguments;
use super::error::GenerateError;
use super::family::{Family, Parameter};
use super::header::Header;
use super::text::{facts, numbers, successors};
use crate::syntax::Syntax;
use std::collections::BTreeSet;
use std::str::FromStr;

pub(super) const FAMILY: Family = Family {
    name: "gttt",
    summary: "generalised tic-tac-toe: the first to form an animal wins",
    parameters: &[
        Parameter {
            name: "animal",
            meaning: "the shape that wins: el, elly, fatty, knobby, skinny, snaky, tic or tippy",
            default: "elly",
        },
        Parameter {
            name: "first",
            meaning: "stones in the first turn (1 to 9)",
            default: "1",
        },
        Parameter {
            name: "each",
            meaning: "stones in every other turn (1 to 9)",
            default: "1",
        },
        Parameter {
            name: "width",
            meaning: "columns (1 to 30)",
            default: "4",
        },
        Parameter {
            name: "height",
            meaning: "rows (1 to 30)",
            default: "4",
        },
    ],
    write,
};

fn write(arguments: &Arguments) -> Result<String, GenerateError> {
    let [first, each] = [
        arguments.number("first", 1..=9)?,
        arguments.number("each", 1..=9)?,
    ];
    let [width, height] = [
        arguments.number("width", 1..=30)?,
        arguments.number("height", 1..=30)?,
    ];
    Ok(GeneralisedTicTacToe::new(arguments.value("animal")?, first, each, width, height)?.describe())
}

/// A shape of cells, with Harary's names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Animal {
    /// Three cells around a corner.
    El,
    /// Four cells: three in a row and one beside an end.
    Elly,
    /// A square of four.
    Fatty,
    /// Four cells: three in a row and one beside the middle.
    Knobby,
    /// Four in a row.
    Skinny,
    /// Six cells: four in a row and two that go on beside an end.
    Snaky,
    /// Three in a row.
    Tic,
    /// Four cells: two dominoes side by side, shifted by one.
    Tippy,
}

const ANIMALS: [(&str, Animal); 8] = [
    ("el", Animal::El),
    ("elly", Animal::Elly),
    ("fatty", Animal::Fatty),
    ("knobby", Animal::Knobby),
    ("skinny", Animal::Skinny),
    ("snaky", Animal::Snaky),
    ("tic", Animal::Tic),
    ("tippy", Animal::Tippy),
];

type Shape = BTreeSet<(u32, u32)>;

impl Animal {
    fn name(self) -> &'static str {
        ANIMALS
            .iter()
            .find(|(_, animal)| *animal == self)
            .map_or("", |(name, _)| name)
    }

    fn cells(self) -> &'static [(u32, u32)] {
        match self {
            Animal::El => &[(0, 0), (1, 0), (0, 1)],
            Animal::Elly => &[(0, 0), (1, 0), (2, 0), (0, 1)],
            Animal::Fatty => &[(0, 0), (1, 0), (0, 1), (1, 1)],
            Animal::Knobby => &[(0, 0), (1, 0), (2, 0), (1, 1)],
            Animal::Skinny => &[(0, 0), (1, 0), (2, 0), (3, 0)],
            Animal::Snaky => &[(0, 0), (1, 0), (2, 0), (3, 0), (3, 1), (4, 1)],
            Animal::Tic => &[(0, 0), (1, 0), (2, 0)],
            Animal::Tippy => &[(0, 0), (1, 0), (1, 1), (2, 1)],
        }
    }

    /// Its different images under turning and mirroring, each with a cell in column 0 and one in row 0.
    fn images(self) -> BTreeSet<Shape> {
        let mut images = BTreeSet::new();
        let mut shape: Shape = self.cells().iter().copied().collect();
        for _ in 0..4 {
            shape = quarter_turn(&shape);
            images.insert(shape.clone());
            images.insert(shape.iter().map(|&(c, r)| (r, c)).collect());
        }
        images
    }
}

impl FromStr for Animal {
    type Err = String;

    fn from_str(text: &str) -> Result<Animal, String> {
        let found = ANIMALS
            .iter()
            .find(|(name, _)| *name == text)
            .map(|(_, animal)| *animal);
        found.ok_or_else(|| format!("one of {}", ANIMALS.map(|(name, _)| name).join(", ")))
    }
}

fn quarter_turn(shape: &Shape) -> Shape {
    let highest = shape.iter().map(|&(_, r)| r).max().unwrap_or(0);
    shape.iter().map(|&(c, r)| (highest - r, c)).collect()
}

/// Generalised tic-tac-toe.
#[derive(Clone, Copy, Debug)]
pub struct GeneralisedTicTacToe {
    animal: Animal,
    /// Stones in the first turn of all.
    first: u32,
    /// Stones in every other turn.
    each: u32,
    width: u32,
    height: u32,
}

impl GeneralisedTicTacToe {
    /// The game on a board on which the animal fits; turns have at least one stone.
    pub fn new(
        animal: Animal,
        first: u32,
        each: u32,
        width: u32,
        height: u32,
    ) -> Result<GeneralisedTicTacToe, GenerateError> {
        let game = GeneralisedTicTacToe {
            animal,
            first,
            each,
            width,
            height,
        };
        let reason = if first == 0 || each == 0 {
            "a turn without stones".to_owned()
        } else if game.placements().is_empty() {
            format!("{} does not fit on a board of {width}x{height}", animal.name())
        } else {
            return Ok(game);
        };
        Err(GenerateError::NoGame { reason })
    }

    /// The text of the description.
    pub fn describe(&self) -> String {
        let infix = Syntax::Infix;
        let most_stones = self.first.max(self.each);
        [
            self.header().comment(infix),
            "role(x). role(o).\n\nopponent(x,o). opponent(o,x).\n".to_owned(),
            numbers(infix, "column", 1..=self.width),
            numbers(infix, "row", 1..=self.height),
            numbers(infix, "stones", 1..=most_stones),
            successors(infix, "succ", 0..=most_stones),
            format!("\n% All places of {} on the board.\n", self.animal.name()),
            facts(infix, "animal", self.placements()),
            RULES.to_owned(),
            self.winning_rule(),
            format!(
                "\ninit(turn(x,{})).\n\
                 % The last stone of a turn: the opponent has {} next.\n\
                 next(turn(P,{})) :- true(turn(Q,1)), opponent(P,Q).\n",
                self.first, self.each, self.each
            ),
        ]
        .concat()
    }

    /// For every place of the animal on the board, its cells: column, row, column, row, …
    fn placements(&self) -> Vec<Vec<String>> {
        let mut placements = Vec::new();
        for shape in self.animal.images() {
            let right = shape.iter().map(|&(c, _)| c).max().unwrap_or(0);
            let top = shape.iter().map(|&(_, r)| r).max().unwrap_or(0);
            for r in 1..=self.height.saturating_sub(top) {
                for c in 1..=self.width.saturating_sub(right) {
                    let cells = shape.iter().flat_map(|&(dc, dr)| [c + dc, r + dr]);
                    placements.push(cells.map(|n| n.to_string()).collect());
                }
            }
        }
        placements
    }

    fn winning_rule(&self) -> String {
        let count = self.animal.cells().len();
        let variables: Vec<_> = (1..=count).map(|i| format!("C{i},R{i}")).collect();
        let cells: Vec<_> = variables
            .iter()
            .map(|cell| format!("true(cell({cell},P))"))
            .collect();
        format!(
            "formed(P) :-\n    animal({}),\n    {}.\n",
            variables.join(","),
            cells.join(",\n    ")
        )
    }

    fn header(&self) -> Header<'static> {
        let GeneralisedTicTacToe {
            animal,
            first,
            each,
            width,
            height,
        } = *self;
        let name = animal.name();
        Header {
            title: format!("Generalised tic-tac-toe, {name}, {first}-{each} on {width}x{height}"),
            source: "He, Saffidine and Thielscher, Solving two-player games with QBF solvers in general game playing",
            roles: "x, o",
            horizon: width * height,
            value: "unknown",
            prose: format!(
                "x and o place stones on empty cells: {first} in the first turn of all, {each} in every other turn, one stone\n\
                 a step. The first to own all cells of {name}, turned or mirrored in any way, wins.\n\
                 A full board without it is a draw."
            ),
        }
    }
}

const RULES: &str = "
base(cell(C,R,P)) :- column(C), row(R), role(P).
base(turn(P,N)) :- role(P), stones(N).
input(P,place(C,R)) :- role(P), column(C), row(R).
input(P,noop) :- role(P).

filled(C,R) :- true(cell(C,R,P)).
empty(C,R) :- column(C), row(R), not filled(C,R).
open :- empty(C,R).

legal(P,place(C,R)) :- true(turn(P,N)), empty(C,R).
legal(P,noop) :- true(turn(Q,N)), opponent(P,Q).

next(cell(C,R,P)) :- does(P,place(C,R)).
next(cell(C,R,P)) :- true(cell(C,R,P)).
next(turn(P,M)) :- true(turn(P,N)), stones(M), succ(M,N).

terminal :- formed(P).
terminal :- not open.

goal(P,100) :- formed(P).
goal(P,0) :- formed(Q), opponent(P,Q).
goal(P,50) :- role(P), not formed(x), not formed(o).

";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn animals_have_as_many_images_as_their_symmetry_leaves() {
        let images: Vec<_> = ANIMALS.iter().map(|(_, animal)| animal.images().len()).collect();
        assert_eq!(images, [4, 8, 1, 4, 2, 8, 2, 4]);
    }
}
