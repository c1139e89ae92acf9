//! The questions of a command line about one game, and their answers as records.

use super::compile::{Checked, Clock};
use super::start::Found;
use super::watch::{self, Watch, Wish};
use super::{SolveArgs, units};
use crate::cli::exit::Failure;
use crate::cli::roles::Roles;
use crate::cli::{Context, version};
use emm::game::Game;
use emm::machine::{Bits, Machine};
use emm::report::{self, Beginning, Effort, Record, Spent, Verdict};
use emm::solve::{
    self, Answer, Arithmetic, Checkpoint, Curve, Engine, Fraction, Interval, Objective, Options, Outcome,
    Question, SolveError, Statistics, StopReason,
};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// More threads than this are of no use, and cost time and memory.
const THREADS_PER_CORE: usize = 4;
/// States that are looked at for a winning plan.
const PLAN_STATES: usize = 1 << 20;

/// What is asked about a game, and how it is to be answered.
pub struct Asked<'a> {
    args: &'a SolveArgs,
    context: &'a Context,
    game: String,
    sha256: String,
    all_roles: Roles,
    /// The roles that are asked about.
    roles: Vec<usize>,
    options: Options,
}

impl<'a> Asked<'a> {
    /// The questions about a checked game; fails if they make no sense for its roles.
    pub fn new(
        args: &'a SolveArgs,
        game: &Path,
        checked: &Checked,
        deadline: Option<Instant>,
        stop: Arc<AtomicBool>,
        context: &'a Context,
    ) -> Result<Asked<'a>, Failure> {
        let all_roles = Roles::new(checked.roles.clone(), &args.random)?;
        Ok(Asked {
            args,
            context,
            game: game.display().to_string(),
            sha256: checked.sha256.clone(),
            roles: all_roles.asked(&args.roles)?,
            all_roles,
            options: options(args, &checked.sha256, deadline, stop),
        })
    }

    /// How many answers all games of the command line have, if they have as many as this one.
    pub fn answers(&self) -> usize {
        let horizons = match self.args.horizon.filter(|_| self.args.all_horizons) {
            Some(last) => last as usize + 1,
            None => 1,
        };
        self.args.games.len() * self.roles.len() * horizons
    }

    /// Answers all questions about a compiled game, in one run if the engine can do that.
    pub fn answer_compiled(
        &self,
        machine: &Machine,
        found: &Found<Bits>,
        compile: Spent,
    ) -> Result<Vec<Record>, Failure> {
        if self.args.all_horizons {
            self.explain("search", "it keeps its table from one horizon to the next");
            return self.answer(machine, found, compile);
        }
        let failure = |error: SolveError| match error {
            SolveError::Unsuitable(_) => {
                Failure::input(error.to_string(), "leave the engine to `--engine auto`")
            }
            SolveError::Storage { advice, .. } => Failure::input(error.to_string(), advice),
            _ => Failure::input(error.to_string(), ""),
        };
        let questions: Vec<_> = self
            .roles
            .iter()
            .map(|&role| self.question(role, found))
            .collect();
        let clock = Clock::start();
        let selected = solve::select(machine, &questions, &self.options).map_err(failure)?;
        self.explain(engine_name(selected.engine), selected.why);
        match selected.engine {
            Engine::Alphabeta | Engine::Layered => self.explain_keys(machine, &selected),
            Engine::Sweep => {}
            _ => return self.answer(machine, found, compile),
        }
        // `alphabeta` answers one question at a time, the others all in one run.
        let together = match selected.engine {
            Engine::Alphabeta => 1,
            _ => questions.len(),
        };
        let mut records = Vec::new();
        let mut clock = clock;
        for questions in questions.chunks(together) {
            let answers = {
                let _watch = self.watch(questions[0].role);
                solve::solve_selected(machine, &selected, questions, &self.options)
            };
            let answers = match answers {
                Err(SolveError::Unsuitable(why)) if self.may_search() => {
                    self.explain("search", why);
                    return self.answer(machine, found, compile);
                }
                answers => answers.map_err(failure)?,
            };
            self.tell_resumed();
            // One run answered all of them: each is charged its share.
            let share = clock.spent().share(questions.len() as u32);
            clock = Clock::start();
            for (question, answer) in questions.iter().zip(&answers) {
                let record = self.answered(machine, found, question, answer, selected.engine, compile, share);
                records.push(record.map_err(|error| Failure::input(error.to_string(), ""))?);
            }
        }
        Ok(records)
    }

    fn explain(&self, engine: &str, why: &str) {
        let explanation = format!("{}: engine {engine}: {why}", self.game);
        match self.args.explain && !self.context.is_quiet() {
            true => self.context.say(&explanation),
            false => self.context.note(format_args!("{explanation}")),
        }
    }

    /// Whether the engine is left to the program.
    fn may_search(&self) -> bool {
        self.options.engine == Engine::Auto && self.options.checkpoint.is_none()
    }

    fn tell_resumed(&self) {
        let layers = self.options.progress.resumed_layers.load(Ordering::Relaxed);
        if layers > 0 {
            self.context
                .say(&format!("{}: went on after {layers} finished layers", self.game));
        }
    }

    fn explain_keys(&self, machine: &Machine, selected: &solve::Selected) {
        let symmetries = match selected.symmetries(machine) {
            1 => "no symmetry".to_string(),
            order => {
                format!("{order} symmetries: of {order} states that are images of each other one is visited")
            }
        };
        let bits = selected.key_bits().unwrap_or_default();
        let engine = engine_name(selected.engine);
        self.explain(engine, &format!("a state takes {bits} bits, {symmetries}"));
    }

    fn question<S: Clone>(&self, role: usize, found: &Found<S>) -> Question<S> {
        Question {
            role,
            chance: self.all_roles.chance().to_vec(),
            horizon: self.args.horizon,
            objective: self.args.objective,
            start: found.start.clone(),
        }
    }

    /// Answers all questions about the game.
    pub fn answer<G: Game>(
        &self,
        game: &G,
        found: &Found<G::State>,
        compile: Spent,
    ) -> Result<Vec<Record>, Failure> {
        let mut records = Vec::new();
        for &role in &self.roles {
            let question = self.question(role, found);
            let answers = match self.args.horizon.filter(|_| self.args.all_horizons) {
                Some(last) => self.curve(game, found, &question, last, compile),
                None => self
                    .value(game, found, &question, compile)
                    .map(|record| vec![record]),
            };
            records.extend(answers.map_err(|error| Failure::input(error.to_string(), ""))?);
        }
        Ok(records)
    }

    /// What can be said when there was no time even to compile the game: nothing.
    pub fn unanswered(&self, reason: StopReason, compile: Spent) -> Vec<Record> {
        let everything = Interval {
            lo: Fraction::whole(0),
            hi: Fraction::whole(self.args.objective.top().into()),
        };
        let horizons: Vec<Option<u32>> = match self.args.horizon.filter(|_| self.args.all_horizons) {
            Some(last) => (0..=last).map(Some).collect(),
            None => vec![self.args.horizon],
        };
        let record = |role: usize, horizon| {
            let effort = self.effort(
                self.options.engine,
                Statistics::default(),
                compile,
                Spent::default(),
            );
            let verdict = Verdict::Bounded(everything.clone(), reason);
            Record {
                horizon,
                ..self.record(role, Beginning::Initial, verdict, effort)
            }
        };
        let roles = self.roles.iter();
        roles
            .flat_map(|&role| horizons.iter().map(move |&horizon| (role, horizon)))
            .map(|(role, horizon)| record(role, horizon))
            .collect()
    }

    fn value<G: Game>(
        &self,
        game: &G,
        found: &Found<G::State>,
        question: &Question<G::State>,
        compile: Spent,
    ) -> Result<Record, SolveError> {
        let clock = Clock::start();
        let answer = {
            let _watch = self.watch(question.role);
            solve::solve(game, question, &self.options)?
        };
        let engine = match self.options.engine {
            Engine::Reference => Engine::Reference,
            _ => Engine::Search,
        };
        self.answered(game, found, question, &answer, engine, compile, clock.spent())
    }

    #[allow(clippy::too_many_arguments)]
    fn answered<G: Game>(
        &self,
        game: &G,
        found: &Found<G::State>,
        question: &Question<G::State>,
        answer: &Answer<G::State, G::Move>,
        engine: Engine,
        compile: Spent,
        spent: Spent,
    ) -> Result<Record, SolveError> {
        let effort = self.effort(engine, answer.statistics, compile, spent);
        let verdict = report::verdict(game, &found.state, &answer.outcome)?;
        let plan = self.plan(game, found, &verdict)?;
        Ok(Record {
            first_moves: report::first_moves(game, question.role, answer),
            remarks: report::remarks(game, &answer.notes),
            plan,
            ..self.record(question.role, found.beginning.clone(), verdict, effort)
        })
    }

    fn curve<G: Game>(
        &self,
        game: &G,
        found: &Found<G::State>,
        question: &Question<G::State>,
        last: u32,
        compile: Spent,
    ) -> Result<Vec<Record>, SolveError> {
        let clock = Clock::start();
        let curve: Curve<G::State> = {
            let _watch = self.watch(question.role);
            solve::solve_all_horizons(game, question, last, &self.options)?
        };
        let spent = clock.spent();
        let remarks = report::remarks(game, &curve.notes);
        let refused = matches!(curve.outcomes[..], [Outcome::Refused(_)]);
        let mut records = Vec::new();
        for (horizon, outcome) in (0..).zip(&curve.outcomes) {
            let verdict = report::verdict(game, &found.state, outcome)?;
            let effort = self.effort(self.options.engine, curve.statistics, compile, spent);
            records.push(Record {
                // A refusal concerns all horizons.
                horizon: Some(if refused { last } else { horizon }),
                remarks: remarks.clone(),
                ..self.record(question.role, found.beginning.clone(), verdict, effort)
            });
        }
        Ok(records)
    }

    /// A shortest way to win, for puzzles that can be won.
    fn plan<G: Game>(
        &self,
        game: &G,
        found: &Found<G::State>,
        verdict: &Verdict,
    ) -> Result<Option<Vec<String>>, SolveError> {
        let is_certain = *verdict == Verdict::Solved(Fraction::whole(1));
        let objective = self.args.objective;
        if self.all_roles.names().len() != 1 || !is_certain || objective == Objective::Goal {
            return Ok(None);
        }
        let is_won = |_: &G::State, position: &emm::game::Position<G::Move>| {
            position.terminal && objective.worth(position.goals[0]) == 1
        };
        let play = solve::shortest_play(game, &found.state, is_won, PLAN_STATES)?;
        let names = |play: Vec<Vec<G::Move>>| {
            let moves = play.iter().flatten().map(|&mv| game.move_name(0, mv));
            moves.collect()
        };
        Ok(play.map(names))
    }

    fn watch(&self, role: usize) -> Watch {
        let wish = if self.args.no_progress {
            Wish::Hidden
        } else {
            Wish::Shown
        };
        let title = format!("{}: {}", self.game, self.all_roles.names()[role]);
        let progress = self.options.progress.clone();
        let line = move |elapsed| format!("{title}: {}", watch::line(&progress, elapsed));
        Watch::start(line, self.context, wish)
    }

    fn effort(&self, engine: Engine, statistics: Statistics, compile: Spent, solve: Spent) -> Effort {
        Effort {
            engine: engine_name(engine),
            arithmetic: match (engine, self.options.arithmetic) {
                (Engine::Auto | Engine::Search, Arithmetic::Float) => "float",
                _ => "exact",
            },
            threads: match engine {
                Engine::Reference => 1,
                _ => self.options.threads,
            },
            statistics,
            compile,
            solve,
            version: version(),
        }
    }

    fn record(&self, role: usize, beginning: Beginning, verdict: Verdict, effort: Effort) -> Record {
        Record {
            game: self.game.clone(),
            game_sha256: self.sha256.clone(),
            role: self.all_roles.names()[role].clone(),
            random_roles: self.all_roles.made_random(),
            objective: self.args.objective,
            horizon: self.args.horizon,
            beginning,
            verdict,
            first_moves: Vec::new(),
            plan: None,
            remarks: Vec::new(),
            effort,
        }
    }
}

fn engine_name(engine: Engine) -> &'static str {
    match engine {
        Engine::Auto | Engine::Search => "search",
        Engine::Alphabeta => "alphabeta",
        Engine::Layered => "layered",
        Engine::Sweep => "sweep",
        Engine::Reference => "reference",
    }
}

fn options(args: &SolveArgs, sha256: &str, deadline: Option<Instant>, stop: Arc<AtomicBool>) -> Options {
    let checkpoint = |directory: &PathBuf| Checkpoint {
        directory: directory.clone(),
        identity: format!("emm {} game {sha256}", version()),
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    Options {
        engine: args.engine.engine(),
        arithmetic: args.arithmetic.arithmetic(),
        threads: args.threads.map_or(cores, |threads| {
            usize::from(threads).min(THREADS_PER_CORE * cores)
        }),
        memory: args.memory.unwrap_or_else(units::half_of_memory),
        deadline,
        stop,
        spill: args.spill.clone(),
        checkpoint: args.checkpoint.as_ref().map(checkpoint),
        ..Options::default()
    }
}
