//! clingo on the SQASP text: the value by Definition 2 over its answer sets, and plans.
//!
//! Answer sets are enumerated, so this is for small cases; it is the only check of the text as such: of its
//! rules and of the prefix facts that stand in it.

use super::external::{Answer, in_folder, run};
use super::{Case, Finding, Found, Limits, Method, Subject};
use crate::encode::names::Shown;
use crate::encode::{self, Prefix, Sqasp};
use crate::fraction::Fraction;
use crate::game::{Game, Position};
use crate::ground::MoveId;
use num_bigint::BigUint;
use num_rational::Ratio;
use num_traits::{One, Zero};
use std::collections::{BTreeSet, HashMap};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// Answer sets that are looked at.
const MOST_SETS: usize = 100_000;

/// Which text clingo gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClingoForm {
    /// With variables.
    Variables,
    /// Without.
    Ground,
}

/// clingo on a text.
pub struct Clingo {
    /// Where it is.
    pub program: PathBuf,
    /// The text.
    pub form: ClingoForm,
}

impl Method for Clingo {
    fn name(&self) -> String {
        match self.form {
            ClingoForm::Variables => "clingo".to_string(),
            ClingoForm::Ground => "clingo (ground)".to_string(),
        }
    }

    fn find(&self, subject: &Subject, case: &Case, limits: &Limits) -> Finding {
        in_folder(self.name(), |folder| {
            let sqasp =
                encode::encode(&subject.ground, &case.encoded(Prefix::Base)).map_err(|e| e.to_string())?;
            let text = folder.join("program.lp");
            self.write(subject, &sqasp, &text)?;
            let call = Call {
                program: &self.program,
                text: &text,
                folder,
                limits,
            };
            let found = match sqasp.sides().is_alone() {
                true => plan(subject, &sqasp, &call)?,
                false => by_answer_sets(&call)?,
            };
            Ok(Answer { found, size: None })
        })
    }
}

impl Clingo {
    fn write(&self, subject: &Subject, sqasp: &Sqasp, path: &Path) -> Result<(), String> {
        let write = || {
            let mut file = BufWriter::new(File::create(path)?);
            match self.form {
                ClingoForm::Variables => encode::write_with_variables(sqasp, &subject.program, &mut file)?,
                ClingoForm::Ground => encode::write_ground(sqasp, &mut file)?,
            }
            file.flush()
        };
        write().map_err(|error| error.to_string())
    }
}

struct Call<'a> {
    program: &'a Path,
    text: &'a Path,
    folder: &'a Path,
    limits: &'a Limits,
}

impl Call<'_> {
    /// What clingo prints with these options; a word on standard error is a failure.
    fn run(&self, options: &[&str]) -> Result<(i32, String), String> {
        let text = self.text.display().to_string();
        let arguments: Vec<String> = options
            .iter()
            .map(|option| option.to_string())
            .chain([text])
            .collect();
        let ran = run(self.program, &arguments, self.folder, self.limits)?;
        match ran.errors.trim() {
            "" => Ok((ran.code.unwrap_or(-1), ran.output)),
            complaint => Err(format!("clingo says: {complaint}")),
        }
    }

    /// The answer sets, restricted to what is shown, and whether these are all. (clingo does not show atoms
    /// that start with `_`, only terms.)
    fn answer_sets(
        &self,
        shown: &BTreeSet<Signature>,
        most: usize,
    ) -> Result<(Vec<Vec<String>>, bool), String> {
        let mut lines = "#show.\n".to_string();
        for (name, arity) in shown {
            let arguments: Vec<String> = (0..*arity).map(|n| format!("A{n}")).collect();
            let atom = format!("{name}({})", arguments.join(","));
            lines += &format!("#defined {name}/{arity}.\n#show shown({atom}) : {atom}.\n");
        }
        let show = self.folder.join("show.lp");
        std::fs::write(&show, lines).map_err(|error| error.to_string())?;
        let number = most.to_string();
        let show = show.display().to_string();
        let (code, output) = self.run(&["--outf=2", "-n", &number, &show])?;
        // 10 and 30: there are answer sets; 20 and 30: all were found.
        if ![10, 20, 30].contains(&code) {
            return Err(format!("clingo ended with code {code}"));
        }
        let json: serde_json::Value = serde_json::from_str(&output).map_err(|error| error.to_string())?;
        let witnesses = json.pointer("/Call/0/Witnesses").and_then(|list| list.as_array());
        let atoms = |witness: &serde_json::Value| {
            let values = witness.get("Value").and_then(|list| list.as_array());
            let terms = values.into_iter().flatten().filter_map(|term| term.as_str());
            let atom = |term: &str| Some(term.strip_prefix("shown(")?.strip_suffix(')')?.to_string());
            terms.filter_map(atom).collect()
        };
        let sets = witnesses.into_iter().flatten().map(atoms).collect();
        Ok((sets, code != 10))
    }
}

/// How a choice is quantified.
#[derive(Clone, Debug, PartialEq)]
enum Quantified {
    Exists,
    ForAll,
    Chance(Ratio<BigUint>),
}

/// The value by Definition 2: the prefix is read from the text, a leaf is an answer set.
fn by_answer_sets(call: &Call) -> Result<Found, String> {
    let prefix = prefix(call)?;
    let signatures = prefix.iter().map(|(_, _, atom)| signature(atom)).collect();
    let (sets, is_all) = call.answer_sets(&signatures, MOST_SETS)?;
    if !is_all {
        return Err(format!("more than {MOST_SETS} answer sets"));
    }
    let places: HashMap<&str, usize> = prefix
        .iter()
        .enumerate()
        .map(|(at, (_, _, atom))| (&atom[..], at))
        .collect();
    let mut leaves = Vec::new();
    for set in &sets {
        let mut leaf = vec![false; prefix.len()];
        for atom in set {
            let place = places
                .get(&atom[..])
                .ok_or_else(|| format!("`{atom}` is not quantified"))?;
            leaf[*place] = true;
        }
        leaves.push(leaf);
    }
    leaves.sort_unstable();
    Ok(Found::Exact(value(&prefix, &leaves, 0).into()))
}

/// The value of the answer sets that agree so far; they are sorted.
fn value(prefix: &[(u32, Quantified, String)], leaves: &[Vec<bool>], at: usize) -> Ratio<BigUint> {
    if leaves.is_empty() {
        return Ratio::zero();
    }
    let Some((_, quantified, _)) = prefix.get(at) else {
        return Ratio::one();
    };
    let (without, with) = leaves.split_at(leaves.partition_point(|leaf| !leaf[at]));
    let (no, yes) = (value(prefix, without, at + 1), value(prefix, with, at + 1));
    match quantified {
        Quantified::Exists => yes.max(no),
        Quantified::ForAll => yes.min(no),
        Quantified::Chance(p) => yes * p + no * (Ratio::one() - p),
    }
}

/// The prefix facts of the text, grounded, outermost first.
fn prefix(call: &Call) -> Result<Vec<(u32, Quantified, String)>, String> {
    let (_, text) = call.run(&["--mode=gringo", "--text"])?;
    let mut prefix = Vec::new();
    for line in text.lines() {
        let fact = |name: &str| line.strip_prefix(name)?.strip_suffix(").");
        if let Some(rest) = fact("_exists(") {
            prefix.push(quantified(rest, Quantified::Exists)?);
        } else if let Some(rest) = fact("_forall(") {
            prefix.push(quantified(rest, Quantified::ForAll)?);
        } else if let Some(rest) = fact("_chance(") {
            let bad = || format!("`{line}` is no quantifier");
            let (level, rest) = rest.split_once(',').ok_or_else(bad)?;
            let (numerator, rest) = rest.split_once(',').ok_or_else(bad)?;
            let (denominator, atom) = rest.split_once(',').ok_or_else(bad)?;
            let number = |text: &str| text.parse::<BigUint>().map_err(|_| bad());
            let probability = Ratio::new(number(numerator)?, number(denominator)?);
            prefix.push(quantified(
                &format!("{level},{atom}"),
                Quantified::Chance(probability),
            )?);
        }
    }
    prefix.sort_by(|a, b| (a.0, &a.2).cmp(&(b.0, &b.2)));
    match prefix.windows(2).find(|pair| pair[0].2 == pair[1].2) {
        Some(pair) => Err(format!("`{}` is quantified twice", pair[0].2)),
        None => Ok(prefix),
    }
}

fn quantified(rest: &str, quantified: Quantified) -> Result<(u32, Quantified, String), String> {
    let parts = rest
        .split_once(',')
        .and_then(|(level, atom)| Some((level.parse().ok()?, atom)));
    let (level, atom) = parts.ok_or_else(|| format!("`{rest}` is no quantified atom"))?;
    Ok((level, quantified, atom.to_string()))
}

/// The name of a relation and the number of its arguments.
type Signature = (String, usize);

fn signature(atom: &str) -> Signature {
    let name = atom.split('(').next().unwrap_or_default();
    (name.to_string(), arguments(atom).len())
}

/// The arguments of an atom.
fn arguments(atom: &str) -> Vec<&str> {
    let Some(inside) = atom.split_once('(').and_then(|(_, rest)| rest.strip_suffix(')')) else {
        return Vec::new();
    };
    let (mut depth, mut start, mut found) = (0, 0, Vec::new());
    for (at, c) in inside.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            ',' if depth == 0 => {
                found.push(&inside[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    found.push(&inside[start..]);
    found
}

/// For a player alone: an answer set is a plan, which is replayed.
fn plan(subject: &Subject, sqasp: &Sqasp, call: &Call) -> Result<Found, String> {
    let (plans, is_all) = call.answer_sets(&BTreeSet::from([("does".to_string(), 3)]), 1)?;
    match plans.first() {
        None if is_all => Ok(Found::Exact(Fraction::whole(0))),
        None => Err("no answer set and no proof that there is none".to_string()),
        Some(plan) => Ok(match replay(subject, sqasp, plan) {
            Ok(()) => Found::Exact(Fraction::whole(1)),
            Err(reason) => Found::Wrong(format!("clingo's plan does not win: {reason}")),
        }),
    }
}

/// Plays a plan, given by its `does` atoms, on the machine.
fn replay(subject: &Subject, sqasp: &Sqasp, plan: &[String]) -> Result<(), String> {
    let (machine, program) = (&subject.machine, sqasp.program());
    let names: HashMap<String, MoveId> = (0..program.moves().len())
        .map(|index| {
            (
                Shown(&program.terms().term(program.moves()[index].term)).to_string(),
                MoveId::new(index),
            )
        })
        .collect();
    let mut steps: Vec<(u32, MoveId)> = Vec::new();
    for atom in plan {
        let step = match arguments(atom)[..] {
            [_, mv, time] => time.parse().ok().zip(names.get(mv).copied()),
            _ => None,
        };
        steps.push(step.ok_or_else(|| format!("`{atom}` is no move"))?);
    }
    steps.sort_by_key(|&(time, _)| time);
    let mut state = machine.initial();
    let mut position = Position::new(machine.roles().len());
    for (at, &(time, mv)) in steps.iter().enumerate() {
        machine
            .look(&state, &mut position)
            .map_err(|error| error.to_string())?;
        if time as usize != at || position.terminal || !position.legal[0].contains(&mv) {
            return Err(format!("no such move at step {at}"));
        }
        state = machine.next(&state, &[mv]).map_err(|error| error.to_string())?;
    }
    machine
        .look(&state, &mut position)
        .map_err(|error| error.to_string())?;
    match position.terminal && position.goals[0].contains(100) {
        true => Ok(()),
        false => Err("the last state is not won".to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn atoms_are_taken_apart() {
        assert_eq!(arguments("does(x,mark(1,2),3)"), ["x", "mark(1,2)", "3"]);
        assert_eq!(signature("does(x,mark(1,2),3)"), ("does".to_string(), 3));
    }
}
