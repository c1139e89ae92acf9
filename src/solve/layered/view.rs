//! What a question sees of the game's choices: rows of the maximising role, columns of the others, and
//! the joint moves of chance in each cell.

use super::super::position::Sides;
use super::super::question::{Objective, Question};
use crate::ground::MoveId;
use crate::machine::packed::Packed;
use crate::machine::{Bits, Machine};

/// The choices as a matrix, for one question.
pub(in crate::solve) struct View {
    /// Sorted by row, then by column.
    pub(in crate::solve) cells: Vec<Cell>,
    /// The network's goals that are worth something, the greatest worth first.
    pub(in crate::solve) goals: Vec<(usize, u8)>,
    pub(in crate::solve) sides: Sides,
}

/// One row and one column: the choices that differ only in the moves of chance.
pub(in crate::solve) struct Cell {
    /// The move of the maximising role.
    pub(in crate::solve) row: MoveId,
    /// The moves of the minimising roles.
    pub(in crate::solve) column: Vec<MoveId>,
    /// Positions among the game's choices.
    pub(in crate::solve) choices: Vec<usize>,
}

impl View {
    pub(in crate::solve) fn new(machine: &Machine, packed: &Packed, question: &Question<Bits>) -> View {
        let sides = Sides::new(question, machine.net().roles.len());
        let mut cells: Vec<Cell> = Vec::new();
        let mut order: Vec<usize> = (0..packed.choices().len()).collect();
        let place = |choice: usize| {
            let joint = &packed.choices()[choice].joint;
            let column: Vec<MoveId> = sides.others.iter().map(|&role| joint[role]).collect();
            (joint[question.role], column)
        };
        order.sort_by_cached_key(|&choice| place(choice));
        for choice in order {
            let (row, column) = place(choice);
            match cells
                .last_mut()
                .filter(|cell| cell.row == row && cell.column == column)
            {
                Some(cell) => cell.choices.push(choice),
                None => cells.push(Cell {
                    row,
                    column,
                    choices: vec![choice],
                }),
            }
        }
        View {
            cells,
            goals: goals(machine, question.role, question.objective),
            sides,
        }
    }

    /// Whether chance decides anything.
    pub(in crate::solve) fn has_chance(&self, packed: &Packed) -> bool {
        let is_certain =
            |cell: &Cell| matches!(cell.choices[..], [only] if packed.choices()[only].outcomes() == 1);
        !self.cells.iter().all(is_certain)
    }

    /// The moves of these roles, which are one side, in a cell.
    pub(in crate::solve) fn moves(&self, roles: &[usize], cell: usize) -> Vec<(usize, MoveId)> {
        let cell = &self.cells[cell];
        match roles == self.sides.own {
            true => roles.iter().map(|&role| (role, cell.row)).collect(),
            false => roles.iter().copied().zip(cell.column.iter().copied()).collect(),
        }
    }
}

fn goals(machine: &Machine, role: usize, objective: Objective) -> Vec<(usize, u8)> {
    let goals = machine.net().goals.iter().enumerate();
    let mine = goals.filter(|(_, goal)| goal.role.index() == role);
    let worth = |value: u8| objective.worth([value].into_iter().collect());
    let mut goals: Vec<(usize, u8)> = mine.map(|(number, goal)| (number, worth(goal.value))).collect();
    goals.retain(|&(_, worth)| worth > 0);
    goals.sort_by_key(|&(_, worth)| std::cmp::Reverse(worth));
    goals
}
