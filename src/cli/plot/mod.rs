//! `emm plot`: tables as pictures.
//!
//! [`series`] makes lines and points from rows, [`shifting`] points from cross-checks, [`draw`] draws them.

mod draw;
mod series;
mod shifting;

use super::Context;
use super::exit::{Exit, Failure};
use super::output::OutputArgs;
use super::tabulate::sheet;
use clap::{Args, ValueEnum};
use draw::{Axis, Chart, Scale};
use series::{Series, series};
use std::path::PathBuf;

const AFTER_HELP: &str = "\
Examples:
  emm solve s-nim-30 --horizon 120 --all-horizons --format csv --output nim.csv
  emm plot nim.csv --over horizon --output nim.svg
  emm table curves --output curves.csv
  emm plot curves.csv --over p --output p.svg
  emm plot curves.csv --over size --output size.svg
  emm plot all.csv --over states --output time.svg
  emm plot crosscheck.csv paper --over shifting --output shifting.svg

FILE is what `emm table` and `emm solve --format csv` write. A line joins the rows of one role of one
game, or family of games: the board's size and p are read from the game's name, as in `s-tt-3x3-80`
(3 wide, 3 high, p = 80 %). `--over states` draws the CPU time of every solved row, `--over memory`
its memory, over its states, all axes logarithmic. Rows without a value, and lines of a single point, are left out.

For `--over shifting`, FILE is what `emm crosscheck` writes, or a suite of `emm table` with the columns `Qb_s`
and `Qd_s`, such as `paper`: the time with the prefix Q_d as a multiple of the time with Q_b, over the latter.
Each series is named with its number of points and their geometric mean; times below 10 ms are left out.";

/// Draw values over the horizon, p or the board's size, or times and memory over states, as SVG
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub struct PlotArgs {
    /// Tables to draw together; `-` is standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// What the horizontal axis shows
    #[arg(long, value_name = "WHAT")]
    over: Over,
    /// The title of the plot [default: what the axes show]
    #[arg(long)]
    title: Option<String>,
    #[command(flatten)]
    output: OutputArgs,
}

/// What is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Over {
    /// Values over the number of steps
    Horizon,
    /// Values over the probability in the game's name
    P,
    /// Values over the cells of the board in the game's name
    Size,
    /// CPU time over states
    States,
    /// Bytes of the tables over states
    Memory,
    /// What the quantifier prefix costs a solver of formulas
    Shifting,
}

impl Over {
    /// Whether points are not joined.
    fn is_scatter(self) -> bool {
        matches!(self, Over::States | Over::Memory | Over::Shifting)
    }
}

pub fn run(args: &PlotArgs, context: &Context) -> Result<Exit, Failure> {
    args.output.check(&args.files)?;
    let drawn = match args.over {
        Over::Shifting => shifting::series(&args.files)?,
        _ => of_tables(args, context)?,
    };
    let svg = draw::svg(&chart(args, &drawn)).map_err(|error| Failure::input(error, ""))?;
    args.output.write(|out| out.write_all(svg.as_bytes()))?;
    Ok(Exit::Answered)
}

/// The series of tables of answers.
fn of_tables(args: &PlotArgs, context: &Context) -> Result<Vec<Series>, Failure> {
    let help = "name files that `emm table` or `emm solve --format csv` wrote";
    let mut rows = Vec::new();
    for file in &args.files {
        rows.extend(sheet::load(file, help)?);
    }
    let drawn = series(&rows, args.over);
    let points: usize = drawn.iter().map(|series| series.points.len()).sum();
    if points == 0 {
        return Err(Failure::input(
            format!(
                "none of the {} rows can be drawn over {}",
                rows.len(),
                word(args.over)
            ),
            "see `emm plot --help` for what is drawn",
        ));
    }
    if points < rows.len() {
        context.note(format_args!("{points} of {} rows are drawn", rows.len()));
    }
    Ok(drawn)
}

fn word(over: Over) -> &'static str {
    match over {
        Over::Horizon => "the horizon",
        Over::P => "p",
        Over::Size => "the size",
        Over::States | Over::Memory => "states",
        Over::Shifting => "the time with Q_b",
    }
}

fn chart<'a>(args: &'a PlotArgs, series: &'a [Series]) -> Chart<'a> {
    let x = match args.over {
        Over::Horizon => Axis::new("horizon (steps)", Scale::Linear),
        Over::P => Axis::new("p (%)", Scale::Linear),
        Over::Size => Axis::new("cells of the board", Scale::Linear),
        Over::States | Over::Memory => Axis::new("states", Scale::Logarithmic),
        Over::Shifting => Axis::new("time with Q_b (s)", Scale::Logarithmic),
    };
    let y = match args.over {
        Over::States => Axis::new("CPU time (s)", Scale::Logarithmic),
        Over::Memory => Axis::new("tables (bytes)", Scale::Logarithmic),
        Over::Shifting => Axis::new("time with Q_d / time with Q_b", Scale::Linear),
        _ => Axis::new("value (%)", Scale::Linear),
    };
    let title = match args.over {
        Over::Horizon => "Value within a number of steps",
        Over::P => "Value over the probability p",
        Over::Size => "Value over the size of the board",
        Over::States => "CPU time to answer a question",
        Over::Memory => "Memory to answer a question",
        Over::Shifting => "Quantifier shifting (beside: geometric means)",
    };
    Chart {
        title: args.title.as_deref().unwrap_or(title),
        x,
        y,
        joined: !args.over.is_scatter(),
        level: (args.over == Over::Shifting).then_some(1.0),
        series,
    }
}
