//! Documents in and answers out: readers, writers, compression, and order by time.

pub mod sort;
pub mod write;
