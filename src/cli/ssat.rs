//! `emm ssat`: the value of a formula.

use super::exit::{Exit, Failure};
use super::output::OutputArgs;
use super::solve::watch::{self, Watch, Wish};
use super::units::show_count;
use super::{Context, Format, lookup, units};
use clap::Args;
use cpu_time::ProcessTime;
use emm::cnf::{Cnf, Quantifier, dimacs};
use emm::report::{Direction, decimal};
use emm::solve::Fraction;
use emm::source::Source;
use emm::ssat::{self, Options, Outcome, Progress, StopReason};
use emm::syntax;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// Print the value of a formula: stochastic SAT with exists, for all and chance, or a QBF
#[derive(Args)]
#[command(after_help = "\
Examples:
  emm ssat formula.sdimacs
  emm ssat formula.qdimacs --timeout 1m --memory 2G
  emm ssat - --format json < formula.sdimacs

FILE is in SharpSSAT's format or in QDIMACS: comments `c ...`, a header `p cnf VARIABLES CLAUSES`,
blocks `e VARIABLE... 0`, `a VARIABLE... 0` and `r PROBABILITY VARIABLE... 0` from the outermost to the
innermost, clauses `LITERAL... 0`, each on a line of its own. PROBABILITY is that of `true`, an exact
decimal, unless a comment `c prob NUMERATOR/DENOMINATOR VARIABLE... 0` gives it as a fraction.

The value is the maximum over variables of `e`, the minimum over those of `a`, the mean over those of
`r`; a QBF has the value 1 if it is true and 0 if it is false.

When the memory is used up, the evaluator forgets formulas and goes on. When the time is, or after
Ctrl-C, the interval in which the value is proven to lie is printed, with exit code 3.

JSON, version 1:
  {\"version\", \"file\", \"variables\", \"clauses\", \"blocks\", \"status\": \"solved\" | \"bounded\",
   \"value\": null or {\"fraction\", \"numerator\", \"denominator\", \"decimal\"}, \"lower\", \"upper\": fractions,
   \"stopped_by\": null, \"time\", \"interrupt\" or \"depth\",
   \"effort\": {\"formulas\", \"cache_hits\", \"cache_entries\", \"cputime_s\", \"walltime_s\"}}
  `formulas` counts the residual formulas that were looked at.")]
pub struct SsatArgs {
    /// A path, or `-` for standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Let the cache take at most this much, such as `500M` or `8G` [default: half of the memory]
    #[arg(long, value_name = "SIZE", value_parser = units::bytes)]
    memory: Option<usize>,
    /// Stop after this time, such as `90s`, `2m` or `1h30m` [default: never]
    #[arg(long, value_name = "DURATION", value_parser = units::duration)]
    timeout: Option<Duration>,
    /// How to write the answer
    #[arg(long, default_value = "text")]
    format: Format,
    #[command(flatten)]
    output: OutputArgs,
    /// Show no progress, even on a terminal
    #[arg(long)]
    no_progress: bool,
}

/// What there is to print.
struct Answer<'a> {
    file: &'a str,
    cnf: &'a Cnf,
    outcome: Outcome,
    cpu: Duration,
    wall: Duration,
}

pub fn run(args: &SsatArgs, context: &Context) -> Result<Exit, Failure> {
    args.output.check([&args.file])?;
    let (wall, cpu) = (Instant::now(), ProcessTime::now());
    let options = Options {
        memory: args.memory.unwrap_or_else(units::half_of_memory),
        deadline: args.timeout.and_then(|timeout| wall.checked_add(timeout)),
        stop: watch::stop_flag()?,
        progress: Arc::default(),
    };
    let (file, cnf) = read(args, context)?;
    context.note(format_args!("read: {}", units::show_duration(wall.elapsed())));
    let outcome = {
        let _watch = watch(&file, &options.progress, args, context);
        ssat::evaluate(&cnf, &options)
    };
    let answer = Answer {
        file: &file,
        cnf: &cnf,
        outcome,
        cpu: cpu.elapsed(),
        wall: wall.elapsed(),
    };
    let text = match args.format {
        Format::Text => answer.text(),
        Format::Json => format!("{:#}\n", answer.json()),
    };
    args.output.write(|out| out.write_all(text.as_bytes()))?;
    Ok(match answer.outcome.interval.is_exact() {
        true => Exit::Answered,
        false => Exit::LimitReached,
    })
}

/// The name of the file and its formula; reports, and fails if there is none.
fn read(args: &SsatArgs, context: &Context) -> Result<(String, Cnf), Failure> {
    let failed = Failure::Reported(Exit::InputError);
    let (source, mut diagnostics) = match lookup::find_file(&args.file) {
        Ok(found) => syntax::decode(&found.name, found.bytes),
        Err(diagnostic) => (Source::new("", ""), vec![diagnostic]),
    };
    let mut cnf = None;
    if diagnostics.is_empty() {
        let read = dimacs::read(&source);
        (cnf, diagnostics) = (read.cnf, read.diagnostics);
    }
    context.report(&source, &diagnostics);
    cnf.map(|cnf| (source.name().to_string(), cnf)).ok_or(failed)
}

fn watch(file: &str, progress: &Arc<Progress>, args: &SsatArgs, context: &Context) -> Watch {
    let wish = if args.no_progress {
        Wish::Hidden
    } else {
        Wish::Shown
    };
    let (file, progress) = (file.to_string(), progress.clone());
    let line = move |elapsed: Duration| {
        let formulas = progress.formulas.load(Ordering::Relaxed);
        format!(
            "{file}: {formulas} formulas, {:.0}/s, {} in the cache, {}",
            formulas as f64 / elapsed.as_secs_f64().max(0.001),
            progress.cache_entries.load(Ordering::Relaxed),
            units::show_bytes(progress.cache_bytes.load(Ordering::Relaxed)),
        )
    };
    Watch::start(line, context, wish)
}

impl Answer<'_> {
    fn text(&self) -> String {
        let interval = &self.outcome.interval;
        let mut text = String::new();
        let percent = |bound, direction| decimal(bound, 100, 2, direction);
        let _ = match interval.is_exact() {
            true => writeln!(text, "{} %\n  exactly {}", interval.lo.percent(), interval.lo),
            false => writeln!(
                text,
                "from {} to {} %\n  at least {}\n  at most  {}",
                percent(&interval.lo, Direction::Down),
                percent(&interval.hi, Direction::Up),
                interval.lo,
                interval.hi
            ),
        };
        if let Some(truth) = self.truth() {
            let _ = writeln!(text, "  the formula is {truth}");
        }
        if let Some(reason) = self.outcome.stopped_by {
            let _ = writeln!(text, "  {}", stopped(reason));
        }
        let _ = writeln!(
            text,
            "  {}, {}; {}, {} of them from the cache, {}",
            show_count(self.cnf.variables, "variable"),
            show_count(self.cnf.clauses.len(), "clause"),
            show_count(self.outcome.formulas as usize, "residual formula"),
            self.outcome.cache_hits,
            units::show_duration(self.cpu)
        );
        text
    }

    /// Whether a formula without chance is true, if that is known.
    fn truth(&self) -> Option<bool> {
        let is_chance = |quantifier: &Quantifier| matches!(quantifier, Quantifier::Chance(_));
        let has_chance = self.cnf.prefix.iter().any(|block| is_chance(&block.quantifier));
        let interval = &self.outcome.interval;
        (interval.is_exact() && !has_chance).then(|| interval.lo == Fraction::whole(1))
    }

    fn json(&self) -> Value {
        let interval = &self.outcome.interval;
        let value = interval.is_exact().then(|| {
            json!({
                "fraction": interval.lo.to_string(),
                "numerator": interval.lo.numerator().to_string(),
                "denominator": interval.lo.denominator().to_string(),
                "decimal": interval.lo.decimal(12),
            })
        });
        json!({
            "version": 1,
            "file": self.file,
            "variables": self.cnf.variables,
            "clauses": self.cnf.clauses.len(),
            "blocks": self.cnf.prefix.len(),
            "status": if interval.is_exact() { "solved" } else { "bounded" },
            "value": value,
            "lower": interval.lo.to_string(),
            "upper": interval.hi.to_string(),
            "stopped_by": self.outcome.stopped_by.map(name),
            "effort": {
                "formulas": self.outcome.formulas,
                "cache_hits": self.outcome.cache_hits,
                "cache_entries": self.outcome.cache_entries,
                "cputime_s": self.cpu.as_secs_f64(),
                "walltime_s": self.wall.as_secs_f64(),
            },
        })
    }
}

fn name(reason: StopReason) -> &'static str {
    match reason {
        StopReason::Time => "time",
        StopReason::Interrupt => "interrupt",
        StopReason::Depth => "depth",
    }
}

fn stopped(reason: StopReason) -> &'static str {
    match reason {
        StopReason::Time => "stopped by the time limit",
        StopReason::Interrupt => "interrupted",
        StopReason::Depth => "stopped: more decisions are open at once than can be followed",
    }
}
