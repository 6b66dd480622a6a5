//! The paper's table (section 2.2): buckets of 64 entries, each with 6 bytes of its shingle's fingerprint, its origin, and
//! what eviction and estimation need.
//!
//! The number of buckets follows the paper's accounting of 14 to 18 bytes an entry, in which an origin takes 8. Ours is
//! a number of 4, so that every entry fits 14 bytes: seven numbers of 16 bits, the first of them, its head, beside those
//! of the other entries of the bucket. Entries stand in the order of insertion (of last use for LRU); an empty place
//! has a head of zero.

use std::ops::Range;

use super::bucket;
use super::memory::{Lent, MARGIN, Memory};
use super::processor::prefetch;
use super::upkeep::{Buckets, Loose};
use crate::origin::settings::Eviction;
use crate::text::mix;

/// Numbers of 16 bits in an entry beside its head.
const BODY: usize = 6;
/// Bytes of an entry.
const ENTRY_BYTES: usize = 2 * (1 + BODY);
/// Bytes of a cache line.
const LINE: usize = 64;
/// The lucky scores of a bucket are halved when they are this large on average (rule e).
const LUCKY_LIMIT: u32 = 11;
/// Copy counts are halved when so many of a bucket are at their largest (in a bucket of fewer entries: when all are).
const FULL_COUNTERS: usize = 10;
/// Begins the body of the last place of a bucket that has room again after it had none.
const WAS_FULL: u16 = 1;

/// A fixed number of shingles with their origins.
#[derive(Debug)]
pub(crate) struct ShingleTable {
    memory: Memory,
    buckets: usize,
    entries: usize,
    evict: Eviction,
    random: u64,
    /// How many entries had to make room for others.
    forgotten: u64,
}

/// What an entry keeps about its shingle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Stored {
    /// The document that had it first.
    pub(crate) document: u32,
    /// How many shingles were selected before it there, modulo 256.
    pub(crate) offset: u8,
    /// One byte of the selected shingle before it and of the one after it there.
    pub(crate) before: u8,
    pub(crate) after: u8,
}

impl ShingleTable {
    /// As many buckets of `entries` as fit into `bytes` at `entry_bytes` each, which are at least 14; at least one bucket.
    pub(crate) fn new(bytes: usize, entries: usize, entry_bytes: usize, evict: Eviction, seed: u64) -> Self {
        let buckets = Self::buckets(bytes, entries, entry_bytes);
        let memory = Memory::zeros(buckets * entries * ENTRY_BYTES);
        ShingleTable { memory, buckets, entries, evict, random: seed, forgotten: 0 }
    }

    /// The table with the bytes, the random state and the count of another that was kept, if the bytes are as many.
    pub(crate) fn resume(mut self, lent: Box<dyn Lent>, random: u64, forgotten: u64) -> Option<Self> {
        if (*lent).as_ref().len() != self.bytes().len() {
            return None;
        }
        self.memory = Memory::Lent(lent);
        (self.random, self.forgotten) = (random, forgotten);
        Some(self)
    }

    fn buckets(bytes: usize, entries: usize, entry_bytes: usize) -> usize {
        (bytes.saturating_sub(MARGIN) / (entries * entry_bytes)).max(1)
    }

    /// All of the table.
    pub(crate) fn bytes(&self) -> &[u8] {
        self.memory.get()
    }

    /// What makes random eviction go on as it would have.
    pub(crate) fn random(&self) -> u64 {
        self.random
    }

    /// The bytes in which the answer about a shingle lies.
    pub(crate) fn place(&self, fingerprint: u64) -> Range<usize> {
        let cells = self.range(fingerprint);
        2 * cells.start..2 * cells.end
    }

    fn cells(&self) -> &[u16] {
        bytemuck::cast_slice(self.memory.get())
    }

    fn cells_mut(&mut self) -> &mut [u16] {
        bytemuck::cast_slice_mut(self.memory.get_mut())
    }

    /// How many entries there is room for.
    pub(crate) fn capacity(&self) -> usize {
        self.buckets * self.entries
    }

    /// Starts fetching what will be asked for when the shingle comes up: the heads of its bucket, and the counters, which stand in all
    /// its entries, where eviction goes by them.
    #[inline]
    pub(crate) fn fetch(&self, fingerprint: u64) {
        let bucket = &self.bytes()[self.place(fingerprint)];
        let counts = matches!(self.evict, Eviction::CopyCount | Eviction::Lucky);
        let wanted = if counts { bucket } else { &bucket[..2 * self.entries] };
        wanted.iter().step_by(LINE).for_each(prefetch);
    }

    /// What is stored about a shingle.
    pub(crate) fn find(&self, fingerprint: u64) -> Option<Stored> {
        let bucket = &self.cells()[self.range(fingerprint)];
        self.slot(bucket, fingerprint).map(|slot| unpack(&bucket[self.body(slot)]))
    }

    /// Whether something may have been evicted from the shingle's bucket.
    pub(crate) fn may_have_forgotten(&self, fingerprint: u64) -> bool {
        self.has_been_full(&self.cells()[self.range(fingerprint)])
    }

    /// Whether a bucket has no room left, or had none before documents were removed from it.
    fn has_been_full(&self, bucket: &[u16]) -> bool {
        let last = self.entries - 1;
        bucket[last] != 0 || bucket[self.body(last)][0] == WAS_FULL
    }

    /// What is stored about a shingle, which counts as a use of it; if there is nothing, stores `new`.
    pub(crate) fn find_or_insert(&mut self, fingerprint: u64, new: Stored) -> Option<Stored> {
        let range = self.range(fingerprint);
        let Some(slot) = self.slot(&self.cells()[range.clone()], fingerprint) else {
            self.insert(range, fingerprint, new);
            return None;
        };
        let found = unpack(&self.cells()[range.clone()][self.body(slot)]);
        match self.evict {
            Eviction::Random => {}
            Eviction::Lru => self.move_to_end(range, slot),
            Eviction::CopyCount | Eviction::Lucky => self.count(range, slot, 1),
        }
        Some(found)
    }

    /// Replaces what is stored about a shingle, if it is there.
    pub(crate) fn replace(&mut self, fingerprint: u64, new: Stored) {
        let range = self.range(fingerprint);
        if let Some(slot) = self.slot(&self.cells()[range.clone()], fingerprint) {
            let body = self.body(slot);
            let counter = self.cells()[range.clone()][body.clone()][5] >> 8;
            self.cells_mut()[range][body].copy_from_slice(&pack(fingerprint, new, counter as u8));
        }
    }

    /// Adds to the score of a shingle, if it is there.
    pub(crate) fn credit(&mut self, fingerprint: u64, amount: u32) {
        let range = self.range(fingerprint);
        if let Some(slot) = self.slot(&self.cells()[range.clone()], fingerprint) {
            self.count(range, slot, amount);
        }
    }

    fn insert(&mut self, range: Range<usize>, fingerprint: u64, new: Stored) {
        let slot = match self.cells()[range.clone()][..self.entries].iter().position(|&head| head == 0) {
            Some(empty) => empty,
            None => {
                self.forgotten += 1;
                let worst = self.worst(&range);
                self.move_to_end(range.clone(), worst);
                self.entries - 1
            }
        };
        let body = self.body(slot);
        let bucket = &mut self.cells_mut()[range.clone()];
        bucket[slot] = head(fingerprint);
        bucket[body].copy_from_slice(&pack(fingerprint, new, 0));
        if matches!(self.evict, Eviction::CopyCount | Eviction::Lucky) {
            self.count(range, slot, 1);
        }
    }

    /// The entry that a full bucket gives up; of equals the oldest.
    fn worst(&mut self, range: &Range<usize>) -> usize {
        match self.evict {
            Eviction::Random => {
                self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
                bucket(mix(self.random), self.entries)
            }
            Eviction::Lru => 0,
            Eviction::CopyCount | Eviction::Lucky => {
                let bucket = &self.cells()[range.clone()];
                (0..self.entries).min_by_key(|&slot| self.counter(bucket, slot)).unwrap_or(0)
            }
        }
    }

    fn move_to_end(&mut self, range: Range<usize>, slot: usize) {
        let entries = self.entries;
        let bucket = &mut self.cells_mut()[range];
        let last = bucket[..entries].iter().rposition(|&head| head != 0).unwrap_or(slot);
        bucket[slot..=last].rotate_left(1);
        bucket[entries + BODY * slot..entries + BODY * (last + 1)].rotate_left(BODY);
    }

    /// Adds to a counter, and halves those of the bucket when they have become large.
    fn count(&mut self, range: Range<usize>, slot: usize, amount: u32) {
        let entries = self.entries;
        let lucky = self.evict == Eviction::Lucky;
        let bucket = &mut self.cells_mut()[range];
        let counters = |bucket: &[u16]| -> (u32, usize, usize) {
            let (mut sum, mut full, mut taken) = (0, 0, 0);
            for slot in (0..entries).take_while(|&slot| bucket[slot] != 0) {
                let counter = bucket[entries + BODY * slot + 5] >> 8;
                sum += u32::from(counter);
                full += usize::from(counter == 255);
                taken += 1;
            }
            (sum, full, taken)
        };
        let cell = &mut bucket[entries + BODY * slot + 5];
        *cell = *cell & 0xff | ((u32::from(*cell >> 8) + amount).min(255) as u16) << 8;
        let (sum, full, taken) = counters(bucket);
        let halve = if lucky { sum >= LUCKY_LIMIT * taken as u32 } else { full >= FULL_COUNTERS.min(entries) };
        if halve {
            for slot in 0..taken {
                let cell = &mut bucket[entries + BODY * slot + 5];
                *cell = *cell & 0xff | (*cell >> 9) << 8;
            }
        }
    }

    fn counter(&self, bucket: &[u16], slot: usize) -> u16 {
        bucket[self.entries + BODY * slot + 5] >> 8
    }

    fn range(&self, fingerprint: u64) -> Range<usize> {
        let cells = self.entries * (1 + BODY);
        let start = bucket(mix(fingerprint), self.buckets) * cells;
        start..start + cells
    }

    fn slot(&self, bucket: &[u16], fingerprint: u64) -> Option<usize> {
        let wanted = head(fingerprint);
        let heads = &bucket[..self.entries];
        // Heads are compared eight at a time; one in a thousand agrees by chance.
        for (chunk, some) in heads.chunks(8).enumerate() {
            let alike: u16 = some.iter().map(|&head| u16::from(head == wanted)).sum();
            if alike != 0 {
                let hit = |slot: &usize| bucket[*slot] == wanted && self.is_of(bucket, *slot, fingerprint);
                let slots = 8 * chunk..8 * chunk + some.len();
                if let Some(slot) = slots.into_iter().find(hit) {
                    return Some(slot);
                }
            }
        }
        None
    }

    fn is_of(&self, bucket: &[u16], slot: usize, fingerprint: u64) -> bool {
        bucket[self.body(slot)][..2] == [(fingerprint >> 16) as u16, fingerprint as u16]
    }

    fn body(&self, slot: usize) -> Range<usize> {
        let start = self.entries + BODY * slot;
        start..start + BODY
    }
}

impl Buckets for ShingleTable {
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
        let cells = self.entries * (1 + BODY);
        let bucket = &self.cells()[bucket * cells..(bucket + 1) * cells];
        out.extend((0..self.entries).take_while(|&slot| bucket[slot] != 0).map(|slot| {
            let [high, low, document_low, document_high, offset, after] =
                std::array::from_fn(|cell| bucket[self.body(slot)][cell]);
            Loose {
                identity: u64::from(bucket[slot]) << 32 | u64::from(high) << 16 | u64::from(low),
                document: u32::from(document_low) | u32::from(document_high) << 16,
                score: (after >> 8) as u8,
                rest: u64::from(offset) | u64::from(after & 0xff) << 16,
            }
        }));
        self.has_been_full(bucket)
    }

    fn room(&self, _: &[Loose]) -> usize {
        self.entries
    }

    fn put_together(&mut self, bucket: usize, entries: &[Loose], has_forgotten: bool) {
        let (room, cells) = (self.entries, self.entries * (1 + BODY));
        let bucket = &mut self.cells_mut()[bucket * cells..(bucket + 1) * cells];
        bucket.fill(0);
        if has_forgotten {
            bucket[room + BODY * (room - 1)] = WAS_FULL;
        }
        for (slot, entry) in entries.iter().enumerate() {
            bucket[slot] = (entry.identity >> 32) as u16;
            bucket[room + BODY * slot..room + BODY * (slot + 1)].copy_from_slice(&[
                (entry.identity >> 16) as u16,
                entry.identity as u16,
                entry.document as u16,
                (entry.document >> 16) as u16,
                entry.rest as u16,
                (entry.rest >> 16) as u16 | u16::from(entry.score) << 8,
            ]);
        }
    }
}

fn head(fingerprint: u64) -> u16 {
    ((fingerprint >> 32) as u16).max(1)
}

fn pack(fingerprint: u64, stored: Stored, counter: u8) -> [u16; BODY] {
    let pair = |low: u8, high: u8| u16::from(low) | u16::from(high) << 8;
    [
        (fingerprint >> 16) as u16,
        fingerprint as u16,
        stored.document as u16,
        (stored.document >> 16) as u16,
        pair(stored.offset, stored.before),
        pair(stored.after, counter),
    ]
}

fn unpack(body: &[u16]) -> Stored {
    Stored {
        document: u32::from(body[2]) | u32::from(body[3]) << 16,
        offset: body[4] as u8,
        before: (body[4] >> 8) as u8,
        after: body[5] as u8,
    }
}

#[cfg(test)]
mod tests;
