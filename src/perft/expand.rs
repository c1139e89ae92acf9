//! Who computes the successors: any [`Game`] state by state, or the machine many states at a time.

use super::Tally;
use super::count::Count;
use crate::game::{Game, GameError, GoalSet, Position};
use crate::ground::{MoveId, RoleId};
use crate::machine::{Batch, Bits, LANES, Machine};
use std::hash::Hash;
use std::ops::ControlFlow;

/// Called with the position of a state in the list that is expanded, and with a successor of it; says
/// whether more of them are wanted.
pub type Visit<'v, S> = &'v mut dyn FnMut(usize, S) -> ControlFlow<()>;

/// A game that can be walked breadth first.
pub trait Expander {
    /// A complete state.
    type State: Clone + Eq + Hash;

    /// Where plays start.
    fn initial(&self) -> Self::State;

    /// The most states that [`Expander::expand`] should be given at once.
    fn chunk(&self) -> usize;

    /// Tallies states and, if `visit` is there, calls it with the successor under each joint move; if it breaks
    /// off, the tally is not complete.
    fn expand(
        &mut self,
        states: &[Self::State],
        tally: &mut Tally,
        visit: Option<Visit<'_, Self::State>>,
    ) -> Result<(), GameError>;

    /// The bytes that a state owns outside of itself.
    fn heap_bytes(&self, state: &Self::State) -> usize;
}

/// Any game, one state at a time.
pub struct Scalar<'g, G: Game> {
    game: &'g G,
    position: Position<G::Move>,
    joint: Vec<G::Move>,
}

impl<'g, G: Game> Scalar<'g, G> {
    /// Walks this game.
    pub fn new(game: &'g G) -> Scalar<'g, G> {
        Scalar {
            game,
            position: Position::new(game.roles().len()),
            joint: Vec::new(),
        }
    }

    /// Visits the successors of a state for the choices of this role and of all after it.
    fn successors(
        &mut self,
        role: usize,
        state: &G::State,
        visit: &mut dyn FnMut(G::State) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, GameError> {
        if role == self.position.legal.len() {
            return Ok(visit(self.game.next(state, &self.joint)?));
        }
        for choice in 0..self.position.legal[role].len() {
            self.joint.push(self.position.legal[role][choice]);
            let done = self.successors(role + 1, state, visit);
            self.joint.pop();
            if done?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }
}

impl<G: Game> Expander for Scalar<'_, G> {
    type State = G::State;

    fn initial(&self) -> G::State {
        self.game.initial()
    }

    fn chunk(&self) -> usize {
        // The reference may need a long time for one state, and limits are looked at between chunks.
        1
    }

    fn expand(
        &mut self,
        states: &[G::State],
        tally: &mut Tally,
        mut visit: Option<Visit<'_, G::State>>,
    ) -> Result<(), GameError> {
        for (at, state) in states.iter().enumerate() {
            self.game.look(state, &mut self.position)?;
            if self.position.terminal {
                tally.terminal(&self.position.goals);
                continue;
            }
            tally.open(Count::product(self.position.legal.iter().map(Vec::len)));
            if let Some(visit) = &mut visit
                && self.successors(0, state, &mut |next| visit(at, next))?.is_break()
            {
                break;
            }
        }
        Ok(())
    }

    fn heap_bytes(&self, state: &G::State) -> usize {
        self.game.heap_bytes(state)
    }
}

/// The machine, bit-sliced.
pub struct Sliced<'m> {
    machine: &'m Machine,
    batch: Batch<'m>,
}

impl<'m> Sliced<'m> {
    /// Walks this machine's game.
    pub fn new(machine: &'m Machine) -> Sliced<'m> {
        Sliced {
            machine,
            batch: Batch::new(machine),
        }
    }

    fn tally(&self, tally: &mut Tally) {
        let mut is_terminal = [false; LANES];
        self.batch.terminal().for_each(|at| is_terminal[at] = true);
        let legal = self.legal_counts();
        let goals = self.goals();
        for at in 0..self.batch.len() {
            if is_terminal[at] {
                tally.terminal(&goals[at]);
            } else {
                tally.open(Count::product(legal.iter().map(|counts| counts[at])));
            }
        }
    }

    /// Per role: the number of its legal moves in each state.
    fn legal_counts(&self) -> Vec<[usize; LANES]> {
        let net = self.machine.net();
        let mut legal = vec![[0; LANES]; net.roles.len()];
        for (role, counts) in legal.iter_mut().enumerate() {
            for mv in net.moves_of(RoleId::new(role)) {
                self.batch.legal(MoveId::new(mv)).for_each(|at| counts[at] += 1);
            }
        }
        legal
    }

    /// Per state: the goals of each role.
    fn goals(&self) -> Vec<Vec<GoalSet>> {
        let net = self.machine.net();
        let mut goals = vec![vec![GoalSet::default(); net.roles.len()]; self.batch.len()];
        for (number, goal) in net.goals.iter().enumerate() {
            self.batch
                .goal(number)
                .for_each(|at| goals[at][goal.role.index()].insert(goal.value));
        }
        goals
    }
}

impl Expander for Sliced<'_> {
    type State = Bits;

    fn initial(&self) -> Bits {
        self.machine.initial()
    }

    fn chunk(&self) -> usize {
        LANES
    }

    fn expand(
        &mut self,
        states: &[Bits],
        tally: &mut Tally,
        visit: Option<Visit<'_, Bits>>,
    ) -> Result<(), GameError> {
        self.batch.load(states);
        self.tally(tally);
        if let Some(visit) = visit {
            self.batch.expand(|successors| {
                let mut states = successors.states.iter().enumerate();
                states.try_for_each(|(index, &at)| {
                    let words = successors.words(index);
                    let mut next = Bits::zero(words.len() * 64);
                    next.words_mut().copy_from_slice(words);
                    visit(at, next)
                })
            });
        }
        Ok(())
    }

    fn heap_bytes(&self, state: &Bits) -> usize {
        let bytes = size_of_val(state.words());
        if bytes > size_of::<Bits>() { bytes } else { 0 }
    }
}
