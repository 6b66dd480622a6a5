//! How alike the documents of a collection are, read off a sample: what a threshold can be chosen by before there is one.
//!
//! Up to a thousand sets are probes; each is compared with every set of the sample through inverted lists over the probes, so that
//! only what is shared costs anything. A collection of up to a thousand different sets is its own sample, and its figures are exact.

use super::candidates::Table;
use super::collection::Sets;
use super::lists::Lists;
use super::measure::Measure;
use super::workers::Workers;
use crate::text::{mix, part};

/// A sample has at most so many features, which bounds its memory on a shelf.
const MOST_FEATURES: u64 = 1 << 22;

/// A larger set is no part of a sample: it would be most of it.
const MOST_OF_ONE: u32 = 1 << 18;

/// Sets that all others are compared with.
const MOST_PROBES: usize = 1024;

/// How often a feature of a set may meet one of a probe, in all: about a second's work. Beyond it there are fewer probes.
const MOST_MEETINGS: u64 = 1 << 29;

/// Sets that are compared with the probes in one job.
const JOB: usize = 512;

/// What is remembered of each probe: those that are most like it.
const NEAREST: usize = 64;

/// Pairs of neighbours that are looked at for each probe.
const WEDGES: u64 = 8;

/// The width of a step, in natural logarithms of likeness.
pub(super) const STEP: f64 = 0.025;

/// Likenesses of pairs of a sample.
pub(super) struct Likenesses<'s> {
    sets: &'s Sets,
    measure: Measure,
    /// How many pairs there are at each step below a likeness of 1, with those that are alike at all.
    pub(super) steps: Vec<u64>,
    /// The least likeness of a pair that shares something.
    pub(super) least: f64,
    /// How many pairs share something, and how many were compared.
    pub(super) alike: u64,
    pub(super) compared: u64,
    /// For each probe those most like it, by set number.
    nearest: Vec<Vec<(f64, u32)>>,
}

/// A probe and a set that share something.
struct Meeting {
    probe: u32,
    member: u32,
    likeness: f64,
}

/// Which sets of these sizes make a sample: evenly spread, by number.
pub(super) fn sample(sizes: impl Iterator<Item = u32> + Clone) -> Vec<u32> {
    let features: u64 = sizes.clone().map(u64::from).filter(|&size| size <= MOST_OF_ONE.into()).sum();
    let stride = features.div_ceil(MOST_FEATURES).max(1) as usize;
    let fit = (0..).zip(sizes).filter(|&(_, size)| size <= MOST_OF_ONE);
    fit.step_by(stride).map(|(set, _)| set).collect()
}

impl<'s> Likenesses<'s> {
    /// Compares the sets of a sample, `members` by number.
    pub(super) fn measure(sets: &'s Sets, members: &[u32], measure: Measure, workers: &impl Workers) -> Self {
        let (lists, stride) = probes(sets, members);
        let count = members.len().div_ceil(stride);
        let mut likenesses = Likenesses {
            sets,
            measure,
            steps: Vec::new(),
            least: 1.0,
            alike: 0,
            compared: pairs(count) + count as u64 * (members.len() - count) as u64,
            nearest: vec![Vec::new(); count],
        };
        let meet = |job: usize| {
            let first = job * JOB;
            let job = &members[first..members.len().min(first + JOB)];
            let mut shared = vec![0u32; count];
            let mut met = Vec::new();
            (first..).zip(job).for_each(|(member, &set)| {
                let features = sets.get(set);
                meet_probes(features, &lists, &mut shared, |probe, overlap| {
                    let at = probe as usize * stride;
                    if at != member {
                        let size = sets.get(members[at]).len() as u32;
                        let likeness = measure.of(overlap, size, features.len() as u32);
                        met.push(Meeting { probe, member: member as u32, likeness });
                    }
                });
            });
            met
        };
        workers.each(members.len().div_ceil(JOB), meet, |met| {
            for Meeting { probe, member, likeness } in met {
                likenesses.remember(probe, members[member as usize], likeness);
                // Two probes meet each other twice.
                if !(member as usize).is_multiple_of(stride) || member as usize > probe as usize * stride {
                    likenesses.count(likeness);
                }
            }
        });
        for nearest in &mut likenesses.nearest {
            keep_nearest(nearest);
        }
        likenesses
    }

    /// The share of compared pairs that are at least at this step.
    pub(super) fn share_up_to(&self, step: usize) -> f64 {
        self.steps.iter().take(step + 1).sum::<u64>() as f64 / self.compared.max(1) as f64
    }

    /// Of two sets that are like a third, how often they are like each other; nothing where there are no such two. And how many
    /// were looked at.
    pub(super) fn closure(&self, threshold: f64) -> (Option<f64>, u64) {
        let mut table = Table::default();
        let (mut seen, mut closed) = (0u64, 0u64);
        for (probe, nearest) in (0u64..).zip(&self.nearest) {
            let alike = nearest.partition_point(|&(likeness, _)| likeness >= threshold);
            if alike < 2 {
                continue;
            }
            for wedge in 0..WEDGES.min(pairs(alike)) {
                let draw = mix(probe << 8 | wedge);
                let one = part(draw, alike);
                let other = (one + 1 + part(mix(draw), alike - 1)) % alike;
                seen += 1;
                closed += u64::from(self.likeness(nearest[one].1, nearest[other].1, &mut table) >= threshold);
            }
        }
        ((seen > 0).then(|| closed as f64 / seen as f64), seen)
    }

    fn likeness(&self, one: u32, other: u32, table: &mut Table) -> f64 {
        let (one, other) = (self.sets.get(one), self.sets.get(other));
        table.fill(one);
        let overlap = table.overlap(other, 0).unwrap_or(0);
        self.measure.of(overlap, one.len() as u32, other.len() as u32)
    }

    fn count(&mut self, likeness: f64) {
        let step = (-likeness.ln() / STEP) as usize;
        if step >= self.steps.len() {
            self.steps.resize(step + 1, 0);
        }
        self.steps[step] += 1;
        self.alike += 1;
        self.least = self.least.min(likeness);
    }

    fn remember(&mut self, probe: u32, set: u32, likeness: f64) {
        let nearest = &mut self.nearest[probe as usize];
        nearest.push((likeness, set));
        if nearest.len() == 2 * NEAREST {
            keep_nearest(nearest);
        }
    }
}

/// Inverted lists over the probes, and how many members there are to a probe.
fn probes(sets: &Sets, members: &[u32]) -> (Lists, usize) {
    let mut stride = members.len().div_ceil(MOST_PROBES).max(1);
    loop {
        let count = members.len().div_ceil(stride);
        let lists = Lists::new(0..count as u32, |probe| sets.get(members[probe as usize * stride]));
        if count < 2 || lists.meetings().saturating_mul(stride as u64) <= MOST_MEETINGS {
            return (lists, stride);
        }
        stride *= 2;
    }
}

/// Tells how many features a set shares with each probe that it shares any with.
fn meet_probes(features: &[u64], lists: &Lists, shared: &mut [u32], mut met: impl FnMut(u32, u32)) {
    let mut touched = Vec::new();
    for &feature in features {
        for posting in lists.get(feature) {
            let shared = &mut shared[posting.rank as usize];
            if *shared == 0 {
                touched.push(posting.rank);
            }
            *shared += 1;
        }
    }
    touched.sort_unstable();
    for probe in touched {
        met(probe, std::mem::take(&mut shared[probe as usize]));
    }
}

/// The most alike first; among equals the first.
fn keep_nearest(nearest: &mut Vec<(f64, u32)>) {
    nearest.sort_unstable_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
    nearest.truncate(NEAREST);
}

fn pairs(of: usize) -> u64 {
    let of = of as u64;
    of * of.saturating_sub(1) / 2
}

#[cfg(test)]
mod tests {
    use super::super::workers::Alone;
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn sets(of: &[BTreeSet<u64>]) -> Sets {
        let mut sets = Sets::default();
        for set in of {
            sets.push(&set.iter().copied().map(mix).collect::<Vec<_>>());
        }
        sets
    }

    proptest! {
        /// A small collection is compared pair by pair.
        #[test]
        fn every_pair_is_counted_once(
            of in proptest::collection::vec(proptest::collection::btree_set(0u64..60, 1..12), 0..40)
        ) {
            let sets = sets(&of);
            let members = sample(of.iter().map(|set| set.len() as u32));
            prop_assert_eq!(members.len(), of.len());
            let likenesses = Likenesses::measure(&sets, &members, Measure::Jaccard, &Alone);
            let mut expected = Vec::new();
            for (at, one) in of.iter().enumerate() {
                for other in &of[at + 1..] {
                    let shared = one.intersection(other).count();
                    expected.extend((shared > 0).then(|| shared as f64 / one.union(other).count() as f64));
                }
            }
            prop_assert_eq!(likenesses.compared, pairs(of.len()));
            prop_assert_eq!(likenesses.alike, expected.len() as u64);
            prop_assert_eq!(likenesses.least, expected.iter().copied().fold(1.0, f64::min));
            let mut steps = vec![0; likenesses.steps.len()];
            expected.iter().for_each(|likeness| steps[(-likeness.ln() / STEP) as usize] += 1);
            prop_assert_eq!(likenesses.steps, steps);
        }
    }

    #[test]
    fn groups_are_closed_and_chains_are_not() {
        let group: Vec<BTreeSet<u64>> = (0..6).map(|n| (0..20).chain([100 + n]).collect()).collect();
        let chain: Vec<BTreeSet<u64>> = (0..6).map(|n| (10 * n..10 * n + 20).collect()).collect();
        for (of, expected) in [(group, 1.0), (chain, 0.0)] {
            let sets = sets(&of);
            let members: Vec<u32> = (0..sets.len()).collect();
            let likenesses = Likenesses::measure(&sets, &members, Measure::Jaccard, &Alone);
            assert_eq!(likenesses.closure(0.3).0, Some(expected));
            assert_eq!(likenesses.closure(1.0), (None, 0));
        }
    }

    #[test]
    fn a_sample_is_bounded_and_giants_are_left_out() {
        let sizes = (0..100_000).map(|n| if n == 7 { MOST_OF_ONE + 1 } else { 100 });
        let members = sample(sizes);
        assert!(members.len() as u64 * 100 <= MOST_FEATURES && members.len() as u64 * 300 > MOST_FEATURES);
        assert!(!members.contains(&7));
    }
}
