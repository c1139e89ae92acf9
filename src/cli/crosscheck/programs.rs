//! Other programs: where they are, and what stands in for one that is not there.

use emm::crosscheck::{self, Case, Finding, Found, Limits, Method, Subject};
use std::path::PathBuf;
use std::time::Duration;

/// The names under which programs are looked for.
const NAMES: [&str; 3] = ["clingo", "SharpSSAT", "depqbf"];

/// Reads `NAME=FILE`.
pub fn program(text: &str) -> Result<(&'static str, PathBuf), String> {
    let (name, file) = text
        .split_once('=')
        .ok_or("expected `NAME=FILE`, such as `clingo=/opt/clingo`")?;
    let known = NAMES.into_iter().find(|known| known.eq_ignore_ascii_case(name));
    let known = known.ok_or_else(|| format!("the programs are {}", NAMES.join(", ")))?;
    // Programs run in a folder of their own.
    let file = std::path::absolute(file).map_err(|error| error.to_string())?;
    match file.is_file() {
        true => Ok((known, file)),
        false => Err(format!("there is no file `{}`", file.display())),
    }
}

/// The programs that the command line says.
pub struct Programs<'a>(pub &'a [(&'static str, PathBuf)]);

impl Programs<'_> {
    /// Adds the methods of a program, or one that says that it is absent.
    pub fn add(
        &self,
        methods: &mut Vec<Box<dyn Method>>,
        name: &'static str,
        make: impl FnOnce(&PathBuf) -> Vec<Box<dyn Method>>,
    ) {
        let said = self.0.iter().rev().find(|(said, _)| *said == name);
        let found = said
            .map(|(_, file)| file.clone())
            .or_else(|| crosscheck::find_program(name));
        match found {
            Some(program) => methods.extend(make(&program)),
            None => methods.push(Box::new(Absent(name))),
        }
    }
}

/// A program that is not there.
struct Absent(&'static str);

impl Method for Absent {
    fn name(&self) -> String {
        self.0.to_string()
    }

    fn find(&self, _: &Subject, _: &Case, _: &Limits) -> Finding {
        Finding {
            method: self.name(),
            found: Found::Nothing("absent".to_string()),
            size: None,
            time: Duration::ZERO,
        }
    }
}
