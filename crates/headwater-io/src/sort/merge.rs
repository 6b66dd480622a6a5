//! Many runs into one: a heap of the next key of each.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::io::{self, Read, Seek, Write};

use headwater::Document;

use super::run::{Run, RunReader, RunWriter};

/// Hands out the records of several runs in order; of equal keys the one of the earlier run first.
///
/// Only keys wait in the heap. A document is read when its turn has come, so that no more than one is in memory.
pub(super) struct Merge {
    readers: Vec<RunReader>,
    heap: BinaryHeap<Reverse<Head>>,
}

/// Ordered by time, then run: the order of the fields.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Head {
    micros: i64,
    reader: usize,
    length: u64,
}

impl Merge {
    pub(super) fn new<F: Read + Seek>(file: &mut F, runs: &[Run], block_bytes: usize) -> io::Result<Self> {
        let mut readers: Vec<_> = runs.iter().map(|&run| RunReader::new(run, block_bytes)).collect();
        let mut heap = BinaryHeap::with_capacity(readers.len());
        for (at, reader) in readers.iter_mut().enumerate() {
            if let Some((micros, length)) = reader.next_head(file)? {
                heap.push(Reverse(Head { micros, reader: at, length }));
            }
        }
        Ok(Merge { readers, heap })
    }

    /// The next document.
    pub(super) fn next_document<F: Read + Seek>(&mut self, file: &mut F) -> io::Result<Option<Document>> {
        self.step(file, |file, head, reader| reader.body(file, head.length))
    }

    /// Moves the next record to another run; false if there is none.
    pub(super) fn move_next<F: Read + Write + Seek>(
        &mut self,
        file: &mut F,
        writer: &mut RunWriter,
    ) -> io::Result<bool> {
        let moved = self.step(file, |file, head, reader| writer.push_from(file, (head.micros, head.length), reader))?;
        Ok(moved.is_some())
    }

    fn step<F: Read + Seek, T>(
        &mut self,
        file: &mut F,
        consume: impl FnOnce(&mut F, Head, &mut RunReader) -> io::Result<T>,
    ) -> io::Result<Option<T>> {
        let Some(mut top) = self.heap.peek_mut() else {
            return Ok(None);
        };
        let Reverse(head) = *top;
        let reader = &mut self.readers[head.reader];
        let consumed = consume(file, head, reader)?;
        match reader.next_head(file)? {
            Some((micros, length)) => *top = Reverse(Head { micros, length, ..head }),
            None => {
                PeekMut::pop(top);
            }
        }
        Ok(Some(consumed))
    }
}
