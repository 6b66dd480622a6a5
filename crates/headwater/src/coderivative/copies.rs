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
    pub fn groups(&self) -> Groups {
        let mut ends = vec![0u32; self.firsts.len()];
        self.representatives.iter().for_each(|&representative| ends[representative as usize] += 1);
        let mut next = 0;
        for end in &mut ends {
            (*end, next) = (next, next + *end);
        }
        // Each is now where its group begins, and with the last member of the group it is where the group ends.
        let mut members = vec![0; self.representatives.len()];
        for (document, &representative) in (0..).zip(&self.representatives) {
            let place = &mut ends[representative as usize];
            members[*place as usize] = document;
            *place += 1;
        }
        Groups { ends, members }
    }

    /// Gives back what only telling further copies needs: no document may be entered any more.
    pub fn close(&mut self) {
        self.known = HashMap::new();
        self.representatives.shrink_to_fit();
        self.firsts.shrink_to_fit();
    }

    /// Bytes that they take once they are closed.
    pub fn memory(&self) -> usize {
        size_of_val(&*self.representatives) + size_of_val(&*self.firsts)
    }

    /// The relations of all documents from those of representatives: a copy has every relation of its representative, and
    /// two copies have the one that `copies` gives for their representative.
    pub fn inherit(&self, relations: &[Relation], copies: impl Fn(u32) -> Option<(f64, u32)>) -> Vec<Relation> {
        let groups = self.groups();
        let mut all = Vec::with_capacity(relations.len());
        for relation in relations {
            let Edge { a, b, score } = relation.edge;
            for &one in groups.of(a) {
                let others = groups.of(b).iter();
                all.extend(
                    others.map(|&other| Relation { edge: Edge::new(one, other, score), chunks: relation.chunks }),
                );
            }
        }
        for representative in 0..self.representatives() {
            let group = groups.of(representative);
            let Some((score, chunks)) = (group.len() > 1).then(|| copies(representative)).flatten() else { continue };
            for (at, &one) in group.iter().enumerate() {
                let others = group[at + 1..].iter();
                all.extend(others.map(|&other| Relation { edge: Edge::new(one, other, score), chunks }));
            }
        }
        all.sort_unstable_by_key(|relation| (relation.edge.a, relation.edge.b));
        all
    }
}

/// The documents that have one text, for each text: one list of all of them, since most stand alone.
#[derive(Clone, Debug)]
pub struct Groups {
    ends: Vec<u32>,
    members: Vec<u32>,
}

impl Groups {
    /// The documents of a representative.
    pub fn of(&self, representative: u32) -> &[u32] {
        let representative = representative as usize;
        let start = representative.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.members[start as usize..self.ends[representative] as usize]
    }

    /// The same with other numbers for the documents, ascending again.
    pub fn renumbered(mut self, number: impl Fn(u32) -> u32) -> Self {
        let mut start = 0;
        for &end in &self.ends {
            let group = &mut self.members[start..end as usize];
            group.iter_mut().for_each(|document| *document = number(*document));
            group.sort_unstable();
            start = end as usize;
        }
        self
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
        copies.close();
        let groups = copies.groups();
        assert_eq!((groups.of(0), groups.of(1), groups.of(2)), (&[0, 2, 4][..], &[1][..], &[3][..]));
        let backwards = groups.renumbered(|document| 9 - document);
        assert_eq!((backwards.of(0), backwards.of(2)), (&[5, 7, 9][..], &[6][..]));
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
