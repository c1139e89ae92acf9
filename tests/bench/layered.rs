//! The engines `layered` and `sweep` against hand-written solvers of connect-k, stochastic connect-k and stochastic tic-tac-toe.
//!
//! `cargo bench --bench layered` prints a table in Markdown: CPU time and memory of both, in one run, with one
//! thread. Both enumerate all open positions and answer for both players; symmetries, which the hand-written solvers do
//! not know, are left out. The time of `emm` is that from the network to the answers. Before a number is printed, it is checked: the values of
//! both solvers against each other and all boards against their known numbers of open states. A name given as an
//! argument restricts the tables to the rows that contain it. `sweep` is for stochastic tic-tac-toe only.
//!
//! A second table has the wall time of `emm` with one thread and with two, symmetries included as in `emm solve`.

mod memory;
mod yardstick;

use cpu_time::ProcessTime;
use emm::machine::{Bits, Machine};
use emm::solve::{Engine, Fraction, Options, Outcome, Question, Statistics, select, solve_selected};
use emm::source::Source;
use std::time::Instant;
use yardstick::{Chance, Config, Report};

#[global_allocator]
static COUNTING: memory::Counting = memory::Counting;

/// A bundled game and what is known of it.
struct Row {
    name: &'static str,
    config: Config,
    /// Open states and edges.
    size: (u64, u64),
    /// The probability that x wins, that o wins.
    values: [(u128, u128); 2],
}

const CHANCE: Chance = Chance { own: 4, total: 5 };

const fn connect(width: usize, height: usize, line: usize) -> Config {
    Config::Connect { width, height, line }
}

const fn stochastic_connect(width: usize, height: usize, line: usize) -> Config {
    Config::StochasticConnect {
        width,
        height,
        line,
        chance: CHANCE,
    }
}

const fn stochastic_tic_tac_toe(width: usize, height: usize) -> Config {
    Config::StochasticTicTacToe {
        width,
        height,
        chance: CHANCE,
    }
}

/// Boards that are too small to be timed.
const CHECKED: [Row; 6] = [
    Row {
        name: "c3-4x4",
        config: connect(4, 4, 3),
        size: (23_930, 65_756),
        values: [(1, 1), (283, 288)],
    },
    Row {
        name: "c4-4x4",
        config: connect(4, 4, 4),
        size: (134_289, 304_574),
        values: [(1_471, 1_536), (53_465, 55_296)],
    },
    Row {
        name: "s-c3-4x4-80",
        config: stochastic_connect(4, 4, 3),
        size: (65_827, 358_352),
        values: [
            (92_697_510_376, 152_587_890_625),
            (59_884_531_161, 152_587_890_625),
        ],
    },
    Row {
        name: "s-c4-4x4-80",
        config: stochastic_connect(4, 4, 4),
        size: (497_213, 2_256_536),
        values: [
            (40_072_762_444, 152_587_890_625),
            (13_083_757_972, 30_517_578_125),
        ],
    },
    Row {
        name: "s-tt-3x3-80",
        config: stochastic_tic_tac_toe(3, 3),
        size: (11_093, 80_150),
        values: [(164_832, 390_625), (717_621, 1_953_125)],
    },
    Row {
        name: "s-tt-3x4-80",
        config: stochastic_tic_tac_toe(3, 4),
        size: (212_109, 2_102_296),
        values: [(148_461_172, 244_140_625), (95_351_897, 244_140_625)],
    },
];

/// Boards that are timed.
const TIMED: [Row; 5] = [
    Row {
        name: "c4-5x4",
        config: connect(5, 4, 4),
        size: (3_100_379, 8_757_625),
        values: [(32_321_699_843, 32_400_000_000), (10_121, 10_125)],
    },
    Row {
        name: "c4-5x5",
        config: connect(5, 5, 4),
        size: (50_722_290, 149_818_972),
        values: [(624_996_231, 625_000_000), (9_717_437_195_669, 9_720_000_000_000)],
    },
    Row {
        name: "s-c4-5x4-80",
        config: stochastic_connect(5, 4, 4),
        size: (11_973_143, 67_844_318),
        values: [
            (37_231_191_670_101, 95_367_431_640_625),
            (42_067_630_000_224, 95_367_431_640_625),
        ],
    },
    Row {
        name: "s-c3-5x5-80",
        config: stochastic_connect(5, 5, 3),
        size: (6_189_955, 43_226_466),
        values: [
            (184_142_307_191_786_536, 298_023_223_876_953_125),
            (113_880_916_662_797_309, 298_023_223_876_953_125),
        ],
    },
    Row {
        name: "s-tt-4x4-80",
        config: stochastic_tic_tac_toe(4, 4),
        size: (10_189_319, 138_728_768),
        values: [
            (97_319_359_948, 152_587_890_625),
            (11_053_350_497, 30_517_578_125),
        ],
    },
];

fn main() {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    // `cargo test --all-targets` runs this too, without the flag, and wants no benchmark.
    if !arguments.iter().any(|argument| argument == "--bench") {
        return;
    }
    let wanted = arguments.iter().find(|argument| !argument.starts_with("--"));
    for row in &CHECKED {
        solve(row);
        engines(row).iter().for_each(|&engine| {
            general(row, engine);
        });
    }
    println!("# The engines `layered` and `sweep` against hand-written solvers\n");
    println!("`cargo bench --bench layered`, one thread, without symmetries, both players\n");
    println!(
        "| game | engine | open states | edges | hand-written CPU s | bytes/state | emm CPU s | bytes/state | emm / hand-written |"
    );
    println!("|---|---|---:|---:|---:|---:|---:|---:|---:|");
    for row in &TIMED {
        if wanted.is_none_or(|wanted| row.name.contains(wanted.as_str())) {
            let report = solve(row);
            for &engine in engines(row) {
                print(row, engine, &report, general(row, engine));
            }
        }
    }
    println!("\n## One thread and two\n");
    println!("Wall time of `layered`, up to symmetry, both players; the machine does nothing else\n");
    println!("| game | open states | 1 thread s | 2 threads s | speed-up |");
    println!("|---|---:|---:|---:|---:|");
    for (name, opponent, size) in PARALLEL {
        if wanted.is_none_or(|wanted| name.contains(wanted.as_str())) {
            compare_threads(name, opponent, size);
        }
    }
}

/// Large boards that are timed with one thread and with two: open states and edges up to symmetry.
const PARALLEL: [(&str, Opponent, (u64, u64)); 4] = [
    ("c4-5x5", Opponent::Random, (25_366_620, 74_927_016)),
    ("s-c4-5x4-80", Opponent::Worst, (5_992_715, 33_959_886)),
    ("s-c3-5x5-80", Opponent::Worst, (3_098_597, 21_639_202)),
    ("c3-6x6", Opponent::Random, (117_557_213, 516_754_192)),
];

/// How the player moves who is not asked about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Opponent {
    Random,
    Worst,
}

/// Prints the wall times with one thread and with two, which give the same answers and counts.
fn compare_threads(name: &str, opponent: Opponent, size: (u64, u64)) {
    let game = emm::games::find(name).expect("a bundled game");
    let machine = Machine::load_with_symmetries(Source::new(game.name, game.text)).expect("a machine");
    let ask = |role: usize| {
        let mut question = Question::new(&machine, role);
        question
            .chance
            .extend((opponent == Opponent::Random).then_some(1 - role));
        question
    };
    let questions = [0, 1].map(ask);
    let [(one, expected), (two, found)] = [1, 2].map(|threads| {
        let options = Options {
            engine: Engine::Layered,
            threads,
            ..Options::default()
        };
        let start = Instant::now();
        let selected = select(&machine, &questions, &options).expect("an engine");
        let answers = solve_selected(&machine, &selected, &questions, &options).expect("answers");
        let seconds = start.elapsed().as_secs_f64();
        let counts = (answers[0].statistics.visited, answers[0].statistics.edges);
        assert_eq!(counts, size, "size of {name}");
        let said = answers
            .into_iter()
            .map(|answer| (answer.outcome, answer.first_moves));
        (seconds, said.collect::<Vec<_>>())
    });
    assert_eq!(expected, found, "answers of {name}");
    println!("| {name} | {} | {one:.2} | {two:.2} | {:.2} |", size.0, one / two);
}

/// Runs the hand-written solver and checks what it says.
fn solve(row: &Row) -> Report {
    let report = yardstick::run(row.config);
    let size = (report.open_states, report.edges);
    assert_eq!(size, row.size, "size of {}", row.name);
    assert_eq!(report.values, row.values, "values of {}", row.name);
    report
}

/// The engines that can solve the game.
fn engines(row: &Row) -> &'static [Engine] {
    match row.config {
        Config::StochasticTicTacToe { .. } => &[Engine::Layered, Engine::Sweep],
        _ => &[Engine::Layered],
    }
}

/// Runs `emm` and checks what it says; gives the CPU seconds.
fn general(row: &Row, engine: Engine) -> (f64, Statistics) {
    let game = emm::games::find(row.name).expect("a bundled game");
    let machine = Machine::load(Source::new(game.name, game.text)).expect("a machine");
    let questions: Vec<_> = [0, 1].map(|role| question(&machine, role, row.config)).into();
    let options = Options {
        engine,
        ..Options::default()
    };
    let start = ProcessTime::now();
    let selected = select(&machine, &questions, &options).expect("an engine");
    let answers = solve_selected(&machine, &selected, &questions, &options).expect("answers");
    let seconds = start.elapsed().as_secs_f64();
    for (answer, (numerator, denominator)) in answers.iter().zip(row.values) {
        let value = Fraction::new(numerator as u64, denominator as u64).expect("a fraction");
        assert_eq!(answer.outcome, Outcome::Solved(value), "value of {}", row.name);
    }
    assert_eq!(
        answers[0].statistics.visited, row.size.0,
        "states of {}",
        row.name
    );
    (seconds, answers[0].statistics)
}

/// The question that the hand-written solver answers for a player.
fn question(machine: &Machine, role: usize, config: Config) -> Question<Bits> {
    let mut question = Question::new(machine, role);
    if matches!(config, Config::Connect { .. }) {
        question.chance.push(1 - role);
    }
    question
}

fn print(row: &Row, engine: Engine, report: &Report, (seconds, statistics): (f64, Statistics)) {
    let states = report.open_states as f64;
    println!(
        "| {} | {} | {} | {} | {:.3} | {:.1} | {seconds:.3} | {:.1} | {:.2} |",
        row.name,
        format!("{engine:?}").to_lowercase(),
        report.open_states,
        report.edges,
        report.cpu_seconds,
        report.bytes as f64 / states,
        statistics.memory_bytes as f64 / states,
        seconds / report.cpu_seconds,
    );
}
