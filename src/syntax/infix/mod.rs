//! Infix, the syntax of the literature: `next(cell(X,b)) :- does(P,clear(X)).`
//!
//! ```text
//! clause   = atom [":-" junction] ("." | line end)
//! junction = conjunction {("|" | ";") conjunction}
//! conjunction = formula {("," | "&") formula}
//! formula  = ("not" | "~" | "\+") formula | "(" junction ")" | term ["!=" term]
//! term     = variable | name ["(" [term {"," term}] ")"]
//! ```
//!
//! A line end closes a clause that is complete, unless the next line goes on with a connective. The
//! first problem of a clause is reported; reading goes on behind the clause.

mod lexer;
mod recovery;

use super::MAX_DEPTH;
use super::build::{Builder, Junction, VariableAs, Word, nested_too_deep};
use super::description::{Atom, Formula};
use crate::diagnostic::Diagnostic;
use crate::source::{Source, Span};
use crate::term::{Symbol, Term};
use lexer::{Comment, Kind, Lexer, Token};
use std::borrow::Cow;

/// Reads a whole text.
pub(super) fn parse(source: &Source) -> Builder {
    let mut parser = Parser::new(source);
    while parser.token.kind != Kind::End {
        parser.clause();
    }
    let comments = parser.before_token.drain(..).map(|comment| comment.text);
    parser.builder.trailing_comments = comments.collect();
    parser.builder
}

struct Parser<'s> {
    source: &'s Source,
    lexer: Lexer<'s>,
    builder: Builder,
    /// The next token, not yet consumed.
    token: Token,
    /// The last consumed token.
    previous: Token,
    /// Comments between the two.
    before_token: Vec<Comment>,
    /// Comments before and inside the current clause.
    comments: Vec<String>,
    depth: usize,
    /// Number of the next lone `_` of the clause.
    anonymous: u64,
    first_anonymous: u64,
}

/// A term with what is needed to read it as an atom.
struct Applied {
    term: Term,
    name_span: Span,
    span: Span,
}

impl<'s> Parser<'s> {
    fn new(source: &'s Source) -> Parser<'s> {
        let start = Token {
            kind: Kind::End,
            span: Span::default(),
            first_on_line: true,
        };
        let mut parser = Parser {
            source,
            lexer: Lexer::new(source.text()),
            builder: Builder::default(),
            token: start,
            previous: start,
            before_token: Vec::new(),
            comments: Vec::new(),
            depth: 0,
            anonymous: 0,
            first_anonymous: first_free_number(source.text()),
        };
        parser.token = parser
            .lexer
            .next(&mut parser.before_token, &mut parser.builder.reports);
        parser
    }

    fn clause(&mut self) {
        let start = self.token.span;
        self.builder.begin_clause();
        self.depth = 0;
        self.anonymous = self.first_anonymous;
        let parts = self.head_and_body();
        if parts.is_none() {
            self.skip_clause(start);
        }
        self.end_comments();
        let span = start.to(self.previous.span);
        let comments = std::mem::take(&mut self.comments);
        self.builder.end_clause(span, parts, comments);
    }

    fn head_and_body(&mut self) -> Option<(Atom, Vec<Formula>)> {
        if self.token.kind == Kind::Arrow {
            let hint = "GDL has no constraints: write `head :- condition.`";
            return self.refuse(
                Diagnostic::error("missing-head", self.token.span, "this rule has no head").hint(hint),
            );
        }
        if self.token.kind == Kind::Name && self.is_word("not") || self.token.kind == Kind::Not {
            let hint = "a clause says what holds: move the negation into a rule body";
            let message = "a clause cannot begin with a negation";
            return self.refuse(Diagnostic::error("reserved-word", self.token.span, message).hint(hint));
        }
        let head = self.applied()?;
        let head = self.atom(head)?;
        if !self.consume(Kind::Arrow) {
            self.end_of_clause("`:-` or `.`")?;
            return Some((head, Vec::new()));
        }
        let body = self.body()?;
        self.end_of_clause("`,` or `.`")?;
        Some((head, body))
    }

    /// A body without parentheses is a list, not a conjunction.
    fn body(&mut self) -> Option<Vec<Formula>> {
        let start = self.token.span;
        let first = self.conjuncts()?;
        if self.token.kind != Kind::Bar {
            return Some(first);
        }
        let first = self
            .builder
            .junction(Junction::And, first, start.to(self.previous.span))?;
        Some(vec![self.disjunction(first, start)?])
    }

    fn end_of_clause(&mut self, expected: &str) -> Option<()> {
        let ended = self.consume(Kind::Dot) || self.token.kind == Kind::End;
        if ended || (self.token.first_on_line && self.token.kind != Kind::Close) {
            return Some(());
        }
        self.unexpected(expected)
    }

    fn junction(&mut self) -> Option<Formula> {
        let start = self.token.span;
        let conjuncts = self.conjuncts()?;
        let first = self
            .builder
            .junction(Junction::And, conjuncts, start.to(self.previous.span))?;
        if self.token.kind == Kind::Bar {
            self.disjunction(first, start)
        } else {
            Some(first)
        }
    }

    fn disjunction(&mut self, first: Formula, start: Span) -> Option<Formula> {
        let mut parts = vec![first];
        while self.consume(Kind::Bar) {
            let start = self.token.span;
            let conjuncts = self.conjuncts()?;
            parts.push(
                self.builder
                    .junction(Junction::And, conjuncts, start.to(self.previous.span))?,
            );
        }
        self.builder
            .junction(Junction::Or, parts, start.to(self.previous.span))
    }

    fn conjuncts(&mut self) -> Option<Vec<Formula>> {
        let mut parts = vec![self.formula()?];
        while self.consume(Kind::Comma) {
            parts.push(self.formula()?);
        }
        Some(parts)
    }

    fn formula(&mut self) -> Option<Formula> {
        let start = self.token.span;
        match self.token.kind {
            Kind::Not => self.negation(start),
            Kind::Name if self.is_word("not") => self.negation(start),
            Kind::Open => {
                self.enter()?;
                self.advance();
                let formula = self.junction()?;
                self.close(start)?;
                self.depth -= 1;
                Some(formula)
            }
            _ => self.literal(start),
        }
    }

    fn negation(&mut self, start: Span) -> Option<Formula> {
        self.enter()?;
        self.advance();
        let formula = self.formula()?;
        self.depth -= 1;
        self.builder.not(vec![formula], start.to(self.previous.span))
    }

    fn literal(&mut self, start: Span) -> Option<Formula> {
        let left = self.applied()?;
        if self.consume(Kind::NotEqual) {
            let right = self.applied()?;
            return Some(Formula::Distinct(left.term, right.term, start.to(right.span)));
        }
        match left.term {
            Term::Function(name, args) if name.as_str() == "distinct" => {
                self.builder.distinct(args, left.span)
            }
            _ => self.atom(left).map(Formula::Atom),
        }
    }

    fn atom(&mut self, applied: Applied) -> Option<Atom> {
        let Applied {
            term,
            name_span,
            span,
        } = applied;
        let source = self.source;
        match term {
            Term::Variable(_) if self.is_word("=") => self.unexpected("`!=`"),
            Term::Variable(_) => self
                .builder
                .variable_as(VariableAs::Predicate, source.slice(span), span),
            Term::Function(name, args) => self.builder.atom(name, args, name_span, span),
        }
    }

    /// A term, which may turn out to be an atom.
    fn applied(&mut self) -> Option<Applied> {
        let name_span = self.token.span;
        let term = match self.token.kind {
            Kind::Name | Kind::Quoted => {
                let name = self.symbol();
                self.advance();
                let args = if self.token.kind == Kind::Open {
                    self.args(&name, name_span)?
                } else {
                    Vec::new()
                };
                Term::Function(name, args)
            }
            Kind::Variable | Kind::QuotedVariable | Kind::Anonymous => self.variable()?,
            _ => return self.unexpected("a name"),
        };
        Some(Applied {
            term,
            name_span,
            span: name_span.to(self.previous.span),
        })
    }

    fn args(&mut self, name: &Symbol, name_span: Span) -> Option<Vec<Term>> {
        let open = self.token.span;
        self.enter()?;
        self.advance();
        let mut args = Vec::new();
        if self.token.kind == Kind::Close {
            let span = name_span.to(self.token.span);
            self.builder
                .nullary_parentheses(self.source.slice(span), name.as_str(), span);
        } else {
            args.push(self.applied()?.term);
            while self.is_argument_comma() {
                self.advance();
                args.push(self.applied()?.term);
            }
        }
        self.close(open)?;
        self.depth -= 1;
        if name.as_str() == "<=" && !args.is_empty() {
            let message = "`<=` cannot be a function";
            let hint = "it begins rules in KIF; choose another name";
            return self.refuse(Diagnostic::error("reserved-word", name_span, message).hint(hint));
        }
        Some(args)
    }

    /// `&` joins conditions only.
    fn is_argument_comma(&self) -> bool {
        self.token.kind == Kind::Comma && self.is_word(",")
    }

    fn variable(&mut self) -> Option<Term> {
        let span = self.token.span;
        let text = match self.token.kind {
            Kind::Anonymous => {
                self.anonymous += 1;
                Cow::Owned(format!("_{}", self.anonymous - 1))
            }
            _ => self.unquoted(),
        };
        let variable = self.builder.variable(Word { text: &text, span });
        self.advance();
        if self.token.kind == Kind::Open {
            let source = self.source;
            return self
                .builder
                .variable_as(VariableAs::Function, source.slice(span), span);
        }
        Some(variable)
    }

    fn symbol(&mut self) -> Symbol {
        let text = self.unquoted();
        let span = self.token.span;
        self.builder.symbol(Word { text: &text, span })
    }

    /// The name in the current token, without `?` and quotes.
    fn unquoted(&self) -> Cow<'s, str> {
        let text = self.source.slice(self.token.span);
        let name = text.strip_prefix('?').unwrap_or(text);
        match self.token.kind {
            Kind::Quoted | Kind::QuotedVariable => {
                let inner = name
                    .strip_prefix('\'')
                    .and_then(|rest| rest.strip_suffix('\''))
                    .unwrap_or(name);
                Cow::Owned(inner.replace("''", "'"))
            }
            _ => Cow::Borrowed(name),
        }
    }

    fn is_word(&self, word: &str) -> bool {
        self.source.slice(self.token.span) == word
    }

    fn enter(&mut self) -> Option<()> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return self.refuse(nested_too_deep(self.token.span));
        }
        Some(())
    }

    fn consume(&mut self, kind: Kind) -> bool {
        let found = self.token.kind == kind;
        if found {
            self.advance();
        }
        found
    }

    fn advance(&mut self) {
        self.comments
            .extend(self.before_token.drain(..).map(|comment| comment.text));
        self.previous = self.token;
        self.token = self.lexer.next(&mut self.before_token, &mut self.builder.reports);
    }

    /// A comment on the clause's last line belongs to it.
    fn end_comments(&mut self) {
        let same_line = self
            .before_token
            .iter()
            .take_while(|comment| comment.same_line)
            .count();
        self.comments
            .extend(self.before_token.drain(..same_line).map(|comment| comment.text));
    }

    fn refuse<T>(&mut self, diagnostic: Diagnostic) -> Option<T> {
        self.builder.reports.add(diagnostic);
        None
    }
}

/// A number above every `_7`-like variable of the text, so that `_` never meets a variable with a name.
fn first_free_number(text: &str) -> u64 {
    let numbers = text.split('_').skip(1).filter_map(|tail| {
        let end = tail.find(|c: char| !c.is_ascii_digit()).unwrap_or(tail.len());
        tail[..end].parse::<u32>().ok()
    });
    numbers.max().map_or(1, |largest| u64::from(largest) + 1)
}
