//! The join of sets that lie on a shelf, by the same proofs as [`super::join`] and with the same answer.
//!
//! No set is compared with another before both are known to share one of their rarest keys:
//!
//! 1. Postings. Every set shows its rarest keys; each goes with the set's rank and its place onto the pile of its hash, which holds
//!    all postings of the keys that it has. Piles are so many that each fits the memory, unless a single key fills it.
//! 2. Candidates. Pile by pile, the sets that show the same key are paired, unless their sizes or what stands behind the key rule
//!    them out: the first key that a pair shares never does. Candidates are sorted, in runs on the shelf.
//! 3. Verification. The runs are merged, so that each candidate comes once, and its sets are taken from the shelf and compared.
//!
//! Every step goes through its data once: the work does not grow with the square of the data over the memory. It grows with the pairs
//! that show a key in common, once for each such key: a family of m near-copies that show n keys writes m²·n/2 candidates, less what
//! falls together in one run. In memory they would be compared and not written; where families are large, memory is worth its price.

use std::collections::HashSet;
use std::ops::Range;

use super::collection::Sets;
use super::join::{Match, Want, overlap};
use super::measure::Bound;
use super::runs::Runs;
use super::shelf::Shelf;
use super::workers::Workers;
use crate::graph::DisjointSets;
use crate::text::{mix, part};

/// Sets in order of size, as they lie on their shelf: by rank.
#[derive(Debug)]
pub(super) struct Stacks {
    /// Their numbers in the collection.
    pub(super) sets: Vec<u32>,
    /// How many features they have, with those that no other set has.
    pub(super) sizes: Vec<u32>,
    /// Where the keys of each end on the shelf.
    pub(super) ends: Vec<u64>,
}

pub(super) struct FarJoin<'j, S> {
    pub(super) stacks: &'j Stacks,
    pub(super) bound: Bound,
    pub(super) want: Want,
    /// How many numbers of a kind may lie in memory at a time.
    pub(super) room: usize,
    pub(super) keys: &'j mut S,
    /// Where postings and candidates may be put.
    pub(super) scrap: &'j mut S,
    /// How many numbers are on it.
    pub(super) written: u64,
}

/// A key that a set shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Posting {
    key: u64,
    rank: u32,
    position: u32,
}

/// A set and one that stands before it, as one number: in order of the first.
type Candidate = u64;

/// Pairs of postings that are looked at in one job, as a rule.
const JOB: usize = 1 << 18;

/// More piles than this would each have too small a share of the memory while postings are put there.
const MOST_PILES: usize = 1 << 10;

impl Stacks {
    fn keys(&self, rank: u32) -> Range<u64> {
        let start = if rank == 0 { 0 } else { self.ends[rank as usize - 1] };
        start..self.ends[rank as usize]
    }

    /// How many keys a set has left.
    fn left(&self, rank: u32) -> u32 {
        let keys = self.keys(rank);
        (keys.end - keys.start) as u32
    }

    fn size(&self, rank: u32) -> u32 {
        self.sizes[rank as usize]
    }

    /// Of the keys that a set has left, how many are within its first `prefix` elements: the dropped ones are its rarest.
    fn shown(&self, rank: u32, prefix: u32) -> u32 {
        let left = self.left(rank);
        prefix.saturating_sub(self.size(rank) - left).min(left)
    }

    /// Where sets from `rank` on end that have no more than so many keys together; at least one behind it.
    fn reach(&self, rank: u32, keys: u64) -> u32 {
        let most = self.keys(rank).start + keys;
        let within = self.ends[rank as usize..].partition_point(|&end| end <= most);
        rank + within.max(1) as u32
    }

    fn len(&self) -> u32 {
        self.sets.len() as u32
    }
}

impl<S: Shelf> FarJoin<'_, S> {
    pub(super) fn run(mut self, workers: &impl Workers) -> Result<Vec<Match>, S::Error> {
        let mut connected = (self.want == Want::Clusters).then(|| DisjointSets::new(self.stacks.len()));
        let mut found = Vec::new();
        if self.bound.threshold() == 0.0 {
            // Every pair is alike enough, also one that shares nothing.
            let mut all = (0..self.stacks.len()).flat_map(|one| (0..one).map(move |other| candidate(one, other)));
            while self.verify(&mut |_: &mut S| Ok(all.next()), connected.as_mut(), &mut found, workers)? {}
            return Ok(found);
        }
        let piles = self.pile_up()?;
        let mut runs = Runs::default();
        for pile in piles {
            self.pair_up(pile, &mut runs, workers)?;
        }
        let mut runs = runs.merged(self.room);
        while self.verify(&mut |shelf: &mut S| runs.next(shelf), connected.as_mut(), &mut found, workers)? {}
        Ok(found)
    }

    /// Puts every shown key onto a pile; gives where the postings of each pile lie.
    fn pile_up(&mut self) -> Result<Vec<Vec<Range<u64>>>, S::Error> {
        let shown = |rank: u32| self.stacks.shown(rank, self.bound.probe_prefix(self.stacks.size(rank)));
        let postings: u64 = (0..self.stacks.len()).map(|rank| u64::from(shown(rank))).sum();
        let count = (postings * 2).div_ceil(self.room as u64).clamp(1, MOST_PILES as u64) as usize;
        let mut piles: Vec<Vec<Range<u64>>> = vec![Vec::new(); count];
        let mut waiting: Vec<Vec<u64>> = vec![Vec::new(); count];
        let most = (self.room / count).max(2);
        let mut next = 0;
        while next < self.stacks.len() {
            let ranks = next..self.stacks.reach(next, self.room as u64);
            let sets = self.load(&ranks.clone().collect::<Vec<u32>>())?;
            next = ranks.end;
            for (at, rank) in (0..).zip(ranks) {
                let shown = self.stacks.shown(rank, self.bound.probe_prefix(self.stacks.size(rank)));
                for (position, &key) in (0u64..).zip(&sets.get(at)[..shown as usize]) {
                    let pile = part(mix(key), count);
                    waiting[pile].extend([key, u64::from(rank) << 32 | position]);
                    if waiting[pile].len() >= most {
                        piles[pile].push(self.put(&waiting[pile])?);
                        waiting[pile].clear();
                    }
                }
            }
        }
        for (pile, waiting) in piles.iter_mut().zip(&waiting) {
            pile.push(self.put(waiting)?);
        }
        Ok(piles)
    }

    fn put(&mut self, numbers: &[u64]) -> Result<Range<u64>, S::Error> {
        self.scrap.put(numbers)?;
        let start = self.written;
        self.written += numbers.len() as u64;
        Ok(start..self.written)
    }

    /// Pairs the sets of one pile that show the same key.
    fn pair_up(&mut self, pile: Vec<Range<u64>>, runs: &mut Runs, workers: &impl Workers) -> Result<(), S::Error> {
        let mut numbers = Vec::new();
        for places in pile {
            self.scrap.take(places, &mut numbers)?;
        }
        let posting = |pair: &[u64]| Posting { key: pair[0], rank: (pair[1] >> 32) as u32, position: pair[1] as u32 };
        let mut postings: Vec<Posting> = numbers.chunks_exact(2).map(posting).collect();
        drop(numbers);
        postings.sort_unstable();
        let jobs = jobs(&postings);
        let pairs = Pairs { stacks: self.stacks, bound: self.bound, postings: &postings };
        let (mut candidates, mut failed) = (Vec::new(), None);
        workers.each(
            jobs.len(),
            |job| pairs.of(jobs[job].clone()),
            |more| {
                candidates.extend(more);
                if candidates.len() > self.room && failed.is_none() {
                    failed = self.put_run(&mut candidates, runs).err();
                }
            },
        );
        failed.map_or_else(|| self.put_run(&mut candidates, runs), Err)
    }

    fn put_run(&mut self, candidates: &mut Vec<Candidate>, runs: &mut Runs) -> Result<(), S::Error> {
        candidates.sort_unstable();
        candidates.dedup();
        if !candidates.is_empty() {
            runs.places.push(self.put(candidates)?);
            candidates.clear();
        }
        Ok(())
    }

    /// Compares as many of the next candidates as memory has room for; `false` where there are no more.
    fn verify(
        &mut self,
        next: &mut impl FnMut(&mut S) -> Result<Option<Candidate>, S::Error>,
        mut connected: Option<&mut DisjointSets>,
        found: &mut Vec<Match>,
        workers: &impl Workers,
    ) -> Result<bool, S::Error> {
        // The first set of each group, and with each other one what it is connected with already.
        let mut groups: Vec<(u32, Vec<(u32, u32)>)> = Vec::new();
        let (mut ranks, mut room) = (Vec::new(), self.room);
        let mut any = false;
        while room > 0 {
            let Some(candidate) = next(self.scrap)? else { break };
            any = true;
            let (one, other) = ((candidate >> 32) as u32, candidate as u32);
            let root = connected.as_mut().map_or(other, |sets| sets.first(other));
            if connected.as_mut().is_some_and(|sets| sets.first(one) == root) {
                continue;
            }
            if groups.last().is_none_or(|group| group.0 != one) {
                groups.push((one, Vec::new()));
                ranks.push(one);
                room = room.saturating_sub(self.stacks.left(one) as usize + 4);
            }
            if let Some((_, others)) = groups.last_mut() {
                others.push((other, root));
            }
            ranks.push(other);
            room = room.saturating_sub(self.stacks.left(other) as usize + 4);
        }
        ranks.sort_unstable();
        ranks.dedup();
        let sets = self.load(&ranks)?;
        let loaded = Loaded { stacks: self.stacks, bound: self.bound, want: self.want, ranks, sets };
        workers.each(
            groups.len(),
            |at| loaded.compare(groups[at].0, &groups[at].1),
            |matches| {
                for Match { one, other, similarity } in matches {
                    if let Some(sets) = &mut connected {
                        sets.join(one, other);
                    }
                    let name = |rank: u32| self.stacks.sets[rank as usize];
                    found.push(Match { one: name(one), other: name(other), similarity });
                }
            },
        );
        Ok(any)
    }

    /// The keys of these ranks, which are in order.
    fn load(&mut self, ranks: &[u32]) -> Result<Sets, S::Error> {
        let mut sets = Sets::default();
        let mut keys = Vec::new();
        // Neighbours are taken at one go.
        for run in ranks.chunk_by(|one, next| one + 1 == *next) {
            let start = self.stacks.keys(run[0]).start;
            keys.clear();
            self.keys.take(start..self.stacks.keys(run[run.len() - 1]).end, &mut keys)?;
            for &rank in run {
                let places = self.stacks.keys(rank);
                sets.push(&keys[(places.start - start) as usize..(places.end - start) as usize]);
            }
        }
        Ok(sets)
    }
}

fn candidate(one: u32, other: u32) -> Candidate {
    u64::from(one) << 32 | u64::from(other)
}

/// Postings that look back at those of the same key before them, in portions of about the same work.
fn jobs(postings: &[Posting]) -> Vec<Range<usize>> {
    let (mut jobs, mut begin, mut work, mut group) = (Vec::new(), 0, 0, 0);
    for at in 0..postings.len() {
        if postings[group].key != postings[at].key {
            group = at;
        }
        work += at - group + 1;
        if work >= JOB {
            jobs.push(begin..at + 1);
            (begin, work) = (at + 1, 0);
        }
    }
    if begin < postings.len() {
        jobs.push(begin..postings.len());
    }
    jobs
}

/// Postings in order of key, then rank.
struct Pairs<'p> {
    stacks: &'p Stacks,
    bound: Bound,
    postings: &'p [Posting],
}

impl Pairs<'_> {
    /// The candidates that these postings make with those before them, in order, each once.
    fn of(&self, job: Range<usize>) -> Vec<Candidate> {
        let mut candidates = Vec::new();
        for at in job {
            let posting = self.postings[at];
            let (size, left) = (self.stacks.size(posting.rank), self.stacks.left(posting.rank));
            let least = self.bound.least_partner(size);
            // Sizes come in order, so what they require is mostly known from the posting before.
            let (mut known, mut required) = (0, 0);
            for before in self.postings[..at].iter().rev().take_while(|before| before.key == posting.key) {
                let other = self.stacks.size(before.rank);
                if other < least {
                    break;
                }
                if other != known {
                    (known, required) = (other, self.bound.required(size, other));
                }
                let behind = (left - posting.position - 1).min(self.stacks.left(before.rank) - before.position - 1);
                if 1 + behind >= required {
                    candidates.push(candidate(posting.rank, before.rank));
                }
            }
        }
        candidates.sort_unstable();
        candidates.dedup();
        candidates
    }
}

/// Sets that were taken from the shelf.
struct Loaded<'l> {
    stacks: &'l Stacks,
    bound: Bound,
    want: Want,
    ranks: Vec<u32>,
    sets: Sets,
}

impl Loaded<'_> {
    /// The matches of one set among others, each given with what it is connected with; by rank.
    fn compare(&self, one: u32, others: &[(u32, u32)]) -> Vec<Match> {
        let mut found: Vec<Match> = Vec::new();
        // What it is connected with by now; of a set that contains a million others, a list would be looked through a million times.
        let mut reached: HashSet<u32> = HashSet::new();
        let keys = self.keys(one);
        for &(other, root) in others {
            if self.want == Want::Clusters && reached.contains(&root) {
                continue;
            }
            let (size, size_other) = (self.stacks.size(one), self.stacks.size(other));
            let required = self.bound.required(size, size_other);
            if let Some(overlap) = overlap(keys, self.keys(other), required) {
                found.push(Match { one, other, similarity: self.bound.measure().of(overlap, size, size_other) });
                reached.insert(root);
            }
        }
        found
    }

    fn keys(&self, rank: u32) -> &[u64] {
        let at = self.ranks.binary_search(&rank).expect("the sets of every candidate were loaded");
        self.sets.get(at as u32)
    }
}
