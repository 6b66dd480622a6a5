//! What the library promises, as its users see it, on real collections where they are at hand; and the plan of the house.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that fails should stop")]

mod algorithms;
mod collections;
mod late;
mod memory;
mod neardup;
mod origin;
mod quality;
mod resume;
mod rooms;
mod shares;
mod truth;
mod upkeep;
