//! The index of a collection on disk: its documents, so that others can be added later, and its shared chunks.
//!
//! A chunk that stands in one document only today is shared tomorrow, when a second document brings it. So an index that
//! is to grow must keep more than what is shared: it keeps the texts, compressed, and whoever adds documents passes over
//! them again, which is quick, because nothing has to be fetched, decoded or converted any more.
//!
//! ```text
//! file   = magic, version (4 bytes), frames
//! frame  = kind (1), length of the content (4), CRC-32 of kind, place and content (4), content
//! kinds  = S settings · D documents (zstd) · C shared chunks (variable bytes) · E end: documents, chunks
//! ```
//! Numbers are little-endian. A file without its end, or with a frame that is not what was written, is refused.

mod frame;
mod reader;
mod record;
mod writer;

use headwater::text::Reading;

pub use reader::{IndexReader, StoredDocument};
pub use writer::IndexWriter;

const MAGIC: &[u8; 16] = b"headwater graph\n";

/// Raised whenever a file written by one version could be misread by another.
const VERSION: u32 = 1;

/// What the chunks of an index are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IndexSettings {
    /// Tokens in a chunk.
    pub length: u32,
    /// What a token is.
    pub reading: Reading,
}
