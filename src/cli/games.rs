//! `emm games`: what is bundled.

use super::exit::{Exit, Failure};
use super::table::{self, Align};
use super::{Context, Format, output, suggest};
use clap::Args;
use emm::games::{self, BundledGame};
use emm::source::Source;
use emm::{check, syntax};
use serde_json::{Value, json};
use std::sync::Arc;

/// List the bundled games
#[derive(Args)]
#[command(after_help = "\
Examples:
  emm games
  emm games --format json
  emm games --show one-shot > my-game.gdl    the text of a game

No play is longer than `steps`. `value` is what the game's header says about the winning
probability of each player, and whether that was published or computed.

JSON: an array of objects
  {\"name\", \"title\", \"roles\": [name, ...], \"horizon\", \"value\", \"source\"}
  The roles are in the order of their declaration; `horizon` is a number of steps.")]
pub struct GamesArgs {
    /// Print the text of this game
    #[arg(long, value_name = "NAME", conflicts_with = "format")]
    show: Option<String>,
    /// How to write the list
    #[arg(long, default_value = "text")]
    format: Format,
}

pub fn run(args: &GamesArgs, _context: &Context) -> Result<Exit, Failure> {
    let text = match (&args.show, args.format) {
        (Some(name), _) => find(name)?.text.to_string(),
        (None, Format::Text) => list_text(),
        (None, Format::Json) => format!("{:#}\n", games::bundled().iter().map(json).collect::<Value>()),
    };
    output::print(|out| out.write_all(text.as_bytes()))?;
    Ok(Exit::Answered)
}

fn find(name: &str) -> Result<&'static BundledGame, Failure> {
    games::find(name).ok_or_else(|| {
        let similar = suggest::similar(name, games::bundled().iter().map(|game| game.name));
        Failure::input(
            format!("there is no bundled game `{name}`"),
            suggest::did_you_mean(&similar),
        )
    })
}

/// The roles as the description declares them.
fn roles(game: &BundledGame) -> Vec<String> {
    let parsed = syntax::parse(Arc::new(Source::new(game.name, game.text)), None);
    let program = check::check(&parsed.description).program;
    program.map_or(Vec::new(), |program| {
        program.roles().iter().map(ToString::to_string).collect()
    })
}

fn header(game: &BundledGame, key: &str) -> String {
    game.header(key).unwrap_or_default().to_string()
}

fn list_text() -> String {
    let heading = ["name", "steps", "roles", "title", "value"];
    let mut rows = vec![heading.map(String::from).to_vec()];
    rows.extend(games::bundled().iter().map(|game| {
        vec![
            game.name.to_string(),
            header(game, "horizon"),
            roles(game).join(" "),
            header(game, "title"),
            header(game, "value"),
        ]
    }));
    let columns = [Align::Left, Align::Right, Align::Left, Align::Left, Align::Left];
    table::layout(&columns, &rows)
}

fn json(game: &BundledGame) -> Value {
    json!({
        "name": game.name,
        "title": game.header("title"),
        "roles": roles(game),
        "horizon": game.header("horizon").and_then(|steps| steps.parse::<u64>().ok()),
        "value": game.header("value"),
        "source": game.header("source"),
    })
}
