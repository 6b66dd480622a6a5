//! The exact join: every pair of sets that is alike enough, and no other.
//!
//! Sets stand in order of size and are cut into [`partitions`]. A set looks its rarest features up in the inverted lists of its own
//! partition and of the one before it, and only meets sets that are smaller than itself or stand before it. What keeps it from
//! meeting all of them:
//!
//! - the two length bounds of the paper: lists are in order of size, so that those too small to be alike are jumped over and the
//!   walk ends at the set itself;
//! - the prefix filter: with its features in one order for all, a pair that shares none of its rarest features shares too few;
//! - the position filter (Xiao, Wang, Lin and Yu, WWW 2008): what stands behind a shared feature bounds what can still be shared.
//!
//! Each is a proof that a pair is *not* alike enough, none is a guess: the join is complete.

use std::ops::Range;

use super::lists::Lists;
use super::measure::Bound;
use super::partition::partitions;
use super::rarity::Ranked;
use super::workers::Workers;
use crate::graph::DisjointSets;

/// A pair of sets, by number, and how alike they are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Match {
    pub(super) one: u32,
    pub(super) other: u32,
    pub(super) similarity: f64,
}

/// What is asked of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Want {
    /// Every pair.
    Pairs,
    /// Enough pairs to connect what is connected: for clusters, where some are very large, much less work.
    Clusters,
}

/// Sets that look others up in one job.
const JOB: u32 = 1024;

/// Finds the pairs among `sets` that `bound` accepts.
pub(super) fn join(sets: &Ranked, bound: Bound, want: Want, workers: &impl Workers) -> Vec<Match> {
    let mut order: Vec<u32> = (0..sets.sizes.len() as u32).collect();
    order.sort_unstable_by_key(|&set| (sets.sizes[set as usize], set));
    Join::new(sets, bound, want, order).run(workers)
}

struct Join<'s> {
    sets: &'s Ranked,
    bound: Bound,
    want: Want,
    /// Set numbers in order of size: what stands at a rank.
    order: Vec<u32>,
    /// The size of the set at each rank.
    sizes: Vec<u32>,
    partitions: Vec<Range<u32>>,
}

/// Sets of one partition that look others up.
struct Job {
    partition: usize,
    ranks: Range<u32>,
}

/// What a job has found out about the sets that it may meet, those from rank `base` on.
struct Meetings {
    base: u32,
    /// Features shared so far, or [`RULED_OUT`].
    shared: Vec<u32>,
    met: Vec<u32>,
    /// What this job has already connected.
    connected: Option<DisjointSets>,
}

const RULED_OUT: u32 = u32::MAX;

impl<'s> Join<'s> {
    fn new(sets: &'s Ranked, bound: Bound, want: Want, order: Vec<u32>) -> Self {
        let sizes: Vec<u32> = order.iter().map(|&set| sets.sizes[set as usize]).collect();
        Join { sets, bound, want, partitions: partitions(&sizes, bound), order, sizes }
    }

    fn run(&self, workers: &impl Workers) -> Vec<Match> {
        let mut lists = Vec::new();
        workers.each(self.partitions.len(), |at| self.lists(at), |list| lists.push(list));
        let jobs = self.jobs();
        let mut found = Vec::new();
        workers.each(jobs.len(), |at| self.look_up(&jobs[at], &lists), |matches| found.extend(matches));
        found
    }

    fn keys(&self, rank: u32) -> &'s [u64] {
        self.sets.keys.get(self.order[rank as usize])
    }

    fn size(&self, rank: u32) -> u32 {
        self.sizes[rank as usize]
    }

    /// Of the keys that a set has left, those within its first `prefix` elements: the dropped ones are its rarest.
    fn shown(&self, rank: u32, prefix: u32) -> &'s [u64] {
        let keys = self.keys(rank);
        let dropped = self.size(rank) - keys.len() as u32;
        &keys[..(prefix.saturating_sub(dropped) as usize).min(keys.len())]
    }

    fn lists(&self, partition: usize) -> Lists {
        let prefix = |rank| self.shown(rank, self.bound.index_prefix(self.size(rank)));
        Lists::new(self.partitions[partition].clone(), prefix)
    }

    fn jobs(&self) -> Vec<Job> {
        let mut jobs = Vec::new();
        for (partition, ranks) in self.partitions.iter().enumerate() {
            let starts = ranks.clone().step_by(JOB as usize);
            jobs.extend(starts.map(|start| Job { partition, ranks: start..ranks.end.min(start.saturating_add(JOB)) }));
        }
        jobs
    }

    fn look_up(&self, job: &Job, lists: &[Lists]) -> Vec<Match> {
        let neighbours = &lists[job.partition.saturating_sub(1)..=job.partition];
        let first = self.partitions[job.partition.saturating_sub(1)].start;
        let mut meetings = Meetings::new(self.least_rank(job.ranks.start, first), job.ranks.end, self.want);
        let mut found = Vec::new();
        for rank in job.ranks.clone() {
            let least = self.least_rank(rank, first);
            if self.bound.threshold() == 0.0 {
                // Every pair is alike enough, also one that shares nothing and so is in no common list.
                (least..rank).for_each(|other| meetings.meet(other));
            } else {
                self.meet(rank, least, neighbours, &mut meetings);
            }
            self.verify(rank, &mut meetings, &mut found);
        }
        found
    }

    /// The first rank from `from` on whose set is large enough for the one at `rank`.
    fn least_rank(&self, rank: u32, from: u32) -> u32 {
        let least = self.bound.least_partner(self.size(rank));
        from + self.sizes[from as usize..rank as usize].partition_point(|&size| size < least) as u32
    }

    /// Meets the sets that share one of the rarest features and are not ruled out.
    fn meet(&self, rank: u32, least: u32, lists: &[Lists], meetings: &mut Meetings) {
        let size = self.size(rank);
        let left = self.keys(rank).len() as u32;
        // Sizes come in order within a list, so what they require is mostly known from the posting before.
        let (mut known, mut required) = (0, 0);
        for (position, &key) in (1..).zip(self.shown(rank, self.bound.probe_prefix(size))) {
            for list in lists {
                let list = list.get(key);
                let start = if list.first().is_some_and(|posting| posting.rank < least) {
                    list.partition_point(|posting| posting.rank < least)
                } else {
                    0
                };
                for posting in list[start..].iter().take_while(|posting| posting.rank < rank) {
                    let shared = meetings.shared(posting.rank);
                    if *shared == RULED_OUT {
                        continue;
                    }
                    let other = self.size(posting.rank);
                    if other != known {
                        (known, required) = (other, self.bound.required(size, other));
                    }
                    let behind = (left - position).min(self.left(posting.rank) - posting.position - 1);
                    let so_far = *shared;
                    *shared = if so_far + 1 + behind >= required { so_far + 1 } else { RULED_OUT };
                    if so_far == 0 {
                        meetings.met.push(posting.rank);
                    }
                }
            }
        }
    }

    fn left(&self, rank: u32) -> u32 {
        self.keys(rank).len() as u32
    }

    /// Counts what the set really shares with those that it met.
    fn verify(&self, rank: u32, meetings: &mut Meetings, found: &mut Vec<Match>) {
        let mut met = std::mem::take(&mut meetings.met);
        met.sort_unstable();
        for other in met.drain(..) {
            let shared = std::mem::take(meetings.shared(other));
            if shared == RULED_OUT || meetings.are_connected(rank, other) {
                continue;
            }
            let (size, size_other) = (self.size(rank), self.size(other));
            let required = self.bound.required(size, size_other);
            if let Some(overlap) = overlap(self.keys(rank), self.keys(other), required) {
                meetings.connect(rank, other);
                found.push(Match {
                    one: self.order[rank as usize],
                    other: self.order[other as usize],
                    similarity: self.bound.measure().of(overlap, size, size_other),
                });
            }
        }
        meetings.met = met;
    }
}

impl Meetings {
    fn new(base: u32, end: u32, want: Want) -> Self {
        let count = end - base;
        let connected = (want == Want::Clusters).then(|| DisjointSets::new(count));
        Meetings { base, shared: vec![0; count as usize], met: Vec::new(), connected }
    }

    #[inline]
    fn shared(&mut self, rank: u32) -> &mut u32 {
        &mut self.shared[(rank - self.base) as usize]
    }

    fn meet(&mut self, rank: u32) {
        self.met.push(rank);
    }

    fn are_connected(&mut self, one: u32, other: u32) -> bool {
        let base = self.base;
        self.connected.as_mut().is_some_and(|sets| sets.first(one - base) == sets.first(other - base))
    }

    fn connect(&mut self, one: u32, other: u32) {
        let base = self.base;
        if let Some(sets) = &mut self.connected {
            sets.join(one - base, other - base);
        }
    }
}

/// How many keys two sorted lists share, or nothing as soon as it is plain that they are fewer than `required`.
pub(super) fn overlap(one: &[u64], other: &[u64], required: u32) -> Option<u32> {
    let required = required as usize;
    // How many keys of each may be missing from the other.
    let mut spare_one = one.len().checked_sub(required)?;
    let mut spare_other = other.len().checked_sub(required)?;
    let (mut i, mut j, mut shared) = (0, 0, 0);
    while i < one.len() && j < other.len() {
        let (a, b) = (one[i], other[j]);
        if a == b {
            shared += 1;
            i += 1;
            j += 1;
        } else if a < b {
            spare_one = spare_one.checked_sub(1)?;
            i += 1;
        } else {
            spare_other = spare_other.checked_sub(1)?;
            j += 1;
        }
    }
    (shared >= required).then_some(shared as u32)
}

#[cfg(test)]
#[path = "join_tests.rs"]
mod tests;
