//! Where did this text come from, and what in it is new?
//!
//! Pure computation: no files, no network, no threads of its own.

pub mod document;
pub mod origin;
pub mod select;
pub mod text;

pub use document::{Document, Time};
