//! [`Program`] → [`GroundProgram`]: the rules without variables.
//!
//! 1. `compile` turns variables into slots and literals into views of relations.
//! 2. `evaluate` finds all instances of rules over the facts that are possible in some state
//!    (semi-naive, with indexes and a join order per rule), and decides on the spot what depends
//!    neither on `true` nor on `does`.
//! 3. `simplify` decides on ground atoms what can be decided without a state, refuses negation through
//!    a cycle, and drops rules that can never fire.
//! 4. `assemble` numbers what remains in the order of evaluation.

mod assemble;
mod atoms;
mod compile;
mod components;
mod coverage;
mod evaluate;
mod inputs;
mod plan;
mod print;
mod program;
mod reachable;
mod rules;
mod simplify;
mod terms;
mod view;

pub use atoms::AtomId;
pub use evaluate::RuleCost;
pub use program::{AtomMeaning, Component, FluentId, GroundMove, GroundProgram, MoveId, RoleId};
pub use rules::RuleRef;
pub use terms::{TermId, TermStore};

use crate::diagnostic::{self, Diagnostic};
use crate::program::Program;
use crate::source::Span;
use assemble::Assembly;
use atoms::{AtomId as WorkAtom, AtomTable};
use evaluate::{Evaluation, StopReason, Stopped};
use rules::RuleSet;
use simplify::Unstratified;
use std::fmt;
use std::time::Instant;

/// How far grounding may go.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Ground rules and atoms together.
    pub max_rules: usize,
    /// Nesting of terms: a deeper one is taken for a sign of endless recursion.
    pub max_term_depth: u32,
    /// When to give up.
    pub deadline: Option<Instant>,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            max_rules: 20_000_000,
            max_term_depth: 256,
            deadline: None,
        }
    }
}

impl Limits {
    fn is_over(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}

/// A limit that was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// [`Limits::max_rules`].
    Rules,
    /// [`Limits::deadline`].
    Time,
}

/// A ground program and what was noticed on the way.
pub struct Grounded {
    /// The program.
    pub program: GroundProgram,
    /// Warnings.
    pub diagnostics: Vec<Diagnostic>,
    /// Cost of each rule of the checked program, in its order.
    pub costs: Vec<RuleCost>,
}

/// Why there is no ground program.
#[derive(Debug)]
pub enum GroundError {
    /// The description has no meaning; the diagnostics say why.
    Rejected(Vec<Diagnostic>),
    /// A limit was reached.
    Limit(LimitReached),
}

/// Which limit was reached, and by which rule.
#[derive(Debug)]
pub struct LimitReached {
    /// Which one.
    pub limit: Limit,
    /// The rule that had the most instances by then.
    pub rule: Span,
    /// How many it had.
    pub instances: u64,
    /// A sentence about it.
    pub message: String,
}

impl fmt::Display for GroundError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GroundError::Rejected(diagnostics) => {
                let first = diagnostics
                    .first()
                    .map_or("the description was refused", |d| d.message.as_str());
                f.write_str(first)
            }
            GroundError::Limit(reached) => f.write_str(&reached.message),
        }
    }
}

impl std::error::Error for GroundError {}

/// Grounds a program.
pub fn ground(program: &Program, limits: &Limits) -> Result<Grounded, GroundError> {
    let mut terms = TermStore::new();
    let compiled = compile::compile(program, &mut terms);
    let mut evaluation = Evaluation {
        terms,
        compiled,
        atoms: AtomTable::new(),
        rules: RuleSet::default(),
        costs: vec![RuleCost::default(); program.rules().len()],
    };
    evaluate::evaluate(&mut evaluation, limits)
        .map_err(|stopped| stop_error(program, &evaluation, stopped))?;
    let Evaluation {
        mut terms,
        compiled,
        atoms,
        rules,
        costs,
    } = evaluation;
    let simplified = simplify::simplify(&atoms, &rules, compiled.keywords)
        .map_err(|cycle| unstratified(program, &terms, &compiled, &atoms, &rules, cycle))?;
    let roles = program
        .roles()
        .iter()
        .filter_map(|role| terms.intern_term(role))
        .collect();
    let judged = coverage::Judged {
        program,
        terms: &terms,
        atoms: &atoms,
        simplified: &simplified,
        keywords: compiled.keywords,
    };
    let mut diagnostics = judged.diagnostics();
    diagnostic::sort(&mut diagnostics);
    if diagnostic::any_error(&diagnostics) {
        return Err(GroundError::Rejected(diagnostics));
    }
    let spans = program.rules().iter().map(|rule| rule.span).collect();
    let assembly = Assembly {
        terms,
        compiled: &compiled,
        atoms: &atoms,
        simplified: &simplified,
        roles,
    };
    Ok(Grounded {
        program: assembly.assemble(program.source().clone(), spans),
        diagnostics,
        costs,
    })
}

fn stop_error(program: &Program, evaluation: &Evaluation, stopped: Stopped) -> GroundError {
    let rule = &program.rules()[stopped.rule as usize];
    match stopped.why {
        StopReason::Growing(term) => GroundError::Rejected(vec![
            Diagnostic::error(
                "endless-recursion",
                rule.span,
                format!("the rule makes ever larger terms: {}", abbreviated(&evaluation.terms, term)),
            )
            .in_rule(rule.span)
            .hint("bind the growing variable by a literal that is not part of the recursion, such as a successor table"),
        ]),
        StopReason::Limit(limit) => GroundError::Limit(limit_reached(program, evaluation, limit)),
    }
}

fn limit_reached(program: &Program, evaluation: &Evaluation, limit: Limit) -> LimitReached {
    let most = (0..evaluation.costs.len())
        .max_by_key(|&rule| evaluation.costs[rule].instances)
        .unwrap_or(0);
    let instances = evaluation.costs[most].instances;
    let rule = program.rules()[most].span;
    let position = program.source().position(rule.start);
    let what = match limit {
        Limit::Rules => format!(
            "{} ground rules and atoms",
            evaluation.rules.len() + evaluation.atoms.len()
        ),
        Limit::Time => "the time limit was reached".to_string(),
    };
    let message = format!(
        "grounding stopped: {what}; the rule at {}:{}:{} alone has {instances} instances",
        program.source().name(),
        position.line,
        position.column,
    );
    LimitReached {
        limit,
        rule,
        instances,
        message,
    }
}

fn unstratified(
    program: &Program,
    terms: &TermStore,
    compiled: &compile::Compiled,
    atoms: &AtomTable,
    rules: &RuleSet,
    found: Unstratified,
) -> GroundError {
    let display = |atom: &WorkAtom| {
        let name = compiled.relations[atoms.relation(*atom).0 as usize]
            .predicate
            .name();
        let args: String = atoms
            .args(*atom)
            .iter()
            .map(|&arg| format!(" {}", terms.display(arg)))
            .collect();
        if args.is_empty() {
            name.to_string()
        } else {
            format!("({name}{args})")
        }
    };
    let mut cycle: Vec<_> = found.cycle.iter().map(display).collect();
    cycle.extend(cycle.first().cloned());
    let rule = &program.rules()[rules.source(found.rule) as usize];
    GroundError::Rejected(vec![
        Diagnostic::error(
            "unstratified",
            rule.span,
            format!("{} depends on its own negation: {}", cycle[0], cycle.join(" -> ")),
        )
        .in_rule(rule.span)
        .hint("an atom must not depend on its own negation, even through other atoms: break the cycle"),
    ])
}

/// A term's text, cut in the middle if it is long.
fn abbreviated(terms: &TermStore, term: TermId) -> String {
    let text: Vec<char> = terms.display(term).to_string().chars().collect();
    if text.len() <= 60 {
        return text.into_iter().collect();
    }
    let (start, end): (String, String) = (
        text[..40].iter().collect(),
        text[text.len() - 10..].iter().collect(),
    );
    format!("{start} … {end}")
}
