//! What of a text is compared: its spot signatures or its shingles, as a set of 64-bit numbers.
//!
//! A multiset becomes a set by numbering: the second occurrence of a feature is an element of its own. The plain overlap of two
//! such sets is the sum of the smaller counts, their plain union the sum of the larger ones, so that plain Jaccard on them *is*
//! the weighted Jaccard of the multisets, and one join serves both.

use super::spots::Spots;
use super::vocabulary::Role;
use crate::text::{Reading, TextTooLong, Tokens, fingerprints, mix};

/// What of a text is compared.
#[derive(Clone, Debug, PartialEq)]
pub enum Features {
    /// Spot signatures, each as often as it occurs: the paper's.
    Spots(Spots),
    /// Shingles of `k` tokens; 1 for the words themselves. A text of fewer tokens is one shingle of all it has.
    Shingles {
        /// Tokens in a shingle.
        k: usize,
        /// Whether a shingle counts as often as it occurs, or once.
        repeats: bool,
    },
}

/// Reads the features of texts; works on any number of threads at once.
#[derive(Clone, Debug)]
pub struct Extractor {
    features: Features,
    reading: Reading,
}

/// Room to work in, used again for text after text.
#[derive(Debug, Default)]
pub struct Scratch {
    pub(super) tokens: Tokens,
    roles: Vec<Role>,
    features: Vec<u64>,
    seen: Vec<u64>,
}

impl Scratch {
    /// How many tokens the last text had.
    pub fn tokens(&self) -> usize {
        self.tokens.len()
    }
}

impl Extractor {
    /// Reads these features of texts that are cut into tokens this way.
    pub fn new(features: Features, reading: Reading) -> Self {
        Extractor { features, reading }
    }

    /// The features of one text: all different, in an order that only depends on the text.
    pub fn extract<'s>(&self, text: &str, scratch: &'s mut Scratch) -> Result<&'s [u64], TextTooLong> {
        let Scratch { tokens, roles, features, seen } = scratch;
        tokens.read(text, self.reading)?;
        match &self.features {
            Features::Spots(spots) => {
                spots.read(tokens.hashes(), roles, features);
                number_repeats(features);
            }
            Features::Shingles { k, repeats } => {
                fingerprints(tokens.hashes(), (*k).min(tokens.len()).max(1), features);
                if *repeats { number_repeats(features) } else { keep_distinct(features, seen) }
            }
        }
        Ok(features)
    }
}

/// Makes every occurrence of a feature behind its first a feature of its own.
fn number_repeats(features: &mut [u64]) {
    features.sort_unstable();
    let mut before = None;
    let mut repeat = 0u64;
    for feature in features {
        if before == Some(*feature) {
            repeat += 1;
            *feature = mix(feature.wrapping_add(repeat.wrapping_mul(0xa24b_aed4_963e_e407)));
        } else {
            before = Some(*feature);
            repeat = 0;
        }
    }
}

/// More features than this do not fit the nearest caches as a table: then sorting is quicker.
const MOST_HASHED: usize = 1 << 15;

/// Keeps the first of each.
fn keep_distinct(features: &mut Vec<u64>, seen: &mut Vec<u64>) {
    if features.len() > MOST_HASHED {
        features.sort_unstable();
        features.dedup();
        return;
    }
    let places = (features.len() * 2).next_power_of_two();
    seen.clear();
    seen.resize(places, 0);
    let mut kept = 0;
    for at in 0..features.len() {
        // 0 marks a free place.
        let feature = features[at].max(1);
        let mut place = feature as usize & (places - 1);
        while seen[place] != 0 && seen[place] != feature {
            place = (place + 1) & (places - 1);
        }
        let new = seen[place] == 0;
        seen[place] = feature;
        features[kept] = feature;
        kept += usize::from(new);
    }
    features.truncate(kept);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::{BTreeMap, BTreeSet};

    fn extract(features: Features, text: &str) -> Vec<u64> {
        let mut scratch = Scratch::default();
        Extractor::new(features, Reading::Words).extract(text, &mut scratch).unwrap().to_vec()
    }

    /// The rose of the slides on duplicate detection: five 4-shingles, three of them different.
    #[test]
    fn the_rose_of_the_slides() {
        let rose = "a rose is a rose is a rose";
        assert_eq!(extract(Features::Shingles { k: 4, repeats: false }, rose).len(), 3);
        assert_eq!(extract(Features::Shingles { k: 4, repeats: true }, rose).len(), 5);
    }

    #[test]
    fn a_short_text_is_one_shingle() {
        let of = |text| extract(Features::Shingles { k: 8, repeats: false }, text);
        assert_eq!(of("two words").len(), 1);
        assert_eq!(of("two words"), of("Two Words!"));
        assert_ne!(of("two words"), of("two"));
        assert!(of("").is_empty());
    }

    proptest! {
        #[test]
        fn distinct_features_are_the_set(features in proptest::collection::vec(1u64..50, 0..200)) {
            let mut kept = features.clone();
            keep_distinct(&mut kept, &mut Vec::new());
            let set: BTreeSet<u64> = features.iter().copied().collect();
            prop_assert_eq!(kept.len(), set.len());
            prop_assert_eq!(kept.into_iter().collect::<BTreeSet<_>>(), set);
        }

        #[test]
        fn the_overlap_of_numbered_repeats_is_the_sum_of_the_smaller_counts(
            one in proptest::collection::vec(1u64..9, 0..40), other in proptest::collection::vec(1u64..9, 0..40)
        ) {
            let numbered = |features: &[u64]| {
                let mut features = features.to_vec();
                number_repeats(&mut features);
                features.into_iter().collect::<BTreeSet<_>>()
            };
            let counts = |features: &[u64]| {
                features.iter().fold(BTreeMap::<u64, usize>::new(), |mut counts, &feature| {
                    *counts.entry(feature).or_default() += 1;
                    counts
                })
            };
            let (a, b) = (counts(&one), counts(&other));
            let smaller: usize = a.iter().map(|(feature, count)| b.get(feature).map_or(0, |other| *other.min(count))).sum();
            let (one, other) = (numbered(&one), numbered(&other));
            prop_assert_eq!(one.len(), a.values().sum::<usize>());
            prop_assert_eq!(one.intersection(&other).count(), smaller);
        }
    }

    #[test]
    fn many_features_and_few_are_treated_alike() {
        let mut many: Vec<u64> = (0..3 * MOST_HASHED as u64).map(|n| 1 + n % (MOST_HASHED as u64 + 5)).collect();
        keep_distinct(&mut many, &mut Vec::new());
        assert_eq!(many.len(), MOST_HASHED + 5);
    }
}
