//! The shared chunks without their texts: which documents stand together, and in how many chunks.
//!
//! A passage of a hundred words that the same five documents share is 93 chunks with one and the same list of documents.
//! Kept once with their number, the lists are a small part of the index, and pairs are counted once for all of them.

use super::postings::documents;
use crate::text::mix;

/// Lists of documents, each with the number of chunks that exactly these documents share.
#[derive(Clone, Debug, Default)]
pub struct Lists {
    /// The lists as variable bytes, one after the other.
    bytes: Vec<u8>,
    lists: Vec<List>,
    /// Open addressing: numbers of lists, or `NONE`.
    table: Vec<u32>,
    chunks: u64,
}

#[derive(Clone, Copy, Debug)]
struct List {
    end: u64,
    documents: u32,
    chunks: u32,
}

const NONE: u32 = u32::MAX;

impl Lists {
    /// No lists.
    pub fn new() -> Self {
        Lists::default()
    }

    /// Counts a chunk that these documents share, as [`super::postings::Chunk::document_bytes`] gives them.
    pub fn add(&mut self, document_bytes: &[u8], documents: u32) {
        self.chunks += 1;
        if self.lists.len() * 2 >= self.table.len() {
            self.grow();
        }
        let mask = self.table.len() - 1;
        let mut slot = hash(document_bytes) as usize & mask;
        while self.table[slot] != NONE {
            let number = self.table[slot] as usize;
            // A list that already stands for as many chunks as can be counted gets a sister.
            if self.bytes_of(number) == document_bytes && self.lists[number].chunks < u32::MAX {
                self.lists[number].chunks += 1;
                return;
            }
            slot = (slot + 1) & mask;
        }
        self.table[slot] = self.lists.len() as u32;
        self.bytes.extend_from_slice(document_bytes);
        self.lists.push(List { end: self.bytes.len() as u64, documents, chunks: 1 });
    }

    /// Gives back the memory that only adding needs; whoever adds again pays for it again.
    pub fn settle(&mut self) {
        self.table = Vec::new();
        self.bytes.shrink_to_fit();
        self.lists.shrink_to_fit();
    }

    /// How many different lists there are.
    pub fn len(&self) -> usize {
        self.lists.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.lists.is_empty()
    }

    /// How many chunks they stand for.
    pub fn chunks(&self) -> u64 {
        self.chunks
    }

    /// Bytes that they take.
    pub fn memory(&self) -> usize {
        self.bytes.capacity() + self.lists.capacity() * size_of::<List>() + self.table.capacity() * size_of::<u32>()
    }

    /// How many documents a list has.
    pub fn documents(&self, list: usize) -> u32 {
        self.lists[list].documents
    }

    /// How many chunks its documents share.
    pub fn chunks_of(&self, list: usize) -> u32 {
        self.lists[list].chunks
    }

    /// Puts the documents of a list into `out`, ascending.
    pub fn read(&self, list: usize, out: &mut Vec<u32>) {
        out.clear();
        out.extend(documents(self.bytes_of(list)));
    }

    fn bytes_of(&self, list: usize) -> &[u8] {
        let start = list.checked_sub(1).map_or(0, |before| self.lists[before].end);
        &self.bytes[start as usize..self.lists[list].end as usize]
    }

    fn grow(&mut self) {
        let slots = (self.lists.len() * 4).next_power_of_two().max(16);
        let mut table = vec![NONE; slots];
        for number in 0..self.lists.len() {
            let mut slot = hash(self.bytes_of(number)) as usize & (slots - 1);
            while table[slot] != NONE {
                slot = (slot + 1) & (slots - 1);
            }
            table[slot] = number as u32;
        }
        self.table = table;
    }
}

fn hash(bytes: &[u8]) -> u64 {
    let (words, rest) = bytes.as_chunks::<8>();
    let tail = rest.iter().fold(rest.len() as u64, |tail, &byte| tail << 8 | u64::from(byte));
    words.iter().fold(mix(tail), |hash, &word| mix(hash ^ u64::from_le_bytes(word)))
}

#[cfg(test)]
impl Lists {
    /// The lists of chunks, of each of which the documents that have it are given in ascending order.
    pub(super) fn of<'a, D: IntoIterator<Item = &'a u32>>(held: impl IntoIterator<Item = D>) -> Self {
        let mut lists = Lists::new();
        for documents in held {
            let (mut bytes, mut next, mut count) = (Vec::new(), 0, 0);
            for &document in documents {
                super::bytes::put(&mut bytes, u64::from(document - next));
                (next, count) = (document + 1, count + 1);
            }
            lists.add(&bytes, count);
        }
        lists
    }

    /// Has a list stand for so many chunks, which would take long to add.
    pub(super) fn set_chunks(&mut self, list: usize, chunks: u32) {
        self.lists[list].chunks = chunks;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::{BTreeMap, BTreeSet};

    proptest! {
        #[test]
        fn every_list_once_with_its_number_of_chunks(
            added in proptest::collection::vec(proptest::collection::btree_set(0u32..300, 2..5), 0..300)
        ) {
            let added: Vec<Vec<u32>> = added.into_iter().map(|set: BTreeSet<u32>| set.into_iter().collect()).collect();
            let (mut lists, mut expected) = (Lists::of(&added), BTreeMap::new());
            for documents in &added {
                *expected.entry(documents.clone()).or_insert(0) += 1;
            }
            // Lists that have come to rest can be added to.
            lists.settle();
            let again: Vec<u32> = vec![0, 1];
            lists.add(&[0, 0], 2);
            *expected.entry(again).or_insert(0) += 1;
            let mut documents = Vec::new();
            let found: BTreeMap<Vec<u32>, u32> = (0..lists.len()).map(|list| {
                lists.read(list, &mut documents);
                assert_eq!(documents.len() as u32, lists.documents(list));
                (documents.clone(), lists.chunks_of(list))
            }).collect();
            prop_assert_eq!(found, expected);
            prop_assert_eq!(lists.chunks(), added.len() as u64 + 1);
        }
    }
}
