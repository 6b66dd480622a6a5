//! The paper's experiment on any collection (section 3): the exact truth, queries, and trials of algorithms against them.
//!
//! A collection is passed over as token hashes. [`Truths::find`] works out the origin of every shingle once; each [`Trial`]
//! then observes all documents in order and is marked on the queries. Neither touches a file or starts a thread: where
//! the collection lies is its own business, and any number of trials can run at the same time.

mod first_seen;
mod forecast;
mod trial;
mod truth;

pub use forecast::{Expected, Forecast, Measured, Point, Value};
pub use trial::{LENGTHS, Marks, Trial};
pub use truth::{Facts, QueryTruth, Run, Truths};
