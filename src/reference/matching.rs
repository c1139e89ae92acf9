//! One rule against a set of facts: all ways to make its body true, and the heads that follow.

use super::error::{MAX_DEPTH, MAX_SYMBOLS, ReferenceError};
use super::facts::{Facts, Tuple};
use super::substitution::{Bindings, Size, instantiate, instantiate_all, known_beginning, match_all};
use crate::program::{Atom, Literal, Predicate, Program, Rule};
use crate::term::{Symbol, Term};
use std::collections::BTreeSet;

/// Characters of an atom that an error shows.
const SHOWN_CHARACTERS: usize = 120;

/// A rule whose body is in the order in which it is matched.
#[derive(Clone, Debug)]
pub(super) struct OrderedRule {
    pub(super) head: Atom,
    /// The body in the written order, except that a literal comes as soon as all its variables are
    /// bound: a test costs little, and spares the pairs that would fail it.
    steps: Vec<Step>,
    /// Line and text, for messages.
    pub(super) text: String,
}

/// What matching does for a literal.
#[derive(Clone, Debug)]
enum Step {
    /// Try all facts of the relation, which binds the atom's variables.
    Search(Atom),
    /// The same, among the new facts only.
    SearchNew(Atom),
    /// See whether the literal holds; all its variables are bound.
    Test(Literal),
}

/// Where the literals of a body are looked up.
#[derive(Clone, Copy)]
pub(super) struct Known<'a> {
    /// Where positive literals are.
    pub(super) facts: &'a Facts,
    /// Those of the facts that the round before added.
    pub(super) new: &'a Facts,
    /// What negative literals must not be in.
    pub(super) negated: &'a Facts,
}

impl OrderedRule {
    pub(super) fn new(program: &Program, rule: &Rule) -> OrderedRule {
        OrderedRule::with_steps(
            program,
            rule,
            in_matching_order(rule.body.iter().collect(), Vec::new()),
        )
    }

    /// The rule once for each literal of a relation in `own`, which is searched among the new facts, and
    /// first: together they derive whatever follows by the rule from a new fact of these relations.
    pub(super) fn for_new_facts(
        program: &Program,
        rule: &Rule,
        own: &BTreeSet<Predicate>,
    ) -> Vec<OrderedRule> {
        let variant = |(index, literal): (usize, &Literal)| match literal {
            Literal::Positive(atom) if own.contains(&atom.predicate) => {
                let mut others: Vec<&Literal> = rule.body.iter().collect();
                others.remove(index);
                let steps = in_matching_order(others, vec![Step::SearchNew(atom.clone())]);
                Some(OrderedRule::with_steps(program, rule, steps))
            }
            _ => None,
        };
        rule.body.iter().enumerate().filter_map(variant).collect()
    }

    fn with_steps(program: &Program, rule: &Rule, steps: Vec<Step>) -> OrderedRule {
        let line = program.source().position(rule.span.start).line;
        OrderedRule {
            head: rule.head.clone(),
            steps,
            text: format!("line {line}: {rule}"),
        }
    }

    /// All heads that follow and are not among the facts yet.
    pub(super) fn derive(&self, known: Known) -> Result<BTreeSet<Tuple>, ReferenceError> {
        let mut derived = BTreeSet::new();
        let mut symbols = known.facts.symbols();
        // Ways to match the first `matched` literals, still to be extended to the whole body.
        let mut partial: Vec<(usize, Bindings)> = vec![(0, Vec::new())];
        while let Some((matched, bindings)) = partial.pop() {
            if let Some(step) = self.steps.get(matched) {
                let extended = extend(step, bindings, known);
                partial.extend(extended.into_iter().map(|bindings| (matched + 1, bindings)));
                continue;
            }
            let size = self.check_size(&bindings, symbols)?;
            let tuple = instantiate_all(&self.head.args, &bindings);
            if !known.facts.contains(&self.head.predicate, &tuple) && derived.insert(tuple) {
                symbols += size;
            }
        }
        Ok(derived)
    }

    /// How many symbols the head has under `bindings`. Asked before the head is built, because
    /// `p(f(X, X)) :- p(X)` doubles a term with every round.
    fn check_size(&self, bindings: &Bindings, present: usize) -> Result<usize, ReferenceError> {
        let sizes: Vec<Size> = self.head.args.iter().map(|arg| Size::of(arg, bindings)).collect();
        let symbols = sizes.iter().map(|size| size.symbols).sum();
        if present + symbols > MAX_SYMBOLS {
            return Err(ReferenceError::TooManyFacts {
                rule: self.text.clone(),
            });
        }
        if sizes.iter().any(|size| size.depth > MAX_DEPTH) {
            let args = instantiate_all(&self.head.args, bindings);
            let atom = Atom {
                predicate: self.head.predicate.clone(),
                args,
            };
            let shown: String = atom.to_string().chars().take(SHOWN_CHARACTERS).collect();
            return Err(ReferenceError::GrowingTerm {
                rule: self.text.clone(),
                atom: format!("{shown}…"),
            });
        }
        Ok(symbols)
    }
}

/// `first`, then the literals, each moved to where its variables are first all bound.
fn in_matching_order(mut waiting: Vec<&Literal>, first: Vec<Step>) -> Vec<Step> {
    let mut steps = first;
    while !waiting.is_empty() {
        let bound: BTreeSet<&Symbol> = steps.iter().flat_map(Step::variables).collect();
        let testable = waiting
            .iter()
            .position(|literal| variables(literal).is_subset(&bound));
        let positive = waiting
            .iter()
            .position(|literal| matches!(literal, Literal::Positive(_)));
        let Some(index) = testable.or(positive) else {
            unreachable!("guarantee 3 of Program: rules are safe")
        };
        let step = match waiting.remove(index) {
            Literal::Positive(atom) if testable.is_none() => Step::Search(atom.clone()),
            literal => Step::Test(literal.clone()),
        };
        steps.push(step);
    }
    steps
}

impl Step {
    /// The variables that are bound after the step, as far as they are its own.
    fn variables(&self) -> BTreeSet<&Symbol> {
        match self {
            Step::Search(atom) | Step::SearchNew(atom) => variables_of(&atom.args),
            Step::Test(literal) => variables(literal),
        }
    }
}

/// The variables of a literal.
fn variables(literal: &Literal) -> BTreeSet<&Symbol> {
    match literal {
        Literal::Positive(atom) | Literal::Negative(atom) => variables_of(&atom.args),
        Literal::Distinct(left, right) => variables_of([left, right]),
    }
}

/// The variables of terms.
fn variables_of<'a>(terms: impl IntoIterator<Item = &'a Term>) -> BTreeSet<&'a Symbol> {
    let mut found = BTreeSet::new();
    for term in terms {
        term.for_each_variable(&mut |variable| {
            found.insert(variable);
        });
    }
    found
}

/// All ways to extend `bindings` so that the literal of `step` holds.
fn extend<'a>(step: &'a Step, bindings: Bindings<'a>, known: Known<'a>) -> Vec<Bindings<'a>> {
    match step {
        Step::Search(atom) => search(atom, &bindings, known.facts),
        Step::SearchNew(atom) => search(atom, &bindings, known.new),
        Step::Test(literal) if holds(literal, &bindings, known) => vec![bindings],
        Step::Test(_) => Vec::new(),
    }
}

/// Whether a literal holds under bindings of all its variables.
fn holds(literal: &Literal, bindings: &Bindings, known: Known) -> bool {
    match literal {
        Literal::Positive(atom) => known
            .facts
            .contains(&atom.predicate, &instantiate_all(&atom.args, bindings)),
        Literal::Negative(atom) => !known
            .negated
            .contains(&atom.predicate, &instantiate_all(&atom.args, bindings)),
        Literal::Distinct(left, right) => instantiate(left, bindings) != instantiate(right, bindings),
    }
}

/// All ways to extend `bindings` so that `atom` is one of the facts.
fn search<'a>(atom: &'a Atom, bindings: &Bindings<'a>, facts: &'a Facts) -> Vec<Bindings<'a>> {
    let mut extended = Vec::new();
    let mut attempt = bindings.clone();
    for tuple in facts.tuples_from(&atom.predicate, &known_beginning(&atom.args, bindings)) {
        attempt.truncate(bindings.len());
        if match_all(&atom.args, tuple, &mut attempt) {
            extended.push(attempt.clone());
        }
    }
    extended
}
