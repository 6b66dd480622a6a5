//! A search over more than memory holds: feature sets lie on a shelf, and the join takes from it what it needs.
//!
//! Sets are put on the shelf as they come, and only their sizes are remembered. For the join they are put into order of size
//! as keys; what follows is in [`super::far_join`].

use std::ops::Range;

use super::collection::Sets;
use super::compare::Subject;
use super::cut::Cut;
use super::far_join::{FarJoin, Stacks};
use super::join::Want;
use super::likenesses::{Likenesses, sample};
use super::matches::Matches;
use super::measure::Bound;
use super::rarity::Counts;
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
    settings: Settings,
    bound: Bound,
    roster: Roster,
    /// How many features each set has.
    sizes: Vec<u32>,
    counts: Counts,
    /// How many numbers may lie in memory at a time.
    room: usize,
    features: S,
    /// Numbers on that shelf.
    written: u64,
    /// The same sets as the join reads them: in order of size, as keys.
    keys: S,
}

/// Of the memory that is granted, the part that one kind of numbers may take: there are up to three at a time, some of them twice
/// while they are sorted or in a worker's hands.
const SHARE: usize = 8;

/// With less room all that is done is going to the shelf and back; counters in fewer bytes would call every feature frequent.
const LEAST_ROOM: usize = 1 << 16;
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
            settings: settings.clone(),
            bound: settings.bound()?,
            roster: Roster::default(),
            sizes: Vec::new(),
            counts: Counts::within((memory / 4).max(LEAST_COUNTERS)),
            room: (memory / SHARE / size_of::<u64>()).max(LEAST_ROOM),
            features,
            written: 0,
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

    /// The threshold that the collection itself speaks for: the same as if it were in memory.
    pub fn cut(&mut self, workers: &impl Workers) -> Result<Cut, S::Error> {
        let members = sample(self.sizes.iter().copied());
        let (mut sets, mut features) = (Sets::default(), Vec::new());
        let starts = self.starts();
        for &member in &members {
            let (start, size) = (starts[member as usize], self.sizes[member as usize]);
            features.clear();
            self.features.take(start..start + u64::from(size), &mut features)?;
            sets.push(&features);
        }
        let members: Vec<u32> = (0..sets.len()).collect();
        let likenesses = Likenesses::measure(&sets, &members, self.bound.measure(), workers);
        Ok(Cut::of(&likenesses, self.roster.distinct(), self.settings.is_telling(), self.bound.threshold()))
    }

    /// Looks for pairs of at least this likeness from now on.
    pub fn set_threshold(&mut self, threshold: f64) -> Result<(), InvalidSettings> {
        self.settings.threshold = threshold;
        self.bound = self.settings.bound()?;
        Ok(())
    }

    /// Finds what is alike; nothing can be added afterwards.
    pub fn find(&mut self, want: Want, workers: &impl Workers) -> Result<Found, S::Error> {
        let stacks = self.arrange()?;
        let join = FarJoin {
            stacks: &stacks,
            bound: self.bound,
            want,
            room: self.room,
            keys: &mut self.keys,
            // All that was on it is on the other shelf by now, as keys: what comes behind it is scrap.
            scrap: &mut self.features,
            written: self.written,
        };
        let found = join.run(workers)?;
        let matches = Matches::new(&self.roster, &found);
        Ok(Found { matches, recall: Some(1.0), compared: None, bands: None })
    }

    /// How alike the two documents of each pair are, whatever the threshold; nothing where one of them has no features. Pairs with
    /// the same first document are best asked for one after the other.
    pub fn likenesses(&mut self, pairs: &[(u32, u32)]) -> Result<Vec<Option<f64>>, S::Error> {
        let starts = self.starts();
        let mut subject = Subject::new(self.bound.measure());
        let (mut of, mut features) = (None, Vec::new());
        let mut likenesses = Vec::with_capacity(pairs.len());
        for &(one, other) in pairs {
            if of.replace(one) != Some(one) {
                self.features_of(one, &starts, &mut features)?;
                subject.fill(&features);
            }
            self.features_of(other, &starts, &mut features)?;
            likenesses.push(subject.likeness(&features));
        }
        Ok(likenesses)
    }

    /// Takes the features of a document from the shelf; they stay there, before all scrap.
    fn features_of(&mut self, document: u32, starts: &[u64], features: &mut Vec<u64>) -> Result<(), S::Error> {
        features.clear();
        let Some(set) = self.roster.set(document) else { return Ok(()) };
        let (start, size) = (starts[set as usize], self.sizes[set as usize]);
        self.features.take(start..start + u64::from(size), features)
    }

    fn keep(&mut self, features: &[u64]) -> Result<(), S::Error> {
        self.sizes.push(features.len() as u32);
        self.counts.add(features);
        self.written += features.len() as u64;
        self.features.put(features)
    }

    /// Where the features of each set begin.
    fn starts(&self) -> Vec<u64> {
        let start = |next: &mut u64, &size: &u32| {
            let start = *next;
            *next += u64::from(size);
            Some(start)
        };
        self.sizes.iter().scan(0, start).collect()
    }

    /// Puts all sets on the other shelf in order of size, as keys.
    fn arrange(&mut self) -> Result<Stacks, S::Error> {
        let starts = self.starts();
        let mut order: Vec<u32> = (0..self.sizes.len() as u32).collect();
        order.sort_unstable_by_key(|&set| (self.sizes[set as usize], set));
        let mut stacks = Stacks { sets: Vec::new(), sizes: Vec::new(), ends: Vec::with_capacity(order.len()) };
        let mut begin = 0;
        while begin < order.len() {
            let mut features = 0;
            let within = |&&set: &&u32| {
                features += self.sizes[set as usize] as usize;
                features <= self.room
            };
            // A set that is larger than all room is put there by itself.
            let end = begin + order[begin..].iter().take_while(within).count().max(1);
            self.arrange_some(&order[begin..end], &starts, &mut stacks.ends)?;
            begin = end;
        }
        stacks.sizes = order.iter().map(|&set| self.sizes[set as usize]).collect();
        stacks.sets = order;
        Ok(stacks)
    }

    fn arrange_some(&mut self, sets: &[u32], starts: &[u64], ends: &mut Vec<u64>) -> Result<(), S::Error> {
        // In order of arrival, so that the shelf is read from its beginning to its end.
        let mut arrivals: Vec<(u32, usize)> = sets.iter().copied().zip(0..).collect();
        arrivals.sort_unstable();
        let mut keys: Vec<Vec<u64>> = vec![Vec::new(); arrivals.len()];
        let mut features = Vec::new();
        for (set, at) in arrivals {
            let (start, size) = (starts[set as usize], self.sizes[set as usize]);
            features.clear();
            self.features.take(start..start + u64::from(size), &mut features)?;
            self.counts.keys(&features, &mut keys[at]);
        }
        for keys in &keys {
            self.keys.put(keys)?;
            ends.push(ends.last().copied().unwrap_or(0) + keys.len() as u64);
        }
        Ok(())
    }
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

    /// Every document with the one behind it and the one before it.
    fn pairs_of(documents: u32) -> Vec<(u32, u32)> {
        (1..documents).flat_map(|one| [(one, one - 1), (one, (one + 1) % documents)]).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100))]
        /// The same pairs in the same order, the same clusters and the same likenesses, however small the blocks.
        #[test]
        fn what_lies_on_a_shelf_is_found_as_in_memory(
            signatures in signatures(), threshold in prop_oneof![Just(0.0), Just(1.0), 0.0..=1.0f64], room in 1usize..200,
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
                let mut search = far;
                let likenesses_near = near.likenesses(&pairs_of(signatures.len() as u32));
                let (near, far) = (near.find(want, &Alone), search.find(want, &Alone).unwrap());
                prop_assert_eq!(Ok(likenesses_near), search.likenesses(&pairs_of(signatures.len() as u32)));
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
