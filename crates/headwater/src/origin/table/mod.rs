//! The memory of the tracer: hash tables of a fixed number of bytes, in buckets that forget their least useful entry
//! when they are full. They know neither estimation nor report.
//!
//! The bucket number is the leading part of a mixed hash of the fingerprint. Of the fingerprint itself it must not be:
//! selected shingles are minima, and low buckets would overflow.

mod anchors;
mod heads;
mod memory;
mod processor;
mod shingles;
mod upkeep;
mod worth;

pub(crate) use anchors::{AnchorTable, Entry, Look};
pub use memory::Lent;
pub(crate) use shingles::{ShingleTable, Stored};
pub(crate) use upkeep::{Buckets, Loose, forget, merge};
pub(crate) use worth::{Decline, doublings};

use crate::text::part;

/// Which of `buckets` a mixed fingerprint belongs to: its leading part, so that a table can be split by range.
fn bucket(place: u64, buckets: usize) -> usize {
    part(place, buckets)
}
