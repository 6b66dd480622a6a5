//! Writes an index file: documents first, then their shared chunks.

use std::io::{self, Write};
use std::path::Path;

use headwater::Document;
use headwater::coderivative::shared::Chunks;

use super::frame::{self, Kind};
use super::{IndexSettings, MAGIC, VERSION, record};
use crate::write::{AtomicFile, WriteError};

/// Bytes of documents after which a frame is full.
const FRAME: usize = 1 << 20;

/// A good compromise for what is written once and read often.
const LEVEL: i32 = 3;

/// An index that is being written; its file appears with [`IndexWriter::finish`], or not at all.
pub struct IndexWriter {
    file: AtomicFile,
    waiting: Vec<u8>,
    frames: u64,
    documents: u64,
    chunks: u64,
}

impl IndexWriter {
    /// Begins the index at `path`; a file that is there stays until the end.
    pub fn create(path: &Path, settings: &IndexSettings) -> Result<Self, WriteError> {
        let file = AtomicFile::create(path)?;
        let mut writer = IndexWriter { file, waiting: Vec::new(), frames: 0, documents: 0, chunks: 0 };
        let begin = |writer: &mut IndexWriter| {
            writer.file.write_all(MAGIC)?;
            writer.file.write_all(&VERSION.to_le_bytes())?;
            let mut content = settings.length.to_le_bytes().to_vec();
            content.extend_from_slice(settings.reading.name().as_bytes());
            writer.frame(Kind::Settings, &content)
        };
        begin(&mut writer).map_err(|error| WriteError::at(path, error))?;
        Ok(writer)
    }

    /// Adds a document and what it is ordered by.
    pub fn push(&mut self, order: i64, document: &Document) -> io::Result<()> {
        record::encode(&mut self.waiting, order, document);
        self.documents += 1;
        if self.waiting.len() >= FRAME { self.write_documents() } else { Ok(()) }
    }

    /// Adds shared chunks, after all documents.
    pub fn push_chunks(&mut self, chunks: &Chunks) -> io::Result<()> {
        self.write_documents()?;
        self.chunks += chunks.len();
        if chunks.is_empty() { Ok(()) } else { self.frame(Kind::Chunks, chunks.bytes()) }
    }

    /// Puts the file in its place.
    pub fn finish(mut self) -> io::Result<()> {
        self.write_documents()?;
        let mut totals = self.documents.to_le_bytes().to_vec();
        totals.extend_from_slice(&self.chunks.to_le_bytes());
        self.frame(Kind::End, &totals)?;
        Ok(self.file.finish()?)
    }

    fn write_documents(&mut self) -> io::Result<()> {
        if self.waiting.is_empty() {
            return Ok(());
        }
        let waiting = std::mem::take(&mut self.waiting);
        let mut content = (waiting.len() as u64).to_le_bytes().to_vec();
        content.extend(zstd::bulk::compress(&waiting, LEVEL)?);
        self.frame(Kind::Documents, &content)
    }

    fn frame(&mut self, kind: Kind, content: &[u8]) -> io::Result<()> {
        frame::write(&mut self.file, self.frames, kind, content)?;
        self.frames += 1;
        Ok(())
    }
}
