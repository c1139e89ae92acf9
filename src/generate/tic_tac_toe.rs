//! Tic-tac-toe on any board (TT), and the stochastic one (S-TT).

use super::argument::Arguments;
use super::error::GenerateError;
use super::family::{Family, Parameter};
use super::header::Header;
use super::line;
use super::probability::{Marking, Probability};
use super::text::{numbers, successors};
use crate::syntax::Syntax;

const WIDTH: Parameter = Parameter {
    name: "width",
    meaning: "columns (2 to 50)",
    default: "3",
};
const HEIGHT: Parameter = Parameter {
    name: "height",
    meaning: "rows (2 to 50)",
    default: "3",
};
const LINE: Parameter = Parameter {
    name: "line",
    meaning: "marks in a row that win (2 to 50)",
    default: "3",
};
const P: Parameter = Parameter {
    name: "p",
    meaning: "probability that a chosen cell gets the player's own mark (a/b, b to 1000)",
    default: "4/5",
};

pub(super) const FAMILY: Family = Family {
    name: "tt",
    summary: "tic-tac-toe on any board",
    parameters: &[WIDTH, HEIGHT, LINE],
    write: |arguments| write(arguments, Marking::Sure),
};

pub(super) const STOCHASTIC_FAMILY: Family = Family {
    name: "s-tt",
    summary: "stochastic tic-tac-toe: a chosen cell may get the opponent's mark",
    parameters: &[WIDTH, HEIGHT, P, LINE],
    write: |arguments| write(arguments, Marking::Chance(arguments.value::<Probability>("p")?)),
};

fn write(arguments: &Arguments, marking: Marking) -> Result<String, GenerateError> {
    let [width, height] = [
        arguments.number("width", 2..=50)?,
        arguments.number("height", 2..=50)?,
    ];
    Ok(TicTacToe::new(width, height, arguments.number("line", 2..=50)?, marking)?.describe())
}

/// Tic-tac-toe on a board of any size.
#[derive(Clone, Copy, Debug)]
pub struct TicTacToe {
    width: u32,
    height: u32,
    /// Marks in a row that win; not more than the longer side.
    line: u32,
    marking: Marking,
}

impl TicTacToe {
    /// The game on `width` columns and `height` rows (each at least 2), won by `line` in a row.
    pub fn new(width: u32, height: u32, line: u32, marking: Marking) -> Result<TicTacToe, GenerateError> {
        line::check_board(width, height, line)?;
        Ok(TicTacToe {
            width,
            height,
            line,
            marking,
        })
    }

    /// The text of the description.
    pub fn describe(&self) -> String {
        let kif = Syntax::Kif;
        [
            self.header().comment(kif),
            "(role x) (role o)".to_owned(),
            self.marking.either(" (role random)\n\n", "\n\n"),
            "(player x) (player o)\n(opponent x o) (opponent o x)\n".to_owned(),
            numbers(kif, "column", 1..=self.width),
            successors(kif, "right", 1..=self.width),
            numbers(kif, "row", 1..=self.height),
            successors(kif, "up", 1..=self.height),
            self.faces(),
            BOARD.to_owned(),
            self.marking.either(CHANCE_MOVES, SURE_MOVES),
            FRAME_AND_END.to_owned(),
            line::rules(kif, self.line),
            GOALS.to_owned(),
        ]
        .concat()
    }

    fn faces(&self) -> String {
        match self.marking {
            Marking::Sure => String::new(),
            Marking::Chance(p) => {
                "\n; The die that random tosses for a chosen cell: whose mark each face gives.\n".to_owned()
                    + &p.faces(Syntax::Kif, "own", "other")
            }
        }
    }

    fn header(&self) -> Header<'static> {
        let TicTacToe {
            width,
            height,
            line,
            marking,
        } = *self;
        let cells = width * height;
        let (name, horizon, roles, toss) = match marking {
            Marking::Sure => ("Tic-tac-toe", cells, "x, o", String::new()),
            Marking::Chance(p) => {
                let toss = format!(
                    "\nThe cell becomes the player's own with probability {p}, else the opponent's: random decides, in\n\
                     a step of its own. A line counts for its owner, whoever made it."
                );
                ("Stochastic tic-tac-toe", 2 * cells, "x, o, random", toss)
            }
        };
        Header {
            title: format!("{name} on {width}x{height}{}", marking.suffix()),
            source: "He and Thielscher, An ASP-based approach to solving general stochastic two-player games, TT and S-TT",
            roles,
            horizon,
            value: self.published(),
            prose: format!(
                "x and o choose empty cells of a board {width} wide and {height} high in turn.{toss}\n\
                 {line} in a row, column or diagonal win; a full board without a line is a draw."
            ),
        }
    }

    fn published(&self) -> &'static str {
        match (self.width, self.height, self.line, self.marking) {
            (3, 3, 3, Marking::Sure) => {
                "x 99.48 % against a random o, o 93.86 % against a random x (published); x 0, o 0 (computed)"
            }
            (4, 4, 3, Marking::Sure) => "x 100.00 % against a random o (published); x 1, o 0 (computed)",
            (3, 3, 3, marking) if marking.is_chance(1, 2) => "x 47.46 %, o 46.29 % (published)",
            (3, 3, 3, marking) if marking.is_chance(4, 5) => "x 42.20 %, o 36.74 % (published)",
            _ => "unknown",
        }
    }
}

const BOARD: &str = "
(<= (base (cell ?c ?r ?p)) (column ?c) (row ?r) (player ?p))
(<= (base (turn ?p)) (player ?p))
(<= (input ?p (choose ?c ?r)) (player ?p) (column ?c) (row ?r))
(<= (input ?p noop) (role ?p))

(init (turn x))

(<= (marked ?c ?r) (true (cell ?c ?r ?p)))
(<= (empty ?c ?r) (column ?c) (row ?r) (not (marked ?c ?r)))
(<= open (empty ?c ?r))
";

const SURE_MOVES: &str = "
(<= (legal ?p (choose ?c ?r)) (true (turn ?p)) (empty ?c ?r))
(<= (legal ?p noop) (true (turn ?q)) (opponent ?p ?q))

(<= (next (cell ?c ?r ?p)) (does ?p (choose ?c ?r)))
(<= (next (turn ?p)) (true (turn ?q)) (opponent ?p ?q))
";

const CHANCE_MOVES: &str = "
; A cell is chosen in one step and marked in the next; until then the turn stays with who chose it.
(<= (base (chosen ?c ?r)) (column ?c) (row ?r))
(<= (input random (toss ?k)) (face ?k ?whose))
(<= tossing (true (chosen ?c ?r)))

(<= (legal ?p (choose ?c ?r)) (true (turn ?p)) (empty ?c ?r) (not tossing))
(<= (legal ?p noop) (true (turn ?q)) (opponent ?p ?q))
(<= (legal ?p noop) (true (turn ?p)) tossing)
(<= (legal random (toss ?k)) (face ?k ?whose) tossing)
(<= (legal random noop) (not tossing))

(<= (next (chosen ?c ?r)) (does ?p (choose ?c ?r)))
(<= (next (cell ?c ?r ?p)) (true (chosen ?c ?r)) (true (turn ?p)) (does random (toss ?k)) (face ?k own))
(<= (next (cell ?c ?r ?p))
    (true (chosen ?c ?r)) (true (turn ?q)) (opponent ?p ?q) (does random (toss ?k)) (face ?k other))
(<= (next (turn ?p)) (true (turn ?p)) (not tossing))
(<= (next (turn ?p)) (true (turn ?q)) (opponent ?p ?q) tossing)
";

const FRAME_AND_END: &str = "\
(<= (next (cell ?c ?r ?p)) (true (cell ?c ?r ?p)))

(<= terminal (line ?p))
(<= terminal (not open))

";

const GOALS: &str = "
(<= (goal ?p 100) (line ?p))
(<= (goal ?p 0) (line ?q) (opponent ?p ?q))
(<= (goal ?p 50) (player ?p) (not (line x)) (not (line o)))
";
