//! What can be found out about a game before it is played.

use super::groups::{self, Group};
use super::prove::Prover;
use crate::game::Proven;
use crate::ground::RoleId;
use crate::propnet::{Aig, Copier, Lit, Propnet};

/// Facts about all reachable states. Everything here is proven, except groups that say otherwise.
#[derive(Clone, Debug)]
pub struct Structure {
    groups: Vec<Group>,
    /// Whether the network was small enough for proofs.
    attempted: bool,
    /// Per role: whether it can have more than one legal move.
    choices: Vec<Choice>,
    turn_taking: bool,
    always_a_move: bool,
    one_goal: bool,
    /// A group that never returns to an earlier value, and the most steps it allows.
    counter: Option<(usize, u32)>,
    /// The group that tells whose turn it is.
    turn: Option<usize>,
    /// Per value of the turn group: the roles that may have a choice.
    choosers: Vec<Vec<usize>>,
}

/// Whether a role can have a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// Proven that it never has more than one legal move.
    Never,
    /// It may have several.
    Possible,
}

impl Structure {
    /// Exclusive groups of fluents.
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// Whether proofs were attempted at all; very large networks are left alone.
    pub fn was_attempted(&self) -> bool {
        self.attempted
    }

    /// Per role: whether it can have a choice.
    pub fn choices(&self) -> &[Choice] {
        &self.choices
    }

    /// A group that works as a step counter, and the most steps that a play can have because of it.
    pub fn counter(&self) -> Option<(&Group, u32)> {
        self.counter.map(|(group, steps)| (&self.groups[group], steps))
    }

    /// The group that tells whose turn it is, with the roles that may have a choice per fluent of it.
    pub fn turn(&self) -> Option<(&Group, &[Vec<usize>])> {
        self.turn.map(|group| (&self.groups[group], &self.choosers[..]))
    }

    /// What solvers may rely on.
    pub fn proven(&self) -> Proven {
        Proven {
            longest_play: self.counter.map(|(_, steps)| steps),
            turn_taking: self.turn_taking,
            always_a_move: self.always_a_move,
            one_goal: self.one_goal,
        }
    }
}

/// Finds out what it can. `samples` are reachable states, as the fluents that hold in them.
pub(crate) fn find(net: &Propnet, samples: &[Vec<usize>]) -> Structure {
    let mut prover = Prover::new(net);
    let groups = groups::find(net, samples, prover.as_mut());
    let mut structure = Structure {
        counter: longest_counter(net, &groups),
        groups,
        attempted: prover.is_some(),
        choices: vec![Choice::Possible; net.roles.len()],
        turn_taking: false,
        always_a_move: false,
        one_goal: false,
        turn: None,
        choosers: Vec::new(),
    };
    if let Some(prover) = prover {
        Analysis {
            net,
            prover,
            two: Vec::new(),
        }
        .run(&mut structure);
    }
    structure
}

struct Analysis<'n> {
    net: &'n Propnet,
    prover: Prover,
    /// Per role: implies that it has at least two legal moves.
    two: Vec<batsat::Lit>,
}

impl Analysis<'_> {
    fn run(mut self, structure: &mut Structure) {
        let roles = self.net.roles.len();
        self.two = (0..roles).map(|role| self.at_least_two_legal(role)).collect();
        for role in 0..roles {
            if self.prover.is_impossible_step(&[self.two[role]]) {
                structure.choices[role] = Choice::Never;
            }
        }
        structure.turn_taking = self.is_turn_taking(&structure.choices);
        structure.always_a_move = (0..roles).all(|role| self.always_has_a_move(role));
        structure.one_goal = (0..roles).all(|role| self.has_one_goal(role));
        self.find_turn(structure);
    }

    fn legal(&self, role: usize) -> Vec<batsat::Lit> {
        let moves = self.net.moves_of(RoleId::new(role));
        moves.map(|mv| self.prover.lit(self.net.legal[mv])).collect()
    }

    fn at_least_two_legal(&mut self, role: usize) -> batsat::Lit {
        let legal = self.legal(role);
        self.prover.two_of(&legal)
    }

    /// Whether no two players can have a choice at the same time.
    fn is_turn_taking(&mut self, choices: &[Choice]) -> bool {
        let is_player = |role: &usize| self.net.random.is_none_or(|random| random.index() != *role);
        let choosing: Vec<_> = (0..choices.len())
            .filter(is_player)
            .filter(|&role| choices[role] == Choice::Possible)
            .collect();
        let pairs = choosing
            .iter()
            .enumerate()
            .flat_map(|(i, &a)| choosing[i + 1..].iter().map(move |&b| (a, b)));
        let pairs: Vec<_> = pairs.collect();
        pairs
            .into_iter()
            .all(|(a, b)| self.prover.is_impossible_step(&[self.two[a], self.two[b]]))
    }

    fn always_has_a_move(&mut self, role: usize) -> bool {
        let none = self.legal(role).into_iter().map(|legal| !legal);
        let terminal = self.prover.lit(self.net.terminal);
        let stuck: Vec<_> = none.chain([!terminal]).collect();
        self.prover.is_impossible_state(&stuck)
    }

    fn has_one_goal(&mut self, role: usize) -> bool {
        let goals = self.net.goals.iter().filter(|goal| goal.role.index() == role);
        let goals: Vec<_> = goals.map(|goal| self.prover.lit(goal.holds)).collect();
        let terminal = self.prover.lit(self.net.terminal);
        let none: Vec<_> = goals.iter().map(|&goal| !goal).chain([terminal]).collect();
        let two = self.prover.two_of(&goals);
        self.prover.is_impossible_state(&none) && self.prover.is_impossible_state(&[two, terminal])
    }

    /// The proven group under whose values the fewest roles can have a choice, if it tells anything.
    fn find_turn(&mut self, structure: &mut Structure) {
        const MAX_VALUES: usize = 8;
        let all: usize = structure
            .choices
            .iter()
            .filter(|&&choice| choice == Choice::Possible)
            .count();
        let mut best = None;
        for (number, group) in structure.groups.iter().enumerate() {
            if !group.exactly_one || group.fluents.len() > MAX_VALUES {
                continue;
            }
            let choosers: Vec<Vec<usize>> = group
                .fluents
                .iter()
                .map(|&fluent| self.choosers(fluent, &structure.choices))
                .collect();
            let total: usize = choosers.iter().map(Vec::len).sum();
            let is_better = best.as_ref().is_none_or(|&(_, least, _)| total < least);
            if total < all * group.fluents.len() && is_better {
                best = Some((number, total, choosers));
            }
        }
        if let Some((number, _, choosers)) = best {
            structure.turn = Some(number);
            structure.choosers = choosers;
        }
    }

    fn choosers(&mut self, fluent: usize, choices: &[Choice]) -> Vec<usize> {
        let holds = self.prover.lit(self.net.fluent(fluent));
        let possible = (0..choices.len()).filter(|&role| choices[role] == Choice::Possible);
        possible
            .filter(|&role| !self.prover.is_impossible_step(&[holds, self.two[role]]))
            .collect()
    }
}

/// The group whose value can never return, and that allows the fewest steps.
fn longest_counter(net: &Propnet, groups: &[Group]) -> Option<(usize, u32)> {
    let proven = groups.iter().enumerate().filter(|(_, group)| group.exactly_one);
    let counters =
        proven.filter_map(|(number, group)| Some((number, steps_of_counter(net, &group.fluents)?)));
    counters.min_by_key(|&(number, steps)| (steps, number))
}

/// The most steps between two values of the group, if no value leads back to itself: the longest path
/// in the graph "if this fluent holds now, that one may hold next". What the gates do not exclude under
/// the assumption counts as possible, so that the answer is an upper bound.
fn steps_of_counter(net: &Propnet, fluents: &[usize]) -> Option<u32> {
    const MAX_VALUES: usize = 4096;
    if fluents.len() > MAX_VALUES || fluents.len() * net.aig.nodes() > 100_000_000 {
        return None;
    }
    let successors: Vec<Vec<usize>> = (0..fluents.len())
        .map(|value| possible_values(net, fluents, value))
        .collect();
    longest_path(&successors)
}

fn possible_values(net: &Propnet, fluents: &[usize], now: usize) -> Vec<usize> {
    let mut aig = Aig::new(net.aig.inputs());
    let mut inputs: Vec<_> = (0..net.aig.inputs()).map(|input| aig.input(input)).collect();
    fluents
        .iter()
        .enumerate()
        .for_each(|(value, &fluent)| inputs[fluent] = Lit::constant(value == now));
    let mut copier = Copier::new(&net.aig, &inputs);
    // A terminal state has no successor.
    let goes_on = !copier.copy(&net.aig, &mut aig, net.terminal);
    let mut may_hold = |&fluent: &usize| {
        let next = copier.copy(&net.aig, &mut aig, net.next[fluent]);
        aig.and(next, goes_on) != Lit::FALSE
    };
    (0..fluents.len())
        .filter(|&value| may_hold(&fluents[value]))
        .collect()
}

/// Edges of the longest path; `None` if there is a cycle.
fn longest_path(successors: &[Vec<usize>]) -> Option<u32> {
    let mut incoming = vec![0usize; successors.len()];
    successors.iter().flatten().for_each(|&node| incoming[node] += 1);
    let mut ready: Vec<_> = (0..successors.len())
        .filter(|&node| incoming[node] == 0)
        .collect();
    let mut longest = vec![0u32; successors.len()];
    let mut done = 0;
    while let Some(node) = ready.pop() {
        done += 1;
        for &next in &successors[node] {
            longest[next] = longest[next].max(longest[node] + 1);
            incoming[next] -= 1;
            if incoming[next] == 0 {
                ready.push(next);
            }
        }
    }
    (done == successors.len()).then(|| longest.iter().copied().max().unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::longest_path;

    #[test]
    fn a_chain_counts_its_steps_and_a_cycle_has_no_longest_path() {
        assert_eq!(longest_path(&[vec![1], vec![2], vec![]]), Some(2));
        assert_eq!(longest_path(&[vec![1, 2], vec![2], vec![]]), Some(2));
        assert_eq!(longest_path(&[vec![1], vec![0]]), None);
    }
}
