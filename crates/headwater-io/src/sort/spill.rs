//! The file that takes the runs, and how many of them fit in memory at once.

use std::env;
use std::fs::File;
use std::io;
use std::mem;
use std::path::{Path, PathBuf};

use headwater::Document;

use super::merge::Merge;
use super::run::{Run, RunWriter};

/// Larger blocks no longer make reading faster.
const LARGEST_BLOCK: usize = 256 << 10;
/// Smaller blocks would spend their time on calls.
const SMALLEST_BLOCK: usize = 4 << 10;
/// Fewer runs at a time would take too many passes; with the smallest blocks and one to write this is 64 KiB.
const SMALLEST_FAN_IN: usize = 15;

/// All runs, one after the other in one file without a name: one open file, however many runs.
pub(super) struct Spill {
    file: File,
    place: Place,
    runs: Vec<Run>,
    bytes: u64,
    memory: usize,
}

/// The documents of a [`Spill`] in order.
pub(super) struct Unspill {
    spill: Spill,
    merge: Merge,
}

/// The folder for temporary files, and who chose it: what an error has to say.
struct Place {
    folder: PathBuf,
    chosen: bool,
}

impl Spill {
    pub(super) fn create(memory: usize, folder: Option<&Path>) -> io::Result<Self> {
        let place = Place { folder: folder.map_or_else(env::temp_dir, Path::to_owned), chosen: folder.is_some() };
        let file = tempfile::tempfile_in(&place.folder).map_err(|error| place.explain(error))?;
        Ok(Spill { file, place, runs: Vec::new(), bytes: 0, memory })
    }

    /// Bytes written so far.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Appends one run; the documents must come in order, and after those of all earlier runs where times are equal.
    pub(super) fn write_run(&mut self, mut documents: impl Iterator<Item = (i64, Document)>) -> io::Result<()> {
        let mut writer = RunWriter::new(self.bytes, block_bytes(self.memory));
        let run = documents
            .try_for_each(|(micros, document)| writer.push(&mut self.file, micros, &document))
            .and_then(|()| writer.finish(&mut self.file))
            .map_err(|error| self.place.explain(error))?;
        self.bytes = run.end();
        self.runs.push(run);
        Ok(())
    }

    /// Merges all runs, in several passes if there are more than memory has buffers for.
    pub(super) fn merge(mut self) -> io::Result<Unspill> {
        while self.runs.len() > fan_in(self.memory) {
            self.merge_some()?;
        }
        let merge = Merge::new(&mut self.file, &self.runs, block_bytes(self.memory))
            .map_err(|error| self.place.explain(error))?;
        Ok(Unspill { spill: self, merge })
    }

    /// One pass that merges no more runs than it must: what is moved here is moved in vain if the rest would have
    /// fitted. Only neighbours are merged, so that the order of runs stays the order of arrival.
    fn merge_some(&mut self) -> io::Result<()> {
        let fan_in = fan_in(self.memory);
        let mut excess = self.runs.len().saturating_sub(fan_in);
        let mut runs = mem::take(&mut self.runs).into_iter();
        while excess > 0 && runs.len() > 1 {
            let group: Vec<Run> = runs.by_ref().take(fan_in.min(excess + 1)).collect();
            excess -= group.len() - 1;
            let merged = self.merge_group(&group).map_err(|error| self.place.explain(error))?;
            self.bytes = merged.end();
            self.runs.push(merged);
        }
        self.runs.extend(runs);
        Ok(())
    }

    fn merge_group(&mut self, group: &[Run]) -> io::Result<Run> {
        let block_bytes = block_bytes(self.memory);
        let mut merge = Merge::new(&mut self.file, group, block_bytes)?;
        let mut writer = RunWriter::new(self.bytes, block_bytes);
        while merge.move_next(&mut self.file, &mut writer)? {}
        writer.finish(&mut self.file)
    }
}

impl Unspill {
    /// Bytes written in all.
    pub(super) fn bytes(&self) -> u64 {
        self.spill.bytes
    }

    pub(super) fn next_document(&mut self) -> io::Result<Option<Document>> {
        self.merge.next_document(&mut self.spill.file).map_err(|error| self.spill.place.explain(error))
    }
}

impl Place {
    /// Says where it happened and what to do about it.
    fn explain(&self, error: io::Error) -> io::Error {
        use io::ErrorKind::{InvalidData, QuotaExceeded, StorageFull};
        let remedy = match (error.kind(), self.chosen) {
            (InvalidData, _) => "check the disk and run again",
            (StorageFull | QuotaExceeded, true) => {
                "free some space, choose another temporary folder, or allow more memory"
            }
            (StorageFull | QuotaExceeded, false) => {
                "free some space, set TMPDIR to a folder with more, or allow more memory"
            }
            (_, true) => "choose a temporary folder that can be written",
            (_, false) => "set TMPDIR to a folder that can be written",
        };
        let folder = self.folder.display();
        io::Error::new(error.kind(), format!("cannot sort by time in the folder {folder}: {error}; {remedy}"))
    }
}

fn block_bytes(memory: usize) -> usize {
    (memory / 128).clamp(SMALLEST_BLOCK, LARGEST_BLOCK)
}

/// How many runs are read at once, with one more buffer left to write.
fn fan_in(memory: usize) -> usize {
    (memory / block_bytes(memory)).saturating_sub(1).max(SMALLEST_FAN_IN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn merge_buffers_fit_in_memory() {
        for memory in [0, 1, 64 << 10, 100_000, 1 << 20, 32 << 20, 1 << 30, usize::MAX] {
            let buffers = (fan_in(memory) + 1).saturating_mul(block_bytes(memory));
            assert!(buffers <= memory.max(64 << 10), "{memory}: {buffers}");
            assert!(buffers > memory / 2, "{memory}: {buffers}");
        }
    }
}
