//! `emm validate`: everything that is wrong or dubious about games.

use super::exit::{Exit, Failure};
use super::load::{Counts, LimitArgs, Loaded, SyntaxArgs};
use super::{Context, Format, output, report, units};
use clap::Args;
use emm::ground::GroundProgram;
use serde_json::{Value, json};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

const AFTER_HELP: &str = "\
Examples:
  emm validate one-shot                     a bundled game
  emm validate games/*.gdl                  many games; the exit code is about all of them
  emm validate game.kif --format json       for editors and scripts

Exit code 1 if any game has an error; else 3 if grounding any of them reached a limit; else 0.
Warnings do not matter to it.

JSON, version 1: one object
  {\"version\": 1, \"games\": [GAME, ...]}            in the order of the command line
  GAME: {\"game\":        as named on the command line,
         \"source\":      the file that messages name, or null if nothing was read,
         \"ok\":          true if there is no error and no limit was reached,
         \"summary\":     {\"errors\", \"warnings\"} and, if ok, {\"roles\": [name, ...], \"fluents\", \"moves\",
                        \"atoms\", \"rules\", \"components\"}, counts of the ground program,
         \"limit\":       null or {\"kind\": \"rules\" or \"time\", \"message\", \"line\", \"column\", \"rule\", \"instances\"},
         \"diagnostics\": [{\"code\", \"severity\": \"error\" or \"warning\", \"line\", \"column\", \"end_line\",
                         \"end_column\", \"message\", \"hint\", \"rule\"}, ...] sorted by position}
  Lines and columns count from 1, columns in characters; the end is exclusive. They are null where
  something is missing as a whole. `rule` is the text of the rule around the place, or null.";

/// Say everything that is wrong or dubious about games
///
/// Parses, checks and grounds each game and reports all problems at once, sorted by position. A stage
/// runs only if the one before it found no error.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub struct ValidateArgs {
    /// Paths, `-` for standard input, or names of bundled games
    #[arg(value_name = "GAME", required = true)]
    games: Vec<PathBuf>,
    #[command(flatten)]
    syntax: SyntaxArgs,
    #[command(flatten)]
    limits: LimitArgs,
    /// How to write the report
    #[arg(long, default_value = "text")]
    format: Format,
}

pub fn run(args: &ValidateArgs, context: &Context) -> Result<Exit, Failure> {
    match args.format {
        Format::Text => text(args, context),
        Format::Json => json(args),
    }
}

fn load(args: &ValidateArgs, game: &Path) -> Loaded {
    Loaded::parse(game, args.syntax).ground(&args.limits.limits())
}

fn exit(loaded: &Loaded) -> Exit {
    match (loaded.has_error(), &loaded.limit) {
        (true, _) => Exit::InputError,
        (false, Some(_)) => Exit::LimitReached,
        (false, None) => Exit::Answered,
    }
}

fn text(args: &ValidateArgs, context: &Context) -> Result<Exit, Failure> {
    let mut overall = Exit::Answered;
    for game in &args.games {
        let loaded = load(args, game);
        overall = overall.worse(exit(&loaded));
        for (stage, time) in &loaded.times {
            context.note(format_args!(
                "{}: {stage}: {}",
                game.display(),
                units::show_duration(*time)
            ));
        }
        output::printed(write_text(game, &loaded, context))?;
    }
    Ok(overall)
}

fn write_text(game: &Path, loaded: &Loaded, context: &Context) -> io::Result<()> {
    let mut out = context.styled_stdout();
    for diagnostic in loaded.diagnostics.iter().filter(|d| context.wants(d)) {
        writeln!(out, "{}\n", report::snippet(&loaded.source, diagnostic))?;
    }
    if let Some(reached) = &loaded.limit {
        writeln!(out, "{}\n", report::limit(&loaded.source, reached))?;
    }
    writeln!(out, "{}: {}", label(game), summary(loaded))?;
    out.flush()
}

/// The game as the user named it.
fn label(game: &Path) -> String {
    match game == Path::new("-") {
        true => "<stdin>".to_string(),
        false => game.display().to_string(),
    }
}

fn summary(loaded: &Loaded) -> String {
    let Counts { errors, warnings } = loaded.counts;
    let problems = [(errors, "error"), (warnings, "warning")];
    let problems: Vec<String> = problems
        .into_iter()
        .filter(|&(n, _)| n > 0)
        .map(|(n, noun)| number(n, noun))
        .collect();
    let mut parts = match &loaded.grounded {
        Some(grounded) => sizes(&grounded.program),
        None => Vec::new(),
    };
    parts.extend(problems);
    let verdict = match exit(loaded) {
        Exit::Answered => "ok",
        Exit::LimitReached => "limit reached",
        _ => "refused",
    };
    match parts.is_empty() {
        true => verdict.to_string(),
        false => format!("{verdict}: {}", parts.join(", ")),
    }
}

fn sizes(program: &GroundProgram) -> Vec<String> {
    vec![
        number(program.roles().len(), "role"),
        number(program.fluents().len(), "fluent"),
        number(program.moves().len(), "move"),
    ]
}

fn number(n: usize, noun: &str) -> String {
    match n {
        1 => format!("1 {noun}"),
        _ => format!("{n} {noun}s"),
    }
}

fn json(args: &ValidateArgs) -> Result<Exit, Failure> {
    let mut overall = Exit::Answered;
    let mut games = Vec::new();
    for game in &args.games {
        let loaded = load(args, game);
        overall = overall.worse(exit(&loaded));
        games.push(game_json(game, &loaded));
    }
    let report = json!({ "version": 1, "games": games });
    output::print(|out| writeln!(out, "{report:#}"))?;
    Ok(overall)
}

fn game_json(game: &Path, loaded: &Loaded) -> Value {
    let source = &loaded.source;
    let diagnostics = loaded.diagnostics.iter();
    json!({
        "game": game.display().to_string(),
        "source": Some(source.name()).filter(|name| !name.is_empty()),
        "ok": exit(loaded) == Exit::Answered,
        "summary": summary_json(loaded),
        "limit": loaded.limit.as_ref().map(|reached| report::limit_json(source, reached)),
        "diagnostics": diagnostics.map(|d| report::json(source, d)).collect::<Vec<_>>(),
    })
}

fn summary_json(loaded: &Loaded) -> Value {
    let Counts { errors, warnings } = loaded.counts;
    let Some(grounded) = &loaded.grounded else {
        return json!({ "errors": errors, "warnings": warnings });
    };
    let program = &grounded.program;
    let roles = program.roles().iter();
    json!({
        "errors": errors,
        "warnings": warnings,
        "roles": roles.map(|&role| program.terms().display(role).to_string()).collect::<Vec<_>>(),
        "fluents": program.fluents().len(),
        "moves": program.moves().len(),
        "atoms": program.atoms().len(),
        "rules": program.rules().len(),
        "components": program.components().len(),
    })
}
