//! What was read, in numbers.

use std::collections::BTreeMap;

use headwater::Time;

use crate::compression::Compression;
use crate::format::Format;

/// What a run has read.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// Documents that were delivered.
    pub documents: u64,
    /// Records that were skipped, each with its [`Problem`](crate::Problem).
    pub problems: u64,
    /// Records that are no documents by their nature and were passed over without a problem, by kind: images in a web archive, say.
    pub passed_over: BTreeMap<String, u64>,
    /// Bytes read, as they lie on disk.
    pub bytes: u64,
    /// Bytes read, after decompression.
    pub bytes_decompressed: u64,
    /// Documents by format.
    pub formats: BTreeMap<Format, u64>,
    /// Inputs by compression.
    pub compressions: BTreeMap<Compression, u64>,
    /// Documents by the encoding of their file, where it had to be told: plain text, HTML, web archives.
    pub encodings: BTreeMap<&'static str, u64>,
    /// Documents of which some bytes could not be decoded and stand as U+FFFD.
    pub lossy: u64,
    /// Names of the fields that records have, with how many have each; at most a few hundred.
    pub fields: Vec<(String, u64)>,
    /// Documents without a time.
    pub without_time: u64,
    /// Times that are whole numbers so small that they are hardly meant as seconds since 1970: ranks, years or days written as one.
    pub ranks: u64,
    /// Times that are years or dates.
    pub dates: u64,
    /// The earliest and the latest time.
    pub time_range: Option<(Time, Time)>,
    /// Documents that came after one with a later time: always zero where order was asked for and could be had.
    pub late: u64,
    /// Whether the documents had to be sorted by time.
    pub sorted: bool,
}

impl Summary {
    /// Whether times are of two kinds that have no common order.
    pub fn has_mixed_times(&self) -> bool {
        self.ranks > 0 && self.dates > 0
    }
}
