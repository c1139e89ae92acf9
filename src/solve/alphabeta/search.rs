//! The recursion, for one thread.

use super::super::answer::StopReason;
use super::super::limits::Limits;
use super::super::search::DEPTH_LIMIT;
use super::busy::Busy;
use super::fact::{Answer, Fact, Verdict};
use super::node::{Node, REACHED_AT_ONCE, decided};
use super::order::{Order, Side};
use super::table::Table;
use crate::machine::packed::{Family, ImageTables, Packed, SIBLINGS};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Positions after which a thread tells what it did and looks at the limits.
const PERIOD: u64 = 1 << 10;

/// Positions that took fewer nodes than this are not noted. When tables grew fourfold, connect four on 6x6 took 98
/// million nodes, 95 million entries and 164 s of CPU with all of them, and 69 million nodes, 49 million entries and
/// 116 s without the leaves; on 5x6, 7x4, 6x4 and 6x5 together 12.2 s and 9.8 s.
const WORTH_NOTING: u64 = 2;

/// Steps from the start up to which threads avoid each other: later, what they could do twice is small.
const BUSY_DEPTH: usize = 20;

/// What all threads share while they answer a question: does the value of a position reach a threshold?
pub(super) struct Asked<'s, const N: usize> {
    pub(super) table: Table<'s, N>,
    pub(super) images: Option<&'s ImageTables<N>>,
    pub(super) limits: &'s Limits,
    /// The row of each of the family's choices.
    pub(super) rows: &'s [u32],
    /// The number of the threshold.
    pub(super) threshold: u8,
    /// The network's goals that reach it.
    pub(super) goals: &'s [usize],
    /// What the other threads do, if there are any.
    pub(super) busy: Option<Busy>,
    /// With so many entries the table had better be larger.
    pub(super) room: u64,
    /// Set when the threads are to return.
    pub(super) is_over: AtomicBool,
}

/// One thread's part: scratch space, what it has learned, counters.
pub(super) struct Worker<'p, const N: usize> {
    family: Family<'p, N>,
    /// By depth. The first has the position that is asked about as its only candidate.
    nodes: Vec<Node<N>>,
    order: Order<N>,
    visited: u64,
    /// What the others were told of.
    told: u64,
    edges: u64,
    hits: u64,
    entries: u64,
}

impl<'p, const N: usize> Worker<'p, N> {
    /// A worker that sees the game's choices in this order.
    pub(super) fn new(packed: &'p Packed, choices: &[usize]) -> Worker<'p, N> {
        Worker {
            family: Family::new(packed, choices.iter().copied()),
            nodes: Vec::new(),
            order: Order::new(),
            visited: 0,
            told: 0,
            edges: 0,
            hits: 0,
            entries: 0,
        }
    }

    /// The verdict about a position that is not terminal, with so many choices left; nothing if the threads are to
    /// return before.
    pub(super) fn ask(&mut self, asked: &Asked<'_, N>, key: [u64; N], left: u32) -> Option<Verdict> {
        self.make_node(0);
        self.nodes[0].only(key, asked.canonical(&key));
        self.look(asked, 0);
        let verdict = match (left, decided(&self.nodes[0].siblings[0], asked.rows)) {
            (0, _) => Some(Verdict {
                answer: Answer::Missed,
                choices: 0,
            }),
            (_, (1, _)) => Some(REACHED_AT_ONCE),
            (_, (_, 1)) => Some(Verdict::always(Answer::Missed)),
            _ => self.visit(asked, 1, 0, left),
        };
        self.tell(asked, 0);
        asked.is_over.store(true, Ordering::Relaxed);
        verdict
    }

    /// The verdict about a candidate of the node above that its terminal successors alone do not decide.
    fn visit(&mut self, asked: &Asked<'_, N>, depth: usize, candidate: usize, left: u32) -> Option<Verdict> {
        if left == 1 {
            // Some successor that is not terminal matters, and it is worth 0.
            return Some(Verdict {
                answer: Answer::Missed,
                choices: 1,
            });
        }
        let before = self.visited;
        self.count(asked, depth)?;
        self.make_node(depth);
        let (above, here) = self.nodes.split_at_mut(depth);
        here[0].begin(&above[depth - 1], candidate, &self.family, asked.rows);
        self.edges += here[0].candidates.len() as u64;
        let verdict = match self.recall(asked, depth, left - 1) {
            Some(verdict) => verdict,
            None => self.search(asked, depth, left - 1)?,
        };
        let nodes = self.visited - before;
        if nodes >= WORTH_NOTING {
            let canonical = self.nodes[depth - 1].candidates[candidate].canonical;
            let fact = Fact {
                threshold: asked.threshold,
                verdict,
            };
            self.entries += u64::from(asked.table.put(&canonical, fact, nodes));
        }
        Some(verdict)
    }

    /// What the table knows about the candidates.
    fn recall(&mut self, asked: &Asked<'_, N>, depth: usize, left: u32) -> Option<Verdict> {
        let node = &mut self.nodes[depth];
        for candidate in &mut node.candidates {
            candidate.canonical = asked.canonical(&candidate.key);
            asked.table.prefetch(&candidate.canonical);
        }
        for candidate in 0..node.candidates.len() {
            let Some(verdict) = asked.known(&node.candidates[candidate].canonical, left) else {
                continue;
            };
            self.hits += 1;
            if !node.is_settled(candidate)
                && let Some(verdict) = node.settle(candidate, verdict)
            {
                return Some(verdict);
            }
        }
        None
    }

    /// Goes through the candidates of which the table does not know enough.
    fn search(&mut self, asked: &Asked<'_, N>, depth: usize, left: u32) -> Option<Verdict> {
        self.nodes[depth].drop_settled();
        self.look(asked, depth);
        if let Some(verdict) = self.nodes[depth].settle_decided(asked.rows) {
            return Some(verdict);
        }
        let side = self.sort(depth);
        let count = self.nodes[depth].turns.len();
        let mut turn = 0;
        while let Some(&candidate) = self.nodes[depth].turns.get(turn) {
            let candidate = candidate as usize;
            let node = &mut self.nodes[depth];
            let canonical = node.candidates[candidate].canonical;
            let is_open = !node.is_settled(candidate);
            // The first is never left to another thread, and none is put off twice.
            let may_wait = is_open && turn > 0 && turn < count;
            if may_wait && asked.busy(depth).is_some_and(|busy| busy.holds(&canonical)) {
                node.turns.push(candidate as u32);
            } else if is_open && let Some(verdict) = self.turn(asked, depth, turn, left)? {
                self.learn(depth, side, turn, verdict.answer);
                return Some(verdict);
            }
            turn += 1;
        }
        unreachable!("the last candidate decides a position that no other did")
    }

    /// Searches a candidate; gives the verdict about the position, if that decides it.
    fn turn(
        &mut self,
        asked: &Asked<'_, N>,
        depth: usize,
        turn: usize,
        left: u32,
    ) -> Option<Option<Verdict>> {
        let node = &self.nodes[depth];
        let candidate = node.turns[turn] as usize;
        let canonical = node.candidates[candidate].canonical;
        // A sibling, or another thread, may have come to the same position.
        let known = match turn {
            0 => None,
            _ => asked.known(&canonical, left),
        };
        let verdict = match known {
            Some(verdict) => verdict,
            None => {
                let busy = asked.busy(depth);
                busy.inspect(|busy| busy.enter(&canonical));
                let verdict = self.visit(asked, depth + 1, candidate, left);
                busy.inspect(|busy| busy.leave(&canonical));
                verdict?
            }
        };
        Some(self.nodes[depth].settle(candidate, verdict))
    }

    /// Looks at what follows from the candidates.
    fn look(&mut self, asked: &Asked<'_, N>, depth: usize) {
        let node = &mut self.nodes[depth];
        let blocks = node.candidates.chunks(SIBLINGS);
        node.siblings
            .resize_with(blocks.len().max(node.siblings.len()), Default::default);
        for (block, siblings) in blocks.zip(&mut node.siblings) {
            let keys = block.iter().map(|candidate| candidate.key);
            self.family.look(&node.key, keys, asked.goals, siblings);
        }
    }

    /// Puts the candidates that are left into the order in which they are tried.
    fn sort(&mut self, depth: usize) -> Side {
        let node = &mut self.nodes[depth];
        let side = node.side();
        for candidate in &mut node.candidates {
            candidate.score = self.order.score(side, &node.key, &candidate.key);
        }
        node.sort(side);
        side
    }

    /// Learns from the choice that decided a position.
    fn learn(&mut self, depth: usize, side: Side, turn: usize, answer: Answer) {
        let wanted = match side {
            Side::Own => Answer::Reached,
            Side::Others => Answer::Missed,
        };
        if answer != wanted || turn == 0 {
            return;
        }
        let node = &self.nodes[depth];
        let key = |turn: usize| &node.candidates[node.turns[turn] as usize].key;
        self.order.learn(side, &node.key, key(turn), turn as i32);
        for vain in 0..turn {
            self.order.learn(side, &node.key, key(vain), -1);
        }
    }

    /// Counts a position; nothing if the threads are to return.
    fn count(&mut self, asked: &Asked<'_, N>, depth: usize) -> Option<()> {
        self.visited += 1;
        if depth > DEPTH_LIMIT as usize {
            asked.limits.reach(StopReason::Depth);
            self.tell(asked, depth);
        }
        if self.visited.is_multiple_of(PERIOD) {
            self.tell(asked, depth);
        }
        (!asked.is_over.load(Ordering::Relaxed)).then_some(())
    }

    /// Tells what was done, and whether a limit or the end of the room in the table was reached.
    fn tell(&mut self, asked: &Asked<'_, N>, depth: usize) {
        let progress = &asked.limits.progress;
        let add = |counter: &AtomicU64, count: &mut u64| {
            counter.fetch_add(std::mem::take(count), Ordering::Relaxed);
        };
        let mut visited = self.visited - self.told;
        self.told = self.visited;
        add(&progress.visited, &mut visited);
        add(&progress.edges, &mut self.edges);
        add(&progress.table_hits, &mut self.hits);
        add(&progress.table_entries, &mut self.entries);
        progress.depth.fetch_max(depth as u64, Ordering::Relaxed);
        asked.limits.poll();
        let entries = progress.table_entries.load(Ordering::Relaxed);
        if asked.limits.reached().is_some() || entries >= asked.room {
            asked.is_over.store(true, Ordering::Relaxed);
        }
    }

    fn make_node(&mut self, depth: usize) {
        if self.nodes.len() <= depth {
            self.nodes.resize_with(depth + 1, Node::default);
        }
    }
}

impl<const N: usize> Asked<'_, N> {
    /// The hints of the other threads, as far as they are worth their while.
    fn busy(&self, depth: usize) -> Option<&Busy> {
        self.busy.as_ref().filter(|_| depth < BUSY_DEPTH)
    }

    /// The smallest image of a key.
    #[inline]
    fn canonical(&self, key: &[u64; N]) -> [u64; N] {
        self.images.map_or(*key, |images| images.canonical(key))
    }

    /// What the table knows of a position.
    #[inline]
    fn known(&self, canonical: &[u64; N], left: u32) -> Option<Verdict> {
        self.table
            .get(canonical)
            .and_then(|fact| fact.about(self.threshold, left))
    }
}
