//! Occurrences of chunks by bin: in memory as long as there is room, then on disk.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use headwater::coderivative::shared::{Bins, Occurrence};

use super::Scrap;
use crate::pipeline::{self, Feed, Stopped};

/// Bytes of an occurrence on disk.
const OCCURRENCE: usize = 16;

/// Bins that are kept in memory as long as they fit; when they do not, all of them move to one file.
#[derive(Debug)]
pub struct FileBins {
    scrap: Scrap,
    bins: Vec<Bin>,
    /// Occurrences in memory, and how many there may be.
    waiting: usize,
    room: usize,
    written: u64,
    threads: usize,
    bytes: Vec<u8>,
}

#[derive(Clone, Debug, Default)]
struct Bin {
    /// Where its pieces begin in the file, and how many occurrences each has.
    pieces: Vec<(u64, usize)>,
    waiting: Vec<Occurrence>,
}

/// Fewer in memory would make pieces so small that reading a bin is a matter of jumping.
const LEAST: usize = 1 << 16;

impl FileBins {
    /// So many empty bins; what waits in memory takes at most about `memory` bytes, or 2 MiB if that is more.
    pub fn create(bins: usize, memory: usize, threads: usize, folder: Option<&Path>) -> io::Result<Self> {
        Ok(FileBins {
            scrap: Scrap::create(folder, "the chunks that may be shared")?,
            bins: vec![Bin::default(); bins],
            waiting: 0,
            // A vector that grows can be half empty.
            room: (memory / OCCURRENCE / 2).max(LEAST),
            written: 0,
            threads,
            bytes: Vec::new(),
        })
    }

    fn spill(&mut self) -> io::Result<()> {
        for Bin { pieces, waiting } in self.bins.iter_mut().filter(|bin| !bin.waiting.is_empty()) {
            self.bytes.clear();
            pieces.push((self.written, waiting.len()));
            for occurrence in waiting.drain(..) {
                self.bytes.extend_from_slice(&occurrence.fingerprint.to_le_bytes());
                self.bytes.extend_from_slice(&occurrence.document.to_le_bytes());
                self.bytes.extend_from_slice(&occurrence.position.to_le_bytes());
            }
            self.scrap.file.write_all(&self.bytes).map_err(|error| self.scrap.explain(&error))?;
            self.written += self.bytes.len() as u64;
        }
        self.waiting = 0;
        Ok(())
    }
}

impl Bins for FileBins {
    type Error = io::Error;

    fn put(&mut self, bin: usize, occurrences: &[Occurrence]) -> io::Result<()> {
        if self.waiting + occurrences.len() > self.room {
            self.spill()?;
        }
        self.bins[bin].waiting.extend_from_slice(occurrences);
        self.waiting += occurrences.len();
        Ok(())
    }

    fn drain<R: Send>(
        self,
        work: impl Fn(&mut Vec<Occurrence>) -> R + Sync,
        mut deliver: impl FnMut(R) -> io::Result<()>,
    ) -> io::Result<()> {
        let FileBins { scrap, bins, threads, .. } = self;
        let file = scrap.file.try_clone().map_err(|error| scrap.explain(&error))?;
        let read = move |(mut file, bins): (File, Vec<Bin>), feed: &dyn Feed<io::Result<Vec<Occurrence>>>| {
            for bin in bins {
                let occurrences = bin.read(&mut file);
                let (failed, weight) = occurrences.as_ref().map_or((true, 0), |all| (false, all.len() * OCCURRENCE));
                feed.send(occurrences, weight)?;
                if failed {
                    break;
                }
            }
            Result::<(), Stopped>::Ok(())
        };
        let work = |bin: io::Result<Vec<Occurrence>>| bin.map(|mut bin| work(&mut bin));
        pipeline::run(threads, vec![(file, bins)], read, work, |result| {
            deliver(result.map_err(|error| scrap.explain(&error))?)
        })
    }
}

impl Bin {
    fn read(self, file: &mut File) -> io::Result<Vec<Occurrence>> {
        if self.pieces.is_empty() {
            return Ok(self.waiting);
        }
        let spilled: usize = self.pieces.iter().map(|piece| piece.1).sum();
        let mut all = Vec::with_capacity(spilled + self.waiting.len());
        let mut bytes = Vec::new();
        for (start, length) in self.pieces {
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
        all.extend(self.waiting);
        Ok(all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bins_give_back_what_was_put_in_order() {
        for threads in [1, 2] {
            let mut bins = FileBins::create(7, 0, threads, None).unwrap();
            let mut expected = vec![Vec::new(); 7];
            for round in 0..4000u32 {
                let bin = (round % 97 * round % 7) as usize;
                let some: Vec<Occurrence> = (0..round % 90)
                    .map(|at| Occurrence { fingerprint: u64::from(round) << 40, document: round, position: at })
                    .collect();
                bins.put(bin, &some).unwrap();
                expected[bin].extend(some);
            }
            assert!(bins.written > 0, "enough for some to be on disk");
            let mut found = Vec::new();
            let keep = |bin| {
                found.push(bin);
                Ok(())
            };
            bins.drain(std::mem::take, keep).unwrap();
            assert_eq!(found, expected);
        }
    }
}
