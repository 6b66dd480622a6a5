//! A part of a file as memory that can be changed without changing the file.

#![expect(unsafe_code, reason = "a mapping has no safe form: another process could cut the file off under it")]

use std::fs::File;
use std::io;

use headwater::origin::Lent;
use memmap2::MmapOptions;

/// Maps so many bytes from `offset` on. Changes stay with this process.
pub(super) fn map(file: &File, offset: u64, bytes: u64) -> io::Result<Box<dyn Lent>> {
    let length =
        usize::try_from(bytes).map_err(|_| io::Error::other("it is larger than this machine's memory can be"))?;
    // SAFETY: nothing of ours ever changes or cuts off a table's file: a new one takes its place, and this one stays what it
    // is for whoever has opened it. The caller has checked that the file has these bytes.
    let mapped = unsafe { MmapOptions::new().offset(offset).len(length).no_reserve_swap().map_copy(file)? };
    Ok(Box::new(mapped))
}
