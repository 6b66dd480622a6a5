//! What a collection holds, by numbers that stand for its documents: the index that membership is looked up in, and what uniform
//! samples are drawn from.

use crate::text::mix;

/// The different documents of a collection, each by a fingerprint of its content or of its address.
///
/// What is there twice counts once: the slides' equivalence classes.
#[derive(Clone, Debug, Default)]
pub struct Catalogue {
    /// Ascending.
    keys: Vec<u64>,
}

impl Catalogue {
    /// A collection with these documents, in any order and as often as they come.
    pub fn new(mut keys: Vec<u64>) -> Self {
        keys.sort_unstable();
        keys.dedup();
        keys.shrink_to_fit();
        Catalogue { keys }
    }

    /// How many different documents there are.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// All of them, ascending.
    pub fn keys(&self) -> impl Iterator<Item = u64> {
        self.keys.iter().copied()
    }

    /// Whether a document is there.
    pub fn contains(&self, key: u64) -> bool {
        self.keys.binary_search(&key).is_ok()
    }

    /// `count` documents drawn uniformly without replacement; all of them where there are not more.
    ///
    /// The seed puts all documents there are in one random order, and each collection gives the first that it has. Collections
    /// that are drawn from with the same seed thus give the same documents where both have them (Broder's sketches of 1997; bottom-k
    /// samples, Cohen and Kaplan 2007): errors of the two shares of a pair then cancel in the ratio of sizes. Each draw by itself is
    /// uniform.
    pub fn draw(&self, count: usize, seed: u64) -> Draw {
        let mut documents = self.keys.clone();
        let mut reach = 1.0;
        if count < documents.len() {
            let rank = |key: &u64| mix(key ^ mix(seed));
            reach = 0.0;
            if count > 0 {
                let (_, last, _) = documents.select_nth_unstable_by_key(count - 1, rank);
                // Ranks are whole numbers below 2^64, of which each fills its place to the end.
                reach = (rank(last) as f64 + 1.0) / 2f64.powi(64);
            }
            documents.truncate(count);
            documents.sort_unstable();
        }
        Draw { documents, reach }
    }
}

/// Documents that were drawn, and how far it was gone through the random order for them.
#[derive(Clone, Debug, PartialEq)]
pub struct Draw {
    /// Ascending.
    pub documents: Vec<u64>,
    /// The part of the order up to which all documents of the collection are here: up to the last that was drawn, or 1 where all were. The
    /// sooner there are enough, the larger the collection.
    pub reach: f64,
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn samples_are_of_the_collection_and_as_large_as_asked(keys in proptest::collection::vec(0u64..500, 0..300), count in 0usize..400, seed in 0u64..9) {
            let catalogue = Catalogue::new(keys.clone());
            let Draw { documents: sample, reach } = catalogue.draw(count, seed);
            prop_assert_eq!(reach == 1.0, count >= catalogue.len());
            prop_assert!((0.0..=1.0).contains(&reach));
            prop_assert_eq!(sample.len(), count.min(catalogue.len()));
            prop_assert!(sample.is_sorted_by(|a, b| a < b));
            prop_assert!(sample.iter().all(|&key| catalogue.contains(key) && keys.contains(&key)));
            prop_assert!(keys.iter().all(|&key| catalogue.contains(key)));
        }
    }

    #[test]
    fn every_document_is_as_likely() {
        let catalogue = Catalogue::new((0..20).collect());
        let mut drawn = [0u32; 20];
        for seed in 0..4000 {
            catalogue.draw(5, seed).documents.into_iter().for_each(|key| drawn[key as usize] += 1);
        }
        assert!(drawn.iter().all(|times| (850..1150).contains(times)), "{drawn:?}");
    }
}
