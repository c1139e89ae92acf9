//! All integration tests, in one binary: it is linked once. `cargo test --release --test all solve::` runs one part.

mod architecture;
mod bad;
mod check;
mod cli;
mod crosscheck;
pub mod encode;
mod generate;
mod ground;
mod machine;
mod perft;
mod reference;
mod run;
mod solve;
mod solve_cli;
mod ssat;
mod support;
mod symmetry;
mod syntax;
mod table;
