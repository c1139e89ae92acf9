//! Ground rules as gates.

use super::{Aig, GoalOutput, Lit, Propnet, initial, names};
use crate::ground::{AtomId, AtomMeaning, Component, GroundProgram};
use std::fmt;
use std::time::Instant;

/// How far building may go.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Gates, before any is dropped.
    pub max_gates: usize,
    /// When to give up.
    pub deadline: Option<Instant>,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            max_gates: 20_000_000,
            deadline: None,
        }
    }
}

impl Limits {
    /// The default, with this deadline.
    pub fn until(deadline: Option<Instant>) -> Limits {
        Limits {
            deadline,
            ..Limits::default()
        }
    }
}

/// A limit was reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuildError {
    /// Which one.
    pub limit: Limit,
    /// The atom that the work was at, or one of those it depends on in a circle.
    pub atom: String,
    /// How many atoms depend on each other there; 1 if the atom does not depend on itself.
    pub component: usize,
    /// Gates by then.
    pub gates: usize,
}

/// Which limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// [`Limits::max_gates`].
    Gates,
    /// [`Limits::deadline`].
    Time,
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let BuildError {
            atom,
            component,
            gates,
            ..
        } = self;
        match self.limit {
            Limit::Gates => write!(f, "the network has more than {gates} gates")?,
            Limit::Time => write!(f, "the time limit was reached when the network had {gates} gates")?,
        }
        match component {
            1 => write!(f, "; the next ones are those of `{atom}`"),
            _ => write!(
                f,
                ": `{atom}` is one of {component} atoms that depend on each other"
            ),
        }
    }
}

impl std::error::Error for BuildError {}

/// Rules between two looks at the limits.
const POLL_EVERY: usize = 1024;

/// One gate per rule and atom, as the rules say it.
pub(super) fn build(program: &GroundProgram, limits: &Limits) -> Result<Propnet, BuildError> {
    let inputs = program.fluents().len() + program.moves().len();
    let mut builder = Builder {
        program,
        limits,
        aig: Aig::new(inputs),
        values: vec![Lit::FALSE; program.atoms().len()],
        rules: 0,
    };
    for input in 0..inputs {
        // Fluents and moves are the first atoms, in the order of the network's inputs.
        builder.values[input] = builder.aig.input(input);
    }
    program
        .components()
        .iter()
        .try_for_each(|component| builder.component(component))?;
    Ok(builder.finish())
}

/// What a round of evaluation did to the atoms of a component.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Round {
    Same,
    Changed,
}

struct Builder<'p> {
    program: &'p GroundProgram,
    limits: &'p Limits,
    aig: Aig,
    /// What each atom is in the network.
    values: Vec<Lit>,
    /// Rules that were evaluated.
    rules: usize,
}

impl Builder<'_> {
    fn component(&mut self, component: &Component) -> Result<(), BuildError> {
        if !component.recursive {
            return self.apply_rules(component).map(|_| ());
        }
        // The least fixed point of n monotone functions is reached after n rounds from below; usually
        // the literals stop changing long before.
        for _ in component.atoms.clone() {
            if self.apply_rules(component)? == Round::Same {
                break;
            }
        }
        Ok(())
    }

    /// Evaluates the rules of a component once.
    fn apply_rules(&mut self, component: &Component) -> Result<Round, BuildError> {
        let mut bodies: Vec<Vec<Lit>> = vec![Vec::new(); component.atoms.len()];
        for rule in component.rules.clone().map(|rule| self.program.rule(rule)) {
            self.check_limits(component)?;
            let positive = rule.positive.iter().map(|atom| self.values[atom.index()]);
            let negative = rule.negative.iter().map(|atom| !self.values[atom.index()]);
            let literals = positive.chain(negative).collect();
            let body = self.aig.and_all(literals);
            bodies[rule.head.index() - component.atoms.start as usize].push(body);
        }
        let mut round = Round::Same;
        for (body, atom) in bodies.into_iter().zip(component.atoms.clone()) {
            let value = self.aig.or_all(body);
            if std::mem::replace(&mut self.values[atom as usize], value) != value {
                round = Round::Changed;
            }
        }
        Ok(round)
    }

    /// Looks at the limits now and then.
    fn check_limits(&mut self, component: &Component) -> Result<(), BuildError> {
        self.rules += 1;
        if !self.rules.is_multiple_of(POLL_EVERY) {
            return Ok(());
        }
        let Limits { max_gates, deadline } = *self.limits;
        let (limit, gates) = if self.aig.gates().len() > max_gates {
            (Limit::Gates, max_gates)
        } else if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            (Limit::Time, self.aig.gates().len())
        } else {
            return Ok(());
        };
        let head = self.program.rule(component.rules.start).head;
        Err(BuildError {
            limit,
            atom: self.program.display_atom(head).to_string(),
            component: component.atoms.len(),
            gates,
        })
    }

    fn finish(self) -> Propnet {
        let program = self.program;
        let (roles, fluents, moves) = names(program);
        let mut net = Propnet {
            roles,
            random: program.random(),
            initial: initial(program),
            next: vec![Lit::FALSE; fluents.len()],
            legal: vec![Lit::FALSE; moves.len()],
            terminal: Lit::FALSE,
            goals: Vec::new(),
            fluents,
            constant_fluents: Vec::new(),
            moves,
            aig: self.aig,
        };
        for (index, meaning) in program.atoms().iter().enumerate() {
            let holds = self.values[AtomId::new(index).index()];
            match meaning {
                AtomMeaning::Next(fluent) => net.next[fluent.index()] = holds,
                AtomMeaning::Legal(mv) => net.legal[mv.index()] = holds,
                AtomMeaning::Terminal => net.terminal = holds,
                AtomMeaning::Goal(role, value) => net.goals.push(GoalOutput {
                    role: *role,
                    value: *value,
                    holds,
                }),
                AtomMeaning::True(_) | AtomMeaning::Does(_) | AtomMeaning::Defined(..) => {}
            }
        }
        net.goals.sort_by_key(|goal| (goal.role, goal.value));
        net
    }
}
