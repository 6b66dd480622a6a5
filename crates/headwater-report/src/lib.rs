//! Pages that show what Headwater found: one file each, with nothing to fetch, so that it can be mailed and kept.
//!
//! Every page is a title, a style, a body and a script over the house's own (`page.rs`); what it shows is a plain struct that
//! the caller fills. Nothing is computed here but layout, and nothing is read or written but the page itself.

pub mod census;
pub mod clusters;
pub mod diff;
pub mod evaluation;
pub mod graph;
mod page;
mod plot;
pub mod sweep;
pub mod trace;
