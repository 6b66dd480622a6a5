//! Writes an index of signatures.

use std::io;
use std::path::Path;

use super::super::file::FrameWriter;
use super::super::frame::Kind;
use super::{SIGNATURES, SignatureReader, SignatureSettings, SignedDocument, record};
use crate::write::WriteError;

/// Bytes of sets, or of documents, after which a frame is full.
const FRAME: usize = 1 << 20;

/// An index of signatures that is being written; its file appears with [`SignatureWriter::finish`], or not at all.
pub struct SignatureWriter {
    file: FrameWriter,
    sets: Vec<u8>,
    documents: Vec<u8>,
    totals: [u64; 2],
}

impl SignatureWriter {
    /// Begins the index at `path`, with all that `old` has where there is one. A file that is there stays until the end.
    pub fn create(
        path: &Path,
        settings: &SignatureSettings,
        old: Option<&SignatureReader>,
    ) -> Result<Self, WriteError> {
        let mut file = FrameWriter::create(path, &SIGNATURES, &settings.encode())?;
        let copied = old.map(|old| old.copy(|kind, content| file.write(kind, content))).transpose();
        let totals = copied.map_err(|error| WriteError::at(path, error))?.unwrap_or_default();
        Ok(SignatureWriter { file, sets: Vec::new(), documents: Vec::new(), totals })
    }

    /// Adds a document, and its features where its set is the next new one.
    pub fn push(&mut self, document: &SignedDocument, features: Option<&[u64]>) -> io::Result<()> {
        if let Some(features) = features {
            record::encode_set(&mut self.sets, features);
            self.totals[1] += 1;
        }
        record::encode(&mut self.documents, document);
        self.totals[0] += 1;
        if self.sets.len().max(self.documents.len()) >= FRAME { self.write() } else { Ok(()) }
    }

    /// Puts the file in its place.
    pub fn finish(mut self) -> io::Result<()> {
        self.write()?;
        self.file.finish(&self.totals)
    }

    /// Sets before the documents that have them.
    fn write(&mut self) -> io::Result<()> {
        if !self.sets.is_empty() {
            self.file.write(Kind::Sets, &self.sets)?;
            self.sets.clear();
        }
        self.file.write_packed(Kind::Names, &self.documents)?;
        self.documents.clear();
        Ok(())
    }
}
