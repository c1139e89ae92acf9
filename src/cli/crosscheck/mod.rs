//! `emm crosscheck`: the value by search against the value by formula, game by game.

mod horizon;
mod programs;
mod record;
pub mod sheet;
mod suite;

use super::Context;
use super::exit::{Exit, Failure};
use super::load::{Loaded, RuleLimit, SyntaxArgs};
use super::output::OutputArgs;
use super::solve::stop_flag;
use super::units::{self, show_duration};
use clap::{Args, ValueEnum};
use emm::crosscheck::{
    self, ByFormula, ByReference, BySearch, Case, Clingo, ClingoForm, Comparison, DepQbf, Limits, Method,
    SharpSsat, Subject, Verdict,
};
use emm::encode::Prefix;
use horizon::Bracket;
use programs::Programs;
use record::records;
use sheet::{Row, Sheet};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;
use suite::{Suite, Task};

/// How long a game is walked to find out how long it can take.
const HORIZON_TIME: Duration = Duration::from_secs(20);

/// Compare the values of games by search and by formula, and by other programs
///
/// The value by search comes from the compiled game, the value by formula from the ground rules by way of
/// the paper's encoding, with both quantifier prefixes. Exact values are compared as fractions.
#[derive(Args)]
#[command(after_help = "\
Examples:
  emm crosscheck one-shot s-nim-5
  emm crosscheck tt-3x3 --random o --role x --horizon all
  emm crosscheck --suite paper --results results
  emm crosscheck one-shot --with internal,clingo,reference
  emm crosscheck s-tt-3x3-80 --with internal,sharpssat --program SharpSSAT=/opt/SharpSSAT

Without --horizon, the longest play is taken. Where a method does not answer that within --timeout, or it is
not known how long a play can take, horizons are doubled from 1 on, or increased by less where answers take ever
longer, and then halved between the last that was answered and the first that was not, until an answer takes a
quarter of --timeout.

On a disagreement the smallest horizon that shows it is looked for, and the game, the programs and the
formulas are saved below --save.

Other programs are looked for on the PATH, unless --program says where they are: clingo, SharpSSAT, depqbf.
One that is not there is `absent` in the table. clingo enumerates answer sets, which only goes well for small
horizons. `cargo bench --bench sharpssat` compares times with SharpSSAT on the same files.

CSV: game,role,random_roles,horizon,longest_play,method,variables,clauses,seconds,value,fraction,note,verdict
  one line for each method. Seconds are CPU time, elapsed time for other programs.

Exit code 4 if two methods disagree; else 1 if a game cannot be used; else 3 if a question could not be
compared within the limits, or after Ctrl-C; else 0.")]
pub struct CrosscheckArgs {
    /// Paths, `-` for standard input, or names of bundled games
    #[arg(value_name = "GAME", required_unless_present = "suite")]
    games: Vec<PathBuf>,
    /// A list of questions instead of games
    #[arg(long, conflicts_with_all = ["games", "roles", "random"])]
    suite: Option<Suite>,
    #[command(flatten)]
    syntax: SyntaxArgs,
    #[command(flatten)]
    rules: RuleLimit,
    /// Only this role; may be given several times [default: every player]
    #[arg(long = "role", value_name = "ROLE")]
    roles: Vec<String>,
    /// Let this player move uniformly at random; may be given several times
    #[arg(long = "random", value_name = "ROLE")]
    random: Vec<String>,
    /// How many steps a play may take, or `all`: from 0 to the longest play
    #[arg(long, value_name = "N")]
    horizon: Option<Horizon>,
    /// The methods, separated by commas
    #[arg(long, value_delimiter = ',', default_value = "internal")]
    with: Vec<With>,
    /// Where another program is, as `clingo=/opt/clingo`; may be given several times
    #[arg(long = "program", value_name = "NAME=FILE", value_parser = programs::program)]
    programs: Vec<(&'static str, PathBuf)>,
    /// For each answer
    #[arg(long, value_name = "DURATION", default_value = "60s", value_parser = units::duration)]
    timeout: Duration,
    /// For the tables of each answer, or for another program
    #[arg(long, value_name = "SIZE", default_value = "4G", value_parser = units::bytes)]
    memory: usize,
    /// Where disagreements are saved
    #[arg(long, value_name = "DIR", default_value = "disagreements")]
    save: PathBuf,
    /// Add the answers to `crosscheck.csv` and `crosscheck.md` in this folder, after every question; it is made if it is
    /// not there
    #[arg(long, value_name = "DIR")]
    results: Option<PathBuf>,
    /// How to write the table
    #[arg(long, default_value = "text")]
    format: SheetFormat,
    #[command(flatten)]
    output: OutputArgs,
}

#[derive(Clone, Copy, ValueEnum)]
enum SheetFormat {
    Text,
    Csv,
    Markdown,
}

#[derive(Clone, Copy)]
enum Horizon {
    Steps(u32),
    All,
}

impl FromStr for Horizon {
    type Err = String;

    fn from_str(text: &str) -> Result<Horizon, String> {
        match text {
            "all" => Ok(Horizon::All),
            number => number
                .parse()
                .map(Horizon::Steps)
                .map_err(|_| "a number of steps or `all` is wanted".to_string()),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum With {
    /// Search, and the formula with both prefixes
    Internal,
    /// clingo: the text, with variables and without, by its answer sets
    Clingo,
    /// SharpSSAT: the formula with both prefixes
    Sharpssat,
    /// DepQBF: the formula, for games without chance
    Depqbf,
    /// The definition as it stands, on the reference reasoner
    Reference,
}

pub fn run(args: &CrosscheckArgs, context: &Context) -> Result<Exit, Failure> {
    args.output.check(&args.games)?;
    if let Some(folder) = &args.results {
        sheet::prepare(folder)?;
    }
    let methods = methods(&args.with, &Programs(&args.programs));
    let methods: Vec<&dyn Method> = methods.iter().map(AsRef::as_ref).collect();
    let mut run = Run {
        args,
        context,
        methods: &methods,
        limits: Limits {
            stop: stop_flag()?,
            ..Limits::new(args.timeout, args.memory)
        },
        sheet: Sheet::default(),
        exit: Exit::Answered,
    };
    for (game, tasks) in tasks(args) {
        if let Err(failure) = run.game(&game, &tasks) {
            run.exit = run.exit.worse(context.tell(failure));
        }
    }
    if run.limits.is_stopped() {
        context.say("interrupted: the questions that are not in the table are not answered");
        run.exit = run.exit.worse(Exit::LimitReached);
    }
    if run.sheet.rows.is_empty() {
        return Err(Failure::Reported(run.exit));
    }
    let sheet = &run.sheet;
    args.output.write(|out| match args.format {
        SheetFormat::Text => out.write_all(sheet.text().as_bytes()),
        SheetFormat::Csv => out.write_all(sheet.csv().as_bytes()),
        SheetFormat::Markdown => out.write_all(sheet.markdown().as_bytes()),
    })?;
    Ok(run.exit)
}

/// The games with what is asked about them.
fn tasks(args: &CrosscheckArgs) -> Vec<(PathBuf, Vec<Task>)> {
    match args.suite {
        Some(suite) => suite.tasks(),
        None => {
            let task = Task {
                roles: args.roles.clone(),
                random: args.random.clone(),
            };
            args.games
                .iter()
                .map(|game| (game.clone(), vec![task.clone()]))
                .collect()
        }
    }
}

fn methods(with: &[With], programs: &Programs) -> Vec<Box<dyn Method>> {
    let mut methods: Vec<Box<dyn Method>> = Vec::new();
    let distinct = with
        .iter()
        .enumerate()
        .filter(|(n, one)| !with[..*n].contains(one));
    for (_, with) in distinct {
        match with {
            With::Internal => {
                methods.push(Box::new(BySearch));
                methods.push(Box::new(ByFormula(Prefix::Base)));
                methods.push(Box::new(ByFormula(Prefix::Dependency)));
            }
            With::Reference => methods.push(Box::new(ByReference)),
            With::Clingo => programs.add(&mut methods, "clingo", |program| {
                let clingo = |form| -> Box<dyn Method> {
                    Box::new(Clingo {
                        program: program.clone(),
                        form,
                    })
                };
                vec![clingo(ClingoForm::Variables), clingo(ClingoForm::Ground)]
            }),
            With::Sharpssat => programs.add(&mut methods, "SharpSSAT", |program| {
                let sharpssat = |prefix| -> Box<dyn Method> {
                    Box::new(SharpSsat {
                        program: program.clone(),
                        prefix,
                    })
                };
                vec![sharpssat(Prefix::Base), sharpssat(Prefix::Dependency)]
            }),
            With::Depqbf => programs.add(&mut methods, "depqbf", |program| {
                vec![Box::new(DepQbf {
                    program: program.clone(),
                })]
            }),
        }
    }
    methods
}

struct Run<'a> {
    args: &'a CrosscheckArgs,
    context: &'a Context,
    methods: &'a [&'a dyn Method],
    limits: Limits,
    sheet: Sheet,
    exit: Exit,
}

impl Run<'_> {
    /// Compares what is asked about a game, unless all was asked to end.
    fn game(&mut self, game: &Path, tasks: &[Task]) -> Result<(), Failure> {
        if self.limits.is_stopped() {
            return Ok(());
        }
        let subject = self.load(game)?;
        let walk = Limits {
            time: HORIZON_TIME,
            ..self.limits.clone()
        };
        let longest = crosscheck::longest_play(&subject.machine, &walk);
        if self.limits.is_stopped() {
            return Ok(());
        }
        for task in tasks {
            for case in task.cases(&subject)? {
                self.case(&subject, &case, longest)?;
            }
        }
        Ok(())
    }

    fn load(&self, game: &Path) -> Result<Subject, Failure> {
        let loaded = Loaded::parse(game, self.args.syntax).ground(&self.args.rules.until(None));
        loaded.report(self.context)?;
        let (Some(program), Some(grounded)) = (loaded.program, loaded.grounded) else {
            return Err(Failure::Reported(Exit::InputError));
        };
        let name = game.file_stem().unwrap_or(game.as_os_str()).to_string_lossy();
        let subject = Subject::new(&name, program, grounded.program);
        subject.map_err(|error| Failure::limit(error.to_string(), ""))
    }

    fn case(&mut self, subject: &Subject, case: &Case, longest: Option<u32>) -> Result<(), Failure> {
        match (self.args.horizon, longest) {
            (Some(Horizon::Steps(horizon)), _) => self.at(subject, case, horizon, longest).map(drop),
            (Some(Horizon::All), Some(longest)) => {
                for horizon in 0..=longest {
                    if self.limits.is_stopped() {
                        break;
                    }
                    self.at(subject, case, horizon, Some(longest))?;
                }
                Ok(())
            }
            (Some(Horizon::All), None) => Err(Failure::input(
                format!("it is not known how long a play of `{}` can take", subject.name),
                "say `--horizon N`",
            )),
            (None, _) => self.largest(subject, case, longest),
        }
    }

    /// The largest horizon that all methods come to an end with, as far as it is found.
    fn largest(&mut self, subject: &Subject, case: &Case, longest: Option<u32>) -> Result<(), Failure> {
        let settle = |run: &Self, horizon| {
            let case = Case {
                horizon,
                ..case.clone()
            };
            crosscheck::settle(subject, &case, run.methods, &run.limits)
        };
        if let Some(comparison) = longest.and_then(|longest| settle(self, longest)) {
            return self.record(subject, comparison, longest);
        }
        let mut best = None;
        let mut bracket = Bracket::new(longest, self.limits.time);
        while let Some(horizon) = bracket.next().filter(|_| !self.limits.is_stopped()) {
            let found = settle(self, horizon);
            bracket.note(horizon, found.as_ref().map(Comparison::longest_time));
            best = found.or(best);
            if best.as_ref().is_some_and(|best| self.is_enough(best)) {
                break;
            }
        }
        // Nothing is said with less than no step.
        let best = best.unwrap_or_else(|| self.compare(subject, case, 0));
        self.record(subject, best, longest)
    }

    /// Whether a larger horizon is not asked for: there is a disagreement, or time was short.
    fn is_enough(&self, comparison: &Comparison) -> bool {
        comparison.longest_time() >= self.limits.time / 4
            || matches!(comparison.verdict(), Verdict::Disagree(..))
    }

    fn compare(&self, subject: &Subject, case: &Case, horizon: u32) -> Comparison {
        let case = Case {
            horizon,
            ..case.clone()
        };
        crosscheck::compare(subject, &case, self.methods, &self.limits)
    }

    fn at(
        &mut self,
        subject: &Subject,
        case: &Case,
        horizon: u32,
        longest: Option<u32>,
    ) -> Result<(), Failure> {
        let comparison = self.compare(subject, case, horizon);
        self.record(subject, comparison, longest)
    }

    fn record(
        &mut self,
        subject: &Subject,
        mut comparison: Comparison,
        longest: Option<u32>,
    ) -> Result<(), Failure> {
        match comparison.verdict() {
            // More would be known had it not been interrupted.
            Verdict::Open | Verdict::Agree(_) if self.limits.is_stopped() => return Ok(()),
            Verdict::Agree(_) => {}
            Verdict::Open => self.exit = self.exit.worse(Exit::LimitReached),
            Verdict::Disagree(one, other) => {
                self.exit = self.exit.worse(Exit::Disagreed);
                comparison = crosscheck::minimise(subject, comparison, self.methods, &self.limits);
                let saved = crosscheck::save(subject, &comparison, &self.args.save);
                let saved = saved.map_err(|error| Failure::writing("the disagreement", &error))?;
                self.context.say(&format!(
                    "error: {one} and {other} disagree about `{}` within {} steps; see {}",
                    subject.name,
                    comparison.case.horizon,
                    saved.display()
                ));
            }
        }
        let row = Row::new(records(subject, &comparison, longest));
        self.context
            .note(format_args!("{} ({})", row.title(), show_duration(row.time())));
        self.sheet.rows.push(row);
        match &self.args.results {
            Some(folder) => self.sheet.add_to(folder),
            None => Ok(()),
        }
    }
}
