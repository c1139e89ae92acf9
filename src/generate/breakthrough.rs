//! Breakthrough on any board.

use super::argument::Arguments;
use super::error::GenerateError;
use super::family::{Family, Parameter};
use super::header::Header;
use super::text::{facts, numbers, successors};
use crate::syntax::Syntax;

pub(super) const FAMILY: Family = Family {
    name: "breakthrough",
    summary: "Breakthrough: the first piece on the far row wins",
    parameters: &[
        Parameter {
            name: "width",
            meaning: "columns (2 to 50)",
            default: "3",
        },
        Parameter {
            name: "height",
            meaning: "rows (4 to 50)",
            default: "4",
        },
    ],
    write,
};

fn write(arguments: &Arguments) -> Result<String, GenerateError> {
    let [width, height] = [
        arguments.number("width", 2..=50)?,
        arguments.number("height", 4..=50)?,
    ];
    Ok(Breakthrough::new(width, height)?.describe())
}

/// Breakthrough with two rows of pieces on each side.
#[derive(Clone, Copy, Debug)]
pub struct Breakthrough {
    width: u32,
    height: u32,
}

impl Breakthrough {
    /// The game on `width` ≥ 2 columns and `height` ≥ 4 rows.
    pub fn new(width: u32, height: u32) -> Result<Breakthrough, GenerateError> {
        if width >= 2 && height >= 4 {
            return Ok(Breakthrough { width, height });
        }
        let reason = format!(
            "Breakthrough on {width}x{height}: it needs two columns, or pieces block each other, and four rows"
        );
        Err(GenerateError::NoGame { reason })
    }

    /// The text of the description.
    pub fn describe(&self) -> String {
        let kif = Syntax::Kif;
        let Breakthrough { width, height } = *self;
        [
            self.header().comment(kif),
            "(role x) (role o)\n\n(opponent x o) (opponent o x)\n".to_owned(),
            numbers(kif, "column", 1..=width),
            successors(kif, "right", 1..=width),
            numbers(kif, "row", 1..=height),
            "\n; x goes up, o goes down.\n".to_owned(),
            successors(kif, "ahead x", 1..=height),
            facts(
                kif,
                "ahead o",
                (1..height)
                    .rev()
                    .map(|r| vec![(r + 1).to_string(), r.to_string()]),
            ),
            format!("(goal_row x {height}) (goal_row o 1)\n\n"),
            self.initial_pieces(),
            RULES.to_owned(),
        ]
        .concat()
    }

    fn initial_pieces(&self) -> String {
        let pieces = |rows: [u32; 2], player: &'static str| {
            let cells = rows
                .into_iter()
                .flat_map(|r| (1..=self.width).map(move |c| (c, r)));
            facts(
                Syntax::Kif,
                "init",
                cells.map(|(c, r)| vec![format!("(piece {c} {r} {player})")]),
            )
        };
        pieces([1, 2], "x") + &pieces([self.height - 1, self.height], "o") + "(init (turn x))\n"
    }

    /// No play is longer than all pieces walking to the row before the last, and one step more.
    fn horizon(&self) -> u32 {
        let steps_of_a_column = (self.height - 2) + (self.height - 3);
        2 * self.width * steps_of_a_column + 1
    }

    fn known(&self) -> &'static str {
        match (self.width, self.height) {
            (2, 5) | (3, 4) => "x 0, o 1 (computed)",
            (2, 6) => "x 1, o 0 (computed)",
            _ => "unknown",
        }
    }

    fn header(&self) -> Header<'static> {
        let Breakthrough { width, height } = *self;
        Header {
            title: format!("Breakthrough on {width}x{height}"),
            source: "He, Saffidine and Thielscher, Solving two-player games with QBF solvers in general game playing",
            roles: "x, o",
            horizon: self.horizon(),
            value: self.known(),
            prose: format!(
                "Two rows of pieces face each other on a board {width} wide and {height} high. A piece moves one cell\n\
                 ahead, straight onto an empty cell or diagonally onto one that is not its own, capturing there.\n\
                 The first piece on the opponent's first row wins, and so does capturing every piece.\n\
                 The horizon is a bound: all pieces one row before the end, and one step more."
            ),
        }
    }
}

const RULES: &str = "
(<= (base (piece ?c ?r ?p)) (column ?c) (row ?r) (role ?p))
(<= (base (turn ?p)) (role ?p))
(<= (input ?p (move ?c ?r ?d ?s)) (ahead ?p ?r ?s) (aside ?c ?d))
(<= (input ?p (move ?c ?r ?c ?s)) (ahead ?p ?r ?s) (column ?c))
(<= (input ?p noop) (role ?p))

(<= (aside ?c ?d) (right ?c ?d))
(<= (aside ?c ?d) (right ?d ?c))
(<= (occupied ?c ?r) (true (piece ?c ?r ?p)))

(<= (legal ?p (move ?c ?r ?c ?s))
    (true (turn ?p)) (true (piece ?c ?r ?p)) (ahead ?p ?r ?s) (not (occupied ?c ?s)))
(<= (legal ?p (move ?c ?r ?d ?s))
    (true (turn ?p)) (true (piece ?c ?r ?p)) (ahead ?p ?r ?s) (aside ?c ?d) (not (true (piece ?d ?s ?p))))
(<= (legal ?p noop) (true (turn ?q)) (opponent ?p ?q))

; A piece stays unless it leaves its cell or is captured there.
(<= (touched ?c ?r) (does ?p (move ?c ?r ?d ?s)))
(<= (touched ?d ?s) (does ?p (move ?c ?r ?d ?s)))
(<= (next (piece ?d ?s ?p)) (does ?p (move ?c ?r ?d ?s)))
(<= (next (piece ?c ?r ?p)) (true (piece ?c ?r ?p)) (not (touched ?c ?r)))
(<= (next (turn ?p)) (true (turn ?q)) (opponent ?p ?q))

(<= (alive ?p) (true (piece ?c ?r ?p)))
(<= (wins ?p) (goal_row ?p ?r) (true (piece ?c ?r ?p)))
(<= (wins ?p) (opponent ?p ?q) (not (alive ?q)))

(<= terminal (wins ?p))

(<= (goal ?p 100) (wins ?p))
(<= (goal ?p 0) (role ?p) (not (wins ?p)))
";
