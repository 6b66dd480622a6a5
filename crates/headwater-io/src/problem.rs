//! What could not be read, and where it stands.

use std::fmt;
use std::sync::Arc;

/// A record that was skipped: where it stands and why it is no document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Where the record stands.
    pub place: Place,
    /// Why it could not be read: lower case, no full stop.
    pub what: String,
}

/// A place in an input.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// The input's name as the user gave it; `-` for standard input.
    pub input: Arc<str>,
    /// Where in that input.
    pub at: At,
}

/// A position in an input, in the unit that a person would look for in that format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum At {
    /// The input as a whole: formats with one document a file, and files that cannot be read at all.
    Whole,
    /// A line, counted from one.
    Line(u64),
    /// A record, counted from one: JSON arrays and Parquet, where lines mean nothing.
    Record(u64),
    /// A byte of the decompressed input, counted from zero.
    Byte(u64),
}

impl Place {
    /// The name of a document that has none of its own: `FILE:LINE`, with the record number or the byte where there are no lines.
    pub fn id(&self) -> String {
        match self.at {
            At::Whole => self.input.to_string(),
            At::Line(number) | At::Record(number) | At::Byte(number) => format!("{}:{number}", self.input),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.at {
            At::Whole => f.write_str(&self.input),
            At::Line(number) => write!(f, "{}:{number}", self.input),
            At::Record(number) => write!(f, "{}: record {number}", self.input),
            At::Byte(number) => write!(f, "{}: byte {number}", self.input),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.what)
    }
}
