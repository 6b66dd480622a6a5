//! How large is one collection beside another, and how much do they share?
//!
//! The size-estimation half of the slides *IIR 19*, after Bharat and Broder (WWW7, 1998): draw documents from each collection, check
//! which others have them, and solve for sizes. Everything has an interval.
//!
//! 1. Drawing: uniformly from a [`Catalogue`] of a collection that can be read; by [`RandomQueries`] from an [`Engine`] that can only be
//!    searched; by a random [`Walk`] over links.
//! 2. Checking: by content or address in a [`Catalogue`], near-duplicates in a [`NearIndex`], in an engine by [`StrongQuery`]. All are
//!    indexes: nothing is scanned.
//! 3. [`Census`]: shares with exact binomial intervals, sizes by least squares over all pairs, joint coverage.
//!
//! Other ways to a size, to compare with: [`Searches`] that people made, [`extrapolate`] from some hosts, and [`recapture()`].
//!
//! ```
//! use headwater::census::{Catalogue, Census, Members, Sample, Settings};
//!
//! // Two crawls: half of the first is in the second, a sixth of the second in the first.
//! let crawls = [Catalogue::new((0..20_000).collect()), Catalogue::new((10_000..70_000).collect())];
//! let samples = crawls.each_ref().map(|crawl| {
//!     let mut sample = Sample::new();
//!     let draw = crawl.draw(1000, 7);
//!     for document in draw.documents {
//!         sample.push(1.0, Members::of(crawls.len(), |other| crawls[other].contains(document)));
//!     }
//!     sample.reached(draw.reach);
//!     sample
//! });
//! let census = Census::new(&samples, &Settings::default());
//! assert!(census.overlap[0].interval.contains(1.0 / 2.0) && census.overlap[1].interval.contains(1.0 / 6.0));
//! assert!(census.collections[1].interval.contains(3.0)); // the second is three times as large
//! ```

mod catalogue;
mod engine;
mod estimate;
mod hosts;
mod identity;
mod interval;
mod lexicon;
mod near;
mod queries;
mod random;
mod recapture;
mod sample;
mod searches;
mod solve;
mod strong;
#[cfg(test)]
mod toy;
mod vocabulary;
mod walk;

pub use catalogue::{Catalogue, Draw};
pub use engine::{Engine, EngineError, Hit, Trouble};
pub use estimate::{Census, Overlap, Settings, Size};
pub use hosts::{extrapolate, host_ratio};
pub use identity::{address, content, host};
pub use interval::{Interval, binomial, trials_for};
pub use lexicon::{Lexicon, words};
pub use near::NearIndex;
pub use queries::{Drawn, Memory, RandomQueries};
pub use random::Random;
pub use recapture::{Recaptured, recapture};
pub use sample::{Members, Repeated, Sample};
pub use searches::Searches;
pub use solve::relative_sizes;
pub use strong::{Found, StrongQuery, resemblance};
pub use vocabulary::Vocabulary;
pub use walk::{Links, Stop, Walk};
