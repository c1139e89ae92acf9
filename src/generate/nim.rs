//! Stochastic nim (the paper's S-N).

use super::argument::Arguments;
use super::error::GenerateError;
use super::family::{Family, Parameter};
use super::header::Header;
use super::probability::Probability;
use super::text::{numbers, successors};
use crate::syntax::Syntax;

pub(super) const FAMILY: Family = Family {
    name: "s-nim",
    summary: "stochastic nim: take one or two, chance may put one back",
    parameters: &[
        Parameter {
            name: "n",
            meaning: "pieces in the pile and rounds until a draw (1 to 1000)",
            default: "5",
        },
        Parameter {
            name: "p",
            meaning: "probability that a piece is added after a move (a/b, b to 1000)",
            default: "1/2",
        },
    ],
    write,
};

fn write(arguments: &Arguments) -> Result<String, GenerateError> {
    let game = StochasticNim {
        n: arguments.number("n", 1..=1000)?,
        p: arguments.value("p")?,
    };
    Ok(game.describe())
}

/// Stochastic nim with one pile.
#[derive(Clone, Copy, Debug)]
pub struct StochasticNim {
    /// Pieces at the start, and the number of rounds after which the play is a draw; at least 1.
    n: u32,
    /// The probability that a piece is added after a player's move.
    p: Probability,
}

impl StochasticNim {
    /// The game with n ≥ 1 pieces.
    pub fn new(n: u32, p: Probability) -> Result<StochasticNim, GenerateError> {
        match n {
            0 => Err(GenerateError::NoGame {
                reason: "an empty pile is won before the first move".to_owned(),
            }),
            _ => Ok(StochasticNim { n, p }),
        }
    }

    /// The text of the description.
    pub fn describe(&self) -> String {
        let StochasticNim { n, p } = *self;
        let infix = Syntax::Infix;
        [
            self.header().comment(infix),
            "role(x). role(o). role(random).\n\nplayer(x). player(o).\n".to_owned(),
            "opponent(x,o). opponent(o,x).\n\n".to_owned(),
            numbers(infix, "number", 0..=n),
            successors(infix, "succ", 0..=n),
            "\n% The die that random tosses after each move: uniform, so its faces carry the probability.\n"
                .to_owned(),
            p.faces(infix, "add", "nothing"),
            RULES.to_owned(),
            format!("terminal :- true(pile(0)).\nterminal :- true(round({n})).\n\n"),
            GOALS.to_owned(),
            format!("\ninit(pile({n})).\ninit(round(0)).\ninit(turn(x)).\n"),
        ]
        .concat()
    }

    fn header(&self) -> Header<'static> {
        let StochasticNim { n, p } = *self;
        Header {
            title: format!("Stochastic nim with {n} pieces, p = {p}"),
            source: "He and Thielscher, An ASP-based approach to solving general stochastic two-player games, S-N",
            roles: "x, o, random",
            horizon: self.horizon(),
            value: self.published(),
            prose: format!(
                "x and o take one or two pieces from a pile of {n} in turn. Who takes the last piece wins at once.\n\
                 After every move that leaves pieces random adds one piece with probability {p}, in a step of its own.\n\
                 When each player has made {n} moves and pieces are left, the play is a draw.\n\
                 `turn` names the player who moves, or who moved just before random does."
            ),
        }
    }

    /// Two moves and two tosses a round; without additions the pile is empty after n moves.
    fn horizon(&self) -> u32 {
        if self.n == 1 || self.p.is_zero() {
            2 * self.n - 1
        } else {
            4 * self.n
        }
    }

    fn published(&self) -> &'static str {
        match self.n {
            30 | 100 if self.p.is(1, 2) => "x 50.00 %, o 50.00 % (published)",
            _ => "unknown",
        }
    }
}

const RULES: &str = "
base(pile(N)) :- number(N).
base(round(N)) :- number(N).
base(turn(P)) :- player(P).
base(tossing).
input(P,take(1)) :- player(P).
input(P,take(2)) :- player(P).
input(random,toss(K)) :- face(K,Effect).
input(P,noop) :- role(P).

% left(N,K,M): K pieces taken from N leave M.
left(N,1,M) :- succ(M,N).
left(N,2,L) :- succ(M,N), succ(L,M).

legal(P,take(K)) :- true(turn(P)), true(pile(N)), left(N,K,M), not true(tossing).
legal(P,noop) :- true(turn(Q)), opponent(P,Q).
legal(P,noop) :- true(turn(P)), true(tossing).
legal(random,toss(K)) :- true(tossing), face(K,Effect).
legal(random,noop) :- not true(tossing).

next(pile(M)) :- does(P,take(K)), true(pile(N)), left(N,K,M).
next(pile(M)) :- does(random,toss(K)), face(K,add), true(pile(N)), succ(N,M).
next(pile(N)) :- does(random,toss(K)), face(K,nothing), true(pile(N)).

next(tossing) :- not true(tossing).

next(turn(P)) :- true(turn(P)), not true(tossing).
next(turn(P)) :- true(turn(Q)), opponent(P,Q), true(tossing).

% A round is over with the toss that follows o's move.
round_over :- true(turn(o)), true(tossing).
next(round(N)) :- true(round(N)), not round_over.
next(round(M)) :- true(round(N)), round_over, succ(N,M).

";

const GOALS: &str = "\
goal(P,100) :- true(pile(0)), true(turn(P)).
goal(P,0) :- true(pile(0)), true(turn(Q)), opponent(P,Q).
goal(P,50) :- player(P), not true(pile(0)).
";
