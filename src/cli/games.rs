//! `emm games`: what is bundled.

use super::exit::{Exit, Failure};
use super::table::{self, Align};
use super::tabulate::sheet::{self, Row};
use super::{Context, Format, load, output, suggest};
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

No play is longer than `steps`. `states` is how many `emm` looked at to solve the game for the player for whom it
took most, up to symmetry; it is missing if the game was not solved. `value` is the winning probability of each
player and whether it was published or computed.

JSON: an array of objects
  {\"name\", \"title\", \"roles\": [name, ...], \"horizon\", \"states\", \"value\", \"source\"}
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
        (None, Format::Text) => list_text(&known()?),
        (None, Format::Json) => {
            let known = known()?;
            let games = games::bundled().iter().map(|game| json(game, &known));
            format!("{:#}\n", games.collect::<Value>())
        }
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

/// The rows that were computed about the bundled games.
fn known() -> Result<Vec<Row>, Failure> {
    let rows = sheet::read_rows(games::answers().as_bytes());
    rows.map_err(|error| Failure::input(format!("the table of known values is broken: {error}"), ""))
}

/// The rows about this very text, solved without a horizon.
fn solved<'a>(game: &BundledGame, known: &'a [Row]) -> Vec<&'a Row> {
    let sha256 = load::sha256(game.text);
    let is_meant = |row: &&Row| {
        row.cell("game_sha256") == sha256 && row.cell("status") == "solved" && row.cell("horizon").is_empty()
    };
    known.iter().filter(is_meant).collect()
}

fn states(game: &BundledGame, known: &[Row]) -> Option<u64> {
    let rows = solved(game, known);
    rows.iter()
        .filter_map(|row| row.cell("states").parse().ok())
        .max()
}

/// What the header says; what was computed if it knows nothing.
fn value(game: &BundledGame, known: &[Row]) -> String {
    let said = header(game, "value");
    let rows = solved(game, known);
    let values: Vec<String> = rows.iter().filter_map(|row| role_value(row)).collect();
    match said == "unknown" && !values.is_empty() {
        true => format!("{} (computed)", values.join(", ")),
        false => said,
    }
}

/// `x 99.76 % against a random o`
fn role_value(row: &Row) -> Option<String> {
    let value = row.value().filter(|_| row.cell("objective") == "win")?;
    let random = match row.cell("random_role") {
        "" => String::new(),
        random => format!(" against a random {random}"),
    };
    Some(format!("{} {} %{random}", row.cell("role"), value.percent()))
}

fn list_text(known: &[Row]) -> String {
    let heading = ["name", "steps", "states", "roles", "title", "value"];
    let mut rows = vec![heading.map(String::from).to_vec()];
    rows.extend(games::bundled().iter().map(|game| {
        vec![
            game.name.to_string(),
            header(game, "horizon"),
            states(game, known).map_or(String::new(), |states| states.to_string()),
            roles(game).join(" "),
            header(game, "title"),
            value(game, known),
        ]
    }));
    let mut columns = [Align::Left; 6];
    columns[1..3].fill(Align::Right);
    table::layout(&columns, &rows)
}

fn json(game: &BundledGame, known: &[Row]) -> Value {
    json!({
        "name": game.name,
        "title": game.header("title"),
        "roles": roles(game),
        "horizon": game.header("horizon").and_then(|steps| steps.parse::<u64>().ok()),
        "states": states(game, known),
        "value": value(game, known),
        "source": game.header("source"),
    })
}
