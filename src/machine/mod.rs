//! [`Propnet`] → [`Machine`]: states as bitsets, moves as compiled transitions.
//!
//! The machine answers the questions of [`Game`] for one state at a time, and those of [`Batch`] for
//! many states at once; both evaluate the same network. A joint move is specialised when it first
//! occurs (`transition`): which moves can be legal together is then never a question.

mod batch;
mod bits;
mod code;
mod groups;
mod key;
mod lanes;
mod prove;
mod sample;
mod structure;
mod termination;
mod transition;

pub use batch::{Batch, LANES, Outcomes, Successors};
pub use bits::Bits;
use bits::bit_of;
pub use groups::Group;
pub use key::{GroupBroken, Key, KeyLayout};
pub use structure::{Choice, Structure};
pub use termination::Termination;

use crate::check::check;
use crate::diagnostic::{Diagnostic, any_error};
use crate::game::{Game, GameError, GoalSet, Position, Proven};
use crate::ground::{GroundError, Limits, MoveId, RoleId, ground};
use crate::propnet::{BuildError, Propnet, Reduction};
use crate::source::Source;
use crate::syntax;
use code::{Code, Part, value};
use dashmap::DashMap;
use smallvec::SmallVec;
use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt;
use std::ops::Range;
use std::sync::{Arc, OnceLock};
use transition::{Specialiser, Transition};

/// Most joint moves that are kept in specialised form; further ones use the general network.
const MAX_TRANSITIONS: usize = 1 << 20;

/// Joint moves up to which every one has its own slot in a table.
const MAX_DENSE: usize = 1 << 16;

thread_local! {
    /// Slots of the evaluation that is going on; kept to save an allocation per state.
    static SLOTS: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// A compiled game.
pub struct Machine {
    net: Propnet,
    reduction: Reduction,
    structure: Structure,
    layout: KeyLayout,
    /// `legal` of all moves, then `terminal`, then the goals.
    look: Code,
    /// `next` of all fluents, over fluents and moves.
    next: Code,
    /// Proven exclusive groups.
    exclusive: Vec<Vec<usize>>,
    /// The moves of each role, as positions in the network's moves.
    ranges: Vec<Range<usize>>,
    transitions: Transitions,
}

/// Specialised joint moves, made when they first occur.
enum Transitions {
    /// One slot per joint move.
    Dense(Vec<OnceLock<Box<Transition>>>),
    /// Too many joint moves for a slot each.
    Sparse(DashMap<JointMove, Arc<Transition>, ahash::RandomState>),
}

/// One move per role, as positions in the network's moves.
type JointMove = SmallVec<[u32; 4]>;

/// Why a game could not be compiled.
#[derive(Debug)]
pub enum LoadError {
    /// The text was refused; the diagnostics include warnings.
    Refused(Vec<Diagnostic>),
    /// Grounding reached a limit.
    Ground(GroundError),
    /// The network would be too large.
    Build(BuildError),
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LoadError::Refused(diagnostics) => {
                let first = diagnostics.iter().find(|diagnostic| diagnostic.is_error());
                f.write_str(first.map_or("the description was refused", |diagnostic| &diagnostic.message))
            }
            LoadError::Ground(error) => error.fmt(f),
            LoadError::Build(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for LoadError {}

impl Machine {
    /// Compiles a network.
    pub fn new(net: Propnet, reduction: Reduction) -> Machine {
        let outputs: Vec<_> = net
            .legal
            .iter()
            .copied()
            .chain([net.terminal])
            .chain(net.goals.iter().map(|goal| goal.holds))
            .collect();
        let look = Code::new(&net.aig, &outputs);
        let next = Code::new(&net.aig, &net.next);
        let samples = sample::states(&net, &look, &next);
        let structure = structure::find(&net, &samples);
        let proven: Vec<_> = structure.groups().iter().filter(|group| group.proven).collect();
        let layout = KeyLayout::new(net.fluents.len(), &proven);
        let exclusive = proven.iter().map(|group| group.fluents.clone()).collect();
        let ranges: Vec<_> = (0..net.roles.len())
            .map(|role| net.moves_of(RoleId::new(role)))
            .collect();
        let transitions = Transitions::new(&ranges);
        Machine {
            net,
            reduction,
            structure,
            layout,
            look,
            next,
            exclusive,
            ranges,
            transitions,
        }
    }

    /// From the text of a description to its machine, with default limits.
    pub fn load(source: Source) -> Result<Machine, LoadError> {
        let parsed = syntax::parse(Arc::new(source), None);
        if any_error(&parsed.diagnostics) {
            return Err(LoadError::Refused(parsed.diagnostics));
        }
        let checked = check(&parsed.description);
        let Some(program) = checked.program else {
            return Err(LoadError::Refused(checked.diagnostics));
        };
        let grounded = ground(&program, &Limits::default()).map_err(|error| match error {
            GroundError::Rejected(diagnostics) => LoadError::Refused(diagnostics),
            limit => LoadError::Ground(limit),
        })?;
        let (net, reduction) = Propnet::build(&grounded.program).map_err(LoadError::Build)?;
        Ok(Machine::new(net, reduction))
    }

    /// The network that it evaluates.
    pub fn net(&self) -> &Propnet {
        &self.net
    }

    /// What each reduction of the network gained.
    pub fn reduction(&self) -> &Reduction {
        &self.reduction
    }

    /// What was found out about the game.
    pub fn structure(&self) -> &Structure {
        &self.structure
    }

    /// How states are packed.
    pub fn layout(&self) -> &KeyLayout {
        &self.layout
    }

    /// The role that moves at random.
    pub fn random(&self) -> Option<usize> {
        self.net.random.map(RoleId::index)
    }

    /// Gates of the specialised joint move: for the successor alone, and with its outcome.
    pub fn transition_gates(&self, joint: &[MoveId]) -> (usize, usize) {
        self.with_transition(joint, |transition| {
            transition.map_or(
                (self.next.gates.len(), self.net.aig.gates().len()),
                |transition| {
                    (
                        transition.code.part(Part::First).1.len(),
                        transition.code.gates.len(),
                    )
                },
            )
        })
    }

    /// Calls `use_it` with the specialised joint move, or with `None` if it is not one move per role
    /// or if too many are kept already.
    fn with_transition<R>(&self, joint: &[MoveId], use_it: impl FnOnce(Option<&Transition>) -> R) -> R {
        let fits = |(range, mv): (&Range<usize>, &MoveId)| range.contains(&mv.index());
        if joint.len() != self.ranges.len() || !self.ranges.iter().zip(joint).all(fits) {
            return use_it(None);
        }
        match &self.transitions {
            Transitions::Dense(slots) => {
                let slot = &slots[dense_index(&self.ranges, joint)];
                use_it(Some(slot.get_or_init(|| Box::new(self.specialise(joint)))))
            }
            Transitions::Sparse(table) => {
                let key: JointMove = joint.iter().map(|mv| mv.index() as u32).collect();
                let known = table.get(&key).map(|entry| entry.clone());
                match known {
                    Some(transition) => use_it(Some(&transition)),
                    None if table.len() >= MAX_TRANSITIONS => use_it(None),
                    None => {
                        let made = Arc::new(self.specialise(joint));
                        table.insert(key, made.clone());
                        use_it(Some(&made))
                    }
                }
            }
        }
    }

    fn specialise(&self, joint: &[MoveId]) -> Transition {
        let positions: Vec<_> = joint.iter().map(|mv| mv.index()).collect();
        Specialiser::new(&self.net, &self.exclusive).transition(&positions)
    }

    /// The successor by the general network.
    fn next_unspecialised(&self, state: &Bits, joint: &[MoveId], slots: &mut Vec<u8>) -> Bits {
        let fluents = self.net.fluents.len();
        let is_made = |mv: usize| joint.iter().any(|made| made.index() == mv);
        self.next.run(
            Part::All,
            |i| {
                if i < fluents {
                    state.get(i)
                } else {
                    is_made(i - fluents)
                }
            },
            slots,
        );
        Bits::from_values(self.next.outputs.iter().map(|&output| value(slots, output)))
    }
}

impl Transitions {
    fn new(ranges: &[Range<usize>]) -> Transitions {
        let product = ranges
            .iter()
            .try_fold(1usize, |product, range| product.checked_mul(range.len()));
        match product.filter(|&product| product <= MAX_DENSE) {
            Some(product) => Transitions::Dense((0..product).map(|_| OnceLock::new()).collect()),
            None => Transitions::Sparse(DashMap::with_hasher(ahash::RandomState::with_seeds(1, 2, 3, 4))),
        }
    }
}

/// The joint move as a number whose digits are the moves of the roles.
fn dense_index(ranges: &[Range<usize>], joint: &[MoveId]) -> usize {
    let digits = ranges.iter().zip(joint);
    digits.fold(0, |index, (range, mv)| {
        index * range.len() + mv.index() - range.start
    })
}

impl Game for Machine {
    type State = Bits;
    type Move = MoveId;

    fn roles(&self) -> &[String] {
        &self.net.roles
    }

    fn initial(&self) -> Bits {
        Bits::from_values(self.net.initial.iter().copied())
    }

    fn look(&self, state: &Bits, position: &mut Position<MoveId>) -> Result<(), GameError> {
        SLOTS.with_borrow_mut(|slots| {
            let words = state.words();
            self.look.run(Part::All, |fluent| bit_of(words, fluent), slots);
            let (legal, outcome) = self.look.outputs.split_at(self.net.moves.len());
            position.terminal = value(slots, outcome[0]);
            position.goals.fill(GoalSet::default());
            for (goal, &output) in self.net.goals.iter().zip(&outcome[1..]) {
                if value(slots, output) {
                    position.goals[goal.role.index()].insert(goal.value);
                }
            }
            for (role, moves) in position.legal.iter_mut().enumerate() {
                moves.clear();
                let range = self.ranges[role].clone();
                moves.extend(range.filter(|&mv| value(slots, legal[mv])).map(MoveId::new));
            }
        });
        Ok(())
    }

    fn next(&self, state: &Bits, joint: &[MoveId]) -> Result<Bits, GameError> {
        Ok(SLOTS.with_borrow_mut(|slots| {
            self.with_transition(joint, |transition| match transition {
                Some(transition) => transition.apply(state, slots),
                None => self.next_unspecialised(state, joint, slots),
            })
        }))
    }

    fn facts(&self, state: &Bits) -> Vec<String> {
        let holding = state.ones().map(|fluent| self.net.fluents[fluent].clone());
        let mut facts: Vec<_> = holding.chain(self.net.constant_fluents.iter().cloned()).collect();
        facts.sort();
        facts
    }

    fn state(&self, facts: &[String]) -> Result<Bits, GameError> {
        let numbers: HashMap<&str, usize> = self
            .net
            .fluents
            .iter()
            .enumerate()
            .map(|(fluent, name)| (name.as_str(), fluent))
            .collect();
        let mut state = Bits::zero(self.net.fluents.len());
        for fact in facts {
            match numbers.get(fact.as_str()) {
                Some(&fluent) => state.set(fluent),
                None if self.net.constant_fluents.contains(fact) => {}
                None => return Err(GameError(format!("`{fact}` holds in no state of this game"))),
            }
        }
        match self
            .net
            .constant_fluents
            .iter()
            .find(|constant| !facts.contains(constant))
        {
            Some(missing) => Err(GameError(format!(
                "`{missing}` holds in every state of this game"
            ))),
            None => Ok(state),
        }
    }

    fn move_name(&self, _role: usize, mv: MoveId) -> String {
        self.net
            .moves
            .get(mv.index())
            .map_or_else(String::new, |named| named.name.clone())
    }

    fn proven(&self) -> Proven {
        self.structure.proven()
    }
}
