//! A position as the value sees it: the maximising role's moves, for each of them the joint moves of the
//! minimising roles, for each pair of those the outcomes of chance.

use std::ops::Range;

use ahash::AHashMap;

use crate::game::{Game, GameError, Position};

use super::limits::Limits;
use super::question::Question;

/// The roles by side.
pub(super) struct Sides {
    /// The maximising role.
    pub(super) own: Vec<usize>,
    /// The roles that minimise together.
    pub(super) others: Vec<usize>,
    /// The roles that move at random.
    pub(super) chance: Vec<usize>,
}

impl Sides {
    pub(super) fn new<S>(question: &Question<S>, roles: usize) -> Sides {
        let chance: Vec<usize> = (0..roles).filter(|role| question.chance.contains(role)).collect();
        let others = (0..roles)
            .filter(|role| *role != question.role && !chance.contains(role))
            .collect();
        Sides {
            own: vec![question.role],
            others,
            chance,
        }
    }
}

/// The number of joint moves of these roles; `None` if there are more than can be counted.
pub(super) fn joint_count<M>(roles: &[usize], legal: &[Vec<M>]) -> Option<u64> {
    roles
        .iter()
        .try_fold(1u64, |count, &role| count.checked_mul(legal[role].len() as u64))
}

/// The joint move number `index` of these roles, written into `joint`; the last role varies fastest.
pub(super) fn write_joint<M: Copy>(roles: &[usize], legal: &[Vec<M>], mut index: usize, joint: &mut [M]) {
    for &role in roles.iter().rev() {
        joint[role] = legal[role][index % legal[role].len()];
        index /= legal[role].len();
    }
}

/// The successors of a position.
///
/// The position's value is `max over rows of min over columns of mean over outcomes`. Outcomes that are
/// the same state are merged, in the order of their first occurrence.
pub(super) struct Successors<S> {
    pub(super) rows: usize,
    pub(super) columns: usize,
    /// The number of joint moves of chance: the sum of the weights in every cell.
    pub(super) total: u64,
    /// Where the outcomes of each cell end; cell (row, column) is number `row * columns + column`.
    ends: Vec<u32>,
    /// How many joint moves of chance lead to each outcome.
    pub(super) weights: Vec<u64>,
    pub(super) states: Vec<S>,
}

/// Above this number of joint moves of chance, equal outcomes are found by hashing.
const MANY: u64 = 16;

impl<S> Successors<S> {
    /// The outcomes of a cell, as a range of indices into `states` and `weights`.
    pub(super) fn outcomes(&self, cell: usize) -> Range<usize> {
        let start = if cell == 0 { 0 } else { self.ends[cell - 1] };
        start as usize..self.ends[cell] as usize
    }
}

/// The most successors that a position may have.
const MOST_SUCCESSORS: u64 = 1 << 28;

/// The clock is looked at once for so many joint moves.
const MOVES_PER_POLL: usize = 16;

/// Computes all successors of a state that is not terminal and where nobody is stuck; nothing if a limit is reached
/// meanwhile.
pub(super) fn successors<G: Game>(
    game: &G,
    sides: &Sides,
    state: &G::State,
    position: &Position<G::Move>,
    limits: &Limits,
) -> Result<Option<Successors<G::State>>, GameError> {
    let legal = &position.legal;
    let count = |roles: &[usize]| joint_count(roles, legal).filter(|&count| count <= MOST_SUCCESSORS);
    let (Some(rows), Some(columns), Some(total)) =
        (count(&sides.own), count(&sides.others), count(&sides.chance))
    else {
        return Err(too_many());
    };
    if rows.saturating_mul(columns).saturating_mul(total) > MOST_SUCCESSORS {
        return Err(too_many());
    }
    let mut all = Successors {
        rows: rows as usize,
        columns: columns as usize,
        total,
        ends: Vec::with_capacity((rows * columns) as usize),
        weights: Vec::new(),
        states: Vec::new(),
    };
    let Some(mut joint) = legal
        .iter()
        .map(|moves| moves.first().copied())
        .collect::<Option<Vec<_>>>()
    else {
        return Err(GameError("a role has no legal move".into()));
    };
    let mut made = 0;
    let mut is_over = || {
        made += 1;
        made % MOVES_PER_POLL == 0 && {
            limits.poll();
            limits.reached().is_some()
        }
    };
    for cell in 0..all.rows * all.columns {
        write_joint(&sides.own, legal, cell / all.columns, &mut joint);
        write_joint(&sides.others, legal, cell % all.columns, &mut joint);
        if !add_cell(game, sides, (state, legal), &mut joint, &mut all, &mut is_over)? {
            return Ok(None);
        }
    }
    Ok(Some(all))
}

fn too_many() -> GameError {
    GameError(format!("a state has more than {MOST_SUCCESSORS} joint moves"))
}

/// Adds the outcomes of a joint move of all but chance; false if it is over before that is done.
fn add_cell<G: Game>(
    game: &G,
    sides: &Sides,
    (state, legal): (&G::State, &[Vec<G::Move>]),
    joint: &mut [G::Move],
    all: &mut Successors<G::State>,
    is_over: &mut impl FnMut() -> bool,
) -> Result<bool, GameError> {
    let start = all.states.len();
    let mut places: Option<AHashMap<G::State, usize>> = (all.total > MANY).then(AHashMap::new);
    for outcome in 0..all.total as usize {
        if is_over() {
            return Ok(false);
        }
        write_joint(&sides.chance, legal, outcome, joint);
        let next = game.next(state, joint)?;
        let place = match &mut places {
            Some(places) => {
                let fresh = all.states.len();
                let place = *places.entry(next.clone()).or_insert(fresh);
                (place < fresh).then_some(place)
            }
            None => (start..all.states.len()).find(|&place| all.states[place] == next),
        };
        match place {
            Some(place) => all.weights[place] += 1,
            None => {
                all.states.push(next);
                all.weights.push(1);
            }
        }
    }
    all.ends.push(all.states.len() as u32);
    Ok(true)
}
