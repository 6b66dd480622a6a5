//! The program as its users see it: command, exit code, standard output, standard error.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that meets an error should stop")]

mod bad_input;
mod census;
mod cluster;
mod cluster_growth;
mod eval_census;
mod eval_origin;
mod evidence;
mod generate;
mod graph;
mod graph_growth;
mod help;
mod inspect;
mod pages;
#[cfg(target_os = "linux")]
mod peak_memory;
mod program;
mod readme;
mod table;
mod trace;
mod uses;
