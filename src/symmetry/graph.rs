//! A ground program as a graph whose automorphisms are those of the program.
//!
//! Vertices are the atoms, by number, and then the distinct rules. A rule is joined to its head and to
//! the atoms of its body, `true(f)` to `next(f)`, and `does(m)` to `legal(m)`; edges have a label, which
//! both ends see. The colour of a vertex is what must not change.

use crate::ground::{AtomId, AtomMeaning, GroundProgram, RuleRef};

/// What an edge means.
#[derive(Clone, Copy)]
pub(super) enum Label {
    Head = 0,
    Positive = 1,
    Negative = 2,
    /// Two atoms of one fluent or of one move.
    Link = 3,
}

/// One end of an edge: the vertex at the other end in the upper 30 bits, the label in the lower two.
#[derive(Clone, Copy)]
pub(super) struct End(u32);

impl End {
    fn new(vertex: u32, label: Label) -> End {
        End(vertex << 2 | label as u32)
    }

    pub(super) fn vertex(self) -> usize {
        (self.0 >> 2) as usize
    }

    pub(super) fn label(self) -> usize {
        (self.0 & 3) as usize
    }
}

/// The graph.
pub(super) struct Graph {
    /// The first so many vertices are the fluents,
    pub(super) fluents: usize,
    /// up to here the moves,
    pub(super) inputs: usize,
    /// and up to here the other atoms.
    pub(super) atoms: usize,
    /// What must not change, indexed by vertex. Kinds of vertices come in the order of their numbers.
    pub(super) colours: Vec<u64>,
    /// Where each vertex's edges start in `ends`; one more entry than vertices.
    bounds: Vec<u32>,
    ends: Vec<End>,
}

impl Graph {
    pub(super) fn new(program: &GroundProgram) -> Graph {
        let mut rules: Vec<RuleRef> = program.rules().collect();
        rules.dedup();
        let fluents = program.fluents().len();
        let atoms = program.atoms().len();
        let edges = edges(program, &rules);
        let (bounds, ends) = adjacency(atoms + rules.len(), &edges);
        let mut colours = colours(program);
        colours.resize(atoms + rules.len(), colour(Kind::Rule, 0));
        Graph {
            fluents,
            inputs: fluents + program.moves().len(),
            atoms,
            colours,
            bounds,
            ends,
        }
    }

    pub(super) fn vertices(&self) -> usize {
        self.colours.len()
    }

    /// Vertices and edges together.
    pub(super) fn size(&self) -> usize {
        self.colours.len() + self.ends.len()
    }

    pub(super) fn ends(&self, vertex: usize) -> &[End] {
        &self.ends[self.bounds[vertex] as usize..self.bounds[vertex + 1] as usize]
    }
}

/// The kinds of vertices: inputs first, because the search individualises from the front.
#[derive(Clone, Copy)]
enum Kind {
    True,
    Does,
    Next,
    Legal,
    Terminal,
    Goal,
    Defined,
    Rule,
}

fn colour(kind: Kind, detail: u64) -> u64 {
    (kind as u64) << 56 | detail
}

fn colours(program: &GroundProgram) -> Vec<u64> {
    let of_meaning = |meaning: &AtomMeaning| match meaning {
        AtomMeaning::True(fluent) => {
            let is_initial = program.initial().binary_search(fluent).is_ok();
            colour(Kind::True, u64::from(is_initial))
        }
        AtomMeaning::Does(mv) => colour(Kind::Does, program.moves()[mv.index()].role.index() as u64),
        AtomMeaning::Next(_) => colour(Kind::Next, 0),
        AtomMeaning::Legal(_) => colour(Kind::Legal, 0),
        AtomMeaning::Terminal => colour(Kind::Terminal, 0),
        AtomMeaning::Goal(role, value) => colour(Kind::Goal, (role.index() as u64) << 8 | u64::from(*value)),
        AtomMeaning::Defined(..) => colour(Kind::Defined, 0),
    };
    program.atoms().iter().map(of_meaning).collect()
}

/// Every edge once: two vertices and the label.
fn edges(program: &GroundProgram, rules: &[RuleRef]) -> Vec<(u32, u32, Label)> {
    let mut edges = Vec::new();
    for (atom, meaning) in program.atoms().iter().enumerate() {
        let input = match meaning {
            AtomMeaning::Next(fluent) => program.true_atom(*fluent),
            AtomMeaning::Legal(mv) => program.does_atom(*mv),
            _ => continue,
        };
        edges.push((input.index() as u32, atom as u32, Label::Link));
    }
    for (number, rule) in rules.iter().enumerate() {
        let vertex = (program.atoms().len() + number) as u32;
        let mut join = |atom: &AtomId, label| edges.push((vertex, atom.index() as u32, label));
        join(&rule.head, Label::Head);
        rule.positive.iter().for_each(|atom| join(atom, Label::Positive));
        rule.negative.iter().for_each(|atom| join(atom, Label::Negative));
    }
    edges
}

/// The edges of each vertex, one list after the other.
fn adjacency(vertices: usize, edges: &[(u32, u32, Label)]) -> (Vec<u32>, Vec<End>) {
    let mut bounds = vec![0u32; vertices + 1];
    for &(a, b, _) in edges {
        bounds[a as usize + 1] += 1;
        bounds[b as usize + 1] += 1;
    }
    for vertex in 0..vertices {
        bounds[vertex + 1] += bounds[vertex];
    }
    let mut free = bounds.clone();
    let mut ends = vec![End(0); 2 * edges.len()];
    for &(a, b, label) in edges {
        for (from, to) in [(a, b), (b, a)] {
            let place = &mut free[from as usize];
            ends[*place as usize] = End::new(to, label);
            *place += 1;
        }
    }
    (bounds, ends)
}
