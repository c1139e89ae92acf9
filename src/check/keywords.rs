//! GDL's keywords stand where GDL allows them, with their arities.

use super::codes;
use super::walk::{arguments, atoms, body_atoms, for_each_leaf};
use crate::diagnostic::Diagnostic;
use crate::program::Predicate;
use crate::syntax::{Atom, Clause, Formula};
use crate::term::Term;

/// Names that structure a rule and can be no relation.
const CONNECTIVES: [&str; 5] = ["not", "and", "or", "distinct", "<="];

/// Keywords for imperfect information (GDL-II, GDL-III).
const HIDDEN_INFORMATION: [&str; 3] = ["sees", "sees_xml", "knows"];

/// Whether no author may define a relation of this name, although it is no relation of GDL.
pub(super) fn is_reserved(name: &str) -> bool {
    CONNECTIVES.contains(&name) || HIDDEN_INFORMATION.contains(&name)
}

/// Reports misused keywords; returns the clauses in which every keyword is used well.
pub(super) fn check<'a>(clauses: &'a [Clause], diagnostics: &mut Vec<Diagnostic>) -> Vec<&'a Clause> {
    let mut sound = Vec::with_capacity(clauses.len());
    for clause in clauses {
        let problems = problems(clause);
        if problems.is_empty() {
            sound.push(clause);
        }
        diagnostics.extend(problems.into_iter().map(|problem| problem.in_rule(clause.span)));
        let warning = connective_in_term(clause).map(|warning| warning.in_rule(clause.span));
        diagnostics.extend(warning);
    }
    sound
}

fn problems(clause: &Clause) -> Vec<Diagnostic> {
    let mut problems = Vec::new();
    problems.extend(head(&clause.head));
    problems.extend(role(clause));
    problems.extend(hidden_information(clause));
    problems.extend(body_atoms(clause).into_iter().filter_map(body));
    problems.extend(atoms(clause).filter_map(arity));
    problems
}

fn head(atom: &Atom) -> Option<Diagnostic> {
    let name = atom.predicate.as_str();
    let hint = match name {
        "true" => "write `init` for the first position and `next` for the position after a step",
        "does" => "`does` is what the players choose; write `legal` for what they may choose",
        _ if CONNECTIVES.contains(&name) => "a head is a single atom; use the connective in the body",
        _ => return None,
    };
    let message = format!("`{name}` cannot be the head of a fact or rule");
    Some(Diagnostic::error(codes::KEYWORD_IN_HEAD, atom.span, message).hint(hint))
}

fn body(atom: &Atom) -> Option<Diagnostic> {
    let name = atom.predicate.as_str();
    let hint = match name {
        "init" => "write `true` for the current position, or name the facts by a relation of your own",
        "next" => "repeat the conditions, or name them by a relation that both rules use",
        _ if CONNECTIVES.contains(&name) => "a connective needs its arguments in parentheses",
        _ => return None,
    };
    let message = format!("`{name}` cannot be an atom of a body");
    Some(Diagnostic::error(codes::KEYWORD_IN_BODY, atom.span, message).hint(hint))
}

fn role(clause: &Clause) -> Option<Diagnostic> {
    let atom = &clause.head;
    if atom.predicate.as_str() != "role" {
        return None;
    }
    let message = if !clause.body.is_empty() {
        "`role` is given by a rule with conditions"
    } else if !atom.args.iter().all(Term::is_ground) {
        "`role` is given with a variable"
    } else {
        return None;
    };
    let hint = "declare each role by a fact of its own, such as `(role white)`";
    Some(Diagnostic::error(codes::ROLE_RULE, atom.span, message).hint(hint))
}

/// One report for a clause, however often it uses such a keyword.
fn hidden_information(clause: &Clause) -> Option<Diagnostic> {
    let atom = atoms(clause).find(|atom| HIDDEN_INFORMATION.contains(&atom.predicate.as_str()))?;
    let message = format!("`{}` belongs to games of imperfect information", atom.predicate);
    let hint = "only games in which every player sees the position have a value here";
    Some(Diagnostic::error(codes::HIDDEN_INFORMATION, atom.span, message).hint(hint))
}

fn arity(atom: &Atom) -> Option<Diagnostic> {
    let (_, arity) = Predicate::keyword(atom.predicate.as_str())?;
    let count = atom.args.len();
    if count == arity {
        return None;
    }
    let message = format!("`{}` has {} here", atom.predicate, arguments(count));
    let hint = format!("`{}` takes {}", atom.predicate, arguments(arity));
    Some(Diagnostic::error(codes::KEYWORD_ARITY, atom.span, message).hint(hint))
}

/// One warning for a clause: `(true (not (cell 1 1)))` has a meaning, but hardly the intended one.
fn connective_in_term(clause: &Clause) -> Option<Diagnostic> {
    let mut found = connective_in(&clause.head.args).map(|name| (name, clause.head.span));
    for_each_leaf(&clause.body, &mut |leaf| {
        let name = match leaf {
            Formula::Atom(atom) => connective_in(&atom.args),
            Formula::Distinct(a, b, _) => connective_in([a, b]),
            _ => None,
        };
        found = found.or(name.map(|name| (name, leaf.span())));
    });
    let (name, span) = found?;
    let message = format!("`{name}` stands inside a term");
    let hint = "it is read as the name of a function; a connective stands around atoms, not inside them";
    Some(Diagnostic::warning(codes::CONNECTIVE_IN_TERM, span, message).hint(hint))
}

fn connective_in<'a>(terms: impl IntoIterator<Item = &'a Term>) -> Option<&'a str> {
    terms.into_iter().find_map(|term| match term {
        Term::Function(name, args) if !args.is_empty() => match CONNECTIVES.contains(&name.as_str()) {
            true => Some(name.as_str()),
            false => connective_in(args),
        },
        _ => None,
    })
}
