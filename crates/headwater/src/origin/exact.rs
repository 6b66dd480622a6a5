//! The truth: an index of every shingle, in as much memory as that takes. What all else is measured against.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::{BuildHasherDefault, Hasher};

use super::chronicle::{Ages, Chronicle};
use super::metrics::Dominance;

/// Knows the origin of every shingle that it has seen.
#[derive(Debug)]
pub struct ExactIndex {
    origins: HashMap<u64, u32, BuildHasherDefault<Mixed>>,
    documents: u32,
    latest: i64,
    counts: HashMap<u32, u32>,
}

impl Default for ExactIndex {
    fn default() -> Self {
        let (origins, counts) = (HashMap::default(), HashMap::default());
        ExactIndex { origins, documents: 0, latest: i64::MIN, counts }
    }
}

/// Where every shingle of a document is from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Truth {
    /// The document's own number.
    pub document: u32,
    /// The origin of each shingle: the document's own number if it is new.
    pub origins: Vec<u32>,
    /// For each token whether it is fresh: no shingle that covers it is from elsewhere.
    pub fresh: Vec<bool>,
    /// How many shingles the most copied origin accounts for.
    pub most: u32,
    /// The most copied origin, and whether it is dominant.
    pub dominance: Dominance,
}

impl Truth {
    /// How many shingles are from earlier documents.
    pub fn copied(&self) -> usize {
        self.origins.iter().filter(|&&origin| origin != self.document).count()
    }
}

impl ExactIndex {
    /// An index that has seen nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// How many different shingles it has seen.
    pub fn distinct(&self) -> usize {
        self.origins.len()
    }

    /// Reports on a document of `tokens` tokens, given the fingerprints of all its shingles of `k`, then remembers it.
    ///
    /// A shingle that is repeated inside the document that had it first is new each time. `time` and `chronicle` are as
    /// for [`super::Tracer::observe`].
    pub fn observe(
        &mut self,
        tokens: usize,
        shingles: &[u64],
        k: usize,
        time: i64,
        chronicle: &impl Chronicle,
        truth: &mut Truth,
    ) {
        let document = self.documents;
        self.documents += 1;
        truth.document = document;
        truth.origins.clear();
        truth.fresh.clear();
        truth.fresh.resize(tokens, true);
        self.counts.clear();
        self.counts.insert(document, 0);
        let ages = Ages::new(chronicle, time, self.latest, false);
        self.latest = self.latest.max(time);
        let mut covered = 0;
        for (at, &shingle) in shingles.iter().enumerate() {
            let origin = match self.origins.entry(shingle) {
                Entry::Vacant(vacant) => *vacant.insert(document),
                Entry::Occupied(mut occupied) => {
                    let origin = *occupied.get();
                    if origin != document && ages.is_later(origin) {
                        occupied.insert(document);
                    }
                    *occupied.get()
                }
            };
            truth.origins.push(origin);
            *self.counts.entry(origin).or_default() += 1;
            if origin != document {
                truth.fresh[covered.max(at)..at + k].fill(false);
                covered = at + k;
            }
        }
        truth.dominance = Dominance::of(document, self.counts.iter().map(|(&origin, &count)| (origin, count.into())));
        truth.most = self.counts[&truth.dominance.most_copied];
    }
}

/// Fingerprints are mixed already: hashing them again would only take time.
#[derive(Default)]
struct Mixed(u64);

impl Hasher for Mixed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = value;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::origin::InOrder;

    fn observe(index: &mut ExactIndex, shingles: &[u64], time: i64, times: &[i64]) -> Truth {
        let mut truth = Truth::default();
        index.observe(shingles.len() + 7, shingles, 8, time, &times.to_vec(), &mut truth);
        truth
    }

    #[test]
    fn the_earliest_document_is_the_origin() {
        let mut index = ExactIndex::new();
        let times = [10, 20, 5, 30];
        assert_eq!(observe(&mut index, &[1, 2, 3, 1], 10, &times).origins, [0, 0, 0, 0]);
        let second = observe(&mut index, &[3, 4, 5, 6, 7, 8, 9, 10, 11, 12], 20, &times);
        assert_eq!((second.copied(), second.most), (1, 9));
        assert_eq!(second.fresh.iter().position(|&fresh| fresh), Some(8));
        assert_eq!(second.dominance, Dominance { most_copied: 1, dominant: Some(1) });
        let late = observe(&mut index, &[2, 4], 5, &times);
        assert_eq!(late.origins, [2, 2], "it is earlier than both");
        assert_eq!(observe(&mut index, &[1, 2, 4, 5], 30, &times).origins, [0, 2, 2, 1]);
        assert_eq!(index.distinct(), 12);
    }

    #[test]
    fn ties_go_to_the_document_itself_and_then_to_the_earliest() {
        let mut index = ExactIndex::new();
        let mut truth = Truth::default();
        index.observe(8, &[1], 8, 0, &InOrder, &mut truth);
        index.observe(8, &[2], 8, 1, &InOrder, &mut truth);
        index.observe(10, &[3, 2, 1], 8, 2, &InOrder, &mut truth);
        assert_eq!(truth.dominance, Dominance { most_copied: 2, dominant: None });
        index.observe(9, &[2, 1], 8, 3, &InOrder, &mut truth);
        assert_eq!(truth.dominance, Dominance { most_copied: 0, dominant: None });
        index.observe(3, &[], 8, 4, &InOrder, &mut truth);
        assert_eq!((truth.dominance.most_copied, truth.fresh.len()), (4, 3));
    }
}
