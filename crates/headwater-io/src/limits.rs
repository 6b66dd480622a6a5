//! How much one record may hold, and what is said of one that holds more.

use std::io;

/// Limits that keep a hostile input from exhausting the machine.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Bytes of one document's text.
    pub(crate) text: usize,
}

/// The most that a document may be allowed to hold: offsets into it are counted in 32 bits.
pub const MAX_DOCUMENT: usize = u32::MAX as usize - 1;

impl Limits {
    pub(crate) fn new(max_document: usize) -> Limits {
        Limits { text: max_document.min(MAX_DOCUMENT) }
    }

    /// Bytes of one record as it stands in its file: escapes and markup take room beside the text, and so do other fields.
    pub(crate) fn record(&self) -> usize {
        self.text.saturating_mul(4).saturating_add(1 << 20)
    }

    /// What to say of a record above the limit.
    pub(crate) fn refusal(&self, what: &str) -> String {
        let (record, text) = (self.record(), self.text);
        format!(
            "{what} is longer than {record} bytes, too long for a document of at most {text} bytes (--max-document)"
        )
    }

    /// What to say of a stream that cannot be read beyond `offset`.
    pub(crate) fn damage(&self, error: &io::Error, offset: u64) -> String {
        let what = match error.kind() {
            io::ErrorKind::UnexpectedEof => "compressed data is cut short".into(),
            _ => format!("cannot be read further: {error}"),
        };
        format!("{what} after {offset} bytes of content")
    }
}
