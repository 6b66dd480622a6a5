//! A stretch of a stream that grows until it holds whole records, and no further than it may.

use std::io::{self, Read};

use crate::stream::Stream;

/// The bytes of a stream that were read and not yet handed on.
pub(crate) struct Window<'s> {
    stream: &'s mut Stream,
    /// Zero beyond `filled`.
    buffer: Vec<u8>,
    filled: usize,
    offset: u64,
}

/// How many bytes make a chunk worth handing to a worker: far above the cost of the handover, well inside the cache.
pub(crate) const CHUNK: usize = 1 << 20;

impl<'s> Window<'s> {
    pub(crate) fn new(stream: &'s mut Stream) -> Window<'s> {
        Window { stream, buffer: Vec::new(), filled: 0, offset: 0 }
    }

    /// The bytes at hand.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.buffer[..self.filled]
    }

    /// Where in the stream [`Window::bytes`] begins.
    pub(crate) fn offset(&self) -> u64 {
        self.offset
    }

    /// Reads on; `false` at the end of the stream.
    ///
    /// Returns once there is a chunk's worth, or after one read of a stream that may have to wait for more.
    pub(crate) fn fill(&mut self) -> io::Result<bool> {
        let before = self.filled;
        let goal = if self.stream.is_live { before + 1 } else { (before + 1).max(CHUNK) };
        if self.buffer.len() < goal.max(CHUNK) {
            // Doubling keeps the copying of a long record linear.
            self.buffer.resize(goal.max(CHUNK).max(2 * before), 0);
        }
        while self.filled < goal {
            let count = self.stream.read(&mut self.buffer[self.filled..])?;
            if count == 0 {
                break;
            }
            self.filled += count;
        }
        Ok(self.filled > before)
    }

    /// Takes the first `end` bytes out of the window.
    pub(crate) fn take(&mut self, end: usize) -> Vec<u8> {
        let rest = &self.buffer[end..self.filled];
        let mut next = vec![0; CHUNK.max(rest.len())];
        next[..rest.len()].copy_from_slice(rest);
        let kept = rest.len();
        let mut taken = std::mem::replace(&mut self.buffer, next);
        taken.truncate(end);
        self.filled = kept;
        self.offset += end as u64;
        taken
    }

    /// Drops the first `end` bytes.
    pub(crate) fn discard(&mut self, end: usize) {
        self.buffer.copy_within(end..self.filled, 0);
        self.filled -= end;
        self.offset += end as u64;
        if self.buffer.len() > 4 * CHUNK && self.filled <= CHUNK {
            self.buffer.truncate(CHUNK);
            self.buffer.shrink_to_fit();
        }
    }
}
