//! Two machines that should be the same game, played side by side.

use super::random::Random;
use emm::reference::{Position, Reference, State, print_state};
use emm::term::{Symbol, Term};
use std::collections::BTreeSet;
use std::time::Instant;

/// An answer, or why there is none.
pub type Answer<T> = Result<T, String>;

/// A game as a state machine over terms.
pub trait Machine {
    /// The roles in order.
    fn roles(&self) -> Vec<Term>;
    /// Where plays start.
    fn initial(&self) -> State;
    /// What the rules say about a state.
    fn position(&self, state: &State) -> Answer<Position>;
    /// The state after one move per role.
    fn next(&self, state: &State, joint: &[Term]) -> Answer<State>;
}

impl Machine for Reference {
    fn roles(&self) -> Vec<Term> {
        self.roles().to_vec()
    }

    fn initial(&self) -> State {
        self.initial()
    }

    fn position(&self, state: &State) -> Answer<Position> {
        self.position(state).map_err(|error| error.to_string())
    }

    fn next(&self, state: &State, joint: &[Term]) -> Answer<State> {
        self.next(state, joint).map_err(|error| error.to_string())
    }
}

/// A machine seen through other names: `inside` gives the name that the machine uses, `outside` is its
/// inverse.
pub struct Renamed<M, I, O> {
    /// The machine.
    pub machine: M,
    /// From our names to the machine's.
    pub inside: I,
    /// From the machine's names to ours.
    pub outside: O,
}

/// A term with every name replaced.
fn renamed(term: &Term, rename: &impl Fn(&str) -> String) -> Term {
    match term {
        Term::Variable(name) => Term::Variable(name.clone()),
        Term::Function(name, args) => {
            let args = args.iter().map(|arg| renamed(arg, rename)).collect();
            Term::Function(Symbol::new(&rename(name.as_str())), args)
        }
    }
}

fn renamed_all(terms: &BTreeSet<Term>, rename: &impl Fn(&str) -> String) -> BTreeSet<Term> {
    terms.iter().map(|term| renamed(term, rename)).collect()
}

impl<M: Machine, I: Fn(&str) -> String, O: Fn(&str) -> String> Machine for Renamed<M, I, O> {
    fn roles(&self) -> Vec<Term> {
        let roles = self.machine.roles();
        roles.iter().map(|role| renamed(role, &self.outside)).collect()
    }

    fn initial(&self) -> State {
        renamed_all(&self.machine.initial(), &self.outside)
    }

    fn position(&self, state: &State) -> Answer<Position> {
        let position = self.machine.position(&renamed_all(state, &self.inside))?;
        let by_role = |sets: &[BTreeSet<Term>]| -> Vec<_> {
            sets.iter().map(|set| renamed_all(set, &self.outside)).collect()
        };
        Ok(Position {
            terminal: position.terminal,
            legal: by_role(&position.legal),
            goals: by_role(&position.goals),
        })
    }

    fn next(&self, state: &State, joint: &[Term]) -> Answer<State> {
        let joint: Vec<Term> = joint.iter().map(|mv| renamed(mv, &self.inside)).collect();
        let next = self.machine.next(&renamed_all(state, &self.inside), &joint)?;
        Ok(renamed_all(&next, &self.outside))
    }
}

/// How far to play.
#[derive(Clone, Copy)]
pub struct Budget {
    /// Number of plays.
    pub plays: usize,
    /// Steps of one play.
    pub steps: usize,
    /// When to stop, whatever was asked for.
    pub deadline: Option<Instant>,
}

/// What was compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Compared {
    /// States, counted as often as they were met.
    pub states: usize,
    /// Those that were terminal.
    pub terminal: usize,
    /// Joint moves.
    pub steps: usize,
}

/// Why two machines are not known to be equal.
#[derive(Debug)]
pub enum Unequal {
    /// They differ: how, in the smallest state that was met.
    Differs(String),
    /// The oracle could not answer.
    NoOracle(String),
}

/// Plays at random by the oracle's rules, and compares everything as sets.
pub fn compare(
    oracle: &impl Machine,
    machine: &impl Machine,
    seed: u64,
    budget: Budget,
) -> Result<Compared, Unequal> {
    let mut play = Play {
        oracle,
        machine,
        random: Random::new(seed),
        compared: Compared::default(),
        smallest: None,
    };
    if oracle.roles() != machine.roles() {
        let message = format!("the roles are {:?}, not {:?}", machine.roles(), oracle.roles());
        return Err(Unequal::Differs(message));
    }
    play.set(
        "initial state",
        &machine.initial(),
        &oracle.initial(),
        &State::new(),
    );
    for _ in 0..budget.plays {
        play.once(budget).map_err(Unequal::NoOracle)?;
    }
    match play.smallest {
        Some((_, difference)) => Err(Unequal::Differs(difference)),
        None => Ok(play.compared),
    }
}

struct Play<'a, A, B> {
    oracle: &'a A,
    machine: &'a B,
    random: Random,
    compared: Compared,
    /// The difference in the state with the fewest facts.
    smallest: Option<(usize, String)>,
}

impl<A: Machine, B: Machine> Play<'_, A, B> {
    /// One play, until it ends, or is stuck, or the budget is spent.
    fn once(&mut self, budget: Budget) -> Answer<()> {
        let mut state = self.oracle.initial();
        for _ in 0..budget.steps {
            if budget.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                break;
            }
            let position = self.oracle.position(&state)?;
            self.position(&state, &position);
            let is_stuck = position.legal.iter().any(BTreeSet::is_empty);
            if position.terminal || is_stuck {
                break;
            }
            let joint = self.joint(&position);
            let next = self.oracle.next(&state, &joint)?;
            self.compared.steps += 1;
            match self.machine.next(&state, &joint) {
                Ok(found) => {
                    let moves: Vec<String> = joint.iter().map(Term::to_string).collect();
                    self.set(&format!("next after {}", moves.join(" ")), &found, &next, &state);
                }
                Err(error) => self.differ(&state, error),
            }
            state = next;
        }
        Ok(())
    }

    fn joint(&mut self, position: &Position) -> Vec<Term> {
        let choose = |moves: &BTreeSet<Term>| moves.iter().nth(self.random.below(moves.len())).cloned();
        position.legal.iter().filter_map(choose).collect()
    }

    fn position(&mut self, state: &State, expected: &Position) {
        self.compared.states += 1;
        self.compared.terminal += usize::from(expected.terminal);
        let found = match self.machine.position(state) {
            Ok(found) => found,
            Err(error) => return self.differ(state, error),
        };
        if found.terminal != expected.terminal {
            self.differ(state, format!("terminal is {}", found.terminal));
        }
        for (index, role) in self.oracle.roles().iter().enumerate() {
            self.set(
                &format!("legal {role}"),
                &found.legal[index],
                &expected.legal[index],
                state,
            );
            self.set(
                &format!("goal {role}"),
                &found.goals[index],
                &expected.goals[index],
                state,
            );
        }
    }

    fn set(&mut self, what: &str, found: &BTreeSet<Term>, expected: &BTreeSet<Term>, state: &State) {
        if found != expected {
            let (missing, extra) = (print_state(&(expected - found)), print_state(&(found - expected)));
            self.differ(state, format!("{what}: missing [{missing}], too much [{extra}]"));
        }
    }

    fn differ(&mut self, state: &State, difference: String) {
        if self.smallest.as_ref().is_none_or(|(size, _)| state.len() < *size) {
            let message = format!("in the state [{}]: {difference}", print_state(state));
            self.smallest = Some((state.len(), message));
        }
    }
}
