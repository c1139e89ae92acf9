//! What quantifier shifting costs: times with both prefixes → series.

use super::series::Series;
use crate::cli::crosscheck::sheet::Sheet;
use crate::cli::exit::Failure;
use crate::cli::lookup;
use crate::cli::tabulate::suite;
use crate::cli::units;
use std::path::{Path, PathBuf};

/// One series for all cross-checks, and one for what other people measured.
pub fn series(files: &[PathBuf]) -> Result<Vec<Series>, Failure> {
    let (mut own, mut published) = (Vec::new(), Vec::new());
    for file in files {
        let text = lookup::bytes(file).ok();
        match text.map(|text| Sheet::read(&text)) {
            Some(Ok(sheet)) => own.extend(sheet.rows.iter().filter_map(|row| row.shifting())),
            Some(Err(error)) if file == Path::new("-") => {
                let message = format!("standard input is not a table of `emm crosscheck`: {error}");
                return Err(Failure::input(message, "name the file of a suite"));
            }
            _ => published.extend(of_suite(file)?),
        }
    }
    let all = [("emm ssat", own), ("SharpSSAT", published)];
    let all = all.into_iter().filter(|(_, points)| !points.is_empty());
    let all: Vec<Series> = all.map(|(name, points)| named(name, points)).collect();
    match all.is_empty() {
        true => Err(Failure::input(
            "no question has a time with Q_b and with Q_d",
            "name files that `emm crosscheck --format csv` wrote",
        )),
        false => Ok(all),
    }
}

fn named(name: &str, mut points: Vec<(f64, f64)>) -> Series {
    let logarithms: f64 = points.iter().map(|(_, ratio)| ratio.ln()).sum();
    let mean = (logarithms / points.len() as f64).exp();
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    let questions = units::show_count(points.len(), "question");
    Series {
        name: format!("{name}, {questions}: {mean:.2}"),
        points,
    }
}

/// The published times with Q_b, and those with Q_d as multiples of them.
fn of_suite(file: &Path) -> Result<Vec<(f64, f64)>, Failure> {
    let suite = suite::find(&file.to_string_lossy())?;
    let rival = |name: &str| suite.rivals.iter().position(|rival| rival == name);
    let (Some(base), Some(dependency)) = (rival("Qb"), rival("Qd")) else {
        return Err(Failure::input(
            format!("`{}` has no columns `Qb_s` and `Qd_s`", file.display()),
            "name files that `emm crosscheck --format csv` wrote, or the suite `paper`",
        ));
    };
    let points = suite.tasks.iter().filter_map(|task| {
        let seconds = |rival: usize| task.times.get(rival)?.parse::<f64>().ok();
        let (base, dependency) = (seconds(base)?, seconds(dependency)?);
        Some((base, dependency / base))
    });
    Ok(points.collect())
}
