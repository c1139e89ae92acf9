//! The part of JSON Schema that `src/report/schema.json` uses.
//!
//! The crates that do all of it bring dozens of others, an HTTP client among them; a schema with a word that is not
//! understood here is refused, so that nothing is passed over. Of regular expressions it knows what the schema
//! has: `^`, `$`, groups of alternatives, classes, `+`, `*`, `?` and `{n}`.

use serde_json::Value;

/// A schema with the definitions that it refers to.
pub struct Schema {
    root: Value,
}

const ANNOTATIONS: [&str; 4] = ["$schema", "$defs", "title", "description"];

impl Schema {
    pub fn new(root: Value) -> Schema {
        Schema { root }
    }

    /// Where a value differs from the schema, and how.
    pub fn problems(&self, value: &Value) -> Vec<String> {
        let mut problems = Vec::new();
        self.check(&self.root, value, "", &mut problems);
        problems
    }

    fn check(&self, schema: &Value, value: &Value, place: &str, problems: &mut Vec<String>) {
        for (word, rule) in schema.as_object().expect("a schema is an object") {
            let holds = match word.as_str() {
                word if ANNOTATIONS.contains(&word) => true,
                "$ref" => {
                    let pointer = rule.as_str().expect("a reference").trim_start_matches('#');
                    let target = self.root.pointer(pointer).expect("a definition");
                    self.check(target, value, place, problems);
                    true
                }
                "anyOf" => list(rule).iter().any(|one| {
                    let mut inner = Vec::new();
                    self.check(one, value, place, &mut inner);
                    inner.is_empty()
                }),
                "items" => {
                    for (index, item) in value.as_array().into_iter().flatten().enumerate() {
                        self.check(rule, item, &format!("{place}/{index}"), problems);
                    }
                    true
                }
                "properties" => {
                    for (name, rule) in rule.as_object().expect("an object") {
                        if let Some(field) = value.get(name) {
                            self.check(rule, field, &format!("{place}/{name}"), problems);
                        }
                    }
                    true
                }
                "additionalProperties" => self.check_others(schema, rule, value, place, problems),
                "required" => list(rule)
                    .iter()
                    .all(|name| !value.is_object() || value.get(name.as_str().expect("a name")).is_some()),
                "type" => match rule {
                    Value::Array(types) => types.iter().any(|one| is_of(value, one)),
                    one => is_of(value, one),
                },
                "const" => value == rule,
                "enum" => list(rule).contains(value),
                "minimum" => value
                    .as_f64()
                    .is_none_or(|number| number >= rule.as_f64().expect("a number")),
                "pattern" => value
                    .as_str()
                    .is_none_or(|text| matches(rule.as_str().expect("a pattern"), text)),
                other => panic!("the schema has the word `{other}`, which this reader does not know"),
            };
            if !holds {
                problems.push(format!("{place}: {value} is against {word} {rule}"));
            }
        }
    }

    fn check_others(
        &self,
        schema: &Value,
        rule: &Value,
        value: &Value,
        place: &str,
        problems: &mut Vec<String>,
    ) -> bool {
        let known = |name: &String| {
            schema
                .get("properties")
                .is_some_and(|known| known.get(name).is_some())
        };
        let fields = value.as_object().into_iter().flatten();
        let others: Vec<_> = fields.filter(|(name, _)| !known(name)).collect();
        if *rule == Value::Bool(false) {
            return others.is_empty();
        }
        for (name, field) in others {
            self.check(rule, field, &format!("{place}/{name}"), problems);
        }
        true
    }
}

fn list(value: &Value) -> &Vec<Value> {
    value.as_array().expect("a list")
}

fn is_of(value: &Value, name: &Value) -> bool {
    match name.as_str().expect("a type") {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_u64() || value.is_i64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("no type `{other}`"),
    }
}

/// Whether all of a text is what a pattern `^…$` describes.
fn matches(pattern: &str, text: &str) -> bool {
    let inner = pattern.strip_prefix('^').and_then(|rest| rest.strip_suffix('$'));
    let inner = inner.expect("patterns describe all of a text");
    ends(inner, text).contains(&"")
}

/// What may be left of a text after the pattern.
fn ends<'t>(pattern: &str, text: &'t str) -> Vec<&'t str> {
    if pattern.is_empty() {
        return vec![text];
    }
    let (piece, rest) = pattern.split_at(piece_end(pattern));
    let (least, most, rest) = repetition(rest);
    let (mut now, mut all) = (vec![text], Vec::new());
    for count in 0..=most {
        if count >= least {
            all.extend(now.iter().flat_map(|left| ends(rest, left)));
        }
        now = now.iter().flat_map(|left| after(piece, left)).collect();
        if now.is_empty() {
            break;
        }
    }
    all
}

/// Where the first piece of a pattern ends: a class, a group or a letter.
fn piece_end(pattern: &str) -> usize {
    let closed_by = |close| pattern.find(close).expect("a closed piece") + 1;
    match pattern.as_bytes()[0] {
        b'[' => closed_by(']'),
        b'(' => closed_by(')'),
        _ => 1,
    }
}

/// How often a piece may stand there, and what follows.
fn repetition(pattern: &str) -> (usize, usize, &str) {
    const MANY: usize = 10_000;
    match pattern.as_bytes().first() {
        Some(b'+') => (1, MANY, &pattern[1..]),
        Some(b'*') => (0, MANY, &pattern[1..]),
        Some(b'?') => (0, 1, &pattern[1..]),
        Some(b'{') => {
            let (count, rest) = pattern[1..].split_once('}').expect("a closed count");
            let count = count.parse().expect("a count");
            (count, count, rest)
        }
        _ => (1, 1, pattern),
    }
}

/// What may be left of a text after one piece.
fn after<'t>(piece: &str, text: &'t str) -> Vec<&'t str> {
    if let Some(group) = piece.strip_prefix('(') {
        let group = group.strip_suffix(')').expect("a closed group");
        return group.split('|').flat_map(|one| ends(one, text)).collect();
    }
    let Some(first) = text.chars().next() else {
        return Vec::new();
    };
    let fits = match piece.strip_prefix('[').and_then(|class| class.strip_suffix(']')) {
        Some(class) => in_class(class, first),
        None => piece.starts_with(first),
    };
    fits.then(|| &text[first.len_utf8()..]).into_iter().collect()
}

fn in_class(class: &str, letter: char) -> bool {
    let letters: Vec<char> = class.chars().collect();
    let ranges = letters.windows(3).filter(|range| range[1] == '-');
    let mut ranges = ranges.map(|range| range[0]..=range[2]);
    ranges.any(|range| range.contains(&letter)) || letters.contains(&letter) && letter != '-'
}
