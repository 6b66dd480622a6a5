//! Some of the shingles of a document, one bit for each.

use std::ops::Range;

/// A set of numbers below a length. What lies beyond it is never marked.
#[derive(Debug, Default)]
pub(super) struct Marks {
    words: Vec<u64>,
    length: usize,
}

impl Marks {
    /// Empties the set for a document with so many shingles.
    pub(super) fn restart(&mut self, length: usize) {
        self.words.clear();
        self.words.resize(length.div_ceil(64), 0);
        self.length = length;
    }

    /// How many could be marked.
    pub(super) fn len(&self) -> usize {
        self.length
    }

    #[inline]
    pub(super) fn has(&self, at: usize) -> bool {
        self.words.get(at / 64).is_some_and(|word| word >> (at % 64) & 1 != 0)
    }

    #[inline]
    pub(super) fn mark(&mut self, at: usize) {
        self.words[at / 64] |= 1 << (at % 64);
    }

    /// Marks all of a range that is not empty; gives how many were not marked before.
    #[inline]
    pub(super) fn mark_all(&mut self, range: Range<usize>) -> usize {
        let (first, last) = (range.start / 64, (range.end - 1) / 64);
        let mut from = u64::MAX << (range.start % 64);
        let mut new = 0;
        for (at, word) in self.words[first..=last].iter_mut().enumerate() {
            let to = if first + at == last { u64::MAX >> (63 - (range.end - 1) % 64) } else { u64::MAX };
            new += (from & to & !*word).count_ones() as usize;
            *word |= from & to;
            from = u64::MAX;
        }
        new
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn as_a_plain_list(length in 1usize..300, ranges in vec((0usize..300, 1usize..200), 0..8), single in 0usize..300) {
            let (mut marks, mut plain) = (Marks::default(), vec![false; length]);
            // In memory that a longer document has used.
            marks.restart(1000);
            marks.mark_all(3..999);
            marks.restart(length);
            for (start, count) in ranges {
                let range = start % length..(start % length + count).min(length);
                let expected = plain[range.clone()].iter().filter(|marked| !**marked).count();
                plain[range.clone()].fill(true);
                prop_assert_eq!(marks.mark_all(range), expected);
            }
            plain[single % length] = true;
            marks.mark(single % length);
            prop_assert_eq!(marks.len(), length);
            let found: Vec<bool> = (0..length).map(|at| marks.has(at)).collect();
            prop_assert_eq!(found, plain);
            prop_assert!(!marks.has(1 << 20));
        }
    }
}
