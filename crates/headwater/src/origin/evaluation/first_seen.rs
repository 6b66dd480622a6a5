//! Which document had a shingle first: fingerprints and document numbers in two flat arrays.

use crate::text::{mix, part};

/// Bytes that a shingle takes: twelve, and the room that an open table needs.
pub(super) const BYTES: u64 = 16;

/// Memory full of it comes from the system as it is used.
const EMPTY: u32 = 0;

/// An open table of fingerprints, with each the number behind that of its document.
#[derive(Debug)]
pub(super) struct FirstSeen {
    fingerprints: Vec<u64>,
    documents: Vec<u32>,
    used: usize,
}

impl FirstSeen {
    /// An empty one that is three quarters full with so many shingles. Should there be more after all, it doubles in time.
    pub(super) fn with_room(shingles: usize) -> Self {
        Self::with_slots(shingles / 3 * 4 + 8)
    }

    fn with_slots(slots: usize) -> Self {
        FirstSeen { fingerprints: vec![0; slots], documents: vec![EMPTY; slots], used: 0 }
    }

    /// How many different fingerprints it has seen.
    pub(super) fn len(&self) -> usize {
        self.used
    }

    /// The document that had a shingle first: the one at hand where nobody had it.
    #[inline]
    pub(super) fn first(&mut self, fingerprint: u64, document: u32) -> u32 {
        let at = self.place(fingerprint);
        if self.documents[at] != EMPTY {
            return self.documents[at] - 1;
        }
        (self.fingerprints[at], self.documents[at]) = (fingerprint, document + 1);
        self.used += 1;
        if self.used * 8 > self.documents.len() * 7 {
            self.grow();
        }
        document
    }

    /// Where a fingerprint stands, or would stand. It is mixed, since all may be of one part of the range of fingerprints.
    #[inline]
    fn place(&self, fingerprint: u64) -> usize {
        let slots = self.documents.len();
        let mut at = part(mix(fingerprint), slots);
        while self.documents[at] != EMPTY && self.fingerprints[at] != fingerprint {
            at = if at + 1 == slots { 0 } else { at + 1 };
        }
        at
    }

    fn grow(&mut self) {
        let larger = FirstSeen { used: self.used, ..Self::with_slots(self.documents.len() * 2) };
        let smaller = std::mem::replace(self, larger);
        for (fingerprint, document) in smaller.fingerprints.into_iter().zip(smaller.documents) {
            if document != EMPTY {
                let at = self.place(fingerprint);
                (self.fingerprints[at], self.documents[at]) = (fingerprint, document);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashMap;

    proptest! {
        #[test]
        fn agrees_with_a_map(shingles in proptest::collection::vec(0u64..400, 0..2000), room in 0usize..500, spread in any::<bool>()) {
            let (mut index, mut map) = (FirstSeen::with_room(room), HashMap::new());
            for (document, shingle) in (0..).zip(shingles) {
                let shingle = if spread { mix(shingle) } else { shingle << 50 };
                prop_assert_eq!(index.first(shingle, document), *map.entry(shingle).or_insert(document));
            }
            prop_assert_eq!(index.len(), map.len());
        }

        #[test]
        fn as_many_shingles_as_were_foretold_take_what_was_promised(shingles in 0u64..3000) {
            let mut index = FirstSeen::with_room(shingles as usize);
            (0..shingles).for_each(|shingle| {
                index.first(mix(shingle), 0);
            });
            let bytes = 8 * index.fingerprints.capacity() + 4 * index.documents.capacity();
            prop_assert!(bytes as u64 <= BYTES * shingles + 100, "{bytes} bytes");
        }
    }
}
