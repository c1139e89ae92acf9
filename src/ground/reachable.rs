//! Which atoms can hold at all, from the initial state onward.

use super::atoms::AtomId;
use super::components::Graph;
use super::rules::RuleSet;

/// Grows from what certainly holds. An atom that only supports itself, even through `true` of one state
/// and `next` of the one before, is not reached.
pub(super) struct Reachable<'a> {
    rules: &'a RuleSet,
    /// For each atom of `init`, `next` and `legal`, the input that it gives.
    gives: &'a [Option<AtomId>],
    reached: Vec<bool>,
    queue: Vec<AtomId>,
}

impl Reachable<'_> {
    /// Tells for each atom whether it is reached. `certain` are atoms that hold without any rule.
    pub(super) fn find(
        rules: &RuleSet,
        gives: &[Option<AtomId>],
        certain: impl Iterator<Item = AtomId>,
    ) -> Vec<bool> {
        let mut reachable = Reachable {
            rules,
            gives,
            reached: vec![false; gives.len()],
            queue: Vec::new(),
        };
        certain.for_each(|atom| reachable.reach(atom));
        reachable.run();
        reachable.reached
    }

    fn reach(&mut self, atom: AtomId) {
        let mut next = Some(atom);
        while let Some(atom) = next.filter(|atom| !self.reached[atom.index()]) {
            self.reached[atom.index()] = true;
            self.queue.push(atom);
            next = self.gives[atom.index()];
        }
    }

    fn run(&mut self) {
        let rules = self.rules;
        let mut missing: Vec<u32> = rules.iter().map(|rule| rule.positive.len() as u32).collect();
        let users = Graph::new(self.reached.len(), |edge| {
            for (id, rule) in rules.iter().enumerate() {
                rule.positive.iter().for_each(|atom| edge(atom.0, id as u32));
            }
        });
        let unconditional = rules.iter().filter(|rule| rule.positive.is_empty());
        unconditional.for_each(|rule| self.reach(rule.head));
        while let Some(atom) = self.queue.pop() {
            for &user in users.targets(atom.0) {
                missing[user as usize] -= 1;
                if missing[user as usize] == 0 {
                    self.reach(rules.get(user as usize).head);
                }
            }
        }
    }
}
