//! The join against brute force: the same pairs, for every measure and threshold.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::super::collection::Sets;
use super::super::measure::Measure;
use super::super::workers::Alone;
use super::*;
use crate::text::mix;

fn ranked(sets: &[BTreeSet<u64>]) -> Ranked {
    let mut features = Sets::default();
    for set in sets {
        features.push(&set.iter().map(|&feature| mix(feature)).collect::<Vec<_>>());
    }
    Ranked::new(&features, &Alone)
}

fn brute_force(sets: &[BTreeSet<u64>], bound: Bound) -> Vec<(u32, u32, f64)> {
    let mut pairs = Vec::new();
    for (a, one) in (0..).zip(sets) {
        for (b, other) in (0..).zip(sets).take(a as usize) {
            let overlap = one.intersection(other).count() as u32;
            if bound.accepts(overlap, one.len() as u32, other.len() as u32) {
                pairs.push((b, a, bound.measure().of(overlap, one.len() as u32, other.len() as u32)));
            }
        }
    }
    pairs.sort_unstable_by_key(|&(a, b, _)| (a, b));
    pairs
}

fn joined(sets: &[BTreeSet<u64>], bound: Bound, want: Want) -> Vec<(u32, u32, f64)> {
    let found = join(&ranked(sets), bound, want, &Alone);
    let mut pairs: Vec<_> = found.iter().map(|m| (m.one.min(m.other), m.one.max(m.other), m.similarity)).collect();
    pairs.sort_unstable_by_key(|&(a, b, _)| (a, b));
    pairs
}

fn components(count: usize, pairs: &[(u32, u32, f64)]) -> Vec<crate::graph::Cluster> {
    let mut sets = DisjointSets::new(count as u32);
    for &(a, b, _) in pairs {
        sets.join(a, b);
    }
    sets.clusters()
}

fn check(sets: &[BTreeSet<u64>], threshold: f64) {
    for measure in Measure::ALL {
        let bound = Bound::new(measure, threshold).unwrap();
        let expected = brute_force(sets, bound);
        assert_eq!(joined(sets, bound, Want::Pairs), expected, "{measure} {threshold}");
        let connected = joined(sets, bound, Want::Clusters);
        assert_eq!(components(sets.len(), &connected), components(sets.len(), &expected), "{measure} {threshold}");
    }
}

/// Sets that overlap much: variants of a few themes, some of them equal.
fn sets() -> impl Strategy<Value = Vec<BTreeSet<u64>>> {
    let set = (0u64..4, 1u64..40, proptest::collection::vec(0u64..400, 0..6)).prop_map(|(theme, length, noise)| {
        let base = (0..length).map(|n| theme * 100 + n);
        base.chain(noise).collect::<BTreeSet<u64>>()
    });
    proptest::collection::vec(set, 0..40)
}

fn thresholds() -> impl Strategy<Value = f64> {
    // Thresholds that likenesses meet exactly are where a bound that is off by one shows.
    let exact = (1u32..=30, 1u32..=30).prop_map(|(a, b)| f64::from(a.min(b)) / f64::from(a.max(b)));
    prop_oneof![Just(0.0), Just(1.0), Just(1e-9), exact, 0.0..=1.0]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn every_pair_at_the_threshold_is_found_and_no_other(sets in sets(), threshold in thresholds()) {
        check(&sets, threshold);
    }
}

#[test]
fn nothing_to_join() {
    for threshold in [0.0, 0.5, 1.0] {
        check(&[], threshold);
        check(&[BTreeSet::from([1])], threshold);
        check(&[BTreeSet::from([1]), BTreeSet::from([2])], threshold);
        check(&[BTreeSet::from([1]), BTreeSet::from([1])], threshold);
    }
}

#[test]
fn one_giant_set_among_small_ones() {
    let mut sets: Vec<BTreeSet<u64>> = (0..50).map(|n| (n..n + 5).collect()).collect();
    sets.push((0..50_000).collect());
    for threshold in [0.1, 0.5, 1.0] {
        check(&sets, threshold);
    }
}

/// More sets than a job has, so that pairs cross the jobs of a partition and its neighbours.
#[test]
fn pairs_across_jobs() {
    let sets: Vec<BTreeSet<u64>> = (0..1100u64).map(|n| (n / 5 * 7..n / 5 * 7 + 20 + n % 5).collect()).collect();
    check(&sets, 0.8);
}
