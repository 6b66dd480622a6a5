//! Collections that can only be searched, for [`headwater::census`].
//!
//! - [`Index`]: a full-text index in memory, built from a collection. [`Part`] searches all or some of its documents, with the faults that
//!   real engines have: only the beginning of a document indexed, few results of a host, always the same documents first, searches that fail.
//! - [`Endpoint`]: a search service on the network that answers in JSON, described by a small file.
//!
//! This crate is the only one that touches the network.

#![cfg_attr(test, expect(clippy::unwrap_used, reason = "a test that fails should stop"))]

mod description;
mod endpoint;
mod index;
mod part;

pub use description::{Description, DescriptionError};
pub use endpoint::Endpoint;
pub use index::{Index, IndexError, Indexer};
pub use part::{Faults, Part, Ranking};
