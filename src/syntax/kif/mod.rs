//! KIF, the prefix syntax: `(<= (next (cell ?x b)) (does ?p (clear ?x)))`.
//!
//! A symbol is any run of characters other than space, parentheses and `;`. All problems of a clause
//! are reported, not only the first.

mod reader;

use super::build::{Builder, Junction, VariableAs, Word};
use super::characters::clip;
use super::description::{Atom, Formula};
use crate::diagnostic::Diagnostic;
use crate::source::{Source, Span};
use crate::term::{Symbol, Term};
use reader::{Expression, Node, Reader};

/// Reads a whole text.
pub(super) fn parse(source: &Source) -> Builder {
    let mut parser = Parser {
        source,
        builder: Builder::default(),
        bare: None,
    };
    let mut reader = Reader::new(source);
    loop {
        parser.builder.begin_clause();
        match reader.next(&mut parser.builder.reports) {
            Expression::Complete(node) => {
                let parts = parser.clause(&node);
                let comments = reader.take_comments(&mut parser.builder.reports);
                parser.builder.end_clause(node.span(), parts, comments);
            }
            Expression::Broken => {}
            Expression::End => break,
        }
    }
    parser.builder.trailing_comments = reader.take_comments(&mut parser.builder.reports);
    parser.builder
}

struct Parser<'s> {
    source: &'s Source,
    builder: Builder,
    /// The last word that stood alone at top level.
    bare: Option<Span>,
}

/// A list's first element and the others.
enum Applied<'n> {
    Name(Symbol, Span, &'n [Node]),
    Variable(Span),
}

impl Parser<'_> {
    fn clause(&mut self, node: &Node) -> Option<(Atom, Vec<Formula>)> {
        match node {
            Node::Word(span) => self.note_bare(*span),
            Node::List(nodes, span) if self.is_rule(nodes) => return self.rule(nodes, *span),
            Node::List(..) => {}
        }
        Some((self.head(node)?, Vec::new()))
    }

    fn is_rule(&self, nodes: &[Node]) -> bool {
        matches!(nodes.first(), Some(Node::Word(span)) if self.source.slice(*span) == "<=")
    }

    fn rule(&mut self, nodes: &[Node], span: Span) -> Option<(Atom, Vec<Formula>)> {
        let [_, head, body @ ..] = nodes else {
            let hint = "write `(<= head condition …)`";
            return self.refuse(Diagnostic::error("missing-head", span, "this rule has no head").hint(hint));
        };
        let head = self.head(head);
        let body = self.formulas(body);
        Some((head?, body?))
    }

    /// A line of prose without its `;` would otherwise silently become facts.
    fn note_bare(&mut self, span: Span) {
        let previous = self.bare.replace(span);
        let Some(previous) = previous else { return };
        let between = self.source.slice(Span {
            start: previous.end,
            end: span.start,
        });
        if between.chars().all(|c| c == ' ' || c == '\t') {
            let word = clip(self.source.slice(span));
            let message = format!("the word `{word}` outside parentheses is read as a fact");
            let hint = "if this line is a comment, begin it with `;`";
            self.builder
                .reports
                .add(Diagnostic::warning("bare-words", span, message).hint(hint));
        }
    }

    fn head(&mut self, node: &Node) -> Option<Atom> {
        match node {
            Node::Word(span) => self.bare_atom(*span),
            Node::List(nodes, span) => match self.applied(nodes, *span)? {
                Applied::Name(name, name_span, args) => self.atom(name, name_span, args, *span),
                Applied::Variable(variable) => self.variable_as(VariableAs::Predicate, variable),
            },
        }
    }

    fn formulas(&mut self, nodes: &[Node]) -> Option<Vec<Formula>> {
        let read: Vec<Option<Formula>> = nodes.iter().map(|node| self.formula(node)).collect();
        read.into_iter().collect()
    }

    fn formula(&mut self, node: &Node) -> Option<Formula> {
        let (nodes, span) = match node {
            Node::Word(span) => return self.bare_atom(*span).map(Formula::Atom),
            Node::List(nodes, span) => (nodes, *span),
        };
        let (name, name_span, args) = match self.applied(nodes, span)? {
            Applied::Name(name, name_span, args) => (name, name_span, args),
            Applied::Variable(variable) => return self.variable_as(VariableAs::Predicate, variable),
        };
        match name.as_str() {
            "not" => {
                let args = self.formulas(args)?;
                self.builder.not(args, span)
            }
            "and" => {
                let args = self.formulas(args)?;
                self.builder.junction(Junction::And, args, span)
            }
            "or" => {
                let args = self.formulas(args)?;
                self.builder.junction(Junction::Or, args, span)
            }
            "distinct" => {
                let args = self.terms(args)?;
                self.builder.distinct(args, span)
            }
            _ => self.atom(name, name_span, args, span).map(Formula::Atom),
        }
    }

    fn atom(&mut self, name: Symbol, name_span: Span, args: &[Node], span: Span) -> Option<Atom> {
        self.note_nullary(name.as_str(), args, span);
        let args = self.terms(args);
        self.builder.atom(name, args?, name_span, span)
    }

    fn bare_atom(&mut self, span: Span) -> Option<Atom> {
        if self.source.slice(span).starts_with('?') {
            return self.variable_as(VariableAs::Predicate, span);
        }
        let name = self.symbol(span);
        self.builder.atom(name, Vec::new(), span, span)
    }

    fn terms(&mut self, nodes: &[Node]) -> Option<Vec<Term>> {
        let read: Vec<Option<Term>> = nodes.iter().map(|node| self.term(node)).collect();
        read.into_iter().collect()
    }

    fn term(&mut self, node: &Node) -> Option<Term> {
        match node {
            Node::Word(span) if self.source.slice(*span).starts_with('?') => self.variable(*span),
            Node::Word(span) => Some(Term::Function(self.symbol(*span), Vec::new())),
            Node::List(nodes, span) => match self.applied(nodes, *span)? {
                Applied::Name(name, _, args) => {
                    self.note_nullary(name.as_str(), args, *span);
                    Some(Term::Function(name, self.terms(args)?))
                }
                Applied::Variable(variable) => self.variable_as(VariableAs::Function, variable),
            },
        }
    }

    fn applied<'n>(&mut self, nodes: &'n [Node], span: Span) -> Option<Applied<'n>> {
        match nodes.split_first() {
            None => {
                let hint = "delete it, or write a name after `(`";
                self.refuse(Diagnostic::error("empty-list", span, "`()` means nothing").hint(hint))
            }
            Some((Node::List(_, inner), _)) => {
                let message = "a list must begin with a name, not with another list";
                let hint = "delete one pair of parentheses, or write the missing name";
                self.refuse(Diagnostic::error("missing-name", *inner, message).hint(hint))
            }
            Some((Node::Word(word), _)) if self.source.slice(*word).starts_with('?') => {
                Some(Applied::Variable(*word))
            }
            Some((Node::Word(word), args)) => Some(Applied::Name(self.symbol(*word), *word, args)),
        }
    }

    fn note_nullary(&mut self, name: &str, args: &[Node], span: Span) {
        if args.is_empty() {
            self.builder
                .nullary_parentheses(self.source.slice(span), name, span);
        }
    }

    fn symbol(&mut self, span: Span) -> Symbol {
        let text = self.source.slice(span);
        self.builder.symbol(Word { text, span })
    }

    fn variable(&mut self, span: Span) -> Option<Term> {
        let text = self.source.slice(span).strip_prefix('?').unwrap_or_default();
        if text.is_empty() {
            let hint = "write the variable's name right after `?`";
            return self
                .refuse(Diagnostic::error("missing-name", span, "`?` alone is not a variable").hint(hint));
        }
        Some(self.builder.variable(Word { text, span }))
    }

    fn variable_as<T>(&mut self, what: VariableAs, span: Span) -> Option<T> {
        let source = self.source;
        self.builder.variable_as(what, source.slice(span), span)
    }

    fn refuse<T>(&mut self, diagnostic: Diagnostic) -> Option<T> {
        self.builder.reports.add(diagnostic);
        None
    }
}
