//! `emm ground`: the rules without variables, and what it cost to find them.

use super::exit::{Exit, Failure};
use super::load::{self, GameArgs, GroundGame, LimitArgs};
use super::output::OutputArgs;
use super::table::{self, Align};
use super::units::show_duration;
use super::{Context, Format};
use clap::Args;
use emm::source::{Source, Span};
use serde_json::{Value, json};
use std::time::Duration;

/// Characters of a rule that are shown in the table.
const RULE_WIDTH: usize = 70;

/// Print the ground program: the rules of a game without variables
///
/// The text is itself a description of the same game, in prefix syntax and in a stable order.
#[derive(Args)]
#[command(after_help = "\
Examples:
  emm ground one-shot
  emm ground s-nim-30 --stats                    which rules are costly
  emm ground game.kif --max-rules 500k --timeout 30s --output game.ground.kif

Exit code 3 if a limit was reached; the message names the rule with the most instances.

JSON of --stats, version 1:
  {\"version\", \"game\", \"roles\", \"fluents\", \"moves\", \"initial\", \"atoms\", \"rules\", \"components\",
   \"stages\": [{\"stage\", \"seconds\"}, ...],
   \"source_rules\": [{\"line\", \"column\", \"rule\", \"instances\", \"seconds\"}, ...], \"facts\"}
  The source rules are sorted by time; the facts of the text are only counted.")]
pub struct GroundArgs {
    #[command(flatten)]
    game: GameArgs,
    #[command(flatten)]
    limits: LimitArgs,
    /// Print instances and time of each rule, and sizes, instead of the program
    #[arg(long)]
    stats: bool,
    /// How to write the statistics
    #[arg(long, default_value = "text", requires = "stats")]
    format: Format,
    #[command(flatten)]
    output: OutputArgs,
}

pub fn run(args: &GroundArgs, context: &Context) -> Result<Exit, Failure> {
    args.output.check([&args.game.game])?;
    let game = load::ground(&args.game, &args.limits, context)?;
    args.output.write(|out| match (args.stats, args.format) {
        (false, _) => write!(out, "{}", game.grounded.program),
        (true, Format::Text) => out.write_all(stats_text(&game).as_bytes()),
        (true, Format::Json) => writeln!(out, "{:#}", stats_json(&game)),
    })?;
    Ok(Exit::Answered)
}

/// What one rule of the text cost.
struct RuleCost {
    span: Span,
    instances: u64,
    time: Duration,
}

/// The rules of the text with a body, the costliest first. The alternatives of an `or`, which are rules of
/// their own to the grounder, are one rule of the text.
fn rule_costs(game: &GroundGame) -> Vec<RuleCost> {
    let mut costs: Vec<RuleCost> = Vec::new();
    for (rule, cost) in game.program.rules().iter().zip(&game.grounded.costs) {
        if rule.body.is_empty() {
            continue;
        }
        match costs.last_mut().filter(|last| last.span == rule.span) {
            Some(last) => {
                last.instances += cost.instances;
                last.time += cost.time;
            }
            None => costs.push(RuleCost {
                span: rule.span,
                instances: cost.instances,
                time: cost.time,
            }),
        }
    }
    costs.sort_by_key(|cost| (std::cmp::Reverse(cost.time), cost.span));
    costs
}

fn fact_count(game: &GroundGame) -> usize {
    game.program
        .rules()
        .iter()
        .filter(|rule| rule.body.is_empty())
        .count()
}

/// The sizes of the ground program, named.
fn sizes(game: &GroundGame) -> [(&'static str, usize); 7] {
    let program = &game.grounded.program;
    [
        ("roles", program.roles().len()),
        ("fluents", program.fluents().len()),
        ("moves", program.moves().len()),
        ("initial", program.initial().len()),
        ("atoms", program.atoms().len()),
        ("rules", program.rules().len()),
        ("components", program.components().len()),
    ]
}

fn stats_text(game: &GroundGame) -> String {
    let source = game.program.source();
    let heading = ["time", "instances", "line", "rule"];
    let mut rows = vec![heading.map(String::from).to_vec()];
    rows.extend(rule_costs(game).iter().map(|cost| {
        vec![
            show_duration(cost.time),
            cost.instances.to_string(),
            source.position(cost.span.start).line.to_string(),
            shortened(source, cost.span),
        ]
    }));
    let rules = table::layout(&[Align::Right, Align::Right, Align::Right, Align::Left], &rows);
    let mut totals: Vec<Vec<String>> = sizes(game)
        .iter()
        .map(|(name, size)| vec![name.to_string(), size.to_string()])
        .collect();
    totals.push(vec![
        "facts in the text".to_string(),
        fact_count(game).to_string(),
    ]);
    let stages = game.times.iter();
    totals.extend(stages.map(|(stage, time)| vec![format!("time to {stage}"), show_duration(*time)]));
    format!(
        "{rules}\n{}",
        table::layout(&[Align::Left, Align::Right], &totals)
    )
}

/// The rule on one line, cut if it is long.
fn shortened(source: &Source, span: Span) -> String {
    let words: Vec<&str> = source.slice(span).split_whitespace().collect();
    let line = words.join(" ");
    match line.char_indices().nth(RULE_WIDTH) {
        None => line,
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()),
    }
}

fn stats_json(game: &GroundGame) -> Value {
    let source = game.program.source();
    let mut stats = json!({ "version": 1, "game": source.name() });
    for (name, size) in sizes(game) {
        stats[name] = size.into();
    }
    let stages = game.times.iter();
    stats["stages"] = stages
        .map(|(stage, time)| json!({ "stage": stage, "seconds": time.as_secs_f64() }))
        .collect();
    stats["source_rules"] = rule_costs(game)
        .iter()
        .map(|cost| rule_json(source, cost))
        .collect();
    stats["facts"] = fact_count(game).into();
    stats
}

fn rule_json(source: &Source, cost: &RuleCost) -> Value {
    let position = source.position(cost.span.start);
    json!({
        "line": position.line,
        "column": position.column,
        "rule": source.slice(cost.span),
        "instances": cost.instances,
        "seconds": cost.time.as_secs_f64(),
    })
}
