//! Which options go together: for each there are engines that can do it, and one engine has to do all that is wished.

use super::{EngineName, MOST_HORIZONS, SolveArgs};
use crate::cli::exit::Failure;
use emm::solve::Arithmetic;

/// Not every engine can do everything, and no wish is to be forgotten silently.
pub fn check(args: &SolveArgs) -> Result<(), Failure> {
    use EngineName::{Alphabeta, Auto, Layered, Reference, Search, Sweep};
    if args.all_horizons && args.horizon.is_some_and(|last| last > MOST_HORIZONS) {
        return Err(Failure::usage(
            format!("`--all-horizons` is for {MOST_HORIZONS} horizons at most"),
            "choose a smaller `--horizon`",
        ));
    }
    if args.checkpoint.is_some() && args.games.len() > 1 {
        return Err(Failure::usage(
            "a checkpoint is for one game",
            "solve the games one by one, each with a folder of its own",
        ));
    }
    let compiled = [Search, Alphabeta, Layered, Sweep];
    let engine = [args.engine];
    let wishes = [
        (
            args.checkpoint.is_some(),
            "--checkpoint",
            &[Layered][..],
            "only the engine `layered` can keep a checkpoint",
        ),
        (
            args.spill.is_some(),
            "--spill",
            &[Layered],
            "only the engine `layered` can put layers into files",
        ),
        (
            args.no_symmetry,
            "--no-symmetry",
            &[Alphabeta, Layered],
            "only `alphabeta` and `layered` use symmetries",
        ),
        (
            args.arithmetic.arithmetic() == Arithmetic::Float,
            "--arithmetic",
            &[Search],
            "only the engine `search` computes in floating point",
        ),
        (
            args.all_horizons,
            "--all-horizons",
            &[Search, Reference],
            "only `search` and `reference` answer all horizons",
        ),
        (
            args.memory.is_some(),
            "--memory",
            &compiled,
            "the engine `reference` knows no limit of memory",
        ),
        (
            args.threads.is_some_and(|threads| threads > 1),
            "--threads",
            &compiled,
            "the engine `reference` has one thread",
        ),
        (
            args.rules.is_given(),
            "--max-rules",
            &compiled,
            "the engine `reference` takes the rules as they stand",
        ),
    ];
    let mut before: Vec<(&str, &[EngineName])> = Vec::new();
    if args.engine != Auto {
        before.push(("--engine", &engine));
    }
    for (_, option, engines, message) in wishes.into_iter().filter(|(is_wished, ..)| *is_wished) {
        let is_contrary = |others: &[EngineName]| !others.iter().any(|engine| engines.contains(engine));
        if let Some((other, _)) = before.iter().find(|(_, others)| is_contrary(others)) {
            return Err(Failure::usage(message, format!("leave out `{other}`")));
        }
        before.push((option, engines));
    }
    Ok(())
}
