//! Colour refinement: cells are split until vertices of one cell have equally many edges of each label
//! into every cell.
//!
//! **Invariant**: what is done depends on cells, never on which vertex stands where or has which number.
//! So an automorphism that maps one partition to another maps the refinements to each other as well, and
//! both have the same trace.

use super::graph::Graph;
use super::partition::Partition;
use super::work::{OutOfWork, Work};
use std::collections::VecDeque;

/// How much an edge of each label adds to a signature. A vertex has one link at most, so signatures of
/// vertices that have an edge are not 0.
const WEIGHTS: [u64; 4] = [1, 1 << 20, 1 << 40, 1 << 60];

/// Memory that all refinements share.
pub(super) struct Refiner {
    /// Edges of each vertex into the current splitter, as a sum of weights; 0 between splitters.
    signatures: Vec<u64>,
    /// Vertices with a signature.
    touched: Vec<u32>,
    /// Elements with a signature, indexed by cell; 0 between splitters.
    hits: Vec<u32>,
    /// Cells with hits.
    hit_cells: Vec<u32>,
    /// Cells by which others are still to be split.
    queue: VecDeque<u32>,
    is_queued: Vec<bool>,
    /// Borders in the cell that is being split.
    borders: Vec<usize>,
}

impl Refiner {
    pub(super) fn new(vertices: usize) -> Refiner {
        Refiner {
            signatures: vec![0; vertices],
            touched: Vec::new(),
            hits: vec![0; vertices],
            hit_cells: Vec::new(),
            queue: VecDeque::new(),
            is_queued: vec![false; vertices],
            borders: Vec::new(),
        }
    }

    /// Refines by these cells and whatever follows. The trace is a hash of all that was seen.
    pub(super) fn refine(
        &mut self,
        graph: &Graph,
        partition: &mut Partition,
        cells: impl IntoIterator<Item = usize>,
        work: &mut Work,
    ) -> Result<u64, OutOfWork> {
        cells.into_iter().for_each(|cell| self.enqueue(cell));
        let mut trace = 0;
        while let Some(splitter) = self.queue.pop_front() {
            self.is_queued[splitter as usize] = false;
            trace = mix(trace, u64::from(splitter));
            let (seen, edges) = self.touch(graph, partition, splitter as usize);
            trace = mix(trace, seen);
            let steps = 1 + edges + self.touched.len() + partition.len(splitter as usize);
            self.gather(partition);
            for index in 0..self.hit_cells.len() {
                trace = self.split(partition, self.hit_cells[index] as usize, trace);
            }
            self.clear();
            if let Err(out) = work.spend(steps) {
                self.queue
                    .drain(..)
                    .for_each(|cell| self.is_queued[cell as usize] = false);
                return Err(out);
            }
        }
        Ok(trace)
    }

    fn enqueue(&mut self, cell: usize) {
        if !std::mem::replace(&mut self.is_queued[cell], true) {
            self.queue.push_back(cell as u32);
        }
    }

    /// Gives every neighbour of the splitter its signature. Returns a hash of how many edges lead where,
    /// and the number of edges.
    fn touch(&mut self, graph: &Graph, partition: &Partition, splitter: usize) -> (u64, usize) {
        let (mut sum, mut edges) = (0u64, 0);
        for &vertex in partition.cell(splitter) {
            edges += graph.ends(vertex as usize).len();
            for end in graph.ends(vertex as usize) {
                let neighbour = end.vertex();
                let weight = WEIGHTS[end.label()];
                let cell = partition.cell_of(neighbour);
                sum = sum.wrapping_add(mix(weight, cell as u64));
                if partition.len(cell) == 1 {
                    continue;
                }
                let signature = &mut self.signatures[neighbour];
                if *signature == 0 {
                    self.touched.push(neighbour as u32);
                }
                *signature = signature.wrapping_add(weight);
            }
        }
        (sum, edges)
    }

    /// Moves the touched vertices to the ends of their cells.
    fn gather(&mut self, partition: &mut Partition) {
        for &vertex in &self.touched {
            let cell = partition.cell_of(vertex as usize);
            if self.hits[cell] == 0 {
                self.hit_cells.push(cell as u32);
            }
            self.hits[cell] += 1;
            let place = cell + partition.len(cell) - self.hits[cell] as usize;
            partition.place(vertex as usize, place);
        }
        self.hit_cells.sort_unstable();
    }

    /// Splits a cell by signature: the untouched first, then ascending.
    fn split(&mut self, partition: &mut Partition, cell: usize, mut trace: u64) -> u64 {
        let hits = self.hits[cell] as usize;
        let signature = |vertex: u32| self.signatures[vertex as usize];
        partition.sort_end(cell, hits, signature);
        let length = partition.len(cell);
        let mut before = (length == hits).then(|| signature(partition.cell(cell)[0]));
        trace = mix(trace, cell as u64);
        trace = mix(trace, before.unwrap_or(0));
        self.borders.clear();
        for place in length - hits..length {
            let now = signature(partition.cell(cell)[place]);
            if before != Some(now) {
                self.borders.push(cell + place);
                trace = mix(mix(trace, place as u64), now);
                before = Some(now);
            }
        }
        // From the end, so that every element is given its new cell once.
        for &border in self.borders.iter().rev() {
            partition.split(cell, border);
        }
        self.enqueue_parts(partition, cell);
        trace
    }

    /// Queues the parts of a cell that was split. The largest is left out (Hopcroft), unless the cell was
    /// still to be used: splitting by the whole and by all parts but one is splitting by all.
    fn enqueue_parts(&mut self, partition: &Partition, cell: usize) {
        if self.borders.is_empty() {
            return;
        }
        let borders = std::mem::take(&mut self.borders);
        let parts = || std::iter::once(cell).chain(borders.iter().copied());
        let largest = parts().rev().max_by_key(|&part| partition.len(part));
        let left_out = largest.filter(|_| !self.is_queued[cell]);
        parts()
            .filter(|&part| Some(part) != left_out)
            .for_each(|part| self.enqueue(part));
        self.borders = borders;
    }

    fn clear(&mut self) {
        let (signatures, hits) = (&mut self.signatures, &mut self.hits);
        self.touched
            .drain(..)
            .for_each(|vertex| signatures[vertex as usize] = 0);
        self.hit_cells.drain(..).for_each(|cell| hits[cell as usize] = 0);
    }
}

/// A hash of two numbers (the multipliers of SplitMix64).
fn mix(a: u64, b: u64) -> u64 {
    let mut z = a.rotate_left(5) ^ b.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z ^ (z >> 27)
}
