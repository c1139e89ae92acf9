//! Connect-k on any board (C-k), and the stochastic one (S-C-k).

use super::argument::Arguments;
use super::error::GenerateError;
use super::family::{Family, Parameter};
use super::header::Header;
use super::line;
use super::probability::{Marking, Probability};
use super::text::{numbers, successors};
use crate::syntax::Syntax;

const K: Parameter = Parameter {
    name: "k",
    meaning: "pieces in a row that win (2 to 50)",
    default: "4",
};
const WIDTH: Parameter = Parameter {
    name: "width",
    meaning: "columns (2 to 50)",
    default: "5",
};
const HEIGHT: Parameter = Parameter {
    name: "height",
    meaning: "rows (2 to 50)",
    default: "4",
};
const P: Parameter = Parameter {
    name: "p",
    meaning: "probability that a dropped piece has the player's own colour (a/b, b to 1000)",
    default: "4/5",
};

pub(super) const FAMILY: Family = Family {
    name: "connect",
    summary: "connect-k: pieces dropped into columns",
    parameters: &[K, WIDTH, HEIGHT],
    write: |arguments| write(arguments, Marking::Sure),
};

pub(super) const STOCHASTIC_FAMILY: Family = Family {
    name: "s-connect",
    summary: "stochastic connect-k: a dropped piece may have the opponent's colour",
    parameters: &[K, WIDTH, HEIGHT, P],
    write: |arguments| write(arguments, Marking::Chance(arguments.value::<Probability>("p")?)),
};

fn write(arguments: &Arguments, marking: Marking) -> Result<String, GenerateError> {
    let [width, height] = [
        arguments.number("width", 2..=50)?,
        arguments.number("height", 2..=50)?,
    ];
    Ok(Connect::new(arguments.number("k", 2..=50)?, width, height, marking)?.describe())
}

/// Connect-k on a board of any size.
#[derive(Clone, Copy, Debug)]
pub struct Connect {
    /// Pieces in a row that win; not more than the longer side.
    k: u32,
    width: u32,
    height: u32,
    marking: Marking,
}

impl Connect {
    /// The game on `width` columns and `height` rows (each at least 2), won by `k` in a row.
    pub fn new(k: u32, width: u32, height: u32, marking: Marking) -> Result<Connect, GenerateError> {
        line::check_board(width, height, k)?;
        Ok(Connect {
            k,
            width,
            height,
            marking,
        })
    }

    /// The text of the description.
    pub fn describe(&self) -> String {
        let infix = Syntax::Infix;
        [
            self.header().comment(infix),
            "role(x). role(o).".to_owned(),
            self.marking.either(" role(random).\n\n", "\n\n"),
            "player(x). player(o).\nopponent(x,o). opponent(o,x).\n".to_owned(),
            numbers(infix, "column", 1..=self.width),
            successors(infix, "right", 1..=self.width),
            numbers(infix, "row", 1..=self.height),
            successors(infix, "up", 1..=self.height),
            self.faces(),
            BOARD.to_owned(),
            self.marking.either(CHANCE_MOVES, SURE_MOVES),
            FRAME_AND_END.to_owned(),
            line::rules(infix, self.k),
            GOALS.to_owned(),
        ]
        .concat()
    }

    fn faces(&self) -> String {
        match self.marking {
            Marking::Sure => String::new(),
            Marking::Chance(p) => {
                "\n% The die that random tosses for a piece in the air: whose colour each face gives it.\n"
                    .to_owned()
                    + &p.faces(Syntax::Infix, "own", "other")
            }
        }
    }

    fn header(&self) -> Header<'static> {
        let Connect {
            k,
            width,
            height,
            marking,
        } = *self;
        let cells = width * height;
        let (name, horizon, roles, toss) = match marking {
            Marking::Sure => ("Connect", cells, "x, o", String::new()),
            Marking::Chance(p) => {
                let toss = format!(
                    "\nThe piece lands in the player's own colour with probability {p}, else in the opponent's: random\n\
                     decides, in a step of its own. A line counts for its colour, whoever made it."
                );
                ("Stochastic connect", 2 * cells, "x, o, random", toss)
            }
        };
        Header {
            title: format!("{name}-{k} on {width}x{height}{}", marking.suffix()),
            source: "He and Thielscher, An ASP-based approach to solving general stochastic two-player games, C-k and S-C-k",
            roles,
            horizon,
            value: self.published(),
            prose: format!(
                "x and o choose columns of a board {width} wide and {height} high in turn; a piece falls to the lowest\n\
                 empty cell of its column.{toss}\n\
                 {k} in a row, column or diagonal win; a full board without a line is a draw."
            ),
        }
    }

    fn published(&self) -> &'static str {
        let Connect {
            k,
            width,
            height,
            marking,
        } = *self;
        match (k, width, height) {
            (3, 4, 4) if marking.is_chance(1, 2) => "x 50.10 %, o 49.87 % (published)",
            (3, 4, 4) if marking.is_chance(4, 5) => "x 60.75 %, o 39.25 % (computed; published: o 39.24 %)",
            (4, 4, 4) if marking.is_chance(1, 2) => "x 37.20 %, o 37.34 % (published)",
            (4, 4, 4) if marking.is_chance(4, 5) => "x 26.26 %, o 42.87 % (published)",
            _ if marking != Marking::Sure => "unknown",
            (3, 4, 4) => "x 100.00 % against a random o, o 98.26 % against a random x (published)",
            (3, 5, 5) => "x 100.00 % against a random o, o 99.20 % against a random x (published)",
            (3, 6, 6) => "x 100.00 % against a random o (published)",
            (4, 4, 4) => "x 95.77 % against a random o, o 96.69 % against a random x (published)",
            (4, 5, 4) => "x 99.76 % against a random o, o 99.96 % against a random x (published)",
            _ => "unknown",
        }
    }
}

const BOARD: &str = "
base(cell(C,R,P)) :- column(C), row(R), player(P).
base(turn(P)) :- player(P).
input(P,drop(C)) :- player(P), column(C).
input(P,noop) :- role(P).

init(turn(x)).

filled(C,R) :- true(cell(C,R,P)).

% landing(C,R): a piece dropped into column C comes to rest in row R.
landing(C,1) :- column(C), not filled(C,1).
landing(C,S) :- filled(C,R), up(R,S), not filled(C,S).
open :- landing(C,R).
";

const SURE_MOVES: &str = "
legal(P,drop(C)) :- true(turn(P)), landing(C,R).
legal(P,noop) :- true(turn(Q)), opponent(P,Q).

next(cell(C,R,P)) :- does(P,drop(C)), landing(C,R).
next(turn(P)) :- true(turn(Q)), opponent(P,Q).
";

const CHANCE_MOVES: &str = "
% A column is chosen in one step and the piece lands in the next; until then the turn stays.
base(falling(C)) :- column(C).
input(random,toss(K)) :- face(K,Whose).
tossing :- true(falling(C)).

legal(P,drop(C)) :- true(turn(P)), landing(C,R), not tossing.
legal(P,noop) :- true(turn(Q)), opponent(P,Q).
legal(P,noop) :- true(turn(P)), tossing.
legal(random,toss(K)) :- face(K,Whose), tossing.
legal(random,noop) :- not tossing.

next(falling(C)) :- does(P,drop(C)).
next(cell(C,R,P)) :- true(falling(C)), landing(C,R), true(turn(P)), does(random,toss(K)), face(K,own).
next(cell(C,R,P)) :-
    true(falling(C)), landing(C,R), true(turn(Q)), opponent(P,Q), does(random,toss(K)), face(K,other).
next(turn(P)) :- true(turn(P)), not tossing.
next(turn(P)) :- true(turn(Q)), opponent(P,Q), tossing.
";

const FRAME_AND_END: &str = "\
next(cell(C,R,P)) :- true(cell(C,R,P)).

terminal :- line(P).
terminal :- not open.

";

const GOALS: &str = "
goal(P,100) :- line(P).
goal(P,0) :- line(Q), opponent(P,Q).
goal(P,50) :- player(P), not line(x), not line(o).
";
