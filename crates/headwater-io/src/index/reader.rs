//! Reads an index file back.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use headwater::Document;
use headwater::coderivative::shared::Chunks;

use super::frame::{self, Kind};
use super::{IndexSettings, MAGIC, VERSION, record};
use crate::pipeline::{self, Feed, Stopped};

/// No document is larger than what is read, and no frame holds much more than one.
const LARGEST_UNPACKED: u64 = crate::MAX_DOCUMENT as u64 + (64 << 20);

/// An index file that was opened.
#[derive(Debug)]
pub struct IndexReader {
    path: PathBuf,
    settings: IndexSettings,
}

/// A document of an index, and what it is ordered by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredDocument {
    /// What documents are ordered by: microseconds, as far as they are known.
    pub order: i64,
    /// The document.
    pub document: Document,
}

impl IndexReader {
    /// Opens the index at `path`; `None` where there is no file.
    pub fn open(path: &Path) -> io::Result<Option<Self>> {
        let mut reader =
            IndexReader { path: path.to_owned(), settings: IndexSettings { length: 0, reading: Default::default() } };
        match reader.start() {
            Ok((_, settings)) => reader.settings = settings,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(reader.explain(&error)),
        }
        Ok(Some(reader))
    }

    /// What its chunks are.
    pub fn settings(&self) -> &IndexSettings {
        &self.settings
    }

    /// Runs `prepare` on each document, on several threads at once, and hands the results to `sink` in order.
    ///
    /// The file is read to its end, so that damage anywhere is told.
    pub fn documents<T: Send, E: From<io::Error>>(
        &self,
        threads: usize,
        prepare: impl Fn(StoredDocument) -> T + Sync,
        mut sink: impl FnMut(T) -> Result<(), E>,
    ) -> Result<(), E> {
        let (file, _) = self.start().map_err(|error| self.explain(&error))?;
        let work = |frame: io::Result<(Kind, Vec<u8>)>| match frame? {
            (Kind::Documents, content) => {
                unpack(&content).map(|all| Part::Documents(all.into_iter().map(&prepare).collect()))
            }
            (Kind::Chunks, content) => {
                Chunks::from_bytes(content).map(|chunks| Part::Chunks(chunks.len())).map_err(damage)
            }
            (Kind::End, content) => totals(&content).map(|(documents, chunks)| Part::End(documents, chunks)),
            (Kind::Settings, _) => Err(io::ErrorKind::InvalidData.into()),
        };
        let (mut documents, mut chunks, mut ended) = (0, 0, false);
        pipeline::run(threads, vec![file], frames, work, |part: io::Result<Part<T>>| {
            match part.map_err(|error| self.explain(&error))? {
                Part::Documents(some) => {
                    documents += some.len() as u64;
                    some.into_iter().try_for_each(&mut sink)?;
                }
                Part::Chunks(some) => chunks += some,
                Part::End(all_documents, all_chunks) => ended = (all_documents, all_chunks) == (documents, chunks),
            }
            Ok::<(), E>(())
        })?;
        if ended { Ok(()) } else { Err(self.explain(&io::ErrorKind::UnexpectedEof.into()).into()) }
    }

    /// Hands over the shared chunks, some at a time, in ascending order of fingerprints. Documents are numbered in order.
    pub fn chunks<E: From<io::Error>>(&self, mut sink: impl FnMut(Chunks) -> Result<(), E>) -> Result<(), E> {
        let explain = |error: io::Error| self.explain(&error);
        let (mut file, _) = self.start().map_err(explain)?;
        for place in 1.. {
            match frame::read(&mut file, place).map_err(explain)? {
                (Kind::Chunks, content) => sink(Chunks::from_bytes(content).map_err(damage).map_err(explain)?)?,
                (Kind::End, _) => break,
                _ => {}
            }
        }
        Ok(())
    }

    /// The file behind its settings.
    fn start(&self) -> io::Result<(BufReader<File>, IndexSettings)> {
        let mut file = BufReader::with_capacity(1 << 16, File::open(&self.path)?);
        let (mut magic, mut version) = ([0; MAGIC.len()], [0; 4]);
        let foreign = |_| io::Error::new(io::ErrorKind::InvalidInput, "it is no index of this program");
        file.read_exact(&mut magic).map_err(foreign)?;
        if &magic != MAGIC {
            return Err(foreign(io::ErrorKind::InvalidData.into()));
        }
        file.read_exact(&mut version)?;
        let version = u32::from_le_bytes(version);
        if version != VERSION {
            let what = format!("it has version {version}, and this program reads version {VERSION}; build it anew");
            return Err(io::Error::new(io::ErrorKind::InvalidInput, what));
        }
        match frame::read(&mut file, 0)? {
            (Kind::Settings, content) => {
                let (length, reading) = content.split_first_chunk().ok_or(io::ErrorKind::InvalidData)?;
                let reading = std::str::from_utf8(reading).ok().and_then(|name| name.parse().ok());
                let reading = reading.ok_or(io::ErrorKind::InvalidData)?;
                Ok((file, IndexSettings { length: u32::from_le_bytes(*length), reading }))
            }
            _ => Err(io::ErrorKind::InvalidData.into()),
        }
    }

    fn explain(&self, error: &io::Error) -> io::Error {
        let what = match error.kind() {
            io::ErrorKind::UnexpectedEof => "it is cut short; build it anew".into(),
            io::ErrorKind::InvalidData => "it is damaged; build it anew".into(),
            _ => error.to_string(),
        };
        io::Error::new(error.kind(), format!("cannot use the index {}: {what}", self.path.display()))
    }
}

enum Part<T> {
    Documents(Vec<T>),
    Chunks(u64),
    End(u64, u64),
}

fn frames(mut file: BufReader<File>, feed: &dyn Feed<io::Result<(Kind, Vec<u8>)>>) -> Result<(), Stopped> {
    for place in 1.. {
        let frame = frame::read(&mut file, place);
        let (last, weight) = match &frame {
            Ok((kind, content)) => (*kind == Kind::End, content.len()),
            Err(_) => (true, 0),
        };
        feed.send(frame, weight)?;
        if last {
            break;
        }
    }
    Ok(())
}

fn unpack(content: &[u8]) -> io::Result<Vec<StoredDocument>> {
    let (length, packed) = content.split_first_chunk().ok_or(io::ErrorKind::InvalidData)?;
    let length = u64::from_le_bytes(*length);
    if length > LARGEST_UNPACKED {
        return Err(io::ErrorKind::InvalidData.into());
    }
    let mut bytes = Vec::new();
    zstd::Decoder::with_buffer(packed)?.take(length).read_to_end(&mut bytes).map_err(damage)?;
    let mut rest = bytes.as_slice();
    let mut documents = Vec::new();
    while !rest.is_empty() {
        let (order, document) = record::decode(&mut rest).ok_or(io::ErrorKind::InvalidData)?;
        documents.push(StoredDocument { order, document });
    }
    Ok(documents)
}

fn totals(content: &[u8]) -> io::Result<(u64, u64)> {
    match content.as_chunks() {
        ([documents, chunks], []) => Ok((u64::from_le_bytes(*documents), u64::from_le_bytes(*chunks))),
        _ => Err(io::ErrorKind::InvalidData.into()),
    }
}

fn damage(error: impl std::error::Error + Send + Sync + 'static) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, error)
}
