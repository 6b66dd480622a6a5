//! Writes an index file: documents first, then their tokens, then their shared chunks.

use std::io::{self, Write};
use std::path::Path;

use headwater::Document;
use headwater::coderivative::ContentHash;
use headwater::coderivative::shared::Chunks;

use super::frame::{self, Kind};
use super::reader::IndexReader;
use super::{IndexSettings, MAGIC, VERSION, record};
use crate::spill::SpilledTokens;
use crate::write::{AtomicFile, WriteError};

/// Bytes of texts after which a frame is full.
const FRAME: usize = 1 << 20;

/// A good compromise for what is written once and read often.
const LEVEL: i32 = 3;

/// An index that is being written; its file appears with [`IndexWriter::finish`], or not at all.
pub struct IndexWriter {
    file: AtomicFile,
    names: Vec<u8>,
    texts: Vec<u8>,
    frames: u64,
    documents: u64,
    chunks: u64,
}

impl IndexWriter {
    /// Begins the index at `path`, with the documents of `old` where there is one. A file that is there stays until the end.
    pub fn create(path: &Path, settings: &IndexSettings, old: Option<&IndexReader>) -> Result<Self, WriteError> {
        let file = AtomicFile::create(path)?;
        let mut writer = IndexWriter { file, names: Vec::new(), texts: Vec::new(), frames: 0, documents: 0, chunks: 0 };
        writer.begin(settings, old).map_err(|error| WriteError::at(path, error))?;
        Ok(writer)
    }

    fn begin(&mut self, settings: &IndexSettings, old: Option<&IndexReader>) -> io::Result<()> {
        self.file.write_all(MAGIC)?;
        self.file.write_all(&VERSION.to_le_bytes())?;
        let mut content = settings.length.to_le_bytes().to_vec();
        content.extend_from_slice(settings.reading.name().as_bytes());
        content.push(b'\n');
        content.extend_from_slice(settings.selection.as_bytes());
        self.frame(Kind::Settings, &content)?;
        if let Some(old) = old {
            self.documents = old.copy(|kind, content| self.frame(kind, content))?;
        }
        Ok(())
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
        tokens.blocks().try_for_each(|block| self.frame(Kind::Tokens, &block?))
    }

    /// Adds shared chunks, after all tokens.
    pub fn push_chunks(&mut self, chunks: &Chunks) -> io::Result<()> {
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

    /// Names before texts, so that whoever reads a text knows whose it is.
    fn write_documents(&mut self) -> io::Result<()> {
        for kind in [Kind::Names, Kind::Texts] {
            let waiting = if kind == Kind::Names { &mut self.names } else { &mut self.texts };
            let waiting = std::mem::take(waiting);
            if !waiting.is_empty() {
                let mut content = (waiting.len() as u64).to_le_bytes().to_vec();
                content.extend(zstd::bulk::compress(&waiting, LEVEL)?);
                self.frame(kind, &content)?;
            }
        }
        Ok(())
    }

    fn frame(&mut self, kind: Kind, content: &[u8]) -> io::Result<()> {
        frame::write(&mut self.file, self.frames, kind, content)?;
        self.frames += 1;
        Ok(())
    }
}
