//! The one currency of every stage: a document, and its place in time.

use std::cmp::Ordering;
use std::fmt;

/// One text with a name and, where it is known, the time at which it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    /// The name under which answers refer to this document.
    pub id: String,
    /// When it was written; documents without one keep the place at which they arrived.
    pub time: Option<Time>,
    /// Where it can be found, for people who want to look at an origin.
    pub url: Option<String>,
    /// The text itself; every offset in every answer counts its bytes.
    pub text: String,
}

/// A moment as a document states it: comparable, and printed the way it was written.
///
/// Comparison is by [`Time::micros`] alone: two spellings of the same moment are equal.
#[derive(Clone, Debug)]
pub struct Time {
    micros: i64,
    written: Written,
}

#[derive(Clone, Debug)]
enum Written {
    Number(i64),
    Text(Box<str>),
}

impl Time {
    /// A moment given as a number: seconds since 1970, or just a rank; either way larger is later.
    pub fn from_number(seconds: i64) -> Self {
        Time { micros: seconds.saturating_mul(1_000_000), written: Written::Number(seconds) }
    }

    /// A moment in microseconds since 1970, printed as `written`.
    pub fn from_micros(micros: i64, written: &str) -> Self {
        Time { micros, written: Written::Text(written.into()) }
    }

    /// Microseconds since the beginning of 1970: what documents are ordered by.
    pub fn micros(&self) -> i64 {
        self.micros
    }

    /// The number as which this moment was written, if it was one.
    pub fn as_number(&self) -> Option<i64> {
        match self.written {
            Written::Number(number) => Some(number),
            Written::Text(_) => None,
        }
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.written {
            Written::Number(number) => number.fmt(f),
            Written::Text(text) => f.write_str(text),
        }
    }
}

impl PartialEq for Time {
    fn eq(&self, other: &Self) -> bool {
        self.micros == other.micros
    }
}

impl Eq for Time {}

impl PartialOrd for Time {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Time {
    fn cmp(&self, other: &Self) -> Ordering {
        self.micros.cmp(&other.micros)
    }
}
