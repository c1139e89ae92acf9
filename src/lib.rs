//! `emm`: exact values of stochastic games written in the Game Description Language (GDL).
//!
//! The pipeline is the layout. Each stage imports only what stands above it:
//!
//! ```text
//! text --parse--> Description --check--> Program --ground--> GroundProgram
//! ```
#![deny(missing_docs)]

pub mod check;
pub mod diagnostic;
pub mod game;
pub mod games;
pub mod generate;
pub mod ground;
pub mod machine;
pub mod program;
pub mod propnet;
pub mod reference;
pub mod report;
pub mod solve;
pub mod source;
pub mod syntax;
pub mod term;
