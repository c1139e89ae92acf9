//! The evaluator of formulas, and DIMACS.

mod command;
mod dimacs;
mod formula;
mod values;
