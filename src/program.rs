//! [`Program`]: a checked description as a logic program.
//!
//! Only [`crate::check`] makes one. What it guarantees, everything after it relies on:
//!
//! 1. Keywords are used as GDL prescribes (`role` only in facts without variables, `true` and `does`
//!    only in bodies, …), with their arities.
//! 2. Bodies are conjunctions of [`Literal`]s: `or` is expanded, `not` stands before atoms only.
//! 3. Rules are safe *as ordered*: a variable of a negative literal or of `distinct` occurs in an
//!    earlier positive literal, and a variable of the head in some positive literal.
//! 4. `init`, `base` and `input` depend neither on `true` nor on `does`; `legal`, `goal` and `terminal`
//!    do not depend on `does`.
//! 5. There is at least one role, and no role is listed twice.
//! 6. A `goal` value written in a head is a whole number from 0 to 100, or a variable.
//! 7. No rule stands twice, not even with other names for its variables, and no rule has a body that
//!    contradicts itself (an atom with its negation, or `distinct` between equal terms).
//! 8. A relation that is used need not have a rule: it is then always false.
//! 9. A rule has at most 256 positive literals.

use crate::source::{Source, Span};
use crate::term::{Symbol, Term};
use std::fmt;
use std::sync::Arc;

/// A checked game description.
#[derive(Clone, Debug)]
pub struct Program {
    pub(crate) source: Arc<Source>,
    pub(crate) roles: Vec<Term>,
    pub(crate) rules: Vec<Rule>,
}

impl Program {
    /// The text it came from.
    pub fn source(&self) -> &Arc<Source> {
        &self.source
    }

    /// The roles in the order of their declaration; `random` is one of them if declared.
    pub fn roles(&self) -> &[Term] {
        &self.roles
    }

    /// Facts and rules in the order of the text; a rule with `or` gives several, next to each other.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }
}

/// `head` holds if every literal of `body` does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The head; never `true`, `does` or `distinct`.
    pub head: Atom,
    /// The body, ordered so that guarantee 3 holds.
    pub body: Vec<Literal>,
    /// The clause of the text that it comes from.
    pub span: Span,
}

/// A predicate applied to terms.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Atom {
    /// Which relation.
    pub predicate: Predicate,
    /// Its arguments.
    pub args: Vec<Term>,
}

/// A relation of the description: one of GDL's keywords, or one that the author defined.
/// Author-defined relations of one name but different arity are different relations.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Predicate {
    /// `role(R)`.
    Role,
    /// `base(F)`.
    Base,
    /// `input(R, M)`.
    Input,
    /// `init(F)`.
    Init,
    /// `true(F)`.
    True,
    /// `does(R, M)`.
    Does,
    /// `next(F)`.
    Next,
    /// `legal(R, M)`.
    Legal,
    /// `goal(R, V)`.
    Goal,
    /// `terminal`.
    Terminal,
    /// Any other name, with its arity.
    Defined(Symbol, usize),
}

impl Predicate {
    /// The keywords with their arities.
    pub const KEYWORDS: [(&'static str, Predicate, usize); 10] = [
        ("role", Predicate::Role, 1),
        ("base", Predicate::Base, 1),
        ("input", Predicate::Input, 2),
        ("init", Predicate::Init, 1),
        ("true", Predicate::True, 1),
        ("does", Predicate::Does, 2),
        ("next", Predicate::Next, 1),
        ("legal", Predicate::Legal, 2),
        ("goal", Predicate::Goal, 2),
        ("terminal", Predicate::Terminal, 0),
    ];

    /// The keyword of this name with its arity, if it is one.
    pub fn keyword(name: &str) -> Option<(Predicate, usize)> {
        let found = Predicate::KEYWORDS
            .iter()
            .find(|(keyword, _, _)| *keyword == name);
        found.map(|(_, predicate, arity)| (predicate.clone(), *arity))
    }

    /// The name as it is written.
    pub fn name(&self) -> &str {
        match self {
            Predicate::Defined(name, _) => name.as_str(),
            keyword => Predicate::KEYWORDS
                .iter()
                .find(|(_, p, _)| p == keyword)
                .map_or("", |(name, _, _)| name),
        }
    }
}

/// A literal of a rule's body.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Literal {
    /// The atom holds.
    Positive(Atom),
    /// The atom does not hold.
    Negative(Atom),
    /// The two terms are different.
    Distinct(Term, Term),
}

/// KIF notation.
impl fmt::Display for Atom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.args.is_empty() {
            return f.write_str(self.predicate.name());
        }
        write!(f, "({}", self.predicate.name())?;
        self.args.iter().try_for_each(|arg| write!(f, " {arg}"))?;
        f.write_str(")")
    }
}

/// KIF notation.
impl fmt::Display for Literal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Literal::Positive(atom) => write!(f, "{atom}"),
            Literal::Negative(atom) => write!(f, "(not {atom})"),
            Literal::Distinct(a, b) => write!(f, "(distinct {a} {b})"),
        }
    }
}

/// KIF notation.
impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.body.is_empty() {
            return write!(f, "{}", self.head);
        }
        write!(f, "(<= {}", self.head)?;
        self.body.iter().try_for_each(|literal| write!(f, " {literal}"))?;
        f.write_str(")")
    }
}
