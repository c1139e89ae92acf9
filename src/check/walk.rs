//! Visiting the parts of clauses, and the words for them in messages.

use crate::program::Predicate;
use crate::syntax::{Atom, Clause, Formula};
use crate::term::Term;

/// The atoms of the body, left to right, under whatever connectives.
pub(super) fn body_atoms(clause: &Clause) -> Vec<&Atom> {
    let mut atoms = Vec::new();
    for_each_leaf(&clause.body, &mut |leaf| {
        if let Formula::Atom(atom) = leaf {
            atoms.push(atom);
        }
    });
    atoms
}

/// All atoms of the clause, the head first.
pub(super) fn atoms(clause: &Clause) -> impl Iterator<Item = &Atom> {
    std::iter::once(&clause.head).chain(body_atoms(clause))
}

/// Calls `visit` for every atom and `distinct`, left to right.
pub(super) fn for_each_leaf<'a>(formulas: &'a [Formula], visit: &mut impl FnMut(&'a Formula)) {
    for formula in formulas {
        match formula {
            Formula::Atom(_) | Formula::Distinct(..) => visit(formula),
            Formula::Not(inner, _) => for_each_leaf(std::slice::from_ref(&**inner), visit),
            Formula::And(parts, _) | Formula::Or(parts, _) => for_each_leaf(parts, visit),
        }
    }
}

/// The relation that an atom speaks of.
pub(super) fn predicate(atom: &Atom) -> Predicate {
    match Predicate::keyword(atom.predicate.as_str()) {
        Some((keyword, _)) => keyword,
        None => Predicate::Defined(atom.predicate.clone(), atom.args.len()),
    }
}

/// Whether some values of the variables could make the two terms equal. Every occurrence of a variable
/// counts as a variable of its own: a quick look that errs towards "yes".
pub(super) fn may_be_equal(a: &Term, b: &Term) -> bool {
    match (a, b) {
        (Term::Function(f, xs), Term::Function(g, ys)) => {
            f == g && xs.len() == ys.len() && xs.iter().zip(ys).all(|(x, y)| may_be_equal(x, y))
        }
        _ => true,
    }
}

/// `no arguments`, `1 argument`, `2 arguments`.
pub(super) fn arguments(count: usize) -> String {
    match count {
        0 => "no arguments".to_string(),
        1 => "1 argument".to_string(),
        n => format!("{n} arguments"),
    }
}

/// The candidate that was probably meant by `name`: at most one edit in three letters away.
pub(super) fn closest<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let allowed = name.chars().count().div_ceil(3);
    candidates
        .filter(|candidate| *candidate != name && name.len() > 1)
        .map(|candidate| (strsim::osa_distance(name, candidate), candidate))
        .filter(|(distance, candidate)| *distance <= allowed && *distance < candidate.chars().count())
        .min()
        .map(|(_, candidate)| candidate)
}
