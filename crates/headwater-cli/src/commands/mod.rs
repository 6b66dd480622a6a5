//! One file for each command.

mod cluster;
mod dedup;
mod inspect;
mod neardup;
mod representative;
mod shell;
mod trace;
mod trace_row;

pub(crate) use cluster::cluster;
pub(crate) use dedup::dedup;
pub(crate) use inspect::inspect;
pub(crate) use shell::{completions, man};
pub(crate) use trace::trace;
