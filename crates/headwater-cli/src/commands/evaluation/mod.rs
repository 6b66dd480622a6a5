//! What measuring commands share: a collection that is read once and passed over many times, and trials on many threads.

mod run;
mod stream;

pub(crate) use run::{Pass, run};
pub(crate) use stream::{Stream, StreamSettings};
