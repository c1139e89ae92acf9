//! DIMACS: formulas as text.
//!
//! Two dialects, which [`read`] tells apart by what stands in them: `.qdimacs` (quantifiers `e` and `a`)
//! and `.sdimacs`, the format of SharpSSAT, which adds `r PROB`:
//!
//! ```text
//! c a comment
//! c prob 1/3 2 0             the probability of variable 2, exactly
//! p cnf 3 2                  number of variables, number of clauses
//! e 1 0                      blocks, outermost first
//! r 0.33333333333333333 2 0  true with this probability
//! e 3 0
//! 1 2 0                      clauses, one per line
//! -1 -2 3 0
//! ```
//!
//! A decimal is exact as it stands, unless a comment `c prob NUMERATOR/DENOMINATOR VARIABLE... 0` gives the
//! probability of its variables; the comment stands anywhere and has to agree with the decimal to the
//! digits that are written. Other programs see a comment and read the decimal.
//!
//! Reading is strict: what other readers skip in silence (text after the 0, clauses beyond the header's
//! count, `r 1/3`, which SharpSSAT reads as probability 1) is an error here.

mod header;
mod numbers;
mod prefix;
mod problems;
mod read;
mod write;

pub use read::{Read, read};
pub use write::{Dialect, write};
