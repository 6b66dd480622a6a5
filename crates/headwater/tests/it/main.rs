//! The library as its users see it, and on real collections where they are at hand.

#![expect(clippy::unwrap_used, reason = "a test that fails should stop")]

mod collections;
mod late;
mod memory;
mod origin;
mod shares;
mod truth;
