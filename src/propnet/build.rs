//! Ground rules as gates.

use super::{Aig, GoalOutput, Lit, Propnet, initial, names};
use crate::ground::{AtomId, AtomMeaning, Component, GroundProgram};
use std::fmt;

/// Largest network that is built.
pub const MAX_GATES: usize = 20_000_000;

/// The network would have more than [`MAX_GATES`] gates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuildError {
    /// An atom of the component that was being unrolled.
    pub atom: String,
    /// Size of that component in atoms.
    pub component: usize,
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the network has more than {MAX_GATES} gates: `{}` is one of {} atoms that depend on each other",
            self.atom, self.component
        )
    }
}

impl std::error::Error for BuildError {}

/// One gate per rule and atom, as the rules say it.
pub(super) fn build(program: &GroundProgram) -> Result<Propnet, BuildError> {
    let inputs = program.fluents().len() + program.moves().len();
    let mut builder = Builder {
        program,
        aig: Aig::new(inputs),
        values: vec![Lit::FALSE; program.atoms().len()],
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

struct Builder<'p> {
    program: &'p GroundProgram,
    aig: Aig,
    /// What each atom is in the network.
    values: Vec<Lit>,
}

impl Builder<'_> {
    fn component(&mut self, component: &Component) -> Result<(), BuildError> {
        if !component.recursive {
            self.apply_rules(component);
            return Ok(());
        }
        // The least fixed point of n monotone functions is reached after n rounds from below; usually
        // the literals stop changing long before.
        for _ in component.atoms.clone() {
            if !self.apply_rules(component) {
                return Ok(());
            }
            if self.aig.gates().len() > MAX_GATES {
                let atom = self
                    .program
                    .display_atom(self.program.rule(component.rules.start).head)
                    .to_string();
                return Err(BuildError {
                    atom,
                    component: component.atoms.len(),
                });
            }
        }
        Ok(())
    }

    /// Evaluates the rules of a component once; tells whether any atom changed.
    fn apply_rules(&mut self, component: &Component) -> bool {
        let mut bodies: Vec<Vec<Lit>> = vec![Vec::new(); component.atoms.len()];
        for rule in component.rules.clone().map(|rule| self.program.rule(rule)) {
            let positive = rule.positive.iter().map(|atom| self.values[atom.index()]);
            let negative = rule.negative.iter().map(|atom| !self.values[atom.index()]);
            let literals = positive.chain(negative).collect();
            let body = self.aig.and_all(literals);
            bodies[rule.head.index() - component.atoms.start as usize].push(body);
        }
        let mut changed = false;
        for (body, atom) in bodies.into_iter().zip(component.atoms.clone()) {
            let value = self.aig.or_all(body);
            changed |= std::mem::replace(&mut self.values[atom as usize], value) != value;
        }
        changed
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
