//! The four evictions against lists kept in the plainest way.

use proptest::collection::vec;
use proptest::prelude::*;

use super::*;

const ENTRIES: usize = 12;

/// The smallest bucket, the paper's, the largest, and one that a few steps fill.
const SIZES: [usize; 4] = [4, ENTRIES, 64, 256];

fn stored(number: u64) -> Stored {
    Stored {
        document: mix(number) as u32,
        offset: number as u8,
        before: mix(number + 1) as u8,
        after: mix(number + 2) as u8,
    }
}

impl ShingleTable {
    /// The counter of a shingle that is in the table.
    ///
    /// How an entry keeps its fingerprint is the table's own affair: one like it that has this entry alone shows it.
    pub(crate) fn counter_of(&self, fingerprint: u64) -> Option<u8> {
        self.find(fingerprint)?;
        let mut alone = ShingleTable::new(self.capacity() * 18 + MARGIN, self.entries, 18, Eviction::Lru, 0);
        alone.find_or_insert(fingerprint, Stored::default());
        let (mut wanted, mut others) = (Vec::new(), Vec::new());
        (0..Buckets::buckets(self)).find_map(|bucket| {
            alone.take_apart(bucket, &mut wanted);
            self.take_apart(bucket, &mut others);
            let entry = others.iter().find(|other| wanted.first().is_some_and(|one| one.identity == other.identity));
            entry.map(|entry| entry.score)
        })
    }
}

struct Plain {
    fingerprint: u64,
    stored: Stored,
    counter: u32,
}

/// Section 2.2 in words, one bucket.
fn halve(bucket: &mut [Plain], evict: Eviction) {
    let due = match evict {
        Eviction::CopyCount => bucket.iter().filter(|plain| plain.counter == 255).count() >= 10,
        Eviction::Lucky => bucket.iter().map(|plain| plain.counter).sum::<u32>() >= 11 * bucket.len() as u32,
        _ => false,
    };
    if due {
        bucket.iter_mut().for_each(|plain| plain.counter /= 2);
    }
}

proptest! {
    #[test]
    fn evictions_agree_with_a_plain_list(
        (entries, steps) in proptest::sample::select(&SIZES[..])
            .prop_flat_map(|entries| (Just(entries), vec((0..2 * entries as u64, 0u32..60), 1..50 * entries.min(64)))),
        (_, evict) in proptest::sample::select(&Eviction::NAMES[1..]),
    ) {
        let mut table = ShingleTable::new(0, entries, 18, evict, 0);
        let mut plain: Vec<Plain> = Vec::new();
        for (number, amount) in steps {
            let fingerprint = mix(number);
            let place = plain.iter().position(|plain| plain.fingerprint == fingerprint);
            prop_assert_eq!(table.find(fingerprint), place.map(|at| plain[at].stored));
            if amount > 50 {
                table.credit(fingerprint, amount);
                if let Some(at) = place {
                    plain[at].counter = (plain[at].counter + amount).min(255);
                    halve(&mut plain, evict);
                }
                continue;
            }
            let answer = table.find_or_insert(fingerprint, stored(number));
            prop_assert_eq!(answer, place.map(|at| plain[at].stored));
            match place {
                Some(at) if evict == Eviction::Lru => {
                    let moved = plain.remove(at);
                    plain.push(moved);
                }
                Some(at) => plain[at].counter = (plain[at].counter + 1).min(255),
                None => {
                    if plain.len() == entries {
                        let least = plain.iter().map(|plain| plain.counter).min().expect("it is full");
                        let by_score = plain.iter().position(|plain| plain.counter == least).expect("one has it");
                        plain.remove(if evict == Eviction::Lru { 0 } else { by_score });
                    }
                    let counter = u32::from(evict != Eviction::Lru);
                    plain.push(Plain { fingerprint, stored: stored(number), counter });
                }
            }
            halve(&mut plain, evict);
        }
    }
}

#[test]
fn random_eviction_is_repeatable_and_spares_nobody() {
    let run = |seed| {
        let mut table = ShingleTable::new(0, ENTRIES, 14, Eviction::Random, seed);
        (0..100).for_each(|number| _ = table.find_or_insert(mix(number), stored(number)));
        (0..100).filter(|&number| table.find(mix(number)).is_some()).collect::<Vec<u64>>()
    };
    assert_eq!(run(1), run(1));
    assert_ne!(run(1), run(2));
    assert_eq!(run(1).len(), ENTRIES);
    // Whoever is spared for ever would be there whatever the seed, and whoever goes first never.
    let mut survived = [0; 100];
    (0..400).flat_map(run).for_each(|number| survived[number as usize] += 1);
    let (old, new) = (survived[..ENTRIES].iter().max().unwrap(), survived[80..].iter().min().unwrap());
    assert!(*old < 10 && *new > 20, "{survived:?}");
}

#[test]
fn copy_counts_are_halved_when_ten_are_at_their_largest() {
    let mut table = ShingleTable::new(0, ENTRIES, 15, Eviction::CopyCount, 0);
    (0..ENTRIES as u64).for_each(|number| _ = table.find_or_insert(mix(number), stored(number)));
    let counters = |table: &ShingleTable| -> Vec<u8> {
        (0..ENTRIES as u64).map(|number| table.counter_of(mix(number)).expect("it is there")).collect()
    };
    assert_eq!(counters(&table), [1; ENTRIES]);
    (0..9).for_each(|number| table.credit(mix(number), 254));
    assert_eq!(counters(&table), [255, 255, 255, 255, 255, 255, 255, 255, 255, 1, 1, 1]);
    table.credit(mix(0), 1);
    table.find_or_insert(mix(8), stored(8));
    assert_eq!(counters(&table), [255, 255, 255, 255, 255, 255, 255, 255, 255, 1, 1, 1], "still nine");
    table.credit(mix(9), 253);
    table.credit(mix(10), 4);
    assert_eq!(counters(&table), [255, 255, 255, 255, 255, 255, 255, 255, 255, 254, 5, 1], "almost ten");
    table.find_or_insert(mix(9), stored(9));
    assert_eq!(counters(&table), [127, 127, 127, 127, 127, 127, 127, 127, 127, 127, 2, 0]);
}

#[test]
fn buckets_are_as_many_as_fit() {
    for entry_bytes in 14..=18 {
        let table = ShingleTable::new(100_000, 64, entry_bytes, Eviction::Lucky, 0);
        assert_eq!(table.capacity() / 64, 100_000 / 64 / entry_bytes);
        assert!(table.bytes().len() <= 100_000);
    }
}

#[test]
fn replacing_keeps_the_counter() {
    let mut table = ShingleTable::new(0, 4, 15, Eviction::CopyCount, 0);
    (0..4).for_each(|number| _ = table.find_or_insert(mix(number), stored(number)));
    table.credit(mix(0), 5);
    table.replace(mix(0), stored(77));
    assert_eq!(table.find(mix(0)), Some(stored(77)));
    table.find_or_insert(mix(9), stored(9));
    assert_eq!((table.find(mix(0)), table.find(mix(1))), (Some(stored(77)), None));
}
