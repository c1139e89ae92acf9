//! A ground program as text: again a game description, without variables.

use super::atoms::AtomId;
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
        // An atom stands in many rules: its text is made once.
        let atoms: Vec<String> = (0..self.atoms().len())
            .map(|atom| self.display_atom(AtomId::new(atom)).to_string())
            .collect();
        for rule in self.rules() {
            let head = &atoms[rule.head.index()];
            if rule.positive.is_empty() && rule.negative.is_empty() {
                f.write_str(head)?;
                f.write_str("\n")?;
                continue;
            }
            f.write_str("(<= ")?;
            f.write_str(head)?;
            for atom in rule.positive {
                f.write_str(" ")?;
                f.write_str(&atoms[atom.index()])?;
            }
            for atom in rule.negative {
                f.write_str(" (not ")?;
                f.write_str(&atoms[atom.index()])?;
                f.write_str(")")?;
            }
            f.write_str(")\n")?;
        }
        Ok(())
    }
}
