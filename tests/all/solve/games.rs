//! Small games written in Rust, for the tests of the solvers.

use emm::game::{Game, GameError, GoalSet, Position, Proven};

/// A generator of random numbers with a seed (splitmix64).
pub struct Rng(u64);

impl Rng {
    pub fn new(seed: u64) -> Rng {
        Rng(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    fn one_in(&mut self, chances: usize) -> bool {
        self.below(chances) == 0
    }
}

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| name.to_string()).collect()
}

/// What every game of this file answers in the same way.
macro_rules! plain_notation {
    () => {
        fn facts(&self, state: &Self::State) -> Vec<String> {
            vec![format!("{state:?}")]
        }

        fn state(&self, _facts: &[String]) -> Result<Self::State, GameError> {
            Err(GameError(
                "states of this game are not written as facts".into(),
            ))
        }

        fn move_name(&self, _role: usize, mv: Self::Move) -> String {
            format!("{mv:?}")
        }
    };
}

/// A random graph in layers: several roles, chance, simultaneous moves, shared successors, and in some
/// games cycles, stuck roles and terminal states with no goal or several.
#[derive(Debug)]
pub struct RandomGame {
    roles: Vec<String>,
    nodes: Vec<Node>,
    layers: u32,
}

#[derive(Debug)]
struct Node {
    terminal: bool,
    goals: Vec<GoalSet>,
    /// The number of legal moves per role.
    moves: Vec<u8>,
    /// The successors by joint move, the last role varying fastest.
    next: Vec<u16>,
}

impl RandomGame {
    pub fn generate(rng: &mut Rng) -> RandomGame {
        let all = [
            &["x"][..],
            &["x", "o"],
            &["x", "random"],
            &["x", "o", "random"],
            &["x", "random", "o", "p"],
        ];
        let roles = names(all[rng.below(all.len())]);
        let (layers, width) = (1 + rng.below(5), 1 + rng.below(4));
        let odd = Odd {
            cycles: rng.one_in(3),
            stuck: rng.one_in(12),
            goals: rng.one_in(6),
            wild: rng.one_in(4),
        };
        let mut nodes = Vec::new();
        for layer in 0..=layers {
            for _ in 0..width {
                nodes.push(node(rng, &roles, &odd, (layer, layers, width)));
            }
        }
        RandomGame {
            roles,
            nodes,
            layers: layers as u32,
        }
    }

    pub fn layers(&self) -> u32 {
        self.layers
    }

    pub fn leads_to(&self, from: u16, to: u16) -> bool {
        let node = &self.nodes[from as usize];
        !node.terminal && node.next.contains(&to)
    }
}

/// What is unusual in a game.
struct Odd {
    cycles: bool,
    stuck: bool,
    goals: bool,
    wild: bool,
}

fn node(rng: &mut Rng, roles: &[String], odd: &Odd, (layer, layers, width): (usize, usize, usize)) -> Node {
    let terminal = layer == layers || (layer > 0 && rng.one_in(5));
    let turn = rng.below(roles.len());
    let count = |rng: &mut Rng, role: usize| {
        let chooses =
            role == turn || (odd.wild && rng.one_in(2)) || (roles[role] == "random" && rng.one_in(3));
        let stuck = odd.stuck && rng.one_in(10);
        if stuck {
            0
        } else if chooses {
            1 + rng.below(3) as u8
        } else {
            1
        }
    };
    let moves: Vec<u8> = (0..roles.len()).map(|role| count(rng, role)).collect();
    let joint: usize = moves.iter().map(|&moves| moves as usize).product();
    let target = |rng: &mut Rng| {
        let back = odd.cycles && rng.one_in(12);
        let to = if back {
            rng.below(layer + 1)
        } else {
            (layer + 1 + rng.below(2)).min(layers)
        };
        (to * width + rng.below(width)) as u16
    };
    let next = (0..joint).map(|_| target(rng)).collect();
    let goals = roles.iter().map(|_| goals(rng, odd)).collect();
    Node {
        terminal,
        goals,
        moves,
        next,
    }
}

fn goals(rng: &mut Rng, odd: &Odd) -> GoalSet {
    let count = if odd.goals && rng.one_in(4) {
        2 * rng.below(2)
    } else {
        1
    };
    (0..count)
        .map(|_| [0, 100, 100, 50, 30, 99][rng.below(6)])
        .collect()
}

impl Game for RandomGame {
    type State = u16;
    type Move = u8;

    fn roles(&self) -> &[String] {
        &self.roles
    }

    fn initial(&self) -> u16 {
        0
    }

    fn look(&self, state: &u16, position: &mut Position<u8>) -> Result<(), GameError> {
        let node = &self.nodes[*state as usize];
        position.terminal = node.terminal;
        position.goals.clone_from(&node.goals);
        position.legal = node.moves.iter().map(|&moves| (0..moves).collect()).collect();
        Ok(())
    }

    fn next(&self, state: &u16, joint: &[u8]) -> Result<u16, GameError> {
        let node = &self.nodes[*state as usize];
        let index = joint
            .iter()
            .zip(&node.moves)
            .fold(0, |index, (&mv, &moves)| index * moves as usize + mv as usize);
        Ok(node.next[index])
    }

    plain_notation!();
}

/// Tic-tac-toe. A state is the cells of both players as bits; the first player moves if they are as many.
#[derive(Debug)]
pub struct TicTacToe;

const LINES: [u16; 8] = [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

fn has_line(cells: u16) -> bool {
    LINES.iter().any(|line| cells & line == *line)
}

static PLAYERS: std::sync::LazyLock<Vec<String>> = std::sync::LazyLock::new(|| names(&["x", "o"]));

impl Game for TicTacToe {
    type State = [u16; 2];
    /// 0 is no move, otherwise the cell's number plus 1.
    type Move = u8;

    fn roles(&self) -> &[String] {
        &PLAYERS
    }

    fn initial(&self) -> [u16; 2] {
        [0, 0]
    }

    fn look(&self, state: &[u16; 2], position: &mut Position<u8>) -> Result<(), GameError> {
        let [x, o] = *state;
        let (x_wins, o_wins) = (has_line(x), has_line(o));
        position.terminal = x_wins || o_wins || x | o == 0o777;
        let goal = |wins, loses| {
            if wins {
                100
            } else if loses {
                0
            } else {
                50
            }
        };
        position.goals = vec![
            GoalSet::from_iter([goal(x_wins, o_wins)]),
            GoalSet::from_iter([goal(o_wins, x_wins)]),
        ];
        let free = (0..9)
            .filter(|cell| (x | o) >> cell & 1 == 0)
            .map(|cell| cell + 1)
            .collect();
        let turn = usize::from(x.count_ones() > o.count_ones());
        position.legal = vec![vec![0], vec![0]];
        position.legal[turn] = free;
        Ok(())
    }

    fn next(&self, state: &[u16; 2], joint: &[u8]) -> Result<[u16; 2], GameError> {
        let add = |cells: u16, mv: u8| if mv == 0 { cells } else { cells | 1 << (mv - 1) };
        Ok([add(state[0], joint[0]), add(state[1], joint[1])])
    }

    plain_notation!();
}

/// Tic-tac-toe that proves what there is to check.
#[derive(Debug)]
pub struct Quick(pub TicTacToe);

impl Game for Quick {
    type State = [u16; 2];
    type Move = u8;

    fn roles(&self) -> &[String] {
        self.0.roles()
    }

    fn initial(&self) -> [u16; 2] {
        self.0.initial()
    }

    fn look(&self, state: &[u16; 2], position: &mut Position<u8>) -> Result<(), GameError> {
        self.0.look(state, position)
    }

    fn next(&self, state: &[u16; 2], joint: &[u8]) -> Result<[u16; 2], GameError> {
        self.0.next(state, joint)
    }

    fn proven(&self) -> Proven {
        Proven {
            longest_play: Some(9),
            turn_taking: true,
            always_a_move: true,
            one_goal: true,
        }
    }

    plain_notation!();
}

/// Nim with a coin: the players take one or two in turn, and a coin decides whether one more goes. Whoever
/// takes the last one wins; what the coin takes counts for the player before it.
#[derive(Debug)]
pub struct CoinNim {
    pub heap: u8,
}

static NIM: std::sync::LazyLock<Vec<String>> = std::sync::LazyLock::new(|| names(&["x", "o", "random"]));

impl Game for CoinNim {
    /// What is left, whose turn it is (0, 1), and whether the coin is next.
    type State = (u8, u8, bool);
    type Move = u8;

    fn roles(&self) -> &[String] {
        &NIM
    }

    fn initial(&self) -> (u8, u8, bool) {
        (self.heap, 0, false)
    }

    fn look(&self, state: &(u8, u8, bool), position: &mut Position<u8>) -> Result<(), GameError> {
        let (left, turn, coin) = *state;
        position.terminal = left == 0;
        let winner = if coin { turn } else { 1 - turn };
        let goal = |role| GoalSet::from_iter([if role == winner { 100 } else { 0 }]);
        position.goals = vec![goal(0), goal(1), GoalSet::from_iter([0])];
        position.legal = vec![vec![0], vec![0], vec![0]];
        position.legal[if coin { 2 } else { turn as usize }] = if coin { vec![0, 1] } else { vec![1, 2] };
        Ok(())
    }

    fn next(&self, state: &(u8, u8, bool), joint: &[u8]) -> Result<(u8, u8, bool), GameError> {
        let (left, turn, coin) = *state;
        let taken = left.saturating_sub(joint.iter().sum());
        Ok(if coin {
            (taken, 1 - turn, false)
        } else {
            (taken, turn, true)
        })
    }

    plain_notation!();
}

static ALONE: std::sync::LazyLock<Vec<String>> = std::sync::LazyLock::new(|| names(&["x"]));

/// One player walks so many steps and wins.
#[derive(Debug)]
pub struct Chain {
    pub length: u32,
    pub proven: Proven,
}

impl Game for Chain {
    type State = u32;
    type Move = u8;

    fn roles(&self) -> &[String] {
        &ALONE
    }

    fn initial(&self) -> u32 {
        0
    }

    fn look(&self, state: &u32, position: &mut Position<u8>) -> Result<(), GameError> {
        position.terminal = *state >= self.length;
        position.goals = vec![GoalSet::from_iter([100])];
        position.legal = vec![vec![0]];
        Ok(())
    }

    fn next(&self, state: &u32, _joint: &[u8]) -> Result<u32, GameError> {
        Ok(state + 1)
    }

    fn proven(&self) -> Proven {
        self.proven
    }

    plain_notation!();
}

static WITH_CHANCE: std::sync::LazyLock<Vec<String>> = std::sync::LazyLock::new(|| names(&["x", "random"]));

/// A coin is thrown up to so many times; the first head ends the game, won in every other round.
#[derive(Debug)]
pub struct Coins {
    pub count: u16,
}

impl Game for Coins {
    /// The round, and whether it was the last.
    type State = (u16, bool);
    type Move = u8;

    fn roles(&self) -> &[String] {
        &WITH_CHANCE
    }

    fn initial(&self) -> (u16, bool) {
        (0, false)
    }

    fn look(&self, state: &(u16, bool), position: &mut Position<u8>) -> Result<(), GameError> {
        let (round, over) = *state;
        position.terminal = over || round == self.count;
        position.goals = vec![GoalSet::from_iter([if over && round % 2 == 0 { 100 } else { 0 }]); 2];
        position.legal = vec![vec![0], vec![0, 1]];
        Ok(())
    }

    fn next(&self, state: &(u16, bool), joint: &[u8]) -> Result<(u16, bool), GameError> {
        Ok((state.0 + 1, joint[1] == 1))
    }

    plain_notation!();
}
