//! Where a play starts: `--state` and `--moves`.

use super::SolveArgs;
use crate::cli::exit::Failure;
use crate::cli::roles::find_role;
use crate::cli::suggest;
use emm::game::{Game, GameError, Position};
use emm::machine::{Bits, Machine};
use emm::report::{Beginning, joint_name};
use emm::solve::Start;
use emm::source::Source;
use emm::syntax::{self, Syntax};
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

/// A start that was found.
pub struct Found<S> {
    pub start: Start<S>,
    pub state: S,
    pub beginning: Beginning,
}

/// Legal moves that a message lists.
const MOST_LISTED: usize = 40;

/// The position that the command line asks about.
pub fn find<G: Game>(game: &G, args: &SolveArgs) -> Result<Found<G::State>, Failure> {
    match (&args.state, &args.moves) {
        (Some(facts), _) => given(game, &text_or_file(facts)?),
        (None, Some(moves)) => reached(game, &text_or_file(moves)?),
        (None, None) => Ok(initial(game)),
    }
}

fn initial<G: Game>(game: &G) -> Found<G::State> {
    Found {
        start: Start::Initial,
        state: game.initial(),
        beginning: Beginning::Initial,
    }
}

/// The machine relies on what is proven for all reachable states: a state that contradicts it is refused.
pub fn check_machine_state(machine: &Machine, found: &Found<Bits>) -> Result<(), Failure> {
    let Err(broken) = machine.layout().pack(&found.state) else {
        return Ok(());
    };
    let proven = machine.structure().groups().iter().filter(|group| group.proven);
    let group = proven.into_iter().nth(broken.group);
    let name = group.map_or(String::new(), |group| group.name.clone());
    let law = match group.is_some_and(|group| group.exactly_one) {
        true => "exactly one",
        false => "at most one",
    };
    Err(Failure::input(
        format!("no play leads to the given state: {law} of the facts `{name}` holds in every state"),
        "correct the state; `--engine reference` takes any state",
    ))
}

/// The file of `@FILE`.
pub fn named_file(text: &str) -> Option<PathBuf> {
    text.strip_prefix('@').map(PathBuf::from)
}

fn text_or_file(text: &str) -> Result<String, Failure> {
    let Some(path) = named_file(text) else {
        return Ok(text.to_string());
    };
    let text = fs::read_to_string(&path)
        .map_err(|error| Failure::input(format!("`{}` cannot be read: {error}", path.display()), ""))?;
    Ok(text.trim_start_matches('\u{feff}').to_string())
}

fn given<G: Game>(game: &G, text: &str) -> Result<Found<G::State>, Failure> {
    let facts = terms(text).ok_or_else(|| {
        Failure::input(
            format!("`{}` is not a list of facts", excerpt(text)),
            "write them in prefix notation: `(cell 1 1 x) (control o)`",
        )
    })?;
    let state = game.state(&facts).map_err(|error| {
        let initial = game.facts(&game.initial());
        let similar: Vec<&str> = facts
            .iter()
            .filter(|fact| error.0.contains(&format!("`{fact}`")))
            .flat_map(|fact| suggest::similar(fact, initial.iter().map(String::as_str)))
            .collect();
        let help = match suggest::did_you_mean(&similar) {
            question if question.is_empty() => {
                format!("the initial state is {}", listed(&initial))
            }
            question => question,
        };
        Failure::input(error.to_string(), help)
    })?;
    Ok(Found {
        start: Start::Given(state.clone()),
        beginning: Beginning::State(game.facts(&state)),
        state,
    })
}

/// The terms of a list without variables, in prefix notation; infix is understood too.
fn terms(text: &str) -> Option<Vec<String>> {
    let is_infix = text
        .char_indices()
        .any(|(at, c)| c == '(' && text[..at].ends_with(|before: char| before.is_alphanumeric()));
    let (wrapped, syntax) = match is_infix {
        true => (format!("list({text}\n)."), Syntax::Infix),
        false => (format!("(list {text}\n)"), Syntax::Kif),
    };
    if text.trim().is_empty() {
        return Some(Vec::new());
    }
    let parsed = syntax::parse(Arc::new(Source::new("", wrapped)), Some(syntax));
    let is_wrong = parsed.diagnostics.iter().any(|diagnostic| diagnostic.is_error());
    match &parsed.description.clauses[..] {
        [clause] if !is_wrong && clause.body.is_empty() => {
            let terms = clause.head.args.iter();
            terms
                .map(|term| term.is_ground().then(|| term.to_string()))
                .collect()
        }
        _ => None,
    }
}

fn reached<G: Game>(game: &G, text: &str) -> Result<Found<G::State>, Failure> {
    let mut state = game.initial();
    let mut played = Vec::new();
    let mut position = Position::new(game.roles().len());
    let joint_texts = text
        .split([';', '\n'])
        .map(str::trim)
        .filter(|text| !text.is_empty());
    for (number, joint_text) in (1..).zip(joint_texts) {
        let trouble = |error: GameError| Failure::input(error.to_string(), "");
        game.look(&state, &mut position).map_err(trouble)?;
        let joint = Turn {
            game,
            position: &position,
            number,
        }
        .joint(joint_text)?;
        played.push(joint_name(game, &joint));
        state = game.next(&state, &joint).map_err(trouble)?;
    }
    if played.is_empty() {
        return Ok(initial(game));
    }
    Ok(Found {
        start: Start::Reached(state.clone()),
        state,
        beginning: Beginning::Moves(played),
    })
}

/// A position in which a joint move is to be made.
struct Turn<'a, G: Game> {
    game: &'a G,
    position: &'a Position<G::Move>,
    /// The number of the joint move, from 1.
    number: usize,
}

impl<G: Game> Turn<'_, G> {
    /// The joint move that a text names.
    fn joint(&self, text: &str) -> Result<Vec<G::Move>, Failure> {
        if self.position.terminal {
            let message = format!("move {}, `{text}`: the play is over before it", self.number);
            return Err(Failure::input(message, ""));
        }
        let words: Vec<(Option<usize>, String)> =
            words(text).into_iter().map(|word| self.word(word)).collect();
        self.check_roles(text, &words)?;
        let named = self.assign(text, &words)?;
        let roles = 0..self.game.roles().len();
        roles
            .map(|role| {
                let mine = named.iter().find(|(named_role, _)| *named_role == role);
                match (mine, &self.position.legal[role][..]) {
                    (Some((_, mv)), _) => self.legal_move(role, mv),
                    (None, [forced]) => Ok(*forced),
                    (None, _) => Err(self.unclear(text)),
                }
            })
            .collect()
    }

    /// Fails if a word is for a role that there is not, or two are for the same.
    fn check_roles(&self, text: &str, words: &[(Option<usize>, String)]) -> Result<(), Failure> {
        for (place, (role, word)) in words.iter().enumerate() {
            let is_twice = role.is_some() && words[..place].iter().any(|(other, _)| other == role);
            if let Some(role) = role.filter(|_| is_twice) {
                let message = format!(
                    "move {}: `{text}` has two moves of {}",
                    self.number,
                    self.game.roles()[role]
                );
                return Err(Failure::input(message, "moves are parted by `;`"));
            }
            let is_move = (0..self.game.roles().len()).any(|role| self.find_legal(role, word).is_some());
            if let Some((stranger, _)) = word.split_once(':').filter(|_| role.is_none() && !is_move) {
                find_role(stranger, self.game.roles()).map_err(Failure::of_input)?;
            }
        }
        Ok(())
    }

    /// `role:move` or `move`.
    fn word(&self, word: &str) -> (Option<usize>, String) {
        let named = word.split_once(':').and_then(|(role, mv)| {
            let roles = self.game.roles().iter();
            let role = roles.clone().position(|known| known.eq_ignore_ascii_case(role))?;
            Some((Some(role), mv.to_string()))
        });
        named.unwrap_or((None, word.to_string()))
    }

    /// Which role each move is for.
    fn assign(&self, text: &str, words: &[(Option<usize>, String)]) -> Result<Vec<(usize, String)>, Failure> {
        let roles = self.game.roles().len();
        let is_named = words.iter().all(|(role, _)| role.is_some());
        let is_plain = words.iter().all(|(role, _)| role.is_none());
        if is_named {
            let named = words
                .iter()
                .filter_map(|(role, mv)| role.map(|role| (role, mv.clone())));
            return Ok(named.collect());
        }
        let mut choosers = (0..roles).filter(|&role| self.position.legal[role].len() != 1);
        match (words, choosers.next(), choosers.next()) {
            _ if !is_plain => Err(self.unclear(text)),
            _ if words.len() == roles => Ok(words.iter().map(|(_, mv)| mv.clone()).enumerate().collect()),
            ([(_, mv)], Some(chooser), None) => Ok(vec![(chooser, mv.clone())]),
            ([(_, mv)], None, _) => {
                let forced = (0..roles).find(|&role| self.find_legal(role, mv).is_some());
                Ok(vec![(forced.unwrap_or(0), mv.clone())])
            }
            _ => Err(self.unclear(text)),
        }
    }

    fn find_legal(&self, role: usize, text: &str) -> Option<G::Move> {
        let wanted = match &terms(text)?[..] {
            [term] => term.clone(),
            _ => return None,
        };
        let legal = self.position.legal[role].iter();
        legal
            .copied()
            .find(|&mv| self.game.move_name(role, mv).eq_ignore_ascii_case(&wanted))
    }

    fn legal_move(&self, role: usize, text: &str) -> Result<G::Move, Failure> {
        self.find_legal(role, text).ok_or_else(|| {
            let names = self.names(role);
            let similar = suggest::similar(text, names.iter().map(String::as_str));
            let question = match suggest::did_you_mean(&similar) {
                question if question.is_empty() => String::new(),
                question => format!("{question} "),
            };
            let (number, name) = (self.number, &self.game.roles()[role]);
            Failure::input(
                format!("move {number}: `{text}` is no legal move of {name}"),
                format!("{question}legal are {}", listed(&names)),
            )
        })
    }

    fn names(&self, role: usize) -> Vec<String> {
        let legal = self.position.legal[role].iter();
        legal.map(|&mv| self.game.move_name(role, mv)).collect()
    }

    /// It does not say what every role does.
    fn unclear(&self, text: &str) -> Failure {
        let choices: Vec<String> = (0..self.game.roles().len())
            .filter(|&role| self.position.legal[role].len() != 1)
            .map(|role| format!("{} has {}", self.game.roles()[role], listed(&self.names(role))))
            .collect();
        Failure::input(
            format!("move {}: `{text}` does not say who moves how", self.number),
            format!(
                "write `role:move` for each role that has a choice: {}",
                choices.join("; ")
            ),
        )
    }
}

/// The words of a joint move: parted by spaces outside of parentheses.
fn words(text: &str) -> Vec<&str> {
    let (mut words, mut depth, mut start) = (Vec::new(), 0usize, 0);
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            c if c.is_whitespace() && depth == 0 => {
                words.push(&text[start..at]);
                start = at + c.len_utf8();
            }
            _ => {}
        }
    }
    words.push(&text[start..]);
    words.retain(|word| !word.is_empty());
    words
}

fn listed(names: &[String]) -> String {
    let shown: Vec<String> = names
        .iter()
        .take(MOST_LISTED)
        .map(|name| format!("`{name}`"))
        .collect();
    match names.len().saturating_sub(MOST_LISTED) {
        0 if names.is_empty() => "none".to_string(),
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

fn excerpt(text: &str) -> String {
    match text.char_indices().nth(60) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_string(),
    }
}
