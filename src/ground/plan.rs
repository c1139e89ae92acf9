//! The order in which a rule's literals are joined.
//!
//! Greedy: after the literal that carries the delta, always the literal that is expected to give the
//! fewest matches under the variables bound so far; tests run as soon as their variables are bound.

use super::atoms::RelationId;
use super::compile::{Column, CompiledRule, Slot, Test};
use super::view::View;

/// Which rows of a view a step may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rows {
    /// What the last round derived.
    Delta,
    /// What was there before it.
    Old,
    /// Both.
    All,
}

/// One positive literal of the join.
pub(crate) struct Step {
    /// Which positive literal of the rule.
    pub(crate) literal: usize,
    pub(crate) view: usize,
    pub(crate) rows: Rows,
    /// The index to look up, or `None` to go through all rows.
    pub(crate) index: Option<usize>,
    /// Columns whose value is known: looked up with an index, tested without one.
    pub(crate) key: Vec<(usize, Column)>,
    /// Columns that bind a variable.
    pub(crate) binds: Vec<(usize, Slot)>,
    /// Columns that must equal a variable bound by this very literal.
    pub(crate) repeats: Vec<(usize, Slot)>,
    /// Further matches would only repeat the same instance.
    pub(crate) first_only: bool,
    /// Tests that become decidable after this step.
    pub(crate) tests: Vec<Test>,
}

/// A rule's join for one choice of the literal that carries the delta.
pub(crate) struct Plan {
    /// Tests without variables.
    pub(crate) tests: Vec<Test>,
    pub(crate) steps: Vec<Step>,
}

/// Plans the join. With `delta`, that literal ranges over the last round's rows; of the other
/// literals in `recursive`, those before it over old rows and those after it over all, so that every
/// instance is found exactly once.
pub(crate) fn plan(
    rule: &CompiledRule,
    views: &mut [View],
    recursive: &[usize],
    delta: Option<usize>,
    is_exact: impl Fn(RelationId) -> bool,
) -> Plan {
    let mut planner = Planner {
        rule,
        bound: vec![false; rule.slots],
        remaining: (0..rule.positive.len()).collect(),
        tests: rule.tests.clone(),
    };
    let tests = planner.take_decidable_tests();
    let mut steps = Vec::new();
    while let Some(literal) = planner.choose(views, delta.filter(|_| steps.is_empty())) {
        let rows = match delta {
            Some(d) if d == literal => Rows::Delta,
            Some(d) if literal < d && recursive.contains(&literal) => Rows::Old,
            _ => Rows::All,
        };
        let exact = is_exact(rule.positive[literal].relation);
        steps.push(planner.step(literal, rows, views, exact));
    }
    Plan { tests, steps }
}

struct Planner<'r> {
    rule: &'r CompiledRule,
    bound: Vec<bool>,
    remaining: Vec<usize>,
    tests: Vec<Test>,
}

impl Planner<'_> {
    /// The literal to join next, removed from the remaining ones.
    fn choose(&mut self, views: &mut [View], forced: Option<usize>) -> Option<usize> {
        let chosen = match forced {
            Some(literal) => literal,
            None => {
                let cost = |&literal: &usize| (self.expected_matches(literal, views), literal);
                let mut costs: Vec<_> = self.remaining.iter().map(cost).collect();
                costs.sort_by(|a, b| a.0.total_cmp(&b.0));
                costs.first()?.1
            }
        };
        self.remaining.retain(|&literal| literal != chosen);
        Some(chosen)
    }

    fn expected_matches(&self, literal: usize, views: &mut [View]) -> f64 {
        let literal = &self.rule.positive[literal];
        let bound: Vec<_> = (0..literal.columns.len())
            .filter(|&c| self.is_bound(literal.columns[c]))
            .collect();
        views[literal.view].expected_matches(&bound)
    }

    fn is_bound(&self, column: Column) -> bool {
        match column {
            Column::Constant(_) => true,
            Column::Variable(slot) => self.bound[slot],
        }
    }

    fn step(&mut self, literal: usize, rows: Rows, views: &mut [View], exact: bool) -> Step {
        let rule = self.rule;
        let LiteralParts { key, binds, repeats } = self.split_columns(literal);
        let view = rule.positive[literal].view;
        let columns: Vec<_> = key.iter().map(|&(column, _)| column).collect();
        // The delta is short and new in every round: going through it beats looking it up.
        let scan = rows == Rows::Delta || columns.is_empty();
        let index = (!scan).then(|| views[view].index(&columns));
        binds.iter().for_each(|&(_, slot)| self.bound[slot] = true);
        let tests = self.take_decidable_tests();
        let first_only = exact && binds.iter().all(|&(_, slot)| !self.is_used_later(slot, &tests));
        Step {
            literal,
            view,
            rows,
            index,
            key,
            binds,
            repeats,
            first_only,
            tests,
        }
    }

    fn split_columns(&self, literal: usize) -> LiteralParts {
        let mut parts = LiteralParts::default();
        for (column, &content) in self.rule.positive[literal].columns.iter().enumerate() {
            match content {
                Column::Variable(slot) if !self.bound[slot] => {
                    match parts.binds.iter().any(|&(_, bound)| bound == slot) {
                        true => parts.repeats.push((column, slot)),
                        false => parts.binds.push((column, slot)),
                    }
                }
                known => parts.key.push((column, known)),
            }
        }
        parts
    }

    fn take_decidable_tests(&mut self) -> Vec<Test> {
        let bound = &self.bound;
        let decidable = |test: &Test| {
            let mut all = true;
            test.for_each_slot(&mut |slot| all &= bound[slot]);
            all
        };
        let (now, later) = self.tests.drain(..).partition(decidable);
        self.tests = later;
        now
    }

    /// Whether the head, a test or a literal still to be joined mentions the variable.
    fn is_used_later(&self, slot: Slot, tests_now: &[Test]) -> bool {
        let mut used = false;
        let mut visit = |s| used |= s == slot;
        self.rule
            .head_args
            .iter()
            .for_each(|arg| arg.for_each_slot(&mut visit));
        self.tests
            .iter()
            .chain(tests_now)
            .for_each(|test| test.for_each_slot(&mut visit));
        used || self
            .remaining
            .iter()
            .any(|&l| self.rule.positive[l].columns.contains(&Column::Variable(slot)))
    }
}

#[derive(Default)]
struct LiteralParts {
    key: Vec<(usize, Column)>,
    binds: Vec<(usize, Slot)>,
    repeats: Vec<(usize, Slot)>,
}
