//! What both readers share: making atoms, formulas and clauses, and refusing what cannot be one.
//!
//! Functions return `None` after having reported why.

use super::MAX_DEPTH;
use super::characters::{clip, is_number};
use super::description::{Atom, Clause, Formula};
use super::names::Names;
use super::reports::{Mark, Reports};
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::term::{Symbol, Term};

/// Words that are part of the syntax where a predicate could stand.
const RESERVED: [&str; 5] = ["<=", "and", "or", "not", "distinct"];

/// Clauses and diagnostics as they come.
#[derive(Default)]
pub(super) struct Builder {
    /// What was noticed.
    pub reports: Reports,
    names: Names,
    clauses: Vec<Clause>,
    clause_begin: Mark,
    /// Comment lines after the last clause.
    pub trailing_comments: Vec<String>,
}

/// A name or variable as it is written.
#[derive(Clone, Copy)]
pub(super) struct Word<'t> {
    /// Without `?` or quotes.
    pub text: &'t str,
    /// With them.
    pub span: Span,
}

/// The two connectives of several formulas.
#[derive(Clone, Copy)]
pub(super) enum Junction {
    And,
    Or,
}

impl Builder {
    /// A clause begins.
    pub fn begin_clause(&mut self) {
        self.names.begin_clause();
        self.clause_begin = self.reports.mark();
    }

    /// The clause over `span` ends; it is kept if all its parts could be read.
    pub fn end_clause(&mut self, span: Span, parts: Option<(Atom, Vec<Formula>)>, comments: Vec<String>) {
        if let Some((head, body)) = parts {
            let depth = body.iter().map(formula_depth).fold(atom_depth(&head), usize::max);
            if depth > MAX_DEPTH {
                self.reports.add(nested_too_deep(span));
            }
            self.clauses.push(Clause {
                head,
                body,
                comments,
                span,
            });
        }
        self.reports.place_in_rule(self.clause_begin, span);
    }

    /// The variable `word`.
    pub fn variable(&mut self, word: Word) -> Term {
        Term::Variable(self.names.variable(word.text, word.span, &mut self.reports))
    }

    /// The symbol `word`.
    pub fn symbol(&mut self, word: Word) -> Symbol {
        self.names.symbol(word.text, word.span, &mut self.reports)
    }

    /// The atom over `span` whose predicate stands at `name_span`.
    pub fn atom(&mut self, predicate: Symbol, args: Vec<Term>, name_span: Span, span: Span) -> Option<Atom> {
        let name = predicate.as_str();
        if is_number(name) {
            let message = format!("the number `{}` cannot be a predicate", clip(name));
            let hint = "a fact or condition begins with a name, as in `role` or `true`";
            self.reports
                .add(Diagnostic::error("number-as-predicate", name_span, message).hint(hint));
            return None;
        }
        if RESERVED.contains(&name) {
            let message = format!("`{name}` cannot be a predicate here");
            let hint =
                "`<=`, `and`, `or`, `not` and `distinct` have a fixed meaning and stand in rule bodies only";
            self.reports
                .add(Diagnostic::error("reserved-word", name_span, message).hint(hint));
            return None;
        }
        Some(Atom {
            predicate,
            args,
            span,
        })
    }

    /// `distinct` of the arguments.
    pub fn distinct(&mut self, args: Vec<Term>, span: Span) -> Option<Formula> {
        match <[Term; 2]>::try_from(args) {
            Ok([left, right]) => Some(Formula::Distinct(left, right, span)),
            Err(args) => self.arity("distinct", "exactly two arguments", args.len(), span),
        }
    }

    /// `not` of the arguments.
    pub fn not(&mut self, args: Vec<Formula>, span: Span) -> Option<Formula> {
        match <[Formula; 1]>::try_from(args) {
            Ok([formula]) => Some(Formula::Not(Box::new(formula), span)),
            Err(args) => self.arity("not", "exactly one argument", args.len(), span),
        }
    }

    /// The junction of the formulas; of one formula it is that formula.
    pub fn junction(&mut self, junction: Junction, mut args: Vec<Formula>, span: Span) -> Option<Formula> {
        match (args.len(), junction) {
            (1, _) => args.pop(),
            (0, Junction::And) => self.arity("and", "at least one argument", 0, span),
            (0, Junction::Or) => self.arity("or", "at least one argument", 0, span),
            (_, Junction::And) => Some(Formula::And(args, span)),
            (_, Junction::Or) => Some(Formula::Or(args, span)),
        }
    }

    fn arity<T>(&mut self, name: &str, wanted: &str, found: usize, span: Span) -> Option<T> {
        let message = format!("`{name}` takes {wanted}, not {found}");
        let hint = match name {
            "not" => "to negate a conjunction, write `(not (and a b))` or `not (a, b)`",
            "distinct" => "write `(distinct ?x ?y)` or `distinct(X,Y)`",
            _ => "add a condition, or delete it",
        };
        self.reports
            .add(Diagnostic::error("arity", span, message).hint(hint));
        None
    }

    /// Warns that empty parentheses after or around `name` are ignored.
    pub fn nullary_parentheses(&mut self, written: &str, name: &str, span: Span) {
        let message = format!("`{}` is read as `{}`", clip(written), clip(name));
        let hint = "a name without arguments is written without parentheses";
        self.reports
            .add(Diagnostic::warning("nullary-parentheses", span, message).hint(hint));
    }

    /// Refuses a variable where a predicate or function must stand.
    pub fn variable_as<T>(&mut self, what: VariableAs, variable: &str, span: Span) -> Option<T> {
        let (code, noun) = match what {
            VariableAs::Predicate => ("variable-as-predicate", "predicate"),
            VariableAs::Function => ("variable-as-function", "function"),
        };
        let message = format!("the variable `{}` cannot be a {noun}", clip(variable));
        let hint = format!("GDL is first-order: name the {noun}");
        self.reports
            .add(Diagnostic::error(code, span, message).hint(hint));
        None
    }

    /// Everything that was read.
    pub fn finish(mut self) -> (Vec<Clause>, Vec<String>, Vec<Diagnostic>) {
        if self.clauses.is_empty() && self.reports.has_no_error() {
            let message = "the text has no rules or facts";
            let hint = "a description has at least `role`, `legal`, `next`, `terminal` and `goal`";
            self.reports
                .add(Diagnostic::global_error("empty", message).hint(hint));
        }
        (self.clauses, self.trailing_comments, self.reports.finish())
    }
}

/// Where a variable must not stand.
#[derive(Clone, Copy)]
pub(super) enum VariableAs {
    Predicate,
    Function,
}

/// The error for what is nested beyond [`MAX_DEPTH`].
pub(super) fn nested_too_deep(span: Span) -> Diagnostic {
    Diagnostic::error(
        "nested-too-deep",
        span,
        format!("this is nested deeper than {MAX_DEPTH} levels"),
    )
    .hint("name inner parts by predicates of their own")
}

fn atom_depth(atom: &Atom) -> usize {
    application_depth(&atom.args)
}

fn application_depth(args: &[Term]) -> usize {
    args.iter().map(|arg| 1 + term_depth(arg)).max().unwrap_or(0)
}

fn term_depth(term: &Term) -> usize {
    match term {
        Term::Variable(_) => 0,
        Term::Function(_, args) => application_depth(args),
    }
}

fn formula_depth(formula: &Formula) -> usize {
    match formula {
        Formula::Atom(atom) => atom_depth(atom),
        Formula::Distinct(left, right, _) => 1 + term_depth(left).max(term_depth(right)),
        Formula::Not(inner, _) => 1 + formula_depth(inner),
        Formula::And(parts, _) | Formula::Or(parts, _) => {
            1 + parts.iter().map(formula_depth).max().unwrap_or(0)
        }
    }
}
