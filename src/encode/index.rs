//! The rules of an SQASP by head, and which atoms are choices.

use super::sqasp::{Atom, Head, Part, Sqasp};

/// How an atom gets its value.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    Derived,
    Choice,
    /// It is the only choice of this rule of P_c.
    Only(usize),
}

/// The rules by head.
pub(super) struct Index {
    /// Indexed by atom.
    pub(super) kinds: Vec<Kind>,
    /// Where the rules of each atom end.
    ends: Vec<u32>,
    rules: Vec<(Part, usize)>,
}

impl Index {
    pub(super) fn new(sqasp: &Sqasp) -> Index {
        let mut kinds = vec![Kind::Derived; sqasp.atoms().len()];
        let mut counts = vec![0u32; sqasp.atoms().len()];
        for part in Part::ALL {
            for (number, rule) in sqasp.rules(part).enumerate() {
                match rule.head {
                    Head::Atom(atom) => counts[atom.index()] += 1,
                    Head::Choice(atom) => kinds[atom.index()] = Kind::Choice,
                    Head::ExactlyOne(first, last) if first == last => {
                        kinds[first.index()] = Kind::Only(number)
                    }
                    Head::ExactlyOne(first, last) => kinds[first.index()..=last.index()].fill(Kind::Choice),
                    Head::Nothing => {}
                }
            }
        }
        let mut next: Vec<u32> = Vec::with_capacity(counts.len());
        let mut total = 0;
        for count in counts {
            next.push(total);
            total += count;
        }
        let mut rules = vec![(Part::Ext, 0); total as usize];
        for part in Part::ALL {
            for (number, rule) in sqasp.rules(part).enumerate() {
                if let Head::Atom(atom) = rule.head {
                    rules[next[atom.index()] as usize] = (part, number);
                    next[atom.index()] += 1;
                }
            }
        }
        Index {
            kinds,
            ends: next,
            rules,
        }
    }

    pub(super) fn rules_of(&self, atom: Atom) -> &[(Part, usize)] {
        let start = atom.index().checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.rules[start as usize..self.ends[atom.index()] as usize]
    }
}
