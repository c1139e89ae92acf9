//! The engine `reference`: Definition 1 as it stands, with nothing but a memory of what was computed.
//!
//! It is the oracle for the other engines, meant for the reference reasoner, and shares no code with
//! them except the types of the question and the answer: its own enumeration of joint moves, its own
//! arithmetic in big fractions, no pruning, no threads. It only ever stops without a value.

use std::collections::{HashMap, HashSet};

use num_bigint::BigUint;
use num_rational::Ratio;
use num_traits::Zero;

use crate::game::{Game, GameError, Position};

use super::answer::{Answer, FirstMove, Interval, Note, Outcome, Refusal, Statistics, StopReason};
use super::fraction::Fraction;
use super::limits::Limits;
use super::question::{FirstMoves, Objective, Options, Question, SolveError};

/// The deepest recursion, in steps.
const DEEPEST: usize = 20_000;
/// The machine's stack for it.
const STACK: usize = 512 << 20;

/// Answers a question by the recursion of Definition 1.
pub(super) fn run<G: Game>(
    game: &G,
    question: &Question<G::State>,
    options: &Options,
) -> Result<Answer<G::State, G::Move>, SolveError> {
    let limits = Limits::new(options);
    std::thread::scope(|scope| {
        let recursion = std::thread::Builder::new()
            .stack_size(STACK)
            .spawn_scoped(scope, || {
                let mut reference = Reference::new(game, question, &limits);
                reference.answer(options.first_moves)
            });
        let thread = recursion.map_err(|error| SolveError::Threads(error.to_string()))?;
        thread
            .join()
            .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// Why the recursion ended without a value.
enum Break<S> {
    Refused(Refusal<S>),
    Stopped(StopReason),
    Failed(GameError),
}

impl<S> From<GameError> for Break<S> {
    fn from(error: GameError) -> Break<S> {
        Break::Failed(error)
    }
}

type Value = Ratio<BigUint>;

struct Reference<'a, G: Game> {
    game: &'a G,
    question: &'a Question<G::State>,
    limits: &'a Limits,
    known: HashMap<(G::State, Option<u32>), Value>,
    /// The states between the start and the current one, in order and as a set.
    path: Vec<G::State>,
    on_path: HashSet<G::State>,
    notes: Vec<Note<G::State>>,
    statistics: Statistics,
}

impl<'a, G: Game> Reference<'a, G> {
    fn new(game: &'a G, question: &'a Question<G::State>, limits: &'a Limits) -> Reference<'a, G> {
        Reference {
            game,
            question,
            limits,
            known: HashMap::new(),
            path: Vec::new(),
            on_path: HashSet::new(),
            notes: Vec::new(),
            statistics: Statistics::default(),
        }
    }

    fn answer(&mut self, first: FirstMoves) -> Result<Answer<G::State, G::Move>, SolveError> {
        let start = self.question.start_state(self.game);
        let value = self.value(&start, self.question.horizon);
        let (outcome, first_moves) = match value {
            Ok(_) if first == FirstMoves::Skip => (value, Ok(Vec::new())),
            Ok(_) => (value, self.first_moves(&start)),
            Err(_) => (value, Ok(Vec::new())),
        };
        let outcome = match outcome.and_then(|value| first_moves.map(|moves| (value, moves))) {
            Ok((value, moves)) => return Ok(self.finish(Outcome::Solved(value.into()), moves)),
            Err(Break::Refused(refusal)) => Outcome::Refused(refusal),
            Err(Break::Stopped(reason)) => Outcome::Stopped(self.everything(), reason),
            Err(Break::Failed(error)) => return Err(error.into()),
        };
        Ok(self.finish(outcome, Vec::new()))
    }

    fn finish(
        &mut self,
        outcome: Outcome<G::State>,
        first_moves: Vec<FirstMove<G::Move>>,
    ) -> Answer<G::State, G::Move> {
        let notes = std::mem::take(&mut self.notes);
        let statistics = Statistics {
            table_entries: self.known.len() as u64,
            ..self.statistics
        };
        Answer {
            outcome,
            first_moves,
            notes,
            statistics,
        }
    }

    /// The interval when nothing is known.
    fn everything(&self) -> Interval {
        Interval {
            lo: Fraction::whole(0),
            hi: Fraction::whole(self.question.objective.top().into()),
        }
    }

    /// P(S, n) of Definition 1.
    fn value(&mut self, state: &G::State, left: Option<u32>) -> Result<Value, Break<G::State>> {
        let key = (state.clone(), left);
        if let Some(value) = self.known.get(&key) {
            self.statistics.table_hits += 1;
            return Ok(value.clone());
        }
        self.enter(state, left)?;
        let value = self.compute(state, left)?;
        self.path.pop();
        self.on_path.remove(state);
        self.known.insert(key, value.clone());
        Ok(value)
    }

    fn compute(&mut self, state: &G::State, left: Option<u32>) -> Result<Value, Break<G::State>> {
        let mut position = Position::new(self.game.roles().len());
        self.game.look(state, &mut position)?;
        // 1. If S is in T then P(S, n) = 1 if (x, 100, S) is in g, else 0.
        if position.terminal {
            return self.worth(state, &position);
        }
        // 2. If S is not in T and n = 0 then P(S, n) = 0.
        if left == Some(0) {
            return Ok(Value::zero());
        }
        // 3. Otherwise the maximum over x's moves of the minimum over o's of the mean over r's.
        self.check(state, &position)?;
        let mut best: Option<Value> = None;
        for own in combinations(&[self.question.role], &position.legal) {
            let value = self.minimum(state, left, &position, &own)?;
            best = Some(best.map_or(value.clone(), |best| best.max(value)));
        }
        Ok(best.unwrap_or_default())
    }

    fn minimum(
        &mut self,
        state: &G::State,
        left: Option<u32>,
        position: &Position<G::Move>,
        own: &[(usize, G::Move)],
    ) -> Result<Value, Break<G::State>> {
        let mut least: Option<Value> = None;
        for other in combinations(&self.others(), &position.legal) {
            let value = self.mean(state, left, position, &[own, &other].concat())?;
            least = Some(least.map_or(value.clone(), |least| least.min(value)));
        }
        Ok(least.unwrap_or_default())
    }

    fn mean(
        &mut self,
        state: &G::State,
        left: Option<u32>,
        position: &Position<G::Move>,
        chosen: &[(usize, G::Move)],
    ) -> Result<Value, Break<G::State>> {
        let outcomes = combinations(&self.chance(), &position.legal);
        let mut sum = Value::zero();
        for outcome in &outcomes {
            let mut moves = [chosen, outcome].concat();
            moves.sort();
            let joint: Vec<G::Move> = moves.into_iter().map(|(_, mv)| mv).collect();
            let next = self.game.next(state, &joint)?;
            self.statistics.edges += 1;
            sum += self.value(&next, left.map(|left| left - 1))?;
        }
        Ok(sum / BigUint::from(outcomes.len()))
    }

    fn enter(&mut self, state: &G::State, left: Option<u32>) -> Result<(), Break<G::State>> {
        self.limits.poll();
        if let Some(reason) = self.limits.reached() {
            return Err(Break::Stopped(reason));
        }
        if self.path.len() >= DEEPEST {
            return Err(Break::Stopped(StopReason::Depth));
        }
        if left.is_none() && self.on_path.contains(state) {
            let cycle = self
                .path
                .iter()
                .skip_while(|other| *other != state)
                .cloned()
                .collect();
            return Err(Break::Refused(Refusal::Cycle(cycle)));
        }
        self.statistics.visited += 1;
        self.path.push(state.clone());
        self.on_path.insert(state.clone());
        Ok(())
    }

    fn worth(&mut self, state: &G::State, position: &Position<G::Move>) -> Result<Value, Break<G::State>> {
        let (state, role) = (state.clone(), self.question.role);
        let goals = position.goals[role];
        match (goals.len(), self.question.objective) {
            (0, _) => self.note(Note::NoGoal { state, role }),
            (1, _) => {}
            (_, Objective::Goal) => return Err(Break::Refused(Refusal::SeveralGoals { state, role })),
            _ => self.note(Note::SeveralGoals { state, role }),
        }
        let value = match self.question.objective {
            Objective::Win => u8::from(goals.contains(100)),
            Objective::Goal => goals.values().next().unwrap_or(0),
            Objective::AtLeast(bar) => u8::from(goals.values().any(|goal| goal >= bar)),
        };
        Ok(Value::from_integer(value.into()))
    }

    fn check(&mut self, state: &G::State, position: &Position<G::Move>) -> Result<(), Break<G::State>> {
        for (role, moves) in position.legal.iter().enumerate() {
            if moves.is_empty() {
                return Err(Break::Refused(Refusal::Stuck {
                    state: state.clone(),
                    role,
                }));
            }
        }
        let others_choose = self.others().iter().any(|&role| position.legal[role].len() > 1);
        if others_choose && position.legal[self.question.role].len() > 1 {
            self.note(Note::NotTurnTaking { state: state.clone() });
        }
        Ok(())
    }

    fn note(&mut self, note: Note<G::State>) {
        let same_kind = |other: &Note<_>| std::mem::discriminant(other) == std::mem::discriminant(&note);
        if !self.notes.iter().any(same_kind) {
            self.notes.push(note);
        }
    }

    fn first_moves(&mut self, start: &G::State) -> Result<Vec<FirstMove<G::Move>>, Break<G::State>> {
        let mut position = Position::new(self.game.roles().len());
        self.game.look(start, &mut position)?;
        let left = self.question.horizon;
        if position.terminal || left == Some(0) {
            return Ok(Vec::new());
        }
        let own = combinations(&[self.question.role], &position.legal);
        let others = combinations(&self.others(), &position.legal);
        let mut valued = Vec::new();
        if own.len() == 1 && others.len() > 1 {
            for other in others {
                valued.push((
                    self.mean(start, left, &position, &[&own[0][..], &other].concat())?,
                    other,
                ));
            }
            let least = valued.iter().map(|(value, _)| value.clone()).min();
            return Ok(rank(valued, least));
        }
        if own.len() == 1 && combinations(&self.chance(), &position.legal).len() > 1 {
            return Ok(Vec::new());
        }
        for own in own {
            valued.push((self.minimum(start, left, &position, &own)?, own));
        }
        let most = valued.iter().map(|(value, _)| value.clone()).max();
        Ok(rank(valued, most))
    }

    fn others(&self) -> Vec<usize> {
        let question = self.question;
        let roles = 0..self.game.roles().len();
        roles
            .filter(|role| *role != question.role && !question.chance.contains(role))
            .collect()
    }

    fn chance(&self) -> Vec<usize> {
        (0..self.game.roles().len())
            .filter(|role| self.question.chance.contains(role))
            .collect()
    }
}

fn rank<M>(valued: Vec<(Value, Vec<(usize, M)>)>, best: Option<Value>) -> Vec<FirstMove<M>> {
    let first_move = |(value, moves): (Value, Vec<(usize, M)>)| {
        let optimal = Some(&value) == best.as_ref();
        let value = Fraction::from(value);
        FirstMove {
            moves,
            optimal,
            value: Interval {
                lo: value.clone(),
                hi: value,
            },
        }
    };
    valued.into_iter().map(first_move).collect()
}

/// All joint moves of these roles, the last role varying fastest.
fn combinations<M: Copy>(roles: &[usize], legal: &[Vec<M>]) -> Vec<Vec<(usize, M)>> {
    roles.iter().fold(vec![Vec::new()], |all, &role| {
        let extended = |one: &Vec<(usize, M)>| {
            let one = one.clone();
            legal[role]
                .iter()
                .map(move |&mv| [&one[..], &[(role, mv)]].concat())
                .collect::<Vec<_>>()
        };
        all.iter().flat_map(extended).collect()
    })
}
