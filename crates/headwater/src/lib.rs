//! Where did this text come from, and what in it is new?
//!
//! Pure computation: no files, no network, no threads of its own. `headwater-io` reads documents in every common format and
//! writes answers; `headwater-cli` is the program.
//!
//! Data flows one way, each step in its own module:
//!
//! 1. [`document`]: a text with a name and a time.
//! 2. [`text`]: its tokens with their byte spans, and a fingerprint for every shingle of k tokens.
//! 3. [`select`]: which shingles take part.
//! 4. [`origin`]: who had them first, as far as a fixed amount of memory tells, and the report that follows from it.
//!
//! # Which earlier document is each passage from?
//!
//! ```
//! use headwater::origin::{InOrder, Settings, Tracer};
//!
//! let mut tracer = Tracer::new(Settings { memory: 1 << 20, ..Settings::default() })?;
//! let preparer = tracer.preparer(); // works on any thread
//!
//! let wire = "masons repairing the drained weir have uncovered a slate river gauge older than any the town knew of";
//! let post = format!("My neighbour reads me the news: {wire}. I put the kettle on.");
//! tracer.observe(&preparer.prepare(wire)?, 1, &InOrder);
//! let report = tracer.observe(&preparer.prepare(&post)?, 2, &InOrder);
//!
//! assert_eq!(report.dominant, Some(0)); // most of it is the first document's
//! assert!(post[report.segments[0].bytes.clone()].contains("slate river gauge older than any"));
//! assert!(report.is_fresh(0) && !report.is_fresh(12));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Which documents share text?
//!
//! ```
//! use headwater::coderivative::shared::{Extract, MemoryBins};
//! use headwater::coderivative::{Collection, InMemory, Lists, Relate, Score};
//! use headwater::text::{Reading, Tokens};
//!
//! let texts = [
//!     "masons repairing the drained weir have uncovered a slate river gauge older than any the town knew of",
//!     "the chess club met on Tuesday and nobody resigned",
//!     "older news: repairing the drained weir have uncovered a slate river gauge, said the mayor",
//! ];
//! let (mut collection, mut lengths, mut tokens) = (InMemory::new(), Vec::new(), Tokens::new());
//! for text in texts {
//!     tokens.read(text, Reading::Words)?;
//!     collection.push(tokens.hashes());
//!     lengths.push(tokens.len() as u32);
//! }
//! let extract = Extract { memory: 1 << 20, ..Extract::default() };
//! let mut lists = Lists::new();
//! let bins = MemoryBins::new(extract.bins(collection.tokens()));
//! let Ok(_) = extract.run(&collection, bins, |chunks| {
//!     chunks.iter().flatten().for_each(|chunk| lists.add(chunk.document_bytes(), chunk.documents));
//!     Ok(())
//! });
//! let relate = Relate { score: Score::S1, threshold: 3.0, ..Relate::default() };
//! let relations = relate.run(&lists, &lengths);
//! assert_eq!((relations[0].edge.a, relations[0].edge.b, relations[0].chunks), (0, 2, 3));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Which documents are nearly the same?
//!
//! [`neardup`] has the methods and an example.
//!
//! # How large is one collection beside another?
//!
//! ```
//! use headwater::census::{Catalogue, Census, Members, Sample, Settings, content};
//!
//! let crawl = |pages: std::ops::Range<u32>| Catalogue::new(pages.map(|page| content(&page.to_string())).collect());
//! let crawls = [crawl(0..2_000), crawl(1_000..7_000)];
//! let samples = crawls.each_ref().map(|crawl| {
//!     let mut sample = Sample::new();
//!     let draw = crawl.draw(500, 1);
//!     for page in draw.documents {
//!         sample.push(1.0, Members::of(2, |other| crawls[other].contains(page)));
//!     }
//!     sample.reached(draw.reach);
//!     sample
//! });
//! let census = Census::new(&samples, &Settings::default());
//! assert!(census.overlap[0].interval.contains(0.5)); // half of the first is in the second,
//! assert!(census.collections[1].interval.contains(3.0)); // which is three times as large
//! ```
//!
//! [`census`] has the other methods, also for collections that can only be searched.
//!
//! # What are the words of this text?
//!
//! ```
//! use headwater::text::{Reading, Tokens};
//!
//! let mut tokens = Tokens::new();
//! tokens.read("Wasser — вода — 水路", Reading::Words)?;
//! assert_eq!(tokens.len(), 4); // scripts without spaces give a token for each letter
//! # Ok::<(), headwater::text::TextTooLong>(())
//! ```

#![cfg_attr(test, expect(clippy::unwrap_used, reason = "a test that meets an error should stop"))]

pub mod census;
pub mod coderivative;
pub mod collection;
pub mod document;
pub mod generate;
pub mod graph;
pub mod neardup;
pub mod origin;
pub mod select;
pub mod text;

pub use document::{Document, Time};

/// The README's example is run with the others.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
