//! The comment at the top of every description.

use crate::syntax::Syntax;

/// The comment at the top of every description in `games/` and of every generated one.
///
/// ```text
/// % title: Stochastic nim with 5 pieces, p = 1/2
/// % source: where the rules come from
/// % roles: x, o, random
/// % horizon: 20
/// % value: x 42.20 %, o 36.74 % (published)
/// %
/// % What the game is, in prose.
/// ```
///
/// The five lines stand first and in this order; programs read them. `roles` are in the order of their
/// declaration. No play is longer than `horizon` steps. `value` is the winning probability of each player's
/// role, followed by `(published)` or `(computed)`, or the word `unknown`.
pub struct Header<'a> {
    /// The game in a few words.
    pub title: String,
    /// Where the rules come from.
    pub source: &'a str,
    /// The roles, separated by commas.
    pub roles: &'a str,
    /// No play is longer than this, in steps.
    pub horizon: u32,
    /// The known values, see above.
    pub value: &'a str,
    /// What the game is: lines.
    pub prose: String,
}

impl Header<'_> {
    /// The header as comment lines of the given syntax, with an empty line after it.
    pub fn comment(&self, syntax: Syntax) -> String {
        let marker = match syntax {
            Syntax::Kif => ';',
            Syntax::Infix => '%',
        };
        let Header {
            title,
            source,
            roles,
            horizon,
            value,
            prose,
        } = self;
        let lines = format!(
            "title: {title}\nsource: {source}\nroles: {roles}\nhorizon: {horizon}\nvalue: {value}\n\n{prose}"
        );
        let comment = |line: &str| format!("{marker} {line}").trim_end().to_owned() + "\n";
        lines.lines().map(comment).collect::<String>() + "\n"
    }
}
