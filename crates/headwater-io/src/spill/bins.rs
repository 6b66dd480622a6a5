//! Occurrences of chunks by bin: gathered in memory piece by piece, kept on disk.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use headwater::coderivative::shared::{Bins, Occurrence};

use super::Scrap;
use crate::pipeline::{self, Feed, Stopped};

/// Bytes of an occurrence on disk.
const OCCURRENCE: usize = 16;

/// Pieces smaller than this would make reading a bin a matter of jumping.
const SMALLEST_PIECE: usize = 1 << 10;
/// Pieces larger than this no longer help.
const LARGEST_PIECE: usize = 1 << 16;

/// Bins of which all but the piece at hand lie in one file.
#[derive(Debug)]
pub struct FileBins {
    scrap: Scrap,
    bins: Vec<Bin>,
    piece: usize,
    written: u64,
    threads: usize,
    bytes: Vec<u8>,
}

#[derive(Clone, Debug, Default)]
struct Bin {
    /// Where its pieces begin; each has as many occurrences as a piece has.
    pieces: Vec<u64>,
    waiting: Vec<Occurrence>,
}

impl FileBins {
    /// So many empty bins; the pieces that wait in memory take at most about `memory` bytes.
    pub fn create(bins: usize, memory: usize, threads: usize, folder: Option<&Path>) -> io::Result<Self> {
        let piece = (memory / bins.max(1)).clamp(SMALLEST_PIECE, LARGEST_PIECE) / OCCURRENCE;
        Ok(FileBins {
            scrap: Scrap::create(folder, "the chunks that may be shared")?,
            bins: vec![Bin::default(); bins],
            piece,
            written: 0,
            threads,
            bytes: Vec::new(),
        })
    }

    fn write(&mut self, bin: usize) -> io::Result<()> {
        let Bin { pieces, waiting } = &mut self.bins[bin];
        self.bytes.clear();
        for occurrence in waiting.drain(..self.piece) {
            self.bytes.extend_from_slice(&occurrence.fingerprint.to_le_bytes());
            self.bytes.extend_from_slice(&occurrence.document.to_le_bytes());
            self.bytes.extend_from_slice(&occurrence.position.to_le_bytes());
        }
        self.scrap.file.write_all(&self.bytes).map_err(|error| self.scrap.explain(&error))?;
        pieces.push(self.written);
        self.written += self.bytes.len() as u64;
        Ok(())
    }
}

impl Bins for FileBins {
    type Error = io::Error;

    fn put(&mut self, bin: usize, mut occurrences: &[Occurrence]) -> io::Result<()> {
        while !occurrences.is_empty() {
            let waiting = &mut self.bins[bin].waiting;
            let (now, later) = occurrences.split_at(occurrences.len().min(self.piece - waiting.len()));
            waiting.extend_from_slice(now);
            occurrences = later;
            if waiting.len() == self.piece {
                self.write(bin)?;
            }
        }
        Ok(())
    }

    fn drain<R: Send>(
        self,
        work: impl Fn(&mut Vec<Occurrence>) -> R + Sync,
        mut deliver: impl FnMut(R) -> io::Result<()>,
    ) -> io::Result<()> {
        let FileBins { scrap, bins, piece, threads, .. } = self;
        let file = scrap.file.try_clone().map_err(|error| scrap.explain(&error))?;
        let read = move |(mut file, bins): (File, Vec<Bin>), feed: &dyn Feed<io::Result<Vec<Occurrence>>>| {
            for bin in bins {
                let occurrences = bin.read(&mut file, piece);
                let (failed, weight) = occurrences.as_ref().map_or((true, 0), |all| (false, all.len() * OCCURRENCE));
                feed.send(occurrences, weight)?;
                if failed {
                    break;
                }
            }
            Result::<(), Stopped>::Ok(())
        };
        let work = |bin: io::Result<Vec<Occurrence>>| bin.map(|mut bin| work(&mut bin));
        pipeline::run(
            threads,
            vec![(file, bins)],
            || false,
            read,
            work,
            |result| deliver(result.map_err(|error| scrap.explain(&error))?),
        )
    }
}

impl Bin {
    fn read(self, file: &mut File, piece: usize) -> io::Result<Vec<Occurrence>> {
        let mut all = Vec::with_capacity(self.pieces.len() * piece + self.waiting.len());
        let mut bytes = vec![0; piece * OCCURRENCE];
        for start in self.pieces {
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
            for round in 0..200u32 {
                let bin = (round * round % 7) as usize;
                let some: Vec<Occurrence> = (0..round % 90)
                    .map(|at| Occurrence { fingerprint: u64::from(round) << 40, document: round, position: at })
                    .collect();
                bins.put(bin, &some).unwrap();
                expected[bin].extend(some);
            }
            let mut found = Vec::new();
            bins.drain(|bin| std::mem::take(bin), |bin| Ok(found.push(bin))).unwrap();
            assert_eq!(found, expected);
        }
    }
}
