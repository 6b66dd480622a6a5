//! One file for each command.

mod census;
mod cluster;
mod dedup;
mod eval;
mod eval_census;
mod eval_graph;
mod graph;
mod inspect;
mod neardup;
mod representative;
mod shell;
mod table;
mod trace;
mod trace_row;

pub(crate) use census::census;
pub(crate) use cluster::cluster;
pub(crate) use dedup::dedup;
pub(crate) use eval::eval;
pub(crate) use graph::graph;
pub(crate) use inspect::inspect;
pub(crate) use shell::{completions, man};
pub(crate) use table::table;
pub(crate) use trace::trace;
