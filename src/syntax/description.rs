//! The syntax tree.

use crate::source::{Source, Span};
use crate::term::{Symbol, Term};
use std::sync::Arc;

/// The two ways of writing GDL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Syntax {
    /// Prefix: `(<= (next (cell ?x b)) (does ?p (clear ?x)))`.
    Kif,
    /// Infix: `next(cell(X,b)) :- does(P,clear(X)).`
    Infix,
}

/// A parsed game description: its clauses in the order of the text.
#[derive(Clone, Debug)]
pub struct Description {
    /// Where it came from.
    pub source: Arc<Source>,
    /// How it was written.
    pub syntax: Syntax,
    /// The facts and rules, in order.
    pub clauses: Vec<Clause>,
    /// Comment lines after the last clause, without their markers.
    pub trailing_comments: Vec<String>,
}

/// Equal if they say the same in the same order, comments included; places in the text do not count.
impl PartialEq for Description {
    fn eq(&self, other: &Description) -> bool {
        self.clauses == other.clauses && self.trailing_comments == other.trailing_comments
    }
}

/// A fact (empty body) or a rule.
#[derive(Clone, Debug)]
pub struct Clause {
    /// What holds.
    pub head: Atom,
    /// If all of these hold.
    pub body: Vec<Formula>,
    /// Comment lines before (or inside) the clause, without their markers.
    pub comments: Vec<String>,
    /// From the first to the last character, without comments before it.
    pub span: Span,
}

impl PartialEq for Clause {
    fn eq(&self, other: &Clause) -> bool {
        self.head == other.head && self.body == other.body && self.comments == other.comments
    }
}

/// A predicate applied to terms.
#[derive(Clone, Debug)]
pub struct Atom {
    /// The predicate's name; keywords are not told apart yet.
    pub predicate: Symbol,
    /// Its arguments.
    pub args: Vec<Term>,
    /// Its place.
    pub span: Span,
}

impl PartialEq for Atom {
    fn eq(&self, other: &Atom) -> bool {
        self.predicate == other.predicate && self.args == other.args
    }
}

/// A formula in the body of a rule.
#[derive(Clone, Debug)]
pub enum Formula {
    /// An atom.
    Atom(Atom),
    /// The two terms are different.
    Distinct(Term, Term, Span),
    /// Negation.
    Not(Box<Formula>, Span),
    /// Conjunction, only where it is nested: `(and …)`, or a parenthesised infix conjunction.
    And(Vec<Formula>, Span),
    /// Disjunction: `(or …)`, infix `|` or `;`.
    Or(Vec<Formula>, Span),
}

impl Formula {
    /// Its place.
    pub fn span(&self) -> Span {
        match self {
            Formula::Atom(atom) => atom.span,
            Formula::Distinct(_, _, span)
            | Formula::Not(_, span)
            | Formula::And(_, span)
            | Formula::Or(_, span) => *span,
        }
    }
}

impl PartialEq for Formula {
    fn eq(&self, other: &Formula) -> bool {
        match (self, other) {
            (Formula::Atom(a), Formula::Atom(b)) => a == b,
            (Formula::Distinct(a, b, _), Formula::Distinct(c, d, _)) => a == c && b == d,
            (Formula::Not(a, _), Formula::Not(b, _)) => a == b,
            (Formula::And(a, _), Formula::And(b, _)) | (Formula::Or(a, _), Formula::Or(b, _)) => a == b,
            _ => false,
        }
    }
}
