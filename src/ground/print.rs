//! A ground program as text: again a game description, without variables.

use super::program::GroundProgram;
use std::fmt;

/// KIF notation in a stable order. The text is itself a description of the same game.
impl fmt::Display for GroundProgram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for &role in self.roles() {
            writeln!(f, "(role {})", self.terms().display(role))?;
        }
        for fluent in self.initial() {
            writeln!(
                f,
                "(init {})",
                self.terms().display(self.fluents()[fluent.index()])
            )?;
        }
        for rule in self.rules() {
            let head = self.display_atom(rule.head);
            if rule.positive.is_empty() && rule.negative.is_empty() {
                writeln!(f, "{head}")?;
                continue;
            }
            write!(f, "(<= {head}")?;
            rule.positive
                .iter()
                .try_for_each(|&atom| write!(f, " {}", self.display_atom(atom)))?;
            rule.negative
                .iter()
                .try_for_each(|&atom| write!(f, " (not {})", self.display_atom(atom)))?;
            writeln!(f, ")")?;
        }
        Ok(())
    }
}
