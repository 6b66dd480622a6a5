//! Writes an index file: documents first, then their tokens, then their shared chunks.

use std::io;
use std::path::Path;

use headwater::Document;
use headwater::coderivative::ContentHash;
use headwater::coderivative::shared::Chunks;

use super::file::FrameWriter;
use super::frame::Kind;
use super::reader::IndexReader;
use super::{GRAPH, IndexSettings, record};
use crate::spill::SpilledTokens;
use crate::write::WriteError;

/// Bytes of texts after which a frame is full.
const FRAME: usize = 1 << 20;

/// An index that is being written; its file appears with [`IndexWriter::finish`], or not at all.
pub struct IndexWriter {
    file: FrameWriter,
    names: Vec<u8>,
    texts: Vec<u8>,
    documents: u64,
    chunks: u64,
}

impl IndexWriter {
    /// Begins the index at `path`, with the documents of `old` where there is one. A file that is there stays until the end.
    pub fn create(path: &Path, settings: &IndexSettings, old: Option<&IndexReader>) -> Result<Self, WriteError> {
        let mut content = settings.length.to_le_bytes().to_vec();
        content.extend_from_slice(settings.reading.name().as_bytes());
        content.push(b'\n');
        content.extend_from_slice(settings.selection.as_bytes());
        let mut file = FrameWriter::create(path, &GRAPH, &content)?;
        let copied = old.map(|old| old.copy(|kind, content| file.write(kind, content))).transpose();
        let documents = copied.map_err(|error| WriteError::at(path, error))?.unwrap_or(0);
        Ok(IndexWriter { file, names: Vec::new(), texts: Vec::new(), documents, chunks: 0 })
    }

    /// Adds a document with its text: what it is ordered by, the hash of its text and how many tokens it has.
    pub fn push(&mut self, order: i64, hash: ContentHash, tokens: u32, document: &Document) -> io::Result<()> {
        record::encode(&mut self.names, order, hash, tokens, document);
        record::part(&mut self.texts, document.text.as_bytes(), 0);
        self.documents += 1;
        if self.texts.len() >= FRAME { self.write_documents() } else { Ok(()) }
    }

    /// Adds the tokens of the documents that are no copies, after all documents.
    pub fn push_tokens(&mut self, tokens: &SpilledTokens) -> io::Result<()> {
        self.write_documents()?;
        tokens.blocks().try_for_each(|block| self.file.write(Kind::Tokens, &block?))
    }

    /// Adds shared chunks, after all tokens.
    pub fn push_chunks(&mut self, chunks: &Chunks) -> io::Result<()> {
        self.chunks += chunks.len();
        if chunks.is_empty() { Ok(()) } else { self.file.write(Kind::Chunks, chunks.bytes()) }
    }

    /// Puts the file in its place.
    pub fn finish(mut self) -> io::Result<()> {
        self.write_documents()?;
        self.file.finish(&[self.documents, self.chunks])
    }

    /// Names before texts, so that whoever reads a text knows whose it is.
    fn write_documents(&mut self) -> io::Result<()> {
        self.file.write_packed(Kind::Names, &std::mem::take(&mut self.names))?;
        self.file.write_packed(Kind::Texts, &std::mem::take(&mut self.texts))
    }
}
