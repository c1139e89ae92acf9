//! [`Interval`]: what is proven about a value, and [`Window`]: what is asked about it.
//!
//! For the value v of a formula:
//!
//! - an interval says `lo <= v <= hi`, in exact fractions;
//! - a window `(lo, hi)` asks: prove `v <= lo`, or `v >= hi`, or the exact value. It is a guide in floating
//!   point: an interval that just misses it because of rounding is asked for again without window.

use crate::fraction::Fraction;

/// What is shortened, and to how many bits.
const LONG_BYTES: usize = 512;
const SHORT_BITS: u32 = 256;

/// Bounds of a value between 0 and 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interval {
    /// The value is at least this.
    pub lo: Fraction,
    /// The value is at most this.
    pub hi: Fraction,
}

impl Interval {
    /// The interval of nothing but `value`.
    pub(super) fn exactly(value: Fraction) -> Interval {
        Interval {
            lo: value.clone(),
            hi: value,
        }
    }

    pub(super) fn zero() -> Interval {
        Interval::exactly(Fraction::whole(0))
    }

    pub(super) fn one() -> Interval {
        Interval::exactly(Fraction::whole(1))
    }

    /// Nothing is known.
    pub(super) fn unknown() -> Interval {
        Interval {
            lo: Fraction::whole(0),
            hi: Fraction::whole(1),
        }
    }

    /// Whether the value is known.
    pub fn is_exact(&self) -> bool {
        self.lo == self.hi
    }

    /// Whether the question of a window is answered.
    pub(super) fn answers(&self, window: Window) -> bool {
        self.is_exact() || self.hi.approximate() <= window.lo || self.lo.approximate() >= window.hi
    }

    pub(super) fn max(self, other: Interval) -> Interval {
        Interval {
            lo: self.lo.max(other.lo),
            hi: self.hi.max(other.hi),
        }
    }

    pub(super) fn min(self, other: Interval) -> Interval {
        Interval {
            lo: self.lo.min(other.lo),
            hi: self.hi.min(other.hi),
        }
    }

    /// What both say together, if both are true.
    pub(super) fn and(self, other: &Interval) -> Interval {
        Interval {
            lo: self.lo.max(other.lo.clone()),
            hi: self.hi.min(other.hi.clone()),
        }
    }

    pub(super) fn times(&self, factor: &Fraction) -> Interval {
        Interval {
            lo: self.lo.times(factor),
            hi: self.hi.times(factor),
        }
    }

    /// The product of two values.
    pub(super) fn product(&self, other: &Interval) -> Interval {
        Interval {
            lo: self.lo.times(&other.lo),
            hi: self.hi.times(&other.hi),
        }
    }

    pub(super) fn plus(&self, other: &Interval) -> Interval {
        Interval {
            lo: self.lo.plus(&other.lo),
            hi: self.hi.plus(&other.hi),
        }
    }

    /// The same, a little wider if that makes long bounds short: for numbers that are only carried on.
    pub(super) fn shortened(self) -> Interval {
        match self.is_exact() || self.heap_bytes() < LONG_BYTES {
            true => self,
            false => Interval {
                lo: self.lo.enclosing(SHORT_BITS).0,
                hi: self.hi.enclosing(SHORT_BITS).1,
            },
        }
    }

    /// The bytes that the bounds own outside of themselves.
    pub(super) fn heap_bytes(&self) -> usize {
        self.lo.heap_bytes() + self.hi.heap_bytes()
    }
}

/// A question about a value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    pub lo: f64,
    pub hi: f64,
}

/// How far windows are moved outwards where they are divided, so that rounding rarely spoils an answer.
const SLACK: f64 = 1e-12;

impl Window {
    /// Asks for the exact value.
    pub const ALL: Window = Window { lo: -1.0, hi: 2.0 };

    /// What to ask of v if this is asked of `v * other * more`, and nothing is known of `more`.
    pub fn factor(self, other: &Interval) -> Window {
        Window {
            lo: (self.lo - SLACK) / other.hi.approximate(),
            ..Window::ALL
        }
    }

    /// Only values above `lo` are of interest.
    pub fn above(self, lo: &Fraction) -> Window {
        Window {
            lo: self.lo.max(lo.approximate()),
            ..self
        }
    }

    /// Only values below `hi` are of interest.
    pub fn below(self, hi: &Fraction) -> Window {
        Window {
            hi: self.hi.min(hi.approximate()),
            ..self
        }
    }

    /// What to ask of v if this is asked of `share * v + rest`.
    pub fn share(self, share: &Fraction, rest: &Interval) -> Window {
        let share = share.approximate();
        Window {
            lo: (self.lo - rest.hi.approximate() - SLACK) / share,
            hi: (self.hi - rest.lo.approximate() + SLACK) / share,
        }
    }
}
