//! [`ReferenceGame`]: the oracle behind the trait that solvers use.
//!
//! States are the oracle's own. Solvers want moves that can be copied, so a move is the number of its
//! term in a table that grows as moves are met; moves met in one state get their numbers in the order
//! of their terms.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use super::{Reference, ReferenceError, State};
use crate::game::{Game, GameError, Position};
use crate::source::Source;
use crate::syntax::{Clause, Syntax, parse};
use crate::term::Term;

/// The reference reasoner as a [`Game`].
pub struct ReferenceGame {
    reference: Reference,
    roles: Vec<String>,
    moves: RwLock<Moves>,
}

/// The number of a move's term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ReferenceMove(u32);

/// The terms that were met as moves.
#[derive(Default)]
struct Moves {
    numbers: HashMap<Term, ReferenceMove>,
    terms: Vec<Term>,
}

impl ReferenceGame {
    /// Puts the oracle behind the trait.
    pub fn new(reference: Reference) -> ReferenceGame {
        let roles = reference.roles().iter().map(Term::to_string).collect();
        ReferenceGame {
            reference,
            roles,
            moves: RwLock::default(),
        }
    }

    fn number(&self, term: &Term) -> ReferenceMove {
        let known = self
            .moves
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .numbers
            .get(term)
            .copied();
        known.unwrap_or_else(|| {
            self.moves
                .write()
                .unwrap_or_else(PoisonError::into_inner)
                .add(term)
        })
    }

    fn term(&self, mv: ReferenceMove) -> Option<Term> {
        let moves = self.moves.read().unwrap_or_else(PoisonError::into_inner);
        moves.terms.get(mv.0 as usize).cloned()
    }
}

impl Moves {
    fn add(&mut self, term: &Term) -> ReferenceMove {
        // Another thread may have added it in the meantime.
        let fresh = ReferenceMove(self.terms.len() as u32);
        let number = *self.numbers.entry(term.clone()).or_insert(fresh);
        if number == fresh {
            self.terms.push(term.clone());
        }
        number
    }
}

impl Game for ReferenceGame {
    type State = State;
    type Move = ReferenceMove;

    fn roles(&self) -> &[String] {
        &self.roles
    }

    fn initial(&self) -> State {
        self.reference.initial()
    }

    fn look(&self, state: &State, position: &mut Position<ReferenceMove>) -> Result<(), GameError> {
        let seen = self.reference.position(state)?;
        position.terminal = seen.terminal;
        position.goals = seen
            .goals
            .iter()
            .map(|values| values.iter().filter_map(goal_value).collect())
            .collect();
        position.legal.clear();
        for terms in &seen.legal {
            let mut moves: Vec<ReferenceMove> = terms.iter().map(|term| self.number(term)).collect();
            moves.sort();
            position.legal.push(moves);
        }
        Ok(())
    }

    fn next(&self, state: &State, joint: &[ReferenceMove]) -> Result<State, GameError> {
        let terms: Option<Vec<Term>> = joint.iter().map(|&mv| self.term(mv)).collect();
        match terms {
            Some(terms) if terms.len() == self.roles.len() => Ok(self.reference.next(state, &terms)?),
            _ => Err(GameError("a joint move is one legal move for each role".into())),
        }
    }

    fn facts(&self, state: &State) -> Vec<String> {
        let mut facts: Vec<String> = state.iter().map(Term::to_string).collect();
        facts.sort();
        facts
    }

    /// The oracle does not know which facts can ever hold: every ground term is taken.
    fn state(&self, facts: &[String]) -> Result<State, GameError> {
        facts.iter().map(|fact| read_fact(fact)).collect()
    }

    fn move_name(&self, _role: usize, mv: ReferenceMove) -> String {
        self.term(mv)
            .map_or_else(|| format!("move {}", mv.0), |term| term.to_string())
    }

    fn heap_bytes(&self, state: &State) -> usize {
        state.iter().map(term_bytes).sum()
    }
}

/// A goal value as GDL has them; any other term is none.
fn goal_value(term: &Term) -> Option<u8> {
    match term {
        Term::Function(name, args) if args.is_empty() => name.as_str().parse().ok(),
        _ => None,
    }
}

/// The bytes of a term in a set, roughly: sets of this kind are about two thirds full.
fn term_bytes(term: &Term) -> usize {
    let inner = match term {
        Term::Variable(_) => 0,
        Term::Function(_, args) => args.iter().map(term_bytes).sum(),
    };
    size_of::<Term>() * 3 / 2 + inner
}

/// Reads a ground term in prefix notation.
fn read_fact(fact: &str) -> Result<Term, GameError> {
    let source = Arc::new(Source::new("fact", format!("(init {fact}\n)")));
    let parsed = parse(source, Some(Syntax::Kif));
    let is_wrong = parsed.diagnostics.iter().any(|diagnostic| diagnostic.is_error());
    match &parsed.description.clauses[..] {
        [Clause { head, body, .. }] if !is_wrong && body.is_empty() => match &head.args[..] {
            [term] if term.is_ground() => Ok(term.clone()),
            _ => Err(unreadable(fact)),
        },
        _ => Err(unreadable(fact)),
    }
}

fn unreadable(fact: &str) -> GameError {
    GameError(format!("`{fact}` is not a fact in prefix notation"))
}

impl From<ReferenceError> for GameError {
    fn from(error: ReferenceError) -> GameError {
        GameError(error.to_string())
    }
}
