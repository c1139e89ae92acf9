//! What the expansion of 512 states gave, kept until all questions have looked at it.

use super::counter::Counter;
use super::view::View;
use crate::machine::packed::{Choice, Expansion, Lanes, Packed, PackedBatch, Vectors, Wanted, Work};
use std::collections::BTreeSet;
use std::ops::Range;

/// The outcomes of all choices of some states.
pub(super) struct Events<const N: usize> {
    pub(super) list: Vec<Event>,
    pub(super) successors: Vec<[u64; N]>,
    /// Of each open successor the lane of its state, if goals are wanted.
    lanes: Vec<u16>,
    /// Terminal successors that are worth something: worth and lanes.
    won: Vec<(u8, Lanes)>,
    /// Per event and question: a range of `won`.
    ranges: Vec<Range<usize>>,
    /// Per choice: the states that have it, and where its events are.
    pub(super) choices: Vec<(Lanes, Range<usize>)>,
}

/// One outcome of one choice.
pub(super) struct Event {
    pub(super) outcome: usize,
    pub(super) open: Lanes,
    /// The successors that are open.
    pub(super) going: Range<usize>,
}

/// The numbers of moves that chance has, as found in a layer for one question.
#[derive(Clone, Default)]
pub(super) struct Totals {
    /// Of the roles that decide by chance.
    pub(super) outer: BTreeSet<u64>,
    /// Of random in the step that is composed with the decision.
    pub(super) inner: BTreeSet<u64>,
}

impl<const N: usize> Events<N> {
    pub(super) fn new(packed: &Packed) -> Events<N> {
        Events {
            list: Vec::new(),
            successors: Vec::new(),
            lanes: Vec::new(),
            won: Vec::new(),
            ranges: Vec::new(),
            choices: vec![(Lanes::NONE, 0..0); packed.choices().len()],
        }
    }

    /// Expands the batch; `views` are the questions whose goals are wanted.
    pub(super) fn fill(&mut self, batch: &mut PackedBatch<'_, N>, views: &[View], wanted: Wanted) {
        self.list.clear();
        self.lanes.clear();
        self.won.clear();
        self.ranges.clear();
        self.successors.clear();
        self.choices.fill((Lanes::NONE, 0..0));
        let mut first = 0;
        batch.expand(wanted, &mut self.successors, |expansion| {
            let entry = &mut self.choices[expansion.choice];
            if entry.0.is_empty() {
                entry.1 = self.list.len()..self.list.len();
            }
            entry.0 = entry.0.or(expansion.open);
            entry.1.end = self.list.len() + 1;
            if wanted == Wanted::Goals {
                self.lanes.extend(expansion.lanes.iter().map(|&lane| lane as u16));
                let (won, ranges) = (&mut self.won, &mut self.ranges);
                ranges.extend(views.iter().map(|view| winners(&expansion, view, won)));
            }
            let end = first + expansion.lanes.len();
            self.list.push(Event {
                outcome: expansion.outcome,
                open: expansion.open,
                going: first..end,
            });
            first = end;
        });
    }

    /// How many of the states have a choice.
    pub(super) fn with_a_choice(&self) -> usize {
        let choices = self.choices.iter();
        let lanes = choices.fold(Lanes::NONE, |lanes, (has, _)| lanes.or(*has));
        lanes.count()
    }

    /// Number of edges.
    pub(super) fn edges(&self, vectors: Vectors) -> u64 {
        vectors.run(Edges(&self.list))
    }

    /// The lanes of the states with these open successors.
    pub(super) fn lanes(&self, successors: Range<usize>) -> &[u16] {
        &self.lanes[successors]
    }

    /// The lanes whose successor is terminal and worth something, if goals were wanted.
    pub(super) fn won(&self, event: usize, question: usize, questions: usize) -> &[(u8, Lanes)] {
        &self.won[self.ranges[event * questions + question].clone()]
    }

    /// Notes how many moves chance has, as a question sees it.
    pub(super) fn count_totals(
        &self,
        packed: &Packed,
        view: &View,
        counter: &mut Counter,
        totals: &mut Totals,
    ) {
        for cell in view.cells.iter().filter(|cell| cell.choices.len() > 1) {
            counter.clear();
            let mut lanes = Lanes::NONE;
            for &choice in &cell.choices {
                counter.add(self.choices[choice].0, 1);
                lanes = lanes.or(self.choices[choice].0);
            }
            counter.each(lanes, |total, _| {
                totals.outer.insert(total);
            });
        }
        for (number, choice) in packed.choices().iter().enumerate() {
            let (lanes, events) = &self.choices[number];
            if lanes.is_empty() {
                continue;
            }
            if let Some(total) = choice.total() {
                totals.inner.insert(total);
                continue;
            }
            self.count_inner(choice, events.clone(), counter);
            counter.each(*lanes, |total, _| {
                totals.inner.insert(total);
            });
        }
    }

    /// Counts the moves of random after a choice.
    pub(super) fn count_inner(&self, choice: &Choice, events: Range<usize>, counter: &mut Counter) {
        counter.clear();
        for event in &self.list[events] {
            counter.add(event.open, choice.weight(event.outcome));
        }
    }
}

/// Counting edges.
struct Edges<'w>(&'w [Event]);

impl Work for Edges<'_> {
    type Output = u64;

    #[inline(always)]
    fn run(self) -> u64 {
        let mut edges = 0;
        for event in self.0 {
            edges += event.open.count() as u64;
        }
        edges
    }
}

/// Appends where the question is worth something, for terminal successors.
pub(super) fn winners(expansion: &Expansion<'_>, view: &View, won: &mut Vec<(u8, Lanes)>) -> Range<usize> {
    let start = won.len();
    let mut left = expansion.open.and_not(expansion.going);
    for &(goal, worth) in &view.goals {
        if left.is_empty() {
            break;
        }
        let lanes = expansion.won(goal).and(left);
        left = left.and_not(lanes);
        if !lanes.is_empty() {
            won.push((worth, lanes));
        }
    }
    start..won.len()
}
