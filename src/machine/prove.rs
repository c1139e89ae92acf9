//! Proofs over the network by a SAT solver: what no reachable state can do.
//!
//! A claim is proven by induction: it holds at the start, and if it holds in a state (together with
//! everything proven so far) it holds after any legal joint move. The solver looks for a
//! counterexample to the step; running out of its budget means "not proven", never "true".

use crate::ground::RoleId;
use crate::propnet::{Aig, Lit, Propnet};
use batsat::{Callbacks, Lit as SatLit, Solver, SolverInterface, SolverOpts, lbool};
use std::cell::Cell;

/// Networks with more gates than this are not proven anything about.
pub(crate) const MAX_GATES: usize = 60_000;

/// A solver loaded with the network, and with the assumption of a step.
pub(crate) struct Prover {
    solver: Solver<Budget>,
    /// The solver's literal of each node.
    nodes: Vec<SatLit>,
    /// Implies that the state is not terminal and that every role makes one legal move.
    step: SatLit,
}

/// Decisions that the solver may still make. Counted, not timed: a proof must not depend on the speed
/// of the machine.
#[derive(Default)]
struct Budget(Cell<u64>);

impl Callbacks for Budget {
    fn stop(&self) -> bool {
        self.0.set(self.0.get().saturating_sub(1));
        self.0.get() == 0
    }
}

/// Answer of a search for a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// There is none.
    Nothing,
    /// There is one.
    Step,
    /// The budget ran out.
    NoAnswer,
}

impl Prover {
    /// A prover about the network; `aig` is its graph, possibly with further gates. `None` if it is too
    /// large.
    pub(crate) fn new(net: &Propnet, aig: &Aig) -> Option<Prover> {
        if aig.gates().len() > MAX_GATES {
            return None;
        }
        let mut solver = Solver::new(SolverOpts::default(), Budget::default());
        let nodes = (0..aig.nodes())
            .map(|_| SatLit::new(solver.new_var_default(), true))
            .collect();
        let step = SatLit::new(solver.new_var_default(), true);
        let mut prover = Prover { solver, nodes, step };
        prover.clause(&[!prover.nodes[0]]);
        for (gate, &(a, b)) in aig.gates().iter().enumerate() {
            let (g, a, b) = (
                prover.nodes[1 + aig.inputs() + gate],
                prover.lit(a),
                prover.lit(b),
            );
            prover.clause(&[!g, a]);
            prover.clause(&[!g, b]);
            prover.clause(&[g, !a, !b]);
        }
        prover.define_step(net);
        Some(prover)
    }

    fn define_step(&mut self, net: &Propnet) {
        let step = self.step;
        let terminal = self.lit(net.terminal);
        self.clause(&[!step, !terminal]);
        for role in 0..net.roles.len() {
            let moves = net.moves_of(RoleId::new(role));
            let does: Vec<_> = moves.clone().map(|mv| self.lit(net.does(mv))).collect();
            self.clause(&[&[!step], &does[..]].concat());
            self.at_most_one(&does, Some(step));
            for mv in moves {
                let (does, legal) = (self.lit(net.does(mv)), self.lit(net.legal[mv]));
                self.clause(&[!step, !does, legal]);
            }
        }
    }

    pub(crate) fn lit(&self, literal: Lit) -> SatLit {
        let node = self.nodes[literal.node()];
        if literal.is_inverted() { !node } else { node }
    }

    /// Lets the following questions take so much work together, in decisions times gates: what a decision
    /// costs grows with the network.
    pub(crate) fn allow(&mut self, work: u64) {
        let decisions = work / (self.nodes.len() as u64 + 1);
        self.solver.cb_mut().0.set(decisions);
    }

    /// A literal that is free to be anything.
    pub(crate) fn fresh(&mut self) -> SatLit {
        SatLit::new(self.solver.new_var_default(), true)
    }

    /// At least one of these holds.
    pub(crate) fn clause(&mut self, literals: &[SatLit]) {
        self.solver.add_clause_reuse(&mut literals.to_vec());
    }

    /// At most one of these holds (if the guard does): a chain of "one of the first i".
    pub(crate) fn at_most_one(&mut self, literals: &[SatLit], guard: Option<SatLit>) {
        let unless: Vec<_> = guard.iter().map(|&guard| !guard).collect();
        let mut before: Option<SatLit> = None;
        for &literal in literals {
            let so_far = self.fresh();
            self.clause(&[&unless[..], &[!literal, so_far]].concat());
            if let Some(before) = before {
                self.clause(&[&unless[..], &[!before, so_far]].concat());
                self.clause(&[&unless[..], &[!before, !literal]].concat());
            }
            before = Some(so_far);
        }
    }

    /// A literal that implies that at least two of these hold.
    pub(crate) fn two_of(&mut self, literals: &[SatLit]) -> SatLit {
        let two = self.fresh();
        let mut pairs = vec![!two];
        let mut before: Option<SatLit> = None;
        for &literal in literals {
            if let Some(before) = before {
                let here = self.fresh();
                self.clause(&[!here, literal]);
                self.clause(&[!here, before]);
                pairs.push(here);
            }
            let so_far = self.fresh();
            let support: Vec<_> = [!so_far, literal].into_iter().chain(before).collect();
            self.clause(&support);
            before = Some(so_far);
        }
        self.clause(&pairs);
        two
    }

    /// Whether no step satisfies all of these; `false` also if the budget ran out.
    pub(crate) fn is_impossible_step(&mut self, literals: &[SatLit]) -> bool {
        self.is_impossible_state(&[literals, &[self.step]].concat())
    }

    /// Whether no state satisfies all of these; `false` also if the budget ran out.
    pub(crate) fn is_impossible_state(&mut self, literals: &[SatLit]) -> bool {
        self.solver.solve_limited(literals) == lbool::FALSE
    }

    /// Looks for a step that satisfies all of these.
    pub(crate) fn find_step(&mut self, literals: &[SatLit]) -> Found {
        let answer = self.solver.solve_limited(&[literals, &[self.step]].concat());
        if answer == lbool::FALSE {
            Found::Nothing
        } else if answer == lbool::TRUE {
            Found::Step
        } else {
            Found::NoAnswer
        }
    }

    /// Whether the literal holds in the step that [`Prover::find_step`] found last.
    pub(crate) fn held(&self, literal: SatLit) -> bool {
        self.solver.value_lit(literal) == lbool::TRUE
    }
}
