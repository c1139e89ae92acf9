//! An ordered partition of the vertices that can be split and merged again.
//!
//! ```text
//! elements   5 2 7 | 0 | 3 1 | ...      each vertex once, cell after cell
//! cell       of 5, 2, 7 is 0; of 0 is 3; of 3, 1 is 4      a cell is the position of its first element
//! ```
//!
//! The order of cells has a meaning, the order within a cell has none: so splitting is undone by
//! forgetting the border, and nothing is ever copied.

/// The partition.
pub(super) struct Partition {
    /// The vertices, cell after cell.
    elements: Vec<u32>,
    /// Where each vertex stands in `elements`.
    places: Vec<u32>,
    /// The cell of each vertex.
    cells: Vec<u32>,
    /// Number of elements, indexed by cell; meaningless elsewhere.
    lengths: Vec<u32>,
    /// The splits that were made: the cell that was split, and the cell that its end became.
    trail: Vec<(u32, u32)>,
}

/// A moment that [`Partition::undo`] can go back to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Mark(usize);

impl Partition {
    /// One cell for each colour, ascending.
    pub(super) fn new(colours: &[u64]) -> Partition {
        let mut elements: Vec<u32> = (0..colours.len() as u32).collect();
        elements.sort_by_key(|&vertex| colours[vertex as usize]);
        let mut partition = Partition {
            places: vec![0; elements.len()],
            cells: vec![0; elements.len()],
            lengths: vec![0; elements.len()],
            trail: Vec::new(),
            elements,
        };
        let mut cell = 0;
        for place in 0..partition.elements.len() {
            let vertex = partition.elements[place] as usize;
            if colours[vertex] != colours[partition.elements[cell] as usize] {
                cell = place;
            }
            partition.places[vertex] = place as u32;
            partition.cells[vertex] = cell as u32;
            partition.lengths[cell] += 1;
        }
        partition
    }

    pub(super) fn elements(&self) -> &[u32] {
        &self.elements
    }

    pub(super) fn cell_of(&self, vertex: usize) -> usize {
        self.cells[vertex] as usize
    }

    pub(super) fn len(&self, cell: usize) -> usize {
        self.lengths[cell] as usize
    }

    pub(super) fn cell(&self, cell: usize) -> &[u32] {
        &self.elements[cell..cell + self.len(cell)]
    }

    /// The cells from one on, in order.
    pub(super) fn cells_from(&self, cell: usize) -> impl Iterator<Item = usize> {
        let mut next = cell;
        std::iter::from_fn(move || {
            let cell = next;
            next += *self.lengths.get(cell)? as usize;
            Some(cell)
        })
    }

    /// Moves a vertex to a place in its cell.
    pub(super) fn place(&mut self, vertex: usize, place: usize) {
        let (from, other) = (self.places[vertex] as usize, self.elements[place]);
        self.elements.swap(from, place);
        self.places[vertex] = place as u32;
        self.places[other as usize] = from as u32;
    }

    /// Sorts the last `count` elements of a cell.
    pub(super) fn sort_end(&mut self, cell: usize, count: usize, key: impl Fn(u32) -> u64) {
        let end = cell + self.len(cell);
        let range = end - count..end;
        self.elements[range.clone()].sort_unstable_by_key(|&vertex| key(vertex));
        for place in range {
            self.places[self.elements[place] as usize] = place as u32;
        }
    }

    /// Makes the elements of a cell from `start` on a cell of their own.
    pub(super) fn split(&mut self, cell: usize, start: usize) {
        let end = cell + self.len(cell);
        self.relabel(start..end, start);
        self.lengths[start] = (end - start) as u32;
        self.lengths[cell] = (start - cell) as u32;
        self.trail.push((cell as u32, start as u32));
    }

    pub(super) fn mark(&self) -> Mark {
        Mark(self.trail.len())
    }

    /// Merges all that was split since the mark.
    pub(super) fn undo(&mut self, mark: Mark) {
        while self.trail.len() > mark.0 {
            let Some((cell, start)) = self.trail.pop() else {
                return;
            };
            let (cell, start) = (cell as usize, start as usize);
            let length = self.len(start);
            self.relabel(start..start + length, cell);
            self.lengths[cell] += length as u32;
        }
    }

    fn relabel(&mut self, places: std::ops::Range<usize>, cell: usize) {
        for &vertex in &self.elements[places] {
            self.cells[vertex as usize] = cell as u32;
        }
    }
}
