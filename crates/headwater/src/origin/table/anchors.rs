//! Headwater's own table: entries of 80 bits in buckets of 16.
//!
//! A bucket is 80 numbers of 16 bits: first one head for each entry (12 bits of the tag, 4 of score), then the rest of
//! each entry. The heads lie in one cache line, so that a shingle that is not there costs one line and one that is
//! there two. Entries stand in the order of insertion; an empty place has a head of zero.

use super::bucket;
use super::prefetch::prefetch;
use crate::origin::anchor::{Probe, Skirts};

/// Entries in a bucket.
const ENTRIES: usize = 16;
/// Numbers of 16 bits in a bucket.
const BUCKET: usize = 5 * ENTRIES;
/// Bytes in a bucket.
pub(crate) const BUCKET_BYTES: usize = 2 * BUCKET;
type Bucket = [u16; BUCKET];

/// Heads fill half a cache line and must not straddle two.
const ALIGNMENT: usize = 32;

const TAG: u16 = 0x0fff;
const ONE: u16 = 0x1000;
const MOST: u16 = 15;
const CREDIT: u16 = 2;
/// A bucket whose scores are this large on average has them halved.
const HALVING: u16 = 8;

/// So many probes ahead of its use a bucket is fetched, so that cache misses overlap.
pub(crate) const AHEAD: usize = 16;

/// Entries found by fingerprint tag.
#[derive(Debug)]
pub(crate) struct AnchorTable {
    cells: Vec<u16>,
    /// The first cell that is aligned.
    base: usize,
    buckets: usize,
}

/// What the table said about one probe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Look {
    /// It is the entry at this place of its bucket.
    Found(u8),
    /// It is there, but under a later document: the one that asks is now its origin.
    Later(u8),
    /// It is not there, and its bucket has had to forget.
    Forgotten,
    /// It is not there, and its bucket is not full: it never was.
    Never,
}

/// What an entry tells about its shingle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// The document that the shingle was first seen in.
    pub(crate) document: u32,
    /// Its position there, modulo 256.
    pub(crate) position: u8,
    /// The text around it there.
    pub(crate) skirts: Skirts,
}

impl AnchorTable {
    /// The largest table that fits `bytes`; at least one bucket. The memory is mapped as it is used.
    pub(crate) fn new(bytes: usize) -> Self {
        let buckets = (bytes.saturating_sub(ALIGNMENT) / BUCKET_BYTES).max(1);
        let cells = vec![0u16; buckets * BUCKET + ALIGNMENT / 2];
        let base = cells.as_ptr().align_offset(ALIGNMENT).min(ALIGNMENT / 2);
        AnchorTable { cells, base, buckets }
    }

    /// The bytes that it takes.
    pub(crate) fn bytes(&self) -> usize {
        2 * self.cells.len()
    }

    /// How many entries there is room for.
    pub(crate) fn capacity(&self) -> usize {
        self.buckets * ENTRIES
    }

    /// Looks up every probe of a document, and changes nothing.
    pub(crate) fn look_up(&self, probes: &[Probe], out: &mut Vec<Look>) {
        out.clear();
        probes.iter().take(AHEAD).for_each(|probe| prefetch(&self.bucket(probe)[0]));
        out.extend(probes.iter().enumerate().map(|(at, probe)| {
            if let Some(later) = probes.get(at + AHEAD) {
                prefetch(&self.bucket(later)[0]);
            }
            let bucket = self.bucket(probe);
            match find(bucket, probe.tag) {
                Some(slot) => Look::Found(slot as u8),
                None if bucket[ENTRIES - 1] == 0 => Look::Never,
                None => Look::Forgotten,
            }
        }));
    }

    /// Starts fetching a bucket that is about to be changed.
    pub(crate) fn expect_change(&self, probe: &Probe) {
        let bucket = self.bucket(probe);
        for at in [ENTRIES, 3 * ENTRIES, BUCKET - 1] {
            prefetch(&bucket[at]);
        }
    }

    /// The entry at `slot` of the probe's bucket.
    pub(crate) fn entry(&self, probe: &Probe, slot: u8) -> Entry {
        unpack(&self.bucket(probe)[body(slot as usize)])
    }

    /// Rewards an entry for having been useful.
    pub(crate) fn credit(&mut self, probe: &Probe, slot: u8) {
        let bucket = self.bucket_mut(probe);
        let mut heads = heads(bucket);
        let head = &mut heads[slot as usize];
        *head = (*head & TAG) | ((*head / ONE + CREDIT).min(MOST) * ONE);
        halve_if_rich(&mut heads);
        bucket[..ENTRIES].copy_from_slice(&heads);
    }

    /// Makes `document`, which is earlier than the one in the entry, the origin of the shingle.
    pub(crate) fn take_over(&mut self, probe: &Probe, slot: u8, document: u32) {
        let cells = body(slot as usize);
        self.bucket_mut(probe)[cells].copy_from_slice(&pack(probe, document));
    }

    /// Stores a shingle that was not there, in place of the entry with the smallest score, the oldest of equals.
    pub(crate) fn insert(&mut self, probe: &Probe, document: u32, score: u8) {
        let bucket = self.bucket_mut(probe);
        if find(bucket, probe.tag).is_some() {
            return;
        }
        let mut heads = heads(bucket);
        let slot = if heads[ENTRIES - 1] == 0 {
            usize::from(taken(&heads))
        } else {
            // Score above slot: the smallest of these is the smallest score, and of equals the oldest.
            let keys: [u16; ENTRIES] = std::array::from_fn(|slot| (heads[slot] & !TAG) | slot as u16);
            let worst = usize::from(keys.into_iter().fold(u16::MAX, u16::min) & TAG);
            for slot in 0..ENTRIES - 1 {
                heads[slot] = if slot < worst { heads[slot] } else { heads[slot + 1] };
            }
            bucket.copy_within(body(worst).end.., body(worst).start);
            ENTRIES - 1
        };
        heads[slot] = head_tag(probe.tag) | (u16::from(score).min(MOST) * ONE);
        bucket[body(slot)].copy_from_slice(&pack(probe, document));
        halve_if_rich(&mut heads);
        bucket[..ENTRIES].copy_from_slice(&heads);
    }

    fn bucket(&self, probe: &Probe) -> &Bucket {
        &self.cells[self.base..].as_chunks().0[bucket(probe.place, self.buckets)]
    }

    fn bucket_mut(&mut self, probe: &Probe) -> &mut Bucket {
        &mut self.cells[self.base..].as_chunks_mut().0[bucket(probe.place, self.buckets)]
    }
}

/// The first entry with the tag.
#[inline]
fn find(bucket: &Bucket, tag: u16) -> Option<usize> {
    let wanted = head_tag(tag);
    let alike: u16 = heads(bucket).iter().map(|head| u16::from((head ^ wanted) & TAG == 0)).sum();
    if alike == 0 {
        return None;
    }
    (0..ENTRIES).find(|&slot| (bucket[slot] ^ wanted) & TAG == 0 && bucket[body(slot)][3] >> 14 == tag >> 12)
}

/// The heads of all entries, a number of them that is known to the compiler.
fn heads(bucket: &Bucket) -> [u16; ENTRIES] {
    std::array::from_fn(|slot| bucket[slot])
}

/// The part of a tag that stands in the head; never zero, which marks an empty place.
fn head_tag(tag: u16) -> u16 {
    (tag & TAG).max(1)
}

/// The cells of the entry at `slot` but for its head.
fn body(slot: usize) -> std::ops::Range<usize> {
    ENTRIES + 4 * slot..ENTRIES + 4 * slot + 4
}

fn pack(probe: &Probe, document: u32) -> [u16; 4] {
    let position = probe.position as u16 & 0xff;
    let left = probe.skirts.left | (position >> 5) << 11 | (probe.tag >> 12) << 14;
    let right = probe.skirts.right | (position & 0x1f) << 11;
    [document as u16, (document >> 16) as u16, right, left]
}

fn unpack(cells: &[u16]) -> Entry {
    let position = cells[2] >> 11 | (cells[3] >> 11 & 7) << 5;
    let skirts = Skirts { left: cells[3] & 0x7ff, right: cells[2] & 0x7ff };
    Entry { document: u32::from(cells[0]) | u32::from(cells[1]) << 16, position: position as u8, skirts }
}

/// How many places are taken.
fn taken(heads: &[u16; ENTRIES]) -> u16 {
    heads.iter().map(|&head| u16::from(head != 0)).sum()
}

/// Scores are relative: once they are large on average, all are halved, and what was useful long ago fades.
fn halve_if_rich(heads: &mut [u16; ENTRIES]) {
    let sum: u16 = heads.iter().map(|head| head / ONE).sum();
    if sum >= HALVING * taken(heads) {
        heads.iter_mut().for_each(|head| *head = (*head & TAG) | (*head / ONE / 2 * ONE));
    }
}

#[cfg(test)]
mod tests;
