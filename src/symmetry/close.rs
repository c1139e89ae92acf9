//! Generators → elements.

use super::Automorphism;
use super::work::{OutOfWork, Work};
use std::collections::HashSet;

/// Which elements are the same: those that agree on the first so many atoms, the fluents.
struct Closure<'g> {
    fluents: usize,
    limit: usize,
    work: Work,
    chosen: Vec<&'g Automorphism>,
}

/// The group that is generated, identity first, with one element for each permutation of the fluents.
/// A generator that would make it larger than the limit is left out, so it may be a subgroup.
pub(super) fn close(
    identity: Automorphism,
    generators: &[Automorphism],
    fluents: usize,
    limit: usize,
    work: Work,
) -> Vec<Automorphism> {
    let mut closure = Closure {
        fluents,
        limit,
        work,
        chosen: Vec::new(),
    };
    let mut elements = vec![identity];
    for generator in generators {
        let is_there = |element: &Automorphism| element.atoms[..fluents] == generator.atoms[..fluents];
        if elements.iter().any(is_there) {
            continue;
        }
        closure.chosen.push(generator);
        match closure.elements(&elements[0]) {
            Ok(Some(closed)) => elements = closed,
            Ok(None) => {
                closure.chosen.pop();
            }
            Err(OutOfWork) => break,
        }
    }
    elements
}

impl Closure<'_> {
    /// All products of the chosen generators, or none if they are too many. In a finite group the
    /// products include the inverses.
    fn elements(&mut self, identity: &Automorphism) -> Result<Option<Vec<Automorphism>>, OutOfWork> {
        let mut elements = vec![identity.clone()];
        let mut seen = HashSet::from([identity.atoms[..self.fluents].to_vec()]);
        let mut next = 0;
        while next < elements.len() {
            for generator in &self.chosen {
                self.work.spend(identity.atoms.len())?;
                let product = elements[next].then(generator);
                if seen.insert(product.atoms[..self.fluents].to_vec()) {
                    elements.push(product);
                }
            }
            if elements.len() > self.limit {
                return Ok(None);
            }
            next += 1;
        }
        Ok(Some(elements))
    }
}
