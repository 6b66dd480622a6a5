//! A stretch of a stream that grows until it holds whole records, and no further than it may.

use std::io::{self, Read};

use crate::stream::Stream;

/// The bytes of a stream that were read and not yet handed on.
pub(crate) struct Window<'s> {
    stream: &'s mut Stream,
    buffer: Vec<u8>,
    /// The bytes at hand are `buffer[start..end]`.
    start: usize,
    end: usize,
    offset: u64,
    /// Beyond this the buffer need not grow ahead of what is read.
    most: usize,
    /// An error behind bytes that are looked at first: they may hold whole records.
    failed: Option<io::Error>,
}

/// How many bytes make a chunk worth handing to a worker: far above the cost of the handover, and few enough that what is made of
/// them, which is several times as much, is still in the nearer cache when it is asked for.
pub(crate) const CHUNK: usize = 1 << 17;

impl<'s> Window<'s> {
    /// A window on `stream` whose caller will refuse a record of more than `most` bytes.
    pub(crate) fn new(stream: &'s mut Stream, most: usize) -> Window<'s> {
        Window { stream, buffer: Vec::new(), start: 0, end: 0, offset: 0, most, failed: None }
    }

    /// The bytes at hand.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.buffer[self.start..self.end]
    }

    /// Where in the stream [`Window::bytes`] begins.
    pub(crate) fn offset(&self) -> u64 {
        self.offset
    }

    /// Reads on; `false` at the end of the stream.
    ///
    /// Returns once there is a chunk's worth, or after one read of a stream that may have to wait for more. An error comes only
    /// after all bytes before it.
    pub(crate) fn fill(&mut self) -> io::Result<bool> {
        if let Some(error) = self.failed.take() {
            return Err(error);
        }
        self.compact();
        let before = self.end;
        let goal = if self.stream.is_live { before + 1 } else { (before + 1).max(CHUNK) };
        let least = goal.max(self.room());
        if self.buffer.len() < least {
            // Doubling keeps the copying of a long record linear.
            let ahead = (2 * before).min(self.most.saturating_add(CHUNK));
            self.buffer.resize(least.max(ahead), 0);
        }
        while self.end < goal {
            match self.stream.read(&mut self.buffer[self.end..]) {
                Ok(0) => break,
                Ok(count) => self.end += count,
                Err(error) if self.end > before => {
                    self.failed = Some(error);
                    break;
                }
                Err(error) => return Err(error),
            }
        }
        Ok(self.end > before)
    }

    /// Takes the first `count` bytes out of the window.
    pub(crate) fn take(&mut self, count: usize) -> Vec<u8> {
        self.compact();
        let rest = &self.buffer[count..self.end];
        let mut next = vec![0; self.room().max(rest.len())];
        next[..rest.len()].copy_from_slice(rest);
        self.end = rest.len();
        let mut taken = std::mem::replace(&mut self.buffer, next);
        taken.truncate(count);
        self.offset += count as u64;
        taken
    }

    /// Drops the first `count` bytes.
    pub(crate) fn discard(&mut self, count: usize) {
        self.start += count;
        self.offset += count as u64;
    }

    /// Passes over `count` bytes; tells how many there were.
    pub(crate) fn skip(&mut self, count: u64) -> io::Result<u64> {
        let mut left = count;
        loop {
            let here = left.min(self.bytes().len() as u64);
            self.discard(here as usize);
            left -= here;
            if left == 0 || !self.fill()? {
                return Ok(count - left);
            }
        }
    }

    /// Bytes that a fresh buffer has room for: what a pipe gives at once, or a chunk.
    fn room(&self) -> usize {
        if self.stream.is_live { 64 << 10 } else { CHUNK }
    }

    /// Moves the bytes at hand to the front, and gives back the room that a long record took.
    fn compact(&mut self) {
        if self.start > 0 {
            self.buffer.copy_within(self.start..self.end, 0);
            self.end -= self.start;
            self.start = 0;
        }
        if self.buffer.len() > 4 * CHUNK && self.end <= CHUNK {
            self.buffer.truncate(CHUNK);
            self.buffer.shrink_to_fit();
        }
    }
}
