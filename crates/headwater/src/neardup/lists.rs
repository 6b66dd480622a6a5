//! The inverted lists of one partition: for each key, the sets that show it among their rarest, in order of size.

use std::ops::Range;

/// One set in a list: its rank, and where in it the key stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Posting {
    pub(super) rank: u32,
    pub(super) position: u32,
}

/// Inverted lists over the prefixes of sets.
#[derive(Debug, Default)]
pub(super) struct Lists {
    /// A power of two of places: a key and its list; an end of 0 marks a free place.
    places: Vec<Place>,
    postings: Vec<Posting>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Place {
    key: u64,
    start: u32,
    end: u32,
}

impl Lists {
    /// Lists for the sets of these ranks; `prefix` gives the keys that a set shows.
    pub(super) fn new<'k>(ranks: Range<u32>, prefix: impl Fn(u32) -> &'k [u64]) -> Self {
        let total: usize = ranks.clone().map(|rank| prefix(rank).len()).sum();
        if total == 0 {
            return Lists::default();
        }
        let mut lists = Lists {
            // At least one place stays free: a search for a key that is not there ends at it.
            places: vec![Place::default(); (total + total / 2 + 1).next_power_of_two()],
            postings: vec![Posting::default(); total],
        };
        for rank in ranks.clone() {
            for &key in prefix(rank) {
                let place = lists.place(key);
                lists.places[place].key = key;
                lists.places[place].end += 1;
            }
        }
        let mut from = 0;
        for place in lists.places.iter_mut().filter(|place| place.end > 0) {
            (place.start, from) = (from, from + place.end);
            // One more than the last posting so far, so that a list in use is never taken for a free place.
            place.end = place.start + 1;
        }
        for rank in ranks {
            for (position, &key) in (0..).zip(prefix(rank)) {
                let place = lists.place(key);
                let place = &mut lists.places[place];
                lists.postings[place.end as usize - 1] = Posting { rank, position };
                place.end += 1;
            }
        }
        lists.places.iter_mut().filter(|place| place.end > 0).for_each(|place| place.end -= 1);
        lists
    }

    /// The list of a key; empty where no set shows it.
    #[inline]
    pub(super) fn get(&self, key: u64) -> &[Posting] {
        if self.places.is_empty() {
            return &[];
        }
        let place = &self.places[self.place(key)];
        &self.postings[place.start as usize..place.end as usize]
    }

    /// How often a feature of one set meets one of another, if all sets of these lists look each other up.
    pub(super) fn meetings(&self) -> u64 {
        self.places.iter().map(|place| u64::from(place.end - place.start).pow(2)).sum()
    }

    #[inline]
    fn place(&self, key: u64) -> usize {
        let mask = self.places.len() - 1;
        let mut at = key as usize & mask;
        while self.places[at].end != 0 && self.places[at].key != key {
            at = (at + 1) & mask;
        }
        at
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_list_has_the_sets_that_show_its_key(
            sets in proptest::collection::vec(proptest::collection::btree_set(0u64..30, 0..8), 0..20)
        ) {
            let sets: Vec<Vec<u64>> = sets.into_iter().map(|set| set.into_iter().collect()).collect();
            let lists = Lists::new(0..sets.len() as u32, |rank| &sets[rank as usize]);
            for key in 0..32 {
                let expected: Vec<Posting> = (0..).zip(&sets).filter_map(|(rank, set)| {
                    let position = set.iter().position(|&other| other == key)? as u32;
                    Some(Posting { rank, position })
                }).collect();
                prop_assert_eq!(lists.get(key), &expected);
            }
        }
    }
}
