//! Memory from the system itself: a part of a file that can be changed without changing the file, and large pages.

#![expect(unsafe_code, reason = "a mapping has no safe form: another process could cut the file off under it")]

use std::fs::File;
use std::io;

use headwater::origin::{InvalidSettings, Lent, Settings, Tracer};
use memmap2::MmapOptions;

/// A tracer that has seen nothing, with its table in large pages where the system has them: a table is touched at random, and
/// with small pages the processor looks up where each lies.
pub fn new_tracer(settings: Settings) -> Result<Tracer, InvalidSettings> {
    Tracer::new_in(settings, |length| {
        let zeros = MmapOptions::new().len(length).map_anon().ok()?;
        // Where the system has no large pages, small ones do.
        #[cfg(target_os = "linux")]
        let _ = zeros.advise(memmap2::Advice::HugePage);
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
