//! The truth about a whole collection: what unlimited memory and All would say (section 3.1), by sorting instead of by an
//! index, so that it takes as little memory as it is given.
//!
//! Every shingle goes into a bin by its fingerprint; sorted, the first document of each fingerprint is its origin. What is
//! copied goes into a second row of bins by document, from which documents come in order with their copied runs.

use std::collections::VecDeque;
use std::ops::Range;

use super::super::exact::Truth;
use super::super::metrics::Dominance;
use crate::bins::{self, Binned, Bins, Occurrence};
use crate::collection::{Batch, Collection};
use crate::text::fingerprints;

/// The truth about a collection, as far as queries need it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Truths {
    /// Tokens in a shingle.
    pub k: usize,
    /// The last documents that have a dominant origin, in order.
    pub queries: Vec<QueryTruth>,
    /// The paper's Table 1, and what its text says about the queries.
    pub facts: Facts,
}

/// What is counted about a collection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// Documents.
    pub documents: u64,
    /// Shingles in all of them.
    pub shingles: u64,
    /// Different shingles.
    pub distinct: u64,
    /// Shingles that an earlier document had.
    pub copied: u64,
    /// Documents with a dominant origin.
    pub dominated: u64,
    /// Copied blocks: maximal runs of shingles with one origin other than the document.
    pub blocks: u64,
    /// Tokens in all of them.
    pub block_tokens: u64,
    /// Queries that are their own dominant origin.
    pub own_queries: u64,
    /// Tokens of the queries.
    pub query_tokens: u64,
    /// … of which are fresh.
    pub fresh_tokens: u64,
}

/// Where the shingles of a query are from, in little space.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueryTruth {
    /// Its number.
    pub document: u32,
    /// Its tokens.
    pub tokens: u32,
    /// Its dominant origin.
    pub dominant: u32,
    /// Its copied shingles, ascending; all others are its own.
    pub runs: Box<[Run]>,
}

/// A maximal run of shingles with one origin other than the document: a copied block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// The position of the first shingle.
    pub start: u32,
    /// The position after that of the last shingle.
    pub end: u32,
    /// The document that had them first.
    pub origin: u32,
}

impl Truths {
    /// How many bins each of the two rows must have for a collection of so many tokens, given bytes for both.
    pub fn bins(tokens: u64, memory: usize) -> usize {
        bins::bins(tokens, memory)
    }

    /// Works out the truth about shingles of `k` tokens, and keeps that about the last `queries` documents that have a
    /// dominant origin. Documents are in order of time. Both rows of bins must be empty, and as many as `count`.
    pub fn find<C: Collection, B: Bins<Error = C::Error>>(
        collection: &C,
        k: usize,
        queries: usize,
        count: usize,
        mut by_shingle: B,
        mut by_document: B,
    ) -> Result<Self, C::Error> {
        let mut lengths = Vec::with_capacity(collection.documents() as usize);
        collection.pass(
            |batch| shingles_of(batch, k, count),
            |(some, found)| {
                lengths.extend(some);
                found.bins().try_for_each(|(bin, occurrences)| by_shingle.put(bin, occurrences))
            },
        )?;
        let ranges = Ranges::new(&lengths, count);
        let mut distinct = 0;
        by_shingle.drain(
            |bin| copied_of(bin, &ranges),
            |(different, copied)| {
                distinct += different;
                copied.bins().try_for_each(|(bin, occurrences)| by_document.put(bin, occurrences))
            },
        )?;
        let mut tally = Tally::new(&lengths, k, queries);
        by_document.drain(documents_of, |documents| {
            documents.into_iter().for_each(|(document, runs)| tally.take(document, runs));
            Ok(())
        })?;
        Ok(tally.finish(distinct))
    }

    /// The query with this number, if the document is one.
    pub fn query(&self, document: u32) -> Option<&QueryTruth> {
        let at = self.queries.binary_search_by_key(&document, |query| query.document).ok()?;
        self.queries.get(at)
    }

    /// The same about the beginning of the collection alone, with other queries: origins do not depend on what comes later.
    ///
    /// Only queries that are among those of the whole are known.
    pub fn before(&self, document: u32) -> &[QueryTruth] {
        &self.queries[..self.queries.partition_point(|query| query.document < document)]
    }
}

impl QueryTruth {
    /// Spells it out for shingles of `k` tokens, in the memory of an earlier one.
    pub fn spell(&self, k: usize, truth: &mut Truth) {
        truth.document = self.document;
        truth.dominance = Dominance { most_copied: self.dominant, dominant: Some(self.dominant) };
        truth.origins.clear();
        truth.origins.resize((self.tokens as usize + 1).saturating_sub(k), self.document);
        truth.fresh.clear();
        truth.fresh.resize(self.tokens as usize, true);
        for run in &self.runs {
            truth.origins[run.shingles()].fill(run.origin);
            truth.fresh[run.tokens(k)].fill(false);
        }
        truth.most = truth.origins.iter().filter(|&&origin| origin == self.dominant).count() as u32;
    }
}

impl Run {
    fn shingles(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// The positions of its tokens.
    pub fn tokens(&self, k: usize) -> Range<usize> {
        self.start as usize..self.end as usize + k - 1
    }
}

fn shingles_of(batch: &Batch, k: usize, count: usize) -> (Vec<u32>, Binned) {
    let (mut lengths, mut found, mut shingles) = (Vec::new(), Vec::new(), Vec::new());
    for (document, tokens) in batch.documents() {
        lengths.push(tokens.len() as u32);
        fingerprints(tokens, k, &mut shingles);
        let places = (0..).zip(&shingles);
        found.extend(places.map(|(position, &fingerprint)| Occurrence { fingerprint, document, position }));
    }
    (lengths, Binned::by_fingerprint(&found, count))
}

/// How many fingerprints are in a bin, and the shingles that are copied, each with its origin in the place of its fingerprint.
fn copied_of(bin: &mut Vec<Occurrence>, ranges: &Ranges) -> (u64, Binned) {
    bins::sort(bin);
    let (mut different, mut copied) = (0, Vec::new());
    for group in bin.chunk_by(|one, next| one.fingerprint == next.fingerprint) {
        different += 1;
        let origin = group[0].document;
        let later = group.iter().filter(|one| one.document != origin);
        copied.extend(later.map(|one| Occurrence { fingerprint: origin.into(), ..*one }));
    }
    (different, Binned::by(&copied, ranges.count, |one| ranges.bin(one.document)))
}

/// The documents of a bin that copy anything, in order, with their copied blocks.
fn documents_of(bin: &mut Vec<Occurrence>) -> Vec<(u32, Box<[Run]>)> {
    bin.sort_unstable_by_key(|one| (one.document, one.position));
    let runs_of = |group: &[Occurrence]| {
        let mut runs: Vec<Run> = Vec::new();
        for one in group {
            let origin = one.fingerprint as u32;
            match runs.last_mut() {
                Some(last) if last.origin == origin && last.end == one.position => last.end += 1,
                _ => runs.push(Run { start: one.position, end: one.position + 1, origin }),
            }
        }
        (group[0].document, runs.into())
    };
    bin.chunk_by(|one, next| one.document == next.document).map(runs_of).collect()
}

/// Documents in ranges of about equally many tokens.
struct Ranges {
    /// The first document behind each range.
    ends: Vec<u32>,
    count: usize,
}

impl Ranges {
    fn new(lengths: &[u32], count: usize) -> Self {
        let total: u64 = lengths.iter().copied().map(u64::from).sum();
        let (mut ends, mut sum) = (Vec::with_capacity(count), 0u64);
        for (document, &length) in (0u32..).zip(lengths) {
            sum += u64::from(length);
            while ends.len() + 1 < count && sum * count as u64 >= total * (ends.len() as u64 + 1) {
                ends.push(document + 1);
            }
        }
        Ranges { ends, count }
    }

    fn bin(&self, document: u32) -> usize {
        self.ends.partition_point(|&end| end <= document)
    }
}

/// Goes through all documents in order, also those that copy nothing, and keeps the last that have a dominant origin.
struct Tally<'a> {
    lengths: &'a [u32],
    k: usize,
    next: u32,
    most: usize,
    queries: VecDeque<QueryTruth>,
    facts: Facts,
    counts: Vec<(u32, u64)>,
}

impl<'a> Tally<'a> {
    fn new(lengths: &'a [u32], k: usize, most: usize) -> Self {
        let facts = Facts { documents: lengths.len() as u64, ..Facts::default() };
        Tally { lengths, k, next: 0, most, queries: VecDeque::new(), facts, counts: Vec::new() }
    }

    fn take(&mut self, document: u32, runs: Box<[Run]>) {
        self.pass_over(document);
        self.judge(document, runs);
        self.next = document + 1;
    }

    /// The documents before this one copy nothing.
    fn pass_over(&mut self, document: u32) {
        for original in self.next..document {
            self.judge(original, Box::default());
        }
    }

    fn judge(&mut self, document: u32, runs: Box<[Run]>) {
        let tokens = self.lengths[document as usize];
        let shingles = (u64::from(tokens) + 1).saturating_sub(self.k as u64);
        let copied: u64 = runs.iter().map(|run| u64::from(run.end - run.start)).sum();
        self.counts.clear();
        self.counts.push((document, shingles - copied));
        self.counts.extend(runs.iter().map(|run| (run.origin, u64::from(run.end - run.start))));
        self.counts.sort_unstable_by_key(|count| count.0);
        self.counts.dedup_by(|next, one| {
            let same = next.0 == one.0;
            one.1 += if same { next.1 } else { 0 };
            same
        });
        self.facts.shingles += shingles;
        self.facts.copied += copied;
        self.facts.blocks += runs.len() as u64;
        self.facts.block_tokens += runs.iter().map(|run| run.tokens(self.k).len() as u64).sum::<u64>();
        if let Some(dominant) = Dominance::of(document, self.counts.iter().copied()).dominant {
            self.facts.dominated += 1;
            if self.queries.len() == self.most {
                self.queries.pop_front();
            }
            if self.most > 0 {
                self.queries.push_back(QueryTruth { document, tokens, dominant, runs });
            }
        }
    }

    fn finish(mut self, distinct: u64) -> Truths {
        self.pass_over(self.lengths.len() as u32);
        let Tally { k, queries, mut facts, .. } = self;
        facts.distinct = distinct;
        let mut truth = Truth::default();
        for query in &queries {
            query.spell(k, &mut truth);
            facts.own_queries += u64::from(query.dominant == query.document);
            facts.query_tokens += u64::from(query.tokens);
            facts.fresh_tokens += truth.fresh.iter().filter(|fresh| **fresh).count() as u64;
        }
        Truths { k, queries: queries.into(), facts }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bins::MemoryBins;
    use crate::collection::InMemory;
    use crate::origin::{ExactIndex, InOrder};
    use proptest::prelude::*;
    use std::collections::HashMap;

    fn find(documents: &[Vec<u64>], k: usize, queries: usize, count: usize) -> Truths {
        let mut collection = InMemory::new();
        documents.iter().for_each(|tokens| assert!(collection.push(tokens) < 1000));
        let Ok(truths) = Truths::find(&collection, k, queries, count, MemoryBins::new(count), MemoryBins::new(count));
        truths
    }

    /// The same by an index of every shingle, one document after the other.
    fn by_index(documents: &[Vec<u64>], k: usize, most: usize) -> (Vec<Truth>, Facts) {
        let (mut index, mut facts, mut shingles) = (ExactIndex::new(), Facts::default(), Vec::new());
        let mut queries: Vec<Truth> = Vec::new();
        for tokens in documents {
            let mut truth = Truth::default();
            fingerprints(tokens, k, &mut shingles);
            index.observe(tokens.len(), &shingles, k, 0, &InOrder, &mut truth);
            facts.documents += 1;
            facts.shingles += shingles.len() as u64;
            facts.copied += truth.copied() as u64;
            for block in truth.origins.chunk_by(|one, next| one == next).filter(|block| block[0] != truth.document) {
                facts.blocks += 1;
                facts.block_tokens += (block.len() + k - 1) as u64;
            }
            if truth.dominance.dominant.is_some() {
                facts.dominated += 1;
                queries.push(truth);
            }
        }
        facts.distinct = index.distinct() as u64;
        let queries = queries.split_off(queries.len().saturating_sub(most));
        for query in &queries {
            facts.own_queries += u64::from(query.dominance.dominant == Some(query.document));
            facts.query_tokens += query.fresh.len() as u64;
            facts.fresh_tokens += query.fresh.iter().filter(|fresh| **fresh).count() as u64;
        }
        (queries, facts)
    }

    proptest! {
        #[test]
        fn sorting_says_what_an_index_says(
            documents in proptest::collection::vec(proptest::collection::vec(0u64..3, 0..60), 0..20),
            k in 1usize..6,
            queries in 0usize..12,
            count in 1usize..9,
        ) {
            let documents: Vec<Vec<u64>> =
                documents.into_iter().map(|tokens| tokens.into_iter().map(crate::text::mix).collect()).collect();
            let truths = find(&documents, k, queries, count);
            let (expected, facts) = by_index(&documents, k, queries);
            prop_assert_eq!(truths.facts, facts);
            prop_assert_eq!(truths.queries.len(), expected.len());
            for (query, expected) in truths.queries.iter().zip(&expected) {
                let mut truth = Truth::default();
                query.spell(k, &mut truth);
                prop_assert_eq!(&truth, expected);
            }
        }
    }

    /// Shingles of two tokens, written as letters: every figure can be counted by hand.
    #[test]
    fn a_collection_counted_by_hand() {
        let texts = ["abcde", "xabcy", "abcdq", "ab"];
        let documents: Vec<Vec<u64>> =
            texts.iter().map(|text| text.bytes().map(|letter| crate::text::mix(letter.into())).collect()).collect();
        let truths = find(&documents, 2, 10, 3);
        // ab bc cd de | xa ab bc cy | ab bc cd dq | ab: 13 shingles, of which ab bc, ab bc cd and ab are copied.
        let expected = Facts {
            documents: 4,
            shingles: 13,
            distinct: 7,
            copied: 6,
            // The second has two of its own and two of the first's.
            dominated: 3,
            blocks: 3,
            block_tokens: 3 + 4 + 2,
            own_queries: 1,
            query_tokens: 5 + 5 + 2,
            fresh_tokens: 5 + 1,
        };
        assert_eq!(truths.facts, expected);
        let dominant: Vec<(u32, u32)> = truths.queries.iter().map(|query| (query.document, query.dominant)).collect();
        assert_eq!(dominant, [(0, 0), (2, 0), (3, 0)]);
        assert_eq!(*truths.queries[1].runs, [Run { start: 0, end: 3, origin: 0 }]);
        assert!(truths.query(1).is_none() && truths.query(2).is_some());
        assert_eq!(truths.before(3).len(), 2);
    }

    /// Table 1 again, by a recount that shares nothing with it but the tokens.
    #[test]
    fn table_1_against_a_recount() {
        let documents: Vec<Vec<u64>> = (0..40u64)
            .map(|document| (0..60).map(|at| crate::text::mix((document * 7 + at) / (1 + document % 3) % 90)).collect())
            .collect();
        let facts = find(&documents, 8, 5, 4).facts;
        let (mut first, mut shingles, mut copied) = (HashMap::new(), 0, 0);
        for (number, tokens) in documents.iter().enumerate() {
            for shingle in tokens.windows(8) {
                shingles += 1;
                copied += u64::from(*first.entry(shingle).or_insert(number) != number);
            }
        }
        assert!(copied > 100);
        assert_eq!((facts.shingles, facts.copied, facts.distinct), (shingles, copied, first.len() as u64));
    }
}
