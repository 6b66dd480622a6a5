//! Many runs into one: a heap of the next key of each.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::fs::File;
use std::io;

use headwater::Document;

use super::run::{Run, RunReader, RunWriter};
use super::spill::Place;

/// Hands out the records of several runs in order; of equal keys the one of the earlier run first.
///
/// Only keys wait in the heap. A document is read when its turn has come, so that no more than one is in memory.
pub(super) struct Merge {
    file: File,
    readers: Vec<RunReader>,
    heap: BinaryHeap<Reverse<Head>>,
    place: Place,
}

/// Ordered by time, then run: the order of the fields.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Head {
    micros: i64,
    reader: usize,
    length: u64,
}

impl Merge {
    pub(super) fn new(mut file: File, runs: &[Run], block_bytes: usize, place: Place) -> io::Result<Self> {
        let mut readers: Vec<_> = runs.iter().map(|&run| RunReader::new(run, block_bytes)).collect();
        let mut heap = BinaryHeap::with_capacity(readers.len());
        for (at, reader) in readers.iter_mut().enumerate() {
            if let Some((micros, length)) = reader.next_head(&mut file).map_err(|error| place.explain(error))? {
                heap.push(Reverse(Head { micros, reader: at, length }));
            }
        }
        Ok(Merge { file, readers, heap, place })
    }

    /// The next document.
    pub(super) fn next_document(&mut self) -> io::Result<Option<Document>> {
        self.step(|_, length, reader, file| reader.body(file, length))
    }

    /// Moves the next record to another run; false if there is none.
    pub(super) fn move_next(&mut self, writer: &mut RunWriter<'_, File>) -> io::Result<bool> {
        let moved = self.step(|micros, length, reader, file| writer.push_from((micros, length), reader, file))?;
        Ok(moved.is_some())
    }

    pub(super) fn into_file(self) -> File {
        self.file
    }

    fn step<T>(
        &mut self,
        consume: impl FnOnce(i64, u64, &mut RunReader, &mut File) -> io::Result<T>,
    ) -> io::Result<Option<T>> {
        let Some(mut top) = self.heap.peek_mut() else {
            return Ok(None);
        };
        let Reverse(Head { micros, reader: at, length }) = *top;
        let reader = &mut self.readers[at];
        let advance = || {
            let consumed = consume(micros, length, reader, &mut self.file)?;
            Ok((consumed, reader.next_head(&mut self.file)?))
        };
        let (consumed, next) = advance().map_err(|error| self.place.explain(error))?;
        match next {
            Some((micros, length)) => *top = Reverse(Head { micros, reader: at, length }),
            None => {
                PeekMut::pop(top);
            }
        }
        Ok(Some(consumed))
    }
}
