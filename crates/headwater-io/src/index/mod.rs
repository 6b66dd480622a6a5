//! The index of a collection on disk: its documents, so that others can be added later, and its shared chunks.
//!
//! A chunk that stands in one document only today is shared tomorrow, when a second document brings it. So an index that
//! is to grow must keep more than what is shared. It keeps the token hashes of every document: whoever adds documents asks
//! them whether they have what is new, and neither parses nor counts nor sorts them again
//! ([`Extract::grow`](headwater::coderivative::shared::Extract::grow)). It keeps the texts too, for those who want to see
//! what is shared; nobody else reads them.
//!
//! ```text
//! file   = magic, version (4 bytes), frames
//! frame  = kind (1), length of the content (4), CRC-32 of kind, place and content (4), content
//! kinds  = S settings
//!        · N names, times, content hashes of documents (zstd) · X their texts (zstd), behind their names
//!        · T token hashes of those that are no copies of earlier ones
//!        · C shared chunks (variable bytes), behind all of the above · E end: documents, texts, chunks
//! ```
//! Numbers are little-endian. A file without its end, or with a frame that is not what was written, is refused. An index
//! that grows is written anew under another name, what was there copied frame by frame, and then takes its place.

mod file;
mod frame;
mod reader;
mod record;
pub(crate) mod signatures;
mod writer;

use headwater::Document;
use headwater::coderivative::ContentHash;
use headwater::text::Reading;

use file::Species;
pub(crate) use file::explain;
pub use reader::{IndexReader, Stored, StoredChunks};
pub use writer::IndexWriter;

/// Files with shared chunks.
const GRAPH: Species = Species { magic: b"headwater graph\n", version: 2, command: "graph" };

/// What the chunks of an index are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexSettings {
    /// Tokens in a chunk.
    pub length: u32,
    /// What a token is.
    pub reading: Reading,
    /// Which chunks are kept; empty for all. Only whoever asks for the same can use what is stored as shared.
    pub selection: String,
}

/// A document of an index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredDocument {
    /// What documents are ordered by: microseconds, as far as they are known.
    pub order: i64,
    /// The hash of its text.
    pub hash: ContentHash,
    /// How many tokens it has.
    pub tokens: u32,
    /// The document, without its text.
    pub document: Document,
}

#[cfg(test)]
mod tests;
