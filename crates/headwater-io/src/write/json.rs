//! Rows as JSONL, or as one JSON array with a row on each line.

use std::io::{self, Write};

use super::compress::Sink;
use super::output::BUFFER;
use super::rows::Row;

/// After a row larger than this the memory for it is given back.
const LARGEST_KEPT: usize = 1 << 20;

pub(super) struct JsonEncoder {
    sink: Sink,
    /// Rows are put together here and not in the sink, whose many small calls would cost more than the rows.
    buffer: Vec<u8>,
    array: bool,
    empty: bool,
}

impl JsonEncoder {
    pub(super) fn lines(sink: Sink) -> Self {
        JsonEncoder { sink, buffer: Vec::with_capacity(2 * BUFFER), array: false, empty: true }
    }

    pub(super) fn array(sink: Sink) -> Self {
        JsonEncoder { array: true, ..Self::lines(sink) }
    }

    pub(super) fn write<R: Row>(&mut self, row: &R) -> io::Result<()> {
        if self.array {
            self.buffer.extend_from_slice(if self.empty { b"[\n" } else { b",\n" });
        }
        self.empty = false;
        row.json(&mut self.buffer)?;
        if !self.array {
            self.buffer.push(b'\n');
        }
        if self.buffer.len() >= BUFFER { self.hand_over() } else { Ok(()) }
    }

    pub(super) fn flush(&mut self) -> io::Result<()> {
        self.hand_over()?;
        self.sink.flush()
    }

    pub(super) fn finish(mut self) -> io::Result<()> {
        if self.array {
            self.buffer.extend_from_slice(if self.empty { b"[]\n" } else { b"\n]\n" });
        }
        self.hand_over()?;
        self.sink.finish()
    }

    fn hand_over(&mut self) -> io::Result<()> {
        self.sink.write_all(&self.buffer)?;
        self.buffer.clear();
        self.buffer.shrink_to(LARGEST_KEPT);
        Ok(())
    }
}
