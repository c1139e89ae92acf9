//! The manifest of a checkpoint: which question it is about, and which of its files are complete.

use super::events::Totals;
use super::table::{Shape, Table};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fmt;

/// The version of the format.
const FORMAT: u64 = 3;

pub(super) struct Manifest {
    /// The game, the question and the version of the program.
    pub(super) identity: String,
    pub(super) layers: Vec<LayerNote>,
    /// Per layer and question; those of the last layer are missing until all layers are there.
    pub(super) totals: Vec<Vec<Totals>>,
    /// Whether all layers are there.
    pub(super) is_complete: bool,
    pub(super) values: Option<ValuesNote>,
    /// Counters of the run.
    pub(super) visited: u64,
    pub(super) edges: u64,
}

/// The file of a layer.
pub(super) struct LayerNote {
    pub(super) shape: Shape,
    /// Keys in each part.
    pub(super) lens: Vec<usize>,
    pub(super) sha256: String,
}

/// The file with the values of a layer.
pub(super) struct ValuesNote {
    pub(super) layer: usize,
    /// Words of a value.
    pub(super) words: usize,
    pub(super) count: usize,
    pub(super) sha256: String,
}

impl LayerNote {
    pub(super) fn new<const N: usize>(table: &Table<N>, sha256: &str) -> LayerNote {
        LayerNote {
            shape: table.shape(),
            lens: table.lens(),
            sha256: sha256.to_string(),
        }
    }
}

impl fmt::Display for Manifest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let layer = |note: &LayerNote| {
            json!({
                "bits": note.shape.bits, "keys": note.shape.keys, "parts": note.shape.parts,
                "attempt": note.shape.attempt, "lens": note.lens, "sha256": note.sha256,
            })
        };
        let totals = |totals: &Totals| json!({"outer": totals.outer, "inner": totals.inner});
        let all_totals = self.totals.iter();
        let all_totals = all_totals.map(|layer| layer.iter().map(totals).collect::<Vec<_>>());
        let values = self.values.as_ref().map(|values| {
            json!({
                "layer": values.layer, "words": values.words, "count": values.count, "sha256": values.sha256,
            })
        });
        let manifest = json!({
            "format": FORMAT,
            "identity": self.identity,
            "layers": self.layers.iter().map(layer).collect::<Vec<_>>(),
            "totals": all_totals.collect::<Vec<_>>(),
            "complete": self.is_complete,
            "values": values,
            "visited": self.visited,
            "edges": self.edges,
        });
        write!(f, "{manifest:#}")
    }
}

impl Manifest {
    /// The manifest with this text; nothing if it is none of this format.
    pub(super) fn parse(text: &str) -> Option<Manifest> {
        let value: Value = serde_json::from_str(text).ok()?;
        if value["format"].as_u64() != Some(FORMAT) {
            return None;
        }
        let totals = |layer: &Value| layer.as_array()?.iter().map(parse_totals).collect::<Option<_>>();
        let layers = value["layers"].as_array()?.iter().map(parse_layer);
        Some(Manifest {
            identity: value["identity"].as_str()?.to_string(),
            layers: layers.collect::<Option<_>>()?,
            totals: value["totals"]
                .as_array()?
                .iter()
                .map(totals)
                .collect::<Option<_>>()?,
            is_complete: value["complete"].as_bool()?,
            values: match &value["values"] {
                Value::Null => None,
                values => Some(parse_values(values)?),
            },
            visited: value["visited"].as_u64()?,
            edges: value["edges"].as_u64()?,
        })
    }
}

fn number(value: &Value) -> Option<usize> {
    value.as_u64().map(|number| number as usize)
}

fn parse_layer(layer: &Value) -> Option<LayerNote> {
    Some(LayerNote {
        shape: Shape {
            bits: number(&layer["bits"])?,
            keys: number(&layer["keys"])?,
            parts: number(&layer["parts"])?,
            attempt: number(&layer["attempt"])?,
        },
        lens: layer["lens"]
            .as_array()?
            .iter()
            .map(number)
            .collect::<Option<_>>()?,
        sha256: layer["sha256"].as_str()?.to_string(),
    })
}

fn parse_values(values: &Value) -> Option<ValuesNote> {
    Some(ValuesNote {
        layer: number(&values["layer"])?,
        words: number(&values["words"])?,
        count: number(&values["count"])?,
        sha256: values["sha256"].as_str()?.to_string(),
    })
}

fn parse_totals(totals: &Value) -> Option<Totals> {
    let set =
        |value: &Value| -> Option<BTreeSet<u64>> { value.as_array()?.iter().map(Value::as_u64).collect() };
    Some(Totals {
        outer: set(&totals["outer"])?,
        inner: set(&totals["inner"])?,
    })
}
