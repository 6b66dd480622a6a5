//! What is done to a whole table at once: looking through it, forgetting documents, taking in another table.
//!
//! Every bucket is taken apart into loose entries and put together again, so that one rule serves tables of either kind.

/// An entry outside its bucket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Loose {
    /// What is kept of the shingle's fingerprint.
    pub(crate) identity: u64,
    /// The document that had the shingle first.
    pub(crate) document: u32,
    /// How useful it is; the least useful goes first.
    pub(crate) score: u8,
    /// The rest, as the table packs it.
    pub(crate) rest: u64,
}

/// A table that can be taken apart.
pub(crate) trait Buckets {
    /// How many buckets there are.
    fn buckets(&self) -> usize;
    /// How many entries had to make room for others.
    fn forgotten(&self) -> u64;
    /// Counts entries that others have had to make room for.
    fn add_forgotten(&mut self, entries: u64);
    /// Puts the entries of a bucket into `out`, as they stand; says whether it has ever had to forget one.
    fn take_apart(&self, bucket: usize, out: &mut Vec<Loose>) -> bool;
    /// How many entries a bucket with these can hold.
    fn room(&self, entries: &[Loose]) -> usize;
    /// Fills a bucket with entries that it has room for.
    fn put_together(&mut self, bucket: usize, entries: &[Loose], has_forgotten: bool);
}

/// Removes every entry of the documents that are to go; gives how many there were.
pub(crate) fn forget(table: &mut impl Buckets, gone: impl Fn(u32) -> bool) -> u64 {
    let mut removed = 0;
    let mut entries = Vec::new();
    for bucket in 0..table.buckets() {
        let has_forgotten = table.take_apart(bucket, &mut entries);
        let before = entries.len();
        entries.retain(|entry| !gone(entry.document));
        if entries.len() < before {
            removed += (before - entries.len()) as u64;
            table.put_together(bucket, &entries, has_forgotten);
        }
    }
    removed
}

/// Takes in the entries of another table with as many buckets. `number` gives the documents of `other` their new numbers,
/// `order` says what documents are ordered by: where both tables have a shingle, the earlier origin stays. Entries come to stand in
/// that order, which for LRU takes the place of that of their last use: which of two tables used an entry last is not known. Gives
/// how many entries found no room.
pub(crate) fn merge<K: Ord>(
    table: &mut impl Buckets,
    other: &impl Buckets,
    number: impl Fn(u32) -> u32,
    order: impl Fn(u32) -> K,
) -> u64 {
    let mut dropped = 0;
    let (mut entries, mut others) = (Vec::new(), Vec::new());
    for bucket in 0..table.buckets() {
        let mut has_forgotten = table.take_apart(bucket, &mut entries);
        let knew = has_forgotten;
        has_forgotten |= other.take_apart(bucket, &mut others);
        if others.is_empty() && has_forgotten == knew {
            continue;
        }
        for other in &mut others {
            other.document = number(other.document);
            match entries.iter_mut().find(|entry| entry.identity == other.identity) {
                None => entries.push(*other),
                Some(entry) => {
                    let score = entry.score.max(other.score);
                    if order(other.document) < order(entry.document) {
                        *entry = *other;
                    }
                    entry.score = score;
                }
            }
        }
        entries.sort_by_cached_key(|entry| order(entry.document));
        while entries.len() > table.room(&entries) {
            let worst = (0..entries.len()).min_by_key(|&at| entries[at].score);
            worst.map(|worst| entries.remove(worst));
            has_forgotten = true;
            dropped += 1;
        }
        table.put_together(bucket, &entries, has_forgotten);
    }
    table.add_forgotten(dropped + other.forgotten());
    dropped
}
