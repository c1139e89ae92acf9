//! The smallest case of a disagreement, saved with all that is needed to look into it.

use super::{Case, Comparison, Found, Limits, Method, Subject, Verdict, compare};
use crate::cnf::dimacs::{self, Dialect};
use crate::encode::{self, Prefix};
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// The comparison with the smallest horizon at which the methods disagree, given one at which they do.
pub fn minimise(
    subject: &Subject,
    found: Comparison,
    methods: &[&dyn Method],
    limits: &Limits,
) -> Comparison {
    let smaller = (0..found.case.horizon).map(|horizon| {
        let case = Case {
            horizon,
            ..found.case.clone()
        };
        compare(subject, &case, methods, limits)
    });
    let mut disagreeing = smaller.filter(|comparison| matches!(comparison.verdict(), Verdict::Disagree(..)));
    disagreeing.next().unwrap_or(found)
}

/// Writes the game, its encodings with both prefixes and what was found into a folder of its own below
/// `folder`; says where.
pub fn save(subject: &Subject, comparison: &Comparison, folder: &Path) -> io::Result<PathBuf> {
    let case = &comparison.case;
    let file_name = |text: &str| text.replace(|c: char| !c.is_ascii_alphanumeric() && c != '-', "_");
    let name = format!(
        "{}-{}-{}",
        subject.name,
        subject.role_name(case.role),
        case.horizon
    );
    let folder = folder.join(file_name(&name));
    fs::create_dir_all(&folder)?;
    fs::write(folder.join("game.gdl"), subject.program.source().text())?;
    fs::write(folder.join("README.txt"), report(subject, comparison))?;
    for prefix in [Prefix::Base, Prefix::Dependency] {
        let suffix = match prefix {
            Prefix::Base => "base",
            Prefix::Dependency => "dependency",
        };
        let sqasp = encode::encode(&subject.ground, &case.encoded(prefix)).map_err(io::Error::other)?;
        let formula = encode::complete(&sqasp).map_err(io::Error::other)?;
        write(&folder.join(format!("{suffix}.lp")), |out| {
            encode::write_with_variables(&sqasp, &subject.program, out)
        })?;
        write(&folder.join(format!("{suffix}.sdimacs")), |out| {
            dimacs::write(
                &formula.cnf,
                Dialect::Sdimacs,
                encode::comments(&sqasp, &formula),
                out,
            )
        })?;
    }
    Ok(folder)
}

fn write(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut file = BufWriter::new(File::create(path)?);
    write(&mut file)?;
    file.flush()
}

fn report(subject: &Subject, comparison: &Comparison) -> String {
    let case = &comparison.case;
    let role = subject.role_name(case.role);
    let random: String = case
        .random
        .iter()
        .map(|&role| format!(" --random {}", subject.role_name(role)))
        .collect();
    let question = format!("game.gdl --role {role}{random} --horizon {}", case.horizon);
    let mut text = format!(
        "The methods disagree about {} for {role} within {} steps.\n\n",
        subject.name, case.horizon
    );
    for finding in &comparison.findings {
        let found = match &finding.found {
            Found::Exact(value) => value.to_string(),
            Found::Near(value, error) => format!("{value} within {error}"),
            Found::Between(lo, hi) => format!("between {lo} and {hi}"),
            Found::Nothing(reason) | Found::Wrong(reason) => reason.clone(),
        };
        text += &format!("{}: {found}\n", finding.method);
    }
    text + &format!("\nemm solve {question}\nemm ssat base.sdimacs\nemm ssat dependency.sdimacs\n")
}
