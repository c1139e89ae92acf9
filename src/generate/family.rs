//! The list of families.

use super::argument::Arguments;
use super::error::GenerateError;
use super::{breakthrough, connect, dots_and_boxes, gttt, nim, one_shot, orchard, tic_tac_toe};

/// A parameter of a family.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// Its name, as in `--width`.
    pub name: &'static str,
    /// What it means, with its range.
    pub meaning: &'static str,
    /// Its value if none is given, as text.
    pub default: &'static str,
}

/// A family of games.
#[derive(Clone, Copy)]
pub struct Family {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it is, in one line.
    pub summary: &'static str,
    /// Its parameters.
    pub parameters: &'static [Parameter],
    pub(super) write: fn(&Arguments) -> Result<String, GenerateError>,
}

impl Family {
    /// The description with these parameters (names and values; defaults for the rest).
    pub fn generate(&self, given: &[(&str, &str)]) -> Result<String, GenerateError> {
        (self.write)(&Arguments::new(self, given)?)
    }
}

/// Every family, sorted by name.
pub fn families() -> &'static [Family] {
    &[
        breakthrough::FAMILY,
        connect::FAMILY,
        dots_and_boxes::FAMILY,
        gttt::FAMILY,
        one_shot::FAMILY,
        orchard::FAMILY,
        connect::STOCHASTIC_FAMILY,
        nim::FAMILY,
        tic_tac_toe::STOCHASTIC_FAMILY,
        tic_tac_toe::FAMILY,
    ]
}

/// The family of this name.
pub fn family(name: &str) -> Result<&'static Family, GenerateError> {
    let unknown = || GenerateError::UnknownFamily {
        name: name.to_owned(),
        known: families().iter().map(|family| family.name).collect(),
    };
    families()
        .iter()
        .find(|family| family.name == name)
        .ok_or_else(unknown)
}
