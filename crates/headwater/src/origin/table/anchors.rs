//! Headwater's own table: entries of 72 bits in buckets of one cache line.
//!
//! A bucket is 64 bytes, all numbers little-endian:
//!
//! ```text
//! byte 0          14      15                                             64
//!      ┌──────────┬───────┬───────────────────────────────────────────────┐
//!      │  heads   │ state │ bodies                                        │
//!      │  7 × 2   │   1   │ 7 × 7                                         │
//!      └──────────┴───────┴───────────────────────────────────────────────┘
//! head   12 bits of the tag (never 0 but in an empty place), 4 of score
//! state  bit 0: the bucket is wide; bit 1: it has had to forget
//! body   24 bits of document, 8 of position, 11 of left skirt, 11 of right skirt, 2 of the tag
//! ```
//!
//! Whatever is asked of a bucket costs one line. Entries stand without gaps, in no order.
//!
//! Document numbers have 32 bits. A bucket that is to hold one of 2²⁴ or more becomes *wide*: it keeps 6 entries,
//! and the body of the last place holds the leading byte of each of their numbers. Short streams thus have a sixth more
//! room, and on long ones no number ever wraps and no entry is too old to be kept.

use std::ops::Range;

use super::bucket;
use super::heads::{HEAD_BYTES, HEADS, Heads};
use super::memory::{Lent, MARGIN, Memory};
use super::processor::{LANES, least_of, prefetch};
use super::upkeep::{Buckets, Loose};
use super::worth::{Decline, POINT, doublings, worth};
use crate::origin::anchor::Probe;
use crate::origin::skirt::{SKIRT, Skirts};
use crate::text::mix;

/// Entries in a bucket.
const ENTRIES: usize = HEADS;
/// Entries in a bucket with document numbers of more than 24 bits.
const WIDE_ENTRIES: usize = 6;
/// Bytes in a bucket: a cache line.
pub(crate) const BUCKET_BYTES: usize = 64;
type Bucket = [u8; BUCKET_BYTES];

const STATE: usize = HEAD_BYTES;
const BODIES: usize = STATE + 1;
const BODY: usize = 7;
/// Where a wide bucket keeps the leading bytes of its numbers.
const LEADING: usize = BODIES + WIDE_ENTRIES * BODY;

const WIDE: u8 = 1;
const HAS_FORGOTTEN: u8 = 2;

/// Where in a body the leading bits of the tag stand.
const TAG_SHIFT: u32 = 32 + 2 * SKIRT;

/// Document numbers from here on need a wide bucket.
const NARROW: u32 = 1 << 24;

const TAG: u16 = 0x0fff;
const MOST: u16 = 15;
/// A bucket whose scores are this large on average has them lowered by one: scores are relative, and must not all end at the top.
const RICH: u16 = 8;
/// So many points of score are one doubling of the hits that earned them.
const DOUBLING: i16 = 2;

/// So many probes ahead of its use a bucket is fetched, so that cache misses overlap.
const AHEAD: usize = 64;

/// Buckets of a document whose entries are looked at to see how old they are.
const SAMPLE: usize = 2;

/// So many buckets are still in a near cache when they are needed again.
const NEAR: usize = 1 << 10;

/// Entries found by fingerprint tag.
#[derive(Debug)]
pub(crate) struct AnchorTable {
    memory: Memory,
    buckets: usize,
    /// How many entries had to make room for others, or found none.
    forgotten: u64,
}

/// What the table said about one probe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Look {
    /// It is there.
    Found,
    /// It is there, but under a later document: the one that asks is now its origin.
    Later,
    /// It is not there, and its bucket has had to forget.
    Forgotten,
    /// It is not there, and its bucket has never forgotten anything: it never was.
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
    /// The entry's own place in its bucket.
    pub(crate) slot: u8,
}

impl AnchorTable {
    /// The largest table that fits `bytes`; at least one bucket. The memory is mapped as it is used.
    pub(crate) fn new(bytes: usize) -> Self {
        let length = Self::length(bytes);
        AnchorTable { memory: Memory::zeros(length), buckets: length / BUCKET_BYTES, forgotten: 0 }
    }

    /// A table that was kept, if `lent` has the length of one.
    pub(crate) fn resume(bytes: usize, lent: Box<dyn Lent>, forgotten: u64) -> Option<Self> {
        let length = Self::length(bytes);
        let fits = (*lent).as_ref().len() == length;
        fits.then(|| AnchorTable { memory: Memory::Lent(lent), buckets: length / BUCKET_BYTES, forgotten })
    }

    /// The bytes of all buckets of the largest table that fits `bytes`.
    fn length(bytes: usize) -> usize {
        (bytes.saturating_sub(MARGIN) / BUCKET_BYTES).max(1) * BUCKET_BYTES
    }

    /// All of the table.
    pub(crate) fn bytes(&self) -> &[u8] {
        self.memory.get()
    }

    /// The bytes in which the answer to a probe lies.
    pub(crate) fn place(&self, probe: &Probe) -> Range<usize> {
        let start = bucket(probe.place, self.buckets) * BUCKET_BYTES;
        start..start + BUCKET_BYTES
    }

    /// How many entries there is room for while no bucket is wide.
    pub(crate) fn capacity(&self) -> usize {
        self.buckets * ENTRIES
    }

    /// Looks up every probe of a document, and changes nothing: `answer` is called for each in turn, with its entry or with
    /// why there is none.
    #[inline]
    pub(crate) fn look_up(&self, probes: &[Probe], mut answer: impl FnMut(&Probe, Result<Entry, Look>)) {
        let all: &[Bucket] = self.memory.get().as_chunks().0;
        let bucket_of = |probe: &Probe| &all[bucket(probe.place, self.buckets)];
        probes.iter().take(AHEAD).for_each(|probe| prefetch(&bucket_of(probe)[0]));
        for (at, probe) in probes.iter().enumerate() {
            if let Some(later) = probes.get(at + AHEAD) {
                prefetch(&bucket_of(later)[0]);
            }
            let bucket = bucket_of(probe);
            answer(
                probe,
                match find(bucket, probe.tag) {
                    Some(slot) => Ok(entry(bucket, slot)),
                    None if bucket[STATE] & HAS_FORGOTTEN == 0 => Err(Look::Never),
                    None => Err(Look::Forgotten),
                },
            );
        }
    }

    /// Rewards entries for having been useful to `document`: those of the probes and at the slots that `useful` names.
    pub(crate) fn credit(&mut self, probes: &[Probe], useful: &[(u32, u8)], document: u32) {
        let buckets = self.buckets;
        let all: &mut [Bucket] = self.memory.get_mut().as_chunks_mut().0;
        let place = |at: u32| bucket(probes[at as usize].place, buckets);
        let ahead = ahead(probes);
        for (rank, &(at, slot)) in useful.iter().enumerate() {
            if let Some(&(later, _)) = useful.get(rank.saturating_add(ahead)) {
                prefetch(&all[place(later)][0]);
            }
            credit(&mut all[place(at)], &probes[at as usize], slot, document);
        }
    }

    /// Makes `document`, which is earlier than the one in the entry, the origin of a shingle that is there.
    pub(crate) fn take_over(&mut self, probe: &Probe, document: u32, decline: Decline) {
        let bucket = self.bucket_mut(probe);
        let mut forgotten = widen_for(bucket, document, decline);
        match find(bucket, probe.tag) {
            Some(slot) => set_body(bucket, slot, probe, document),
            None => {
                // To be wide, the bucket has given up this very entry, and has no room for it.
                let heads = heads(bucket);
                let (worst, _) = least(bucket, heads, document, decline);
                put(bucket, heads, worst, heads.taken(), probe, document);
                forgotten += 1;
            }
        }
        self.forgotten += forgotten;
    }

    /// How old, in [`doublings`], the entries are in the buckets of a few of the probes that `chosen` names.
    pub(crate) fn ages(&self, probes: &[Probe], chosen: &[u32], document: u32, mut visit: impl FnMut(i16)) {
        let all: &[Bucket] = self.memory.get().as_chunks().0;
        for &at in chosen.iter().take(SAMPLE) {
            let bucket = &all[bucket(probes[at as usize].place, self.buckets)];
            doublings_of(bucket, document)[..heads(bucket).taken()].iter().for_each(|&age| visit(age));
        }
    }

    /// Stores those of the probes that `chosen` names, each in place of the entry that is worth least of its bucket if there is no
    /// room. One that is worth less itself is stored with a probability that is half as large for every
    /// two thirds of a point that it lacks, so that what is new always has a chance.
    pub(crate) fn insert(&mut self, probes: &[Probe], chosen: &[u32], document: u32, decline: Decline) {
        let buckets = self.buckets;
        let all: &mut [Bucket] = self.memory.get_mut().as_chunks_mut().0;
        let place = |at: u32| bucket(probes[at as usize].place, buckets);
        let ahead = ahead(probes);
        let mut forgotten = 0;
        for (rank, &at) in chosen.iter().enumerate() {
            if let Some(&later) = chosen.get(rank.saturating_add(ahead)) {
                prefetch(&all[place(later)][0]);
            }
            forgotten += insert(&mut all[place(at)], &probes[at as usize], document, decline);
        }
        self.forgotten += forgotten;
    }

    #[cfg(test)]
    fn bucket(&self, probe: &Probe) -> &Bucket {
        &self.memory.get().as_chunks().0[bucket(probe.place, self.buckets)]
    }

    fn bucket_mut(&mut self, probe: &Probe) -> &mut Bucket {
        &mut self.memory.get_mut().as_chunks_mut().0[bucket(probe.place, self.buckets)]
    }
}

impl Buckets for AnchorTable {
    fn buckets(&self) -> usize {
        self.buckets
    }

    fn forgotten(&self) -> u64 {
        self.forgotten
    }

    fn add_forgotten(&mut self, entries: u64) {
        self.forgotten += entries;
    }

    fn take_apart(&self, bucket: usize, out: &mut Vec<Loose>) -> bool {
        out.clear();
        let bucket: &Bucket = &self.memory.get().as_chunks().0[bucket];
        let heads = heads(bucket);
        for slot in 0..heads.taken() {
            let head = heads.get(slot);
            let bits = body_bits(bucket, slot);
            out.push(Loose {
                identity: u64::from(head & TAG) | bits >> TAG_SHIFT << 12,
                document: number(bucket, slot),
                score: heads.score(slot) as u8,
                rest: bits >> 24,
            });
        }
        bucket[STATE] & HAS_FORGOTTEN != 0
    }

    fn room(&self, entries: &[Loose]) -> usize {
        if entries.iter().any(|entry| entry.document >= NARROW) { WIDE_ENTRIES } else { ENTRIES }
    }

    fn put_together(&mut self, bucket: usize, entries: &[Loose], has_forgotten: bool) {
        let wide = self.room(entries) == WIDE_ENTRIES;
        let bucket: &mut Bucket = &mut self.memory.get_mut().as_chunks_mut().0[bucket];
        bucket.fill(0);
        bucket[STATE] = if wide { WIDE } else { 0 } | if has_forgotten { HAS_FORGOTTEN } else { 0 };
        let mut heads = heads(bucket);
        for (slot, entry) in entries.iter().enumerate() {
            heads.put(slot, entry.identity as u16 & TAG, entry.score.into());
            let bits = u64::from(entry.document % NARROW) | entry.rest << 24;
            set_body_bits(bucket, slot, bits);
            if wide {
                bucket[LEADING + slot] = (entry.document >> 24) as u8;
            }
        }
        set_heads(bucket, heads);
    }
}

/// So many entries ahead of its change a bucket is fetched once more. Looking up has fetched all of a document; those of a long one
/// are gone again.
fn ahead(probes: &[Probe]) -> usize {
    if probes.len() > NEAR { AHEAD } else { usize::MAX }
}

/// Rewards an entry for having been useful to `document`.
///
/// The score is a logarithm: it begins with the level, which is that of the text that the entry stands for, and above it
/// counts the doublings of the hits. So it rises by one with a probability that falls as it rises.
fn credit(bucket: &mut Bucket, probe: &Probe, slot: u8, document: u32) {
    let mut heads = heads(bucket);
    let slot = usize::from(slot);
    let score = heads.score(slot);
    let earned = score as i16 - first_score(probe.level) as i16;
    if score == MOST || !is_drawn(probe, document, earned / DOUBLING) {
        return;
    }
    heads.reward(slot);
    heads.lower_if_rich(heads.taken(), RICH);
    set_heads(bucket, heads);
}

/// Stores a shingle unless it is there; gives how many others had to be forgotten for it, or itself.
fn insert(bucket: &mut Bucket, probe: &Probe, document: u32, decline: Decline) -> u64 {
    let widened = widen_for(bucket, document, decline);
    let heads = heads(bucket);
    if find_among(bucket, heads, probe.tag).is_some() {
        return widened;
    }
    let taken = heads.taken();
    if taken < room(bucket) {
        put(bucket, heads, taken, taken + 1, probe, document);
        return widened;
    }
    bucket[STATE] |= HAS_FORGOTTEN;
    let (worst, least) = least(bucket, heads, document, decline);
    let lacking = least - worth(first_score(probe.level), doublings(0), decline);
    if is_drawn(probe, document, halvings(lacking)) {
        put(bucket, heads, worst, taken, probe, document);
    }
    widened + 1
}

/// A newcomer that is worth so much less than all others is stored with a probability of ½ to this power: one and a half for each point
/// that it lacks.
fn halvings(lacking: i16) -> i16 {
    ((3 * i32::from(lacking)) >> (POINT + 1)) as i16
}

/// Puts an entry where another stood or behind the last; writes the heads of the bucket, which are these.
#[inline]
fn put(bucket: &mut Bucket, mut heads: Heads, slot: usize, taken: usize, probe: &Probe, document: u32) {
    heads.put(slot, head_tag(probe.tag), first_score(probe.level));
    heads.lower_if_rich(taken, RICH);
    set_heads(bucket, heads);
    set_body(bucket, slot, probe, document);
}

/// Whether a lot is drawn whose probability is ½ to the power of `halvings`, 1 for none or fewer: the bits of a hash take the place
/// of chance.
fn is_drawn(probe: &Probe, document: u32, halvings: i16) -> bool {
    let lot = mix(probe.place ^ u64::from(document));
    lot.leading_zeros() as i16 >= halvings
}

fn is_wide(bucket: &Bucket) -> bool {
    bucket[STATE] & WIDE != 0
}

/// How many entries it can hold.
fn room(bucket: &Bucket) -> usize {
    if is_wide(bucket) { WIDE_ENTRIES } else { ENTRIES }
}

/// The entry with the tag.
#[inline]
fn find(bucket: &Bucket, tag: u16) -> Option<usize> {
    find_among(bucket, heads(bucket), tag)
}

/// The entry with the tag in a bucket that has these heads.
#[inline]
fn find_among(bucket: &Bucket, heads: Heads, tag: u16) -> Option<usize> {
    // In most buckets there is none, and the two bits that a body has of the tag are never looked at.
    heads.with_tag(head_tag(tag)).find(|&slot| bucket[body(slot)][BODY - 1] >> 6 == (tag >> 12) as u8)
}

#[inline]
fn heads(bucket: &Bucket) -> Heads {
    let (bytes, _) = bucket.split_first_chunk().expect("a bucket is longer than its heads");
    Heads::read(bytes)
}

#[inline]
fn set_heads(bucket: &mut Bucket, heads: Heads) {
    bucket[..HEAD_BYTES].copy_from_slice(&heads.bytes());
}

/// The part of a tag that stands in the head; never zero, which marks an empty place.
fn head_tag(tag: u16) -> u16 {
    (tag & TAG).max(1)
}

/// The bytes of the entry at `slot` but for its head.
fn body(slot: usize) -> Range<usize> {
    BODIES + BODY * slot..BODIES + BODY * (slot + 1)
}

fn set_body(bucket: &mut Bucket, slot: usize, probe: &Probe, document: u32) {
    let bits = u64::from(document % NARROW)
        | u64::from(probe.position as u8) << 24
        | u64::from(probe.skirts.left) << 32
        | u64::from(probe.skirts.right) << (32 + SKIRT)
        | u64::from(probe.tag >> 12) << TAG_SHIFT;
    set_body_bits(bucket, slot, bits);
    if is_wide(bucket) {
        bucket[LEADING + slot] = (document >> 24) as u8;
    }
}

/// The body at `slot` as a number.
#[inline]
fn body_bits(bucket: &Bucket, slot: usize) -> u64 {
    // Read with the byte before it, which every body has: eight bytes are one load.
    let (bytes, _) = bucket[body(slot).start - 1..].split_first_chunk().expect("a body and the byte before it");
    u64::from_le_bytes(*bytes) >> 8
}

#[inline]
fn set_body_bits(bucket: &mut Bucket, slot: usize, bits: u64) {
    bucket[body(slot)].copy_from_slice(&bits.to_le_bytes()[..BODY]);
}

/// The number of the document of the entry at `slot`.
#[inline]
fn number(bucket: &Bucket, slot: usize) -> u32 {
    // The seventh place of a wide bucket has none.
    let leading = if is_wide(bucket) && slot < WIDE_ENTRIES { u32::from(bucket[LEADING + slot]) << 24 } else { 0 };
    (body_bits(bucket, slot) as u32 % NARROW) | leading
}

/// How old every entry is now that this document has come, in [`doublings`].
#[inline(always)]
fn doublings_of(bucket: &Bucket, document: u32) -> [i16; LANES] {
    // No entry has a number above that of the document that has come. What stands behind the last entry is of no account.
    let age = |number: u32| doublings(document.wrapping_sub(number));
    if is_wide(bucket) {
        return std::array::from_fn(|slot| age(number(bucket, slot.min(WIDE_ENTRIES - 1))));
    }
    std::array::from_fn(|slot| age(body_bits(bucket, slot.min(ENTRIES - 1)) as u32 % NARROW))
}

/// The entry at `slot`.
#[inline]
fn entry(bucket: &Bucket, slot: usize) -> Entry {
    let bits = body_bits(bucket, slot);
    let skirt = |shift: u32| (bits >> shift) as u16 & ((1 << SKIRT) - 1);
    Entry {
        document: number(bucket, slot),
        position: (bits >> 24) as u8,
        skirts: Skirts { left: skirt(32), right: skirt(32 + SKIRT) },
        slot: slot as u8,
    }
}

/// The entry of a full bucket that is worth least now that this document has come, and what it is worth.
#[inline]
fn least(bucket: &Bucket, heads: Heads, document: u32, decline: Decline) -> (usize, i16) {
    let (ages, scores) = (doublings_of(bucket, document), heads.scores());
    let room = room(bucket);
    least_of(std::array::from_fn(|slot| {
        // What stands behind the last place is no entry.
        if slot < room { worth(scores[slot], ages[slot], decline) } else { i16::MAX }
    }))
}

/// Makes a bucket wide if it must be to hold this number; gives how many entries had to be forgotten for that.
#[inline]
fn widen_for(bucket: &mut Bucket, document: u32, decline: Decline) -> u64 {
    if document >= NARROW && !is_wide(bucket) { widen(bucket, document, decline) } else { 0 }
}

#[cold]
fn widen(bucket: &mut Bucket, document: u32, decline: Decline) -> u64 {
    let mut heads = heads(bucket);
    let full = heads.taken() > WIDE_ENTRIES;
    if full {
        let (worst, _) = least(bucket, heads, document, decline);
        // The last one comes to stand in its place.
        let last = heads.remove_last();
        if worst < WIDE_ENTRIES {
            heads.put(worst, last & TAG, last >> 12);
            set_body_bits(bucket, worst, body_bits(bucket, WIDE_ENTRIES));
        }
        set_heads(bucket, heads);
        bucket[STATE] |= HAS_FORGOTTEN;
    }
    bucket[LEADING..].fill(0);
    bucket[STATE] |= WIDE;
    full.into()
}

/// What an anchor of this level begins with.
fn first_score(level: u8) -> u16 {
    1 + u16::from(level)
}

#[cfg(test)]
mod tests;
