//! Bridging (B): two found shingles of one origin that are as far apart there as here span a block that was copied as a
//! whole (section 2.3). With expansion (BE) only if their neighbours on the inner side agree as well.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use super::super::report::Evidence;
use super::{Asked, Label};
use crate::text::mix;

/// A map for so many shingles is emptied in no time.
const LEAST: usize = 1 << 10;

/// Finds bridges in time linear in the selected shingles; kept for its memory.
#[derive(Debug, Default)]
pub(crate) struct Bridges {
    /// The last found shingle of each origin and diagonal.
    last: HashMap<u64, u32, BuildHasherDefault<KeyHasher>>,
    /// For each shingle the next one, itself included, that has no label yet.
    next: Vec<u32>,
}

impl Bridges {
    /// Labels what lies between the ends of each bridge of fewer than `limit` shingles, unless it has a label.
    ///
    /// A shingle that was found keeps its label: the paper labels all between the ends, but begins by saying that it guesses the origin
    /// of shingles that were not found.
    ///
    /// The partner of a shingle is the nearest with the same origin and distance. Offsets are known modulo 256, and
    /// so is the diagonal, their difference.
    pub(crate) fn bridge(&mut self, asked: &[Asked], limit: u32, checked: bool, labels: &mut [Option<Label>]) {
        // Emptying takes as long as the map is large: after a far larger document it begins anew.
        if self.last.capacity() > 16 * asked.len().max(LEAST) {
            self.last = HashMap::default();
        }
        self.last.clear();
        self.next.clear();
        let end = asked.len() as u32;
        self.next.extend((0..end).map(|at| if labels[at as usize].is_none() { at } else { at + 1 }));
        self.next.push(end);
        for (at, one) in asked.iter().enumerate() {
            let Some(stored) = one.stored else { continue };
            let diagonal = (at as u8).wrapping_sub(stored.offset);
            let key = u64::from(stored.document) << 8 | u64::from(diagonal);
            let Some(from) = self.last.insert(key, at as u32) else { continue };
            let from = from as usize;
            if at - from < limit as usize && (!checked || neighbours_agree(asked, from, at)) {
                self.label(from + 1, at, Label { origin: stored.document, evidence: Evidence::Bridged }, labels);
            }
        }
    }

    fn label(&mut self, start: usize, end: usize, label: Label, labels: &mut [Option<Label>]) {
        let mut at = self.unlabelled(start);
        while at < end {
            labels[at] = Some(label);
            self.next[at] = at as u32 + 1;
            at = self.unlabelled(at + 1);
        }
    }

    /// The first shingle from `start` on without a label; paths are shortened on the way.
    fn unlabelled(&mut self, start: usize) -> usize {
        let mut end = start;
        while self.next[end] as usize != end {
            end = self.next[end] as usize;
        }
        let mut at = start;
        while at != end {
            at = std::mem::replace(&mut self.next[at], end as u32) as usize;
        }
        end
    }
}

/// Conditions (e) and (f): what follows the first end and what precedes the second is what it was in the origin.
fn neighbours_agree(asked: &[Asked], from: usize, to: usize) -> bool {
    let after = asked[from].stored.is_some_and(|stored| stored.after == asked[from + 1].byte);
    let before = asked[to].stored.is_some_and(|stored| stored.before == asked[to - 1].byte);
    after && before
}

#[derive(Debug, Default)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.0 = mix(self.0 ^ u64::from(byte)));
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = mix(value);
    }
}
