//! What the measurements share: collections of documents, and the exact truth about them.

pub mod collection;
pub mod limit;
pub mod measure;
pub mod quality;
