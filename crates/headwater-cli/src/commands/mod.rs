//! One file for each command.

mod cluster;
mod dedup;
mod eval;
mod eval_cluster;
mod eval_graph;
mod graph;
mod inspect;
mod neardup;
mod representative;
mod shell;
mod table;
mod trace;
mod trace_row;
mod truth;

pub(crate) use cluster::cluster;
pub(crate) use dedup::dedup;
pub(crate) use eval::eval;
pub(crate) use graph::graph;
pub(crate) use inspect::inspect;
pub(crate) use shell::{completions, man};
pub(crate) use table::table;
pub(crate) use trace::trace;
