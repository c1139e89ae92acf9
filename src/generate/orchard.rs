//! Orchard: a cooperative dice game for one decision maker.

use super::argument::Arguments;
use super::error::GenerateError;
use super::family::{Family, Parameter};
use super::header::Header;
use super::text::{numbers, successors};
use crate::syntax::Syntax;

pub(super) const FAMILY: Family = Family {
    name: "orchard",
    summary: "Orchard: pick all fruits before the raven comes",
    parameters: &[
        Parameter {
            name: "trees",
            meaning: "trees (1 to 20)",
            default: "4",
        },
        Parameter {
            name: "fruits",
            meaning: "fruits on each tree (1 to 100)",
            default: "10",
        },
        Parameter {
            name: "raven",
            meaning: "steps the raven needs (1 to 100)",
            default: "9",
        },
    ],
    write,
};

fn write(arguments: &Arguments) -> Result<String, GenerateError> {
    let trees = arguments.number("trees", 1..=20)?;
    let fruits = arguments.number("fruits", 1..=100)?;
    Ok(Orchard::new(trees, fruits, arguments.number("raven", 1..=100)?)?.describe())
}

/// Orchard.
#[derive(Clone, Copy, Debug)]
pub struct Orchard {
    trees: u32,
    /// Fruits on each tree at the start.
    fruits: u32,
    /// How often the raven's face must come up until the game is lost.
    raven: u32,
}

impl Orchard {
    /// The game with at least one tree, fruit and step of the raven.
    pub fn new(trees: u32, fruits: u32, raven: u32) -> Result<Orchard, GenerateError> {
        match trees.min(fruits).min(raven) {
            0 => Err(GenerateError::NoGame {
                reason: "trees, fruits and raven must be at least 1".to_owned(),
            }),
            _ => Ok(Orchard { trees, fruits, raven }),
        }
    }

    /// The text of the description.
    pub fn describe(&self) -> String {
        let kif = Syntax::Kif;
        let Orchard { trees, fruits, raven } = *self;
        [
            self.header().comment(kif),
            "(role picker) (role random)\n\n".to_owned(),
            numbers(kif, "tree", 1..=trees),
            numbers(kif, "amount", 0..=fruits),
            successors(kif, "succ", 0..=fruits.max(raven).max(trees)),
            numbers(kif, "distance", 0..=raven),
            "(init (raven ".to_owned() + &format!("{raven}))\n(<= (init (fruits ?t {fruits})) (tree ?t))\n"),
            RULES.to_owned(),
        ]
        .concat()
    }

    fn header(&self) -> Header<'static> {
        let Orchard { trees, fruits, raven } = *self;
        let faces = trees + 2;
        Header {
            title: format!("Orchard with {trees} trees of {fruits}, raven {raven}"),
            source: "Koriche, Lagrue, Piette and Tabary, Compiling strategic games with complete information into stochastic CSPs",
            roles: "picker, random",
            horizon: self.horizon(),
            value: self.published(),
            prose: format!(
                "{trees} trees bear {fruits} fruits each; a raven is {raven} steps away. A die of {faces} faces is rolled: a tree's face\n\
                 picks one fruit of that tree, the raven's face brings it a step closer, and for the basket's\n\
                 face picker chooses two fruits, in a step of its own (one, if it is the last).\n\
                 The orchard is won when all fruits are picked before the raven arrives.\n\
                 Simplification: the face of an empty tree has no effect in the rules, so the die is rolled\n\
                 again; here such a face does not come up, which leaves all probabilities as they are."
            ),
        }
    }

    /// Every fruit by its own roll, the last by a basket, and the raven one step before arriving.
    fn horizon(&self) -> u32 {
        self.trees * self.fruits + 1 + (self.raven - 1)
    }

    fn published(&self) -> &'static str {
        match (self.trees, self.fruits, self.raven) {
            (2, 2, 1) => "picker 107/288 (computed)",
            (4, 10, 9) => "picker 68.4 % (published)",
            _ => "unknown",
        }
    }
}

const RULES: &str = "
(<= (base (fruits ?t ?n)) (tree ?t) (amount ?n))
(<= (base (raven ?d)) (distance ?d))
(base basket)
(<= (input random (roll ?t)) (tree ?t))
(input random (roll raven))
(input random (roll basket))
(<= (input picker (pick ?t ?u)) (ordered ?t ?u))
(<= (input picker (pick_last ?t)) (tree ?t))
(<= (input ?p noop) (role ?p))

; Pairs of trees, each once.
(<= (before ?t ?u) (tree ?t) (tree ?u) (succ ?t ?u))
(<= (before ?t ?u) (before ?t ?s) (tree ?u) (succ ?s ?u))
(<= (ordered ?t ?t) (tree ?t))
(<= (ordered ?t ?u) (before ?t ?u))

(<= (bears ?t) (true (fruits ?t ?n)) (succ ?m ?n))
(<= (bears_two ?t) (true (fruits ?t ?n)) (succ ?m ?n) (succ ?l ?m))
(<= fruit_left (bears ?t))
(<= two_left (bears_two ?t))
(<= two_left (bears ?t) (bears ?u) (before ?t ?u))

(<= (legal random (roll ?t)) (bears ?t) (not (true basket)))
(<= (legal random (roll raven)) (not (true basket)))
(<= (legal random (roll basket)) (not (true basket)))
(<= (legal random noop) (true basket))
(<= (legal picker noop) (not (true basket)))
(<= (legal picker (pick ?t ?t)) (true basket) (bears_two ?t))
(<= (legal picker (pick ?t ?u)) (true basket) (before ?t ?u) (bears ?t) (bears ?u))
(<= (legal picker (pick_last ?t)) (true basket) (bears ?t) (not two_left))

(<= (loses_two ?t) (does picker (pick ?t ?t)))
(<= (loses_one ?t) (does random (roll ?t)) (tree ?t))
(<= (loses_one ?t) (does picker (pick_last ?t)))
(<= (loses_one ?t) (does picker (pick ?t ?u)) (before ?t ?u))
(<= (loses_one ?u) (does picker (pick ?t ?u)) (before ?t ?u))

(<= (next (fruits ?t ?m)) (true (fruits ?t ?n)) (loses_one ?t) (succ ?m ?n))
(<= (next (fruits ?t ?l)) (true (fruits ?t ?n)) (loses_two ?t) (succ ?m ?n) (succ ?l ?m))
(<= (next (fruits ?t ?n)) (true (fruits ?t ?n)) (not (loses_one ?t)) (not (loses_two ?t)))
(<= (next (raven ?d)) (true (raven ?e)) (does random (roll raven)) (succ ?d ?e))
(<= (next (raven ?d)) (true (raven ?d)) (not (does random (roll raven))))
(<= (next basket) (does random (roll basket)))

(<= terminal (not fruit_left))
(<= terminal (true (raven 0)))

(<= (goal picker 100) (not fruit_left))
(<= (goal picker 0) fruit_left)
";
