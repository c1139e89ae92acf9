//! [`Node`]: a position on the path of the search, as rows of cells.
//!
//! The maximising role chooses a row, then the others a cell of it. The threshold is
//!
//! ```text
//! reached   if in some row every cell reaches it
//! missed    if in every row some cell misses it
//! ```
//!
//! A cell is a successor. Those that are terminal are settled at once; the others are candidates.

use super::super::bounds::UNBOUNDED;
use super::fact::{Answer, Verdict};
use super::order::Side;
use crate::machine::packed::{Choices, Family, SIBLINGS, Siblings};

/// A position with its candidates.
pub(super) struct Node<const N: usize> {
    /// The position, as it is and not up to symmetry: the successors of a position are to be close to it.
    pub(super) key: [u64; N],
    pub(super) candidates: Vec<Candidate<N>>,
    rows: Vec<Row>,
    /// Rows that may still reach the threshold.
    open_rows: usize,
    /// Up to how many choices left all rows miss it that do.
    missed: u32,
    /// What follows from the candidates, [`SIBLINGS`] at a time.
    pub(super) siblings: Vec<Siblings>,
    /// The candidates that are left, in the order in which they are tried.
    pub(super) turns: Vec<u32>,
}

/// A successor that is not terminal.
#[derive(Clone, Copy)]
pub(super) struct Candidate<const N: usize> {
    pub(super) key: [u64; N],
    /// The smallest image of the key under the symmetries.
    pub(super) canonical: [u64; N],
    row: u32,
    pub(super) score: i32,
    is_settled: bool,
}

struct Row {
    open_cells: u32,
    /// From how many choices left on all its cells reach the threshold that do.
    reached: u32,
    is_missed: bool,
}

impl<const N: usize> Default for Node<N> {
    fn default() -> Node<N> {
        Node {
            key: [0; N],
            candidates: Vec::new(),
            rows: Vec::new(),
            open_rows: 0,
            missed: UNBOUNDED,
            siblings: Vec::new(),
            turns: Vec::new(),
        }
    }
}

impl<const N: usize> Node<N> {
    /// Begins with a position as the only candidate.
    pub(super) fn only(&mut self, key: [u64; N], canonical: [u64; N]) {
        self.key = key;
        self.clear();
        self.candidates.push(Candidate {
            key,
            canonical,
            row: 0,
            score: 0,
            is_settled: false,
        });
    }

    fn clear(&mut self) {
        self.candidates.clear();
        self.rows.clear();
        self.missed = UNBOUNDED;
    }

    /// Begins with a candidate of the node above, which its terminal successors alone do not decide. `rows` are
    /// the rows of the family's choices.
    pub(super) fn begin(&mut self, above: &Node<N>, candidate: usize, family: &Family<'_, N>, rows: &[u32]) {
        self.key = above.candidates[candidate].key;
        self.clear();
        let (siblings, lane) = (&above.siblings[candidate / SIBLINGS], candidate % SIBLINGS);
        let mut before = None;
        for option in siblings
            .options
            .iter()
            .filter(|option| option.legal >> lane & 1 == 1)
        {
            let row = rows[option.choice];
            if before != Some(row) {
                before = Some(row);
                self.rows.push(Row {
                    open_cells: 0,
                    reached: 0,
                    is_missed: false,
                });
            }
            self.add_cell(family, siblings, option, lane);
        }
        let rows = &self.rows;
        self.candidates
            .retain(|candidate| !rows[candidate.row as usize].is_missed);
        self.open_rows = rows.iter().filter(|row| !row.is_missed).count();
    }

    fn add_cell(&mut self, family: &Family<'_, N>, siblings: &Siblings, option: &Choices, lane: usize) {
        let number = self.rows.len() - 1;
        let row = &mut self.rows[number];
        if option.going >> lane & 1 == 1 {
            row.open_cells += 1;
            self.candidates.push(Candidate {
                key: family.successor(siblings, option, lane, &self.key),
                canonical: [0; N],
                row: number as u32,
                score: 0,
                is_settled: false,
            });
        } else if option.won >> lane & 1 == 0 {
            row.is_missed = true;
        }
    }

    /// Who has a choice; if both have, the others, who choose last.
    pub(super) fn side(&self) -> Side {
        match self.candidates.len() > self.open_rows {
            true => Side::Others,
            false => Side::Own,
        }
    }

    /// Whether nothing more need be known of a candidate.
    #[inline]
    pub(super) fn is_settled(&self, candidate: usize) -> bool {
        let candidate = &self.candidates[candidate];
        candidate.is_settled || self.rows[candidate.row as usize].is_missed
    }

    /// Forgets the candidates of which nothing more need be known.
    pub(super) fn drop_settled(&mut self) {
        let rows = &self.rows;
        self.candidates
            .retain(|candidate| !candidate.is_settled && !rows[candidate.row as usize].is_missed);
    }

    /// Learns about a candidate that is not settled; gives the verdict about the position, if that decides it.
    #[inline]
    pub(super) fn settle(&mut self, candidate: usize, verdict: Verdict) -> Option<Verdict> {
        let candidate = &mut self.candidates[candidate];
        candidate.is_settled = true;
        let row = &mut self.rows[candidate.row as usize];
        let (is_decided, choices) = match verdict.answer {
            Answer::Reached => {
                row.open_cells -= 1;
                row.reached = row.reached.max(verdict.choices);
                (row.open_cells == 0, row.reached)
            }
            Answer::Missed => {
                row.is_missed = true;
                self.open_rows -= 1;
                self.missed = self.missed.min(verdict.choices);
                (self.open_rows == 0, self.missed)
            }
        };
        is_decided.then(|| Verdict { choices, ..verdict }.one_before())
    }

    /// Settles the candidates that their terminal successors alone decide; gives the verdict about the position, if
    /// they decide it.
    pub(super) fn settle_decided(&mut self, rows: &[u32]) -> Option<Verdict> {
        for first in (0..self.candidates.len()).step_by(SIBLINGS) {
            let (reached, missed) = decided(&self.siblings[first / SIBLINGS], rows);
            let mut left = reached | missed;
            while left != 0 {
                let lane = left.trailing_zeros();
                left &= left - 1;
                let verdict = match reached >> lane & 1 {
                    1 => REACHED_AT_ONCE,
                    _ => Verdict::always(Answer::Missed),
                };
                let candidate = first + lane as usize;
                if !self.is_settled(candidate)
                    && let Some(verdict) = self.settle(candidate, verdict)
                {
                    return Some(verdict);
                }
            }
        }
        None
    }

    /// Puts the candidates that are left in order: row by row if both sides have a choice, the greatest score first.
    pub(super) fn sort(&mut self, side: Side) {
        self.turns.clear();
        for candidate in 0..self.candidates.len() {
            if !self.is_settled(candidate) {
                self.turns.push(candidate as u32);
            }
        }
        let candidates = &self.candidates;
        self.turns.sort_by_key(|&turn| {
            let candidate = &candidates[turn as usize];
            let row = match side {
                Side::Own => 0,
                Side::Others => candidate.row,
            };
            (row, std::cmp::Reverse(candidate.score))
        });
    }
}

/// Terminal successors alone reach the threshold.
pub(super) const REACHED_AT_ONCE: Verdict = Verdict {
    answer: Answer::Reached,
    choices: 1,
};

/// The siblings that reach the threshold and those that miss it by their terminal successors alone.
pub(super) fn decided(siblings: &Siblings, rows: &[u32]) -> (u64, u64) {
    let (mut reached, mut possible) = (0, 0);
    let mut options = &siblings.options[..];
    while let Some(first) = options.first() {
        let row = rows[first.choice];
        let cells = options.partition_point(|option| rows[option.choice] == row);
        let (now, later) = options.split_at(cells);
        let (mut legal, mut open, mut missed) = (0, 0, 0);
        for option in now {
            legal |= option.legal;
            open |= option.going;
            missed |= option.legal & !option.going & !option.won;
        }
        reached |= legal & !open & !missed;
        possible |= legal & !missed;
        options = later;
    }
    (reached, siblings.used & !possible)
}
