//! The passages that two documents share, side by side.

use std::ops::Range;

use crate::text::fingerprints;

/// A run of tokens that two documents have in common.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedPassage {
    /// The tokens of the one.
    pub a: Range<u32>,
    /// The tokens of the other; as many.
    pub b: Range<u32>,
}

/// The longest runs of at least `length` tokens of `a` that `b` has too, in the order of `a`.
///
/// Every chunk of `a` that stands in `b` is covered. Where it stands in several places of `b`, the one that continues a
/// passage counts, else the first behind the passage before, else the first of all.
pub fn shared_passages(a: &[u64], b: &[u64], length: usize) -> Vec<SharedPassage> {
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    fingerprints(a, length, &mut ours);
    fingerprints(b, length, &mut theirs);
    let mut places: Vec<(u64, u32)> = theirs.iter().copied().zip(0..).collect();
    places.sort_unstable();
    let mut passages: Vec<SharedPassage> = Vec::new();
    // The chunk of `b` that would continue the passage at hand.
    let mut next: Option<usize> = None;
    for (at, &chunk) in ours.iter().enumerate() {
        let continued = next.filter(|&next| theirs.get(next) == Some(&chunk));
        let found = continued.or_else(|| {
            let behind = passages.last().map_or(0, |passage| passage.b.end);
            find(&places, chunk, behind)
        });
        let Some(there) = found else {
            next = None;
            continue;
        };
        let ends = ((at + length) as u32, (there + length) as u32);
        match passages.last_mut().filter(|_| continued.is_some()) {
            Some(passage) => (passage.a.end, passage.b.end) = ends,
            None => passages.push(SharedPassage { a: at as u32..ends.0, b: there as u32..ends.1 }),
        }
        next = Some(there + 1);
    }
    passages
}

/// The first place of a chunk at or behind a position, else its first place.
fn find(places: &[(u64, u32)], chunk: u64, behind: u32) -> Option<usize> {
    let first = places.partition_point(|place| *place < (chunk, 0));
    let wanted = places.partition_point(|place| *place < (chunk, behind));
    let at = |index: usize| places.get(index).filter(|place| place.0 == chunk).map(|place| place.1 as usize);
    at(wanted).or_else(|| at(first))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn passages_are_common_and_cover_every_shared_chunk(
            a in proptest::collection::vec(0u64..4, 0..60),
            b in proptest::collection::vec(0u64..4, 0..60),
            length in 1usize..6,
        ) {
            let passages = shared_passages(&a, &b, length);
            let range = |range: &Range<u32>| range.start as usize..range.end as usize;
            for passage in &passages {
                prop_assert_eq!(&a[range(&passage.a)], &b[range(&passage.b)]);
                prop_assert!(passage.a.len() >= length);
            }
            for (at, chunk) in a.windows(length).enumerate() {
                let shared = b.windows(length).any(|other| other == chunk);
                let covered = passages.iter().any(|passage| passage.a.start as usize <= at && at + length <= passage.a.end as usize);
                prop_assert_eq!(shared, covered);
            }
        }
    }

    #[test]
    fn a_copied_paragraph_is_one_passage() {
        let a: Vec<u64> = (0..30).collect();
        let b: Vec<u64> = (100..110).chain(5..25).chain(200..203).collect();
        assert_eq!(shared_passages(&a, &b, 8), [SharedPassage { a: 5..25, b: 10..30 }]);
    }
}
