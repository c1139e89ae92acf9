//! What the values of the first layer say: the value of the start, and of its first moves.

use super::super::answer::{FirstMove, Interval, Outcome, StopReason};
use super::super::fraction::Fraction;
use super::super::limits::Limits;
use super::super::question::Question;
use super::Plan;
use super::amount::Amount;
use super::backward::{self, Below};
use super::events::Totals;
use super::scale::denominator;
use super::table::Table;
use super::view::View;
use crate::ground::MoveId;
use crate::machine::Bits;
use num_bigint::BigUint;
use num_rational::Ratio;

/// What the engine found for one question.
pub(in crate::solve) struct Found {
    pub(in crate::solve) outcome: Outcome<Bits>,
    pub(in crate::solve) first_moves: Vec<FirstMove<MoveId>>,
}

/// What is known of the questions when a limit was reached: nothing.
pub(in crate::solve) fn stopped(questions: &[Question<Bits>], limits: &Limits) -> Vec<Found> {
    let found = |question: &Question<Bits>| {
        let everything = Interval {
            lo: Fraction::whole(0),
            hi: Fraction::whole(question.objective.top().into()),
        };
        let reason = limits.reached().unwrap_or(StopReason::Memory);
        Found {
            outcome: Outcome::Stopped(everything, reason),
            first_moves: Vec::new(),
        }
    };
    questions.iter().map(found).collect()
}

/// The value of the start and of its first moves; `totals` are those of the start's layer.
pub(super) fn first<const N: usize, const W: usize>(
    plan: &Plan<'_, N>,
    table: &Table<N>,
    below: &Below<'_, N, W>,
    at: usize,
    totals: &[Totals],
) -> Found {
    let view = &plan.views[at];
    let cells = backward::cells(plan, table, below, at);
    let chooser = match cells.first() {
        Some(&(cell, _)) if has_chance(view, cell, totals) => Chooser::Chance,
        _ => Chooser::Players,
    };
    found(view, cells, chooser, &denominator(&below.scales[at]))
}

/// Who chooses where there is only one cell.
pub(super) enum Chooser {
    Chance,
    Players,
}

/// What the values of the start's cells say.
pub(super) fn found<const W: usize>(
    view: &View,
    cells: Vec<(usize, Amount<W>)>,
    chooser: Chooser,
    denominator: &BigUint,
) -> Found {
    let mut rows: Vec<(usize, Amount<W>)> = Vec::new();
    for &(cell, value) in &cells {
        match rows
            .last_mut()
            .filter(|(first, _)| view.cells[*first].row == view.cells[cell].row)
        {
            Some((_, least)) if value.is_less(least) => *least = value,
            Some(_) => {}
            None => rows.push((cell, value)),
        }
    }
    let fraction = |value: Amount<W>| Fraction::from(Ratio::new(value.to_big(), denominator.clone()));
    let best = rows.iter().fold(
        Amount::ZERO,
        |best, &(_, value)| if best.is_less(&value) { value } else { best },
    );
    let (choices, roles) = match (rows.len(), cells.len(), chooser) {
        (1, 1, Chooser::Chance) => (Vec::new(), &view.sides.own),
        (1, 2.., _) => (cells, &view.sides.others),
        _ => (rows, &view.sides.own),
    };
    let first_moves = choices.iter().map(|&(cell, value)| FirstMove {
        moves: view.moves(roles, cell),
        value: Interval {
            lo: fraction(value),
            hi: fraction(value),
        },
        optimal: value == best,
    });
    Found {
        first_moves: first_moves.collect(),
        outcome: Outcome::Solved(fraction(best)),
    }
}

/// Whether chance has a choice in the only state of a layer, in the step that the cell is about.
fn has_chance(view: &View, cell: usize, totals: &[Totals]) -> bool {
    let several = view.cells[cell].choices.len() > 1;
    several
        && totals
            .iter()
            .any(|totals| totals.outer.iter().any(|&total| total > 1))
}
