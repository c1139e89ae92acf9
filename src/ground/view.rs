//! Views: the facts of a relation as flat rows of the columns that a literal sees.
//!
//! The literal `(true (cell ?x ?y b))` sees facts of the shape `true(cell(_, _, _))` as rows of three
//! columns. Literals of equal shape share one view. Rows are only ever appended, so a range of row
//! numbers is a moment of the evaluation: with the marks `old_end ≤ delta_end ≤ len`,
//!
//! ```text
//! rows:  0 ……… old_end ……… delta_end ……… len
//!        |  old  |   delta   |  next round |
//! ```

use super::atoms::AtomId;
use super::terms::{SymbolId, TermId, TermStore, fixed_hasher};
use ahash::RandomState;
use hashbrown::HashTable;

/// What a literal requires of a fact's arguments before its columns are looked at.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Shape {
    /// Anything; the term is a column.
    Column,
    /// A function of this name whose arguments have these shapes.
    Function(SymbolId, Vec<Shape>),
}

impl Shape {
    fn flatten(&self, term: TermId, terms: &TermStore, row: &mut Vec<TermId>) -> bool {
        match self {
            Shape::Column => {
                row.push(term);
                true
            }
            Shape::Function(name, shapes) => {
                let args = terms.args(term);
                terms.name(term) == *name
                    && args.len() == shapes.len()
                    && shapes
                        .iter()
                        .zip(args)
                        .all(|(shape, &arg)| shape.flatten(arg, terms, row))
            }
        }
    }
}

/// The rows of one relation under one shape.
pub(crate) struct View {
    pub(crate) shapes: Vec<Shape>,
    width: usize,
    cells: Vec<TermId>,
    /// The atom of each row.
    atoms: Vec<AtomId>,
    /// Rows before this one were there before the current round's delta.
    pub(crate) old_end: u32,
    /// Rows from this one on were derived in the current round and are not visible yet.
    pub(crate) delta_end: u32,
    indexes: Vec<Index>,
    /// Number of rows when `distinct` was counted, and the count per column.
    distinct: (u32, Vec<u32>),
}

impl View {
    pub(crate) fn new(shapes: Vec<Shape>, width: usize) -> View {
        View {
            shapes,
            width,
            cells: Vec::new(),
            atoms: Vec::new(),
            old_end: 0,
            delta_end: 0,
            indexes: Vec::new(),
            distinct: (0, vec![0; width]),
        }
    }

    pub(crate) fn len(&self) -> u32 {
        self.atoms.len() as u32
    }

    pub(crate) fn row(&self, row: u32) -> &[TermId] {
        &self.cells[row as usize * self.width..(row as usize + 1) * self.width]
    }

    pub(crate) fn atom(&self, row: u32) -> AtomId {
        self.atoms[row as usize]
    }

    /// Appends the fact if it has this view's shape. `scratch` is only there to save allocations.
    pub(crate) fn push(
        &mut self,
        atom: AtomId,
        args: &[TermId],
        terms: &TermStore,
        scratch: &mut Vec<TermId>,
    ) {
        scratch.clear();
        if !self
            .shapes
            .iter()
            .zip(args)
            .all(|(shape, &arg)| shape.flatten(arg, terms, scratch))
        {
            return;
        }
        let row = self.atoms.len() as u32;
        self.cells.extend_from_slice(scratch);
        self.atoms.push(atom);
        let (cells, width) = (&self.cells, self.width);
        self.indexes
            .iter_mut()
            .for_each(|index| index.insert(row, cells, width));
    }

    /// Ends a round: its delta becomes old, what it derived becomes the delta.
    pub(crate) fn advance(&mut self) {
        self.old_end = self.delta_end;
        self.delta_end = self.len();
    }

    /// The index over these columns, made if it is not there yet.
    pub(crate) fn index(&mut self, columns: &[usize]) -> usize {
        if let Some(found) = self.indexes.iter().position(|index| index.columns == columns) {
            return found;
        }
        let mut index = Index::new(columns.to_vec());
        (0..self.len()).for_each(|row| index.insert(row, &self.cells, self.width));
        self.indexes.push(index);
        self.indexes.len() - 1
    }

    /// First row whose indexed columns equal `key`.
    pub(crate) fn first(&self, index: usize, key: &[TermId]) -> Option<u32> {
        self.indexes[index].first(key, &self.cells, self.width)
    }

    /// The next row with the same key, in ascending order.
    pub(crate) fn following(&self, index: usize, row: u32) -> Option<u32> {
        let next = self.indexes[index].next[row as usize];
        (next != NONE).then_some(next)
    }

    /// How many rows a look-up with these columns bound may be expected to give.
    pub(crate) fn expected_matches(&mut self, bound: &[usize]) -> f64 {
        if self.len() >= 2 * self.distinct.0.max(1) {
            self.count_distinct();
        }
        let keys: f64 = bound
            .iter()
            .map(|&column| f64::from(self.distinct.1[column].max(1)))
            .product();
        f64::from(self.len()) / keys
    }

    fn count_distinct(&mut self) {
        for column in 0..self.width {
            let values: hashbrown::HashSet<TermId, RandomState> = self
                .cells
                .iter()
                .skip(column)
                .step_by(self.width)
                .copied()
                .collect();
            self.distinct.1[column] = values.len() as u32;
        }
        self.distinct.0 = self.len();
    }
}

const NONE: u32 = u32::MAX;

/// Rows by the values of some columns: chains of row numbers in ascending order.
struct Index {
    columns: Vec<usize>,
    /// Groups of rows with equal key.
    table: HashTable<Group>,
    /// The row after each row in its group, or `NONE`.
    next: Vec<u32>,
    hasher: RandomState,
}

struct Group {
    first: u32,
    last: u32,
}

impl Index {
    fn new(columns: Vec<usize>) -> Index {
        Index {
            columns,
            table: HashTable::new(),
            next: Vec::new(),
            hasher: fixed_hasher(),
        }
    }

    fn insert(&mut self, row: u32, cells: &[TermId], width: usize) {
        self.next.push(NONE);
        let columns = &self.columns;
        let cell = |row: u32, column: usize| cells[row as usize * width + column];
        let hash_row = |row: u32| hash_key(&self.hasher, columns.iter().map(|&c| cell(row, c)));
        let same = |group: &Group| columns.iter().all(|&c| cell(group.first, c) == cell(row, c));
        match self.table.find_mut(hash_row(row), same) {
            Some(group) => {
                self.next[group.last as usize] = row;
                group.last = row;
            }
            None => {
                let group = Group {
                    first: row,
                    last: row,
                };
                self.table
                    .insert_unique(hash_row(row), group, |group| hash_row(group.first));
            }
        }
    }

    fn first(&self, key: &[TermId], cells: &[TermId], width: usize) -> Option<u32> {
        let hash = hash_key(&self.hasher, key.iter().copied());
        let same = |group: &Group| {
            let row = group.first as usize * width;
            self.columns
                .iter()
                .zip(key)
                .all(|(&column, &value)| cells[row + column] == value)
        };
        self.table.find(hash, same).map(|group| group.first)
    }
}

fn hash_key(hasher: &RandomState, key: impl Iterator<Item = TermId>) -> u64 {
    use std::hash::{BuildHasher, Hash, Hasher};
    let mut state = hasher.build_hasher();
    key.for_each(|term| term.hash(&mut state));
    state.finish()
}
