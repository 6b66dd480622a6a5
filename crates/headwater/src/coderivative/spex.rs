//! SPEX (section 5): which chunks can occur more than once, found with two arrays of two-bit counters at a time.
//!
//! A chunk can only be repeated if all its subchunks are. So short chunks are counted first, and a longer one is counted
//! only if its subchunks were seen more than once; that keeps the counters from filling up with what is unique. The paper
//! lengthens chunks by one token a pass ([`Schedule::Paper`]). Fewer, longer steps lose nothing: a chunk is passed on if
//! *every* subchunk of the step before is repeated. Where the counters are roomy the last length alone will do.
//!
//! What comes out is a superset of the repeated chunks; [`super::shared`] makes it exact.

use std::cell::RefCell;

use super::collection::{Batch, Collection};
use super::counters::{Counters, Occupancy, Scratch};
use super::filter::Pipeline;
use crate::text::fingerprints;

/// Which lengths are counted on the way to the target length.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Schedule {
    /// As many steps as the counters need, each twice as long as the one before.
    #[default]
    Fast,
    /// The paper's Algorithm 1: 1, 2, … up to the target.
    Paper,
}

/// Counters for each chunk of the collection above which a single pass is enough: one unique chunk in five then collides.
const ROOMY: u64 = 4;

/// Counters for each chunk above which more would only cost time to clear and to reach.
pub(super) const PLENTY: u64 = 16;

impl Schedule {
    /// The lengths that are counted, ascending; the last is the target.
    pub fn steps(self, length: usize, chunks: u64, memory: usize) -> Vec<usize> {
        match self {
            Schedule::Paper => (1..=length).collect(),
            Schedule::Fast => {
                let mut steps = vec![length];
                // Two arrays share the memory from the second step on.
                let counters = memory as u64 * 4 / 2;
                let mut load = chunks;
                while load.saturating_mul(ROOMY) > counters && steps[0] > 1 {
                    steps.insert(0, steps[0] / 2);
                    // Of the chunks of a step, about half have a unique half: ordinary prose at least.
                    load /= 2;
                }
                steps
            }
        }
    }
}

/// The counters after the last pass: what may be repeated.
#[derive(Debug)]
pub struct Sieve {
    length: usize,
    counters: Counters,
    /// How full the counters were after each pass (Figure 3).
    pub occupancy: Vec<Occupancy>,
}

impl Sieve {
    /// Passes over the collection once for each step of the schedule, within `memory` bytes of counters.
    ///
    /// Only chunks that the pipeline keeps are counted at the target length.
    pub fn build<C: Collection>(
        collection: &C,
        length: usize,
        schedule: Schedule,
        pipeline: &Pipeline,
        memory: usize,
    ) -> Result<Self, C::Error> {
        let steps = schedule.steps(length, collection.tokens(), memory);
        // No more than two at a time.
        let share = if steps.len() > 1 { memory / 2 } else { memory };
        let counters = (share as u64 * 4).min(collection.tokens().saturating_mul(PLENTY)).max(1);
        let mut occupancy = Vec::with_capacity(steps.len());
        let mut before: Option<(usize, Counters)> = None;
        for &step in &steps {
            let now = Counters::new(counters);
            let last = (step == length).then_some(pipeline);
            collection.pass(|batch| count(batch, step, before.as_ref(), last, &now), |()| Ok(()))?;
            occupancy.push(now.occupancy(step));
            before = Some((step, now));
        }
        let (length, counters) = before.expect("a schedule has at least one step");
        Ok(Sieve { length, counters, occupancy })
    }

    /// Gives the counters back and keeps how full they were.
    pub fn into_occupancy(self) -> Vec<Occupancy> {
        self.occupancy
    }

    /// The length of the chunks.
    pub fn length(&self) -> usize {
        self.length
    }

    /// Whether the chunk with this fingerprint may occur more than once.
    #[inline]
    pub fn may_repeat(&self, fingerprint: u64) -> bool {
        self.counters.is_multiple(fingerprint)
    }
}

/// What a thread needs for every batch, kept from one to the next.
#[derive(Default)]
struct Work {
    numbers: Vec<u64>,
    scratch: Scratch,
    chunks: Vec<u64>,
    shorter: Vec<u64>,
    keep: Vec<bool>,
}

thread_local! {
    static WORK: RefCell<Work> = RefCell::default();
}

/// Counts the chunks of one length in a batch, those that the step before leaves.
pub(super) fn count(
    batch: &Batch,
    step: usize,
    before: Option<&(usize, Counters)>,
    last: Option<&Pipeline>,
    now: &Counters,
) {
    WORK.with_borrow_mut(|Work { numbers, scratch, chunks, shorter, keep }| {
        numbers.clear();
        for (_, tokens) in batch.documents() {
            fingerprints(tokens, step, chunks);
            let pipeline = last.filter(|pipeline| !pipeline.is_empty());
            if pipeline.is_none() && before.is_none() {
                numbers.extend_from_slice(chunks);
                continue;
            }
            if chunks.is_empty() {
                continue;
            }
            keep.clear();
            keep.resize(chunks.len(), true);
            if let Some(pipeline) = pipeline {
                pipeline.apply(tokens, chunks, step, keep);
            }
            if let Some((length, counters)) = before {
                fingerprints(tokens, *length, shorter);
                // Subchunks in a row, up to the last one that was looked at, that are repeated.
                let needed = step - length + 1;
                let mut run = 0;
                for (at, &subchunk) in shorter.iter().enumerate() {
                    run = if counters.is_multiple(subchunk) { run + 1 } else { 0 };
                    if at + 1 >= needed {
                        keep[at + 1 - needed] &= run >= needed;
                    }
                }
            }
            numbers.extend(chunks.iter().zip(&*keep).filter_map(|(&chunk, &keep)| keep.then_some(chunk)));
        }
        now.add_all(numbers, scratch);
    });
}

#[cfg(test)]
mod tests {
    use super::super::collection::InMemory;
    use super::*;
    use crate::text::{Reading, Tokens};
    use proptest::prelude::*;
    use std::collections::HashMap;

    fn collection(documents: &[Vec<u64>]) -> InMemory {
        let mut collection = InMemory::new();
        documents.iter().for_each(|tokens| assert!(collection.push(tokens) < 100));
        collection
    }

    fn sieve(documents: &[Vec<u64>], length: usize, schedule: Schedule, memory: usize) -> Sieve {
        let Ok(sieve) = Sieve::build(&collection(documents), length, schedule, &Pipeline::default(), memory);
        sieve
    }

    /// The occurrences of every chunk.
    fn occurrences(documents: &[Vec<u64>], length: usize) -> HashMap<u64, u32> {
        let (mut counts, mut chunks) = (HashMap::new(), Vec::new());
        for tokens in documents {
            fingerprints(tokens, length, &mut chunks);
            chunks.iter().for_each(|&chunk| *counts.entry(chunk).or_insert(0) += 1);
        }
        counts
    }

    proptest! {
        /// Lossless at any size of the counters, by any schedule.
        #[test]
        fn whatever_is_repeated_stays(
            documents in proptest::collection::vec(proptest::collection::vec(0u64..6, 0..60), 0..8),
            length in 1usize..10,
            memory in 0usize..300,
        ) {
            for schedule in [Schedule::Fast, Schedule::Paper] {
                let sieve = sieve(&documents, length, schedule, memory);
                for (chunk, count) in occurrences(&documents, length) {
                    prop_assert!(count < 2 || sieve.may_repeat(chunk), "{schedule:?}");
                }
            }
        }
    }

    /// Figure 2: "the quick brown" is counted only because "the quick" and "quick brown" were seen twice.
    #[test]
    fn the_papers_own_example() {
        let read = |text: &str| {
            let mut tokens = Tokens::new();
            tokens.read(text, Reading::Words).unwrap();
            tokens.hashes().to_vec()
        };
        let documents = [
            read("the quick brown fox"),
            read("see the quick brown dog"),
            read("quick brown hens"), // no third of its chunks is repeated
        ];
        let sieve = sieve(&documents, 3, Schedule::Paper, 1 << 16);
        let lengths: Vec<(usize, u64, u64)> =
            sieve.occupancy.iter().map(|step| (step.length, step.single, step.multiple)).collect();
        // Words: fox, see, dog, hens once; the, quick, brown more often. Pairs of repeated words: "the quick" twice and
        // "quick brown" three times. Triples of repeated pairs: "the quick brown" twice.
        assert_eq!(lengths, [(1, 4, 3), (2, 0, 2), (3, 0, 1)]);
        assert!(sieve.may_repeat(chunk(&read("the quick brown"))));
        assert!(!sieve.may_repeat(chunk(&read("quick brown fox"))));
    }

    fn chunk(tokens: &[u64]) -> u64 {
        let mut chunks = Vec::new();
        fingerprints(tokens, tokens.len(), &mut chunks);
        chunks[0]
    }

    #[test]
    fn steps_get_more_where_memory_gets_short() {
        let check = |chunks: u64, memory: usize, steps: &[usize]| {
            assert_eq!(Schedule::Fast.steps(8, chunks, memory), steps, "{chunks} in {memory}");
        };
        check(1_000_000, 64 << 20, &[8]);
        check(100_000_000, 128 << 20, &[4, 8]);
        check(1_000_000_000, 256 << 20, &[1, 2, 4, 8]);
        check(1_000_000, 0, &[1, 2, 4, 8]);
        assert_eq!(Schedule::Paper.steps(8, 1, 1 << 30), [1, 2, 3, 4, 5, 6, 7, 8]);
        assert_eq!(Schedule::Fast.steps(1, 100, 0), [1]);
    }
}
