//! Values of parameters as they arrive: names and texts.

use super::error::GenerateError;
use super::family::Family;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// One text for every parameter of a family: the given one or the default.
///
/// Invariant: in the order of the family's parameters, none missing.
pub struct Arguments {
    values: Vec<(&'static str, String)>,
}

impl Arguments {
    /// The defaults of `family`, overridden by `given` (names and values).
    pub fn new(family: &Family, given: &[(&str, &str)]) -> Result<Arguments, GenerateError> {
        let mut overrides: Vec<Option<&str>> = vec![None; family.parameters.len()];
        for &(name, value) in given {
            let place = family
                .parameters
                .iter()
                .position(|parameter| parameter.name == name);
            let Some((slot, parameter)) =
                place.and_then(|i| overrides.get_mut(i).zip(family.parameters.get(i)))
            else {
                return Err(unknown_parameter(family, name));
            };
            if slot.replace(value).is_some() {
                return Err(GenerateError::RepeatedParameter { name: parameter.name });
            }
        }
        let values = family.parameters.iter().zip(overrides);
        let values = values
            .map(|(p, given)| (p.name, given.unwrap_or(p.default).to_owned()))
            .collect();
        Ok(Arguments { values })
    }

    /// A whole number in `range`.
    pub fn number(&self, name: &'static str, range: RangeInclusive<u32>) -> Result<u32, GenerateError> {
        let number = self.text(name).parse().ok().filter(|n| range.contains(n));
        let expected = || format!("a whole number from {} to {}", range.start(), range.end());
        number.ok_or_else(|| self.bad_value(name, expected()))
    }

    /// A value of any kind that can be read from text; the reading's own error says what was expected.
    pub fn value<T: FromStr<Err = String>>(&self, name: &'static str) -> Result<T, GenerateError> {
        self.text(name)
            .parse()
            .map_err(|expected| self.bad_value(name, expected))
    }

    fn text(&self, name: &'static str) -> &str {
        let found = self.values.iter().find(|(parameter, _)| *parameter == name);
        found.map_or("", |(_, value)| value)
    }

    fn bad_value(&self, parameter: &'static str, expected: String) -> GenerateError {
        GenerateError::BadValue {
            parameter,
            value: self.text(parameter).to_owned(),
            expected,
        }
    }
}

fn unknown_parameter(family: &Family, name: &str) -> GenerateError {
    let known = family.parameters.iter().map(|parameter| parameter.name).collect();
    GenerateError::UnknownParameter {
        family: family.name,
        name: name.to_owned(),
        known,
    }
}
