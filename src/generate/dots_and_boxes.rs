//! Dots and boxes on any board.

use super::argument::Arguments;
use super::error::GenerateError;
use super::family::{Family, Parameter};
use super::header::Header;
use super::text::{numbers, successors};
use crate::syntax::Syntax;

pub(super) const FAMILY: Family = Family {
    name: "dots-and-boxes",
    summary: "dots and boxes: who closes a box owns it and draws again",
    parameters: &[
        Parameter {
            name: "width",
            meaning: "columns of boxes (1 to 20)",
            default: "2",
        },
        Parameter {
            name: "height",
            meaning: "rows of boxes (1 to 20)",
            default: "2",
        },
    ],
    write,
};

fn write(arguments: &Arguments) -> Result<String, GenerateError> {
    let [width, height] = [
        arguments.number("width", 1..=20)?,
        arguments.number("height", 1..=20)?,
    ];
    Ok(DotsAndBoxes::new(width, height)?.describe())
}

/// Dots and boxes.
#[derive(Clone, Copy, Debug)]
pub struct DotsAndBoxes {
    /// Columns of boxes, not of dots.
    width: u32,
    /// Rows of boxes, not of dots.
    height: u32,
}

impl DotsAndBoxes {
    /// The game with `width` times `height` boxes, at least one.
    pub fn new(width: u32, height: u32) -> Result<DotsAndBoxes, GenerateError> {
        match width.min(height) {
            0 => Err(GenerateError::NoGame {
                reason: "no boxes".to_owned(),
            }),
            _ => Ok(DotsAndBoxes { width, height }),
        }
    }

    /// The text of the description.
    pub fn describe(&self) -> String {
        let infix = Syntax::Infix;
        let DotsAndBoxes { width, height } = *self;
        let boxes = width * height;
        let longest = boxes.max(width + 1).max(height + 1);
        [
            self.header().comment(infix),
            "role(x). role(o).\n\nopponent(x,o). opponent(o,x).\n".to_owned(),
            numbers(infix, "column", 1..=width),
            numbers(infix, "row", 1..=height),
            successors(infix, "succ", 0..=longest),
            numbers(infix, "tally", 0..=boxes),
            format!("\n% More than half of the {boxes} boxes.\n"),
            numbers(infix, "majority", boxes / 2 + 1..=boxes),
            RULES.to_owned(),
            self.goals(),
        ]
        .concat()
    }

    fn goals(&self) -> String {
        let boxes = self.width * self.height;
        let x_behind = |less_than: u32| numbers(Syntax::Infix, "minority", 0..=less_than);
        let draw = "goal(P,50) :- role(P), true(boxes_of_x(N)), half(N).\n";
        let halves = if boxes.is_multiple_of(2) {
            format!("half({}).\n{}{draw}", boxes / 2, x_behind(boxes / 2 - 1))
        } else {
            x_behind(boxes / 2)
        };
        GOALS.to_owned() + &halves
    }

    fn known(&self) -> &'static str {
        match (self.width, self.height) {
            (2, 2) => "x 1, o 0 (computed)",
            (2, 3) => "x 0, o 1 (computed)",
            _ => "unknown",
        }
    }

    fn header(&self) -> Header<'static> {
        let DotsAndBoxes { width, height } = *self;
        Header {
            title: format!("Dots and boxes, {width}x{height} boxes"),
            source: "He, Saffidine and Thielscher, Solving two-player games with QBF solvers in general game playing",
            roles: "x, o",
            horizon: width * (height + 1) + (width + 1) * height,
            value: self.known(),
            prose: "x and o draw edges in turn. Who draws the fourth edge of a box owns it and draws again.\n\
                    When all edges are drawn, more boxes win; equally many are a draw.\n\
                    edge(h,C,R) is the lower and edge(v,C,R) the left edge of the box in column C and row R; an upper\n\
                    or right edge is the lower or left one of a neighbour. Only x's boxes are counted: the edges tell\n\
                    how many there are in all."
                .to_owned(),
        }
    }
}

const RULES: &str = "
% The four edges of each box.
side(C,R,h,C,R) :- column(C), row(R).
side(C,R,h,C,S) :- column(C), row(R), succ(R,S).
side(C,R,v,C,R) :- column(C), row(R).
side(C,R,v,D,R) :- column(C), row(R), succ(C,D).
edge(K,D,S) :- side(C,R,K,D,S).

base(drawn(K,C,R)) :- edge(K,C,R).
base(boxes_of_x(N)) :- tally(N).
base(turn(P)) :- role(P).
input(P,draw(K,C,R)) :- role(P), edge(K,C,R).
input(P,noop) :- role(P).

init(boxes_of_x(0)).
init(turn(x)).

undrawn(K,C,R) :- edge(K,C,R), not true(drawn(K,C,R)).
open :- undrawn(K,C,R).

legal(P,draw(K,C,R)) :- true(turn(P)), undrawn(K,C,R).
legal(P,noop) :- true(turn(Q)), opponent(P,Q).

next(drawn(K,C,R)) :- does(P,draw(K,C,R)).
next(drawn(K,C,R)) :- true(drawn(K,C,R)).

% closed(C,R): this move draws the last missing edge of the box.
missing(C,R,K,D,S) :- side(C,R,K,D,S), not true(drawn(K,D,S)), not drawing(K,D,S).
drawing(K,C,R) :- does(P,draw(K,C,R)).
incomplete(C,R) :- missing(C,R,K,D,S).
closed(C,R) :- side(C,R,K,D,S), drawing(K,D,S), not incomplete(C,R).
closed_some :- closed(C,R).
closed_two :- closed(C,R), succ(C,D), closed(D,R).
closed_two :- closed(C,R), succ(R,S), closed(C,S).

next(turn(P)) :- true(turn(P)), closed_some.
next(turn(P)) :- true(turn(Q)), opponent(P,Q), not closed_some.

x_gains :- true(turn(x)), closed_some.
next(boxes_of_x(N)) :- true(boxes_of_x(N)), not x_gains.
next(boxes_of_x(M)) :- true(boxes_of_x(N)), x_gains, not closed_two, succ(N,M), tally(M).
next(boxes_of_x(L)) :- true(boxes_of_x(N)), x_gains, closed_two, succ(N,M), succ(M,L), tally(L).

terminal :- not open.
";

const GOALS: &str = "
goal(x,100) :- true(boxes_of_x(N)), majority(N).
goal(o,0) :- true(boxes_of_x(N)), majority(N).
goal(x,0) :- true(boxes_of_x(N)), minority(N).
goal(o,100) :- true(boxes_of_x(N)), minority(N).
";
