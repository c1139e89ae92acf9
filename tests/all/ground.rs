//! The grounder against the oracle: a ground program, evaluated naively, is the same game.

mod properties;
mod real_games;
