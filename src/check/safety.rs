//! Every variable is bound by a positive literal, and before it is needed.
//!
//! The order of a body has no meaning in GDL, so a negation or `distinct` that comes too early simply
//! moves behind the literal that binds its last variable.

use super::codes;
use super::contradiction::{Draft, Placed, positive};
use super::walk::may_be_equal;
use crate::diagnostic::Diagnostic;
use crate::program::{Atom, Literal, Predicate, Rule};
use crate::source::Span;
use crate::syntax::Clause;
use crate::term::{Symbol, Term};
use std::collections::HashSet;

/// Makes the drafts of one clause safe, as far as they are or have one sensible reading.
pub(super) struct Safety<'a> {
    clause: &'a Clause,
    /// Heads of the `input` facts and rules.
    inputs: &'a [&'a [Term]],
    reported: HashSet<Symbol>,
}

/// A variable that no positive literal binds.
struct Unbound<'a> {
    name: &'a Symbol,
    /// The place in the body that needs it; `None` if only the head does.
    needed_at: Option<Span>,
}

impl<'a> Safety<'a> {
    /// For the drafts of `clause`.
    pub fn new(clause: &'a Clause, inputs: &'a [&'a [Term]]) -> Safety<'a> {
        Safety {
            clause,
            inputs,
            reported: HashSet::new(),
        }
    }

    /// The safe rule, or `None` if the draft has no meaning.
    pub fn rule(&mut self, mut draft: Draft, diagnostics: &mut Vec<Diagnostic>) -> Option<Rule> {
        let unbound = unbound(&draft);
        if !unbound.is_empty() {
            match self.reading(&draft, &unbound) {
                Reading::OverInputs => {
                    diagnostics.push(self.legal_variable(&unbound));
                    draft.body.push(self.input_literal(&draft.head));
                }
                Reading::Useless => {
                    diagnostics.push(self.useless(&unbound));
                    return None;
                }
                Reading::Unsafe => {
                    self.report_unsafe(&unbound, diagnostics);
                    return None;
                }
            }
        }
        let (body, moved) = ordered(draft.body);
        diagnostics.extend(moved.map(|moved| self.reordered(&moved)));
        Some(Rule {
            head: draft.head,
            body,
            span: self.clause.span,
        })
    }

    fn reading(&self, draft: &Draft, unbound: &[Unbound]) -> Reading {
        let only_in_head = unbound.iter().all(|variable| variable.needed_at.is_none());
        match draft.head.predicate {
            Predicate::Legal if only_in_head && self.some_input_matches(&draft.head) => Reading::OverInputs,
            Predicate::Base | Predicate::Input if only_in_head => Reading::Useless,
            _ => Reading::Unsafe,
        }
    }

    fn some_input_matches(&self, head: &Atom) -> bool {
        let matches = |input: &&[Term]| input.iter().zip(&head.args).all(|(a, b)| may_be_equal(a, b));
        self.inputs.iter().any(matches)
    }

    fn input_literal(&self, head: &Atom) -> Placed {
        let atom = Atom {
            predicate: Predicate::Input,
            args: head.args.clone(),
        };
        Placed {
            literal: Literal::Positive(atom),
            span: self.clause.head.span,
        }
    }

    fn legal_variable(&self, unbound: &[Unbound]) -> Diagnostic {
        let message = format!("{} only in the head of this `legal` rule", stands(unbound));
        let hint = "read as: every such move that `input` declares";
        self.warning(codes::LEGAL_VARIABLE, self.clause.head.span, message, hint)
    }

    fn useless(&self, unbound: &[Unbound]) -> Diagnostic {
        let message = format!(
            "{} only in the head of this `{}`",
            stands(unbound),
            self.clause.head.predicate
        );
        let hint = "it is ignored, because it names no values; bind the variable in a body";
        self.warning(codes::USELESS_BASE_RULE, self.clause.head.span, message, hint)
    }

    fn reordered(&self, moved: &Moved) -> Diagnostic {
        let message = format!(
            "the negation of `{}` stands before the literal that binds `?{}`",
            moved.predicate.name(),
            moved.variable
        );
        let hint = "it is read after that literal; the order of a body has no meaning in GDL";
        self.warning(codes::REORDERED, moved.span, message, hint)
    }

    fn warning(&self, code: &'static str, span: Span, message: String, hint: &str) -> Diagnostic {
        Diagnostic::warning(code, span, message)
            .in_rule(self.clause.span)
            .hint(hint)
    }

    fn report_unsafe(&mut self, unbound: &[Unbound], diagnostics: &mut Vec<Diagnostic>) {
        for variable in unbound {
            if !self.reported.insert(variable.name.clone()) {
                continue;
            }
            let span = variable.needed_at.unwrap_or(self.clause.head.span);
            let message = format!("variable `?{}` is bound by no positive literal", variable.name);
            let hint = format!(
                "add a literal that says which values `?{}` can have (with `or`: in every alternative)",
                variable.name
            );
            let error = Diagnostic::error(codes::UNSAFE_VARIABLE, span, message);
            diagnostics.push(error.in_rule(self.clause.span).hint(hint));
        }
    }
}

/// What to make of unbound variables.
enum Reading {
    /// They range over the moves that `input` declares.
    OverInputs,
    /// The rule says nothing.
    Useless,
    /// There is no sensible reading.
    Unsafe,
}

/// `variable ?x stands`, `variables ?x and ?y stand`.
fn stands(unbound: &[Unbound]) -> String {
    let names: Vec<String> = unbound
        .iter()
        .map(|variable| format!("`?{}`", variable.name))
        .collect();
    match names.as_slice() {
        [name] => format!("variable {name} stands"),
        names => format!("variables {} stand", names.join(" and ")),
    }
}

fn unbound(draft: &Draft) -> Vec<Unbound<'_>> {
    let mut known: HashSet<&Symbol> = HashSet::new();
    for atom in draft.body.iter().filter_map(|part| positive(&part.literal)) {
        atom.args.iter().for_each(|arg| {
            arg.for_each_variable(&mut |name| {
                known.insert(name);
            })
        });
    }
    let mut unbound = Vec::new();
    for part in &draft.body {
        for name in variables(&part.literal) {
            if known.insert(name) {
                unbound.push(Unbound {
                    name,
                    needed_at: Some(part.span),
                });
            }
        }
    }
    for name in draft.head.args.iter().flat_map(term_variables) {
        if known.insert(name) {
            unbound.push(Unbound {
                name,
                needed_at: None,
            });
        }
    }
    unbound
}

fn term_variables(term: &Term) -> Vec<&Symbol> {
    let mut variables = Vec::new();
    term.for_each_variable(&mut |name| variables.push(name));
    variables
}

fn variables(literal: &Literal) -> Vec<&Symbol> {
    match literal {
        Literal::Positive(atom) | Literal::Negative(atom) => {
            atom.args.iter().flat_map(term_variables).collect()
        }
        Literal::Distinct(a, b) => [a, b].into_iter().flat_map(term_variables).collect(),
    }
}

/// A negation that stood too early.
struct Moved {
    predicate: Predicate,
    variable: Symbol,
    span: Span,
}

/// The body with every negation and `distinct` behind the literals that bind its variables, otherwise
/// in the old order; and the first negation that had to move. A `distinct` moves without a word: many
/// authors put it first, and nobody misreads it.
fn ordered(body: Vec<Placed>) -> (Vec<Literal>, Option<Moved>) {
    let mut bound: HashSet<Symbol> = HashSet::new();
    let mut ordered = Vec::with_capacity(body.len());
    let mut waiting: Vec<Literal> = Vec::new();
    let mut moved = None;
    for Placed { literal, span } in body {
        if positive(&literal).is_some() {
            bound.extend(variables(&literal).into_iter().cloned());
            ordered.push(literal);
            ordered.extend(waiting.extract_if(.., |literal| missing(literal, &bound).is_none()));
        } else if let Some(variable) = missing(&literal, &bound) {
            if let (Literal::Negative(atom), None) = (&literal, &moved) {
                let (predicate, variable) = (atom.predicate.clone(), variable.clone());
                moved = Some(Moved {
                    predicate,
                    variable,
                    span,
                });
            }
            waiting.push(literal);
        } else {
            ordered.push(literal);
        }
    }
    (ordered, moved)
}

/// The first variable of the literal that is not bound.
fn missing<'a>(literal: &'a Literal, bound: &HashSet<Symbol>) -> Option<&'a Symbol> {
    variables(literal)
        .into_iter()
        .find(|variable| !bound.contains(*variable))
}
