//! Where did this text come from, and what in it is new?
//!
//! Pure computation: no files, no network, no threads of its own.

#![cfg_attr(test, expect(clippy::unwrap_used, reason = "a test that meets an error should stop"))]

pub mod document;
pub mod origin;
pub mod select;
pub mod text;

pub use document::{Document, Time};
