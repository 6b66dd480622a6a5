//! The beginning and the frames of an index file, whatever it is an index of.

use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::Path;
use std::sync::Arc;

use super::frame::{self, Kind};
use crate::positioned::Positioned;
use crate::write::{AtomicFile, WriteError};

/// No document is larger than what is read, and no frame holds much more than one.
const LARGEST_UNPACKED: u64 = crate::MAX_DOCUMENT as u64 + (64 << 20);

/// A good compromise for what is written once and read often.
const LEVEL: i32 = 3;

/// What a file is an index of.
#[derive(Debug)]
pub(super) struct Species {
    pub(super) magic: &'static [u8; 16],
    /// Raised whenever a file written by one version could be misread by another.
    pub(super) version: u32,
    /// The command that makes such files.
    pub(super) command: &'static str,
}

/// Every kind of index, so that one can be told from another.
const ALL: [&Species; 2] = [&super::GRAPH, &super::signatures::SIGNATURES];

/// The frames of a file that is read, and where the next one begins.
#[derive(Debug)]
pub(super) struct Frames {
    file: BufReader<Positioned<Arc<File>>>,
    pub(super) start: u64,
}

/// A file that is written; it appears with [`FrameWriter::finish`], or not at all.
pub(super) struct FrameWriter {
    file: AtomicFile,
    frames: u64,
}

impl Frames {
    /// Begins to read a file, whatever of its name has taken its place since it was opened; gives back what its settings frame holds and all behind it.
    pub(super) fn of(file: &Arc<File>, species: &Species) -> io::Result<(Frames, Vec<u8>)> {
        let mut file = BufReader::with_capacity(1 << 16, Positioned { file: Arc::clone(file), at: 0 });
        let (mut magic, mut version) = ([0; 16], [0; 4]);
        let refuse = |what: String| Err(io::Error::new(io::ErrorKind::InvalidInput, what));
        if file.read_exact(&mut magic).is_err() || &magic != species.magic {
            return refuse(match ALL.iter().find(|other| *other.magic == magic) {
                Some(other) => format!("it is an index of headwater {}, not of {}", other.command, species.command),
                None => "it is no index of this program".into(),
            });
        }
        file.read_exact(&mut version)?;
        let (version, known) = (u32::from_le_bytes(version), species.version);
        if version != known {
            return refuse(format!("it has version {version}, and this program reads version {known}; build it anew"));
        }
        match frame::read(&mut file, 0)? {
            (Kind::Settings, content) => {
                let start = (magic.len() + size_of_val(&version) + frame::HEAD + content.len()) as u64;
                Ok((Frames { file, start }, content))
            }
            _ => Err(io::ErrorKind::InvalidData.into()),
        }
    }
}

impl Read for Frames {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(out)?;
        self.start += read as u64;
        Ok(read)
    }
}

impl FrameWriter {
    /// Begins a file with its settings. One that is there stays until the end.
    pub(super) fn create(path: &Path, species: &Species, settings: &[u8]) -> Result<Self, WriteError> {
        let mut writer = FrameWriter { file: AtomicFile::create(path)?, frames: 0 };
        let mut begin = || {
            writer.file.write_all(species.magic)?;
            writer.file.write_all(&species.version.to_le_bytes())?;
            writer.write(Kind::Settings, settings)
        };
        begin().map_err(|error| WriteError::at(path, error))?;
        Ok(writer)
    }

    /// Writes the next frame.
    pub(super) fn write(&mut self, kind: Kind, content: &[u8]) -> io::Result<()> {
        frame::write(&mut self.file, self.frames, kind, content)?;
        self.frames += 1;
        Ok(())
    }

    /// Writes the next frame, compressed; what there is nothing for is no frame.
    pub(super) fn write_packed(&mut self, kind: Kind, content: &[u8]) -> io::Result<()> {
        if content.is_empty() {
            return Ok(());
        }
        let mut packed = (content.len() as u64).to_le_bytes().to_vec();
        packed.extend(zstd::bulk::compress(content, LEVEL)?);
        self.write(kind, &packed)
    }

    /// Puts the file in its place, with this at its end.
    pub(super) fn finish(mut self, totals: &[u64]) -> io::Result<()> {
        let totals: Vec<u8> = totals.iter().flat_map(|total| total.to_le_bytes()).collect();
        self.write(Kind::End, &totals)?;
        Ok(self.file.finish()?)
    }
}

/// Everything in a compressed frame.
pub(super) fn records<R>(content: &[u8], decode: impl Fn(&mut &[u8]) -> Option<R>) -> io::Result<Vec<R>> {
    let (length, packed) = content.split_first_chunk().ok_or(io::ErrorKind::InvalidData)?;
    let length = u64::from_le_bytes(*length);
    if length > LARGEST_UNPACKED {
        return Err(io::ErrorKind::InvalidData.into());
    }
    let mut bytes = Vec::new();
    zstd::Decoder::with_buffer(packed)?.take(length).read_to_end(&mut bytes).map_err(damage)?;
    let mut rest = bytes.as_slice();
    let mut all = Vec::new();
    while !rest.is_empty() {
        all.push(decode(&mut rest).ok_or(io::ErrorKind::InvalidData)?);
    }
    Ok(all)
}

/// What [`FrameWriter::finish`] wrote.
pub(super) fn totals<const N: usize>(content: &[u8]) -> io::Result<[u64; N]> {
    let (totals, rest) = content.as_chunks();
    let totals: Vec<u64> = totals.iter().map(|total| u64::from_le_bytes(*total)).collect();
    totals.try_into().ok().filter(|_| rest.is_empty()).ok_or(io::ErrorKind::InvalidData.into())
}

pub(super) fn damage(error: impl std::error::Error + Send + Sync + 'static) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, error)
}

/// The same error as users are told it.
pub(crate) fn explain(path: &Path, error: &io::Error) -> io::Error {
    let what = match error.kind() {
        io::ErrorKind::UnexpectedEof => "it is cut short; build it anew".into(),
        io::ErrorKind::InvalidData => "it is damaged; build it anew".into(),
        _ => error.to_string(),
    };
    io::Error::new(error.kind(), format!("cannot use the index {}: {what}", path.display()))
}
