//! One rule against a set of facts: all ways to make its body true, and the heads that follow.

use super::error::{MAX_DEPTH, MAX_SYMBOLS, ReferenceError};
use super::facts::{Facts, Tuple};
use crate::program::{Atom, Literal, Program, Rule};
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
    /// See whether the literal holds; all its variables are bound.
    Test(Literal),
}

/// Values of the variables bound so far; each variable stands there once.
type Bindings<'a> = Vec<(&'a Symbol, &'a Term)>;

impl OrderedRule {
    pub(super) fn new(program: &Program, rule: &Rule) -> OrderedRule {
        let line = program.source().position(rule.span.start).line;
        OrderedRule {
            head: rule.head.clone(),
            steps: in_matching_order(&rule.body),
            text: format!("line {line}: {rule}"),
        }
    }

    /// All heads that follow if positive literals are looked up in `facts` and negative ones in
    /// `negated`. Heads that are in `facts` already are left out.
    pub(super) fn derive(&self, facts: &Facts, negated: &Facts) -> Result<BTreeSet<Tuple>, ReferenceError> {
        let mut derived = BTreeSet::new();
        let mut symbols = facts.symbols();
        // Ways to match the first `matched` literals, still to be extended to the whole body.
        let mut partial: Vec<(usize, Bindings)> = vec![(0, Vec::new())];
        while let Some((matched, bindings)) = partial.pop() {
            if let Some(step) = self.steps.get(matched) {
                let extended = extend(step, bindings, facts, negated);
                partial.extend(extended.into_iter().map(|bindings| (matched + 1, bindings)));
                continue;
            }
            let size = self.check_size(&bindings, symbols)?;
            let tuple = instantiate_all(&self.head.args, &bindings);
            if !facts.contains(&self.head.predicate, &tuple) && derived.insert(tuple) {
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

/// The body with each literal moved to where its variables are first all bound.
fn in_matching_order(body: &[Literal]) -> Vec<Step> {
    let mut waiting: Vec<&Literal> = body.iter().collect();
    let mut bound: BTreeSet<&Symbol> = BTreeSet::new();
    let mut steps = Vec::new();
    while !waiting.is_empty() {
        let testable = waiting
            .iter()
            .position(|literal| variables(literal).is_subset(&bound));
        if let Some(index) = testable {
            steps.push(Step::Test(waiting.remove(index).clone()));
            continue;
        }
        let positive = waiting
            .iter()
            .enumerate()
            .find_map(|(index, literal)| match literal {
                Literal::Positive(atom) => Some((index, atom)),
                Literal::Negative(_) | Literal::Distinct(..) => None,
            });
        let Some((index, atom)) = positive else {
            unreachable!("guarantee 3 of Program: rules are safe")
        };
        bound.extend(variables(waiting.remove(index)));
        steps.push(Step::Search(atom.clone()));
    }
    steps
}

/// The variables of a literal.
fn variables(literal: &Literal) -> BTreeSet<&Symbol> {
    let terms: Vec<&Term> = match literal {
        Literal::Positive(atom) | Literal::Negative(atom) => atom.args.iter().collect(),
        Literal::Distinct(left, right) => vec![left, right],
    };
    let mut found = BTreeSet::new();
    for term in terms {
        term.for_each_variable(&mut |variable| {
            found.insert(variable);
        });
    }
    found
}

/// All ways to extend `bindings` so that the literal of `step` holds.
fn extend<'a>(
    step: &'a Step,
    bindings: Bindings<'a>,
    facts: &'a Facts,
    negated: &Facts,
) -> Vec<Bindings<'a>> {
    match step {
        Step::Search(atom) => search(atom, &bindings, facts),
        Step::Test(literal) if holds(literal, &bindings, facts, negated) => vec![bindings],
        Step::Test(_) => Vec::new(),
    }
}

/// Whether a literal holds under bindings of all its variables.
fn holds(literal: &Literal, bindings: &Bindings, facts: &Facts, negated: &Facts) -> bool {
    match literal {
        Literal::Positive(atom) => facts.contains(&atom.predicate, &instantiate_all(&atom.args, bindings)),
        Literal::Negative(atom) => !negated.contains(&atom.predicate, &instantiate_all(&atom.args, bindings)),
        Literal::Distinct(left, right) => instantiate(left, bindings) != instantiate(right, bindings),
    }
}

/// All ways to extend `bindings` so that `atom` is one of the facts.
fn search<'a>(atom: &'a Atom, bindings: &Bindings<'a>, facts: &'a Facts) -> Vec<Bindings<'a>> {
    let mut extended = Vec::new();
    let mut attempt = bindings.clone();
    for tuple in facts.tuples(&atom.predicate) {
        attempt.truncate(bindings.len());
        if match_all(&atom.args, tuple, &mut attempt) {
            extended.push(attempt.clone());
        }
    }
    extended
}

/// Whether the patterns become these terms under `bindings`, to which the values of new variables are
/// added. After a failure, some of them are left there.
fn match_all<'a>(patterns: &'a [Term], terms: &'a [Term], bindings: &mut Bindings<'a>) -> bool {
    patterns.len() == terms.len()
        && patterns
            .iter()
            .zip(terms)
            .all(|(pattern, term)| match_term(pattern, term, bindings))
}

/// [`match_all`] for one term.
fn match_term<'a>(pattern: &'a Term, term: &'a Term, bindings: &mut Bindings<'a>) -> bool {
    match (pattern, term) {
        (Term::Variable(variable), _) => match value(variable, bindings) {
            Some(bound) => bound == term,
            None => {
                bindings.push((variable, term));
                true
            }
        },
        (Term::Function(name, patterns), Term::Function(other, terms)) => {
            name == other && match_all(patterns, terms, bindings)
        }
        (Term::Function(..), Term::Variable(_)) => false,
    }
}

/// The value of a variable, if it is bound.
fn value<'a>(variable: &Symbol, bindings: &Bindings<'a>) -> Option<&'a Term> {
    bindings
        .iter()
        .find(|(bound, _)| *bound == variable)
        .map(|(_, term)| *term)
}

/// The value of a variable that the order of the body has bound.
fn bound_value<'a>(variable: &Symbol, bindings: &Bindings<'a>) -> &'a Term {
    value(variable, bindings).unwrap_or_else(|| unreachable!("guarantee 3 of Program: ?{variable} is bound"))
}

/// The terms with every variable replaced by its value.
fn instantiate_all(patterns: &[Term], bindings: &Bindings) -> Tuple {
    patterns
        .iter()
        .map(|pattern| instantiate(pattern, bindings))
        .collect()
}

/// The term with every variable replaced by its value.
fn instantiate(pattern: &Term, bindings: &Bindings) -> Term {
    match pattern {
        Term::Variable(variable) => bound_value(variable, bindings).clone(),
        Term::Function(name, args) => Term::Function(name.clone(), instantiate_all(args, bindings)),
    }
}

/// How large an instantiated term is.
struct Size {
    /// Levels of nesting; 1 for a constant.
    depth: usize,
    /// Occurrences of symbols.
    symbols: usize,
}

impl Size {
    fn of(pattern: &Term, bindings: &Bindings) -> Size {
        match pattern {
            Term::Variable(variable) => Size::of(bound_value(variable, bindings), &Vec::new()),
            Term::Function(_, args) => {
                let parts = args.iter().map(|arg| Size::of(arg, bindings));
                parts.fold(Size { depth: 1, symbols: 1 }, |whole, part| Size {
                    depth: whole.depth.max(part.depth + 1),
                    symbols: whole.symbols + part.symbols,
                })
            }
        }
    }
}
