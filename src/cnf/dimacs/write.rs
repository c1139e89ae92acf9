//! [`Cnf`] → text.

use super::numbers;
use crate::cnf::{Block, Cnf, Lit, Quantifier};
use std::fmt::Display;
use std::io::{self, Write};

/// Which programs are to read the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// SharpSSAT's: all quantifiers.
    Sdimacs,
    /// The standard of QBF solvers: no chance. Neighbouring blocks of one quantifier are written as one.
    Qdimacs,
}

/// Writes a formula. `comments` become lines `c ...` at the top: who made it, which variable is what.
///
/// `out` should be buffered. A block without variables is not written. A formula with chance cannot be
/// written as [`Dialect::Qdimacs`]: that is an error of kind [`io::ErrorKind::InvalidInput`].
///
/// ```
/// use emm::cnf::dimacs::{self, Dialect};
/// use emm::cnf::{Block, Clauses, Cnf, Quantifier, Var};
/// let x = Var::new(0);
/// let mut clauses = Clauses::default();
/// clauses.push(&[!x.positive()]);
/// let cnf = Cnf {
///     variables: 1,
///     prefix: vec![Block { quantifier: Quantifier::Exists, variables: vec![x] }],
///     clauses,
/// };
/// let mut text = Vec::new();
/// dimacs::write(&cnf, Dialect::Sdimacs, ["1 x"], &mut text).unwrap();
/// assert_eq!(text, b"c 1 x\np cnf 1 1\ne 1 0\n-1 0\n");
/// ```
pub fn write(
    cnf: &Cnf,
    dialect: Dialect,
    comments: impl IntoIterator<Item = impl Display>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let is_chance = |block: &Block| matches!(block.quantifier, Quantifier::Chance(_));
    if dialect == Dialect::Qdimacs && cnf.prefix.iter().any(is_chance) {
        let message = "a formula with chance variables cannot be written as QDIMACS";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
    }
    for comment in comments {
        writeln!(out, "c {comment}")?;
    }
    let written = || cnf.prefix.iter().filter(|block| !block.variables.is_empty());
    for block in written() {
        write_exact_probability(block, out)?;
    }
    writeln!(out, "p cnf {} {}", cnf.variables, cnf.clauses.len())?;
    let blocks: Vec<&Block> = written().collect();
    match dialect {
        Dialect::Sdimacs => blocks.chunks(1).try_for_each(|block| write_blocks(block, out))?,
        Dialect::Qdimacs => blocks
            .chunk_by(|a, b| a.quantifier == b.quantifier)
            .try_for_each(|alike| write_blocks(alike, out))?,
    }
    cnf.clauses
        .iter()
        .try_for_each(|clause| write_clause(clause, out))
}

/// The comment that gives the exact probability of a chance block.
fn write_exact_probability(block: &Block, out: &mut dyn Write) -> io::Result<()> {
    let Quantifier::Chance(probability) = &block.quantifier else {
        return Ok(());
    };
    write!(out, "c prob {}/{}", probability.numer(), probability.denom())?;
    write_variables(block, out)?;
    writeln!(out, " 0")
}

/// Blocks of one quantifier as a single one.
fn write_blocks(alike: &[&Block], out: &mut dyn Write) -> io::Result<()> {
    match &alike[0].quantifier {
        Quantifier::Exists => write!(out, "e")?,
        Quantifier::ForAll => write!(out, "a")?,
        Quantifier::Chance(probability) => write!(out, "r {}", numbers::decimal(probability))?,
    }
    alike.iter().try_for_each(|block| write_variables(block, out))?;
    writeln!(out, " 0")
}

fn write_variables(block: &Block, out: &mut dyn Write) -> io::Result<()> {
    block
        .variables
        .iter()
        .try_for_each(|variable| write!(out, " {}", variable.index() + 1))
}

fn write_clause(clause: &[Lit], out: &mut dyn Write) -> io::Result<()> {
    for literal in clause {
        let sign = if literal.is_negated() { "-" } else { "" };
        write!(out, "{sign}{} ", literal.var().index() + 1)?;
    }
    writeln!(out, "0")
}
