//! Names of one text: equal names share one allocation, and spellings that differ only in case are told.

use super::characters::clip;
use super::reports::Reports;
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::term::Symbol;
use ahash::AHashMap;

/// The names seen so far.
#[derive(Default)]
pub(super) struct Names {
    /// Every spelling (of symbols and of variables) with its folded symbol.
    spellings: AHashMap<Box<str>, Symbol>,
    /// How each symbol was first spelt in the text.
    symbols: AHashMap<Symbol, Spelling>,
    /// How each variable was first spelt in the current clause.
    variables: AHashMap<Symbol, Spelling>,
}

struct Spelling {
    first: Box<str>,
    reported: bool,
}

impl Names {
    /// The symbol written `name` at `span`.
    pub fn symbol(&mut self, name: &str, span: Span, reports: &mut Reports) -> Symbol {
        let symbol = self.fold(name);
        if let Some(first) = other_spelling(&mut self.symbols, &symbol, name) {
            reports.add(case_variants(first, name, span, "symbol"));
        }
        symbol
    }

    /// The variable written `name` (without `?`) at `span`.
    pub fn variable(&mut self, name: &str, span: Span, reports: &mut Reports) -> Symbol {
        let symbol = self.fold(name);
        if let Some(first) = other_spelling(&mut self.variables, &symbol, name) {
            reports.add(case_variants(first, name, span, "variable"));
        }
        symbol
    }

    /// Variables are local to their clause: the next one begins.
    pub fn begin_clause(&mut self) {
        self.variables.clear();
    }

    fn fold(&mut self, name: &str) -> Symbol {
        if let Some(symbol) = self.spellings.get(name) {
            return symbol.clone();
        }
        let folded = Symbol::new(name);
        let symbol = self
            .spellings
            .entry(folded.as_str().into())
            .or_insert(folded)
            .clone();
        self.spellings.insert(name.into(), symbol.clone());
        symbol
    }
}

/// The first spelling, if this is the first occurrence of another one.
fn other_spelling<'m>(
    seen: &'m mut AHashMap<Symbol, Spelling>,
    symbol: &Symbol,
    name: &str,
) -> Option<&'m str> {
    if !seen.contains_key(symbol) {
        let spelling = Spelling {
            first: name.into(),
            reported: false,
        };
        seen.insert(symbol.clone(), spelling);
        return None;
    }
    let spelling = seen.get_mut(symbol)?;
    if spelling.reported || *spelling.first == *name {
        return None;
    }
    spelling.reported = true;
    Some(&spelling.first)
}

fn case_variants(first: &str, second: &str, span: Span, what: &str) -> Diagnostic {
    let (first, second) = (clip(first), clip(second));
    let message = format!("`{first}` and `{second}` are the same {what}: GDL ignores case");
    Diagnostic::warning("case-variants", span, message).hint(format!(
        "write `{first}` everywhere, or rename one if they are meant to differ"
    ))
}
