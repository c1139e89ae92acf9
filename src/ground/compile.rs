//! Rules prepared for joining: variables are slots, positive literals see views, relations are in
//! the order of evaluation.

use super::atoms::RelationId;
use super::components::Graph;
use super::terms::{SymbolId, TermId, TermStore};
use super::view::{Shape, View};
use crate::program::{Atom, Literal, Predicate, Program, Rule};
use crate::term::{Symbol, Term};
use std::collections::HashMap;

/// Index of a variable in a rule's bindings.
pub(crate) type Slot = usize;

/// A term of a rule.
#[derive(Clone, Debug)]
pub(crate) enum Pattern {
    Ground(TermId),
    Variable(Slot),
    Function(SymbolId, Vec<Pattern>),
}

/// What a literal says about one column of its view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Column {
    Constant(TermId),
    Variable(Slot),
}

/// A positive literal of a body.
pub(crate) struct PositiveLiteral {
    pub(crate) relation: RelationId,
    pub(crate) view: usize,
    pub(crate) columns: Vec<Column>,
}

/// A literal that only tests bindings.
#[derive(Clone)]
pub(crate) enum Test {
    Negative(RelationId, Vec<Pattern>),
    Distinct(Pattern, Pattern),
}

impl Test {
    pub(crate) fn for_each_slot(&self, visit: &mut impl FnMut(Slot)) {
        match self {
            Test::Negative(_, args) => args.iter().for_each(|arg| arg.for_each_slot(visit)),
            Test::Distinct(a, b) => {
                a.for_each_slot(visit);
                b.for_each_slot(visit);
            }
        }
    }
}

impl Pattern {
    pub(crate) fn for_each_slot(&self, visit: &mut impl FnMut(Slot)) {
        match self {
            Pattern::Ground(_) => {}
            Pattern::Variable(slot) => visit(*slot),
            Pattern::Function(_, args) => args.iter().for_each(|arg| arg.for_each_slot(visit)),
        }
    }
}

/// A rule of the program, ready to be instantiated.
pub(crate) struct CompiledRule {
    /// Index into [`Program::rules`].
    pub(crate) source: u32,
    pub(crate) head: RelationId,
    pub(crate) head_args: Vec<Pattern>,
    pub(crate) positive: Vec<PositiveLiteral>,
    pub(crate) tests: Vec<Test>,
    pub(crate) slots: usize,
}

/// A relation and what is known about it before evaluation.
pub(crate) struct Relation {
    pub(crate) predicate: Predicate,
    /// Views of this relation.
    pub(crate) views: Vec<usize>,
    /// Depends neither on `true` nor on `does`, and negation does not lead back to it: the evaluation
    /// determines it completely, so that its literals are decided on the spot and never printed.
    pub(crate) exact: bool,
}

/// Relations that depend on each other, with the rules that define them.
pub(crate) struct Stratum {
    pub(crate) relations: Vec<RelationId>,
    /// Indices into the compiled rules.
    pub(crate) rules: Vec<usize>,
}

/// A program prepared for evaluation.
pub(crate) struct Compiled {
    pub(crate) relations: Vec<Relation>,
    pub(crate) views: Vec<View>,
    pub(crate) rules: Vec<CompiledRule>,
    /// Every stratum comes after those it depends on.
    pub(crate) strata: Vec<Stratum>,
    /// The keywords' relations that grounding links to each other.
    pub(crate) keywords: Keywords,
}

/// `true` follows from `init` and `next`, `does` from `legal`: these relations by name.
#[derive(Clone, Copy)]
pub(crate) struct Keywords {
    pub(crate) role: RelationId,
    pub(crate) base: RelationId,
    pub(crate) input: RelationId,
    pub(crate) init: RelationId,
    pub(crate) next: RelationId,
    pub(crate) truth: RelationId,
    pub(crate) legal: RelationId,
    pub(crate) does: RelationId,
    pub(crate) goal: RelationId,
    pub(crate) terminal: RelationId,
}

impl Keywords {
    /// Whether what holds of the relation is part of the game's behaviour, so that even its facts stay
    /// in the ground program.
    pub(crate) fn is_output(&self, relation: RelationId) -> bool {
        [self.next, self.legal, self.goal, self.terminal].contains(&relation)
    }
}

/// Prepares all rules. `terms` receives the ground terms that the rules mention.
pub(crate) fn compile(program: &Program, terms: &mut TermStore) -> Compiled {
    let mut compiler = Compiler {
        terms,
        relations: Vec::new(),
        ids: HashMap::new(),
        views: Vec::new(),
    };
    let keywords = compiler.keywords();
    let rules: Vec<_> = program
        .rules()
        .iter()
        .enumerate()
        .map(|(i, rule)| compiler.rule(i, rule))
        .collect();
    let Compiler {
        mut relations, views, ..
    } = compiler;
    let strata = stratify(&mut relations, &rules, keywords);
    Compiled {
        relations,
        views,
        rules,
        strata,
        keywords,
    }
}

struct Compiler<'a> {
    terms: &'a mut TermStore,
    relations: Vec<Relation>,
    ids: HashMap<Predicate, RelationId>,
    views: Vec<View>,
}

impl Compiler<'_> {
    fn keywords(&mut self) -> Keywords {
        let mut relation = |predicate| self.relation(&predicate);
        Keywords {
            role: relation(Predicate::Role),
            base: relation(Predicate::Base),
            input: relation(Predicate::Input),
            init: relation(Predicate::Init),
            next: relation(Predicate::Next),
            truth: relation(Predicate::True),
            legal: relation(Predicate::Legal),
            does: relation(Predicate::Does),
            goal: relation(Predicate::Goal),
            terminal: relation(Predicate::Terminal),
        }
    }

    fn relation(&mut self, predicate: &Predicate) -> RelationId {
        if let Some(&id) = self.ids.get(predicate) {
            return id;
        }
        let id = RelationId(self.relations.len() as u32);
        self.relations.push(Relation {
            predicate: predicate.clone(),
            views: Vec::new(),
            exact: false,
        });
        self.ids.insert(predicate.clone(), id);
        id
    }

    fn rule(&mut self, source: usize, rule: &Rule) -> CompiledRule {
        let mut slots = Slots::default();
        let mut positive = Vec::new();
        let mut tests = Vec::new();
        for literal in &rule.body {
            match literal {
                Literal::Positive(atom) => positive.push(self.positive(atom, &mut slots)),
                Literal::Negative(atom) => {
                    let relation = self.relation(&atom.predicate);
                    tests.push(Test::Negative(relation, self.patterns(&atom.args, &mut slots)));
                }
                Literal::Distinct(a, b) => {
                    tests.push(Test::Distinct(
                        self.pattern(a, &mut slots),
                        self.pattern(b, &mut slots),
                    ));
                }
            }
        }
        CompiledRule {
            source: source as u32,
            head: self.relation(&rule.head.predicate),
            head_args: self.patterns(&rule.head.args, &mut slots),
            positive,
            tests,
            slots: slots.0.len(),
        }
    }

    fn positive(&mut self, atom: &Atom, slots: &mut Slots) -> PositiveLiteral {
        let relation = self.relation(&atom.predicate);
        let mut columns = Vec::new();
        let args = self.patterns(&atom.args, slots);
        let shapes = args.iter().map(|arg| shape(arg, &mut columns)).collect();
        PositiveLiteral {
            relation,
            view: self.view(relation, shapes, columns.len()),
            columns,
        }
    }

    fn view(&mut self, relation: RelationId, shapes: Vec<Shape>, width: usize) -> usize {
        let views = &self.relations[relation.0 as usize].views;
        if let Some(&found) = views.iter().find(|&&view| self.views[view].shapes == shapes) {
            return found;
        }
        self.views.push(View::new(shapes, width));
        self.relations[relation.0 as usize]
            .views
            .push(self.views.len() - 1);
        self.views.len() - 1
    }

    fn patterns(&mut self, terms: &[Term], slots: &mut Slots) -> Vec<Pattern> {
        terms.iter().map(|term| self.pattern(term, slots)).collect()
    }

    fn pattern(&mut self, term: &Term, slots: &mut Slots) -> Pattern {
        if let Some(ground) = self.terms.intern_term(term) {
            return Pattern::Ground(ground);
        }
        match term {
            Term::Variable(name) => Pattern::Variable(slots.slot(name)),
            Term::Function(name, args) => {
                let name = self.terms.symbol(name);
                Pattern::Function(name, self.patterns(args, slots))
            }
        }
    }
}

/// The variables of one rule, by name.
#[derive(Default)]
struct Slots(HashMap<Symbol, Slot>);

impl Slots {
    fn slot(&mut self, name: &Symbol) -> Slot {
        let next = self.0.len();
        *self.0.entry(name.clone()).or_insert(next)
    }
}

/// The shape of an argument; its leaves are appended to `columns`.
fn shape(pattern: &Pattern, columns: &mut Vec<Column>) -> Shape {
    match pattern {
        Pattern::Ground(term) => columns.push(Column::Constant(*term)),
        Pattern::Variable(slot) => columns.push(Column::Variable(*slot)),
        Pattern::Function(name, args) => {
            return Shape::Function(*name, args.iter().map(|arg| shape(arg, columns)).collect());
        }
    }
    Shape::Column
}

/// Orders the relations and finds out which are exact.
fn stratify(relations: &mut [Relation], rules: &[CompiledRule], keywords: Keywords) -> Vec<Stratum> {
    let links = [
        (keywords.truth, keywords.init),
        (keywords.truth, keywords.next),
        (keywords.does, keywords.legal),
        (keywords.legal, keywords.role),
    ];
    let graph = Graph::new(relations.len(), |edge| {
        links.iter().for_each(|&(from, to)| edge(from.0, to.0));
        for rule in rules {
            dependencies(rule).for_each(|(relation, _)| edge(rule.head.0, relation.0));
        }
    });
    let mut rules_of = vec![Vec::new(); relations.len()];
    for (index, rule) in rules.iter().enumerate() {
        rules_of[rule.head.0 as usize].push(index);
    }
    let mut strata = Vec::new();
    for component in graph.components() {
        let mut members: Vec<_> = component.into_iter().map(RelationId).collect();
        members.sort_unstable();
        let mut rule_ids: Vec<_> = members
            .iter()
            .flat_map(|r| rules_of[r.0 as usize].iter().copied())
            .collect();
        rule_ids.sort_unstable();
        let open = members.contains(&keywords.truth) || members.contains(&keywords.does);
        let exact = !open
            && rule_ids
                .iter()
                .flat_map(|&rule| dependencies(&rules[rule]))
                .all(|(relation, negative)| {
                    relations[relation.0 as usize].exact || (!negative && members.contains(&relation))
                });
        members.iter().for_each(|r| relations[r.0 as usize].exact = exact);
        strata.push(Stratum {
            relations: members,
            rules: rule_ids,
        });
    }
    strata
}

/// The relations in a rule's body, and whether under a negation.
fn dependencies(rule: &CompiledRule) -> impl Iterator<Item = (RelationId, bool)> + '_ {
    let positive = rule.positive.iter().map(|literal| (literal.relation, false));
    let negative = rule.tests.iter().filter_map(|test| match test {
        Test::Negative(relation, _) => Some((*relation, true)),
        Test::Distinct(..) => None,
    });
    positive.chain(negative)
}
