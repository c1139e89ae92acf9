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
//!
//! GroundProgram --encode--> Sqasp --complete--> Cnf --evaluate--> the same value
//! ```
//!
//! | module | what it makes | its invariant |
//! |---|---|---|
//! | [`syntax`] | [`syntax::Description`]: what the author wrote, in either syntax | printing and parsing are inverse |
//! | [`check`] | [`program::Program`]: safe rules, keywords used as GDL prescribes | the guarantees listed at [`program`] |
//! | [`mod@reference`] | a naive interpreter of `Program`, the oracle of all tests | shares no code with what it checks |
//! | [`ground`] | [`ground::GroundProgram`]: the rules without variables | the same game, whatever the order of rules |
//! | [`propnet`] | [`propnet::Propnet`]: the rules as an and-inverter graph | no cycles; recursion is unrolled |
//! | [`symmetry`] | [`symmetry::Symmetries`]: permutations of fluents and moves that change nothing | each is verified on the ground rules |
//! | [`machine`] | [`machine::Machine`]: states as bits, moves as compiled transitions | scalar and bit-sliced evaluation agree |
//! | [`game`], [`mod@perft`], [`simulate`] | the [`game::Game`] trait, all that solvers know of a game | a state is complete: nothing else is remembered |
//! | [`encode`] | [`encode::Sqasp`] and [`encode::Formula`]: the value as that of a formula | shares nothing with `propnet`, `machine` and `solve` |
//! | [`cnf`] | [`cnf::Cnf`]: an extended stochastic SAT formula | every variable is quantified once |
//! | [`ssat`] | the value of a `Cnf`, by search over residual formulas | shares only arithmetic with [`solve`] |
//! | [`solve`], [`report`] | values, bounds, refusals with a witness | no number that is not proven |
//! | [`mod@crosscheck`] | the two ends of the pipeline against each other, and against other programs | a limit is never agreement |
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
//!
//! # The value of a game
//!
//! A [`solve::Question`] names a role; the answer has the value, the values of the first moves, and what it took.
//! A limit that is reached is an outcome with an interval, and a question without answer is a refusal with a
//! witness: neither is an error.
//!
//! ```
//! use emm::game::Game;
//! use emm::machine::Machine;
//! use emm::solve::{Options, Outcome, Question, solve};
//! use emm::source::Source;
//!
//! let game = emm::games::find("one-shot").expect("a bundled game");
//! let machine = Machine::load(Source::new(game.name, game.text)).expect("a valid description");
//! let x = machine.roles().iter().position(|role| role == "x").expect("a role");
//! let answer = solve(&machine, &Question::new(&machine, x), &Options::default()).expect("an answer");
//! match answer.outcome {
//!     Outcome::Solved(value) => assert_eq!(value.to_string(), "2/3"),
//!     Outcome::Enclosed(interval) | Outcome::Stopped(interval, _) => println!("{interval:?}"),
//!     Outcome::Refused(refusal) => println!("{refusal:?}"),
//! }
//! let best = answer.first_moves.iter().find(|first| first.optimal).expect("a move");
//! let (role, mv) = best.moves[0];
//! assert_eq!(machine.move_name(role, mv), "left");
//! ```
//!
//! What is wrong with a text is not an error of the library either: [`syntax::parse`], [`check::check`] and
//! [`ground::ground()`] return all problems at once, as [`diagnostic::Diagnostic`]s.
//!
//! Stages report what they did through the crate `log`, at the level `debug`.
#![deny(missing_docs)]

pub mod check;
pub mod cnf;
pub mod crosscheck;
pub mod diagnostic;
pub mod encode;
pub mod fraction;
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
pub mod ssat;
pub mod symmetry;
pub mod syntax;
pub mod term;
