//! Feature sets on disk, for collections that memory has no room for.

use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::Path;

use headwater::neardup::Shelf;

use super::Scrap;

/// Bytes of a number.
const NUMBER: u64 = 8;

/// Numbers that wait to be written together.
const WAITING: usize = 1 << 16;

/// Numbers one behind the other in a temporary file.
#[derive(Debug)]
pub struct FileShelf {
    scrap: Scrap,
    waiting: Vec<u64>,
    /// Numbers in the file.
    written: u64,
    bytes: Vec<u8>,
}

impl FileShelf {
    /// An empty one, in `folder` or where the system keeps temporary files.
    pub fn create(folder: Option<&Path>) -> io::Result<Self> {
        let scrap = Scrap::create(folder, "the signatures of the collection")?;
        Ok(FileShelf { scrap, waiting: Vec::new(), written: 0, bytes: Vec::new() })
    }

    fn write(&mut self) -> io::Result<()> {
        self.bytes.clear();
        self.bytes.extend(self.waiting.iter().flat_map(|number| number.to_le_bytes()));
        let (scrap, bytes, place) = (&mut self.scrap, &self.bytes, self.written * NUMBER);
        let mut write = || {
            scrap.file.seek(SeekFrom::Start(place))?;
            scrap.file.write_all(bytes)
        };
        write().map_err(|error| self.scrap.explain(&error))?;
        self.written += self.waiting.len() as u64;
        self.waiting.clear();
        Ok(())
    }
}

impl Shelf for FileShelf {
    type Error = io::Error;

    fn put(&mut self, numbers: &[u64]) -> io::Result<()> {
        self.waiting.extend_from_slice(numbers);
        if self.waiting.len() >= WAITING { self.write() } else { Ok(()) }
    }

    fn take(&mut self, places: Range<u64>, out: &mut Vec<u64>) -> io::Result<()> {
        if places.end > self.written {
            self.write()?;
        }
        self.bytes.resize(((places.end - places.start) * NUMBER) as usize, 0);
        let (scrap, bytes) = (&mut self.scrap, &mut self.bytes);
        let mut read = || {
            scrap.file.seek(SeekFrom::Start(places.start * NUMBER))?;
            scrap.file.read_exact(bytes)
        };
        read().map_err(|error| self.scrap.explain(&error))?;
        out.extend(self.bytes.as_chunks().0.iter().map(|number| u64::from_le_bytes(*number)));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_put_can_be_taken_from_anywhere_at_any_time() {
        let mut shelf = FileShelf::create(None).unwrap();
        let all: Vec<u64> = (0..3 * WAITING as u64).map(headwater::text::mix).collect();
        let (first, rest) = all.split_at(WAITING + 7);
        let put = |shelf: &mut FileShelf, numbers: &[u64]| {
            numbers.chunks(1000).for_each(|chunk| shelf.put(chunk).unwrap());
        };
        put(&mut shelf, first);
        let mut out = Vec::new();
        shelf.take(5..9, &mut out).unwrap();
        put(&mut shelf, rest);
        shelf.take(0..all.len() as u64, &mut out).unwrap();
        shelf.take(3..3, &mut out).unwrap();
        assert_eq!(out, [&all[5..9], &all].concat());
        assert!(shelf.take(0..all.len() as u64 + 1, &mut out).is_err());
    }
}
