//! One file for each command.

mod calibrate;
mod cluster;
mod dedup;
mod eval;
mod eval_graph;
mod eval_origin;
mod evaluation;
mod generate;
mod graph;
mod inspect;
mod neardup;
mod representative;
mod shell;
mod table;
mod trace;
mod trace_row;

pub(crate) use calibrate::calibrate;
pub(crate) use cluster::cluster;
pub(crate) use dedup::dedup;
pub(crate) use eval::eval;
pub(crate) use generate::generate;
pub(crate) use graph::graph;
pub(crate) use inspect::inspect;
pub(crate) use shell::{completions, man};
pub(crate) use table::table;
pub(crate) use trace::trace;
