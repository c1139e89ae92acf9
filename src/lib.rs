//! `emm`: exact values of stochastic games written in the Game Description Language (GDL).
//!
//! The value of a game for a role is Definition 1 of He and Thielscher's *An ASP-based approach to
//! solving general stochastic two-player games*: the maximal probability that the role wins within n
//! steps, if the other roles do their worst and `random` moves uniformly.
//!
//! # The map
//!
//! The pipeline is the layout; each stage imports only what stands to its left (a test holds the table
//! of allowed imports), and a stage's type can only be made from the stage before it:
//!
//! ```text
//! text --parse--> Description --check--> Program --ground--> GroundProgram --build--> Propnet
//!                                           |                                           |
//!                                       Reference                                    Machine
//!                                           \----------------- Game -----------------/
//!                                                                |
//!                                                              solve --> report
//! ```
//!
//! | module | what it makes | its invariant |
//! |---|---|---|
//! | [`syntax`] | [`syntax::Description`]: what the author wrote, in either syntax | printing and parsing are inverse |
//! | [`check`] | [`program::Program`]: safe rules, keywords used as GDL prescribes | the guarantees listed at [`program`] |
//! | [`mod@reference`] | a naive interpreter of `Program`, the oracle of all tests | shares no code with what it checks |
//! | [`ground`] | [`ground::GroundProgram`]: the rules without variables | the same game, whatever the order of rules |
//! | [`propnet`] | [`propnet::Propnet`]: the rules as an and-inverter graph | no cycles; recursion is unrolled |
//! | [`machine`] | [`machine::Machine`]: states as bits, moves as compiled transitions | scalar and bit-sliced evaluation agree |
//! | [`game`], [`mod@perft`], [`simulate`] | the [`game::Game`] trait, all that solvers know of a game | a state is complete: nothing else is remembered |
//! | [`solve`], [`report`] | values, bounds, refusals with a witness | no number that is not proven |
//! | [`games`], [`generate`] | bundled descriptions and the families they come from | a family's files are its generator's output |
//!
//! Problems in a text are [`diagnostic::Diagnostic`]s with a place in their [`source::Source`].
//!
//! # Ten lines
//!
//! Load a game, walk it, and print what one sees in GDL's terms:
//!
//! ```
//! use emm::game::{Game, Position};
//! use emm::machine::Machine;
//! use emm::source::Source;
//!
//! let game = emm::games::find("tt-3x3").expect("a bundled game");
//! let machine = Machine::load(Source::new(game.name, game.text)).expect("a valid description");
//! let mut state = machine.initial();
//! let mut position = Position::new(machine.roles().len());
//! machine.look(&state, &mut position).expect("an answer");
//! while !position.terminal {
//!     let joint: Vec<_> = position.legal.iter().map(|moves| moves[0]).collect();
//!     state = machine.next(&state, &joint).expect("an answer");
//!     machine.look(&state, &mut position).expect("an answer");
//! }
//! assert!(machine.facts(&state).contains(&"(cell 1 1 x)".to_string()));
//! assert!(position.goals[0].contains(100), "x fills the first row before o can");
//! ```
#![deny(missing_docs)]

pub mod check;
pub mod diagnostic;
pub mod game;
pub mod games;
pub mod generate;
pub mod ground;
pub mod machine;
pub mod perft;
pub mod program;
pub mod propnet;
pub mod reference;
pub mod report;
pub mod simulate;
pub mod solve;
pub mod source;
pub mod syntax;
pub mod term;
