//! The one-shot game of the paper's Fig. 1, the smallest stochastic game there is.

use super::argument::Arguments;
use super::error::GenerateError;
use super::family::Family;
use super::header::Header;
use crate::syntax::Syntax;

pub(super) const FAMILY: Family = Family {
    name: "one-shot",
    summary: "the one-shot game of the paper's Fig. 1",
    parameters: &[],
    write,
};

fn write(_: &Arguments) -> Result<String, GenerateError> {
    Ok(one_shot())
}

/// The one-shot game; it has no parameters.
pub fn one_shot() -> String {
    let header = Header {
        title: "One shot".to_owned(),
        source: "He and Thielscher, An ASP-based approach to solving general stochastic two-player games, Fig. 1",
        roles: "x, o, random",
        horizon: 1,
        value: "x 66.67 % (published), o 1/3 (computed)",
        prose: PROSE.to_owned(),
    };
    header.comment(Syntax::Infix) + RULES
}

const PROSE: &str = "\
x goes left or right while random picks one of three doors; o only watches.
Left wins behind two of the doors, right behind the third.
Beyond the figure, every role has a goal value in every final state: what x does not win, o wins.";

const RULES: &str = "\
role(x). role(o). role(random).

base(choosing). base(won).
input(x,left). input(x,right).
input(o,noop).
input(random,door(D)) :- door(D).

door(a). door(b). door(c).
behind(left,a). behind(left,b). behind(right,c).

init(choosing).

legal(x,left) :- true(choosing).
legal(x,right) :- true(choosing).
legal(o,noop) :- true(choosing).
legal(random,door(D)) :- true(choosing), door(D).

next(won) :- does(x,Side), does(random,door(D)), behind(Side,D).

terminal :- not true(choosing).

goal(x,100) :- true(won).
goal(x,0) :- not true(won).
goal(o,0) :- true(won).
goal(o,100) :- not true(won).
";
