//! [`Node`]: a position while it is searched, and what is known about its parts.

use std::cmp::Ordering;

use super::bounds::Bounds;
use super::number::Number;
use super::position::Successors;

/// A position that is being searched.
pub(super) struct Node<S, N> {
    pub(super) successors: Successors<S>,
    /// What is known about each outcome.
    pub(super) outcomes: Vec<Bounds<N>>,
    /// What is known about each cell (row, column): the mean of its outcomes.
    pub(super) cells: Vec<Bounds<N>>,
    /// What is known about each row: the minimum of its cells.
    pub(super) rows: Vec<Bounds<N>>,
    /// The largest value there is.
    top: u8,
}

impl<S, N: Number> Node<S, N> {
    /// A position about whose successors nothing is known.
    pub(super) fn new(successors: Successors<S>, top: u8) -> Node<S, N> {
        Node {
            outcomes: vec![Bounds::unknown(top); successors.states.len()],
            cells: vec![Bounds::unknown(top); successors.rows * successors.columns],
            rows: vec![Bounds::unknown(top); successors.rows],
            successors,
            top,
        }
    }

    /// The bounds of the position, in steps of its successors.
    pub(super) fn bounds(&self) -> Bounds<N> {
        Bounds::max(&self.rows, self.top)
    }

    pub(super) fn cell(&self, row: usize, column: usize) -> usize {
        row * self.successors.columns + column
    }

    /// Takes what was found about an outcome of a cell into account.
    pub(super) fn learn(&mut self, cell: usize, place: usize, found: Bounds<N>) {
        let old = std::mem::replace(&mut self.outcomes[place], Bounds::unknown(self.top));
        self.outcomes[place] = found.meet(old);
        self.update_cell(cell);
    }

    /// Takes everything into account that is known about the outcomes.
    pub(super) fn update(&mut self) {
        (0..self.cells.len()).for_each(|cell| self.update_cell(cell));
        (0..self.rows.len()).for_each(|row| self.update_row(row));
    }

    fn update_cell(&mut self, cell: usize) {
        let places = self.successors.outcomes(cell);
        let (weights, outcomes) = (&self.successors.weights[places.clone()], &self.outcomes[places]);
        self.cells[cell] = Bounds::mean(weights, outcomes, self.successors.total, self.top);
    }

    pub(super) fn update_row(&mut self, row: usize) {
        let cells = &self.cells[self.cell(row, 0)..self.cell(row + 1, 0)];
        self.rows[row] = if let [only] = cells {
            only.clone()
        } else {
            Bounds::min(cells, self.top)
        };
    }

    /// The largest lower bound of a row; there is at least one row.
    pub(super) fn best_lo(&self) -> &N {
        let los = self.rows.iter().map(|bounds| &bounds.lo);
        los.reduce(|best, lo| if lo > best { lo } else { best })
            .unwrap_or(&self.rows[0].lo)
    }

    /// The smallest upper bound of a cell in the row; there is at least one column.
    pub(super) fn best_hi(&self, row: usize) -> &N {
        let first = self.cell(row, 0);
        let his = self.cells[first..self.cell(row + 1, 0)]
            .iter()
            .map(|bounds| &bounds.hi);
        his.reduce(|best, hi| if hi < best { hi } else { best })
            .unwrap_or(&self.cells[first].hi)
    }

    /// All rows, the best ones first as far as is known.
    pub(super) fn promising_rows(&self) -> Vec<usize> {
        let mut rows: Vec<usize> = (0..self.rows.len()).collect();
        rows.sort_by(|&a, &b| {
            compare(
                &self.rows[b].lo,
                &self.rows[a].lo,
                &self.rows[b].hi,
                &self.rows[a].hi,
            )
        });
        rows
    }

    /// All columns of a row, the best ones for the minimising side first as far as is known.
    pub(super) fn promising_columns(&self, row: usize) -> Vec<usize> {
        let mut columns: Vec<usize> = (0..self.successors.columns).collect();
        let bounds = |column| &self.cells[self.cell(row, column)];
        columns.sort_by(|&a, &b| compare(&bounds(a).hi, &bounds(b).hi, &bounds(a).lo, &bounds(b).lo));
        columns
    }
}

fn compare<N: Number>(first: &N, second: &N, tie_first: &N, tie_second: &N) -> Ordering {
    let order = |a: &N, b: &N| a.partial_cmp(b).unwrap_or(Ordering::Equal);
    order(first, second).then_with(|| order(tie_first, tie_second))
}
