//! The games and suites of games that come with the program: every file of `games/`, embedded.
//!
//! The lists are made from the directory when the program is built, so they cannot differ.

/// A game of `games/`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BundledGame {
    /// The file's name without `.gdl`.
    pub name: &'static str,
    /// The file's text.
    pub text: &'static str,
}

impl BundledGame {
    /// What the header says under `key`: `title`, `source`, `roles`, `horizon` or `value`
    /// (see [`crate::generate::Header`]).
    pub fn header(&self, key: &str) -> Option<&'static str> {
        let header = self.text.lines().map_while(|line| line.strip_prefix(['%', ';']));
        let mut values = header.filter_map(|line| line.trim_start().strip_prefix(key)?.strip_prefix(": "));
        values.next()
    }
}

/// Every game, sorted by name.
pub fn bundled() -> &'static [BundledGame] {
    include!(concat!(env!("OUT_DIR"), "/bundled_games.rs"))
}

/// The game of this name, with or without `.gdl`.
pub fn find(name: &str) -> Option<&'static BundledGame> {
    let name = name.strip_suffix(".gdl").unwrap_or(name);
    let place = bundled().binary_search_by(|game| game.name.cmp(name)).ok()?;
    bundled().get(place)
}

/// A suite of `games/`: questions about games, with published answers where there are any.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BundledSuite {
    /// The file's name without `.csv`.
    pub name: &'static str,
    /// The file's text.
    pub text: &'static str,
}

/// Every suite, sorted by name.
pub fn suites() -> &'static [BundledSuite] {
    include!(concat!(env!("OUT_DIR"), "/bundled_suites.rs"))
}

/// The answers of `emm table all` as CSV: what this version computed about the bundled games.
pub fn answers() -> &'static str {
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/results/all.csv"))
}
