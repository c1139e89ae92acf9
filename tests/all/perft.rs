//! Breadth-first counts: machine, reference reasoner and another implementation's data agree.

mod counts;
mod generated;
mod simulate;
