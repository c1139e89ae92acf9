//! Equalities (`not distinct`) are solved by unification, so that rules need none.

use crate::term::{Symbol, Term};
use std::collections::VecDeque;

/// Largest term that unification may build, in symbols.
const MAX_SYMBOLS: usize = 1 << 14;

/// Deepest term that unification may build: recursion over terms must stay safe.
const MAX_DEPTH: usize = 256;

/// A solution would exceed [`MAX_SYMBOLS`] or [`MAX_DEPTH`].
#[derive(Debug)]
pub(super) struct TooLarge;

/// Replacements of variables, to be made one after the other.
#[derive(Debug, Default)]
pub(super) struct Substitution(Vec<(Symbol, Term)>);

impl Substitution {
    /// The term after all replacements.
    pub fn apply(&self, term: &Term) -> Result<Term, TooLarge> {
        let mut result = term.clone();
        for (variable, value) in &self.0 {
            result = replace_bounded(&result, variable, value)?;
        }
        Ok(result)
    }
}

/// The most general substitution that makes each pair equal; `None` if nothing does.
pub(super) fn solve(equations: Vec<(Term, Term)>) -> Result<Option<Substitution>, TooLarge> {
    let mut substitution = Substitution::default();
    let mut open = VecDeque::from(equations);
    while let Some((a, b)) = open.pop_front() {
        match (a, b) {
            (a, b) if a == b => (),
            (Term::Variable(variable), value) | (value, Term::Variable(variable)) => {
                if occurs(&variable, &value) {
                    return Ok(None);
                }
                for (left, right) in &mut open {
                    *left = replace_bounded(left, &variable, &value)?;
                    *right = replace_bounded(right, &variable, &value)?;
                }
                substitution.0.push((variable, value));
            }
            (Term::Function(f, xs), Term::Function(g, ys)) => {
                if f != g || xs.len() != ys.len() {
                    return Ok(None);
                }
                open.extend(xs.into_iter().zip(ys));
            }
        }
    }
    Ok(Some(substitution))
}

fn occurs(variable: &Symbol, term: &Term) -> bool {
    let mut found = false;
    term.for_each_variable(&mut |other| found |= other == variable);
    found
}

fn replace_bounded(term: &Term, variable: &Symbol, value: &Term) -> Result<Term, TooLarge> {
    if !occurs(variable, term) {
        return Ok(term.clone());
    }
    let result = replace(term, variable, value);
    let grows = matches!(value, Term::Function(_, args) if !args.is_empty());
    let (symbols, depth) = size(&result);
    match grows && (symbols > MAX_SYMBOLS || depth > MAX_DEPTH) {
        true => Err(TooLarge),
        false => Ok(result),
    }
}

fn replace(term: &Term, variable: &Symbol, value: &Term) -> Term {
    match term {
        Term::Variable(name) if name == variable => value.clone(),
        Term::Variable(_) => term.clone(),
        Term::Function(name, args) => {
            let args = args.iter().map(|arg| replace(arg, variable, value)).collect();
            Term::Function(name.clone(), args)
        }
    }
}

/// Number of symbols and depth.
fn size(term: &Term) -> (usize, usize) {
    match term {
        Term::Variable(_) => (1, 1),
        Term::Function(_, args) => args
            .iter()
            .map(size)
            .fold((1, 1), |(symbols, depth), (more, below)| {
                (symbols + more, depth.max(below + 1))
            }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn v(name: &str) -> Term {
        Term::Variable(Symbol::new(name))
    }

    fn f(args: &[Term]) -> Term {
        Term::Function(Symbol::new("f"), args.to_vec())
    }

    fn c(name: &str) -> Term {
        Term::constant(name)
    }

    #[test]
    fn later_replacements_reach_into_earlier_ones() {
        let solution = solve(vec![(v("x"), f(&[v("y")])), (v("y"), c("a"))])
            .unwrap()
            .unwrap();
        assert_eq!(solution.apply(&v("x")).unwrap(), f(&[c("a")]));
    }

    #[test]
    fn different_functions_and_infinite_terms_have_no_solution() {
        assert!(solve(vec![(c("a"), c("b"))]).unwrap().is_none());
        assert!(solve(vec![(v("x"), f(&[v("x")]))]).unwrap().is_none());
        assert!(solve(vec![(v("x"), c("a")), (v("x"), c("b"))]).unwrap().is_none());
    }

    #[test]
    fn doubling_terms_are_refused_before_they_fill_the_memory() {
        let name = |i: usize| v(&format!("x{i}"));
        let equations = (0..100)
            .map(|i| (name(i), f(&[name(i + 1), name(i + 1)])))
            .collect();
        let solution = solve(equations).unwrap().unwrap();
        assert!(solution.apply(&name(0)).is_err());
    }
}
