//! A search over more than memory holds: feature sets lie on a shelf, and the join takes them down block by block.
//!
//! Sets are put on the shelf as they come, and only their sizes are remembered. For the join they are put into order of size
//! and cut into blocks that fit the memory that was granted. A pair lies within one block or in two whose sizes allow
//! it; each such pair of blocks is joined by itself, with the very join that serves what fits into memory. So the answer is the
//! same.

use std::ops::Range;

use super::collection::Sets;
use super::join::{Match, Want, join, join_across};
use super::matches::Matches;
use super::measure::Bound;
use super::rarity::{Counts, Ranked};
use super::roster::Roster;
use super::search::{Found, Signature};
use super::settings::{InvalidSettings, Settings};
use super::workers::Workers;

/// Where numbers lie that memory has no room for, one behind the other. `headwater_io` has one on disk.
pub trait Shelf {
    /// Why it cannot be used any more.
    type Error;

    /// Puts numbers behind all others.
    fn put(&mut self, numbers: &[u64]) -> Result<(), Self::Error>;

    /// Appends the numbers at these places to `out`.
    fn take(&mut self, places: Range<u64>, out: &mut Vec<u64>) -> Result<(), Self::Error>;
}

/// Collects signatures on a shelf and finds those that are alike: every pair, by methods that compare exactly.
#[derive(Debug)]
pub struct ShelfSearch<S> {
    bound: Bound,
    roster: Roster,
    /// How many features each set has.
    sizes: Vec<u32>,
    counts: Counts,
    /// Features that are compared at a time.
    room: u64,
    features: S,
    /// The same sets as the join reads them: in order of size, as keys.
    keys: S,
}

/// What a feature takes during a join, in all: its key, its posting, its place in the lists, twice.
const BYTES: usize = 96;

/// Blocks of fewer features would be so many that joining each with each is all that is done; counters in fewer bytes would
/// call every feature frequent.
const LEAST_ROOM: u64 = 1 << 16;
const LEAST_COUNTERS: usize = 1 << 20;

impl<S: Shelf> ShelfSearch<S> {
    /// A search with nothing in it yet, which takes about `memory` bytes beside some for each document; needs two empty
    /// shelves.
    pub fn new(settings: &Settings, memory: usize, shelves: [S; 2]) -> Result<Self, InvalidSettings> {
        if settings.method.uses_sketches() || settings.method.is_imatch() || settings.idf.is_some() {
            return Err(InvalidSettings::NotOnShelf);
        }
        let [features, keys] = shelves;
        Ok(ShelfSearch {
            bound: settings.bound()?,
            roster: Roster::default(),
            sizes: Vec::new(),
            counts: Counts::within((memory / 4).max(LEAST_COUNTERS)),
            room: ((memory / BYTES) as u64).max(LEAST_ROOM),
            features,
            keys,
        })
    }

    /// Adds the next document in time order. Gives its number, and whether no document before had its features.
    pub fn push(&mut self, signature: &Signature) -> Result<(u32, bool), S::Error> {
        let entered = self.roster.enter(&signature.features);
        let new = entered.is_some_and(|(_, new)| new);
        if new {
            self.keep(&signature.features)?;
        }
        Ok((self.roster.add(entered.map(|(set, _)| set)), new))
    }

    /// Enters a signature before the documents that have it; `false` for one without features, or that is there already.
    pub fn enter(&mut self, signature: &Signature) -> Result<bool, S::Error> {
        let new = self.roster.enter(&signature.features).is_some_and(|(_, new)| new);
        if new {
            self.keep(&signature.features)?;
        }
        Ok(new)
    }

    /// Adds the next document by the number of its signature, if it has features; `false` where there is no such signature.
    pub fn add(&mut self, signature: Option<u32>) -> bool {
        let known = signature.is_none_or(|number| number < self.roster.distinct());
        if known {
            self.roster.add(signature);
        }
        known
    }

    /// What has been added.
    pub fn roster(&self) -> &Roster {
        &self.roster
    }

    /// Finds what is alike; nothing can be added afterwards.
    pub fn find(&mut self, want: Want, workers: &impl Workers) -> Result<Found, S::Error> {
        let blocks = self.arrange()?;
        let mut found = Vec::new();
        for (at, block) in blocks.iter().enumerate() {
            let here = self.load(&[block])?;
            found.extend(named(&[block], join(&here, self.bound, want, workers)));
            drop(here);
            for earlier in &blocks[..at] {
                if self.bound.least_partner(block.sizes[0]) <= earlier.largest() {
                    let pair = [earlier, block];
                    let both = self.load(&pair)?;
                    let split = earlier.sets.len() as u32;
                    found.extend(named(&pair, join_across(&both, split, self.bound, want, workers)));
                }
            }
        }
        let matches = Matches::new(&self.roster, &found);
        Ok(Found { matches, recall: Some(1.0), compared: None, bands: None })
    }

    fn keep(&mut self, features: &[u64]) -> Result<(), S::Error> {
        self.sizes.push(features.len() as u32);
        self.counts.add(features);
        self.features.put(features)
    }

    /// Puts all sets on the other shelf in order of size, as keys.
    fn arrange(&mut self) -> Result<Vec<Block>, S::Error> {
        let mut starts = Vec::with_capacity(self.sizes.len());
        let mut next = 0u64;
        for &size in &self.sizes {
            starts.push(next);
            next += u64::from(size);
        }
        let mut order: Vec<u32> = (0..self.sizes.len() as u32).collect();
        order.sort_unstable_by_key(|&set| (self.sizes[set as usize], set));
        let (mut blocks, mut begin, mut written) = (Vec::new(), 0, 0u64);
        while begin < order.len() {
            let mut features = 0;
            let within = |&&set: &&u32| {
                features += u64::from(self.sizes[set as usize]);
                features <= self.room
            };
            // A set that is larger than all room has a block to itself.
            let end = begin + order[begin..].iter().take_while(within).count().max(1);
            let mut block =
                Block { start: written, sets: order[begin..end].to_vec(), sizes: Vec::new(), ends: Vec::new() };
            self.arrange_block(&mut block, &starts)?;
            written += block.ends.last().copied().unwrap_or(0);
            blocks.push(block);
            begin = end;
        }
        Ok(blocks)
    }

    fn arrange_block(&mut self, block: &mut Block, starts: &[u64]) -> Result<(), S::Error> {
        // In order of arrival, so that the shelf is read from its beginning to its end.
        let mut arrivals: Vec<(u32, usize)> = block.sets.iter().copied().zip(0..).collect();
        arrivals.sort_unstable();
        let mut keys: Vec<Vec<u64>> = vec![Vec::new(); arrivals.len()];
        let mut features = Vec::new();
        for (set, at) in arrivals {
            let (start, size) = (starts[set as usize], self.sizes[set as usize]);
            features.clear();
            self.features.take(start..start + u64::from(size), &mut features)?;
            self.counts.keys(&features, &mut keys[at]);
        }
        let mut end = 0;
        for (&set, keys) in block.sets.iter().zip(&keys) {
            self.keys.put(keys)?;
            end += keys.len() as u64;
            block.ends.push(end);
            block.sizes.push(self.sizes[set as usize]);
        }
        Ok(())
    }

    /// The sets of these blocks, one behind the other.
    fn load(&mut self, blocks: &[&Block]) -> Result<Ranked, S::Error> {
        let mut ranked = Ranked { keys: Sets::default(), sizes: Vec::new() };
        let mut keys = Vec::new();
        for block in blocks {
            keys.clear();
            self.keys.take(block.start..block.start + block.ends.last().copied().unwrap_or(0), &mut keys)?;
            let mut start = 0;
            for &end in &block.ends {
                ranked.keys.push(&keys[start..end as usize]);
                start = end as usize;
            }
            ranked.sizes.extend_from_slice(&block.sizes);
        }
        Ok(ranked)
    }
}

/// Sets of neighbouring sizes, as many as fit.
#[derive(Debug)]
struct Block {
    /// Where its keys begin on their shelf.
    start: u64,
    /// In order of size: their numbers, their sizes, and where the keys of each end, counted from the start.
    sets: Vec<u32>,
    sizes: Vec<u32>,
    ends: Vec<u64>,
}

impl Block {
    fn largest(&self) -> u32 {
        self.sizes.last().copied().unwrap_or(0)
    }
}

/// The same pairs by the numbers that sets have in the whole collection.
fn named(blocks: &[&Block], found: Vec<Match>) -> Vec<Match> {
    let numbers: Vec<u32> = blocks.iter().flat_map(|block| block.sets.iter().copied()).collect();
    let name = |number: u32| numbers[number as usize];
    found.into_iter().map(|m| Match { one: name(m.one), other: name(m.other), ..m }).collect()
}

#[cfg(test)]
mod tests {
    use super::super::measure::Measure;
    use super::super::search::Search;
    use super::super::settings::Method;
    use super::super::workers::Alone;
    use super::*;
    use crate::text::mix;
    use proptest::prelude::*;
    use std::convert::Infallible;

    #[derive(Default)]
    struct Board(Vec<u64>);

    impl Shelf for Board {
        type Error = Infallible;

        fn put(&mut self, numbers: &[u64]) -> Result<(), Infallible> {
            self.0.extend_from_slice(numbers);
            Ok(())
        }

        fn take(&mut self, places: Range<u64>, out: &mut Vec<u64>) -> Result<(), Infallible> {
            out.extend_from_slice(&self.0[places.start as usize..places.end as usize]);
            Ok(())
        }
    }

    fn signatures() -> impl Strategy<Value = Vec<Signature>> {
        let set =
            (0u64..4, 0u64..40, proptest::collection::btree_set(0u64..400, 0..6)).prop_map(|(theme, length, noise)| {
                let base: std::collections::BTreeSet<u64> = (0..length).map(|n| theme * 100 + n).chain(noise).collect();
                Signature { features: base.into_iter().map(mix).collect(), sketch: Vec::new() }
            });
        proptest::collection::vec(set, 0..60)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100))]
        /// The same pairs in the same order, and the same clusters, however small the blocks.
        #[test]
        fn what_lies_on_a_shelf_is_found_as_in_memory(
            signatures in signatures(), threshold in prop_oneof![Just(0.0), Just(1.0), 0.0..=1.0f64], room in 1u64..200,
            measure in 0usize..3
        ) {
            let measure = Measure::ALL[measure];
            let settings = Settings { threshold, measure, ..Settings::new(Method::Shingles) };
            for want in [Want::Pairs, Want::Clusters] {
                let mut near = Search::new(settings.clone()).unwrap();
                let mut far = ShelfSearch::new(&settings, 1 << 16, [Board::default(), Board::default()]).unwrap();
                far.room = room;
                for signature in &signatures {
                    prop_assert_eq!(Ok(near.push(signature)), far.push(signature));
                }
                let (near, far) = (near.find(want, &Alone), far.find(want, &Alone).unwrap());
                prop_assert_eq!(near.matches.clusters(), far.matches.clusters());
                if want == Want::Pairs {
                    prop_assert_eq!(near.matches.pairs().collect::<Vec<_>>(), far.matches.pairs().collect::<Vec<_>>());
                }
            }
        }
    }

    #[test]
    fn methods_that_do_not_compare_exactly_are_refused() {
        for method in [Method::MinHash, Method::IMatch] {
            let refused = ShelfSearch::new(&Settings::new(method), 1 << 20, [Board::default(), Board::default()]);
            assert_eq!(refused.err(), Some(InvalidSettings::NotOnShelf));
        }
    }
}
