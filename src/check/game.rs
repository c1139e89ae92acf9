//! It is a game: it has roles, each with moves and goals, a beginning and an end.

use super::codes;
use super::walk::{atoms, closest, may_be_equal};
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::syntax::{Atom, Clause};
use crate::term::Term;

/// A declared role and where it is declared.
struct Role<'a> {
    term: &'a Term,
    clause: &'a Clause,
}

/// Reports what a game needs and this description lacks; returns the roles in order.
pub(super) fn check(clauses: &[Clause], diagnostics: &mut Vec<Diagnostic>) -> Vec<Term> {
    let roles = roles(clauses, diagnostics);
    missing_parts(clauses, diagnostics);
    goal_values(clauses, diagnostics);
    if roles.is_empty() {
        let error = Diagnostic::global_error(codes::NO_ROLE, "no role is declared");
        diagnostics.push(error.hint("declare each role by a fact such as `(role white)`"));
        return Vec::new();
    }
    only_random(&roles, diagnostics);
    roles_without(clauses, &roles, diagnostics);
    unknown_roles(clauses, &roles, diagnostics);
    roles.into_iter().map(|role| role.term.clone()).collect()
}

fn roles<'a>(clauses: &'a [Clause], diagnostics: &mut Vec<Diagnostic>) -> Vec<Role<'a>> {
    let mut roles: Vec<Role> = Vec::new();
    for clause in heads(clauses, "role") {
        let [term] = clause.head.args.as_slice() else {
            continue;
        };
        if roles.iter().any(|role| role.term == term) {
            let message = format!("role `{term}` is declared again");
            let warning = Diagnostic::warning(codes::ROLE_TWICE, clause.head.span, message);
            diagnostics.push(
                warning
                    .in_rule(clause.span)
                    .hint("it counts once; remove this declaration"),
            );
        } else {
            roles.push(Role { term, clause });
        }
    }
    roles
}

fn heads<'a>(clauses: &'a [Clause], name: &str) -> impl Iterator<Item = &'a Clause> {
    clauses
        .iter()
        .filter(move |clause| clause.head.predicate.as_str() == name)
}

fn missing_parts(clauses: &[Clause], diagnostics: &mut Vec<Diagnostic>) {
    if heads(clauses, "terminal").next().is_none() {
        let message = "there is no `terminal` rule, so the game never ends";
        let hint =
            "only bounded horizons have a value, and it is 0; say with `terminal` when the game is over";
        diagnostics.push(Diagnostic::global_warning(codes::NO_TERMINAL, message).hint(hint));
    }
    if heads(clauses, "init").next().is_none() {
        let message = "there is no `init`, so the initial position is empty";
        let hint = "say with `init` what is true in the beginning";
        diagnostics.push(Diagnostic::global_warning(codes::NO_INIT, message).hint(hint));
    }
}

/// Only values that are written there; those of variables are known after grounding.
fn goal_values(clauses: &[Clause], diagnostics: &mut Vec<Diagnostic>) {
    for clause in heads(clauses, "goal") {
        let [_, value @ Term::Function(name, args)] = clause.head.args.as_slice() else {
            continue;
        };
        if !args.is_empty() || !is_goal_value(name.as_str()) {
            let message = format!("goal value `{value}` is not a whole number from 0 to 100");
            let error = Diagnostic::error(codes::GOAL_VALUE, clause.head.span, message);
            diagnostics.push(error.in_rule(clause.span).hint("100 is a win, 0 is a loss"));
        }
    }
}

fn is_goal_value(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit()) && text.parse::<u8>().is_ok_and(|value| value <= 100)
}

fn is_random(role: &Term) -> bool {
    *role == Term::constant("random")
}

fn only_random(roles: &[Role], diagnostics: &mut Vec<Diagnostic>) {
    if let [role] = roles
        && is_random(role.term)
    {
        let message = "`random` is the only role, so no player has a value";
        let warning = Diagnostic::warning(codes::ONLY_RANDOM, role.clause.head.span, message);
        diagnostics.push(
            warning
                .in_rule(role.clause.span)
                .hint("declare a role that wants to win"),
        );
    }
}

fn roles_without(clauses: &[Clause], roles: &[Role], diagnostics: &mut Vec<Diagnostic>) {
    for role in roles {
        if !applies_to(clauses, "legal", role.term) {
            let message = format!("no `legal` applies to role `{}`", role.term);
            let hint = "a role needs a legal move in every position that is not terminal; add `legal`, even if only for a `noop`";
            diagnostics.push(role_warning(codes::NO_LEGAL, role, message, hint));
        }
        if !is_random(role.term) && !applies_to(clauses, "goal", role.term) {
            let message = format!("no `goal` applies to role `{}`", role.term);
            let hint = format!(
                "it never wins; add `(goal {} 100)` with its conditions",
                role.term
            );
            diagnostics.push(role_warning(codes::NO_GOAL, role, message, hint));
        }
    }
}

fn role_warning(code: &'static str, role: &Role, message: String, hint: impl Into<String>) -> Diagnostic {
    let warning = Diagnostic::warning(code, role.clause.head.span, message);
    warning.in_rule(role.clause.span).hint(hint)
}

fn applies_to(clauses: &[Clause], name: &str, role: &Term) -> bool {
    heads(clauses, name).any(|clause| {
        clause
            .head
            .args
            .first()
            .is_some_and(|arg| may_be_equal(arg, role))
    })
}

/// One warning for each name and clause.
fn unknown_roles(clauses: &[Clause], roles: &[Role], diagnostics: &mut Vec<Diagnostic>) {
    for clause in clauses {
        let mut reported: Vec<&Term> = Vec::new();
        for atom in atoms(clause) {
            if let Some(unknown) = unknown_role(atom, roles)
                && !reported.contains(&unknown)
            {
                reported.push(unknown);
                diagnostics.push(unknown_role_warning(atom, unknown, roles, clause.span));
            }
        }
    }
}

fn unknown_role<'a>(atom: &'a Atom, roles: &[Role]) -> Option<&'a Term> {
    if !["legal", "goal", "input", "does"].contains(&atom.predicate.as_str()) {
        return None;
    }
    // Another number of arguments is reported as such.
    let [role, _] = atom.args.as_slice() else {
        return None;
    };
    (!roles.iter().any(|known| may_be_equal(known.term, role))).then_some(role)
}

fn unknown_role_warning(atom: &Atom, unknown: &Term, roles: &[Role], rule: Span) -> Diagnostic {
    let message = format!("`{unknown}` in `{}` is not a declared role", atom.predicate);
    let names: Vec<String> = roles.iter().map(|role| role.term.to_string()).collect();
    let hint = match closest(&unknown.to_string(), names.iter().map(String::as_str)) {
        Some(name) => format!("did you mean `{name}`?"),
        None => format!("the roles are {}", names.join(", ")),
    };
    Diagnostic::warning(codes::UNKNOWN_ROLE, atom.span, message)
        .in_rule(rule)
        .hint(hint)
}
