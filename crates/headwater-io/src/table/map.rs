//! Memory from the system itself: a part of a file that can be changed without changing the file, and large pages.

#![expect(unsafe_code, reason = "a mapping has no safe form: another process could cut the file off under it")]

use std::fs::File;
use std::io;

use headwater::origin::{InvalidSettings, Lent, Settings, Tracer};
use memmap2::MmapOptions;

/// Bytes of input for each small page of the table from which on large pages are better: about two anchors in three pages.
const PER_PAGE: u64 = 32;
const SMALL_PAGE: u64 = 4096;

/// A tracer that has seen nothing, with its table in large pages where the system has them: a table is touched at random, and
/// with small pages the processor looks up where each lies.
///
/// Large pages are cleared whole at the first touch. So where it is known that there are only so many bytes of `input`, and that
/// they will leave most of the table as it is, its pages stay small.
pub fn new_tracer(settings: Settings, input: Option<u64>) -> Result<Tracer, InvalidSettings> {
    Tracer::new_in(settings, |length| {
        let zeros = MmapOptions::new().len(length).map_anon().ok()?;
        let pages = length as u64 / SMALL_PAGE;
        if input.is_none_or(|bytes| bytes / PER_PAGE >= pages) {
            // Where the system has no large pages, small ones do.
            #[cfg(target_os = "linux")]
            let _ = zeros.advise(memmap2::Advice::HugePage);
        }
        Some(Box::new(zeros))
    })
}

/// Maps so many bytes from `offset` on. Changes stay with this process.
pub(super) fn map(file: &File, offset: u64, bytes: u64) -> io::Result<Box<dyn Lent>> {
    let length =
        usize::try_from(bytes).map_err(|_| io::Error::other("it is larger than this machine's memory can be"))?;
    // SAFETY: nothing of ours ever changes or cuts off a table's file: a new one takes its place, and this one stays what it
    // is for whoever has opened it. The caller has checked that the file has these bytes.
    let mapped = unsafe { MmapOptions::new().offset(offset).len(length).no_reserve_swap().map_copy(file)? };
    Ok(Box::new(mapped))
}
