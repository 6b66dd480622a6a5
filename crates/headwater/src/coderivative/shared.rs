//! From what may be repeated to what is shared: the pass that makes SPEX exact.
//!
//! Every occurrence of a chunk that the sieve lets through is put into a bin by the leading bits of its fingerprint; but of a
//! chunk that a document repeats again and again only the first, and perhaps a few more. A bin fits in memory; sorted, it
//! shows which chunks stand in two or more documents. So nothing that the counters took for repeated by a collision is left,
//! and nothing is lost. Chunks are told apart by their fingerprints of 64 bits.

use std::cell::RefCell;
use std::convert::Infallible;

use super::collection::{Batch, Collection};
use super::counters::Occupancy;
use super::filter::Pipeline;
use super::postings::{Posting, Writer};
use super::spex::{Schedule, Sieve};
use crate::text::{fingerprints, part};

pub use super::postings::{Chunk, Chunks, Damaged};

/// One place where a chunk stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Occurrence {
    /// The fingerprint of the chunk.
    pub fingerprint: u64,
    /// The document.
    pub document: u32,
    /// The position of its first token.
    pub position: u32,
}

/// The occurrences of one batch, ordered by bin, and by document and position in each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Binned {
    occurrences: Vec<Occurrence>,
    /// Where each bin ends.
    ends: Vec<u32>,
}

impl Binned {
    /// What each bin gets.
    pub fn of(bins: &[Vec<Occurrence>]) -> Self {
        let mut binned = Binned::default();
        for bin in bins {
            binned.occurrences.extend_from_slice(bin);
            binned.ends.push(binned.occurrences.len() as u32);
        }
        binned
    }

    /// What is in a bin.
    pub fn bin(&self, bin: usize) -> &[Occurrence] {
        let start = bin.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.occurrences[start as usize..self.ends[bin] as usize]
    }

    /// All of it, bin after bin.
    pub fn occurrences(&self) -> &[Occurrence] {
        &self.occurrences
    }
}

/// Where occurrences wait to be sorted: in memory, or on disk where there are more.
pub trait Bins {
    /// Why they can fail.
    type Error;

    /// How many bins there are; [`Extract::bins`] says how many suit.
    fn count(&self) -> usize;

    /// Adds to every bin what the next batch has for it.
    fn put(&mut self, batch: Binned) -> Result<(), Self::Error>;

    /// Empties all bins: runs `work` on the pieces of each, which are in the order of the batches, perhaps on several bins at
    /// once, and hands the results to `deliver` in order.
    fn drain<R: Send>(
        self,
        work: impl Fn(&[&[Occurrence]]) -> R + Sync,
        deliver: impl FnMut(R) -> Result<(), Self::Error>,
    ) -> Result<(), Self::Error>;
}

/// How shared chunks are extracted.
#[derive(Clone, Debug)]
pub struct Extract {
    /// Tokens in a chunk.
    pub length: usize,
    /// The lengths that are counted on the way.
    pub schedule: Schedule,
    /// Which chunks take part.
    pub pipeline: Pipeline,
    /// Bytes for counters, and later for bins.
    pub memory: usize,
}

/// What the passes saw.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extracted {
    /// How full the counters were after each pass (Figure 3).
    pub occupancy: Vec<Occupancy>,
    /// Occurrences that the sieve let through and that were put into bins, before they were verified.
    pub candidates: u64,
}

/// Eight words as in the paper, 256 MiB, every chunk.
impl Default for Extract {
    fn default() -> Self {
        Extract { length: 8, schedule: Schedule::default(), pipeline: Pipeline::default(), memory: 256 << 20 }
    }
}

/// More bins than this would leave too little of a batch for each.
const MOST_BINS: u64 = 1 << 11;

impl Extract {
    /// How many bins the occurrences of so many tokens need, so that a core's own cache holds one while it is sorted.
    pub fn bins(&self, tokens: u64) -> usize {
        let bytes = tokens.saturating_mul(size_of::<Occurrence>() as u64);
        let bin = (self.memory as u64 / 16).clamp(1 << 16, 1 << 20);
        bytes.div_ceil(bin).clamp(1, MOST_BINS) as usize
    }

    /// Runs all passes, and hands the shared chunks to `sink` in ascending order of their fingerprints.
    ///
    /// A chunk is shared where two or more documents have it. `bins` must be empty.
    pub fn run<C: Collection, B: Bins<Error = C::Error>>(
        &self,
        collection: &C,
        mut bins: B,
        sink: impl FnMut(Chunks) -> Result<(), C::Error>,
    ) -> Result<Extracted, C::Error> {
        let sieve = Sieve::build(collection, self.length, self.schedule, &self.pipeline, self.memory / 2)?;
        let count = bins.count();
        let mut candidates_found = 0;
        collection.pass(
            |batch| candidates(batch, &self.pipeline, self.length, count, |chunk| sieve.may_repeat(chunk)),
            |found| {
                candidates_found += found.occurrences.len() as u64;
                bins.put(found)
            },
        )?;
        // The counters make room for the bins.
        let occupancy = sieve.into_occupancy();
        bins.drain(verify, sink)?;
        Ok(Extracted { occupancy, candidates: candidates_found })
    }
}

/// The bin of a fingerprint: by its leading bits, so that bins in order are fingerprints in order.
#[inline]
fn bin_of(fingerprint: u64, bins: usize) -> usize {
    part(fingerprint, bins)
}

/// What a thread needs for every batch and every bin. Kept from one to the next: fresh memory of that size comes from the
/// system, page by page, and costs as much as the work itself.
#[derive(Default)]
struct Scratch {
    chunks: Vec<u64>,
    keep: Vec<bool>,
    occurrences: Vec<Occurrence>,
    ends: Vec<u32>,
    met: Met,
}

/// Some of the chunks that a document has had, by the leading bits of their fingerprints: the last of each place.
///
/// Only the first occurrence in a document counts. Without this, a text of one word over and over would fill one bin.
#[derive(Default)]
struct Met {
    /// A chunk and the document that had it, as counted here: numbers of documents come again in the next pass.
    last: Vec<(u64, u64)>,
    documents: u64,
}

impl Met {
    /// Longer than the periods of texts that repeat themselves often, and small enough for a core's own cache.
    const PLACES: usize = 1 << 13;

    /// From now on another document's chunks are met.
    fn next_document(&mut self) {
        self.last.resize(Self::PLACES, (0, 0));
        self.documents += 1;
    }

    /// Whether the chunk may be the document's first of its kind.
    fn is_new(&mut self, fingerprint: u64) -> bool {
        let this = (fingerprint, self.documents);
        std::mem::replace(&mut self.last[part(fingerprint, Self::PLACES)], this) != this
    }
}

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

/// The chunks of a batch that the pipeline keeps and that `may` be shared.
pub(super) fn candidates(
    batch: &Batch,
    pipeline: &Pipeline,
    length: usize,
    bins: usize,
    may: impl Fn(u64) -> bool,
) -> Binned {
    SCRATCH.with_borrow_mut(|Scratch { chunks, keep, occurrences: found, met, .. }| {
        found.clear();
        for (document, tokens) in batch.documents() {
            fingerprints(tokens, length, chunks);
            keep.clear();
            keep.extend(chunks.iter().map(|&chunk| may(chunk)));
            pipeline.apply(tokens, chunks, length, keep);
            met.next_document();
            let kept = (0..).zip(&*chunks).zip(&*keep).filter(|(_, keep)| **keep).map(|(chunk, _)| chunk);
            let first = kept.filter(|(_, fingerprint)| met.is_new(**fingerprint));
            found.extend(first.map(|(position, &fingerprint)| Occurrence { fingerprint, document, position }));
        }
        let mut ends = vec![0u32; bins + 1];
        found.iter().for_each(|occurrence| ends[bin_of(occurrence.fingerprint, bins) + 1] += 1);
        for bin in 0..bins {
            ends[bin + 1] += ends[bin];
        }
        let mut occurrences = vec![Occurrence::default(); found.len()];
        for &occurrence in found.iter() {
            let place = &mut ends[bin_of(occurrence.fingerprint, bins)];
            occurrences[*place as usize] = occurrence;
            *place += 1;
        }
        ends.pop();
        Binned { occurrences, ends }
    })
}

/// Sorts a bin and keeps the chunks of two or more documents.
pub(super) fn verify(pieces: &[&[Occurrence]]) -> Chunks {
    SCRATCH.with_borrow_mut(|Scratch { occurrences: bin, ends, .. }| {
        sort(pieces, bin, ends);
        let mut writer = Writer::default();
        let mut postings: Vec<Posting> = Vec::new();
        for group in bin.chunk_by(|one, next| one.fingerprint == next.fingerprint) {
            if group[0].document == group[group.len() - 1].document {
                continue;
            }
            postings.clear();
            for occurrence in group {
                // Where a document has the chunk several times its first place counts.
                if postings.last().is_none_or(|last| last.document != occurrence.document) {
                    postings.push(Posting { document: occurrence.document, position: occurrence.position });
                }
            }
            writer.push(group[0].fingerprint, &postings);
        }
        writer.finish()
    })
}

/// Puts all pieces into `sorted`, by fingerprint; among equals in the order of arrival, which is that of documents and
/// positions.
///
/// One scatter by the bits in which the fingerprints of a bin differ first leaves a handful to each slot: several times
/// faster than sorting by comparison from the start.
fn sort(pieces: &[&[Occurrence]], sorted: &mut Vec<Occurrence>, ends: &mut Vec<u32>) {
    sorted.clear();
    let all = || pieces.iter().flat_map(|piece| piece.iter());
    let length: usize = pieces.iter().map(|piece| piece.len()).sum();
    let (low, high) =
        all().fold((u64::MAX, 0), |(low, high), one| (low.min(one.fingerprint), high.max(one.fingerprint)));
    if length < 64 || low >= high {
        sorted.extend(all());
        return sorted.sort_by_key(|one| one.fingerprint);
    }
    let slots = (length / 4).next_power_of_two();
    // The widest shift that still tells as many slots apart as there are.
    let shift = (64 - (high - low).leading_zeros()).saturating_sub(slots.trailing_zeros());
    let slot = |one: &Occurrence| ((one.fingerprint - low) >> shift) as usize;
    ends.clear();
    ends.resize(slots + 1, 0);
    all().for_each(|one| ends[slot(one) + 1] += 1);
    for at in 0..slots {
        ends[at + 1] += ends[at];
    }
    sorted.resize(length, Occurrence::default());
    for one in all() {
        let place = &mut ends[slot(one)];
        sorted[*place as usize] = *one;
        *place += 1;
    }
    let mut start = 0;
    for &end in &ends[..slots] {
        let end = end as usize;
        if end - start > 1 {
            sorted[start..end].sort_by_key(|one| one.fingerprint);
        }
        start = end;
    }
}

/// Bins in memory.
#[derive(Debug)]
pub struct MemoryBins {
    bins: usize,
    batches: Vec<Binned>,
}

impl MemoryBins {
    /// So many empty bins.
    pub fn new(bins: usize) -> Self {
        MemoryBins { bins, batches: Vec::new() }
    }
}

impl Bins for MemoryBins {
    type Error = Infallible;

    fn count(&self) -> usize {
        self.bins
    }

    fn put(&mut self, batch: Binned) -> Result<(), Infallible> {
        self.batches.push(batch);
        Ok(())
    }

    fn drain<R: Send>(
        self,
        work: impl Fn(&[&[Occurrence]]) -> R + Sync,
        deliver: impl FnMut(R) -> Result<(), Infallible>,
    ) -> Result<(), Infallible> {
        let pieces = |bin| self.batches.iter().map(|batch| batch.bin(bin)).collect::<Vec<_>>();
        (0..self.bins).map(|bin| work(&pieces(bin))).try_for_each(deliver)
    }
}

#[cfg(test)]
mod tests {
    use super::super::collection::InMemory;
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    type Shared = BTreeMap<u64, Vec<(u32, u32)>>;

    fn brute_force(documents: &[Vec<u64>], length: usize) -> Shared {
        let (mut places, mut chunks) = (Shared::new(), Vec::new());
        for (document, tokens) in (0..).zip(documents) {
            fingerprints(tokens, length, &mut chunks);
            for (position, &chunk) in (0..).zip(&chunks) {
                let places = places.entry(chunk).or_default();
                if places.last().is_none_or(|last| last.0 != document) {
                    places.push((document, position));
                }
            }
        }
        places.retain(|_, places| places.len() > 1);
        places
    }

    fn extract(documents: &[Vec<u64>], extract: &Extract) -> Shared {
        let mut collection = InMemory::new();
        documents.iter().for_each(|tokens| assert!(collection.push(tokens) < 100));
        let mut shared = Vec::new();
        let bins = MemoryBins::new(extract.bins(collection.tokens()));
        let Ok(_) = extract.run(&collection, bins, |chunks| {
            for chunk in chunks.iter() {
                let chunk = chunk.unwrap();
                let postings = chunk.postings().map(|posting| (posting.document, posting.position)).collect();
                shared.push((chunk.fingerprint, postings));
            }
            Ok(())
        });
        assert!(shared.is_sorted(), "chunks come in order of their fingerprints");
        shared.into_iter().collect()
    }

    proptest! {
        /// Exact with counters so small that nearly everything collides, and by either schedule.
        #[test]
        fn exactly_the_chunks_of_two_documents(
            documents in proptest::collection::vec(proptest::collection::vec(0u64..4, 0..80), 0..10),
            length in 1usize..9,
            memory in 0usize..4000,
        ) {
            let expected = brute_force(&documents, length);
            for schedule in [Schedule::Fast, Schedule::Paper] {
                let settings = Extract { length, schedule, pipeline: Pipeline::default(), memory };
                prop_assert_eq!(&extract(&documents, &settings), &expected);
            }
        }

        /// Also where documents are a few words over and over, with periods within and beyond what is remembered of them.
        #[test]
        fn exactly_the_chunks_of_texts_that_repeat_themselves(
            documents in proptest::collection::vec(
                (prop_oneof![1usize..6, 8000usize..10_000], 0u64..3, 0usize..3000, 1usize..3), 0..6),
            length in 1usize..9,
        ) {
            let documents: Vec<Vec<u64>> = documents.into_iter().map(|(period, first, tail, times)| {
                let words = (0..period as u64).map(|word| crate::text::mix(first + word));
                words.cycle().take(period * times + tail).collect()
            }).collect();
            let settings = Extract { length, memory: 4000, ..Extract::default() };
            prop_assert_eq!(extract(&documents, &settings), brute_force(&documents, length));
        }

        #[test]
        fn sorting_is_stable(numbers in proptest::collection::vec((0u64..50, any::<u16>()), 0..3000), wide in any::<bool>()) {
            let fingerprint = |(small, large): (u64, u16)| if wide { crate::text::mix(u64::from(large)) } else { 900 + small };
            let bin: Vec<Occurrence> = numbers.iter().zip(0..)
                .map(|(&number, at)| Occurrence { fingerprint: fingerprint(number), document: at / 3, position: at })
                .collect();
            let mut expected = bin.clone();
            expected.sort();
            let (one, other) = bin.split_at(bin.len() / 3);
            let mut sorted = vec![Occurrence::default(); 7];
            sort(&[one, &[], other], &mut sorted, &mut Vec::new());
            prop_assert_eq!(sorted, expected);
        }
    }

    /// Two words in turn, twenty thousand times, in each of many documents: each of the two chunks is kept once for each.
    #[test]
    fn repetitions_within_a_document_are_not_kept() {
        let mut collection = InMemory::new();
        for document in 0..50 {
            let mut tokens = [1, 2].repeat(20_000);
            tokens.push(100 + document);
            assert!(collection.push(&tokens) < 100);
        }
        let settings = Extract { length: 8, ..Extract::default() };
        let mut shared = 0;
        let Ok(extracted) = settings.run(&collection, MemoryBins::new(7), |chunks| {
            shared += chunks.len();
            Ok(())
        });
        assert_eq!((shared, extracted.candidates), (2, 100));
    }

    #[test]
    fn with_modulo_only_every_so_manieth_chunk() {
        let documents = vec![(0..500).map(crate::text::mix).collect::<Vec<u64>>(); 3];
        let mut pipeline = Pipeline::default();
        pipeline.push("M16".parse::<crate::select::Selection>().unwrap());
        let settings = Extract { length: 8, schedule: Schedule::Fast, pipeline, memory: 1 << 20 };
        let mut expected = brute_force(&documents, 8);
        expected.retain(|chunk, _| chunk.is_multiple_of(16));
        assert!(!expected.is_empty());
        assert_eq!(extract(&documents, &settings), expected);
    }
}
