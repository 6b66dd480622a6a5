//! The file that takes the runs, and how many of them fit in memory at once.

use std::env;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use headwater::Document;

use super::merge::Merge;
use super::run::{Run, RunWriter};

/// Larger blocks no longer make reading faster.
const LARGEST_BLOCK: usize = 256 << 10;
/// Smaller blocks would spend their time on calls.
const SMALLEST_BLOCK: usize = 4 << 10;
/// Fewer runs at a time would take too many passes; with the smallest blocks this is 64 KiB.
const SMALLEST_FAN_IN: usize = 16;

/// All runs of one pass, one after the other in one file without a name: one open file, however many runs.
pub(super) struct Spill {
    file: File,
    runs: Vec<Run>,
    bytes: u64,
    memory: usize,
    place: Place,
}

/// The folder for temporary files, and who chose it: what an error has to say.
#[derive(Clone)]
pub(super) struct Place {
    folder: PathBuf,
    chosen: bool,
}

impl Spill {
    pub(super) fn create(memory: usize, folder: Option<&Path>) -> io::Result<Self> {
        let place = Place { folder: folder.map_or_else(env::temp_dir, Path::to_owned), chosen: folder.is_some() };
        Self::create_at(memory, place)
    }

    /// Bytes written so far.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Appends one run; the documents must come in order, and after those of all earlier runs where times are equal.
    pub(super) fn write_run(&mut self, documents: impl Iterator<Item = (i64, Document)>) -> io::Result<()> {
        let mut writer = RunWriter::new(&mut self.file, self.bytes, block_bytes(self.memory));
        let run = documents
            .into_iter()
            .try_for_each(|(micros, document)| writer.push(micros, &document))
            .and_then(|()| writer.finish())
            .map_err(|error| self.place.explain(error))?;
        self.add(run);
        Ok(())
    }

    /// Merges all runs, in several passes if there are more than memory has buffers for.
    pub(super) fn merge(mut self) -> io::Result<Merge> {
        while self.runs.len() > fan_in(self.memory) {
            self = self.merge_once()?;
        }
        Merge::new(self.file, &self.runs, block_bytes(self.memory), self.place)
    }

    /// Merges neighbouring runs, so that the order of runs stays the order of arrival.
    fn merge_once(self) -> io::Result<Self> {
        let block_bytes = block_bytes(self.memory);
        let mut merged = Self::create_at(self.memory, self.place.clone())?;
        let mut file = self.file;
        for runs in self.runs.chunks(fan_in(self.memory)) {
            let mut merge = Merge::new(file, runs, block_bytes, self.place.clone())?;
            let mut writer = RunWriter::new(&mut merged.file, merged.bytes, block_bytes);
            while merge.move_next(&mut writer)? {}
            let run = writer.finish().map_err(|error| self.place.explain(error))?;
            merged.add(run);
            file = merge.into_file();
        }
        Ok(merged)
    }

    fn create_at(memory: usize, place: Place) -> io::Result<Self> {
        let file = tempfile::tempfile_in(&place.folder).map_err(|error| place.explain(error))?;
        Ok(Spill { file, runs: Vec::new(), bytes: 0, memory, place })
    }

    fn add(&mut self, run: Run) {
        self.bytes = run.end();
        self.runs.push(run);
    }
}

impl Place {
    /// Says where it happened and what to do about it.
    pub(super) fn explain(&self, error: io::Error) -> io::Error {
        let remedy = match (error.kind(), self.chosen) {
            (io::ErrorKind::InvalidData, _) => "check the disk and run again",
            (io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded, true) => {
                "free some space, choose another temporary folder, or allow more memory"
            }
            (io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded, false) => {
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

fn fan_in(memory: usize) -> usize {
    (memory / block_bytes(memory)).max(SMALLEST_FAN_IN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn merge_buffers_fit_in_memory() {
        for memory in [0, 1, 64 << 10, 100_000, 1 << 20, 32 << 20, 1 << 30, usize::MAX] {
            let buffers = fan_in(memory).saturating_mul(block_bytes(memory));
            assert!(buffers <= memory.max(64 << 10), "{memory}: {buffers}");
            assert!(buffers > memory / 2, "{memory}: {buffers}");
        }
    }
}
