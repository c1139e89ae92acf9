//! The check before the search: is the question one that the game can answer?
//!
//! All reachable states are looked at once, by one thread in a fixed order, so that the witnesses are
//! always the same ones. Without horizon the order is depth first, which finds cycles; with a horizon
//! it is breadth first, which reaches every state by a shortest way and so looks at exactly the states
//! that are within the horizon. Neither uses the machine's stack.

use std::collections::hash_map::Entry;

use ahash::{AHashMap, AHashSet};

use crate::game::{Game, GameError, Position};

use super::answer::{Note, Refusal};
use super::limits::{Limits, table_bytes};
use super::position::{Sides, joint_count, successors};
use super::question::{Objective, Question};
use std::sync::atomic::Ordering;

/// What the check found.
pub(super) struct Findings<S> {
    pub(super) refusal: Option<Refusal<S>>,
    pub(super) notes: Vec<Note<S>>,
    pub(super) longest_play: Option<u32>,
    pub(super) states: u64,
}

impl<S> Findings<S> {
    /// What is known without looking at a state.
    pub(super) fn unchecked(longest_play: Option<u32>) -> Findings<S> {
        Findings {
            refusal: None,
            notes: Vec::new(),
            longest_play,
            states: 0,
        }
    }
}

/// Checks the game as far as the question reaches. If a limit is reached, the findings are incomplete.
pub(super) fn explore<G: Game>(
    game: &G,
    question: &Question<G::State>,
    limits: &Limits,
) -> Result<Findings<G::State>, GameError> {
    explore_within(game, question, limits, u64::MAX).map(|(findings, _)| findings)
}

/// As [`explore`], but gives up where the states that were met take more bytes than this; tells whether it did.
pub(super) fn explore_within<G: Game>(
    game: &G,
    question: &Question<G::State>,
    limits: &Limits,
    budget: u64,
) -> Result<(Findings<G::State>, bool), GameError> {
    let roles = game.roles().len();
    let mut explorer = Explorer {
        game,
        question,
        limits,
        sides: Sides::new(question, roles),
        position: Position::new(roles),
        findings: Findings::unchecked(None),
        bytes: 0,
        budget,
    };
    let start = question.start_state(game);
    match question.horizon {
        Some(horizon) => explorer.breadth_first(start, horizon)?,
        None => explorer.depth_first(start)?,
    }
    let gave_up = explorer.gives_up();
    Ok((explorer.findings, gave_up))
}

struct Explorer<'a, G: Game> {
    game: &'a G,
    question: &'a Question<G::State>,
    limits: &'a Limits,
    sides: Sides,
    position: Position<G::Move>,
    findings: Findings<G::State>,
    bytes: u64,
    budget: u64,
}

/// How far the depth-first walk is with a state.
enum Mark {
    /// It is on the current path, at this place.
    Open(usize),
    /// All plays from it are known; the longest takes so many steps.
    Closed(u32),
}

/// The states that the depth-first walk has met: a state's place in `all`, by state.
struct Marks<S> {
    places: AHashMap<S, usize>,
    all: Vec<Mark>,
}

/// A state on the current path.
struct Frame<S> {
    state: S,
    /// Its place among the marks.
    place: usize,
    /// The successors that are still to be visited, the next one last.
    waiting: Vec<S>,
    /// The number of steps of the longest play known from here.
    longest: u32,
}

impl<G: Game> Explorer<'_, G> {
    fn depth_first(&mut self, start: G::State) -> Result<(), GameError> {
        let mut marks = Marks {
            places: AHashMap::new(),
            all: Vec::new(),
        };
        let mut path = Vec::new();
        self.visit(start, &mut marks, &mut path)?;
        while let Some(frame) = path.last_mut() {
            if self.is_over() {
                return Ok(());
            }
            match frame.waiting.pop() {
                Some(next) => self.visit(next, &mut marks, &mut path)?,
                None => {
                    let longest = frame.longest;
                    marks.all[frame.place] = Mark::Closed(longest);
                    path.pop();
                    self.report_longest(&mut path, longest);
                }
            }
        }
        Ok(())
    }

    /// Takes a step of the walk from the last state of the path to a successor of it.
    fn visit(
        &mut self,
        state: G::State,
        marks: &mut Marks<G::State>,
        path: &mut Vec<Frame<G::State>>,
    ) -> Result<(), GameError> {
        let place = match marks.places.entry(state) {
            Entry::Vacant(vacant) => {
                let place = marks.all.len();
                let state = vacant.key().clone();
                vacant.insert(place);
                marks.all.push(Mark::Open(path.len()));
                return self.enter(state, place, path);
            }
            Entry::Occupied(known) => *known.get(),
        };
        match marks.all[place] {
            Mark::Closed(steps) => {
                if let Some(frame) = path.last_mut() {
                    frame.longest = frame.longest.max(steps.saturating_add(1));
                }
            }
            Mark::Open(first) => {
                let cycle = path[first..].iter().map(|frame| frame.state.clone()).collect();
                self.findings.refusal = Some(Refusal::Cycle(cycle));
            }
        }
        Ok(())
    }

    fn enter(
        &mut self,
        state: G::State,
        place: usize,
        path: &mut Vec<Frame<G::State>>,
    ) -> Result<(), GameError> {
        let mut waiting = self.look(&state)?.unwrap_or_default();
        waiting.reverse();
        self.count(&state, size_of::<(G::State, usize, Mark)>(), path.len());
        path.push(Frame {
            state,
            place,
            waiting,
            longest: 0,
        });
        Ok(())
    }

    /// Tells the state before, or the findings if there is none, how long plays can be.
    fn report_longest(&mut self, path: &mut [Frame<G::State>], longest: u32) {
        match path.last_mut() {
            Some(parent) => parent.longest = parent.longest.max(longest.saturating_add(1)),
            None => self.findings.longest_play = Some(longest),
        }
    }

    fn breadth_first(&mut self, start: G::State, horizon: u32) -> Result<(), GameError> {
        let mut seen = AHashSet::from_iter([start.clone()]);
        let mut layer = vec![start];
        for depth in 0..=horizon {
            let mut next_layer = Vec::new();
            for state in &layer {
                if self.is_over() {
                    return Ok(());
                }
                self.count(state, 2 * size_of::<G::State>(), depth as usize);
                let next = if depth < horizon {
                    self.look(state)?
                } else {
                    self.look_at_last(state)?
                };
                next_layer.extend(
                    next.into_iter()
                        .flatten()
                        .filter(|next| seen.insert(next.clone())),
                );
            }
            if next_layer.is_empty() {
                break;
            }
            layer = next_layer;
        }
        Ok(())
    }

    /// Looks at a state: what is wrong with it, and its successors if there are any, and time to find them.
    fn look(&mut self, state: &G::State) -> Result<Option<Vec<G::State>>, GameError> {
        self.game.look(state, &mut self.position)?;
        if self.position.terminal {
            self.check_goals(state);
            return Ok(None);
        }
        if let Some(role) = self.position.legal.iter().position(Vec::is_empty) {
            self.findings.refusal = Some(Refusal::Stuck {
                state: state.clone(),
                role,
            });
            return Ok(None);
        }
        let has_choice = |roles: &[usize]| joint_count(roles, &self.position.legal) != Some(1);
        if has_choice(&self.sides.own) && has_choice(&self.sides.others) {
            self.note(Note::NotTurnTaking { state: state.clone() });
        }
        let successors = successors(self.game, &self.sides, state, &self.position, self.limits)?;
        Ok(successors.map(|successors| successors.states))
    }

    /// Looks at a state with no steps left: only its goals matter, if it is terminal.
    fn look_at_last(&mut self, state: &G::State) -> Result<Option<Vec<G::State>>, GameError> {
        self.game.look(state, &mut self.position)?;
        if self.position.terminal {
            self.check_goals(state);
        }
        Ok(None)
    }

    fn check_goals(&mut self, state: &G::State) {
        let role = self.question.role;
        let state = state.clone();
        match (self.position.goals[role].len(), self.question.objective) {
            (0, _) => self.note(Note::NoGoal { state, role }),
            (1, _) => {}
            (_, Objective::Goal) => self.findings.refusal = Some(Refusal::SeveralGoals { state, role }),
            _ => self.note(Note::SeveralGoals { state, role }),
        }
    }

    /// Keeps the first note of a kind.
    fn note(&mut self, note: Note<G::State>) {
        let same_kind = |other: &Note<_>| std::mem::discriminant(other) == std::mem::discriminant(&note);
        if !self.findings.notes.iter().any(same_kind) {
            self.findings.notes.push(note);
        }
    }

    fn count(&mut self, state: &G::State, entry: usize, depth: usize) {
        self.findings.states += 1;
        self.bytes += table_bytes(entry) + self.game.heap_bytes(state) as u64;
        if !self.gives_up() {
            self.limits.allow(self.bytes);
        }
        let progress = &self.limits.progress;
        progress.explored.store(self.findings.states, Ordering::Relaxed);
        progress.depth.fetch_max(depth as u64, Ordering::Relaxed);
        if self.findings.states % 64 == 1 {
            self.limits.poll();
        }
    }

    fn is_over(&self) -> bool {
        self.findings.refusal.is_some() || self.gives_up() || self.limits.reached().is_some()
    }

    fn gives_up(&self) -> bool {
        self.bytes > self.budget
    }
}
