//! A ground program as a state machine, evaluated in the most obvious way.

use super::machines::{Answer, Machine};
use emm::ground::{AtomId, AtomMeaning, Component, FluentId, GroundProgram, MoveId, TermId};
use emm::reference::{Position, State};
use emm::term::Term;
use std::collections::HashMap;

/// A ground program with its inputs by term.
pub struct Naive<'a> {
    program: &'a GroundProgram,
    roles: Vec<Term>,
    fluents: HashMap<Term, FluentId>,
    moves: HashMap<(usize, Term), MoveId>,
}

impl<'a> Naive<'a> {
    /// Makes a machine of a ground program.
    pub fn new(program: &'a GroundProgram) -> Naive<'a> {
        let term = |&id: &TermId| program.terms().term(id);
        let fluents = program.fluents().iter().map(term);
        let moves = program.moves().iter().map(|mv| (mv.role.index(), term(&mv.term)));
        Naive {
            program,
            roles: program.roles().iter().map(term).collect(),
            fluents: fluents.enumerate().map(|(n, f)| (f, FluentId::new(n))).collect(),
            moves: moves.enumerate().map(|(n, m)| (m, MoveId::new(n))).collect(),
        }
    }

    fn term(&self, id: TermId) -> Term {
        self.program.terms().term(id)
    }

    /// Which atoms hold of a state alone, before any rule was applied.
    fn inputs(&self, state: &State) -> Answer<Vec<bool>> {
        let mut holds = vec![false; self.program.atoms().len()];
        for fluent in state {
            let id = self.fluents.get(fluent);
            let id = id.ok_or_else(|| format!("the ground program has no fluent {fluent}"))?;
            holds[self.program.true_atom(*id).index()] = true;
        }
        Ok(holds)
    }

    /// Applies the rules, component by component.
    fn model(&self, mut holds: Vec<bool>) -> Vec<bool> {
        for component in self.program.components() {
            while self.apply(component, &mut holds) {}
        }
        holds
    }

    /// Applies each rule of a component once; tells whether something followed.
    fn apply(&self, component: &Component, holds: &mut [bool]) -> bool {
        let mut is_new = false;
        for rule in component.rules.clone().map(|index| self.program.rule(index)) {
            let is_met = |atom: &AtomId| holds[atom.index()];
            if !holds[rule.head.index()]
                && rule.positive.iter().all(is_met)
                && !rule.negative.iter().any(is_met)
            {
                holds[rule.head.index()] = true;
                is_new = true;
            }
        }
        is_new
    }
}

impl Machine for Naive<'_> {
    fn roles(&self) -> Vec<Term> {
        self.roles.clone()
    }

    fn initial(&self) -> State {
        let fluents = self.program.initial().iter();
        fluents
            .map(|fluent| self.term(self.program.fluents()[fluent.index()]))
            .collect()
    }

    fn position(&self, state: &State) -> Answer<Position> {
        let holds = self.model(self.inputs(state)?);
        let mut position = Position {
            terminal: false,
            legal: vec![Default::default(); self.roles.len()],
            goals: vec![Default::default(); self.roles.len()],
        };
        for (meaning, _) in self
            .program
            .atoms()
            .iter()
            .zip(&holds)
            .filter(|(_, holds)| **holds)
        {
            match meaning {
                AtomMeaning::Terminal => position.terminal = true,
                AtomMeaning::Legal(id) => {
                    let mv = self.program.moves()[id.index()];
                    position.legal[mv.role.index()].insert(self.term(mv.term));
                }
                AtomMeaning::Goal(role, value) => {
                    position.goals[role.index()].insert(Term::constant(&value.to_string()));
                }
                _ => {}
            }
        }
        Ok(position)
    }

    fn next(&self, state: &State, joint: &[Term]) -> Answer<State> {
        let mut holds = self.inputs(state)?;
        for (role, action) in joint.iter().enumerate() {
            let id = self.moves.get(&(role, action.clone()));
            let id = id.ok_or_else(|| format!("the ground program has no move {action} of role {role}"))?;
            holds[self.program.does_atom(*id).index()] = true;
        }
        let holds = self.model(holds);
        let atoms = self.program.atoms().iter().zip(&holds);
        let fluents = atoms.filter_map(|(meaning, holds)| match meaning {
            AtomMeaning::Next(id) if *holds => Some(self.program.fluents()[id.index()]),
            _ => None,
        });
        Ok(fluents.map(|id| self.term(id)).collect())
    }
}

/// What [`GroundProgram`] promises about its order: an atom comes after all that it depends on, except
/// that it may depend positively on atoms of its own component.
pub fn check_order(program: &GroundProgram) -> Result<(), String> {
    let inputs = program.fluents().len() + program.moves().len();
    let (mut next_atom, mut next_rule) = (inputs as u32, 0);
    for component in program.components() {
        if (component.atoms.start, component.rules.start) != (next_atom, next_rule) {
            return Err(format!("{component:?} does not begin where the one before ended"));
        }
        (next_atom, next_rule) = (component.atoms.end, component.rules.end);
        let mut is_recursive = false;
        for index in component.rules.clone() {
            let rule = program.rule(index);
            let number = |atom: &AtomId| atom.index() as u32;
            is_recursive |= rule
                .positive
                .iter()
                .any(|atom| number(atom) >= component.atoms.start);
            let in_order = component.atoms.contains(&number(&rule.head))
                && rule
                    .positive
                    .iter()
                    .all(|atom| number(atom) < component.atoms.end)
                && rule
                    .negative
                    .iter()
                    .all(|atom| number(atom) < component.atoms.start);
            if !in_order {
                return Err(format!("rule {index} depends on what comes later: {rule:?}"));
            }
        }
        if is_recursive != component.recursive {
            return Err(format!("{component:?} is said to be recursive or not, wrongly"));
        }
    }
    let all = (next_atom as usize, next_rule) == (program.atoms().len(), program.rules().len());
    if all {
        Ok(())
    } else {
        Err("the components do not cover all atoms and rules".into())
    }
}
