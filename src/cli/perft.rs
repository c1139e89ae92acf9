//! `emm perft`: breadth-first counts.

use super::engine::{EngineArgs, EngineName, failed};
use super::exit::{Exit, Failure};
use super::output::OutputArgs;
use super::solve::stop_flag;
use super::table::{self, Align};
use super::{Context, TableFormat, units};
use clap::Args;
use emm::perft::{self, End, Expander, Layer, Limits, Perft, Scalar, Sliced};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::time::Instant;

/// Count states and joint moves breadth first, to check engines against each other
#[derive(Args)]
#[command(after_help = "\
Examples:
  emm perft tt-3x3
  emm perft c4-6x6 --depth 8
  emm perft game.kif --engine reference --timeout 1m --format csv

Columns:
  states    distinct states that some play reaches in exactly `depth` steps
  new       those of them that are at no smaller depth
  terminal  those in which plays end
  stuck     those in which some role has no legal move although plays do not end
  joint     joint moves of the states that are not terminal
  paths     sequences of joint moves that lead here from the start

Without --depth the walk ends when a layer has no new state. Exit code 3 if a limit was reached, or after
Ctrl-C; the layers that were finished are printed.

JSON, version 1:
  {\"version\", \"game\", \"engine\", \"end\": \"exhausted\" | \"depth\" | \"time\" | \"memory\" | \"interrupt\",
   \"distinct_states\": of all layers, \"layers\": [{\"depth\", \"states\", \"new\", \"terminal\", \"stuck\",
   \"joint\", \"paths\", \"goals\": {\"goals per role\": terminal states, ...}}, ...]}
  `joint` and `paths` are strings, because they can exceed what JSON readers take for a number.")]
pub struct PerftArgs {
    #[command(flatten)]
    engine_args: EngineArgs,
    /// The last depth to count [default: until there are no new states]
    #[arg(long, value_name = "N")]
    depth: Option<u32>,
    /// Who says what the rules mean
    #[arg(long, default_value = "machine")]
    engine: EngineName,
    /// Stop when the tables take this much, such as `500M` or `8G` [default: never]
    #[arg(long, value_name = "SIZE", value_parser = units::bytes)]
    memory: Option<usize>,
    /// How to write the counts
    #[arg(long, default_value = "text")]
    format: TableFormat,
    #[command(flatten)]
    output: OutputArgs,
}

pub fn run(args: &PerftArgs, context: &Context) -> Result<Exit, Failure> {
    args.output.check([&args.engine_args.game.game])?;
    let (name, counted) = count(args, context)?;
    let text = match args.format {
        TableFormat::Text => text(&counted),
        TableFormat::Csv => csv(&counted),
        TableFormat::Json => format!("{:#}\n", json(&name, args.engine, &counted)),
    };
    args.output.write(|out| out.write_all(text.as_bytes()))?;
    Ok(if counted.end.is_limit() {
        Exit::LimitReached
    } else {
        Exit::Answered
    })
}

/// The name of the game, and its counts.
fn count(args: &PerftArgs, context: &Context) -> Result<(String, Perft), Failure> {
    let ground_limits = args.engine_args.limits();
    let deadline = ground_limits.deadline;
    match args.engine {
        EngineName::Machine => {
            let compiled = args.engine_args.machine(&ground_limits, context)?;
            let counted = walk(Sliced::new(&compiled.machine), args, deadline, context)?;
            Ok((compiled.name, counted))
        }
        EngineName::Reference => {
            let (game, name) = args.engine_args.reference(&ground_limits, context)?;
            let counted = walk(Scalar::new(&game), args, deadline, context)?;
            Ok((name, counted))
        }
    }
}

fn walk(
    expander: impl Expander,
    args: &PerftArgs,
    deadline: Option<Instant>,
    context: &Context,
) -> Result<Perft, Failure> {
    let stop = stop_flag()?;
    let limits = Limits {
        depth: args.depth,
        deadline,
        memory: args.memory,
        stop: Some(&stop),
    };
    let spinner = context.spinner();
    let counted = perft::perft(expander, limits, |layer| {
        spinner.set_message(format!("depth {}: {} states", layer.depth, layer.states));
    });
    spinner.finish_and_clear();
    counted.map_err(failed)
}

const COLUMNS: [&str; 7] = ["depth", "states", "new", "terminal", "stuck", "joint", "paths"];

fn cells(layer: &Layer) -> [String; 7] {
    [
        layer.depth.to_string(),
        layer.states.to_string(),
        layer.new.to_string(),
        layer.terminal.to_string(),
        layer.stuck.to_string(),
        layer.joint.to_string(),
        layer.paths.to_string(),
    ]
}

fn text(counted: &Perft) -> String {
    let mut rows = vec![COLUMNS.map(String::from).to_vec()];
    rows.extend(counted.layers.iter().map(|layer| cells(layer).to_vec()));
    let mut text = table::layout(&[Align::Right; COLUMNS.len()], &rows);
    let states = counted.distinct_states();
    let _ = match counted.end {
        End::Exhausted => writeln!(text, "{states} distinct states: all that can be reached"),
        End::Depth => writeln!(text, "{states} distinct states; deeper ones may follow"),
        limit => writeln!(
            text,
            "{states} distinct states; stopped by the limit: {}",
            name(limit)
        ),
    };
    text
}

fn csv(counted: &Perft) -> String {
    let mut lines = vec![COLUMNS.join(",")];
    lines.extend(counted.layers.iter().map(|layer| cells(layer).join(",")));
    lines.join("\n") + "\n"
}

fn json(game: &str, engine: EngineName, counted: &Perft) -> Value {
    let layer = |layer: &Layer| {
        json!({
            "depth": layer.depth,
            "states": layer.states,
            "new": layer.new,
            "terminal": layer.terminal,
            "stuck": layer.stuck,
            "joint": layer.joint.to_string(),
            "paths": layer.paths.to_string(),
            "goals": layer.goals,
        })
    };
    json!({
        "version": 1,
        "game": game,
        "engine": engine.name(),
        "end": name(counted.end),
        "distinct_states": counted.distinct_states(),
        "layers": counted.layers.iter().map(layer).collect::<Value>(),
    })
}

fn name(end: End) -> &'static str {
    match end {
        End::Exhausted => "exhausted",
        End::Depth => "depth",
        End::Time => "time",
        End::Memory => "memory",
        End::Interrupt => "interrupt",
    }
}
