//! The hash counters of SPEX: zero, one, or more than one, in two bits (section 5).
//!
//! Collisions are not resolved: a count is never too low, and that it can be too high costs work later on but no truth.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::text::part;

/// Counters in a word of 64 bits.
const IN_WORD: u64 = 32;

/// The low bit of every counter of a word.
const LOW: u64 = 0x5555_5555_5555_5555;

/// Parts of at most this many words are worked on one at a time: half a mebibyte, which a core's own cache holds and whose
/// addresses it can translate without walking page tables.
const PART_WORDS: u64 = 1 << 16;

/// More parts than this would leave too few numbers of a batch for each.
const MOST_PARTS: u64 = 1 << 10;

/// An array of two-bit counters, split by the leading bits of what is counted, so that several cores can work on it.
///
/// A counter goes from 0 to 1 to "more than one", whatever the order: so the counts do not depend on how work was divided.
#[derive(Debug)]
pub struct Counters {
    /// Plain loads and stores under the part's lock; atomic only so that they can be shared.
    words: Vec<AtomicU64>,
    locks: Vec<Mutex<()>>,
}

/// How full counters are: a point of the paper's Figure 3.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Occupancy {
    /// The length of the chunks that were counted.
    pub length: usize,
    /// Counters in all.
    pub counters: u64,
    /// Counters with a single hit.
    pub single: u64,
    /// Counters with more than one.
    pub multiple: u64,
}

impl Counters {
    /// At least `counters` counters, all zero, in a quarter as many bytes.
    pub fn new(counters: u64) -> Self {
        let words = counters.div_ceil(IN_WORD).max(1);
        let parts = words.div_ceil(PART_WORDS).clamp(1, MOST_PARTS);
        let part_words = words.div_ceil(parts);
        let words = part_words * parts;
        Counters {
            words: std::iter::repeat_with(AtomicU64::default).take(words as usize).collect(),
            locks: (0..parts).map(|_| Mutex::new(())).collect(),
        }
    }

    /// How many counters there are.
    pub fn len(&self) -> u64 {
        self.words.len() as u64 * IN_WORD
    }

    /// Whether there is none; there always is.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Counts numbers that are spread evenly over all 64 bits. Threads may do so at the same time.
    pub fn add_all(&self, numbers: &[u64], scratch: &mut Scratch) {
        let Scratch { sorted, starts } = scratch;
        let parts = self.locks.len();
        starts.clear();
        starts.resize(parts + 1, 0);
        for &number in numbers {
            starts[self.part(number) + 1] += 1;
        }
        for part in 0..parts {
            starts[part + 1] += starts[part];
        }
        sorted.resize(numbers.len(), 0);
        for &number in numbers {
            let place = &mut starts[self.part(number)];
            sorted[*place as usize] = number;
            *place += 1;
        }
        // After the scatter `starts[part]` is where the part ends.
        let mut start = 0;
        for (lock, &end) in self.locks.iter().zip(starts.iter()) {
            let numbers = &sorted[start..end as usize];
            start = end as usize;
            if !numbers.is_empty() {
                // The lock guards no data that a panic elsewhere could have left half-changed.
                let _guard = lock.lock().unwrap_or_else(PoisonError::into_inner);
                numbers.iter().for_each(|&number| self.add(number));
            }
        }
    }

    /// Whether a number was counted more than once, as far as collisions allow to tell.
    #[inline]
    pub fn is_multiple(&self, number: u64) -> bool {
        let (word, shift) = self.place(number);
        self.words[word].load(Ordering::Relaxed) >> shift & 2 != 0
    }

    /// Whether a number was counted at all, as far as collisions allow to tell.
    #[inline]
    pub fn is_counted(&self, number: u64) -> bool {
        let (word, shift) = self.place(number);
        self.words[word].load(Ordering::Relaxed) >> shift & 1 != 0
    }

    /// How full the counters are after counting chunks of `length`.
    pub fn occupancy(&self, length: usize) -> Occupancy {
        let (mut single, mut multiple) = (0, 0);
        for word in &self.words {
            let word = word.load(Ordering::Relaxed);
            multiple += u64::from((word >> 1 & LOW).count_ones());
            single += u64::from((word & !(word >> 1) & LOW).count_ones());
        }
        Occupancy { length, counters: self.len(), single, multiple }
    }

    #[inline]
    fn add(&self, number: u64) {
        let (word, shift) = self.place(number);
        let word = &self.words[word];
        let old = word.load(Ordering::Relaxed);
        // The low bit says "at least one", the high bit "more".
        let seen = old >> shift & 1;
        word.store(old | (1 | seen << 1) << shift, Ordering::Relaxed);
    }

    #[inline]
    fn place(&self, number: u64) -> (usize, u64) {
        let counter = ((u128::from(number) * u128::from(self.len())) >> 64) as u64;
        ((counter / IN_WORD) as usize, counter % IN_WORD * 2)
    }

    #[inline]
    fn part(&self, number: u64) -> usize {
        // The same product as in `place`, so that a part's counters are its words and no others.
        part(number, self.locks.len())
    }
}

/// Room for sorting what is counted by part. Reuse one value for many batches.
#[derive(Debug, Default)]
pub struct Scratch {
    sorted: Vec<u64>,
    starts: Vec<u32>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::mix;
    use proptest::prelude::*;
    use std::collections::HashMap;

    proptest! {
        #[test]
        fn counts_are_never_too_low_and_as_collisions_make_them(
            numbers in proptest::collection::vec(0u64..300, 0..600),
            counters in 1u64..5000,
        ) {
            let numbers: Vec<u64> = numbers.into_iter().map(mix).collect();
            let array = Counters::new(counters);
            prop_assert!(array.len() >= counters);
            let (left, right) = numbers.split_at(numbers.len() / 3);
            let mut scratch = Scratch::default();
            array.add_all(left, &mut scratch);
            array.add_all(right, &mut scratch);
            let mut counts = HashMap::new();
            for &number in &numbers {
                *counts.entry(array.place(number)).or_insert(0) += 1;
            }
            for &number in &numbers {
                prop_assert_eq!(array.is_multiple(number), counts[&array.place(number)] > 1);
            }
            for number in (300..400).map(mix) {
                prop_assert_eq!(array.is_counted(number), counts.contains_key(&array.place(number)));
            }
            let occupancy = array.occupancy(1);
            prop_assert_eq!(occupancy.multiple, counts.values().filter(|&&count| count > 1).count() as u64);
            prop_assert_eq!(occupancy.single, counts.values().filter(|&&count| count == 1).count() as u64);
        }
    }

    #[test]
    fn a_part_holds_whole_words_of_its_own() {
        let array = Counters::new(40 * PART_WORDS * IN_WORD + 12345);
        assert!(array.locks.len() > 1);
        let part_words = array.words.len() / array.locks.len();
        for number in (0..100_000).map(mix) {
            assert_eq!(array.place(number).0 / part_words, array.part(number));
        }
    }
}
