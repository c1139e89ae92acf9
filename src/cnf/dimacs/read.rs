//! Text → [`Cnf`], with everything that is wrong with the text.
//!
//! One pass over the lines. Numbers are checked where they stand; what depends on the whole text (counts,
//! exact probabilities, variables without quantifier) is settled at the end. Reading goes on after an
//! error, so that one run reports all of them.

use super::header::{self, Counts};
use super::numbers::{self, Decimal, integer};
use super::prefix::{Exact, Place, Prefix, TextBlock, TextQuantifier};
use super::problems::Problems;
use crate::cnf::{Clauses, Cnf, Lit, Var};
use crate::diagnostic::{Diagnostic, Severity};
use crate::source::{Source, Span};
use num_rational::Ratio;
use num_traits::One;
use std::str::SplitAsciiWhitespace;

/// What came of a text.
pub struct Read {
    /// The formula, unless there is an error.
    pub cnf: Option<Cnf>,
    /// All problems in order of place; of one kind not more than twenty.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads a formula in either dialect of DIMACS.
///
/// ```
/// use emm::source::Source;
/// let text = "p cnf 2 1\nr 0.25 1 0\ne 2 0\n1 -2 0\n";
/// let read = emm::cnf::dimacs::read(&Source::new("a.sdimacs", text));
/// assert_eq!(read.cnf.unwrap().clauses.len(), 1);
/// ```
pub fn read(source: &Source) -> Read {
    let mut reader = Reader::new(source);
    let mut start = 0;
    for line in source.text().split('\n') {
        reader.line(line, start);
        start += line.len() + 1;
    }
    reader.finish()
}

struct Header {
    /// The promised number; -1 if the header is of no use.
    clauses: i64,
    span: Span,
}

struct Reader<'a> {
    text: &'a str,
    problems: Problems,
    header: Option<Header>,
    prefix: Prefix,
    clauses: Clauses,
    /// Lines with clauses, also broken ones.
    clause_lines: i64,
    /// The literals of the clause that is being read.
    literals: Vec<Lit>,
}

/// How a list of numbers ended.
enum End {
    /// With its 0, and every number could be used.
    Good,
    /// With an error, which was noted.
    Bad,
}

impl<'a> Reader<'a> {
    fn new(source: &'a Source) -> Reader<'a> {
        Reader {
            text: source.text(),
            problems: Problems::default(),
            header: None,
            prefix: Prefix::default(),
            clauses: Clauses::default(),
            clause_lines: 0,
            literals: Vec::new(),
        }
    }

    fn line(&mut self, line: &'a str, start: usize) {
        let mut words = line.split_ascii_whitespace();
        let line = Span::new(start, start + line.trim_ascii_end().len());
        let Some(first) = words.clone().next() else {
            return;
        };
        match first {
            "c" => self.comment(line, words),
            "p" => self.header(line, words),
            "e" | "a" | "r" => {
                words.next();
                self.block(first, line, words);
            }
            _ if first.starts_with(|c: char| c == '-' || c.is_ascii_digit()) => self.clause(line, words),
            _ => self.malformed(
                line,
                "a line of no known kind",
                "lines start with `c`, `p`, `e`, `a`, `r` or a literal",
            ),
        }
    }

    fn malformed(&mut self, span: Span, message: &str, hint: &str) {
        self.problems.error("malformed-line", || {
            Diagnostic::error("", span, message).hint(hint)
        });
    }

    /// The span of a word, which is a part of the text.
    fn span(&self, word: &str) -> Span {
        let start = word.as_ptr() as usize - self.text.as_ptr() as usize;
        Span::new(start, start + word.len())
    }

    fn header(&mut self, line: Span, words: SplitAsciiWhitespace<'a>) {
        if let Some(first) = &self.header {
            let before = &self.text[first.span.start as usize..first.span.end as usize];
            let (message, hint) = match before.trim_start().starts_with('p') {
                true => ("a second header", format!("the first one is `{before}`")),
                false => (
                    "the header stands too late",
                    "write it as first line that is no comment".to_string(),
                ),
            };
            self.problems.error("second-header", || {
                Diagnostic::error("", line, message).hint(hint)
            });
            return;
        }
        let (variables, clauses) = match header::counts(words, self.text.len()) {
            Counts::Good(variables, clauses) => (variables, clauses),
            Counts::TooLarge(variables) => {
                self.problems.error("too-large", || {
                    let message = format!("{variables} variables are more than this text can have");
                    Diagnostic::error("", line, message).hint("correct the header, or find what was cut off")
                });
                (0, -1)
            }
            Counts::Malformed => {
                self.malformed(line, "a malformed header", "write `p cnf VARIABLES CLAUSES`");
                (0, -1)
            }
        };
        self.header = Some(Header { clauses, span: line });
        self.prefix.places = vec![Place::Nowhere; variables];
    }

    /// Whether the number of variables is known, so that the numbers of variables can be checked.
    fn is_counted(&mut self, line: Span) -> bool {
        match &self.header {
            Some(header) => header.clauses >= 0,
            None => {
                self.problems.error("no-header", || {
                    Diagnostic::error("", line, "there is no header before the first block or clause")
                        .hint("write `p cnf VARIABLES CLAUSES` as first line that is no comment")
                });
                self.header = Some(Header {
                    clauses: -1,
                    span: line,
                });
                false
            }
        }
    }

    fn comment(&mut self, line: Span, mut words: impl Iterator<Item = &'a str>) {
        let (Some("prob"), Some(text)) = (words.nth(1), words.next()) else {
            return;
        };
        // Any other word makes it a comment for people.
        let unsigned = text.strip_prefix(['-', '.']).unwrap_or(text);
        if !unsigned.starts_with(|c: char| c.is_ascii_digit()) {
            return;
        }
        let Some(probability) = numbers::fraction(text).filter(|p| *p <= Ratio::one()) else {
            return self.bad_probability(text, "write a fraction from 0/1 to 1/1");
        };
        let mut variables = Vec::new();
        let end = self.numbers(line, words, |reader, number, word| {
            variables.push((number, reader.span(word)));
        });
        if let End::Good = end {
            self.prefix.exact.push(Exact {
                probability,
                variables,
                span: line,
            });
        }
    }

    fn bad_probability(&mut self, word: &str, hint: &str) {
        let span = self.span(word);
        let message = format!("`{word}` is no probability");
        self.problems.error("bad-probability", || {
            Diagnostic::error("", span, message).hint(hint)
        });
    }

    fn block(&mut self, kind: &str, line: Span, mut words: impl Iterator<Item = &'a str>) {
        let is_counted = self.is_counted(line);
        if self.clause_lines > 0 {
            self.problems.error("block-after-clause", || {
                Diagnostic::error("", line, "a block after the first clause")
                    .hint("all blocks stand between the header and the clauses")
            });
        }
        let Some(quantifier) = self.quantifier(kind, line, &mut words) else {
            return;
        };
        let block = self.prefix.blocks.len() as u32;
        let mut variables = Vec::new();
        self.numbers(line, words, |reader, number, word| {
            if is_counted && let Some(variable) = reader.quantify(number, word, block) {
                variables.push(variable);
            }
        });
        self.prefix.blocks.push(TextBlock {
            quantifier,
            variables,
        });
    }

    fn quantifier(
        &mut self,
        kind: &str,
        line: Span,
        words: &mut impl Iterator<Item = &'a str>,
    ) -> Option<TextQuantifier> {
        if kind == "e" {
            return Some(TextQuantifier::Exists);
        } else if kind == "a" {
            return Some(TextQuantifier::ForAll);
        }
        let Some(word) = words.next() else {
            self.malformed(
                line,
                "a chance block without probability",
                "write `r PROBABILITY VARIABLE... 0`",
            );
            return None;
        };
        match Decimal::read(word).filter(|decimal| decimal.value <= Ratio::one()) {
            Some(decimal) => Some(TextQuantifier::Chance(decimal)),
            None => {
                let hint = match numbers::fraction(word) {
                    Some(_) => {
                        "write a decimal here, and the exact value as `c prob N/D VARIABLE... 0` on a line of its own"
                    }
                    None => "write a decimal from 0 to 1",
                };
                self.bad_probability(word, hint);
                // The block's variables are quantified all the same.
                Some(TextQuantifier::Exists)
            }
        }
    }

    /// Puts a variable into a block.
    fn quantify(&mut self, number: i64, word: &str, block: u32) -> Option<Var> {
        if number < 0 {
            let span = self.span(word);
            self.malformed(
                span,
                "a negative number in a block",
                "blocks list variables, which are positive",
            );
            return None;
        }
        let variable = self.variable(number, word)?;
        let place = &mut self.prefix.places[variable.index()];
        if let Place::Block(_) = place {
            let span = self.span(word);
            self.problems.error("quantified-twice", || {
                Diagnostic::error("", span, format!("variable {number} is quantified twice"))
                    .hint("every variable stands in one block")
            });
            return None;
        }
        *place = Place::Block(block);
        Some(variable)
    }

    /// The variable of a literal, if the header knows it.
    fn variable(&mut self, literal: i64, word: &str) -> Option<Var> {
        let index = literal.unsigned_abs() - 1;
        if index < self.prefix.places.len() as u64 {
            return Some(Var::new(index as usize));
        }
        let (span, variables) = (self.span(word), self.prefix.places.len());
        self.problems.error("unknown-variable", || {
            let message = format!(
                "variable {} is greater than the number of variables, {variables}",
                index + 1
            );
            Diagnostic::error("", span, message).hint("correct the number or the header")
        });
        None
    }

    fn clause(&mut self, line: Span, words: impl Iterator<Item = &'a str>) {
        let is_counted = self.is_counted(line);
        self.clause_lines += 1;
        self.literals.clear();
        self.numbers(line, words, |reader, number, word| {
            if is_counted && let Some(variable) = reader.variable(number, word) {
                reader.literal(variable, number, word);
            }
        });
        // A formula with a broken clause is never used.
        self.clauses.push(&self.literals);
    }

    fn literal(&mut self, variable: Var, number: i64, word: &str) {
        let literal = variable.positive();
        self.literals.push(if number < 0 { !literal } else { literal });
        if self.prefix.places[variable.index()] == Place::Nowhere {
            self.prefix.places[variable.index()] = Place::Free;
            let span = self.span(word);
            self.problems.note(Severity::Warning, "not-quantified", || {
                let message = format!("variable {} stands in no block", variable.index() + 1);
                Diagnostic::warning("", span, message).hint("it was read as outermost existential")
            });
        }
    }

    /// Hands over the numbers of a list that ends in 0.
    fn numbers(
        &mut self,
        line: Span,
        words: impl Iterator<Item = &'a str>,
        mut take: impl FnMut(&mut Reader<'a>, i64, &'a str),
    ) -> End {
        let mut words = words;
        for word in words.by_ref() {
            match integer(word) {
                Some(0) => return self.end_of_line(words.next()),
                Some(number) => take(self, number, word),
                None => {
                    let span = self.span(word);
                    let message = format!("`{word}` is no number");
                    self.malformed(
                        span,
                        &message,
                        "lists are numbers separated by spaces, with a 0 at the end",
                    );
                    return End::Bad;
                }
            }
        }
        self.problems.error("no-terminator", || {
            let end = Span::new(line.end as usize, line.end as usize);
            Diagnostic::error("", end, "the line ends without its 0")
                .hint("blocks and clauses take one line each, with a 0 at the end")
        });
        End::Bad
    }

    fn end_of_line(&mut self, rest: Option<&str>) -> End {
        let Some(rest) = rest else {
            return End::Good;
        };
        let span = self.span(rest);
        self.problems.error("text-after-zero", || {
            Diagnostic::error("", span, "text after the 0 that ends the line")
                .hint("remove it, or put it on a line of its own")
        });
        End::Bad
    }

    fn finish(mut self) -> Read {
        self.check_counts();
        let variables = self.prefix.places.len();
        let prefix = self.prefix.finish(&mut self.problems);
        let cnf = (!self.problems.any_error()).then_some(Cnf {
            variables,
            prefix,
            clauses: self.clauses,
        });
        Read {
            cnf,
            diagnostics: self.problems.finish(),
        }
    }

    fn check_counts(&mut self) {
        let Some(header) = &self.header else {
            self.problems.error("no-header", || {
                Diagnostic::global_error("", "the text has no header")
                    .hint("write `p cnf VARIABLES CLAUSES` as first line that is no comment")
            });
            return;
        };
        let (promised, found, span) = (header.clauses, self.clause_lines, header.span);
        if promised >= 0 && promised != found {
            self.problems.error("wrong-count", || {
                let message = format!("the header promises {promised} clauses, but there are {found}");
                Diagnostic::error("", span, message).hint("correct the header, or find what was cut off")
            });
        }
    }
}
