//! The feature sets of a collection, each different one once.

use std::collections::HashMap;

use super::roster::Roster;

/// Sets in one chunk: enough that a chunk is worth a thread's while, few enough that chunks are many.
const CHUNK: usize = 512;

/// The feature sets of a collection, each different one once.
#[derive(Clone, Debug, Default)]
pub struct Collection {
    roster: Roster,
    sets: Sets,
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
        let entered = self.roster.enter(features);
        let new = entered.is_some_and(|(_, new)| new);
        if new {
            self.sets.push(features);
        }
        (self.roster.add(entered.map(|(set, _)| set)), new)
    }

    /// Enters a set before documents have it; `false` for an empty one, or one that is there already.
    pub(super) fn enter(&mut self, features: &[u64]) -> bool {
        let new = self.roster.enter(features).is_some_and(|(_, new)| new);
        if new {
            self.sets.push(features);
        }
        new
    }

    /// Adds the next document by the number of its set, if it has one; `false` where there is no such set.
    pub(super) fn add(&mut self, set: Option<u32>) -> bool {
        let known = set.is_none_or(|set| set < self.distinct());
        if known {
            self.roster.add(set);
        }
        known
    }

    /// Which document has which set.
    pub fn roster(&self) -> &Roster {
        &self.roster
    }

    /// How many documents there are.
    pub fn documents(&self) -> u32 {
        self.roster.documents()
    }

    /// How many different sets the documents have.
    pub fn distinct(&self) -> u32 {
        self.roster.distinct()
    }

    /// How many features all different sets have together.
    pub fn features(&self) -> u64 {
        self.sets.features
    }

    /// The features of a document.
    pub fn features_of(&self, document: u32) -> &[u64] {
        self.roster.set(document).map_or(&[], |set| self.sets.get(set))
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
        for (set, &members) in (0..).zip(self.roster.members()) {
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
        assert_eq!((collection.documents(), collection.roster().empty(), collection.distinct()), (4, 1, 2));
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
