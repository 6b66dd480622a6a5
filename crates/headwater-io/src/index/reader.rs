//! Reads an index file back.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use headwater::coderivative::postings::Posting;
use headwater::coderivative::shared::Chunks;

use super::file::{self, Frames, damage, records, totals};
use super::frame::{self, Kind};
use super::{GRAPH, IndexSettings, StoredDocument, record};
use crate::pipeline::{self, Feed, Stopped};
use crate::spill::{Block, StoredTokens};

/// An index file that was opened.
#[derive(Debug)]
pub struct IndexReader {
    path: PathBuf,
    file: Arc<File>,
    settings: IndexSettings,
}

/// What an index has of its documents.
#[derive(Debug)]
pub enum Stored<T> {
    /// The next document, without its text.
    Document(StoredDocument),
    /// The next text. Its document has come before.
    Text(T),
}

impl IndexReader {
    /// Opens the index at `path`; `None` where there is no file.
    pub fn open(path: &Path) -> io::Result<Option<Self>> {
        let open = || -> io::Result<Self> {
            let file = Arc::new(File::open(path)?);
            let (_, settings) = start(&file)?;
            Ok(IndexReader { path: path.to_owned(), file, settings })
        };
        match open() {
            Ok(reader) => Ok(Some(reader)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(file::explain(path, &error)),
        }
    }

    /// What its chunks are.
    pub fn settings(&self) -> &IndexSettings {
        &self.settings
    }

    /// Hands every document to `sink` in order, and with `prepare` also every text, after running it on several threads at
    /// once. Gives back where the tokens are.
    ///
    /// The file is read to its end, so that damage anywhere is told.
    pub fn documents<T: Send, E: From<io::Error>>(
        &self,
        threads: usize,
        prepare: Option<&(dyn Fn(String) -> T + Sync)>,
        mut sink: impl FnMut(Stored<T>) -> Result<(), E>,
    ) -> Result<StoredTokens, E> {
        let (file, _) = self.start().map_err(|error| self.explain(&error))?;
        let home = self.file.try_clone().map_err(|error| self.explain(&error))?;
        let work = |frame: io::Result<Frame>| {
            let Frame { start, kind, content } = frame?;
            match kind {
                Kind::Names => records(&content, record::decode).map(Part::Documents),
                Kind::Texts => match prepare {
                    None => Ok(Part::Passed),
                    Some(prepare) => {
                        let texts = records(&content, |bytes| record::text(bytes, 0)?)?;
                        Ok(Part::Texts(texts.into_iter().map(prepare).collect()))
                    }
                },
                Kind::Tokens => Block::read(start, &content).map(Part::Tokens).ok_or(io::ErrorKind::InvalidData.into()),
                Kind::Chunks => Chunks::from_bytes(content).map(|chunks| Part::Chunks(chunks.len())).map_err(damage),
                Kind::End => totals(&content).map(|[documents, chunks]| Part::End(documents, chunks)),
                Kind::Settings | Kind::Sets => Err(io::ErrorKind::InvalidData.into()),
            }
        };
        let mut tokens = StoredTokens::new(home, &self.path);
        let (mut documents, mut texts, mut chunks, mut ended) = (0, 0, 0, false);
        let damaged = || self.explain(&io::ErrorKind::InvalidData.into());
        pipeline::run(threads, vec![file], frames, work, |part: io::Result<Part<T>>| {
            match part.map_err(|error| self.explain(&error))? {
                Part::Documents(some) => {
                    documents += some.len() as u64;
                    some.into_iter().map(Stored::Document).try_for_each(&mut sink)?;
                }
                Part::Texts(some) => {
                    texts += some.len() as u64;
                    if texts > documents {
                        return Err(damaged().into());
                    }
                    some.into_iter().map(Stored::Text).try_for_each(&mut sink)?;
                }
                Part::Passed => {}
                Part::Tokens(block) => tokens.push(block).ok_or_else(damaged)?,
                Part::Chunks(some) => chunks += some,
                Part::End(all_documents, all_chunks) => ended = (all_documents, all_chunks) == (documents, chunks),
            }
            Ok::<(), E>(())
        })?;
        if !ended {
            return Err(self.explain(&io::ErrorKind::UnexpectedEof.into()).into());
        }
        if (prepare.is_some() && texts != documents) || u64::from(tokens.documents()) > documents {
            return Err(damaged().into());
        }
        Ok(tokens)
    }

    /// The shared chunks, in ascending order of fingerprints, of documents that are no copies; `lengths` are their tokens.
    pub fn chunks<'a>(&'a self, lengths: &'a [u32]) -> io::Result<StoredChunks<'a>> {
        let (file, _) = self.start().map_err(|error| self.explain(&error))?;
        Ok(StoredChunks { reader: self, lengths, file, place: 1 })
    }

    /// Copies all documents and their tokens, frame by frame; gives back how many documents the index has.
    pub(super) fn copy(&self, mut write: impl FnMut(Kind, &[u8]) -> io::Result<()>) -> io::Result<u64> {
        let explain = |error: io::Error| self.explain(&error);
        let (mut file, _) = self.start().map_err(explain)?;
        for place in 1.. {
            match frame::read(&mut file, place).map_err(explain)? {
                (Kind::End, content) => return totals(&content).map(|[documents, _]| documents).map_err(explain),
                (Kind::Chunks, _) => {}
                (kind, content) => write(kind, &content)?,
            }
        }
        Ok(0)
    }

    /// The file behind its settings.
    fn start(&self) -> io::Result<(Frames, IndexSettings)> {
        start(&self.file)
    }

    fn explain(&self, error: &io::Error) -> io::Error {
        file::explain(&self.path, error)
    }
}

/// The shared chunks of an index, some at a time.
#[derive(Debug)]
pub struct StoredChunks<'a> {
    reader: &'a IndexReader,
    lengths: &'a [u32],
    file: Frames,
    place: u64,
}

impl StoredChunks<'_> {
    /// The next of them.
    pub fn read_next(&mut self) -> io::Result<Option<Chunks>> {
        let explain = |error: io::Error| self.reader.explain(&error);
        loop {
            let (kind, content) = frame::read(&mut self.file, self.place).map_err(explain)?;
            self.place += 1;
            match kind {
                Kind::Chunks => {
                    let chunks = Chunks::from_bytes(content).map_err(damage).map_err(explain)?;
                    return if self.is_sound(&chunks) {
                        Ok(Some(chunks))
                    } else {
                        Err(explain(io::ErrorKind::InvalidData.into()))
                    };
                }
                Kind::End => return Ok(None),
                _ => {}
            }
        }
    }

    /// Whether every chunk stands where there is a document that is long enough.
    fn is_sound(&self, chunks: &Chunks) -> bool {
        let length = u64::from(self.reader.settings.length);
        chunks.iter().flatten().all(|chunk| {
            let stands = |posting: Posting| {
                let tokens = self.lengths.get(posting.document as usize);
                tokens.is_some_and(|&tokens| u64::from(posting.position) + length <= u64::from(tokens))
            };
            chunk.documents > 1
                && chunk.postings().map(stands).filter(|&stands| stands).count() == chunk.documents as usize
        })
    }
}

/// One frame of a file.
pub(super) struct Frame {
    /// Where the content lies.
    start: u64,
    pub(super) kind: Kind,
    pub(super) content: Vec<u8>,
}

enum Part<T> {
    Documents(Vec<StoredDocument>),
    Texts(Vec<T>),
    Passed,
    Tokens(Block),
    Chunks(u64),
    End(u64, u64),
}

/// Hands over frame by frame, up to the end or to the first that is damaged.
pub(super) fn frames(mut file: Frames, feed: &dyn Feed<io::Result<Frame>>) -> Result<(), Stopped> {
    for place in 1.. {
        let start = file.start + frame::HEAD as u64;
        let frame = frame::read(&mut file, place);
        let (last, weight) = match &frame {
            Ok((kind, content)) => (*kind == Kind::End, content.len()),
            Err(_) => (true, 0),
        };
        feed.send(frame.map(|(kind, content)| Frame { start, kind, content }), weight)?;
        if last {
            break;
        }
    }
    Ok(())
}

fn start(file: &Arc<File>) -> io::Result<(Frames, IndexSettings)> {
    let (frames, content) = Frames::of(file, &GRAPH)?;
    Ok((frames, settings(&content).ok_or(io::ErrorKind::InvalidData)?))
}

fn settings(content: &[u8]) -> Option<IndexSettings> {
    let (length, rest) = content.split_first_chunk()?;
    let (reading, selection) = std::str::from_utf8(rest).ok()?.split_once('\n')?;
    let length = u32::from_le_bytes(*length);
    Some(IndexSettings { length, reading: reading.parse().ok()?, selection: selection.to_owned() })
}
