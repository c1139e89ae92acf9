//! Time and memory of the engine `layered` over the number of states: connect four against a random player, on boards with
//! 10^3 to 10^8 open states, one thread, without symmetries.
//!
//! `cargo bench --bench growth > results/growth.csv` prints the columns of `emm solve --format csv`, so that `emm plot` can
//! draw them. The time is that from the compiled game to the answer: what it takes to compile a game and to prove its
//! structure is the same for all boards but for a factor of two, and would hide the small ones. Small boards are solved
//! again and again, until the time can be measured. A name given as an argument restricts the boards to those that contain it.

use cpu_time::ProcessTime;
use emm::generate::{Connect, Marking};
use emm::machine::Machine;
use emm::report::Csv;
use emm::solve::{Engine, Options, Outcome, Question, Statistics, select, solve_selected};
use emm::source::Source;
use sha2::{Digest, Sha256};
use std::time::{Duration, Instant};

/// Width and height. Along a width the number of moves is the same, and only the number of states grows.
const BOARDS: [(u32, u32); 16] = [
    (3, 4),
    (3, 5),
    (3, 6),
    (3, 7),
    (3, 8),
    (3, 9),
    (4, 2),
    (4, 3),
    (4, 4),
    (4, 5),
    (4, 6),
    (4, 7),
    (5, 2),
    (5, 3),
    (5, 4),
    (5, 5),
];

/// Every board is solved for so long.
const PATIENCE: Duration = Duration::from_millis(300);

fn main() {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    // `cargo test --all-targets` runs this too, without the flag, and wants no benchmark.
    if !arguments.iter().any(|argument| argument == "--bench") {
        return;
    }
    let wanted = arguments.iter().find(|argument| !argument.starts_with("--"));
    println!("{}", Csv::COLUMNS.join(","));
    for (width, height) in BOARDS {
        let name = format!("c4-{width}x{height}");
        if wanted.is_none_or(|wanted| name.contains(wanted.as_str())) {
            measure(&name, width, height);
        }
    }
}

/// What a board took, each time.
struct Taken {
    cpu: f64,
    wall: f64,
    statistics: Statistics,
}

fn measure(name: &str, width: u32, height: u32) {
    let text = Connect::new(4, width, height, Marking::Sure)
        .expect("a board")
        .describe();
    let machine = Machine::load(Source::new(name, &text)).expect("a machine");
    let mut question = Question::new(&machine, 0);
    question.chance.push(1);
    let options = Options {
        engine: Engine::Layered,
        ..Options::default()
    };
    let questions = [question];
    let selected = select(&machine, &questions, &options).expect("an engine");
    let (cpu, wall) = (ProcessTime::now(), Instant::now());
    let (mut runs, mut answer) = (0.0, None);
    while wall.elapsed() < PATIENCE {
        answer = solve_selected(&machine, &selected, &questions, &options)
            .expect("an answer")
            .pop();
        runs += 1.0;
    }
    let answer = answer.expect("one question");
    let Outcome::Solved(value) = answer.outcome else {
        panic!("{:?}", answer.outcome);
    };
    let taken = Taken {
        cpu: cpu.elapsed().as_secs_f64() / runs,
        wall: wall.elapsed().as_secs_f64() / runs,
        statistics: answer.statistics,
    };
    let fraction = (
        value.to_f64(),
        value.numerator().to_string(),
        value.denominator().to_string(),
    );
    print(name, &text, fraction, &taken);
}

fn print(name: &str, text: &str, (value, numerator, denominator): (f64, String, String), taken: &Taken) {
    let sha256 = Sha256::digest(text.as_bytes());
    let sha256: String = sha256.iter().map(|byte| format!("{byte:02x}")).collect();
    println!(
        "{name},x,o,win,,solved,{value:.12},{numerator},{denominator},{},{},layered,1,{:.8},{:.8},{},{},{sha256}",
        taken.statistics.visited,
        taken.statistics.edges,
        taken.cpu,
        taken.wall,
        taken.statistics.memory_bytes,
        env!("CARGO_PKG_VERSION"),
    );
}
