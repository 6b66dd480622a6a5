//! Reads an index of signatures back.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::super::file::{self, Frames, records, totals};
use super::super::frame::{self, Kind};
use super::super::reader::{Frame, frames};
use super::{SIGNATURES, SignatureSettings, SignedDocument, record};
use crate::pipeline;

/// An index of signatures that was opened.
#[derive(Debug)]
pub struct SignatureReader {
    path: PathBuf,
    file: Arc<File>,
    settings: SignatureSettings,
}

/// What an index of signatures holds.
#[derive(Debug)]
pub enum StoredSignature<T> {
    /// The next feature set.
    Set(T),
    /// The next document. Its set has come before.
    Document(SignedDocument),
}

impl SignatureReader {
    /// Opens the index at `path`; `None` where there is no file.
    pub fn open(path: &Path) -> io::Result<Option<Self>> {
        let open = || -> io::Result<Self> {
            let file = Arc::new(File::open(path)?);
            let (_, content) = Frames::of(&file, &SIGNATURES)?;
            let settings = SignatureSettings::decode(&content).ok_or(io::ErrorKind::InvalidData)?;
            Ok(SignatureReader { path: path.to_owned(), file, settings })
        };
        match open() {
            Ok(reader) => Ok(Some(reader)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(file::explain(path, &error)),
        }
    }

    /// What its signatures are.
    pub fn settings(&self) -> &SignatureSettings {
        &self.settings
    }

    /// Hands every set, after running `prepare` on it on several threads at once, and every document to `sink`, in order.
    ///
    /// The file is read to its end, so that damage anywhere is told.
    pub fn read<T: Send, E: From<io::Error>>(
        &self,
        threads: usize,
        prepare: impl Fn(Vec<u64>) -> T + Sync,
        mut sink: impl FnMut(StoredSignature<T>) -> Result<(), E>,
    ) -> Result<(), E> {
        let explain = |error: io::Error| file::explain(&self.path, &error);
        let damaged = || explain(io::ErrorKind::InvalidData.into());
        let (file, _) = Frames::of(&self.file, &SIGNATURES).map_err(explain)?;
        let work = |frame: io::Result<Frame>| {
            let Frame { kind, content, .. } = frame?;
            match kind {
                Kind::Sets => {
                    let sets = record::decode_sets(&content).ok_or(io::ErrorKind::InvalidData)?;
                    Ok(Part::Sets(sets.into_iter().map(&prepare).collect()))
                }
                Kind::Names => records(&content, record::decode).map(Part::Documents),
                Kind::End => totals(&content).map(Part::End),
                _ => Err(io::ErrorKind::InvalidData.into()),
            }
        };
        let (mut documents, mut sets, mut ended) = (0, 0, false);
        pipeline::run(threads, vec![file], frames, work, |part: io::Result<Part<T>>| {
            match part.map_err(explain)? {
                Part::Sets(some) => {
                    sets += some.len() as u64;
                    some.into_iter().map(StoredSignature::Set).try_for_each(&mut sink)?;
                }
                Part::Documents(some) => {
                    documents += some.len() as u64;
                    if some.iter().any(|document| document.set.is_some_and(|set| u64::from(set) >= sets)) {
                        return Err(damaged().into());
                    }
                    some.into_iter().map(StoredSignature::Document).try_for_each(&mut sink)?;
                }
                Part::End(all) => ended = all == [documents, sets],
            }
            Ok::<(), E>(())
        })?;
        if ended { Ok(()) } else { Err(explain(io::ErrorKind::UnexpectedEof.into()).into()) }
    }

    /// Copies everything frame by frame; gives back how many documents and sets the index has.
    pub(super) fn copy(&self, mut write: impl FnMut(Kind, &[u8]) -> io::Result<()>) -> io::Result<[u64; 2]> {
        let explain = |error: io::Error| file::explain(&self.path, &error);
        let (mut file, _) = Frames::of(&self.file, &SIGNATURES).map_err(explain)?;
        for place in 1.. {
            match frame::read(&mut file, place).map_err(explain)? {
                (Kind::End, content) => return totals(&content).map_err(explain),
                (kind, content) => write(kind, &content)?,
            }
        }
        Ok([0, 0])
    }
}

enum Part<T> {
    Sets(Vec<T>),
    Documents(Vec<SignedDocument>),
    End([u64; 2]),
}
