//! The index of signatures on disk: what near-duplicates are told by, so that documents that come later are compared with those
//! that came before without reading these again.
//!
//! ```text
//! settings = what of a text is compared, one line each, and behind them the words that spots stand behind
//! frames   = F feature sets, each different one once: length (variable bytes), features
//!          · N documents (zstd): names, times, tokens, the number of their set · E end: documents, sets
//! ```
//! The file is framed and refused as that of shared chunks is; a set always stands before the documents that have it.
//! Sketches are not kept: they follow from the features, and so one index serves every method that compares the same.

mod reader;
mod record;
mod settings;
mod writer;

use super::file::Species;

pub use reader::{SignatureReader, StoredSignature};
pub use settings::SignatureSettings;
pub use writer::SignatureWriter;

/// Files with signatures.
pub(super) const SIGNATURES: Species = Species { magic: b"headwater alike\n", version: 1, command: "cluster" };

/// A document of an index of signatures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignedDocument {
    /// Its name.
    pub id: String,
    /// Its time in microseconds, if it has one.
    pub time: Option<i64>,
    /// How many tokens it has.
    pub tokens: u32,
    /// The number of its feature set, counted from 0 as sets were first met; nothing where it has no features.
    pub set: Option<u32>,
}

#[cfg(test)]
mod tests;
