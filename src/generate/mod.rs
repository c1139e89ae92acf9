//! Families of games: parameters → the text of a description.
//!
//! A family is one file with a struct of typed parameters, a constructor that refuses parameters that make no
//! game, and a function that writes the description. [`families`] is the list that a command line is put on:
//! every parameter has a name, a meaning and a default, and arrives as text.
//!
//! A biased coin is a die. `random` moves uniformly, so probability a/b is b moves `toss(1)` … `toss(b)`
//! of which the first a are good; facts `face(k,…)` say which. See [`Probability`].
//!
//! Every description starts with the same header, see [`Header`].

mod argument;
mod breakthrough;
mod connect;
mod dots_and_boxes;
mod error;
mod family;
mod gttt;
mod header;
mod line;
mod nim;
mod one_shot;
mod orchard;
mod probability;
mod text;
mod tic_tac_toe;

pub use argument::Arguments;
pub use breakthrough::Breakthrough;
pub use connect::Connect;
pub use dots_and_boxes::DotsAndBoxes;
pub use error::GenerateError;
pub use family::{Family, Parameter, families, family};
pub use gttt::{Animal, GeneralisedTicTacToe};
pub use header::Header;
pub use nim::StochasticNim;
pub use one_shot::one_shot;
pub use orchard::Orchard;
pub use probability::{Marking, Probability};
pub use tic_tac_toe::TicTacToe;
