//! Occurrences of chunks by bin: in memory as long as there is room, then on disk.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use headwater::coderivative::shared::{Binned, Bins, Occurrence};

use super::Scrap;
use crate::pipeline::{self, Feed, Stopped};

/// Bytes of an occurrence, in memory and on disk.
const OCCURRENCE: usize = 16;

/// Bins that are kept in memory as long as they fit; when they do not, all of them move to one file.
#[derive(Debug)]
pub struct FileBins {
    scrap: Scrap,
    /// Where the pieces of each bin begin in the file, and how many occurrences each has.
    pieces: Vec<Vec<(u64, usize)>>,
    batches: Vec<Binned>,
    /// Occurrences in memory, and how many there may be.
    waiting: usize,
    room: usize,
    written: u64,
    threads: usize,
    bytes: Vec<u8>,
}

/// Fewer in memory would make pieces so small that reading a bin is a matter of jumping.
const LEAST: usize = 1 << 16;

impl FileBins {
    /// So many empty bins; what waits in memory takes at most about `memory` bytes, or 1 MiB if that is more.
    pub fn create(bins: usize, memory: usize, threads: usize, folder: Option<&Path>) -> io::Result<Self> {
        Ok(FileBins {
            scrap: Scrap::create(folder, "the chunks that may be shared")?,
            pieces: vec![Vec::new(); bins],
            batches: Vec::new(),
            waiting: 0,
            room: (memory / OCCURRENCE).max(LEAST),
            written: 0,
            threads,
            bytes: Vec::new(),
        })
    }

    fn spill(&mut self) -> io::Result<()> {
        for (bin, pieces) in self.pieces.iter_mut().enumerate() {
            self.bytes.clear();
            for occurrence in self.batches.iter().flat_map(|batch| batch.bin(bin)) {
                self.bytes.extend_from_slice(&occurrence.fingerprint.to_le_bytes());
                self.bytes.extend_from_slice(&occurrence.document.to_le_bytes());
                self.bytes.extend_from_slice(&occurrence.position.to_le_bytes());
            }
            if !self.bytes.is_empty() {
                self.scrap.file.write_all(&self.bytes).map_err(|error| self.scrap.explain(&error))?;
                pieces.push((self.written, self.bytes.len() / OCCURRENCE));
                self.written += self.bytes.len() as u64;
            }
        }
        self.batches.clear();
        self.waiting = 0;
        Ok(())
    }
}

impl Bins for FileBins {
    type Error = io::Error;

    fn count(&self) -> usize {
        self.pieces.len()
    }

    fn put(&mut self, batch: Binned) -> io::Result<()> {
        let more = batch.occurrences().len();
        if self.waiting > 0 && self.waiting + more > self.room {
            self.spill()?;
        }
        self.batches.push(batch);
        self.waiting += more;
        Ok(())
    }

    fn drain<R: Send>(
        self,
        work: impl Fn(&[&[Occurrence]]) -> R + Sync,
        mut deliver: impl FnMut(R) -> io::Result<()>,
    ) -> io::Result<()> {
        let FileBins { scrap, pieces, batches, threads, .. } = self;
        let file = scrap.file.try_clone().map_err(|error| scrap.explain(&error))?;
        let read = move |(mut file, bins): (File, Vec<Vec<(u64, usize)>>), feed: &dyn Feed<_>| {
            for (bin, pieces) in bins.into_iter().enumerate() {
                let spilled = read(&mut file, &pieces);
                let (failed, weight) = spilled.as_ref().map_or((true, 0), |all| (false, all.len() * OCCURRENCE));
                feed.send(spilled.map(|spilled| (bin, spilled)), weight)?;
                if failed {
                    break;
                }
            }
            Result::<(), Stopped>::Ok(())
        };
        let work = |bin: io::Result<(usize, Vec<Occurrence>)>| {
            let (bin, spilled) = bin?;
            let waiting = batches.iter().map(|batch| batch.bin(bin));
            let pieces: Vec<&[Occurrence]> = std::iter::once(spilled.as_slice()).chain(waiting).collect();
            Ok(work(&pieces))
        };
        pipeline::run(threads, vec![(file, pieces)], read, work, |result: io::Result<R>| {
            deliver(result.map_err(|error| scrap.explain(&error))?)
        })
    }
}

/// The pieces of a bin that are on disk.
fn read(file: &mut File, pieces: &[(u64, usize)]) -> io::Result<Vec<Occurrence>> {
    let mut all = Vec::with_capacity(pieces.iter().map(|piece| piece.1).sum());
    let mut bytes = Vec::new();
    for &(start, length) in pieces {
        bytes.resize(length * OCCURRENCE, 0);
        file.seek(SeekFrom::Start(start))?;
        file.read_exact(&mut bytes)?;
        all.extend(bytes.as_chunks::<OCCURRENCE>().0.iter().map(|bytes| {
            // Three numbers in one: the compiler makes plain loads of it.
            let number = u128::from_le_bytes(*bytes);
            let (document, position) = ((number >> 64) as u32, (number >> 96) as u32);
            Occurrence { fingerprint: number as u64, document, position }
        }));
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bins_give_back_what_was_put_in_order() {
        for (threads, memory) in [(1, 0), (2, 0), (2, 1 << 30)] {
            let mut bins = FileBins::create(7, memory, threads, None).unwrap();
            let mut expected = vec![Vec::new(); 7];
            for round in 0..400u32 {
                let batch: Vec<Vec<Occurrence>> = (0..7)
                    .map(|bin| {
                        let some = 0..round * (bin + 1) % 90;
                        some.map(|at| Occurrence { fingerprint: u64::from(round) << 40, document: bin, position: at })
                            .collect()
                    })
                    .collect();
                bins.put(Binned::of(&batch)).unwrap();
                expected.iter_mut().zip(batch).for_each(|(all, some)| all.extend(some));
            }
            assert_eq!(bins.written > 0, memory == 0, "some are on disk only where memory is short");
            let mut found = Vec::new();
            let keep = |bin| {
                found.push(bin);
                Ok(())
            };
            bins.drain(|pieces| pieces.concat(), keep).unwrap();
            assert_eq!(found, expected);
        }
    }
}
