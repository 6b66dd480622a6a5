//! From the buckets of locality-sensitive hashing to verified pairs.
//!
//! For clusters not every candidate is looked at. The members of a bucket are first compared with its first member; only between
//! those that are then still apart every pair is tried. So ten thousand near-copies in one bucket cost ten thousand
//! comparisons, and the clusters are still those that all verified candidates would give.

use std::collections::HashSet;

use super::bands::Bands;
use super::collection::Sets;
use super::join::{Match, Want};
use super::measure::{Bound, Measure};
use super::minhash::agreement;
use super::workers::Workers;
use crate::graph::DisjointSets;

/// What candidates are made of and compared by.
pub(super) struct Candidates<'s> {
    pub(super) sets: &'s Sets,
    /// One sketch for each set, of `entries` entries.
    pub(super) sketches: &'s [u32],
    pub(super) entries: usize,
    pub(super) bands: Bands,
    pub(super) bound: Bound,
    /// Whether candidates are compared exactly; else their sketches are.
    pub(super) verify: bool,
}

/// Candidate pairs that are compared in one job.
const JOB: usize = 2048;

/// How many standard deviations below the threshold the agreement of two sketches may be.
const DEVIATIONS: f64 = 4.0;

/// Two sets, the smaller number first.
type Pair = (u32, u32);

impl Candidates<'_> {
    /// The pairs that are alike enough, and how many were compared.
    pub(super) fn find(&self, want: Want, workers: &impl Workers) -> (Vec<Match>, u64) {
        let mut found = Vec::new();
        let mut compared = 0;
        match want {
            Want::Pairs => {
                let mut pairs: Vec<Pair> = Vec::new();
                let of_band = |band: usize| {
                    let buckets = self.bands.buckets(band, self.sketches, self.entries);
                    buckets.iter().flat_map(|bucket| all_pairs(bucket)).collect::<Vec<_>>()
                };
                workers.each(self.bands.count, of_band, |more| {
                    pairs.extend(more);
                    // Most bands bring the same pairs again: they must not pile up.
                    if pairs.len() > 1 << 22 {
                        pairs.sort_unstable();
                        pairs.dedup();
                    }
                });
                compared += self.compare(pairs, workers, |_, outcome| found.extend(outcome));
            }
            Want::Clusters => {
                let mut connected = DisjointSets::new(self.sets.len());
                let mut different = HashSet::new();
                let buckets = |band: usize| self.bands.buckets(band, self.sketches, self.entries);
                let mut bands = Vec::new();
                workers.each(self.bands.count, buckets, |buckets| bands.push(buckets));
                for buckets in bands {
                    for thorough in [false, true] {
                        let pairs = open_pairs(&buckets, thorough, &mut connected, &different);
                        compared += self.compare(pairs, workers, |pair, outcome| match outcome {
                            Some(found_one) => {
                                connected.join(pair.0, pair.1);
                                found.push(found_one);
                            }
                            None => drop(different.insert(pair)),
                        });
                    }
                }
            }
        }
        (found, compared)
    }

    fn compare(
        &self,
        mut pairs: Vec<Pair>,
        workers: &impl Workers,
        mut deliver: impl FnMut(Pair, Option<Match>),
    ) -> u64 {
        pairs.sort_unstable();
        pairs.dedup();
        let jobs: Vec<&[Pair]> = pairs.chunks(JOB).collect();
        let work = |job: usize| self.outcomes(jobs[job]);
        workers
            .each(jobs.len(), work, |outcomes| outcomes.into_iter().for_each(|(pair, outcome)| deliver(pair, outcome)));
        pairs.len() as u64
    }

    fn outcomes(&self, pairs: &[Pair]) -> Vec<(Pair, Option<Match>)> {
        let mut table = Table::default();
        pairs.iter().map(|&pair| (pair, self.outcome(pair, &mut table))).collect()
    }

    fn outcome(&self, (one, other): Pair, table: &mut Table) -> Option<Match> {
        if !self.verify {
            let similarity = agreement(self.sketch(one), self.sketch(other));
            return (similarity >= self.bound.threshold()).then_some(Match { one, other, similarity });
        }
        let (features, size) = (self.sets.get(other), self.sets.get(one).len() as u32);
        if self.is_hopeless(one, other, size.min(features.len() as u32)) {
            return None;
        }
        let required = self.bound.required(size, features.len() as u32);
        // Pairs come in order of their first: its table mostly serves several.
        if table.of != Some(one) {
            table.fill(self.sets.get(one));
            table.of = Some(one);
        }
        let overlap = table.overlap(features, required)?;
        Some(Match { one, other, similarity: self.bound.measure().of(overlap, size, features.len() as u32) })
    }
}

impl Candidates<'_> {
    fn sketch(&self, set: u32) -> &[u32] {
        &self.sketches[set as usize * self.entries..][..self.entries]
    }

    /// Whether two sketches differ by more than chance explains for sets at the threshold: most false candidates, for a
    /// hundredth of what comparing them exactly would take. One true pair in thirty thousand at the threshold is lost.
    fn is_hopeless(&self, one: u32, other: u32, smaller: u32) -> bool {
        if self.bound.measure() != Measure::Jaccard {
            return false;
        }
        // A small set fills few bins of its own, so that its entries say less than their number.
        let entries = self.entries.min(smaller as usize) as f64;
        let threshold = self.bound.threshold();
        let deviation = (threshold * (1.0 - threshold) / entries).sqrt();
        agreement(self.sketch(one), self.sketch(other)) < threshold - DEVIATIONS * deviation
    }
}

fn all_pairs(bucket: &[u32]) -> impl Iterator<Item = Pair> {
    bucket.iter().enumerate().flat_map(|(at, &one)| bucket[at + 1..].iter().map(move |&other| (one, other)))
}

/// The pairs of a band that could still connect something: with the first of a bucket, or, if thorough, all.
fn open_pairs(
    buckets: &[Vec<u32>],
    thorough: bool,
    connected: &mut DisjointSets,
    different: &HashSet<Pair>,
) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for bucket in buckets {
        let first = connected.first(bucket[0]);
        let apart = bucket.iter().any(|&set| connected.first(set) != first);
        if !apart {
            continue;
        }
        let wanted = if thorough { bucket.len() } else { 1 };
        let all = bucket[..wanted].iter().enumerate();
        let all = all.flat_map(|(at, &one)| bucket[at + 1..].iter().map(move |&other| (one, other)));
        pairs
            .extend(all.filter(|pair| connected.first(pair.0) != connected.first(pair.1) && !different.contains(pair)));
    }
    pairs
}

/// The features of one set, to look those of others up in.
#[derive(Default)]
pub(super) struct Table {
    /// Which set's features these are.
    of: Option<u32>,
    /// A power of two of places; 0 marks a free one.
    places: Vec<u64>,
    has_zero: bool,
}

impl Table {
    pub(super) fn fill(&mut self, features: &[u64]) {
        self.places.clear();
        self.places.resize((features.len() * 2 + 1).next_power_of_two(), 0);
        self.has_zero = false;
        let mask = self.places.len() - 1;
        for &feature in features {
            self.has_zero |= feature == 0;
            let mut at = feature as usize & mask;
            while self.places[at] != 0 {
                at = (at + 1) & mask;
            }
            self.places[at] = feature;
        }
    }

    #[inline]
    fn contains(&self, feature: u64) -> bool {
        let mask = self.places.len() - 1;
        let mut at = feature as usize & mask;
        loop {
            let place = self.places[at];
            if place == feature {
                return feature != 0 || self.has_zero;
            }
            if place == 0 {
                return false;
            }
            at = (at + 1) & mask;
        }
    }

    /// How many of the features are in here, or nothing as soon as it is plain that they are fewer than `required`.
    pub(super) fn overlap(&self, features: &[u64], required: u32) -> Option<u32> {
        let mut spare = features.len().checked_sub(required as usize)?;
        for &feature in features {
            if !self.contains(feature) {
                spare = spare.checked_sub(1)?;
            }
        }
        // What is not spare any more was missing.
        Some(required + spare as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::super::minhash::{Hashing, Sketcher};
    use super::super::workers::Alone;
    use super::*;
    use crate::text::mix;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn the_table_counts_the_overlap(
            one in proptest::collection::btree_set(0u64..60, 1..40), other in proptest::collection::btree_set(0u64..60, 1..40),
            required in 0u32..40
        ) {
            let mut table = Table::default();
            table.fill(&one.iter().copied().collect::<Vec<_>>());
            let shared = one.intersection(&other).count() as u32;
            let expected = (shared >= required).then_some(shared);
            prop_assert_eq!(table.overlap(&other.iter().copied().collect::<Vec<_>>(), required), expected);
        }

        /// With bands of one row nearly every pair is a candidate: what is found is exactly what is alike enough.
        #[test]
        fn what_is_found_is_alike_enough_and_clusters_are_those_of_the_pairs(
            sets in proptest::collection::vec((0u64..4, 1u64..30, proptest::collection::btree_set(0u64..99, 0..5)), 2..30),
            threshold in 0.2..=1.0f64
        ) {
            let mut distinct: Vec<BTreeSet<u64>> = sets.into_iter()
                .map(|(theme, length, noise)| (0..length).map(|n| theme * 50 + n).chain(noise).map(mix).collect()).collect();
            distinct.sort();
            distinct.dedup();
            let (mut kept, mut sketches) = (Sets::default(), Vec::new());
            let sketcher = Sketcher::new(64, Hashing::Classic);
            for set in &distinct {
                let features: Vec<u64> = set.iter().copied().collect();
                kept.push(&features);
                sketcher.sketch(&features, &mut sketches);
            }
            let candidates = Candidates {
                sets: &kept, sketches: &sketches, entries: 64, bands: Bands { count: 64, rows: 1 },
                bound: Bound::new(Measure::Jaccard, threshold).unwrap(), verify: true,
            };
            let (pairs, _) = candidates.find(Want::Pairs, &Alone);
            for found in &pairs {
                let (one, other) = (&distinct[found.one as usize], &distinct[found.other as usize]);
                let jaccard = one.intersection(other).count() as f64 / one.union(other).count() as f64;
                prop_assert_eq!(found.similarity, jaccard);
                prop_assert!(jaccard >= threshold);
            }
            let clusters = |found: &[Match]| {
                let mut sets = DisjointSets::new(distinct.len() as u32);
                for found in found {
                    sets.join(found.one, found.other);
                }
                sets.clusters()
            };
            prop_assert_eq!(clusters(&candidates.find(Want::Clusters, &Alone).0), clusters(&pairs));
        }
    }
}
