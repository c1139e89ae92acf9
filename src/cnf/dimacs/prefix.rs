//! The quantifier prefix of a text: blocks as they were written, until probabilities are exact.

use super::numbers::Decimal;
use super::problems::Problems;
use crate::cnf::{Block, Quantifier, Var};
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use num_bigint::BigUint;
use num_rational::Ratio;
use std::collections::HashMap;

/// Where a variable is quantified.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Nowhere,
    /// Nowhere, and that has been said.
    Free,
    /// In this block of the text.
    Block(u32),
}

/// A block of the text.
pub(super) struct TextBlock {
    pub quantifier: TextQuantifier,
    pub variables: Vec<Var>,
}

/// Its quantifier; a probability is still a decimal.
pub(super) enum TextQuantifier {
    Exists,
    ForAll,
    Chance(Decimal),
}

/// A comment `c prob`.
pub(super) struct Exact {
    pub probability: Ratio<BigUint>,
    pub variables: Vec<(i64, Span)>,
    pub span: Span,
}

/// What a text says about quantifiers.
#[derive(Default)]
pub(super) struct Prefix {
    /// By variable.
    pub places: Vec<Place>,
    pub blocks: Vec<TextBlock>,
    pub exact: Vec<Exact>,
}

impl Prefix {
    /// The blocks, with every variable in one of them.
    pub fn finish(mut self, problems: &mut Problems) -> Vec<Block> {
        let exact = self.exact_probabilities(problems);
        blocks(&self.places, &self.blocks, &exact)
    }

    /// The probabilities of the comments, by variable, as far as they agree with the blocks.
    fn exact_probabilities(&mut self, problems: &mut Problems) -> HashMap<Var, Ratio<BigUint>> {
        let mut found = HashMap::new();
        for comment in std::mem::take(&mut self.exact) {
            for &(number, span) in &comment.variables {
                match self.check_exact(number, &comment.probability) {
                    Ok(variable) if found.contains_key(&variable) => {
                        let message = format!("the probability of variable {number} is given twice");
                        problems.error("bad-probability", || Diagnostic::error("", span, message));
                    }
                    Ok(variable) => {
                        found.insert(variable, comment.probability.clone());
                    }
                    Err(message) => problems.error("bad-probability", || {
                        Diagnostic::error("", span, message).in_rule(comment.span)
                    }),
                }
            }
        }
        found
    }

    fn check_exact(&self, number: i64, exact: &Ratio<BigUint>) -> Result<Var, String> {
        let index = usize::try_from(number - 1).unwrap_or(usize::MAX);
        let block = match self.places.get(index) {
            Some(Place::Block(block)) => self.blocks.get(*block as usize),
            _ => None,
        };
        match block.map(|block| &block.quantifier) {
            Some(TextQuantifier::Chance(decimal)) if decimal.agrees_with(exact) => Ok(Var::new(index)),
            Some(TextQuantifier::Chance(_)) => Err(format!(
                "the block of variable {number} gives it another probability"
            )),
            _ => Err(format!("variable {number} stands in no chance block")),
        }
    }
}

/// The blocks of the text with exact probabilities, after one of all variables that stand in none.
fn blocks(places: &[Place], blocks: &[TextBlock], exact: &HashMap<Var, Ratio<BigUint>>) -> Vec<Block> {
    let is_free = |variable: &Var| !matches!(places[variable.index()], Place::Block(_));
    let free: Vec<Var> = (0..places.len()).map(Var::new).filter(is_free).collect();
    let outermost = Block {
        quantifier: Quantifier::Exists,
        variables: free,
    };
    let blocks = blocks.iter().flat_map(|block| split(block, exact));
    std::iter::once(outermost)
        .chain(blocks)
        .filter(|block| !block.variables.is_empty())
        .collect()
}

/// A block of the text; one with chance is split where the exact probability changes.
fn split(block: &TextBlock, exact: &HashMap<Var, Ratio<BigUint>>) -> Vec<Block> {
    let whole = |quantifier| {
        vec![Block {
            quantifier,
            variables: block.variables.clone(),
        }]
    };
    let decimal = match &block.quantifier {
        TextQuantifier::Exists => return whole(Quantifier::Exists),
        TextQuantifier::ForAll => return whole(Quantifier::ForAll),
        TextQuantifier::Chance(decimal) => decimal,
    };
    let probability = |variable: &Var| exact.get(variable).unwrap_or(&decimal.value);
    let alike = block.variables.chunk_by(|a, b| probability(a) == probability(b));
    alike
        .map(|variables| Block {
            quantifier: Quantifier::Chance(probability(&variables[0]).clone()),
            variables: variables.to_vec(),
        })
        .collect()
}
