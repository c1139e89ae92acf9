//! How long a game can take.

use super::Limits;
use crate::game::Game;
use crate::machine::Machine;
use crate::perft::{self, End, Expander, Perft, Sliced, Tally};
use hashbrown::HashSet;
use std::ops::ControlFlow;
use std::time::Instant;

/// The length of the longest play, or a bound for it, if that is proven or can be seen by walking the game
/// within the limits.
pub fn longest_play(machine: &Machine, limits: &Limits) -> Option<u32> {
    let deadline = Instant::now().checked_add(limits.time);
    let is_over = || limits.is_stopped() || deadline.is_some_and(|deadline| Instant::now() >= deadline);
    let walked = || {
        let counts = walk(machine, limits)?;
        let is_finite = counts.end == End::Exhausted;
        is_finite.then(|| last_layer(machine, counts.distinct_states(), &is_over))?
    };
    machine.proven().longest_play.or_else(walked)
}

/// The last depth that has states, of a game with so many states in all. A layer has every state that some
/// play reaches in so many steps, also those that were met before: so a play with more steps than there are
/// states has met one twice, and there is no last layer.
fn last_layer(machine: &Machine, states: u64, is_over: &dyn Fn() -> bool) -> Option<u32> {
    let mut expander = Sliced::new(machine);
    let mut layer = vec![expander.initial()];
    for depth in 0..u32::try_from(states).unwrap_or(u32::MAX) {
        let mut next = HashSet::with_hasher(ahash::RandomState::with_seeds(1, 2, 3, 4));
        for chunk in layer.chunks(expander.chunk()) {
            if is_over() {
                return None;
            }
            let mut visit = |_, state| {
                next.insert(state);
                ControlFlow::Continue(())
            };
            expander.expand(chunk, &mut Tally::new(), Some(&mut visit)).ok()?;
        }
        if next.is_empty() {
            return Some(depth);
        }
        layer = next.into_iter().collect();
    }
    None
}

/// Counts the states of a game layer by layer, as far as the limits let.
pub fn walk(machine: &Machine, limits: &Limits) -> Option<Perft> {
    let limits = perft::Limits {
        deadline: Instant::now().checked_add(limits.time),
        memory: Some(limits.memory),
        stop: Some(&limits.stop),
        ..perft::Limits::default()
    };
    perft::perft(Sliced::new(machine), limits, |_| {}).ok()
}
