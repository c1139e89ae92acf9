//! Rules (1) to (16) of the paper, at one time.

use super::extend::{Extension, Known, forbid, require};
use super::sqasp::{Atom, Head, Literal, Part, Said};
use crate::ground::{AtomId, MoveId, RoleId};

/// P_c.
impl Extension<'_> {
    pub(super) fn cooperative_state(&mut self) {
        self.was_ended = self.ended;
        // (3): ended(t) :- terminal(t).
        // (4): ended(t) :- ended(t-1).
        let (terminal, was_ended) = (self.terminal(), self.was_ended);
        let bodies = [
            body(|body| require(terminal, body)),
            body(|body| require(was_ended, body)),
        ];
        self.ended = self.define(Part::Cooperative, Said::Ended(self.time), bodies);
        let ended = self.ended;
        // (5): :- not ended(n).
        if self.time == self.sqasp.question.horizon {
            self.constrain(Part::Cooperative, body(|body| forbid(ended, body)));
        }
        // (6): :- not goal(x,100,t), ended(t), not ended(t-1). At time 0 there is no ended(-1).
        let wins = self.wins();
        let violation = body(|body| {
            wins.iter().try_for_each(|&win| forbid(win, body))?;
            require(ended, body)?;
            forbid(was_ended, body)
        });
        self.constrain(Part::Cooperative, violation);
    }

    pub(super) fn cooperative_moves(&mut self) {
        let sides = self.sqasp.sides.clone();
        let time = self.time;
        // Definition 3: does(x) is in E_2t, does(o) in E_2t+1, does(r) in E_2t+2.
        self.moves_of(&sides.moves, sides.own, 4 * time + 1);
        for &role in &sides.others {
            self.moves_of(&sides.moves, role, 4 * time + 3);
        }
        for &role in &sides.random {
            self.moves_of(&sides.moves, role, 4 * time + 5);
        }
    }

    fn moves_of(&mut self, moves: &[Vec<MoveId>], role: RoleId, level: u32) {
        let ended = self.ended;
        let Some(playing) = body(|body| forbid(ended, body)) else {
            return;
        };
        let possible = moves[role.index()].iter().copied();
        let possible: Vec<MoveId> = possible.filter(|&mv| self.legal(mv) != Known::Never).collect();
        // (1): 1 { does(p,A,t) : input(p,A) } 1 :- not ended(t).
        let atoms: Vec<Atom> = possible.iter().map(|&mv| self.does_atom(mv, level)).collect();
        let head = match (atoms.first(), atoms.last()) {
            (Some(&first), Some(&last)) => Head::ExactlyOne(first, last),
            _ => Head::Nothing,
        };
        self.sqasp.rule(Part::Cooperative, head, &playing);
        // (2): :- not legal(p,A,t), does(p,A,t).
        for mv in possible {
            let (legal, does) = (self.legal(mv), self.does(mv));
            let violation = body(|body| {
                forbid(legal, body)?;
                require(does, body)
            });
            self.constrain(Part::Cooperative, violation);
        }
    }

    fn does_atom(&mut self, mv: MoveId, level: u32) -> Atom {
        let does: AtomId = self.sqasp.program.does_atom(mv);
        let atom = self.sqasp.atom(Said::Game(does, self.time), level);
        self.set_does(mv, atom);
        atom
    }
}

/// P_o.
impl Extension<'_> {
    pub(super) fn opponents(&mut self) {
        if self.ended == Known::Always {
            return;
        }
        for role in self.sqasp.sides.others.clone() {
            self.opponent(role);
        }
    }

    fn opponent(&mut self, role: RoleId) {
        let (time, ended) = (self.time, self.ended);
        // (7): { dec_o(L,t) } :- ldom(L).
        // Definition 3: dec_o is in U_t.
        let bits: Vec<Atom> = (1..=self.sqasp.sides.bits(role))
            .map(|bit| self.choice(Part::Opponent, Said::DecO(role, bit, time), 4 * time + 2))
            .collect();
        // (8): :- not does(o,a,t), legal(o,a,t), not ended(t), and dec_o as in ord(o,a) - 1.
        for (order, mv) in self.sqasp.sides.moves[role.index()]
            .clone()
            .into_iter()
            .enumerate()
        {
            let (does, legal) = (self.does(mv), self.legal(mv));
            let violation = body(|body| {
                forbid(does, body)?;
                require(legal, body)?;
                forbid(ended, body)?;
                let is_one = |bit: &usize| order >> bit & 1 == 1;
                let (ones, zeros): (Vec<_>, Vec<_>) = (0..bits.len()).partition(is_one);
                body.extend(ones.into_iter().map(|bit| Literal::positive(bits[bit])));
                body.extend(zeros.into_iter().map(|bit| Literal::negative(bits[bit])));
                Some(())
            });
            self.constrain(Part::Opponent, violation);
        }
    }

    fn choice(&mut self, part: Part, said: Said, level: u32) -> Atom {
        let atom = self.sqasp.atom(said, level);
        self.sqasp.rule(part, Head::Choice(atom), &[]);
        atom
    }
}

/// What is known of `count(a, n, t)` for each move a of a random role and each n up to their number.
type Counts = Vec<Vec<Known>>;

/// P_legal and P_r.
impl Extension<'_> {
    pub(super) fn random_roles(&mut self) {
        if self.ended == Known::Always {
            return;
        }
        for role in self.sqasp.sides.random.clone() {
            let moves = self.sqasp.sides.moves[role.index()].clone();
            let counts = self.counts(&moves);
            // (14): tol(N,t) :- count(a_last,N,t).
            let totals = counts.last().cloned().unwrap_or_default();
            let totals: Vec<Known> = (0..)
                .zip(totals)
                .map(|(number, count)| {
                    let said = Said::Tol(role, number, self.time);
                    self.define(Part::Legal, said, [body(|body| require(count, body))])
                })
                .collect();
            self.uniform(role, &moves, &counts, &totals);
        }
    }

    /// (9), the chain of successors, is the order of `moves`.
    fn counts(&mut self, moves: &[MoveId]) -> Counts {
        let mut counts: Counts = Vec::with_capacity(moves.len());
        // Before the first move no move is legal.
        let mut before = vec![Known::Never; moves.len() + 1];
        before[0] = Known::Always;
        for &mv in moves {
            let legal = self.legal(mv);
            let mut after = Vec::with_capacity(before.len());
            for number in 0..before.len() {
                // (10): count(a_1,0,t) :- not legal(r,a_1,t).
                // (12): count(B,N,t) :- succ(A,B), not legal(r,B,t), count(A,N,t).
                let illegal = body(|body| {
                    forbid(legal, body)?;
                    require(before[number], body)
                });
                // (11): count(a_1,1,t) :- legal(r,a_1,t).
                // (13): count(B,N,t) :- count(A,N-1,t), succ(A,B), legal(r,B,t), cdom(N).
                let one_more = number.checked_sub(1).and_then(|less| {
                    body(|body| {
                        require(before[less], body)?;
                        require(legal, body)
                    })
                });
                let said = Said::Count(mv, number as u32, self.time);
                after.push(self.define(Part::Legal, said, [illegal, one_more]));
            }
            counts.push(after.clone());
            before = after;
        }
        counts
    }

    fn uniform(&mut self, role: RoleId, moves: &[MoveId], counts: &Counts, totals: &[Known]) {
        let (time, ended) = (self.time, self.ended);
        // (15): { dec_r(1..|γ(r)|,t) }.
        // Definition 3: dec_r(i) is in R_t, with probability 1/i.
        let tosses: Vec<Atom> = (1..=moves.len() as u32)
            .map(|toss| self.choice(Part::Random, Said::DecR(role, toss, time), 4 * time + 4))
            .collect();
        // (16): :- not does(r,A,t), legal(r,A,t), count(A,j,t), not ended(t), tol(i,t),
        //          not dec_r(i,t), …, not dec_r(j+1,t), dec_r(j,t).
        for (total, &tol) in totals
            .iter()
            .enumerate()
            .skip(2)
            .filter(|(_, tol)| **tol != Known::Never)
        {
            // The number of these rules grows with the cube of the number of moves.
            if self.sqasp.is_too_large() {
                return;
            }
            for chosen in 1..=total {
                for (&mv, count) in moves.iter().zip(counts) {
                    let (does, legal) = (self.does(mv), self.legal(mv));
                    let violation = body(|body| {
                        forbid(does, body)?;
                        require(legal, body)?;
                        require(count[chosen], body)?;
                        forbid(ended, body)?;
                        require(tol, body)?;
                        let failed = tosses[chosen..total].iter().rev();
                        body.extend(failed.map(|&toss| Literal::negative(toss)));
                        body.push(Literal::positive(tosses[chosen - 1]));
                        Some(())
                    });
                    self.constrain(Part::Random, violation);
                }
            }
        }
    }

    /// An atom with these rules, of which those that are not there cannot fire.
    fn define<const N: usize>(&mut self, part: Part, said: Said, bodies: [Option<Vec<Literal>>; N]) -> Known {
        let bodies: Vec<Vec<Literal>> = bodies.into_iter().flatten().collect();
        if bodies.iter().any(Vec::is_empty) {
            self.fact(part, said);
            return Known::Always;
        }
        self.derived(part, said, &bodies)
    }

    /// Adds a constraint, unless its body cannot hold.
    fn constrain(&mut self, part: Part, body: Option<Vec<Literal>>) {
        if let Some(body) = body {
            self.sqasp.rule(part, Head::Nothing, &body);
        }
    }
}

/// The body that `write` writes; nothing if it cannot hold.
fn body(write: impl FnOnce(&mut Vec<Literal>) -> Option<()>) -> Option<Vec<Literal>> {
    let mut body = Vec::new();
    write(&mut body)?;
    Some(body)
}
