//! One input, opened: decompressed, its format told, its bytes counted.

use std::io::{self, BufReader, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::compression::{Compression, MAGIC};
use crate::format::HEAD;
use crate::progress::Progress;
use crate::source::Input;

/// The decompressed bytes of an input.
pub(crate) struct Stream {
    pub(crate) compression: Compression,
    /// Whether it may wait for its writer: what has arrived should then not wait as well.
    pub(crate) is_live: bool,
    head: io::Cursor<Vec<u8>>,
    body: Box<dyn Read + Send>,
    /// What reading the head ran into.
    failed: Option<io::Error>,
    packed: Arc<AtomicU64>,
    unpacked: u64,
    progress: Arc<Progress>,
}

/// Bytes that a decompressor takes from its file at a time.
const PACKED_BUFFER: usize = 64 << 10;

impl Stream {
    /// Opens `input`, and tells why where it cannot be opened.
    pub(crate) fn open(input: &Input, progress: &Arc<Progress>) -> Result<Stream, String> {
        let packed = Arc::new(AtomicU64::new(0));
        let counted = Counted { inner: input.open()?, count: packed.clone(), progress: progress.clone() };
        let mut file = BufReader::with_capacity(PACKED_BUFFER, Patient(counted));
        let unreadable = |error: io::Error| format!("cannot be read: {error}");
        let mut magic = Vec::with_capacity(MAGIC);
        file.by_ref().take(MAGIC as u64).read_to_end(&mut magic).map_err(unreadable)?;
        let compression = Compression::of(&magic);
        let body = compression.reader(io::Cursor::new(magic).chain(file)).map_err(unreadable)?;
        let head = io::Cursor::new(Vec::new());
        Ok(Stream {
            compression,
            is_live: input.is_once(),
            head,
            body,
            failed: None,
            packed,
            unpacked: 0,
            progress: progress.clone(),
        })
    }

    /// The first bytes, for telling the format: up to [`HEAD`], or the first line where more would mean to wait.
    pub(crate) fn head(&mut self) -> &[u8] {
        let mut head = std::mem::take(self.head.get_mut());
        while head.len() < HEAD && !(self.is_live && memchr::memchr(b'\n', &head).is_some()) {
            let filled = head.len();
            head.resize(HEAD, 0);
            let count = self.body.read(&mut head[filled..]);
            head.truncate(filled + *count.as_ref().unwrap_or(&0));
            match count {
                Ok(0) => break,
                Ok(_) => {}
                Err(error) => {
                    self.failed = Some(error);
                    break;
                }
            }
        }
        *self.head.get_mut() = head;
        self.head.get_ref()
    }

    /// Counts the whole file as read, where it was read by other means.
    pub(crate) fn finish(&mut self, size: Option<u64>) {
        let Some(size) = size else { return };
        let counted = self.packed.swap(size, Ordering::Relaxed);
        self.progress.add_bytes(size.saturating_sub(counted));
        if self.unpacked == 0 {
            self.unpacked = size;
        }
    }

    /// Bytes of the file that were read so far.
    pub(crate) fn packed(&self) -> u64 {
        self.packed.load(Ordering::Relaxed)
    }

    /// Bytes that were handed on so far.
    pub(crate) fn unpacked(&self) -> u64 {
        self.unpacked
    }
}

impl Read for Stream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut count = self.head.read(buffer)?;
        if count == 0 {
            // The bytes before the damage still tell the format and may hold documents: it is met again only here.
            if let Some(error) = self.failed.take() {
                return Err(error);
            }
            count = self.body.read(buffer)?;
        }
        self.unpacked += count as u64;
        Ok(count)
    }
}

/// Counts what is read through it.
struct Counted {
    inner: Box<dyn Read + Send>,
    count: Arc<AtomicU64>,
    progress: Arc<Progress>,
}

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.count.fetch_add(count as u64, Ordering::Relaxed);
        self.progress.add_bytes(count as u64);
        Ok(count)
    }
}

/// Reads again after an interrupt, which is no error of the file.
struct Patient<R>(R);

impl<R: Read> Read for Patient<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.0.read(buffer) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                result => return result,
            }
        }
    }
}
