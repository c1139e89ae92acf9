//! `emm show`: what was found out about a game, and what it was compiled to.

use super::engine::{Compiled, EngineArgs, failed};
use super::exit::{Exit, Failure};
use super::output::OutputArgs;
use super::table::{self, Align};
use super::units::show_duration;
use super::{Context, Format};
use clap::Args;
use emm::game::GameError;
use emm::ground::{MoveId, RoleId};
use emm::machine::{Choice, Group, Machine, Termination};
use emm::propnet;
use emm::simulate::Simulator;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// Groups that are listed; the rest is counted.
const MAX_GROUPS: usize = 20;

/// Random plays whose joint moves are measured, and the most steps of each.
const PLAYS: u64 = 20;
const MAX_STEPS: u32 = 200;

/// Show what was found out about a game: roles, structure, packed states, network
#[derive(Args)]
#[command(after_help = "\
Examples:
  emm show tt-3x3
  emm show c4-5x5 --stats                          what each reduction of the network gained
  emm show one-shot --dot | dot -Tsvg > one-shot.svg

Everything under `proven` holds in all states that can be reached. A group is a set of fluents of
which at most one holds at a time; one that is only `observed` is not relied on.

JSON, version 1:
  {\"version\", \"game\", \"roles\": [{\"name\", \"moves\", \"choice\": \"never\" | \"possible\", \"random\"}, ...],
   \"fluents\", \"constant_fluents\", \"ground_rules\", \"gates\", \"key\": {\"bits\", \"words\"},
   \"groups\": [{\"name\", \"fluents\", \"proven\", \"exactly_one\"}, ...],
   \"proven\": {\"attempted\", \"longest_play\", \"turn_taking\", \"always_a_move\", \"one_goal\"},
   \"step_counter\": group or null, \"turn\": null or {\"group\", \"choosers\": {fluent: [role, ...]}}}
  and with --stats
  {..., \"reductions\": [{\"step\", \"gates\", \"fluents\"}, ...], \"stages\": [{\"stage\", \"seconds\"}, ...],
   \"joint_moves\": {\"met\", \"next_gates\": {\"min\", \"median\", \"max\"}, \"gates\": {...}}}")]
pub struct ShowArgs {
    #[command(flatten)]
    engine_args: EngineArgs,
    /// Also print sizes of the network after each reduction, of specialised moves, and times
    #[arg(long)]
    stats: bool,
    /// Print a drawing of the network for Graphviz instead
    #[arg(long, conflicts_with_all = ["stats", "format"])]
    dot: bool,
    /// How to write it
    #[arg(long, default_value = "text")]
    format: Format,
    #[command(flatten)]
    output: OutputArgs,
}

pub fn run(args: &ShowArgs, context: &Context) -> Result<Exit, Failure> {
    args.output.check([&args.engine_args.game.game])?;
    let compiled = args.engine_args.machine(&args.engine_args.limits(), context)?;
    let stats = match args.stats {
        true => Some(Stats::measure(&compiled.machine).map_err(failed)?),
        false => None,
    };
    let text = match (args.dot, args.format) {
        (true, _) => propnet::to_dot(compiled.machine.net(), &compiled.name),
        (false, Format::Text) => text(&compiled, stats.as_ref()),
        (false, Format::Json) => format!("{:#}\n", json(&compiled, stats.as_ref())),
    };
    args.output.write(|out| out.write_all(text.as_bytes()))?;
    Ok(Exit::Answered)
}

/// Gates of the joint moves that occur in some random plays.
struct Stats {
    /// For the successor alone, ascending.
    next: Vec<usize>,
    /// With `terminal` and the goals of the successor, ascending.
    all: Vec<usize>,
}

impl Stats {
    fn measure(machine: &Machine) -> Result<Stats, GameError> {
        let mut met: BTreeSet<Vec<MoveId>> = BTreeSet::new();
        let mut simulator = Simulator::new(machine, MAX_STEPS);
        for seed in 0..PLAYS {
            simulator.run(seed, |joint, _| {
                met.insert(joint.to_vec());
            })?;
        }
        let gates = met.iter().map(|joint| machine.transition_gates(joint));
        let (mut next, mut all): (Vec<usize>, Vec<usize>) = gates.unzip();
        next.sort_unstable();
        all.sort_unstable();
        Ok(Stats { next, all })
    }
}

/// The smallest, the middle and the largest of an ascending list.
fn spread(sorted: &[usize]) -> Option<[usize; 3]> {
    Some([*sorted.first()?, sorted[sorted.len() / 2], *sorted.last()?])
}

fn text(compiled: &Compiled, stats: Option<&Stats>) -> String {
    let machine = &compiled.machine;
    let mut text = roles_text(machine);
    text.push('\n');
    text += &sizes_text(compiled);
    text.push('\n');
    text += &structure_text(machine);
    text += &groups_text(machine);
    if let Some(stats) = stats {
        text.push('\n');
        text += &stats_text(compiled, stats);
    }
    text
}

fn move_count(machine: &Machine, role: usize) -> usize {
    machine.net().moves_of(RoleId::new(role)).len()
}

fn choice_name(choice: Choice) -> &'static str {
    match choice {
        Choice::Never => "never",
        Choice::Possible => "possible",
    }
}

fn roles_text(machine: &Machine) -> String {
    let mut rows = vec![["role", "moves", "choice"].map(String::from).to_vec()];
    for (role, name) in machine.net().roles.iter().enumerate() {
        let choice = choice_name(machine.structure().choices()[role]);
        rows.push(vec![
            name.clone(),
            move_count(machine, role).to_string(),
            choice.to_string(),
        ]);
    }
    table::layout(&[Align::Left, Align::Right, Align::Left], &rows)
}

fn sizes_text(compiled: &Compiled) -> String {
    let net = compiled.machine.net();
    let layout = compiled.machine.layout();
    let rows = [
        ("ground rules", compiled.ground_rules),
        ("fluents that change", net.fluents.len()),
        ("fluents that always hold", net.constant_fluents.len()),
        ("gates of the network", net.aig.gates().len()),
        ("bits of a packed state", layout.bits()),
        ("64-bit words of a packed state", layout.words()),
    ];
    let rows = rows.map(|(name, size)| vec![name.to_string(), size.to_string()]);
    table::layout(&[Align::Left, Align::Right], &rows)
}

fn structure_text(machine: &Machine) -> String {
    let structure = machine.structure();
    if !structure.was_attempted() {
        return "proven: nothing, the network is too large for proofs\n".to_string();
    }
    let proven = structure.proven();
    let mut facts = Vec::new();
    let mut note = |holds: bool, fact: &str| {
        if holds {
            facts.push(fact.to_string());
        }
    };
    note(proven.turn_taking, "at most one player has a choice at a time");
    note(proven.always_a_move, "every role has a move until the end");
    note(
        proven.one_goal,
        "every role has exactly one goal value at the end",
    );
    if let Some(termination) = structure.termination() {
        facts.push(format!("no play has more than {} steps", termination.steps));
        facts.extend(termination_reasons(termination));
    }
    if let Some((group, choosers)) = structure.turn() {
        facts.push(format!("{} tells who may have a choice", group.name));
        for (&fluent, roles) in group.fluents.iter().zip(choosers) {
            let names: Vec<&str> = roles
                .iter()
                .map(|&role| machine.net().roles[role].as_str())
                .collect();
            let who = if names.is_empty() {
                "nobody".to_string()
            } else {
                names.join(", ")
            };
            facts.push(format!("  {}: {who}", machine.net().fluents[fluent]));
        }
    }
    if facts.is_empty() {
        facts.push("nothing".to_string());
    }
    format!("proven:\n  {}\n", facts.join("\n  "))
}

/// Why every play ends, as lines under the fact.
fn termination_reasons(termination: &Termination) -> Vec<String> {
    let mut reasons = Vec::new();
    if termination.growing_steps > 0 {
        reasons.push(format!(
            "  at most {} steps make a fluent true that stays so",
            termination.growing_steps
        ));
    }
    if !termination.along.is_empty() {
        let other = if termination.growing_steps > 0 {
            "in the others"
        } else {
            "in every step"
        };
        reasons.push(format!(
            "  {other} {} goes on and never back",
            termination.along.join(" with ")
        ));
    }
    reasons
}

fn groups_text(machine: &Machine) -> String {
    let groups = machine.structure().groups();
    if groups.is_empty() {
        return String::new();
    }
    let mut rows = vec![
        ["group", "fluents", "holding", "how known"]
            .map(String::from)
            .to_vec(),
    ];
    rows.extend(groups.iter().take(MAX_GROUPS).map(|group| {
        vec![
            group.name.clone(),
            group.fluents.len().to_string(),
            holding(group).to_string(),
            how_known(group).to_string(),
        ]
    }));
    let columns = [Align::Left, Align::Right, Align::Left, Align::Left];
    let mut text = format!("\n{}", table::layout(&columns, &rows));
    if groups.len() > MAX_GROUPS {
        let _ = writeln!(
            text,
            "and {} more groups (all in JSON)",
            groups.len() - MAX_GROUPS
        );
    }
    text
}

fn holding(group: &Group) -> &'static str {
    if group.exactly_one {
        "exactly one"
    } else {
        "at most one"
    }
}

fn how_known(group: &Group) -> &'static str {
    if group.proven { "proven" } else { "observed" }
}

fn stats_text(compiled: &Compiled, stats: &Stats) -> String {
    let machine = &compiled.machine;
    let mut rows = vec![["network", "gates", "fluents"].map(String::from).to_vec()];
    rows.extend(machine.reduction().steps.iter().map(|step| {
        vec![
            step.name.to_string(),
            step.gates.to_string(),
            step.latches.to_string(),
        ]
    }));
    let mut text = table::layout(&[Align::Left, Align::Right, Align::Right], &rows);
    let heads = [
        &format!("{} joint moves met at random", stats.next.len()),
        "min",
        "median",
        "max",
    ];
    let mut rows = vec![heads.map(String::from).to_vec()];
    for (what, gates) in [
        ("gates for the next state", &stats.next),
        ("and for its outcome", &stats.all),
    ] {
        let numbers = spread(gates).into_iter().flatten().map(|gates| gates.to_string());
        rows.push([what.to_string()].into_iter().chain(numbers).collect());
    }
    let columns = [Align::Left, Align::Right, Align::Right, Align::Right];
    let _ = write!(text, "\n{}", table::layout(&columns, &rows));
    let times = compiled.times.iter();
    let rows: Vec<_> = times
        .map(|(stage, time)| vec![format!("time to {stage}"), show_duration(*time)])
        .collect();
    let _ = write!(text, "\n{}", table::layout(&[Align::Left, Align::Right], &rows));
    text
}

fn json(compiled: &Compiled, stats: Option<&Stats>) -> Value {
    let machine = &compiled.machine;
    let net = machine.net();
    let structure = machine.structure();
    let proven = structure.proven();
    let mut shown = json!({
        "version": 1,
        "game": compiled.name,
        "roles": (0..net.roles.len()).map(|role| role_json(machine, role)).collect::<Value>(),
        "fluents": net.fluents.len(),
        "constant_fluents": net.constant_fluents.len(),
        "ground_rules": compiled.ground_rules,
        "gates": net.aig.gates().len(),
        "key": { "bits": machine.layout().bits(), "words": machine.layout().words() },
        "groups": structure.groups().iter().map(|group| group_json(machine, group)).collect::<Value>(),
        "proven": {
            "attempted": structure.was_attempted(),
            "longest_play": proven.longest_play,
            "turn_taking": proven.turn_taking,
            "always_a_move": proven.always_a_move,
            "one_goal": proven.one_goal,
        },
        "step_counter": structure.counter().map(|(group, _)| group.name.as_str()),
        "turn": turn_json(machine),
    });
    if let Some(stats) = stats {
        add_stats(&mut shown, compiled, stats);
    }
    shown
}

fn role_json(machine: &Machine, role: usize) -> Value {
    json!({
        "name": machine.net().roles[role],
        "moves": move_count(machine, role),
        "choice": choice_name(machine.structure().choices()[role]),
        "random": machine.random() == Some(role),
    })
}

fn group_json(machine: &Machine, group: &Group) -> Value {
    let names = group
        .fluents
        .iter()
        .map(|&fluent| machine.net().fluents[fluent].as_str());
    json!({
        "name": group.name,
        "fluents": names.collect::<Vec<_>>(),
        "proven": group.proven,
        "exactly_one": group.exactly_one,
    })
}

fn turn_json(machine: &Machine) -> Value {
    let net = machine.net();
    let turn = machine.structure().turn().map(|(group, choosers)| {
        let named = group.fluents.iter().zip(choosers).map(|(&fluent, roles)| {
            let names: Vec<&str> = roles.iter().map(|&role| net.roles[role].as_str()).collect();
            (net.fluents[fluent].clone(), json!(names))
        });
        json!({ "group": group.name, "choosers": named.collect::<serde_json::Map<_, _>>() })
    });
    turn.unwrap_or(Value::Null)
}

fn add_stats(shown: &mut Value, compiled: &Compiled, stats: &Stats) {
    let steps = compiled.machine.reduction().steps.iter();
    shown["reductions"] = steps
        .map(|step| json!({ "step": step.name, "gates": step.gates, "fluents": step.latches }))
        .collect();
    let times = compiled.times.iter();
    shown["stages"] = times
        .map(|(stage, time)| json!({ "stage": stage, "seconds": time.as_secs_f64() }))
        .collect();
    let numbers = |gates: &[usize]| {
        spread(gates).map_or(
            Value::Null,
            |[min, median, max]| json!({ "min": min, "median": median, "max": max }),
        )
    };
    shown["joint_moves"] = json!({
        "met": stats.next.len(),
        "next_gates": numbers(&stats.next),
        "gates": numbers(&stats.all),
    });
}
