//! Semi-naive bottom-up evaluation over the possible facts.
//!
//! `true` may hold of whatever `init` or `next` may give, `does` of whatever `legal` may give. Under
//! this over-approximation the strata are evaluated in order; inside a stratum rounds go on until no
//! new atom appears. Every instance of a rule is found once, and becomes a ground rule unless its
//! relation is exact (then it only makes a fact).

use super::atoms::{AtomId, AtomTable, RelationId, Support};
use super::compile::{Column, Compiled, Pattern, Stratum, Test};
use super::plan::{Plan, Rows, Step, plan};
use super::rules::RuleSet;
use super::terms::{TermId, TermStore};
use super::{Limit, Limits};
use std::time::{Duration, Instant};

/// Joined rows between two looks at the clock.
const ROWS_PER_CLOCK: u64 = 1 << 14;

/// What the evaluation of all strata has found.
pub(crate) struct Evaluation {
    pub(crate) terms: TermStore,
    pub(crate) compiled: Compiled,
    pub(crate) atoms: AtomTable,
    pub(crate) rules: RuleSet,
    /// Instances and time of each of the program's rules.
    pub(crate) costs: Vec<RuleCost>,
}

/// What a rule of the program cost.
#[derive(Clone, Copy, Debug, Default)]
pub struct RuleCost {
    /// Instances that were found, repetitions included.
    pub instances: u64,
    /// Time spent on joining and instantiating.
    pub time: Duration,
}

/// Why evaluation stopped early, and at which of the program's rules.
pub(crate) struct Stopped {
    pub(crate) why: StopReason,
    pub(crate) rule: u32,
}

pub(crate) enum StopReason {
    Limit(Limit),
    /// A term became deeper than any finite description needs.
    Growing(TermId),
}

/// Evaluates all strata.
pub(crate) fn evaluate(evaluation: &mut Evaluation, limits: &Limits) -> Result<(), Stopped> {
    let strata = std::mem::take(&mut evaluation.compiled.strata);
    let mut evaluator = Evaluator {
        data: evaluation,
        limits,
        bindings: Vec::new(),
        matched: Vec::new(),
        scratch: Vec::new(),
        rows: 0,
        active: Vec::new(),
        rule: 0,
    };
    let result = strata.iter().try_for_each(|stratum| evaluator.stratum(stratum));
    evaluation.compiled.strata = strata;
    result
}

struct Evaluator<'e> {
    data: &'e mut Evaluation,
    limits: &'e Limits,
    bindings: Vec<TermId>,
    /// The atom matched by each positive literal of the current rule.
    matched: Vec<AtomId>,
    scratch: Vec<TermId>,
    rows: u64,
    /// Relations of the current stratum: what is not derived yet may still come.
    active: Vec<RelationId>,
    /// The compiled rule that is being instantiated.
    rule: usize,
}

impl Evaluator<'_> {
    fn stratum(&mut self, stratum: &Stratum) -> Result<(), Stopped> {
        self.active.clone_from(&stratum.relations);
        let views: Vec<usize> = stratum
            .relations
            .iter()
            .flat_map(|r| self.data.compiled.relations[r.0 as usize].views.clone())
            .collect();
        let recursive = |rule: usize, data: &Evaluation| -> Vec<usize> {
            let positive = &data.compiled.rules[rule].positive;
            (0..positive.len())
                .filter(|&l| stratum.relations.contains(&positive[l].relation))
                .collect()
        };
        let mut joins = Vec::new();
        for &rule in &stratum.rules {
            let literals = recursive(rule, self.data);
            if literals.is_empty() {
                self.run_once(rule)?;
            } else {
                joins.extend(
                    literals
                        .iter()
                        .map(|&delta| Join::new(rule, literals.clone(), delta)),
                );
            }
        }
        loop {
            views
                .iter()
                .for_each(|&view| self.data.compiled.views[view].advance());
            let is_quiet = |&view: &usize| {
                let view = &self.data.compiled.views[view];
                view.old_end == view.delta_end
            };
            if views.iter().all(is_quiet) {
                return Ok(());
            }
            joins.iter_mut().try_for_each(|join| self.run_join(join))?;
        }
    }

    fn run_once(&mut self, rule: usize) -> Result<(), Stopped> {
        let plan = self.plan(rule, &[], None);
        self.run(rule, &plan)
    }

    fn run_join(&mut self, join: &mut Join) -> Result<(), Stopped> {
        let positive = &self.data.compiled.rules[join.rule].positive;
        let delta_view = &self.data.compiled.views[positive[join.delta].view];
        if delta_view.old_end == delta_view.delta_end {
            return Ok(());
        }
        let rows: u64 = positive
            .iter()
            .map(|l| u64::from(self.data.compiled.views[l.view].len()))
            .sum();
        if rows >= 2 * join.planned_rows || join.plan.is_none() {
            join.plan = Some(self.plan(join.rule, &join.recursive, Some(join.delta)));
            join.planned_rows = rows;
        }
        match join.plan.take() {
            Some(plan) => {
                let result = self.run(join.rule, &plan);
                join.plan = Some(plan);
                result
            }
            None => Ok(()),
        }
    }

    fn plan(&mut self, rule: usize, recursive: &[usize], delta: Option<usize>) -> Plan {
        let Compiled {
            relations,
            views,
            rules,
            ..
        } = &mut self.data.compiled;
        plan(&rules[rule], views, recursive, delta, |relation| {
            relations[relation.0 as usize].exact
        })
    }

    fn run(&mut self, rule: usize, plan: &Plan) -> Result<(), Stopped> {
        let start = Instant::now();
        let compiled = &self.data.compiled.rules[rule];
        let source = compiled.source as usize;
        self.rule = rule;
        self.bindings.clear();
        self.bindings.resize(compiled.slots, TermId(0));
        self.matched.clear();
        self.matched.resize(compiled.positive.len(), AtomId(0));
        let result = if self.passes(&plan.tests) {
            self.join(&plan.steps)
        } else {
            Ok(())
        };
        self.data.costs[source].time += start.elapsed();
        result
    }

    fn join(&mut self, steps: &[Step]) -> Result<(), Stopped> {
        let Some((step, rest)) = steps.split_first() else {
            return self.instantiate();
        };
        let (begin, end) = self.range(step);
        let mut row = self.first_row(step, begin);
        while let Some(current) = row.filter(|&row| row < end) {
            self.count_row()?;
            if current >= begin && self.matches(step, current) && self.passes(&step.tests) {
                self.matched[step.literal] = self.data.compiled.views[step.view].atom(current);
                self.join(rest)?;
                if step.first_only {
                    return Ok(());
                }
            }
            row = match step.index {
                Some(index) => self.data.compiled.views[step.view].following(index, current),
                None => Some(current + 1),
            };
        }
        Ok(())
    }

    fn range(&self, step: &Step) -> (u32, u32) {
        let view = &self.data.compiled.views[step.view];
        match step.rows {
            Rows::Delta => (view.old_end, view.delta_end),
            Rows::Old => (0, view.old_end),
            Rows::All => (0, view.delta_end),
        }
    }

    fn first_row(&mut self, step: &Step, begin: u32) -> Option<u32> {
        let Some(index) = step.index else {
            return Some(begin);
        };
        self.scratch.clear();
        self.scratch
            .extend(step.key.iter().map(|&(_, column)| value(column, &self.bindings)));
        self.data.compiled.views[step.view].first(index, &self.scratch)
    }

    /// Binds the row's variables; tells whether the row fits.
    fn matches(&mut self, step: &Step, row: u32) -> bool {
        let cells = self.data.compiled.views[step.view].row(row);
        let fits = step.index.is_some()
            || step
                .key
                .iter()
                .all(|&(column, known)| cells[column] == value(known, &self.bindings));
        for &(column, slot) in &step.binds {
            self.bindings[slot] = cells[column];
        }
        fits && step
            .repeats
            .iter()
            .all(|&(column, slot)| cells[column] == self.bindings[slot])
    }

    fn count_row(&mut self) -> Result<(), Stopped> {
        self.rows += 1;
        if self.rows.is_multiple_of(ROWS_PER_CLOCK) && self.limits.is_over() {
            return Err(self.stopped(StopReason::Limit(Limit::Time)));
        }
        Ok(())
    }

    fn stopped(&self, why: StopReason) -> Stopped {
        Stopped {
            why,
            rule: self.data.compiled.rules[self.rule].source,
        }
    }

    fn passes(&mut self, tests: &[Test]) -> bool {
        tests.iter().all(|test| match test {
            Test::Distinct(a, b) => {
                let terms = &mut self.data.terms;
                build(a, &self.bindings, terms) != build(b, &self.bindings, terms)
            }
            Test::Negative(relation, args) => {
                let args: Vec<_> = args
                    .iter()
                    .map(|arg| build(arg, &self.bindings, &mut self.data.terms))
                    .collect();
                let support = self
                    .data
                    .atoms
                    .find(*relation, &args)
                    .map(|atom| self.data.atoms.support(atom));
                let exact = self.data.compiled.relations[relation.0 as usize].exact;
                support != Some(Support::Certain) && !(exact && support == Some(Support::Possible))
            }
        })
    }

    /// The rule under the current bindings: a fact or a ground rule.
    fn instantiate(&mut self) -> Result<(), Stopped> {
        let rule = &self.data.compiled.rules[self.rule];
        let (head, source) = (rule.head, rule.source);
        self.data.costs[source as usize].instances += 1;
        let args: Vec<_> = rule
            .head_args
            .iter()
            .map(|arg| build(arg, &self.bindings, &mut self.data.terms))
            .collect();
        if let Some(&deep) = args
            .iter()
            .find(|&&arg| self.data.terms.depth(arg) > self.limits.max_term_depth)
        {
            return Err(self.stopped(StopReason::Growing(deep)));
        }
        let atom = self.data.atoms.intern(head, &args);
        if self.data.compiled.relations[head.0 as usize].exact && !self.data.compiled.keywords.is_output(head)
        {
            self.derive(atom, Support::Certain, source);
        } else if self.data.atoms.support(atom) != Support::Certain {
            self.emit(atom, source);
        }
        if self.data.rules.len() + self.data.atoms.len() > self.limits.max_rules {
            return Err(self.stopped(StopReason::Limit(Limit::Rules)));
        }
        Ok(())
    }

    fn emit(&mut self, head: AtomId, source: u32) {
        let open = |atom: &AtomId| self.data.atoms.support(*atom) != Support::Certain;
        let mut positive: Vec<_> = self.matched.iter().copied().filter(open).collect();
        // Such a rule gives nothing; by keeping it, atoms would seem to depend on each other.
        if positive.contains(&head) {
            return;
        }
        let mut negative = self.open_negative_atoms();
        let certain = positive.is_empty() && negative.is_empty();
        self.data.rules.insert(head, &mut positive, &mut negative, source);
        let support = if certain {
            Support::Certain
        } else {
            Support::Possible
        };
        self.derive(head, support, source);
    }

    /// The atoms of the rule's negative literals that may hold in some state.
    fn open_negative_atoms(&mut self) -> Vec<AtomId> {
        let mut open = Vec::new();
        let Evaluation {
            terms,
            compiled,
            atoms,
            ..
        } = &mut *self.data;
        for test in &compiled.rules[self.rule].tests {
            let Test::Negative(relation, args) = test else {
                continue;
            };
            if compiled.relations[relation.0 as usize].exact {
                continue;
            }
            let args: Vec<_> = args.iter().map(|arg| build(arg, &self.bindings, terms)).collect();
            let still_coming = self.active.contains(relation);
            match atoms
                .find(*relation, &args)
                .filter(|&atom| atoms.support(atom) != Support::None)
            {
                Some(atom) => open.push(atom),
                None if still_coming => open.push(atoms.intern(*relation, &args)),
                None => {}
            }
        }
        open
    }

    /// Records that the atom may hold, and what follows from that for `true` and `does`.
    fn derive(&mut self, atom: AtomId, support: Support, source: u32) {
        if !self.data.atoms.raise(atom, support, source) {
            return;
        }
        let relation = self.data.atoms.relation(atom);
        self.push_to_views(atom, relation);
        let keywords = self.data.compiled.keywords;
        let linked = if relation == keywords.init || relation == keywords.next {
            keywords.truth
        } else if relation == keywords.legal && self.is_role_move(atom) {
            keywords.does
        } else {
            return;
        };
        let args = self.data.atoms.args(atom).to_vec();
        let linked = self.data.atoms.intern(linked, &args);
        if self.data.atoms.raise(linked, Support::Possible, source) {
            self.push_to_views(linked, self.data.atoms.relation(linked));
        }
    }

    fn is_role_move(&self, legal: AtomId) -> bool {
        let role = &self.data.atoms.args(legal)[..1];
        self.data
            .atoms
            .find(self.data.compiled.keywords.role, role)
            .is_some()
    }

    fn push_to_views(&mut self, atom: AtomId, relation: RelationId) {
        let Evaluation {
            terms,
            compiled,
            atoms,
            ..
        } = &mut *self.data;
        for &view in &compiled.relations[relation.0 as usize].views {
            compiled.views[view].push(atom, atoms.args(atom), terms, &mut self.scratch);
        }
    }
}

/// A rule with the literal that carries the delta, planned anew whenever its views have doubled.
struct Join {
    rule: usize,
    recursive: Vec<usize>,
    delta: usize,
    plan: Option<Plan>,
    planned_rows: u64,
}

impl Join {
    fn new(rule: usize, recursive: Vec<usize>, delta: usize) -> Join {
        Join {
            rule,
            recursive,
            delta,
            plan: None,
            planned_rows: 0,
        }
    }
}

fn value(column: Column, bindings: &[TermId]) -> TermId {
    match column {
        Column::Constant(term) => term,
        Column::Variable(slot) => bindings[slot],
    }
}

fn build(pattern: &Pattern, bindings: &[TermId], terms: &mut TermStore) -> TermId {
    match pattern {
        Pattern::Ground(term) => *term,
        Pattern::Variable(slot) => bindings[*slot],
        Pattern::Function(name, args) => {
            let args: Vec<_> = args.iter().map(|arg| build(arg, bindings, terms)).collect();
            terms.intern(*name, &args)
        }
    }
}
