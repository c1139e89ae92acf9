//! Checks that need ground atoms: goal values, and what `base` and `input` leave out.

use super::atoms::{AtomId, AtomTable, RelationId};
use super::compile::Keywords;
use super::simplify::{Simplified, Status};
use super::terms::{TermId, TermStore};
use crate::diagnostic::Diagnostic;
use crate::program::Program;
use std::collections::BTreeMap;

/// Everything these checks look at.
pub(super) struct Judged<'a> {
    pub(super) program: &'a Program,
    pub(super) terms: &'a TermStore,
    pub(super) atoms: &'a AtomTable,
    pub(super) simplified: &'a Simplified,
    pub(super) keywords: Keywords,
}

impl Judged<'_> {
    pub(super) fn diagnostics(&self) -> Vec<Diagnostic> {
        let keywords = self.keywords;
        let mut found = self.goal_values();
        found.extend(self.coverage(keywords.next, keywords.base, "next", "base"));
        found.extend(self.coverage(keywords.init, keywords.base, "init", "base"));
        found.extend(self.coverage(keywords.legal, keywords.input, "legal", "input"));
        found.extend(self.missing(keywords.base, "base", "fluents are derived from init and next"));
        found.extend(self.missing(keywords.input, "input", "moves are derived from legal"));
        found
    }

    fn is_declared(&self, relation: RelationId) -> bool {
        self.atoms.ids().any(|atom| self.atoms.relation(atom) == relation)
    }

    fn missing(&self, relation: RelationId, name: &str, reading: &str) -> Option<Diagnostic> {
        let message = format!("no `{name}`: the {reading}");
        let hint = format!("declare `{name}` if other tools need it");
        (!self.is_declared(relation)).then(|| Diagnostic::global_warning("not-declared", message).hint(hint))
    }

    /// One error per rule with a bad value.
    fn goal_values(&self) -> Vec<Diagnostic> {
        let is_bad = |atom: AtomId| {
            let value = self.terms.integer(self.atoms.args(atom)[1]);
            !value.is_some_and(|value| (0..=100).contains(&value))
        };
        let bad = self.by_rule(self.keywords.goal, is_bad);
        let report = |(rule, atoms): (u32, Vec<AtomId>)| {
            let span = self.program.rules()[rule as usize].span;
            let value = self.terms.display(self.atoms.args(atoms[0])[1]);
            Diagnostic::error(
                "goal-value",
                span,
                format!("goal value `{value}` is not a whole number from 0 to 100"),
            )
            .in_rule(span)
            .hint("100 is a win, 0 is a loss; the value comes from a variable of this rule")
        };
        bad.into_iter().map(report).collect()
    }

    /// One warning per rule whose head may hold of something that is not declared.
    fn coverage(&self, given: RelationId, declared: RelationId, name: &str, by: &str) -> Vec<Diagnostic> {
        if !self.is_declared(declared) {
            return Vec::new();
        }
        let is_outside = |atom: AtomId| self.atoms.find(declared, self.atoms.args(atom)).is_none();
        let report = |(rule, mut atoms): (u32, Vec<AtomId>)| {
            atoms.sort_by(|&a, &b| self.terms.compare_all(self.atoms.args(a), self.atoms.args(b)));
            let span = self.program.rules()[rule as usize].span;
            let args: Vec<_> = self
                .atoms
                .args(atoms[0])
                .iter()
                .map(|&arg: &TermId| self.terms.display(arg).to_string())
                .collect();
            let more = match atoms.len() {
                1 => String::new(),
                n => format!(" and {} more", n - 1),
            };
            let message = format!(
                "`{name}` may hold of `{}`{more}, which `{by}` does not declare",
                args.join(" ")
            );
            Diagnostic::warning("not-covered", span, message)
                .in_rule(span)
                .hint(format!("it counts all the same; complete `{by}` to silence this"))
        };
        self.by_rule(given, is_outside).into_iter().map(report).collect()
    }

    /// The live atoms of a relation with some property, by the rule that first gives them.
    fn by_rule(&self, relation: RelationId, property: impl Fn(AtomId) -> bool) -> BTreeMap<u32, Vec<AtomId>> {
        let is_wanted = |atom: &AtomId| {
            self.atoms.relation(*atom) == relation
                && self.simplified.status[atom.index()] != Status::False
                && property(*atom)
        };
        let mut found: BTreeMap<u32, Vec<AtomId>> = BTreeMap::new();
        for atom in self.atoms.ids().filter(is_wanted) {
            found.entry(self.atoms.origin(atom)).or_default().push(atom);
        }
        found
    }
}
