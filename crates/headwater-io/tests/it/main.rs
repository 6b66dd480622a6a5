//! The promises of `headwater-io`, as its users see them.
#![expect(clippy::unwrap_used, reason = "a test that fails should stop")]

mod disk;
mod read;
mod sort;
mod table;
mod write;
