//! The bytes of a Parquet file, in any order, with an eye on what they ask the reader to allocate.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use bytes::Bytes;
use parquet::errors::ParquetError;
use parquet::file::reader::{ChunkReader, Length};

use crate::compression::Compression;
use crate::source::{Input, Source};
use crate::stream::Stream;

/// Bytes that can be read in any order.
#[derive(Clone)]
pub(super) enum Data {
    File(Arc<File>),
    Bytes(Bytes),
}

/// Data whose pages are looked at before they are unpacked.
#[derive(Clone)]
pub(super) struct Guarded {
    data: Data,
    /// Bytes that pages may unpack to between two batches of rows.
    limit: u64,
    unpacked: Arc<AtomicU64>,
}

/// Some writers put all rows of a group into one page: smaller limits would refuse honest files.
const LEAST_LIMIT: u64 = 512 << 20;

/// A copy of a packed file may be this many times as large, beyond the first gigabyte: Parquet is packed already.
const MOST_EXPANSION: u64 = 100;

impl Data {
    /// The data of `input`: as it lies on disk, or a copy in a temporary file where it is packed or can be read once only.
    pub(super) fn of(input: &Input, stream: &mut Stream, temporary: Option<&Path>) -> Result<Data, String> {
        if stream.compression == Compression::None {
            match &input.source {
                Source::File(path) => {
                    return match File::open(path) {
                        Ok(file) => Ok(Data::File(Arc::new(file))),
                        Err(error) => Err(format!("cannot be opened: {error}")),
                    };
                }
                Source::Bytes(bytes) => return Ok(Data::Bytes(Bytes::from_owner(bytes.clone()))),
                Source::Once(_) | Source::Kept(_) | Source::Refused(_) => {}
            }
        }
        match copy(stream, temporary) {
            Ok(file) => Ok(Data::File(Arc::new(file))),
            Err(error) => Err(format!("cannot be copied to a temporary file: {error}")),
        }
    }

    fn check_end(&self, end: u64) -> Result<(), ParquetError> {
        if end <= self.len() { Ok(()) } else { Err(ParquetError::EOF("a page lies beyond the end of the file".into())) }
    }
}

fn copy(stream: &mut Stream, temporary: Option<&Path>) -> io::Result<File> {
    let mut file = match temporary {
        Some(folder) => tempfile::tempfile_in(folder)?,
        None => tempfile::tempfile()?,
    };
    const STEP: u64 = 1 << 20;
    while io::copy(&mut stream.by_ref().take(STEP), &mut file)? > 0 {
        if stream.compression != Compression::None && stream.unpacked() > (1 << 30) + MOST_EXPANSION * stream.packed() {
            return Err(io::Error::other(format!("unpacks to more than {MOST_EXPANSION} times its size")));
        }
    }
    Ok(file)
}

impl Guarded {
    pub(super) fn new(data: Data, limit: usize) -> Guarded {
        Guarded { data, limit: LEAST_LIMIT.max(limit as u64), unpacked: Arc::default() }
    }

    pub(super) fn inner(&self) -> &Data {
        &self.data
    }

    /// A batch of rows came out: its pages were worth it.
    pub(super) fn allow(&self) {
        self.unpacked.store(0, Ordering::Relaxed);
    }

    /// Checks the page that begins at `start`.
    fn check(&self, start: u64) -> Result<(), ParquetError> {
        let mut head = Vec::with_capacity(PAGE_HEAD);
        self.data.get_read(start)?.take(PAGE_HEAD as u64).read_to_end(&mut head)?;
        let fail = |what: String| Err(ParquetError::General(what));
        let Some(Page { kind, size, values }) = Page::of(&head) else {
            return fail(format!("no page at byte {start}"));
        };
        // The reader makes room for all values of a dictionary at once; each takes a byte at least.
        if kind == DICTIONARY && values > size {
            return fail(format!("the dictionary at byte {start} claims {values} values in {size} bytes"));
        }
        if self.unpacked.fetch_add(size, Ordering::Relaxed) + size > self.limit {
            let limit = self.limit;
            return fail(format!(
                "the page at byte {start} unpacks to {size} bytes, with its neighbours more than {limit}"
            ));
        }
        Ok(())
    }
}

/// The first bytes of a page header, enough for all of [`Page`].
const PAGE_HEAD: usize = 32;

/// The kind of a page that holds the distinct values of its column.
const DICTIONARY: u64 = 2;

/// What the header of a page begins with.
struct Page {
    kind: u64,
    /// Bytes that it unpacks to.
    size: u64,
    values: u64,
}

impl Page {
    /// Reads Thrift's compact protocol: kind, unpacked size, packed size, perhaps a checksum, and a structure whose first field is the
    /// number of values. Every writer puts them in this order.
    fn of(head: &[u8]) -> Option<Page> {
        let mut rest = head;
        let (kind, size, _packed) = (number(&mut rest)?, number(&mut rest)?, number(&mut rest)?);
        if rest.first() == Some(&NEXT_NUMBER) {
            // A checksum may be negative.
            rest = &rest[1..];
            varint(&mut rest)?;
        }
        let (&structure, mut rest) = rest.split_first()?;
        let values = (structure & 0x0f == STRUCTURE).then(|| number(&mut rest))??;
        Some(Page { kind, size, values })
    }
}

/// In front of a 32-bit number in the field that follows the last.
const NEXT_NUMBER: u8 = 0x15;

/// The low half of the byte in front of a structure.
const STRUCTURE: u8 = 0x0c;

/// A field with a number that is not negative.
fn number(rest: &mut &[u8]) -> Option<u64> {
    let (&kind, after) = rest.split_first()?;
    *rest = after;
    let value = varint(rest)?;
    // Zigzag: odd numbers are negative ones.
    (kind == NEXT_NUMBER && value.is_multiple_of(2)).then_some(value / 2)
}

fn varint(rest: &mut &[u8]) -> Option<u64> {
    let mut value = 0;
    for shift in (0..35).step_by(7) {
        let (&byte, after) = rest.split_first()?;
        *rest = after;
        value |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(value);
        }
    }
    None
}

impl Length for Guarded {
    fn len(&self) -> u64 {
        self.data.len()
    }
}

impl ChunkReader for Guarded {
    type T = Box<dyn Read>;

    /// Called for page headers, one call a page; what follows a header is read with [`ChunkReader::get_bytes`].
    fn get_read(&self, start: u64) -> Result<Self::T, ParquetError> {
        self.check(start)?;
        self.data.get_read(start)
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes, ParquetError> {
        self.data.get_bytes(start, length)
    }
}

impl Length for Data {
    fn len(&self) -> u64 {
        match self {
            Data::File(file) => file.metadata().map_or(0, |about| about.len()),
            Data::Bytes(bytes) => bytes.len() as u64,
        }
    }
}

impl ChunkReader for Data {
    type T = Box<dyn Read>;

    fn get_read(&self, start: u64) -> Result<Self::T, ParquetError> {
        self.check_end(start)?;
        match self {
            Data::File(file) => {
                let mut file = file.try_clone()?;
                file.seek(SeekFrom::Start(start))?;
                Ok(Box::new(BufReader::new(file)))
            }
            Data::Bytes(bytes) => Ok(Box::new(io::Cursor::new(bytes.slice(start as usize..)))),
        }
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes, ParquetError> {
        self.check_end(start.saturating_add(length as u64))?;
        match self {
            Data::File(file) => {
                let mut file = file.try_clone()?;
                file.seek(SeekFrom::Start(start))?;
                let mut bytes = vec![0; length];
                file.read_exact(&mut bytes)?;
                Ok(bytes.into())
            }
            Data::Bytes(bytes) => Ok(bytes.slice(start as usize..start as usize + length)),
        }
    }
}
