//! What can be said about the shingles that the table has forgotten.
//!
//! The paper's way (section 2.3): a label for every selected shingle, by [`expansion`] to the neighbours of those that were
//! found and by [`bridging`] between two of them. And Headwater's own: [`aligned`] passages with [`open_ends`].

pub(crate) mod aligned;
pub(crate) mod bridging;
pub(crate) mod expansion;
pub(crate) mod learnt;
pub(crate) mod open_ends;

use super::report::Evidence;
use super::table::Stored;

/// One byte of a shingle's fingerprint, by which it is recognised as a neighbour. It is from the middle, because selected
/// fingerprints can be small (Winnowing) or divisible (Modulo).
pub(crate) fn neighbour_byte(fingerprint: u64) -> u8 {
    (fingerprint >> 24) as u8
}

/// A selected shingle of the document at hand, with what the table said about it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asked {
    /// One byte of its fingerprint.
    pub(crate) byte: u8,
    /// What is stored about it, if it was found as another document's.
    pub(crate) stored: Option<Stored>,
}

/// The estimated origin of a selected shingle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Label {
    pub(crate) origin: u32,
    pub(crate) evidence: Evidence,
}

#[cfg(test)]
mod tests;
