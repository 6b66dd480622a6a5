//! Which document had a shingle first: fingerprints and document numbers in two flat arrays.

/// Bytes that a shingle takes, at the most: twelve, and the room that an open table needs.
pub(super) const BYTES: u64 = 16;

const EMPTY: u32 = u32::MAX;

/// An open table of fingerprints. At three quarters full it doubles.
#[derive(Debug)]
pub(super) struct FirstSeen {
    fingerprints: Vec<u64>,
    documents: Vec<u32>,
    used: usize,
}

impl FirstSeen {
    pub(super) fn new() -> Self {
        FirstSeen { fingerprints: vec![0; 64], documents: vec![EMPTY; 64], used: 0 }
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
            return self.documents[at];
        }
        (self.fingerprints[at], self.documents[at]) = (fingerprint, document);
        self.used += 1;
        if self.used * 4 > self.documents.len() * 3 {
            self.grow();
        }
        document
    }

    /// Where a fingerprint stands, or would stand. Its low bits are as good as any: it is mixed already.
    #[inline]
    fn place(&self, fingerprint: u64) -> usize {
        let mask = self.documents.len() - 1;
        let mut at = fingerprint as usize & mask;
        while self.documents[at] != EMPTY && self.fingerprints[at] != fingerprint {
            at = (at + 1) & mask;
        }
        at
    }

    fn grow(&mut self) {
        let slots = self.documents.len() * 2;
        let larger = FirstSeen { fingerprints: vec![0; slots], documents: vec![EMPTY; slots], used: self.used };
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
        fn agrees_with_a_map(shingles in proptest::collection::vec(0u64..400, 0..2000), spread in any::<bool>()) {
            let (mut index, mut map) = (FirstSeen::new(), HashMap::new());
            for (document, shingle) in (0..).zip(shingles) {
                let shingle = if spread { crate::text::mix(shingle) } else { shingle << 50 };
                prop_assert_eq!(index.first(shingle, document), *map.entry(shingle).or_insert(document));
            }
            prop_assert_eq!(index.len(), map.len());
        }
    }
}
