//! Breadth-first counts: machine, reference reasoner and another implementation's data agree.

mod support;

#[path = "perft/counts.rs"]
mod counts;
#[path = "perft/generated.rs"]
mod generated;
#[path = "perft/simulate.rs"]
mod simulate;
