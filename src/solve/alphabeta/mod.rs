//! The engine `alphabeta`: games without chance, depth first on packed keys.
//!
//! # Contract
//!
//! The worths of terminal states are few whole numbers, 0 = w0 < w1 < … < wk <= top. So all that is ever asked is
//! whether a value reaches a threshold t, one of w1 … wk: a search with the window (t - 1, t). Let V(s, n) be
//! the value of position s with n choices left. Unless the run is over before,
//! [`Worker::ask`](search::Worker::ask)`(s, n)` gives a verdict with a number m of choices:
//!
//! ```text
//! Reached, m <= n    V(s, i) >= t  for every i >= m
//! Missed,  m >= n    V(s, i) <  t  for every i <= m
//! ```
//!
//! With one threshold, as for a win, that is the value; with several, bisection finds it, and what was proven for
//! one threshold serves the others through the table. A window over all values was not tried: nearly all
//! questions have one threshold, and the bounds of a whole interval would take twice the bits of an entry.
//!
//! # What makes it fast
//!
//! Positions are packed keys, and all successors of a position are looked at together, one lane each
//! ([`crate::machine::packed`]): whoever can win at once, and every choice after which the other side can, are known
//! before anything is searched. The table (`table`) knows positions up to symmetry.
//!
//! # Threads
//!
//! All threads answer the same question and share the table; whoever has the answer first ends the others. The
//! table only ever holds proven facts, so threads change which facts are found, but no answer.
//!
//! | file | what it is |
//! |---|---|
//! | `fact`, `table` | what is proven about a position, and of which positions it is remembered |
//! | `node`, `order` | a position on the path, and which of its choices comes first |
//! | `search` | the recursion, for one thread |
//! | `busy` | how threads keep out of each other's way |
//! | `root` | threads, thresholds, first moves |

mod busy;
mod fact;
mod node;
mod order;
mod root;
mod search;
mod table;

pub(super) use root::{Found, run};
