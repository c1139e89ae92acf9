//! [`Bounds`]: what is proven about the value of a state, and for which numbers of steps left.
//!
//! Let V(s, n) be the value of state s with n steps left. It never falls when n grows, because a play
//! that is cut off is worth 0, the least. So bounds proven for one n hold for others:
//!
//! ```text
//! lo <= V(s, m)         for every m >= from
//!       V(s, m) <= hi   for every m <= upto      (upto = UNBOUNDED: the horizon was never met)
//! ```
//!
//! `complete` says that the interval is the one that the position gets from all its successors, complete
//! themselves. For fractions that means lo = hi; in floating point the interval has some width, and
//! `complete` is what makes it independent of the order of the search: incomplete bounds contain it,
//! and whatever is left out while it is computed lies outside of it.

use super::number::{Number, Rounding};

/// The number of steps left when there is no horizon.
pub(super) const UNBOUNDED: u32 = u32::MAX;

/// See the module's documentation.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Bounds<N> {
    pub(super) lo: N,
    pub(super) hi: N,
    pub(super) from: u32,
    pub(super) upto: u32,
    pub(super) complete: bool,
}

/// The part of the values that matters to whoever asks, 0 <= alpha < beta <= top: a value that is at most
/// alpha or at least beta need not be known any better.
#[derive(Clone, Debug)]
pub(super) struct Window<N> {
    pub(super) alpha: N,
    pub(super) beta: N,
}

impl<N: Number> Window<N> {
    /// The window in which everything matters.
    pub(super) fn full(top: u8) -> Window<N> {
        Window {
            alpha: N::whole(0),
            beta: N::whole(top),
        }
    }

    pub(super) fn raise_alpha(&mut self, alpha: &N) {
        if *alpha > self.alpha {
            self.alpha = alpha.clone();
        }
    }

    pub(super) fn lower_beta(&mut self, beta: &N) {
        if *beta < self.beta {
            self.beta = beta.clone();
        }
    }

    /// Whether the bounds lie on one side of the window.
    pub(super) fn is_missed_by(&self, bounds: &Bounds<N>) -> bool {
        bounds.hi <= self.alpha || bounds.lo >= self.beta
    }
}

impl<N: Number> Bounds<N> {
    /// Nothing is known: 0 <= V(s, m) <= top for every m.
    pub(super) fn unknown(top: u8) -> Bounds<N> {
        Bounds {
            lo: N::whole(0),
            hi: N::whole(top),
            from: 0,
            upto: UNBOUNDED,
            complete: false,
        }
    }

    /// A terminal state: V(s, m) is the same for every m.
    pub(super) fn terminal(value: u8) -> Bounds<N> {
        Bounds {
            lo: N::whole(value),
            hi: N::whole(value),
            from: 0,
            upto: UNBOUNDED,
            complete: true,
        }
    }

    /// A state that is not terminal: V(s, 0) = 0.
    pub(super) fn out_of_steps() -> Bounds<N> {
        Bounds {
            lo: N::whole(0),
            hi: N::whole(0),
            from: 0,
            upto: 0,
            complete: true,
        }
    }

    /// The bounds of a state one step before a state with these bounds.
    pub(super) fn one_step_before(mut self) -> Bounds<N> {
        self.from = self.from.saturating_add(1);
        self.upto = self.upto.saturating_add(1);
        self
    }

    /// What both say, for a number of steps for which both hold.
    pub(super) fn meet(self, other: Bounds<N>) -> Bounds<N> {
        if self.complete {
            return self;
        }
        if other.complete {
            return other;
        }
        let better_lo = other.lo > self.lo || (other.lo == self.lo && other.from < self.from);
        let better_hi = other.hi < self.hi || (other.hi == self.hi && other.upto > self.upto);
        let (lo, from) = if better_lo {
            (other.lo, other.from)
        } else {
            (self.lo, self.from)
        };
        let (hi, upto) = if better_hi {
            (other.hi, other.upto)
        } else {
            (self.hi, self.upto)
        };
        let complete = lo == hi;
        Bounds {
            lo,
            hi,
            from,
            upto,
            complete,
        }
    }

    /// `max(V1, V2, …)`; there is at least one.
    ///
    /// The largest lo proves a lower bound alone; the upper bound needs every hi.
    pub(super) fn max(all: &[Bounds<N>], top: u8) -> Bounds<N> {
        let mut best = Bounds {
            complete: true,
            hi: N::whole(0),
            ..Bounds::unknown(top)
        };
        for bounds in all {
            if bounds.lo > best.lo || (bounds.lo == best.lo && bounds.from < best.from) {
                (best.lo, best.from) = (bounds.lo.clone(), bounds.from);
            }
            if bounds.hi > best.hi {
                best.hi = bounds.hi.clone();
            }
            best.upto = best.upto.min(bounds.upto);
        }
        best.complete = all.iter().all(|bounds| bounds.complete || bounds.hi <= best.lo);
        best.settle(top)
    }

    /// `min(V1, V2, …)`; there is at least one.
    ///
    /// The smallest hi proves an upper bound alone; the lower bound needs every lo.
    pub(super) fn min(all: &[Bounds<N>], top: u8) -> Bounds<N> {
        let mut best = Bounds {
            complete: true,
            lo: N::whole(top),
            ..Bounds::unknown(top)
        };
        for bounds in all {
            if bounds.hi < best.hi || (bounds.hi == best.hi && bounds.upto > best.upto) {
                (best.hi, best.upto) = (bounds.hi.clone(), bounds.upto);
            }
            if bounds.lo < best.lo {
                best.lo = bounds.lo.clone();
            }
            best.from = best.from.max(bounds.from);
        }
        best.complete = all.iter().all(|bounds| bounds.complete || bounds.lo >= best.hi);
        best.settle(top)
    }

    /// `(w1 V1 + w2 V2 + …) / total`.
    pub(super) fn mean(weights: &[u64], all: &[Bounds<N>], total: u64, top: u8) -> Bounds<N> {
        if let ([_], [only]) = (weights, all) {
            return only.clone();
        }
        let lows = weights.iter().copied().zip(all.iter().map(|bounds| &bounds.lo));
        let highs = weights.iter().copied().zip(all.iter().map(|bounds| &bounds.hi));
        let mean = Bounds {
            lo: N::mean(lows, total, Rounding::Down),
            hi: N::mean(highs, total, Rounding::Up),
            from: all.iter().map(|bounds| bounds.from).max().unwrap_or(0),
            upto: all.iter().map(|bounds| bounds.upto).min().unwrap_or(UNBOUNDED),
            complete: all.iter().all(|bounds| bounds.complete),
        };
        mean.settle(top)
    }

    /// Uses what holds without proof: V >= 0 and V <= top for every number of steps.
    fn settle(mut self, top: u8) -> Bounds<N> {
        if self.lo <= N::whole(0) {
            self.from = 0;
        }
        if self.hi >= N::whole(top) {
            self.upto = UNBOUNDED;
        }
        self.complete |= self.lo == self.hi;
        self
    }
}
