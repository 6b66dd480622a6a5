//! The bytes that a table lives in: our own, or lent by whoever keeps tables in files.

use std::fmt::Debug;

/// Tables begin where a cache line begins.
const ALIGNMENT: usize = 64;

/// Bytes that a tracer can work on and give back: those of a table that was kept, such as a mapped file.
///
/// They must begin at a multiple of 64, as every mapping does, or buckets straddle cache lines.
pub trait Lent: AsRef<[u8]> + AsMut<[u8]> + Debug + Send + Sync {}

impl<T: AsRef<[u8]> + AsMut<[u8]> + Debug + Send + Sync> Lent for T {}

#[derive(Debug)]
pub(crate) enum Memory {
    /// The bytes from `base` on are the table's.
    Own {
        bytes: Vec<u8>,
        base: usize,
    },
    Lent(Box<dyn Lent>),
}

impl Memory {
    /// So many zeros. The memory is mapped as it is used.
    pub(crate) fn zeros(length: usize) -> Self {
        let mut bytes = vec![0; length + ALIGNMENT];
        let base = bytes.as_ptr().align_offset(ALIGNMENT).min(ALIGNMENT);
        bytes.truncate(base + length);
        Memory::Own { bytes, base }
    }

    #[inline]
    pub(crate) fn get(&self) -> &[u8] {
        match self {
            Memory::Own { bytes, base } => &bytes[*base..],
            Memory::Lent(lent) => (**lent).as_ref(),
        }
    }

    #[inline]
    pub(crate) fn get_mut(&mut self) -> &mut [u8] {
        match self {
            Memory::Own { bytes, base } => &mut bytes[*base..],
            Memory::Lent(lent) => (**lent).as_mut(),
        }
    }
}

/// What is to be allowed for beside the table, so that it can begin at a cache line.
pub(crate) const MARGIN: usize = ALIGNMENT;
