//! A source text with its name, and byte spans into it.

use std::fmt;

/// A half-open range of bytes in a [`Source`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The span of bytes `start..end`.
    pub fn new(start: usize, end: usize) -> Span {
        Span {
            start: start as u32,
            end: end as u32,
        }
    }

    /// The smallest span that covers both.
    pub fn to(self, other: Span) -> Span {
        Span {
            start: self.start.min(other.start),
            end: self.end.max(other.end),
        }
    }
}

/// The text of a game description and the name under which messages refer to it.
pub struct Source {
    name: String,
    text: String,
    /// Byte offset of the first character of each line. Lines end in LF, CRLF or CR.
    line_starts: Vec<u32>,
}

/// A 1-based line and column (in characters), as people and editors count them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// 1-based line.
    pub line: usize,
    /// 1-based column, counted in characters.
    pub column: usize,
}

impl Source {
    /// Largest accepted text, so that every byte offset fits a [`Span`].
    pub const MAX_BYTES: usize = 1 << 30;

    /// Wraps a text. `name` is what diagnostics print as the file.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Source {
        let text = text.into();
        let bytes = text.as_bytes();
        let ends_line = |&at: &usize| match bytes[at] {
            b'\n' => true,
            b'\r' => bytes.get(at + 1) != Some(&b'\n'),
            _ => false,
        };
        let ends = (0..bytes.len()).filter(ends_line);
        let line_starts = std::iter::once(0).chain(ends.map(|end| end as u32 + 1)).collect();
        Source {
            name: name.into(),
            text,
            line_starts,
        }
    }

    /// The name that diagnostics print.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text of a span; empty if the span is not inside the text.
    pub fn slice(&self, span: Span) -> &str {
        self.text
            .get(span.start as usize..span.end as usize)
            .unwrap_or("")
    }

    /// Line and column of a byte offset.
    pub fn position(&self, offset: u32) -> Position {
        let line = self.line_starts.partition_point(|&start| start <= offset);
        let start = self.line_starts[line - 1] as usize;
        let end = (offset as usize).min(self.text.len());
        let column = self.text.get(start..end).map_or(0, |s| s.chars().count()) + 1;
        Position { line, column }
    }
}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Source({:?}, {} bytes)", self.name, self.text.len())
    }
}
