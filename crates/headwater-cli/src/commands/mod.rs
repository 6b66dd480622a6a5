//! One file for each command.

mod census;
mod cluster;
mod copycats;
mod copycats_row;
mod dedup;
mod diff;
mod document_row;
mod eval;
mod eval_census;
mod eval_graph;
mod explain;
mod graph;
mod inspect;
mod neardup;
mod novel;
mod representative;
mod shell;
mod snippet;
mod table;
mod trace;
mod trace_page;
mod trace_row;

pub(crate) use census::census;
pub(crate) use cluster::cluster;
pub(crate) use copycats::copycats;
pub(crate) use dedup::dedup;
pub(crate) use diff::diff;
pub(crate) use eval::eval;
pub(crate) use explain::explain;
pub(crate) use graph::graph;
pub(crate) use inspect::inspect;
pub(crate) use novel::novel;
pub(crate) use shell::{completions, man};
pub(crate) use snippet::snippet;
pub(crate) use table::table;
pub(crate) use trace::trace;
