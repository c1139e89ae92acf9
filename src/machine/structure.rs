//! What can be found out about a game before it is played.

use super::groups::{self, Group};
use super::prove::Prover;
use super::termination::{self, Growth, Termination};
use crate::game::Proven;
use crate::ground::RoleId;
use crate::propnet::{Aig, Lit, Propnet};

/// Work of the solver for all questions about roles, as in [`Prover::allow`].
const WORK: u64 = 150_000_000;

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
    termination: Option<Termination>,
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

    /// Why every play ends, if that is proven.
    pub fn termination(&self) -> Option<&Termination> {
        self.termination.as_ref()
    }

    /// A group that works as a step counter: it never returns to an earlier value, and alone bounds the
    /// number of steps.
    pub fn counter(&self) -> Option<(&Group, u32)> {
        let found = self
            .termination
            .as_ref()
            .filter(|found| found.growing_steps == 0)?;
        let [name] = &found.along[..] else { return None };
        Some((self.groups.iter().find(|group| group.name == *name)?, found.steps))
    }

    /// The group that tells whose turn it is, with the roles that may have a choice per fluent of it.
    pub fn turn(&self) -> Option<(&Group, &[Vec<usize>])> {
        self.turn.map(|group| (&self.groups[group], &self.choosers[..]))
    }

    /// What solvers may rely on.
    pub fn proven(&self) -> Proven {
        Proven {
            longest_play: self.termination.as_ref().map(|found| found.steps),
            turn_taking: self.turn_taking,
            always_a_move: self.always_a_move,
            one_goal: self.one_goal,
        }
    }
}

/// Finds out what it can. `samples` are reachable states, as the fluents that hold in them.
pub(crate) fn find(net: &Propnet, samples: &[Vec<usize>]) -> Structure {
    let mut aig = net.aig.clone();
    let ahead = Ahead::new(net, &mut aig);
    let growth = Growth::new(net, &mut aig);
    let mut prover = Prover::new(net, &aig);
    let groups = groups::find(net, samples, prover.as_mut());
    let mut structure = Structure {
        termination: prover
            .as_mut()
            .and_then(|prover| termination::prove(net, &groups, &growth, prover)),
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
            ahead,
            prover,
            two: Vec::new(),
        }
        .run(&mut structure);
    }
    structure
}

/// Outcome of the state after a step, as functions of the state before it.
struct Ahead {
    terminal: Lit,
    /// In the order of the network's goals.
    goals: Vec<Lit>,
}

impl Ahead {
    /// Adds the functions to the graph.
    fn new(net: &Propnet, aig: &mut Aig) -> Ahead {
        let mut outcome = net.outcome_of(&net.next, aig).into_iter();
        let terminal = outcome.next().unwrap_or(Lit::FALSE);
        Ahead {
            terminal,
            goals: outcome.collect(),
        }
    }
}

struct Analysis<'n> {
    net: &'n Propnet,
    ahead: Ahead,
    prover: Prover,
    /// Per role: implies that it has at least two legal moves.
    two: Vec<batsat::Lit>,
}

impl Analysis<'_> {
    fn run(mut self, structure: &mut Structure) {
        self.prover.allow(WORK);
        let roles = self.net.roles.len();
        self.two = (0..roles).map(|role| self.at_least_two_legal(role)).collect();
        for role in 0..roles {
            if self.prover.is_impossible_step(&[self.two[role]]) {
                structure.choices[role] = Choice::Never;
            }
        }
        structure.turn_taking = self.is_turn_taking(&structure.choices);
        structure.always_a_move = (0..roles).all(|role| self.always_has_a_move(role));
        // A step leads to every terminal state, except where the game starts in one.
        let starts_open = self.starts_open();
        let players: Vec<_> = (0..roles).filter(|&role| self.is_player(role)).collect();
        structure.one_goal = starts_open && players.into_iter().all(|role| self.has_one_goal(role));
        self.prover.allow(WORK);
        self.find_turn(structure);
    }

    fn is_player(&self, role: usize) -> bool {
        self.net.random.is_none_or(|random| random.index() != role)
    }

    fn starts_open(&mut self) -> bool {
        let initial = self.net.initial.iter().enumerate();
        let state = initial.map(|(fluent, &holds)| self.net.fluent(fluent).inverted_if(!holds));
        let literals: Vec<_> = state
            .chain([self.net.terminal])
            .map(|literal| self.prover.lit(literal))
            .collect();
        self.prover.is_impossible_state(&literals)
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
        let choosing: Vec<_> = (0..choices.len())
            .filter(|&role| self.is_player(role))
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

    /// Whether the role has exactly one goal value in every terminal state that a step leads to.
    fn has_one_goal(&mut self, role: usize) -> bool {
        let goals = self
            .net
            .goals
            .iter()
            .zip(&self.ahead.goals)
            .filter(|(goal, _)| goal.role.index() == role);
        let goals: Vec<_> = goals.map(|(_, &holds)| self.prover.lit(holds)).collect();
        let terminal = self.prover.lit(self.ahead.terminal);
        let none: Vec<_> = goals.iter().map(|&goal| !goal).chain([terminal]).collect();
        let two = self.prover.two_of(&goals);
        self.prover.is_impossible_step(&none) && self.prover.is_impossible_step(&[two, terminal])
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
