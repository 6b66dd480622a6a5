//! Exact duplicates (section 6.1): only the first of them takes part, and the others inherit its edges.

use std::collections::HashMap;

use super::relate::Relation;
use crate::graph::Edge;

/// The hash of a whole text: 128 bits of BLAKE3, so that nobody can write a document that passes for another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ContentHash([u8; 16]);

impl ContentHash {
    /// The hash of a text.
    pub fn of(text: &str) -> Self {
        let hash = blake3::hash(text.as_bytes());
        let mut first = [0; 16];
        first.copy_from_slice(&hash.as_bytes()[..16]);
        ContentHash(first)
    }

    /// A hash that was kept.
    pub fn from_bytes(bytes: [u8; 16]) -> Self {
        ContentHash(bytes)
    }

    /// To be kept.
    pub fn to_bytes(self) -> [u8; 16] {
        self.0
    }
}

/// Which documents are copies of which. Documents are numbered as they are entered; those that are no copy of an earlier
/// one are also numbered among themselves.
#[derive(Clone, Debug, Default)]
pub struct Copies {
    known: HashMap<ContentHash, u32>,
    /// The representative of each document, by its number among representatives.
    representatives: Vec<u32>,
    /// The document of each representative.
    firsts: Vec<u32>,
}

impl Copies {
    /// No documents.
    pub fn new() -> Self {
        Copies::default()
    }

    /// Enters a document; tells whether it is the first with its text.
    pub fn enter(&mut self, text: ContentHash) -> bool {
        let next = self.firsts.len() as u32;
        let representative = *self.known.entry(text).or_insert(next);
        let is_first = representative == next;
        self.put(representative);
        is_first
    }

    /// Enters a document that counts as the first with its text, whatever its text is.
    pub fn enter_alone(&mut self) {
        self.put(self.firsts.len() as u32);
    }

    fn put(&mut self, representative: u32) {
        if representative as usize == self.firsts.len() {
            self.firsts.push(self.representatives.len() as u32);
        }
        self.representatives.push(representative);
    }

    /// How many documents there are.
    pub fn documents(&self) -> u32 {
        self.representatives.len() as u32
    }

    /// How many of them are no copy of an earlier one.
    pub fn representatives(&self) -> u32 {
        self.firsts.len() as u32
    }

    /// The number of a document's representative among representatives.
    pub fn representative(&self, document: u32) -> u32 {
        self.representatives[document as usize]
    }

    /// The document of a representative.
    pub fn first(&self, representative: u32) -> u32 {
        self.firsts[representative as usize]
    }

    /// All documents of each representative, ascending.
    pub fn groups(&self) -> Vec<Vec<u32>> {
        let mut groups = vec![Vec::new(); self.firsts.len()];
        for (document, &representative) in (0..).zip(&self.representatives) {
            groups[representative as usize].push(document);
        }
        groups
    }

    /// The relations of all documents from those of representatives: a copy has every relation of its representative, and
    /// two copies have the one that `copies` gives for their representative.
    pub fn inherit(&self, relations: &[Relation], copies: impl Fn(u32) -> Option<(f64, u32)>) -> Vec<Relation> {
        let groups = self.groups();
        let mut all = Vec::with_capacity(relations.len());
        for relation in relations {
            let Edge { a, b, score } = relation.edge;
            for &one in &groups[a as usize] {
                let others = groups[b as usize].iter();
                all.extend(
                    others.map(|&other| Relation { edge: Edge::new(one, other, score), chunks: relation.chunks }),
                );
            }
        }
        for (representative, group) in (0..).zip(&groups).filter(|(_, group)| group.len() > 1) {
            let Some((score, chunks)) = copies(representative) else { continue };
            for (at, &one) in group.iter().enumerate() {
                let others = group[at + 1..].iter();
                all.extend(others.map(|&other| Relation { edge: Edge::new(one, other, score), chunks }));
            }
        }
        all.sort_unstable_by_key(|relation| (relation.edge.a, relation.edge.b));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_inherit_and_are_related_to_each_other() {
        let mut copies = Copies::new();
        let firsts: Vec<bool> =
            ["one", "two", "one", "three", "one"].iter().map(|text| copies.enter(ContentHash::of(text))).collect();
        assert_eq!(firsts, [true, true, false, true, false]);
        assert_eq!((copies.documents(), copies.representatives()), (5, 3));
        assert_eq!((copies.representative(4), copies.first(2)), (0, 3));
        let relations = [Relation { edge: Edge { a: 0, b: 2, score: 0.5 }, chunks: 9 }];
        let all = copies.inherit(&relations, |representative| (representative == 0).then_some((1.0, 20)));
        let seen: Vec<(u32, u32, f64, u32)> =
            all.iter().map(|one| (one.edge.a, one.edge.b, one.edge.score, one.chunks)).collect();
        assert_eq!(
            seen,
            [(0, 2, 1.0, 20), (0, 3, 0.5, 9), (0, 4, 1.0, 20), (2, 3, 0.5, 9), (2, 4, 1.0, 20), (3, 4, 0.5, 9)]
        );
    }
}
