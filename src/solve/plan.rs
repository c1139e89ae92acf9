//! Shortest plays to a state with some property: winning plans, and the plays that witness a cycle.
//!
//! Breadth first over all joint moves, so the play that is found is a shortest one; of several, the one
//! whose moves come first in the order of the game.

use ahash::AHashSet;

use crate::game::{Game, GameError, Position};

use super::position::{joint_count, write_joint};

/// One way into a state: the state before, as an index, and the joint move.
struct Step<S, M> {
    state: S,
    before: usize,
    joint: Vec<M>,
}

/// The joint moves of a shortest play of at least one step from `start` to a state that `is_target`
/// accepts. Nothing if there is none among the first `most_states` states, those nearest to the start.
pub fn shortest_play<G: Game>(
    game: &G,
    start: &G::State,
    is_target: impl Fn(&G::State, &Position<G::Move>) -> bool,
    most_states: usize,
) -> Result<Option<Vec<Vec<G::Move>>>, GameError> {
    let roles: Vec<usize> = (0..game.roles().len()).collect();
    let (mut position, mut seen_position) = (Position::new(roles.len()), Position::new(roles.len()));
    let mut steps = vec![Step {
        state: start.clone(),
        before: 0,
        joint: Vec::new(),
    }];
    let mut seen: AHashSet<G::State> = AHashSet::new();
    let mut next_step = 0;
    while next_step < steps.len() && steps.len() <= most_states {
        let state = steps[next_step].state.clone();
        game.look(&state, &mut position)?;
        let count = joint_count(&roles, &position.legal).filter(|&count| count <= most_states as u64);
        let Some(mut joint) = first_joint(&position).filter(|_| !position.terminal) else {
            next_step += 1;
            continue;
        };
        for index in 0..count.unwrap_or(0) as usize {
            write_joint(&roles, &position.legal, index, &mut joint);
            let next = game.next(&state, &joint)?;
            if !seen.insert(next.clone()) {
                continue;
            }
            game.look(&next, &mut seen_position)?;
            let is_found = is_target(&next, &seen_position);
            steps.push(Step {
                state: next,
                before: next_step,
                joint: joint.clone(),
            });
            if is_found {
                return Ok(Some(play_to_last(&steps)));
            }
        }
        next_step += 1;
    }
    Ok(None)
}

fn first_joint<M: Copy>(position: &Position<M>) -> Option<Vec<M>> {
    position
        .legal
        .iter()
        .map(|moves| moves.first().copied())
        .collect()
}

fn play_to_last<S, M: Clone>(steps: &[Step<S, M>]) -> Vec<Vec<M>> {
    let mut play = Vec::new();
    let mut at = steps.len() - 1;
    while at != 0 {
        play.push(steps[at].joint.clone());
        at = steps[at].before;
    }
    play.reverse();
    play
}
