//! Individualisation and refinement: generators of the automorphism group.
//!
//! The *base path* individualises vertices v₀, v₁, … until every atom stands alone. Then, from its end to
//! its beginning, all other vertices w of the cell from which vᵢ was taken are tried: if individualising
//! w and then some vertex at each later level leads to a discrete partition, the two orders of atoms give
//! a permutation that fixes v₀ … vᵢ₋₁ and maps vᵢ to w; the verifier decides about it. What is found at
//! levels i and later generates the stabiliser of v₀ … vᵢ₋₁, so
//!
//! ```text
//! |group on fluents| = Π |orbit of vᵢ|   over the levels i that individualise a fluent
//! ```

use super::Automorphism;
use super::graph::Graph;
use super::partition::{Mark, Partition};
use super::refine::Refiner;
use super::verify::Verifier;
use super::work::{OutOfWork, Work};

/// What a search found.
pub(super) struct Found {
    pub(super) generators: Vec<Automorphism>,
    /// Number of permutations of the fluents in the group, if the search was completed and it fits.
    pub(super) order: Option<u128>,
    /// Whether the work ran out.
    pub(super) gave_up: bool,
}

/// A level of the base path.
struct Level {
    /// The partition before it.
    mark: Mark,
    /// The cell from which the vertex is taken,
    cell: usize,
    /// and its length.
    len: usize,
    vertex: u32,
    /// What the refinement saw.
    trace: u64,
}

/// A search that goes on.
pub(super) struct Search<'a> {
    graph: &'a Graph,
    verifier: &'a Verifier<'a>,
    work: Work,
    partition: Partition,
    refiner: Refiner,
    levels: Vec<Level>,
    /// The atoms in the order of the base path's last partition.
    leaf: Vec<u32>,
    orbits: Orbits,
    generators: Vec<Automorphism>,
}

impl<'a> Search<'a> {
    pub(super) fn new(graph: &'a Graph, verifier: &'a Verifier<'a>, work: Work) -> Search<'a> {
        Search {
            graph,
            verifier,
            work,
            partition: Partition::new(&graph.colours),
            refiner: Refiner::new(graph.vertices()),
            levels: Vec::new(),
            leaf: Vec::new(),
            orbits: Orbits::new(graph.atoms),
            generators: Vec::new(),
        }
    }

    pub(super) fn run(mut self) -> Found {
        let order = self.base_path().and_then(|()| self.climb());
        Found {
            generators: self.generators,
            gave_up: order.is_err(),
            order: order.ok().flatten(),
        }
    }

    /// Goes down to a discrete partition.
    fn base_path(&mut self) -> Result<(), OutOfWork> {
        let all: Vec<usize> = self.partition.cells_from(0).collect();
        self.refiner
            .refine(self.graph, &mut self.partition, all, &mut self.work)?;
        let mut from = 0;
        while let Some(cell) = self.open_cell(from) {
            let mut level = Level {
                mark: self.partition.mark(),
                cell,
                len: self.partition.len(cell),
                vertex: self.partition.cell(cell)[0],
                trace: 0,
            };
            level.trace = self.individualise(cell, level.vertex)?;
            self.levels.push(level);
            from = cell;
        }
        self.leaf = self.partition.elements()[..self.graph.atoms].to_vec();
        Ok(())
    }

    /// The first cell of atoms, from a cell on, that has more than one element.
    fn open_cell(&self, from: usize) -> Option<usize> {
        self.partition
            .cells_from(from)
            .take_while(|&cell| cell < self.graph.atoms)
            .find(|&cell| self.partition.len(cell) > 1)
    }

    /// Makes a vertex a cell of its own and refines.
    fn individualise(&mut self, cell: usize, vertex: u32) -> Result<u64, OutOfWork> {
        let last = cell + self.partition.len(cell) - 1;
        self.partition.place(vertex as usize, last);
        self.partition.split(cell, last);
        self.refiner
            .refine(self.graph, &mut self.partition, [last], &mut self.work)
    }

    /// Goes back up and looks for generators at each level; the order of the group on fluents.
    fn climb(&mut self) -> Result<Option<u128>, OutOfWork> {
        let mut order = Some(1u128);
        for index in (0..self.levels.len()).rev() {
            let (mark, cell) = (self.levels[index].mark, self.levels[index].cell);
            self.partition.undo(mark);
            // What fixes all fluents and moves does nothing.
            if cell < self.graph.inputs {
                let orbit = self.explore(index)?;
                if cell < self.graph.fluents {
                    order = order.and_then(|order| order.checked_mul(orbit as u128));
                }
            }
        }
        Ok(order)
    }

    /// Finds generators until the orbit of a level's vertex is complete; the orbit's size.
    fn explore(&mut self, index: usize) -> Result<usize, OutOfWork> {
        let Level {
            cell, vertex, mark, ..
        } = self.levels[index];
        let mut candidates = self.partition.cell(cell).to_vec();
        candidates.sort_unstable();
        let mut failed: Vec<u32> = Vec::new();
        for &other in &candidates {
            self.work.spend(1 + failed.len())?;
            let is_known = |&known: &u32| self.orbits.find(known) == self.orbits.find(other);
            if is_known(&vertex) || failed.iter().any(is_known) {
                continue;
            }
            let found = self.map(index, other);
            self.partition.undo(mark);
            match found? {
                Some(generator) => self.add(generator),
                None => failed.push(other),
            }
        }
        let root = self.orbits.find(vertex);
        let in_orbit = |other: &&u32| self.orbits.find(**other) == root;
        Ok(candidates.iter().filter(in_orbit).count())
    }

    fn add(&mut self, generator: Automorphism) {
        for (atom, &image) in generator.atoms.iter().enumerate() {
            self.orbits.join(atom as u32, image);
        }
        self.generators.push(generator);
    }

    /// An automorphism that fixes the base path before a level and maps that level's vertex to another.
    /// Depth first; each entry of the stack is what is left to try at a level.
    fn map(&mut self, index: usize, other: u32) -> Result<Option<Automorphism>, OutOfWork> {
        let mut stack = vec![(self.partition.mark(), vec![other])];
        while let Some((mark, candidates)) = stack.last_mut() {
            self.partition.undo(*mark);
            let Some(vertex) = candidates.pop() else {
                stack.pop();
                continue;
            };
            let level = &self.levels[index + stack.len() - 1];
            let (cell, trace) = (level.cell, level.trace);
            if self.individualise(cell, vertex)? != trace {
                continue;
            }
            match self.levels.get(index + stack.len()) {
                Some(next) if self.partition.len(next.cell) != next.len => {}
                Some(next) => {
                    let candidates = self.candidates(next);
                    self.work.spend(candidates.len())?;
                    stack.push((self.partition.mark(), candidates));
                }
                None => {
                    self.work.spend(self.graph.size())?;
                    let permutation = self.permutation();
                    if self.verifier.accepts(&permutation) {
                        return Ok(Some(permutation));
                    }
                }
            }
        }
        Ok(None)
    }

    /// What to try at a level, in reverse: the base path's own vertex first, so that what is not
    /// concerned stays where it is.
    fn candidates(&self, level: &Level) -> Vec<u32> {
        let mut candidates = self.partition.cell(level.cell).to_vec();
        candidates.sort_unstable_by_key(|&vertex| (vertex == level.vertex, std::cmp::Reverse(vertex)));
        candidates
    }

    /// Maps the base path's leaf to the present partition, atom by atom.
    fn permutation(&self) -> Automorphism {
        let mut atoms = vec![0; self.leaf.len()];
        for (&atom, &image) in self.leaf.iter().zip(self.partition.elements()) {
            atoms[atom as usize] = image;
        }
        Automorphism { atoms }
    }
}

/// Orbits of the group that was found so far: a forest of atoms, one tree for each orbit.
struct Orbits {
    parents: Vec<u32>,
}

impl Orbits {
    fn new(atoms: usize) -> Orbits {
        Orbits {
            parents: (0..atoms as u32).collect(),
        }
    }

    fn find(&self, mut atom: u32) -> u32 {
        while self.parents[atom as usize] != atom {
            atom = self.parents[atom as usize];
        }
        atom
    }

    /// The smaller root stays, and both paths are made short.
    fn join(&mut self, a: u32, b: u32) {
        let (root_a, root_b) = (self.find(a), self.find(b));
        let root = root_a.min(root_b);
        for atom in [a, b, root_a, root_b] {
            self.parents[atom as usize] = root;
        }
    }
}
