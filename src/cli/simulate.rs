//! `emm simulate`: random plays.

use super::engine::{EngineArgs, EngineName, failed};
use super::exit::{Exit, Failure};
use super::output::OutputArgs;
use super::solve::stop_flag;
use super::table::{self, Align};
use super::{Context, TableFormat};
use clap::Args;
use emm::game::{Game, GoalSet};
use emm::simulate::{End, Estimate, Histogram, Play, Simulator, Statistics};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::atomic::Ordering;
use std::time::Instant;

/// Play at random: every role chooses uniformly among its legal moves
#[derive(Args)]
#[command(after_help = "\
Examples:
  emm simulate tt-3x3 --seed 1                  a transcript
  emm simulate s-nim-30 --seed 1 --plays 10k    statistics of many plays
  emm simulate c4-5x5 --seed 7 --plays 1000 --format csv

The same seed gives the same plays, on both engines and on every computer. The transcript shows
after each joint move which facts stopped holding (-) and which hold now (+). When the time of
--timeout is over, the transcript ends, or the statistics are those of the plays that were finished, as they
are after Ctrl-C; the exit code is 3.

JSON of a transcript, version 1:
  {\"version\", \"game\", \"seed\", \"roles\", \"initial\": [fact, ...],
   \"steps\": [{\"step\", \"moves\": [one per role], \"facts\": [fact, ...]}, ...],
   \"end\": \"terminal\" | \"stuck\" | \"too-long\" | \"out-of-time\", \"goals\": [[value, ...] per role]}
JSON of statistics, version 1:
  {\"version\", \"game\", \"seed\", \"plays\", \"terminal\", \"stuck\", \"too_long\",
   \"length\": {\"min\", \"mean\", \"mean_error\", \"max\"},
   \"roles\": [{\"role\", \"samples\", \"mean\", \"mean_error\", \"wins\", \"wins_error\", \"goals\": {value: plays}}]}
  Errors are standard errors. A sample is a play that ended in a terminal state with one goal value.")]
pub struct SimulateArgs {
    #[command(flatten)]
    engine_args: EngineArgs,
    /// Chooses the plays
    #[arg(long, value_name = "N")]
    seed: u64,
    /// How many plays; one gives a transcript, more give statistics
    #[arg(long, value_name = "N", default_value = "1", value_parser = super::units::count)]
    plays: usize,
    /// End a play after so many steps
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    max_steps: u32,
    /// Who says what the rules mean
    #[arg(long, default_value = "machine")]
    engine: EngineName,
    /// How to write the plays
    #[arg(long, default_value = "text")]
    format: TableFormat,
    #[command(flatten)]
    output: OutputArgs,
}

pub fn run(args: &SimulateArgs, context: &Context) -> Result<Exit, Failure> {
    args.output.check([&args.engine_args.game.game])?;
    let limits = args.engine_args.limits();
    match args.engine {
        EngineName::Machine => {
            let compiled = args.engine_args.machine(&limits, context)?;
            simulate(&compiled.machine, &compiled.name, limits.deadline, args, context)
        }
        EngineName::Reference => {
            let (game, name) = args.engine_args.reference(&limits, context)?;
            simulate(&game, &name, limits.deadline, args, context)
        }
    }
}

fn simulate<G: Game>(
    game: &G,
    name: &str,
    deadline: Option<Instant>,
    args: &SimulateArgs,
    context: &Context,
) -> Result<Exit, Failure> {
    let mut simulator = Simulator::new(game, args.max_steps).until(deadline);
    let heading = Heading {
        game: name,
        seed: args.seed,
        roles: game.roles(),
    };
    let (text, exit) = if args.plays == 1 {
        let play = simulator.play(args.seed).map_err(failed)?;
        let exit = match play.end {
            End::OutOfTime => Exit::LimitReached,
            End::Terminal | End::Stuck | End::TooLong => Exit::Answered,
        };
        (transcript(&heading, &play, args.format), exit)
    } else {
        let statistics = statistics(&mut simulator, deadline, args, context)?;
        let is_complete = statistics.plays() == args.plays as u64;
        let exit = if is_complete {
            Exit::Answered
        } else {
            Exit::LimitReached
        };
        (summary(&heading, &statistics, args.format), exit)
    };
    args.output.write(|out| out.write_all(text.as_bytes()))?;
    Ok(exit)
}

fn statistics<G: Game>(
    simulator: &mut Simulator<G>,
    deadline: Option<Instant>,
    args: &SimulateArgs,
    context: &Context,
) -> Result<Statistics, Failure> {
    let stop = stop_flag()?;
    let spinner = context.spinner();
    let statistics = simulator.statistics(args.seed, args.plays as u64, |play| {
        if play % 1024 == 0 {
            spinner.set_message(format!("{play} of {} plays", args.plays));
        }
        !stop.load(Ordering::Relaxed) && deadline.is_none_or(|deadline| Instant::now() < deadline)
    });
    spinner.finish_and_clear();
    statistics.map_err(failed)
}

/// What stands above every answer.
struct Heading<'a> {
    game: &'a str,
    seed: u64,
    roles: &'a [String],
}

fn transcript(heading: &Heading, play: &Play, format: TableFormat) -> String {
    match format {
        TableFormat::Text => transcript_text(heading, play),
        TableFormat::Csv => transcript_csv(heading, play),
        TableFormat::Json => format!("{:#}\n", transcript_json(heading, play)),
    }
}

fn transcript_text(heading: &Heading, play: &Play) -> String {
    let mut text = format!("start: {}\n", play.initial.join(" "));
    let mut before = &play.initial;
    for (number, step) in play.steps.iter().enumerate() {
        let named = heading.roles.iter().zip(&step.joint);
        let joint: Vec<String> = named.map(|(role, mv)| format!("{role}: {mv}")).collect();
        let _ = writeln!(text, "\nstep {}: {}", number + 1, joint.join(", "));
        for (sign, facts) in [
            ('-', missing(before, &step.facts)),
            ('+', missing(&step.facts, before)),
        ] {
            if !facts.is_empty() {
                let _ = writeln!(text, "  {sign} {}", facts.join(" "));
            }
        }
        before = &step.facts;
    }
    let _ = writeln!(
        text,
        "\nend: {} after {} steps",
        end_name(play.end),
        play.steps.len()
    );
    for (role, goals) in heading.roles.iter().zip(&play.goals) {
        let _ = writeln!(text, "goal of {role}: {}", goal_text(*goals, " or "));
    }
    text
}

/// The facts of `these` that are not in `those`.
fn missing<'a>(these: &'a [String], those: &[String]) -> Vec<&'a str> {
    let those: BTreeSet<&String> = those.iter().collect();
    let left = these.iter().filter(|fact| !those.contains(fact));
    left.map(String::as_str).collect()
}

fn goal_text(goals: GoalSet, separator: &str) -> String {
    let values: Vec<String> = goals.values().map(|value| value.to_string()).collect();
    if values.is_empty() {
        "none".to_string()
    } else {
        values.join(separator)
    }
}

fn transcript_csv(heading: &Heading, play: &Play) -> String {
    let mut text = csv_line(
        ["step"]
            .into_iter()
            .chain(heading.roles.iter().map(String::as_str)),
    );
    for (number, step) in play.steps.iter().enumerate() {
        let number = (number + 1).to_string();
        text += &csv_line(
            [number.as_str()]
                .into_iter()
                .chain(step.joint.iter().map(String::as_str)),
        );
    }
    let goals: Vec<String> = play.goals.iter().map(|&goals| goal_text(goals, "|")).collect();
    text + &csv_line(["goal"].into_iter().chain(goals.iter().map(String::as_str)))
}

/// A line of cells, quoted where needed.
fn csv_line<'a>(cells: impl Iterator<Item = &'a str>) -> String {
    let quoted = cells.map(|cell| match cell.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", cell.replace('"', "\"\"")),
        false => cell.to_string(),
    });
    quoted.collect::<Vec<_>>().join(",") + "\n"
}

fn transcript_json(heading: &Heading, play: &Play) -> Value {
    let steps = play.steps.iter().enumerate();
    json!({
        "version": 1,
        "game": heading.game,
        "seed": heading.seed,
        "roles": heading.roles,
        "initial": play.initial,
        "steps": steps
            .map(|(number, step)| json!({ "step": number + 1, "moves": step.joint, "facts": step.facts }))
            .collect::<Value>(),
        "end": end_name(play.end),
        "goals": play.goals.iter().map(|goals| goals.values().collect::<Vec<_>>()).collect::<Vec<_>>(),
    })
}

fn end_name(end: End) -> &'static str {
    match end {
        End::Terminal => "terminal",
        End::Stuck => "stuck",
        End::TooLong => "too-long",
        End::OutOfTime => "out-of-time",
    }
}

fn summary(heading: &Heading, statistics: &Statistics, format: TableFormat) -> String {
    match format {
        TableFormat::Text => summary_text(heading, statistics),
        TableFormat::Csv => summary_csv(heading, statistics),
        TableFormat::Json => format!("{:#}\n", summary_json(heading, statistics)),
    }
}

fn summary_text(heading: &Heading, statistics: &Statistics) -> String {
    let heads = ["role", "samples", "mean goal", "wins", "goals"];
    let mut rows = vec![heads.map(String::from).to_vec()];
    for (role, goals) in heading.roles.iter().zip(&statistics.goals) {
        let values = goals.counts.iter();
        rows.push(vec![
            role.clone(),
            goals.samples().to_string(),
            goals.mean().map_or_else(unknown, |mean| estimate(mean, 1.0, "")),
            goals
                .share(100)
                .map_or_else(unknown, |share| estimate(share, 100.0, " %")),
            values
                .map(|(value, plays)| format!("{value}: {plays}"))
                .collect::<Vec<_>>()
                .join(", "),
        ]);
    }
    let columns = [Align::Left, Align::Right, Align::Right, Align::Right, Align::Left];
    format!("{}\n{}", table::layout(&columns, &rows), plays_text(statistics))
}

fn unknown() -> String {
    "unknown".to_string()
}

fn estimate(value: Estimate, factor: f64, unit: &str) -> String {
    format!(
        "{:.2}{unit} ± {:.2}",
        value.mean * factor,
        value.standard_error * factor
    )
}

fn plays_text(statistics: &Statistics) -> String {
    let lengths = &statistics.lengths;
    let mut text = format!("{} plays", statistics.plays());
    for (count, what) in [(statistics.stuck, "stuck"), (statistics.too_long, "too long")] {
        if count > 0 {
            let _ = write!(text, ", {count} {what}");
        }
    }
    if let (Some(min), Some(mean), Some(max)) = (lengths.min(), lengths.mean(), lengths.max()) {
        let _ = write!(
            text,
            ": {min} to {max} steps, {} on average",
            estimate(mean, 1.0, "")
        );
    }
    text + "\n(± is the standard error)\n"
}

fn summary_csv(heading: &Heading, statistics: &Statistics) -> String {
    let heads = [
        "game",
        "seed",
        "role",
        "samples",
        "mean",
        "mean_error",
        "wins",
        "wins_error",
        "plays",
        "stuck",
        "too_long",
        "length_min",
        "length_mean",
        "length_max",
    ];
    let mut text = csv_line(heads.into_iter());
    let number = |value: Option<f64>| {
        value
            .filter(|v| v.is_finite())
            .map_or_else(String::new, |v| v.to_string())
    };
    let lengths = &statistics.lengths;
    for (role, goals) in heading.roles.iter().zip(&statistics.goals) {
        let (mean, wins) = (goals.mean(), goals.share(100));
        let cells = [
            heading.game.to_string(),
            heading.seed.to_string(),
            role.clone(),
            goals.samples().to_string(),
            number(mean.map(|mean| mean.mean)),
            number(mean.map(|mean| mean.standard_error)),
            number(wins.map(|wins| wins.mean)),
            number(wins.map(|wins| wins.standard_error)),
            statistics.plays().to_string(),
            statistics.stuck.to_string(),
            statistics.too_long.to_string(),
            number(lengths.min().map(f64::from)),
            number(lengths.mean().map(|mean| mean.mean)),
            number(lengths.max().map(f64::from)),
        ];
        text += &csv_line(cells.iter().map(String::as_str));
    }
    text
}

fn summary_json(heading: &Heading, statistics: &Statistics) -> Value {
    let lengths = &statistics.lengths;
    let length = lengths.mean();
    let roles = heading.roles.iter().zip(&statistics.goals);
    json!({
        "version": 1,
        "game": heading.game,
        "seed": heading.seed,
        "plays": statistics.plays(),
        "terminal": statistics.terminal,
        "stuck": statistics.stuck,
        "too_long": statistics.too_long,
        "length": {
            "min": lengths.min(),
            "mean": length.map(|mean| mean.mean),
            "mean_error": length.map(|mean| mean.standard_error),
            "max": lengths.max(),
        },
        "roles": roles.map(|(role, goals)| role_json(role, goals)).collect::<Value>(),
    })
}

fn role_json(role: &str, goals: &Histogram) -> Value {
    let (mean, wins) = (goals.mean(), goals.share(100));
    let values = goals.counts.iter();
    json!({
        "role": role,
        "samples": goals.samples(),
        "mean": mean.map(|mean| mean.mean),
        "mean_error": mean.map(|mean| mean.standard_error),
        "wins": wins.map(|wins| wins.mean),
        "wins_error": wins.map(|wins| wins.standard_error),
        "goals": values.map(|(value, &plays)| (value.to_string(), plays.into())).collect::<serde_json::Map<_, _>>(),
    })
}
