//! The oracle: a game as a state machine, straight from the rules.
//!
//! In a state S, where each role makes its move, the facts are the *model* of the program's rules with
//! `true(f)` for each f in S and `does(r, m)` for each move added to them: the perfect model, which is
//! the well-founded model if that leaves nothing undefined. What a game shows is read off that model:
//!
//! - the initial state is { f : `init(f)` }, the next one { f : `next(f)` };
//! - role r may make the moves { m : `legal(r, m)` } and has the goal values { v : `goal(r, v)` };
//! - the state is terminal if `terminal` holds.
//!
//! It is written to be read, and shares no code with the grounder and the stages after it, because it is
//! what they are compared with. Some things keep it fast enough for real games; none changes a model:
//!
//! - relations that depend neither on `true` nor on `does` are the same in all states: evaluated once;
//! - only relations on which the question depends are evaluated;
//! - literals of a body are tested as soon as their variables are bound, and facts are sorted, so that
//!   those that begin as a literal prescribes are found at once;
//! - of a recursive relation, each round looks only for what follows from the facts of the round before.
//!   (Applying all rules again instead took minutes for games that define sums by recursion.)
//!
//! All of a relation is computed, even if a game asks for few of its atoms. Where that is too much, the
//! answer is [`ReferenceError::TooManyFacts`].

mod components;
mod error;
mod facts;
mod game;
mod matching;
mod model;
mod substitution;
#[cfg(test)]
mod tests;

use crate::program::{Predicate, Program};
use crate::term::Term;
use components::{Component, Dependencies};
pub use error::{MAX_DEPTH, MAX_SYMBOLS, ReferenceError};
use facts::Facts;
pub use game::{ReferenceGame, ReferenceMove};
use std::collections::BTreeSet;

/// The facts f with `true(f)`.
pub type State = BTreeSet<Term>;

/// What the rules say about a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    /// Whether the game is over.
    pub terminal: bool,
    /// The legal moves of each role, in the order of the roles.
    pub legal: Vec<BTreeSet<Term>>,
    /// All goal values that follow for each role, in the order of the roles.
    pub goals: Vec<BTreeSet<Term>>,
}

/// A game as a state machine.
pub struct Reference {
    roles: Vec<Term>,
    initial: State,
    /// The facts that hold in all states.
    constant: Facts,
    /// What has to be evaluated to know `terminal`, `legal` and `goal`, in this order.
    position: Vec<Component>,
    /// What has to be evaluated to know `next`, in this order.
    next: Vec<Component>,
}

const POSITION: [Predicate; 3] = [Predicate::Terminal, Predicate::Legal, Predicate::Goal];
const NEXT: [Predicate; 1] = [Predicate::Next];
const INITIAL: [Predicate; 1] = [Predicate::Init];

impl Reference {
    /// Prepares a game: evaluates what holds in all states.
    pub fn new(program: &Program) -> Result<Reference, ReferenceError> {
        let dependencies = Dependencies::of(program);
        let (constant, changing): (Vec<Component>, Vec<Component>) = dependencies
            .components(program)
            .into_iter()
            .partition(|component| is_constant(component, &dependencies));
        let questions = [&POSITION[..], &NEXT, &INITIAL].concat();
        let constant = evaluate(&needed(&questions, &constant, &dependencies), role_facts(program))?;
        Ok(Reference {
            roles: program.roles().to_vec(),
            initial: fluents(&constant, &Predicate::Init),
            position: needed(&POSITION, &changing, &dependencies),
            next: needed(&NEXT, &changing, &dependencies),
            constant,
        })
    }

    /// The roles in the order of their declaration.
    pub fn roles(&self) -> &[Term] {
        &self.roles
    }

    /// The state in which the game starts.
    pub fn initial(&self) -> State {
        self.initial.clone()
    }

    /// What the rules say about a state.
    pub fn position(&self, state: &State) -> Result<Position, ReferenceError> {
        let facts = evaluate(&self.position, self.facts_of(state))?;
        Ok(Position {
            terminal: !facts.tuples(&Predicate::Terminal).is_empty(),
            legal: self.by_role(&facts, &Predicate::Legal),
            goals: self.by_role(&facts, &Predicate::Goal),
        })
    }

    /// The state that follows when each role makes its move of `joint`, in the order of the roles. It is
    /// not asked whether the moves are legal.
    ///
    /// # Panics
    ///
    /// If there is not one move for each role.
    pub fn next(&self, state: &State, joint: &[Term]) -> Result<State, ReferenceError> {
        assert_eq!(joint.len(), self.roles.len(), "one move for each role");
        let mut facts = self.facts_of(state);
        for (role, action) in self.roles.iter().zip(joint) {
            facts.insert(&Predicate::Does, vec![role.clone(), action.clone()]);
        }
        let facts = evaluate(&self.next, facts)?;
        Ok(fluents(&facts, &Predicate::Next))
    }

    /// The constant facts and those of the state.
    fn facts_of(&self, state: &State) -> Facts {
        let mut facts = self.constant.clone();
        for fluent in state {
            facts.insert(&Predicate::True, vec![fluent.clone()]);
        }
        facts
    }

    /// The second arguments of a relation, for each role as the first argument.
    fn by_role(&self, facts: &Facts, predicate: &Predicate) -> Vec<BTreeSet<Term>> {
        let values_of = |role: &Term| {
            let tuples = facts.tuples(predicate).iter();
            tuples
                .filter(|tuple| tuple.first() == Some(role))
                .filter_map(|tuple| tuple.get(1).cloned())
                .collect()
        };
        self.roles.iter().map(values_of).collect()
    }
}

/// The facts of a state, sorted, separated by spaces.
pub fn print_state(state: &State) -> String {
    let facts: Vec<String> = state.iter().map(Term::to_string).collect();
    facts.join(" ")
}

/// Whether a component's relations are the same in all states.
fn is_constant(component: &Component, dependencies: &Dependencies) -> bool {
    let changes = |predicate| {
        dependencies.depends(predicate, &Predicate::True) || dependencies.depends(predicate, &Predicate::Does)
    };
    !component.predicates.iter().any(changes)
}

/// Those of the components on which the answer to a question depends.
fn needed(questions: &[Predicate], components: &[Component], dependencies: &Dependencies) -> Vec<Component> {
    let is_asked = |predicate: &Predicate| {
        questions
            .iter()
            .any(|asked| dependencies.depends(asked, predicate))
    };
    let is_needed = |component: &&Component| component.predicates.iter().any(is_asked);
    components.iter().filter(is_needed).cloned().collect()
}

/// `facts` with the models of the components, one after the other.
fn evaluate(components: &[Component], facts: Facts) -> Result<Facts, ReferenceError> {
    components
        .iter()
        .try_fold(facts, |facts, component| model::with_component(component, &facts))
}

/// `role(r)` for each role.
fn role_facts(program: &Program) -> Facts {
    let mut facts = Facts::default();
    for role in program.roles() {
        facts.insert(&Predicate::Role, vec![role.clone()]);
    }
    facts
}

/// The arguments of `init` or `next`.
fn fluents(facts: &Facts, predicate: &Predicate) -> State {
    facts
        .tuples(predicate)
        .iter()
        .filter_map(|tuple| tuple.first().cloned())
        .collect()
}
