//! What people see: talk on standard error, and documents painted by origin.

mod numbers;
mod paint;
mod talk;
mod wrap;

pub(crate) use numbers::{bytes, count, percent};
pub(crate) use paint::{Painter, Passage, Source, Story, plain};
pub(crate) use talk::Talk;
