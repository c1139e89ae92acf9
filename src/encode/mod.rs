//! [`GroundProgram`](crate::ground::GroundProgram) → [`Sqasp`] → [`Formula`]: the value of a game as the value of a formula.
//!
//! The encoding is that of He and Thielscher's *An ASP-based approach to solving general stochastic
//! two-player games*, section 3: every piece of it is emitted by code that carries the number of its rule
//! in the paper, (1) to (16), or of its definition. Its invariant: for every horizon n the value of the
//! Stochastic Quantified Answer Set Program (SQASP), and of the extended stochastic SAT formula made of
//! it, is P(initial state, n) of Definition 1. Nothing here knows of networks, machines or searches, so
//! that agreement with them means something.
//!
//! | file | what it is |
//! |---|---|
//! | `sides` | who maximises, who minimises, who moves at random |
//! | `sqasp` | [`Sqasp`]: a ground program with quantified atoms |
//! | `extend` | P_Ext: the game's rules, once for every time |
//! | `rules` | P_c, P_o, P_legal and P_r: rules (1) to (16) |
//! | `names` | names that clingo accepts, and back |
//! | `ground_text`, `text` | SQASP as text, without and with variables |
//! | `relations` | which relations of a game have a time |
//! | `gates` | literals of a formula, with definitions that are never made twice |
//! | `index` | rules by head |
//! | `complete` | SQASP → formula |
//! | `simplify` | what unit clauses decide |
//!
//! What the paper leaves open is fixed as follows. The order of a role's moves (`ord`, the chain of
//! successors) is that of [`GroundProgram::moves`](crate::ground::GroundProgram::moves). Moves that are legal without being declared by
//! `input` count, as they do everywhere in this library. Several minimising roles are a coalition: each
//! has its own `dec_o`. Several random roles move independently: each has its own `dec_r`. Rule (6) at
//! time 0 has no `ended(-1)`.

mod complete;
mod extend;
mod gates;
mod ground_text;
mod index;
pub mod names;
mod relations;
mod rules;
mod sides;
mod simplify;
mod sqasp;
mod text;

pub use complete::{Formula, Meaning, complete};
pub use extend::encode;
pub use ground_text::{comments, write_ground};
pub use sides::{EncodeError, Prefix, Question, Sides};
pub use sqasp::{Atom, Head, Literal, Part, RuleView, Said, Sqasp};
pub use text::{write_plain, write_with_variables};
