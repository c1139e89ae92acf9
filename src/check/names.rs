//! Relations are defined, used, and of one arity; functions are of one arity.

use super::codes;
use super::keywords::is_reserved;
use super::walk::{arguments, atoms, body_atoms, closest, for_each_leaf, predicate};
use crate::diagnostic::Diagnostic;
use crate::program::Predicate;
use crate::source::Span;
use crate::syntax::{Clause, Formula};
use crate::term::{Symbol, Term};
use std::collections::{BTreeMap, BTreeSet};

/// Reports names that are used in a dubious way.
pub(super) fn check(clauses: &[Clause], diagnostics: &mut Vec<Diagnostic>) {
    predicate_arities(clauses).report("relation", diagnostics);
    function_arities(clauses).report("function", diagnostics);
    undefined(clauses, diagnostics);
    unused(clauses, diagnostics);
}

/// Which arities each name occurs with, and where each arity first did.
#[derive(Default)]
struct Arities<'a>(BTreeMap<&'a Symbol, Vec<Arity>>);

struct Arity {
    count: usize,
    span: Span,
    rule: Span,
}

impl<'a> Arities<'a> {
    fn add(&mut self, name: &'a Symbol, count: usize, span: Span, rule: Span) {
        let seen = self.0.entry(name).or_default();
        if seen.iter().all(|arity| arity.count != count) {
            seen.push(Arity { count, span, rule });
        }
    }

    fn report(&self, kind: &str, diagnostics: &mut Vec<Diagnostic>) {
        for (name, arities) in &self.0 {
            let Some(second) = arities.get(1) else { continue };
            let counts: Vec<String> = arities.iter().map(|arity| arguments(arity.count)).collect();
            let message = format!("{kind} `{name}` is used with {}", counts.join(" and with "));
            let hint =
                format!("they are read as different {kind}s; if that is meant, different names are clearer");
            let warning = Diagnostic::warning(codes::ARITY_VARIES, second.span, message);
            diagnostics.push(warning.in_rule(second.rule).hint(hint));
        }
    }
}

fn predicate_arities(clauses: &[Clause]) -> Arities<'_> {
    let mut arities = Arities::default();
    for clause in clauses {
        for atom in atoms(clause).filter(|atom| is_authors_own(&predicate(atom))) {
            arities.add(&atom.predicate, atom.args.len(), atom.span, clause.span);
        }
    }
    arities
}

/// Constants do not count: a constant `mark` beside `(mark 1 1)` is common and harmless.
fn function_arities(clauses: &[Clause]) -> Arities<'_> {
    let mut arities = Arities::default();
    for clause in clauses {
        let mut add = |term, span| add_functions(term, span, clause.span, &mut arities);
        clause
            .head
            .args
            .iter()
            .for_each(|term| add(term, clause.head.span));
        for_each_leaf(&clause.body, &mut |leaf| match leaf {
            Formula::Atom(atom) => atom.args.iter().for_each(|term| add(term, atom.span)),
            Formula::Distinct(a, b, span) => [a, b].into_iter().for_each(|term| add(term, *span)),
            _ => (),
        });
    }
    arities
}

fn add_functions<'a>(term: &'a Term, span: Span, rule: Span, arities: &mut Arities<'a>) {
    if let Term::Function(name, args) = term
        && !args.is_empty()
    {
        arities.add(name, args.len(), span, rule);
        args.iter()
            .for_each(|arg| add_functions(arg, span, rule, arities));
    }
}

/// One warning for each relation, at its first use.
fn undefined(clauses: &[Clause], diagnostics: &mut Vec<Diagnostic>) {
    let defined: BTreeSet<Predicate> = clauses.iter().map(|clause| predicate(&clause.head)).collect();
    let mut reported = BTreeSet::new();
    for clause in clauses {
        for atom in body_atoms(clause) {
            let used = predicate(atom);
            if is_given(&used) || defined.contains(&used) || !reported.insert(used.clone()) {
                continue;
            }
            let message = format!("`{}` is never defined, so it is always false", relation(&used));
            let warning = Diagnostic::warning(codes::UNDEFINED, atom.span, message);
            diagnostics.push(warning.in_rule(clause.span).hint(undefined_hint(&used, &defined)));
        }
    }
}

/// Relations that need no definition, or whose misuse another check reports.
fn is_given(predicate: &Predicate) -> bool {
    use Predicate::{Does, Init, Next, Role, True};
    matches!(predicate, Does | True | Role | Init | Next) || is_reserved(predicate.name())
}

fn is_authors_own(predicate: &Predicate) -> bool {
    matches!(predicate, Predicate::Defined(..)) && !is_reserved(predicate.name())
}

fn undefined_hint(used: &Predicate, defined: &BTreeSet<Predicate>) -> String {
    if let Some(other) = defined.iter().find(|other| other.name() == used.name()) {
        return format!("it is defined as `{}`", relation(other));
    }
    let candidates = defined
        .iter()
        .map(Predicate::name)
        .chain(["true", "does", "role"]);
    match closest(used.name(), candidates) {
        Some(other) => format!("did you mean `{other}`?"),
        None => "define it, or remove it".to_string(),
    }
}

/// One warning for each relation, at its first definition.
fn unused(clauses: &[Clause], diagnostics: &mut Vec<Diagnostic>) {
    let mut known: BTreeSet<Predicate> = clauses.iter().flat_map(body_atoms).map(predicate).collect();
    for clause in clauses {
        let head = predicate(&clause.head);
        if is_authors_own(&head) && !known.contains(&head) {
            let message = format!("`{}` is defined but never used", relation(&head));
            let warning = Diagnostic::warning(codes::UNUSED, clause.head.span, message);
            diagnostics.push(warning.in_rule(clause.span).hint(unused_hint(&head)));
            known.insert(head);
        }
    }
}

fn unused_hint(head: &Predicate) -> String {
    let keywords = Predicate::KEYWORDS.iter().map(|(keyword, _, _)| *keyword);
    match closest(head.name(), keywords) {
        Some(keyword) => format!("it has no effect on the game; did you mean `{keyword}`?"),
        None => "it has no effect on the game; remove it, or use it in a body".to_string(),
    }
}

/// `name/arity` for relations that may exist in several arities, the bare name for keywords.
fn relation(predicate: &Predicate) -> String {
    match predicate {
        Predicate::Defined(name, arity) => format!("{name}/{arity}"),
        keyword => keyword.name().to_string(),
    }
}
