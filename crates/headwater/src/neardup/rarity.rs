//! Every set with its rarest elements first.
//!
//! The join only needs *some* order of features that is the same for all sets; the rarer its first ones are, the fewer pairs it
//! has to look at. So features are counted in a table of fixed size, where two may share a place: that makes a count too large
//! now and then, never too small, and never inconsistent. A feature whose count is 1 occurs in one set only and is in no overlap:
//! it is dropped, and only remembered in the set's size.

use super::collection::{Chunk, Sets};
use super::workers::Workers;

/// Bits of a key that hold the feature itself; those above hold its rarity class.
const FEATURE_BITS: u32 = 58;
const FEATURE: u64 = (1 << FEATURE_BITS) - 1;

/// The table of counts never takes more bytes than this.
const MOST_COUNTERS: usize = 1 << 28;

/// Sets as sorted keys, rarest first, without the features that no other set has.
#[derive(Debug, Default)]
pub(super) struct Ranked {
    pub(super) keys: Sets,
    /// How many elements each set has, with those that were dropped.
    pub(super) sizes: Vec<u32>,
}

/// How many sets have each feature, roughly: never too few.
#[derive(Debug)]
pub(super) struct Counts {
    counters: Vec<u8>,
}

impl Ranked {
    pub(super) fn new(sets: &Sets, workers: &impl Workers) -> Self {
        let counts = Counts::of(sets);
        let mut ranked = Ranked { keys: Sets::default(), sizes: Vec::with_capacity(sets.len() as usize) };
        let rank = |chunk: usize| counts.rank(&sets.chunks()[chunk]);
        workers.each(sets.chunks().len(), rank, |chunk| ranked.keys.append(chunk));
        ranked.sizes.extend((0..sets.len()).map(|set| sets.get(set).len() as u32));
        ranked
    }
}

impl Counts {
    pub(super) fn of(sets: &Sets) -> Self {
        let mut counts = Counts::sized(sets.features());
        sets.chunks().iter().for_each(|chunk| counts.add(chunk.all_features()));
        counts
    }

    /// Room for so many features, not all different.
    pub(super) fn sized(features: u64) -> Self {
        let wanted = usize::try_from(features).map_or(MOST_COUNTERS, |features| features.saturating_mul(2));
        Counts { counters: vec![0; wanted.min(MOST_COUNTERS).next_power_of_two().max(1 << 10)] }
    }

    /// Of about so many bytes.
    pub(super) fn within(bytes: usize) -> Self {
        let wanted = bytes.clamp(1 << 10, MOST_COUNTERS);
        Counts { counters: vec![0; 1 << wanted.ilog2()] }
    }

    /// Counts the features of one set, or of several.
    pub(super) fn add(&mut self, features: &[u64]) {
        let mask = self.counters.len() - 1;
        for &feature in features {
            let counter = &mut self.counters[feature as usize & mask];
            *counter = counter.saturating_add(1);
        }
    }

    fn rank(&self, chunk: &Chunk) -> Chunk {
        let mut ranked = Chunk::default();
        let mut keys = Vec::new();
        for features in chunk.iter() {
            self.keys(features, &mut keys);
            ranked.push(&keys);
        }
        ranked
    }

    /// The keys of one set in order, without the features that no other set has.
    pub(super) fn keys(&self, features: &[u64], keys: &mut Vec<u64>) {
        let mask = self.counters.len() - 1;
        keys.clear();
        for &feature in features {
            let count = self.counters[feature as usize & mask];
            if count > 1 {
                keys.push(class(count) << FEATURE_BITS | feature & FEATURE);
            }
        }
        keys.sort_unstable();
    }
}

/// Six bits that grow with the count: exact for rare features, coarse for frequent ones.
fn class(count: u8) -> u64 {
    u64::from(if count < 32 { count } else { 28 + count / 8 })
}

#[cfg(test)]
mod tests {
    use super::super::workers::Alone;
    use super::*;
    use crate::text::mix;

    #[test]
    fn classes_fit_and_keep_the_order() {
        assert!((1..=255u8).all(|count| class(count) < 64 && class(count) >= class(count - 1)));
    }

    #[test]
    fn rare_features_come_first_and_lonely_ones_are_dropped() {
        let (common, rare, lonely) = (mix(1), mix(2), mix(3));
        let mut sets = Sets::default();
        sets.push(&[common, rare, lonely]);
        sets.push(&[common, rare]);
        sets.push(&[common]);
        let ranked = Ranked::new(&sets, &Alone);
        assert_eq!(ranked.sizes, [3, 2, 1]);
        let features: Vec<u64> = ranked.keys.get(0).iter().map(|key| key & FEATURE).collect();
        assert_eq!(features, [rare & FEATURE, common & FEATURE]);
        assert_eq!(ranked.keys.get(0), ranked.keys.get(1));
    }
}
