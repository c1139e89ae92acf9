//! From clauses to rules, one clause at a time.

use super::codes;
use super::contradiction::{Contradiction, Draft, Origin, simplify};
use super::duplicates::Known;
use super::normal::{MAX_ALTERNATIVES, alternatives, atom};
use super::safety::Safety;
use super::walk::body_atoms;
use crate::diagnostic::Diagnostic;
use crate::program::{Literal, Rule};
use crate::source::Source;
use crate::syntax::Clause;
use crate::term::{Symbol, Term};
use std::collections::HashSet;

/// Most positive literals of a rule. Real games stay below twenty; whoever joins them may recurse over
/// them, and look at all pairs.
const MAX_CONDITIONS: usize = 256;

/// The rules of all clauses.
pub(super) fn rules(source: &Source, clauses: &[&Clause], diagnostics: &mut Vec<Diagnostic>) -> Vec<Rule> {
    let inputs = inputs(clauses);
    let mut known = Known::default();
    let mut rules = Vec::new();
    for clause in clauses {
        let drafts = drafts(clause, diagnostics);
        let mut safety = Safety::new(clause, &inputs);
        let safe: Vec<Rule> = drafts
            .into_iter()
            .filter_map(|draft| safety.rule(draft, diagnostics))
            .collect();
        if safe.iter().any(is_too_long) {
            diagnostics.push(rule_too_long(clause));
            continue;
        }
        rules.extend(new_rules(safe, source, clause, &mut known, diagnostics));
    }
    rules
}

/// The arguments of the `input` heads that name values: each variable occurs in the body too.
fn inputs<'a>(clauses: &[&'a Clause]) -> Vec<&'a [Term]> {
    let inputs = clauses
        .iter()
        .filter(|clause| clause.head.predicate.as_str() == "input");
    inputs
        .filter(|clause| head_is_bound(clause))
        .map(|clause| clause.head.args.as_slice())
        .collect()
}

fn head_is_bound(clause: &Clause) -> bool {
    let mut bound: HashSet<&Symbol> = HashSet::new();
    for arg in body_atoms(clause).into_iter().flat_map(|atom| &atom.args) {
        arg.for_each_variable(&mut |name| {
            bound.insert(name);
        });
    }
    let mut all = true;
    clause
        .head
        .args
        .iter()
        .for_each(|arg| arg.for_each_variable(&mut |name| all &= bound.contains(name)));
    all
}

/// The alternatives of the clause that can hold.
fn drafts(clause: &Clause, diagnostics: &mut Vec<Diagnostic>) -> Vec<Draft> {
    let Ok(alternatives) = alternatives(&clause.body) else {
        diagnostics.push(or_explosion(clause));
        return Vec::new();
    };
    let head = atom(&clause.head);
    let mut drafts = Vec::new();
    let mut contradictions = Vec::new();
    for parts in alternatives {
        match simplify(&head, parts) {
            Ok(Ok(draft)) => drafts.push(draft),
            Ok(Err(contradiction)) => contradictions.push(contradiction),
            Err(_) => {
                diagnostics.push(equality_explosion(clause));
                return Vec::new();
            }
        }
    }
    if drafts.is_empty() && contradictions.is_empty() {
        diagnostics.push(no_alternative(clause));
    }
    let all = drafts.is_empty();
    let reported = contradictions
        .into_iter()
        .filter(|why| all || why.origin == Origin::Literal);
    diagnostics.extend(reported.map(|why| never_fires(clause, why)));
    drafts
}

fn or_explosion(clause: &Clause) -> Diagnostic {
    let message = format!(
        "the disjunctions in this rule for `{}` multiply too much",
        clause.head.predicate
    );
    let hint =
        format!("a rule may stand for {MAX_ALTERNATIVES} rules without `or`; give the disjunctions names");
    Diagnostic::error(codes::OR_EXPLOSION, clause.span, message)
        .in_rule(clause.span)
        .hint(hint)
}

fn is_too_long(rule: &Rule) -> bool {
    let conditions = rule.body.iter();
    let positive = conditions.filter(|literal| matches!(literal, Literal::Positive(_)));
    positive.count() > MAX_CONDITIONS
}

fn rule_too_long(clause: &Clause) -> Diagnostic {
    let message = format!(
        "this rule for `{}` has too many conditions",
        clause.head.predicate
    );
    let hint = format!("a rule may have {MAX_CONDITIONS} that are not negated; give some of them a name");
    Diagnostic::error(codes::RULE_TOO_LONG, clause.span, message)
        .in_rule(clause.span)
        .hint(hint)
}

fn equality_explosion(clause: &Clause) -> Diagnostic {
    let message = format!(
        "the equalities in this rule for `{}` build a huge term",
        clause.head.predicate
    );
    let hint = "use fewer `not distinct` between terms with variables";
    Diagnostic::error(codes::EQUALITY_EXPLOSION, clause.span, message)
        .in_rule(clause.span)
        .hint(hint)
}

fn never_fires(clause: &Clause, why: Contradiction) -> Diagnostic {
    let hint = "the rule, or this alternative of it, is ignored";
    Diagnostic::warning(codes::NEVER_FIRES, why.span, why.message)
        .in_rule(clause.span)
        .hint(hint)
}

fn no_alternative(clause: &Clause) -> Diagnostic {
    let message = "an `or` without alternatives never holds";
    let warning = Diagnostic::warning(codes::NEVER_FIRES, clause.span, message);
    warning.in_rule(clause.span).hint("the rule is ignored")
}

/// The rules that are not known yet. Equal alternatives inside one clause need no word.
fn new_rules(
    rules: Vec<Rule>,
    source: &Source,
    clause: &Clause,
    known: &mut Known,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Rule> {
    let mut new = Vec::with_capacity(rules.len());
    let mut original = None;
    for rule in rules {
        match known.insert(&rule) {
            Some(earlier) => original = original.or(Some(earlier)),
            None => new.push(rule),
        }
    }
    // `role-twice` says so already for roles.
    if let Some(original) = original
        && new.is_empty()
        && clause.head.predicate.as_str() != "role"
    {
        let line = source.position(original.start).line;
        let message = format!(
            "this clause for `{}` stands already in line {line}",
            clause.head.predicate
        );
        let warning = Diagnostic::warning(codes::DUPLICATE_RULE, clause.span, message);
        diagnostics.push(warning.in_rule(clause.span).hint("it counts once; remove it"));
    }
    new
}
