//! The truth about a whole collection: what unlimited memory and All would say (section 3.1), in as little memory as it is
//! given.
//!
//! Documents come in order, so that whoever brings a shingle first is its origin: one pass with an index of all shingles would
//! do. Where that does not fit, documents are taken in ranges and shingles in parts, and the collection is passed over once for
//! each part of each range. It lies on disk then; nothing else has to.

use std::collections::VecDeque;
use std::ops::Range;

use super::super::exact::Truth;
use super::super::metrics::Dominance;
use super::first_seen::{self, FirstSeen};
use crate::collection::{Batch, Collection};
use crate::text::{fingerprints, part};

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
    /// Works out the truth about shingles of `k` tokens in about so many bytes of memory, and keeps that about the last
    /// `queries` documents that have a dominant origin. Documents are in order of time.
    ///
    /// What is kept of the queries is not counted: about 60 bytes each, and twelve for each of their copied blocks.
    pub fn find<C: Collection>(collection: &C, k: usize, queries: usize, memory: usize) -> Result<Self, C::Error> {
        let need = collection.tokens().saturating_mul(first_seen::BYTES + size_of::<u32>() as u64);
        let parts = usize::try_from(need.div_ceil(memory.max(1) as u64)).unwrap_or(usize::MAX).clamp(1, MOST_PARTS);
        let mut search = Search::new(k, queries, parts, collection.tokens());
        while !search.is_done(collection.documents()) {
            for one in 0..parts {
                let mut index = FirstSeen::with_room(search.room as usize);
                search.begin();
                collection.pass(
                    |batch| shingles_of(batch, k),
                    |batch| {
                        batch.iter().for_each(|(document, tokens, shingles)| {
                            search.look(one, *document, *tokens, shingles, &mut index);
                        });
                        Ok(())
                    },
                )?;
                search.distinct += if search.is_first_range() { index.len() as u64 } else { 0 };
            }
            search.judge();
        }
        Ok(search.finish())
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

/// With more parts a collection would be passed over more than a million times.
const MOST_PARTS: usize = 1 << 10;

/// Stands for the document itself.
const OWN: u32 = u32::MAX;

/// A document's number, its tokens, and the fingerprints of its shingles.
type Shingled = (u32, u32, Vec<u64>);

fn shingles_of(batch: &Batch, k: usize) -> Vec<Shingled> {
    let shingled = batch.documents().map(|(document, tokens)| {
        let mut shingles = Vec::new();
        fingerprints(tokens, k, &mut shingles);
        (document, tokens.len() as u32, shingles)
    });
    shingled.collect()
}

/// The search for origins, range by range of documents and part by part of shingles.
struct Search {
    parts: usize,
    /// Shingles after which a range of documents is full.
    room: u64,
    /// The first document of the range, and the first behind it as far as is known.
    first: u32,
    end: u32,
    /// Tokens of the documents of the range, and where each begins among its origins.
    lengths: Vec<u32>,
    starts: Vec<usize>,
    /// The origin of every shingle of the range.
    origins: Vec<u32>,
    is_full: bool,
    distinct: u64,
    tally: Tally,
}

impl Search {
    fn new(k: usize, queries: usize, parts: usize, tokens: u64) -> Self {
        let room = tokens.div_ceil(parts as u64);
        Search {
            parts,
            room,
            first: 0,
            end: 0,
            lengths: Vec::new(),
            starts: Vec::new(),
            origins: Vec::with_capacity(room as usize),
            is_full: false,
            distinct: 0,
            tally: Tally::new(k, queries),
        }
    }

    fn is_done(&self, documents: u32) -> bool {
        self.first >= documents
    }

    /// Only there all fingerprints that the collection has are counted, once.
    fn is_first_range(&self) -> bool {
        self.first == 0
    }

    fn begin(&mut self) {
        self.is_full = self.end > self.first;
    }

    /// Looks one part of a document's shingles up. Those before the range are only remembered, those behind it do not matter.
    fn look(&mut self, wanted: usize, document: u32, tokens: u32, shingles: &[u64], index: &mut FirstSeen) {
        if document >= self.first && !self.is_full {
            self.admit(document, tokens, shingles.len());
        }
        let is_inside = (self.first..self.end).contains(&document);
        if document >= self.end && !self.is_first_range() {
            return;
        }
        let start = if is_inside { self.starts[(document - self.first) as usize] } else { 0 };
        for (at, &shingle) in shingles.iter().enumerate() {
            if self.parts > 1 && part(shingle, self.parts) != wanted {
                continue;
            }
            let origin = index.first(shingle, document);
            if is_inside && origin != document {
                self.origins[start + at] = origin;
            }
        }
    }

    /// The range grows until it is full.
    fn admit(&mut self, document: u32, tokens: u32, shingles: usize) {
        if !self.lengths.is_empty() && (self.origins.len() + shingles) as u64 > self.room {
            self.is_full = true;
            return;
        }
        self.lengths.push(tokens);
        self.starts.push(self.origins.len());
        self.origins.resize(self.origins.len() + shingles, OWN);
        self.end = document + 1;
    }

    /// Every origin of the range is known.
    fn judge(&mut self) {
        for (at, &tokens) in self.lengths.iter().enumerate() {
            let end = self.starts.get(at + 1).copied().unwrap_or(self.origins.len());
            let runs = runs_of(&self.origins[self.starts[at]..end]);
            self.tally.judge(self.first + at as u32, tokens, runs);
        }
        self.first = self.end;
        self.lengths.clear();
        self.starts.clear();
        self.origins.clear();
        self.is_full = false;
    }

    fn finish(self) -> Truths {
        self.tally.finish(self.distinct)
    }
}

/// The copied blocks of a document.
fn runs_of(origins: &[u32]) -> Box<[Run]> {
    let mut at = 0;
    let mut runs = Vec::new();
    for run in origins.chunk_by(|one, next| one == next) {
        if run[0] != OWN {
            runs.push(Run { start: at, end: at + run.len() as u32, origin: run[0] });
        }
        at += run.len() as u32;
    }
    runs.into()
}

/// Counts, and keeps the last documents that have a dominant origin.
struct Tally {
    k: usize,
    most: usize,
    queries: VecDeque<QueryTruth>,
    facts: Facts,
    counts: Vec<(u32, u64)>,
}

impl Tally {
    fn new(k: usize, most: usize) -> Self {
        Tally { k, most, queries: VecDeque::new(), facts: Facts::default(), counts: Vec::new() }
    }

    fn judge(&mut self, document: u32, tokens: u32, runs: Box<[Run]>) {
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
        self.facts.documents += 1;
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

    fn finish(self, distinct: u64) -> Truths {
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
    use crate::collection::InMemory;
    use crate::origin::{ExactIndex, InOrder};
    use proptest::prelude::*;
    use std::collections::HashMap;

    fn find(documents: &[Vec<u64>], k: usize, queries: usize, memory: usize) -> Truths {
        let mut collection = InMemory::new();
        documents.iter().for_each(|tokens| assert!(collection.push(tokens) < 1000));
        let Ok(truths) = Truths::find(&collection, k, queries, memory);
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
        fn any_memory_gives_what_an_index_gives(
            documents in proptest::collection::vec(proptest::collection::vec(0u64..3, 0..60), 0..20),
            k in 1usize..6,
            queries in 0usize..12,
            memory in prop_oneof![Just(1usize << 20), 2000usize..30_000],
        ) {
            let documents: Vec<Vec<u64>> =
                documents.into_iter().map(|tokens| tokens.into_iter().map(crate::text::mix).collect()).collect();
            let truths = find(&documents, k, queries, memory);
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
        let truths = find(&documents, 2, 10, 1 << 20);
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
        let facts = find(&documents, 8, 5, 1 << 20).facts;
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
