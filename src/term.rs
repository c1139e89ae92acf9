//! Symbols and terms, as every stage before grounding uses them.

use std::fmt;
use std::sync::Arc;

/// A name: of a predicate, a function, a constant or a variable. Always lower case, because GDL is
/// case-insensitive. Cheap to clone.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Symbol(Arc<str>);

impl Symbol {
    /// The symbol with this name, folded to lower case.
    pub fn new(name: &str) -> Symbol {
        if name.chars().any(char::is_uppercase) {
            Symbol(name.to_lowercase().into())
        } else {
            Symbol(name.into())
        }
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&*self.0, f)
    }
}

/// A term: a variable, or a function applied to terms. A constant is a function without arguments.
///
/// The parser bounds the nesting of terms, so recursion over a term is safe everywhere.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Term {
    /// A variable, named without its `?`.
    Variable(Symbol),
    /// `name(args…)`, or the constant `name` if there are no arguments.
    Function(Symbol, Vec<Term>),
}

impl Term {
    /// The constant `name`.
    pub fn constant(name: &str) -> Term {
        Term::Function(Symbol::new(name), Vec::new())
    }

    /// Calls `visit` for every occurrence of a variable, left to right.
    pub fn for_each_variable<'a>(&'a self, visit: &mut impl FnMut(&'a Symbol)) {
        match self {
            Term::Variable(name) => visit(name),
            Term::Function(_, args) => args.iter().for_each(|arg| arg.for_each_variable(visit)),
        }
    }

    /// Whether no variable occurs in it.
    pub fn is_ground(&self) -> bool {
        match self {
            Term::Variable(_) => false,
            Term::Function(_, args) => args.iter().all(Term::is_ground),
        }
    }
}

/// KIF notation: `?x`, `a`, `(f ?x a)`.
impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Term::Variable(name) => write!(f, "?{name}"),
            Term::Function(name, args) if args.is_empty() => write!(f, "{name}"),
            Term::Function(name, args) => {
                write!(f, "({name}")?;
                args.iter().try_for_each(|arg| write!(f, " {arg}"))?;
                f.write_str(")")
            }
        }
    }
}
