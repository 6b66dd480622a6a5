//! Order by time in a fixed amount of memory.
//!
//! Documents are gathered until they fill the budget, sorted, and spilled as one *run*; in the end all runs are merged
//! (Knuth, The Art of Computer Programming, volume 3, section 5.4). What fits in the budget never touches the disk.
//!
//! ```
//! use headwater::Document;
//! use headwater_io::sort::TimeSorter;
//!
//! let document = |id: &str| Document { id: id.into(), time: None, url: None, text: String::new() };
//! let mut sorter = TimeSorter::new(64 << 20, None);
//! sorter.push(2009, document("later"))?;
//! sorter.push(2006, document("earlier"))?;
//! let ids: Result<Vec<_>, _> = sorter.finish()?.map(|document| document.map(|document| document.id)).collect();
//! assert_eq!(ids?, ["earlier", "later"]);
//! # std::io::Result::Ok(())
//! ```

mod merge;
mod record;
mod run;
mod spill;

use std::fmt::{self, Write};
use std::io;
use std::path::{Path, PathBuf};
use std::vec;

use headwater::Document;

use spill::{Spill, Unspill};

/// Puts documents into the order of (time, arrival), in bounded memory.
pub struct TimeSorter {
    memory: usize,
    folder: Option<PathBuf>,
    held: Vec<Entry>,
    held_bytes: usize,
    spill: Option<Spill>,
}

/// The documents of a [`TimeSorter`], earliest first; ends after the first error.
pub struct Sorted {
    source: Source,
    spilled_bytes: u64,
}

struct Entry {
    micros: i64,
    arrival: usize,
    document: Document,
}

enum Source {
    Held(vec::IntoIter<Entry>),
    Spilled(Box<Unspill>),
    Failed,
}

impl TimeSorter {
    /// Sorts within about `memory` bytes; what does not fit goes to a file without a name in `folder`, or in the
    /// system's folder for temporary files. The file vanishes with the process, however that ends.
    ///
    /// One document is always held whole, and merging takes at least 64 KiB, whatever `memory` says.
    pub fn new(memory: usize, folder: Option<&Path>) -> Self {
        TimeSorter { memory, folder: folder.map(Path::to_owned), held: Vec::new(), held_bytes: 0, spill: None }
    }

    /// Adds a document; of two with the same `micros` the one that was pushed first comes out first.
    pub fn push(&mut self, micros: i64, document: Document) -> io::Result<()> {
        let bytes = footprint(&document);
        if !self.held.is_empty() && self.held_bytes.saturating_add(bytes) > self.memory {
            self.spill_held()?;
        }
        self.held_bytes = self.held_bytes.saturating_add(bytes);
        self.held.push(Entry { micros, arrival: self.held.len(), document });
        Ok(())
    }

    /// How many bytes have gone to disk so far.
    pub fn spilled_bytes(&self) -> u64 {
        self.spill.as_ref().map_or(0, Spill::bytes)
    }

    /// Ends the input; the documents come out in order.
    pub fn finish(mut self) -> io::Result<Sorted> {
        if self.spill.is_some() {
            self.spill_held()?;
        }
        match self.spill.take() {
            Some(spill) => {
                let unspill = spill.merge()?;
                Ok(Sorted { spilled_bytes: unspill.bytes(), source: Source::Spilled(Box::new(unspill)) })
            }
            None => {
                sort(&mut self.held);
                Ok(Sorted { spilled_bytes: 0, source: Source::Held(self.held.into_iter()) })
            }
        }
    }

    fn spill_held(&mut self) -> io::Result<()> {
        sort(&mut self.held);
        let spill = match &mut self.spill {
            Some(spill) => spill,
            none => none.insert(Spill::create(self.memory, self.folder.as_deref())?),
        };
        spill.write_run(self.held.drain(..).map(|entry| (entry.micros, entry.document)))?;
        self.held_bytes = 0;
        Ok(())
    }
}

impl Sorted {
    /// How many bytes the sort wrote to disk; 0 if all documents fitted in memory.
    pub fn spilled_bytes(&self) -> u64 {
        self.spilled_bytes
    }
}

impl Iterator for Sorted {
    type Item = io::Result<Document>;

    fn next(&mut self) -> Option<Self::Item> {
        let next = match &mut self.source {
            Source::Held(entries) => entries.next().map(|entry| Ok(entry.document)),
            Source::Spilled(unspill) => unspill.next_document().transpose(),
            Source::Failed => None,
        };
        if let Some(Err(_)) = next {
            self.source = Source::Failed;
        }
        next
    }
}

/// In place, where a stable sort would need half as much memory again.
fn sort(entries: &mut [Entry]) {
    entries.sort_unstable_by_key(|entry| (entry.micros, entry.arrival));
}

/// What a held document costs: its strings, what the allocator adds to each, and its place in a vector that is up to
/// half empty.
fn footprint(document: &Document) -> usize {
    const ALLOCATION: usize = 16;
    let mut written = Length(0);
    if let Some(time) = &document.time {
        write!(written, "{time}").expect("counting cannot fail");
    }
    let strings = document.id.capacity() + document.text.capacity() + document.url.as_ref().map_or(0, String::capacity);
    strings + written.0 + 4 * ALLOCATION + 2 * size_of::<Entry>()
}

/// Counts the bytes of what is printed to it.
struct Length(usize);

impl fmt::Write for Length {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0 += text.len();
        Ok(())
    }
}
