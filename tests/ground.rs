//! The grounder against the oracle: a ground program, evaluated naively, is the same game.

mod support;

#[path = "ground/properties.rs"]
mod properties;
#[path = "ground/real_games.rs"]
mod real_games;
