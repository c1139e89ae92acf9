//! [`Record`]s → text, JSON, CSV, lines of competitions: what is written about answered questions.
//!
//! A record is one answer with everything that belongs to it, in words instead of a machine's numbers, so
//! that it can be kept and compared. An exporter is one file here, behind the trait [`Exporter`]. Numbers
//! are rounded only when they are written: a value to the nearest, the ends of an interval outwards.

mod competition;
mod csv;
mod decimal;
mod json;
mod record;
#[cfg(test)]
mod sample;
mod text;

pub use competition::Competition;
pub use csv::Csv;
pub use decimal::{Direction, decimal};
pub use json::Json;
pub use record::{
    Beginning, Effort, Facts, Record, Refused, Remark, Spent, ValuedMove, Verdict, first_moves, joint_name,
    remarks, verdict,
};
pub use text::Text;

use std::io::{self, Write};

/// The JSON Schema of what [`Json`] writes: <https://json-schema.org>, draft 2020-12.
pub const JSON_SCHEMA: &str = include_str!("schema.json");

/// A way to write records.
pub trait Exporter {
    /// Writes the records in their order.
    fn write(&self, records: &[Record], out: &mut dyn Write) -> io::Result<()>;
}
