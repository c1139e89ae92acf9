//! Whether a permutation of atoms is an automorphism, by the definition.
//!
//! Nothing of the search is used: no graph, no colours, no hash that could collide.

use super::Automorphism;
use crate::ground::{AtomId, AtomMeaning, FluentId, GroundProgram, MoveId, RuleRef};
use std::collections::HashSet;

/// Whether the permutation maps the program to itself, as the head of this module demands.
pub fn verify(program: &GroundProgram, automorphism: &Automorphism) -> bool {
    Verifier::new(program).accepts(automorphism)
}

/// A program whose rules can be looked up.
pub(super) struct Verifier<'p> {
    program: &'p GroundProgram,
    rules: HashSet<RuleRef<'p>, ahash::RandomState>,
}

impl<'p> Verifier<'p> {
    pub(super) fn new(program: &'p GroundProgram) -> Verifier<'p> {
        Verifier {
            program,
            rules: program.rules().collect(),
        }
    }

    pub(super) fn accepts(&self, automorphism: &Automorphism) -> bool {
        let images = &automorphism.atoms;
        is_permutation(images, self.program.atoms().len())
            && self.keeps_meanings(images)
            && self.keeps_initial_state(images)
            && self.keeps_rules(images)
    }

    fn keeps_meanings(&self, images: &[u32]) -> bool {
        let meanings = self.program.atoms();
        let mut pairs = images.iter().enumerate();
        pairs.all(|(atom, &image)| self.is_image(images, &meanings[atom], &meanings[image as usize]))
    }

    fn is_image(&self, images: &[u32], from: &AtomMeaning, to: &AtomMeaning) -> bool {
        use AtomMeaning::{Defined, Does, Goal, Legal, Next, Terminal, True};
        let program = self.program;
        let image = |atom: AtomId| images[atom.index()] as usize;
        let is_fluent =
            |f: FluentId, g: FluentId| image(program.true_atom(f)) == program.true_atom(g).index();
        let is_move = |m: MoveId, n: MoveId| image(program.does_atom(m)) == program.does_atom(n).index();
        let role = |mv: MoveId| program.moves()[mv.index()].role;
        match (from, to) {
            (True(_), True(_)) | (Terminal, Terminal) | (Defined(..), Defined(..)) => true,
            (Next(f), Next(g)) => is_fluent(*f, *g),
            (Does(m), Does(n)) => role(*m) == role(*n),
            (Legal(m), Legal(n)) => is_move(*m, *n),
            (Goal(r, v), Goal(s, w)) => (r, v) == (s, w),
            _ => false,
        }
    }

    /// Images of different fluents differ, so a set that is mapped into itself is mapped onto itself.
    fn keeps_initial_state(&self, images: &[u32]) -> bool {
        let initial = self.program.initial();
        let image = |fluent: &FluentId| FluentId::new(images[fluent.index()] as usize);
        initial
            .iter()
            .all(|fluent| initial.binary_search(&image(fluent)).is_ok())
    }

    /// As with the initial state, it suffices that the image of every rule is a rule.
    fn keeps_rules(&self, images: &[u32]) -> bool {
        let (mut positive, mut negative) = (Vec::new(), Vec::new());
        let image = |atom: &AtomId| AtomId::new(images[atom.index()] as usize);
        self.rules.iter().all(|rule| {
            for (to, from) in [(&mut positive, rule.positive), (&mut negative, rule.negative)] {
                to.clear();
                to.extend(from.iter().map(image));
                to.sort_unstable();
            }
            self.rules.contains(&RuleRef {
                head: image(&rule.head),
                positive: &positive,
                negative: &negative,
            })
        })
    }
}

fn is_permutation(images: &[u32], len: usize) -> bool {
    let mut is_image = vec![false; len];
    let mut is_new = |&image: &u32| {
        let slot = is_image.get_mut(image as usize);
        slot.is_some_and(|slot| !std::mem::replace(slot, true))
    };
    images.len() == len && images.iter().all(&mut is_new)
}
