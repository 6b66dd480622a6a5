//! What people see: talk on standard error, and documents painted by origin.

mod columns;
mod numbers;
mod paint;
mod talk;
mod wrap;

pub(crate) use columns::{Part, columns};
pub(crate) use numbers::{bytes, count, percent};
pub(crate) use paint::{Painter, Passage, Source, Story, colour, page_width, plain};
pub(crate) use talk::Talk;
