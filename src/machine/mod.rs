//! [`Propnet`] → [`Machine`]: states as bitsets, moves as compiled transitions.
//!
//! The machine answers the questions of [`Game`] for one state at a time, and those of [`Batch`] for
//! many states at once; both evaluate the same network. A joint move is specialised when it first
//! occurs (`transition`): which moves can be legal together is then never a question.

mod batch;
mod bits;
mod code;
mod cubes;
mod emit;
mod groups;
mod key;
mod lanes;
pub mod packed;
mod prove;
mod sample;
mod structure;
mod termination;
mod transition;
mod transitions;
mod vectors;

pub use batch::{Batch, LANES, Outcomes, Successors};
pub use bits::Bits;
pub use groups::Group;
pub use key::{GroupBroken, Key, KeyLayout};
pub use structure::{Choice, Structure};
pub use termination::Termination;

use crate::check::check;
use crate::diagnostic::{Diagnostic, any_error};
use crate::game::{Game, GameError, GoalSet, Position, Proven};
use crate::ground::{GroundError, GroundProgram, Limits, MoveId, RoleId, ground};
use crate::propnet::{BuildError, Propnet, Reduction};
use crate::source::Source;
use crate::symmetry::Symmetries;
use crate::syntax;
use bits::{bit_of, ones_within};
use code::{Code, Part};
use std::collections::HashMap;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;
use transition::{Specialiser, Transition};
use transitions::Transitions;

/// The name of the vectors that bit-sliced evaluation uses on this processor.
pub fn vectors() -> &'static str {
    vectors::Vectors::detect().name()
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
    symmetries: Vec<Vec<u32>>,
}

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
        let look = Code::new(&net.aig, net.fluents.len(), &outputs, outputs.len());
        let look = look.for_one(&net.aig, &outputs);
        let next = Code::new(&net.aig, net.aig.inputs(), &net.next, net.next.len());
        let next = next.for_one(&net.aig, &net.next);
        let samples = sample::states(&net, &look, &next);
        let structure = structure::find(&net, &samples);
        let proven: Vec<_> = structure.groups().iter().filter(|group| group.proven).collect();
        let layout = KeyLayout::new(net.fluents.len(), &proven);
        let exclusive = proven.iter().map(|group| group.fluents.clone()).collect();
        let ranges: Vec<_> = (0..net.roles.len())
            .map(|role| net.moves_of(RoleId::new(role)))
            .collect();
        let transitions = Transitions::new(ranges.clone());
        log::debug!(
            "machine: {} groups of fluents are proven, a state takes {} bits, vectors {}",
            proven.len(),
            layout.bits(),
            vectors()
        );
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
            symmetries: Vec::new(),
        }
    }

    /// The same machine, which knows these symmetries of its network.
    pub fn with_symmetries(self, symmetries: &Symmetries) -> Machine {
        let elements = symmetries.elements().iter();
        Machine {
            symmetries: elements.map(|symmetry| symmetry.fluents.clone()).collect(),
            ..self
        }
    }

    /// The known symmetries: a group of permutations of the fluents. Empty if none were looked for.
    pub fn symmetries(&self) -> &[Vec<u32>] {
        &self.symmetries
    }

    /// From the text of a description to its machine, with default limits.
    pub fn load(source: Source) -> Result<Machine, LoadError> {
        let grounded = Machine::load_rules(source)?;
        let (net, reduction) = Propnet::build(&grounded).map_err(LoadError::Build)?;
        Ok(Machine::new(net, reduction))
    }

    /// As [`Machine::load`], with the symmetries that are found.
    pub fn load_with_symmetries(source: Source) -> Result<Machine, LoadError> {
        let grounded = Machine::load_rules(source)?;
        let (net, reduction) = Propnet::build(&grounded).map_err(LoadError::Build)?;
        let symmetries = Symmetries::find(&grounded, &net, &Default::default());
        Ok(Machine::new(net, reduction).with_symmetries(&symmetries))
    }

    fn load_rules(source: Source) -> Result<GroundProgram, LoadError> {
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
        Ok(grounded.program)
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
        let specialise = || {
            let positions: Vec<_> = joint.iter().map(|mv| mv.index()).collect();
            Specialiser::new(&self.net, &self.exclusive).transition(&positions)
        };
        self.transitions.with(joint, specialise, use_it)
    }

    /// The successor by the general network.
    fn next_unspecialised(&self, state: &Bits, joint: &[MoveId]) -> Bits {
        let known = joint.iter().filter(|mv| mv.index() < self.net.moves.len());
        let inputs = step_inputs(&self.net, state, known.map(|mv| mv.index()));
        let next = |holds: &[u64]| Bits::from_words(self.net.fluents.len(), holds);
        self.next.evaluate(inputs.words(), next)
    }
}

/// The inputs of the network when these moves are made in this state.
fn step_inputs(net: &Propnet, state: &Bits, moves: impl Iterator<Item = usize>) -> Bits {
    let mut inputs = Bits::from_words(net.aig.inputs(), state.words());
    moves.for_each(|mv| inputs.set(net.fluents.len() + mv));
    inputs
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
        self.look.evaluate(state.words(), |holds| {
            let terminal = self.net.moves.len();
            position.terminal = bit_of(holds, terminal);
            position.goals.fill(GoalSet::default());
            for (number, goal) in self.net.goals.iter().enumerate() {
                if bit_of(holds, terminal + 1 + number) {
                    position.goals[goal.role.index()].insert(goal.value);
                }
            }
            for (range, moves) in self.ranges.iter().zip(&mut position.legal) {
                moves.clear();
                ones_within(holds, range.clone(), |mv| moves.push(MoveId::new(mv)));
            }
        });
        Ok(())
    }

    fn next(&self, state: &Bits, joint: &[MoveId]) -> Result<Bits, GameError> {
        let mut next = state.clone();
        self.with_transition(joint, |transition| match transition {
            Some(transition) => transition.apply(state, &mut next),
            None => next = self.next_unspecialised(state, joint),
        });
        Ok(next)
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
