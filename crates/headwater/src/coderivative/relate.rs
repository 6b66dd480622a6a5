//! The relationship graph (section 6.2): every pair of documents whose score reaches the inclusion threshold.
//!
//! A chunk of m documents has m(m−1)/2 pairs, and a few that stand nearly everywhere would cost more than all others
//! together. So three things keep the work in bounds, and none of them loses a pair:
//!
//! 1. *What a document can need.* Chunks are ranked by how many documents have them. Two documents that share only chunks
//!    from above some rank cannot reach the threshold if all that one of them has above that rank is too little. So pairs
//!    are looked for only in chunks below both documents' ranks: the prefix filter of similarity joins.
//! 2. *Probabilistic counting* (Shivakumar and García-Molina, as in the paper): the pairs that are left are added up in an
//!    array of counters without names; those whose counter stays too low are out.
//! 3. *Exact sums for the survivors*, over all chunks: a long list is gone through along the survivors, not along its pairs.

use std::convert::Infallible;

use super::lists::Lists;
use super::score::{Score, UNIT};
use crate::graph::Edge;
use crate::text::{mix, part};

/// Which pairs make an edge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Relate {
    /// How pairs are scored.
    pub score: Score,
    /// The inclusion threshold: the least score of an edge. Two documents without a shared chunk never have one.
    pub threshold: f64,
    /// Chunks that more documents have are left out.
    pub most_documents: u32,
    /// Bytes for the lists, the counters of pairs, the pairs that survive and the edges, all in all. Lists and edges take what
    /// they need; the others share what is left, but never get less than an eighth.
    pub memory: usize,
}

/// S4 from 0.1 on: the best single choice for collections as different as manuals, standards and mails.
impl Default for Relate {
    fn default() -> Self {
        Relate { score: Score::S4, threshold: 0.1, most_documents: u32::MAX, memory: 256 << 20 }
    }
}

/// An edge, and the number of chunks that its documents share.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Relation {
    /// The documents and their score.
    pub edge: Edge,
    /// How many different chunks both have.
    pub chunks: u32,
}

impl Relate {
    /// All edges between documents of these lengths in tokens, in order.
    pub fn run(&self, lists: &Lists, lengths: &[u32]) -> Vec<Relation> {
        let Ok(relations) = self.run_stepwise(lists, lengths, |_, _| Ok::<(), Infallible>(()));
        relations
    }

    /// As [`Relate::run`]; `step` hears from time to time how many of how many lists have been gone through in this pass, and
    /// can end the run.
    pub fn run_stepwise<E>(
        &self,
        lists: &Lists,
        lengths: &[u32],
        mut step: impl FnMut(u64, u64) -> Result<(), E>,
    ) -> Result<Vec<Relation>, E> {
        let limits = Limits::new(self, lists, lengths);
        let taken = lists.memory() + limits.memory();
        let counters = self.count(&limits, self.room(taken) / 2, &mut step)?;
        let taken = taken + counters.memory();
        let mut relations: Vec<Relation> = Vec::new();
        // Where there are more candidates than memory has room for, those of one stretch of documents after another.
        let mut from = 0;
        while (from as usize) < lengths.len() {
            let room = self.room(taken + size_of_val(&*relations));
            let (candidates, end) = self.candidates(&limits, &counters, from, room, &mut step)?;
            relations.extend(self.sum(lists, lengths, candidates, &mut step)?);
            from = end;
        }
        Ok(relations)
    }

    /// How much a document shares with itself in the lists: chunks, those of them that are left out, and their weight.
    pub fn own(&self, lists: &Lists, documents: u32) -> Vec<Own> {
        let mut own = vec![Own::default(); documents as usize];
        let mut members = Vec::new();
        for list in 0..lists.len() {
            lists.read(list, &mut members);
            let (chunks, left_out) = (lists.chunks_of(list), lists.documents(list) > self.most_documents);
            for &member in &members {
                let own = &mut own[member as usize];
                own.chunks += chunks;
                if left_out {
                    own.left_out += chunks;
                } else {
                    own.weight += u64::from(chunks) * self.score.weight(lists.documents(list));
                }
            }
        }
        own
    }

    /// The relation of two copies of one document with so many different chunks, if it reaches the threshold.
    pub fn of_copies(&self, own: Own, chunks: u32, tokens: u32) -> Option<(f64, u32)> {
        let chunks_counted = chunks.saturating_sub(own.left_out);
        // What no list has stands in this document alone.
        let sum = own.weight + u64::from(chunks.saturating_sub(own.chunks)) * UNIT;
        let reached = chunks_counted > 0 && sum >= self.score.needed(self.threshold, tokens, tokens);
        reached.then(|| (self.score.value(sum, tokens, tokens), chunks_counted))
    }

    /// What is left of the memory where so much of it is taken.
    fn room(&self, taken: usize) -> usize {
        self.memory.saturating_sub(taken).max(self.memory / 8)
    }

    /// Sums of all pairs, without names.
    fn count<E>(&self, limits: &Limits<'_>, room: usize, step: Step<'_, E>) -> Result<Sums, E> {
        let lists = limits.lists;
        let mut counters = Sums::new(room, limits.pairs);
        limits.each_pair(step, |list, short, long| {
            counters.add(key(short, long), lists.chunks_of(list), self.score.weight(lists.documents(list)));
        })?;
        Ok(counters)
    }

    /// Pairs that may reach the threshold and whose first document is `from` or later, as sorted keys, and the first document
    /// that they do not reach.
    fn candidates<E>(
        &self,
        limits: &Limits<'_>,
        counters: &Sums,
        from: u32,
        room: usize,
        step: Step<'_, E>,
    ) -> Result<(Vec<u64>, u32), E> {
        let lengths = limits.lengths;
        let most = (room / CANDIDATE).max(LEAST_CANDIDATES);
        let mut candidates: Vec<u64> = Vec::new();
        let mut end = lengths.len() as u32;
        // Half of the room is for what is found again and again before it is put in order.
        let mut full = most;
        limits.each_pair(step, |_, short, long| {
            if !(from..end).contains(&short.min(long)) {
                return;
            }
            let needed = self.score.needed(self.threshold, lengths[short as usize], lengths[long as usize]);
            let beyond = limits.beyond(short, long);
            if counters.may_reach(key(short, long), needed.saturating_sub(beyond)) {
                candidates.push(key(short, long));
                if candidates.len() >= full {
                    tidy(&mut candidates);
                    if candidates.len() > most / 2 {
                        // One document's pairs stay together, however many they are.
                        end = first_of(candidates[most / 2]).max(first_of(candidates[0]) + 1).min(end);
                        candidates.truncate(candidates.partition_point(|&pair| first_of(pair) < end));
                    }
                    full = most.max(candidates.len() * 2);
                }
            }
        })?;
        tidy(&mut candidates);
        Ok((candidates, end))
    }

    /// Exact scores of the candidates.
    fn sum<E>(
        &self,
        lists: &Lists,
        lengths: &[u32],
        candidates: Vec<u64>,
        step: Step<'_, E>,
    ) -> Result<Vec<Relation>, E> {
        let mut starts = vec![0usize; lengths.len() + 1];
        candidates.iter().for_each(|key| starts[(key >> 32) as usize + 1] += 1);
        for at in 0..lengths.len() {
            starts[at + 1] += starts[at];
        }
        let partners: Vec<u32> = candidates.iter().map(|&key| key as u32).collect();
        let mut sums = vec![(0u64, 0u32); candidates.len()];
        let mut stamps = vec![0u32; lengths.len()];
        let mut members = Vec::new();
        for list in 0..lists.len() {
            let documents = lists.documents(list);
            if documents > self.most_documents {
                continue;
            }
            if list.is_multiple_of(STEP) {
                step(list as u64, lists.len() as u64)?;
            }
            lists.read(list, &mut members);
            let (stamp, chunks) = (list as u32 + 1, lists.chunks_of(list));
            let weight = u64::from(chunks) * self.score.weight(documents);
            members.iter().for_each(|&member| stamps[member as usize] = stamp);
            for (at, &one) in members.iter().enumerate() {
                let range = starts[one as usize]..starts[one as usize + 1];
                let (mine, behind) = (&partners[range.clone()], &members[at + 1..]);
                let mut add = |place: usize| {
                    let (sum, count) = &mut sums[range.start + place];
                    (*sum, *count) = (*sum + weight, *count + chunks);
                };
                // Along whichever is shorter: the survivors of this document, or the documents of this list.
                if mine.len() <= behind.len() * 4 {
                    let there = mine.iter().enumerate().filter(|(_, partner)| stamps[**partner as usize] == stamp);
                    there.for_each(|(place, _)| add(place));
                } else {
                    behind.iter().filter_map(|other| mine.binary_search(other).ok()).for_each(add);
                }
            }
        }
        let related = candidates.iter().zip(&sums).filter_map(|(&key, &(sum, chunks))| {
            let (a, b) = ((key >> 32) as u32, key as u32);
            let (one, other) = (lengths[a as usize], lengths[b as usize]);
            let reached = chunks > 0 && sum >= self.score.needed(self.threshold, one, other);
            reached.then(|| Relation { edge: Edge { a, b, score: self.score.value(sum, one, other) }, chunks })
        });
        Ok(related.collect())
    }
}

/// Told how far a pass has come; ends it with an error.
type Step<'a, E> = &'a mut dyn FnMut(u64, u64) -> Result<(), E>;

/// Lists between two steps.
const STEP: usize = 1 << 10;

/// Bytes for each candidate: its key, its partner, its sum and its count.
const CANDIDATE: usize = 8 + 4 + 16;

/// Fewer candidates at a time would mean passes over all lists without end.
const LEAST_CANDIDATES: usize = if cfg!(test) { 4 } else { 1 << 16 };

/// What one document has in the lists.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Own {
    chunks: u32,
    left_out: u32,
    weight: u64,
}

/// Up to which rank each document's chunks are gone through, and what lies beyond.
///
/// The rank of a chunk is the binary logarithm of the number of documents that have it.
struct Limits<'a> {
    lists: &'a Lists,
    lengths: &'a [u32],
    /// Lists of each rank, the most widespread first.
    order: Vec<u32>,
    /// Where the document is the shorter of a pair, and where it is the longer: the highest rank, −1 for none …
    short: Vec<i8>,
    long: Vec<i8>,
    /// … and the weight of what it has above it.
    beyond_short: Vec<u64>,
    beyond_long: Vec<u64>,
    /// Pairs to go through, at most.
    pairs: u64,
}

impl<'a> Limits<'a> {
    fn new(relate: &Relate, lists: &'a Lists, lengths: &'a [u32]) -> Self {
        let mut order: Vec<u32> = (0..lists.len() as u32).collect();
        order.retain(|&list| lists.documents(list as usize) <= relate.most_documents);
        order.sort_by_key(|&list| (std::cmp::Reverse(rank(lists.documents(list as usize))), list));
        // Documents without a chunk have no partner, so the shortest that counts has at least one.
        let shortest = lengths.iter().copied().filter(|&length| length > 0).min().unwrap_or(1);
        let score = relate.score;
        // Any partner of a document as the shorter of two is at least as long, as the longer of two at least as long as the
        // shortest of all.
        let needed_short: Vec<u64> = lengths.iter().map(|&own| score.needed(relate.threshold, own, own)).collect();
        let needed_long: Vec<u64> =
            lengths.iter().map(|&own| score.needed(relate.threshold, own, shortest.min(own))).collect();
        let count = lengths.len();
        let mut limits = Limits {
            lists,
            lengths,
            order,
            short: vec![-1; count],
            long: vec![-1; count],
            beyond_short: vec![0; count],
            beyond_long: vec![0; count],
            pairs: 0,
        };
        let mut sums = vec![0u64; count];
        let mut members = Vec::new();
        let order = std::mem::take(&mut limits.order);
        for same in order.chunk_by(|one, next| rank_of(lists, *one) == rank_of(lists, *next)) {
            let rank = rank_of(lists, same[0]);
            for &list in same {
                let list = list as usize;
                lists.read(list, &mut members);
                let weight = u64::from(lists.chunks_of(list)) * score.weight(lists.documents(list));
                members.iter().for_each(|&member| sums[member as usize] += weight);
            }
            for at in 0..count {
                // Sums only grow: the first rank at which they are enough is the highest.
                if limits.short[at] < 0 {
                    if sums[at] >= needed_short[at] {
                        limits.short[at] = rank
                    } else {
                        limits.beyond_short[at] = sums[at]
                    }
                }
                if limits.long[at] < 0 {
                    if sums[at] >= needed_long[at] { limits.long[at] = rank } else { limits.beyond_long[at] = sums[at] }
                }
            }
        }
        limits.pairs =
            order.iter().map(|&list| u64::from(lists.documents(list as usize))).map(|m| m * (m - 1) / 2).sum();
        limits.order = order;
        limits
    }

    /// Bytes that they take.
    fn memory(&self) -> usize {
        size_of_val(&*self.order) + self.short.len() * 2 * (size_of::<i8>() + size_of::<u64>())
    }

    /// What two documents can share at most in lists that they are not looked for in.
    fn beyond(&self, short: u32, long: u32) -> u64 {
        let (short, long) = (short as usize, long as usize);
        if self.short[short] <= self.long[long] { self.beyond_short[short] } else { self.beyond_long[long] }
    }

    /// Every pair of every list that is within both documents' ranks: the list, the shorter document, the longer one.
    fn each_pair<E>(&self, step: Step<'_, E>, mut visit: impl FnMut(usize, u32, u32)) -> Result<(), E> {
        let Limits { lists, lengths, .. } = *self;
        let mut members = Vec::new();
        for (at, &list) in self.order.iter().enumerate() {
            if at.is_multiple_of(STEP) {
                step(at as u64, self.order.len() as u64)?;
            }
            let list = list as usize;
            let rank = rank(lists.documents(list));
            lists.read(list, &mut members);
            // Whoever is within its rank as the shorter is so as the longer: less is needed there.
            members.retain(|&member| self.long[member as usize] >= rank);
            members.sort_unstable_by_key(|&member| (lengths[member as usize], member));
            for (at, &short) in members.iter().enumerate() {
                if self.short[short as usize] >= rank {
                    members[at + 1..].iter().for_each(|&long| visit(list, short, long));
                }
            }
        }
        Ok(())
    }
}

fn rank_of(lists: &Lists, list: u32) -> i8 {
    rank(lists.documents(list as usize))
}

fn rank(documents: u32) -> i8 {
    documents.max(1).ilog2() as i8
}

/// Sums of pairs in an array without names: never too low.
struct Sums {
    counters: Vec<u32>,
}

/// Parts of a chunk in a counter: fewer bits than exact sums have, always rounded up.
const COARSE: u64 = UNIT >> 12;

impl Sums {
    fn new(memory: usize, pairs: u64) -> Self {
        let most = (memory / size_of::<u32>()).max(1 << 10);
        let wanted = usize::try_from(pairs.saturating_mul(2)).unwrap_or(usize::MAX).max(1 << 10);
        Sums { counters: vec![0; most.min(wanted)] }
    }

    /// Bytes that they take.
    fn memory(&self) -> usize {
        size_of_val(&*self.counters)
    }

    fn place(&self, key: u64) -> usize {
        part(mix(key), self.counters.len())
    }

    fn add(&mut self, key: u64, chunks: u32, weight: u64) {
        let place = self.place(key);
        let coarse = (u64::from(chunks) * weight).div_ceil(COARSE);
        self.counters[place] = self.counters[place].saturating_add(u32::try_from(coarse).unwrap_or(u32::MAX));
    }

    fn may_reach(&self, key: u64, needed: u64) -> bool {
        let sum = self.counters[self.place(key)];
        sum == u32::MAX || u64::from(sum) * COARSE >= needed
    }
}

fn key(one: u32, other: u32) -> u64 {
    u64::from(one.min(other)) << 32 | u64::from(one.max(other))
}

/// The first document of a pair.
fn first_of(key: u64) -> u32 {
    (key >> 32) as u32
}

fn tidy(keys: &mut Vec<u64>) {
    keys.sort_unstable();
    keys.dedup();
}

#[cfg(test)]
mod tests;
