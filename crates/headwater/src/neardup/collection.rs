//! The feature sets of a collection, each different one once.

use std::collections::HashMap;

use crate::text::mix;

/// Stands for a document without features, which is compared with none.
pub(super) const NO_SET: u32 = u32::MAX;

/// Sets in one chunk: enough that a chunk is worth a thread's while, few enough that chunks are many.
const CHUNK: usize = 512;

/// The feature sets of a collection. Documents with the same set share it, so that ten thousand copies cost no more than one.
#[derive(Clone, Debug, Default)]
pub struct Collection {
    /// For each document its set, or [`NO_SET`].
    set_of: Vec<u32>,
    sets: Sets,
    /// How many documents have each set.
    members: Vec<u32>,
    by_digest: HashMap<(u64, u32), u32>,
}

/// Sets of numbers one behind the other, in chunks.
#[derive(Clone, Debug, Default)]
pub(super) struct Sets {
    chunks: Vec<Chunk>,
    count: u32,
    features: u64,
}

/// Up to [`CHUNK`] sets.
#[derive(Clone, Debug, Default)]
pub(super) struct Chunk {
    ends: Vec<u32>,
    features: Vec<u64>,
}

impl Collection {
    /// No documents yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the next document: its features, all different. Gives its number, and whether its set is a new one.
    pub fn push(&mut self, features: &[u64]) -> (u32, bool) {
        let document = self.set_of.len() as u32;
        if features.is_empty() {
            self.set_of.push(NO_SET);
            return (document, false);
        }
        let next = self.sets.len();
        let set = *self.by_digest.entry((digest(features), features.len() as u32)).or_insert(next);
        let new = set == next;
        if new {
            self.sets.push(features);
            self.members.push(0);
        }
        self.members[set as usize] += 1;
        self.set_of.push(set);
        (document, new)
    }

    /// How many documents there are.
    pub fn documents(&self) -> u32 {
        self.set_of.len() as u32
    }

    /// How many documents have no features and so are like no other.
    pub fn empty(&self) -> u32 {
        self.set_of.iter().filter(|&&set| set == NO_SET).count() as u32
    }

    /// How many different sets the documents have.
    pub fn distinct(&self) -> u32 {
        self.sets.len()
    }

    /// How many features all different sets have together.
    pub fn features(&self) -> u64 {
        self.sets.features
    }

    /// The features of a document.
    pub fn features_of(&self, document: u32) -> &[u64] {
        match self.set_of[document as usize] {
            NO_SET => &[],
            set => self.sets.get(set),
        }
    }

    pub(super) fn set_of(&self) -> &[u32] {
        &self.set_of
    }

    pub(super) fn sets(&self) -> &Sets {
        &self.sets
    }

    /// The same documents with only those of their features that are wanted.
    pub(super) fn retain(&self, wanted: impl Fn(u64) -> bool) -> Collection {
        let mut kept = Collection::new();
        let mut features = Vec::new();
        for document in 0..self.documents() {
            features.clear();
            features.extend(self.features_of(document).iter().copied().filter(|&feature| wanted(feature)));
            kept.push(&features);
        }
        kept
    }

    /// Every feature with the number of documents that have it.
    pub(super) fn document_frequencies(&self) -> HashMap<u64, u32> {
        let mut frequencies = HashMap::new();
        for (set, &members) in (0..).zip(&self.members) {
            for &feature in self.sets.get(set) {
                *frequencies.entry(feature).or_insert(0) += members;
            }
        }
        frequencies
    }
}

impl Sets {
    pub(super) fn push(&mut self, features: &[u64]) {
        if (self.count as usize).is_multiple_of(CHUNK) {
            self.chunks.push(Chunk::default());
        }
        if let Some(chunk) = self.chunks.last_mut() {
            chunk.push(features);
        }
        self.count += 1;
        self.features += features.len() as u64;
    }

    pub(super) fn len(&self) -> u32 {
        self.count
    }

    pub(super) fn features(&self) -> u64 {
        self.features
    }

    #[inline]
    pub(super) fn get(&self, set: u32) -> &[u64] {
        self.chunks[set as usize / CHUNK].get(set as usize % CHUNK)
    }

    pub(super) fn chunks(&self) -> &[Chunk] {
        &self.chunks
    }

    /// Puts finished chunks together; every one but the last must be full.
    pub(super) fn append(&mut self, chunk: Chunk) {
        self.count += chunk.len() as u32;
        self.features += chunk.features.len() as u64;
        self.chunks.push(chunk);
    }
}

impl Chunk {
    pub(super) fn push(&mut self, features: &[u64]) {
        self.features.extend_from_slice(features);
        self.ends.push(self.features.len() as u32);
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    #[inline]
    pub(super) fn get(&self, at: usize) -> &[u64] {
        let start = if at == 0 { 0 } else { self.ends[at - 1] as usize };
        &self.features[start..self.ends[at] as usize]
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &[u64]> {
        (0..self.len()).map(|at| self.get(at))
    }

    pub(super) fn all_features(&self) -> &[u64] {
        &self.features
    }
}

/// The same for the same set, in whatever order its features stand; two different sets share it as seldom as two features do.
fn digest(features: &[u64]) -> u64 {
    features.iter().fold(0, |sum: u64, &feature| sum.wrapping_add(mix(feature)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_sets_are_kept_once() {
        let mut collection = Collection::new();
        assert_eq!(collection.push(&[1, 2, 3]), (0, true));
        assert_eq!(collection.push(&[]), (1, false));
        assert_eq!(collection.push(&[3, 1, 2]), (2, false));
        assert_eq!(collection.push(&[1, 2]), (3, true));
        assert_eq!((collection.documents(), collection.empty(), collection.distinct()), (4, 1, 2));
        assert_eq!(collection.features_of(2), [1, 2, 3]);
        assert_eq!(collection.document_frequencies()[&1], 3);
    }

    #[test]
    fn sets_are_found_again_across_chunks() {
        let mut collection = Collection::new();
        let features = |n: u64| (0..n % 7 + 1).map(|i| n * 10 + i).collect::<Vec<_>>();
        for n in 0..2000 {
            collection.push(&features(n));
        }
        (0..2000).for_each(|n| assert_eq!(collection.features_of(n as u32), features(n)));
    }
}
