//! GAME → as far down the pipeline as a command needs, with everything that was noticed on the way.
//!
//! A stage runs only if the one before it found no error, because what it would say about a wrong text is
//! mostly noise.

use super::context::Context;
use super::exit::{Exit, Failure};
use super::{lookup, report, units};
use clap::{Args, ValueEnum};
use emm::check;
use emm::diagnostic::{self, Diagnostic, Severity};
use emm::ground::{self, GroundError, Grounded, LimitReached, Limits};
use emm::program::Program;
use emm::source::Source;
use emm::syntax::{self, Description, Syntax};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The one game that a command is about.
#[derive(Args)]
pub struct GameArgs {
    /// A path, `-` for standard input, or the name of a bundled game
    #[arg(value_name = "GAME")]
    pub game: PathBuf,
    #[command(flatten)]
    pub syntax: SyntaxArgs,
}

#[derive(Args, Clone, Copy, Default)]
pub struct SyntaxArgs {
    /// The syntax in which games are written [default: told by their content]
    #[arg(long, value_name = "SYNTAX")]
    syntax: Option<SyntaxName>,
}

/// The two syntaxes, by name.
#[derive(Clone, Copy, ValueEnum)]
pub enum SyntaxName {
    /// Prefix: `(<= (next (cell ?x b)) (does ?p (clear ?x)))`
    Kif,
    /// Infix: `next(cell(X,b)) :- does(P,clear(X)).`
    Infix,
}

impl From<SyntaxName> for Syntax {
    fn from(name: SyntaxName) -> Syntax {
        match name {
            SyntaxName::Kif => Syntax::Kif,
            SyntaxName::Infix => Syntax::Infix,
        }
    }
}

/// How large a game may be.
#[derive(Args, Clone, Copy)]
pub struct RuleLimit {
    /// Stop grounding at so many ground rules and atoms; `500k` is a number too [default: 20M]
    #[arg(long, value_name = "N", value_parser = units::count)]
    max_rules: Option<usize>,
}

impl RuleLimit {
    /// Whether the user has set it.
    pub fn is_given(self) -> bool {
        self.max_rules.is_some()
    }

    /// The limits of grounding that ends at a deadline.
    pub fn until(self, deadline: Option<Instant>) -> Limits {
        let usual = Limits::default();
        Limits {
            max_rules: self.max_rules.unwrap_or(usual.max_rules),
            deadline,
            ..usual
        }
    }

    /// The limits, with the clock starting now.
    pub fn within(self, timeout: Option<Duration>) -> Limits {
        self.until(timeout.and_then(|timeout| Instant::now().checked_add(timeout)))
    }
}

/// How far grounding may go.
#[derive(Args)]
pub struct LimitArgs {
    #[command(flatten)]
    rules: RuleLimit,
    /// Stop grounding a game after this time, such as `90s`, `2m` or `1h30m` [default: never]
    #[arg(long, value_name = "DURATION", value_parser = units::duration)]
    timeout: Option<Duration>,
}

impl LimitArgs {
    /// The limits, with the clock starting now.
    pub fn limits(&self) -> Limits {
        self.rules.within(self.timeout)
    }
}

/// Diagnostics of one code in one stage that are kept: a generated text can have millions.
const MAX_ALIKE: usize = 100;

/// How many errors and warnings there are.
#[derive(Clone, Copy, Default)]
pub struct Counts {
    pub errors: usize,
    pub warnings: usize,
}

/// How far a game got, and what was noticed.
pub struct Loaded {
    /// The text; without name and empty if there is none.
    pub source: Arc<Source>,
    /// What all stages noticed, sorted by position; of one kind not more than anybody reads.
    pub diagnostics: Vec<Diagnostic>,
    /// How much was noticed, including what is left out of `diagnostics`.
    pub counts: Counts,
    /// There if the text could be parsed.
    pub description: Option<Description>,
    /// There if the description could be checked and that was asked for.
    pub program: Option<Program>,
    /// There if the program could be grounded and that was asked for.
    pub grounded: Option<Grounded>,
    /// There if grounding reached a limit.
    pub limit: Option<LimitReached>,
    /// What each stage took, in order.
    pub times: Vec<(&'static str, Duration)>,
}

impl Loaded {
    /// Reads and parses a game.
    pub fn parse(game: &Path, syntax: SyntaxArgs) -> Loaded {
        let mut loaded = Loaded {
            source: Arc::new(Source::new("", "")),
            diagnostics: Vec::new(),
            counts: Counts::default(),
            description: None,
            program: None,
            grounded: None,
            limit: None,
            times: Vec::new(),
        };
        match loaded.timed("read", |_| lookup::find(game)) {
            Ok(found) => loaded.parse_text(&found.name, found.bytes, syntax.syntax.map(Syntax::from)),
            Err(diagnostic) => loaded.notice(vec![diagnostic]),
        }
        loaded
    }

    fn parse_text(&mut self, name: &str, bytes: Vec<u8>, syntax: Option<Syntax>) {
        let (source, refusals) = syntax::decode(name, bytes);
        self.source = Arc::new(source);
        self.notice(refusals);
        if self.has_error() {
            return;
        }
        let parsed = self.timed("parse", |loaded| syntax::parse(loaded.source.clone(), syntax));
        self.notice(parsed.diagnostics);
        self.description = (!self.has_error()).then_some(parsed.description);
    }

    /// Goes on to the checked program, if possible.
    pub fn check(mut self) -> Loaded {
        if let Some(description) = self.description.take() {
            let checked = self.timed("check", |_| check::check(&description));
            self.description = Some(description);
            self.program = checked.program;
            self.notice(checked.diagnostics);
        }
        self
    }

    /// Goes on to the ground program, if possible.
    pub fn ground(self, limits: &Limits) -> Loaded {
        let mut loaded = match self.program {
            Some(_) => self,
            None => self.check(),
        };
        if let Some(program) = loaded.program.take() {
            match loaded.timed("ground", |_| ground::ground(&program, limits)) {
                Ok(mut grounded) => {
                    loaded.notice(std::mem::take(&mut grounded.diagnostics));
                    loaded.grounded = Some(grounded);
                }
                Err(GroundError::Rejected(diagnostics)) => loaded.notice(diagnostics),
                Err(GroundError::Limit(reached)) => loaded.limit = Some(reached),
            }
            loaded.program = Some(program);
        }
        loaded
    }

    /// Whether anything is wrong with the game.
    pub fn has_error(&self) -> bool {
        self.counts.errors > 0
    }

    /// Says on standard error what was noticed, and fails if that leaves nothing to work with.
    pub fn report(&self, context: &Context) -> Result<(), Failure> {
        for (stage, time) in &self.times {
            context.note(format_args!("{stage}: {}", units::show_duration(*time)));
        }
        context.report(&self.source, &self.diagnostics);
        if self.has_error() {
            return Err(Failure::Reported(Exit::InputError));
        }
        match &self.limit {
            None => Ok(()),
            Some(reached) => {
                context.say(&report::limit(&self.source, reached));
                Err(Failure::Reported(Exit::LimitReached))
            }
        }
    }

    fn notice(&mut self, diagnostics: Vec<Diagnostic>) {
        let errors = diagnostics.iter().filter(|d| d.is_error()).count();
        self.counts.errors += errors;
        self.counts.warnings += diagnostics.len() - errors;
        self.diagnostics.extend(without_the_many(diagnostics));
        diagnostic::sort(&mut self.diagnostics);
    }

    /// Does some work, and notes how long it took.
    pub fn timed<T>(&mut self, stage: &'static str, work: impl FnOnce(&Loaded) -> T) -> T {
        let start = Instant::now();
        let result = work(self);
        self.times.push((stage, start.elapsed()));
        result
    }
}

/// The SHA-256 of a game's text, in hexadecimal digits.
pub fn sha256(text: &str) -> String {
    let digest = Sha256::digest(text);
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Keeps the first diagnostics of every code, and says how many were left out.
fn without_the_many(mut diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut seen: BTreeMap<(Severity, &str), usize> = BTreeMap::new();
    diagnostics.retain(|diagnostic| {
        let count = seen.entry((diagnostic.severity, diagnostic.code)).or_default();
        *count += 1;
        *count <= MAX_ALIKE
    });
    let many = seen.into_iter().filter(|&(_, count)| count > MAX_ALIKE);
    diagnostics.extend(many.map(|((severity, code), count)| Diagnostic {
        severity,
        ..Diagnostic::global_error(
            "too-many",
            format!("{} further problems `{code}` are not shown", count - MAX_ALIKE),
        )
    }));
    diagnostics
}

/// The description of a game; reports, and fails if it cannot be parsed.
pub fn description(game: &GameArgs, context: &Context) -> Result<Description, Failure> {
    let mut loaded = Loaded::parse(&game.game, game.syntax);
    loaded.report(context)?;
    loaded
        .description
        .take()
        .ok_or(Failure::Reported(Exit::InputError))
}

/// A game down to its ground program.
pub struct GroundGame {
    pub program: Program,
    pub grounded: Grounded,
    pub times: Vec<(&'static str, Duration)>,
}

/// The ground program of a game; reports, and fails if there is none.
pub fn ground(game: &GameArgs, limits: &LimitArgs, context: &Context) -> Result<GroundGame, Failure> {
    let loaded = Loaded::parse(&game.game, game.syntax).ground(&limits.limits());
    loaded.report(context)?;
    match (loaded.program, loaded.grounded) {
        (Some(program), Some(grounded)) => Ok(GroundGame {
            program,
            grounded,
            times: loaded.times,
        }),
        _ => Err(Failure::Reported(Exit::InputError)),
    }
}
