//! Engines as their users see them.

#![expect(clippy::unwrap_used, reason = "a test that fails should stop")]

mod https;
