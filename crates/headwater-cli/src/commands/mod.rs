//! One file for each command.

mod eval;
mod eval_graph;
mod graph;
mod inspect;
mod shell;
mod table;
mod trace;
mod trace_row;

pub(crate) use eval::eval;
pub(crate) use graph::graph;
pub(crate) use inspect::inspect;
pub(crate) use shell::{completions, man};
pub(crate) use table::table;
pub(crate) use trace::trace;
