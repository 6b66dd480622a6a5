//! The table against a list of entries a bucket, kept in the plainest way.

use proptest::collection::vec;
use proptest::prelude::*;

use super::*;
use crate::text::mix;

fn probe(number: u64) -> Probe {
    let fingerprint = mix(number);
    Probe {
        place: mix(fingerprint),
        position: number as u32,
        skirts: Skirts { left: (number & 0x7ff) as u16, right: (number >> 11 & 0x7ff) as u16 },
        tag: (fingerprint & 0x3fff) as u16,
        level: (number % 6) as u8,
    }
}

#[derive(Clone, Debug)]
struct Plain {
    probe: Probe,
    score: u32,
    document: u32,
}

fn lower(bucket: &mut [Plain]) {
    if bucket.iter().map(|plain| plain.score).sum::<u32>() >= 6 * bucket.len() as u32 {
        bucket.iter_mut().for_each(|plain| plain.score = plain.score.saturating_sub(1));
    }
}

fn level(probe: &Probe) -> u32 {
    u32::from(probe.level)
}

/// What the table says about each of the probes.
fn look_up(table: &AnchorTable, probes: &[Probe]) -> Vec<Result<Entry, Look>> {
    let mut said = Vec::new();
    table.look_up(probes, |_, found| said.push(found));
    said
}

fn entry(probe: &Probe, document: u32, slot: usize) -> Entry {
    Entry { document, position: (probe.position % 256) as u8, skirts: probe.skirts, slot: slot as u8 }
}

/// The bucket as a list: all entries with their whole numbers, fewer of them once a number needs more than 24 bits.
#[derive(Default)]
struct PlainBucket {
    entries: Vec<Plain>,
    wide: bool,
    forgotten: u64,
}

impl PlainBucket {
    fn insert(&mut self, probe: Probe, document: u32) {
        self.make_room_for(document, 1);
        self.entries.push(Plain { probe, score: 1 + level(&probe), document });
        lower(&mut self.entries);
    }

    fn make_room_for(&mut self, document: u32, new: usize) {
        self.wide |= document >= 1 << 24;
        while self.entries.len() + new > if self.wide { 6 } else { 7 } {
            let least = self.entries.iter().map(|plain| plain.score).min().expect("there are some");
            let oldest = self.entries.iter().position(|plain| plain.score == least).expect("one has it");
            self.entries.remove(oldest);
            self.forgotten += 1;
        }
    }
}

/// Mostly numbers of a short stream, and now and then one of a long stream.
fn document() -> impl Strategy<Value = u32> {
    prop_oneof![20 => 0u32..1 << 24, 1 => any::<u32>()]
}

proptest! {
    #[test]
    fn agrees_with_a_plain_list(steps in vec((0u64..30, document(), 0u8..8), 1..400)) {
        let mut table = AnchorTable::new(3 * BUCKET_BYTES);
        prop_assert_eq!(table.buckets, 2);
        let mut plain_buckets = [PlainBucket::default(), PlainBucket::default()];
        for (number, document, action) in steps {
            let probe = probe(number);
            let plain = &mut plain_buckets[bucket(probe.place, 2)];
            let said = look_up(&table, &[probe])[0];
            match plain.entries.iter().position(|plain| plain.probe.tag == probe.tag) {
                Some(at) => {
                    let there = &plain.entries[at];
                    prop_assert_eq!(said, Ok(entry(&there.probe, there.document, at)));
                    if action == 0 {
                        table.take_over(&probe, document);
                        plain.make_room_for(document, 0);
                        match plain.entries.iter_mut().find(|plain| plain.probe.tag == probe.tag) {
                            Some(taken) => *taken = Plain { probe, document, ..*taken },
                            None => plain.insert(probe, document),
                        }
                    } else {
                        table.credit([(&probe, at as u8)].into_iter(), 1, document);
                        let score = plain.entries[at].score;
                        let doublings = score.saturating_sub(1 + level(&probe)) / 2;
                        let lot = mix(probe.place ^ u64::from(document));
                        if score < 15 && u128::from(lot) << doublings < 1 << 64 {
                            plain.entries[at].score += 1;
                            lower(&mut plain.entries);
                        }
                    }
                }
                None => {
                    prop_assert_eq!(said, Err(if plain.forgotten > 0 { Look::Forgotten } else { Look::Never }));
                    table.insert(&[probe], &[0], document);
                    plain.insert(probe, document);
                }
            }
            prop_assert_eq!(table.forgotten(), plain_buckets.iter().map(|plain| plain.forgotten).sum::<u64>());
        }
    }
}

#[test]
fn every_document_number_comes_back() {
    let numbers = [0, NARROW - 1, NARROW, 3 * NARROW - 1, 1 << 31, u32::MAX - 2];
    let mut table = AnchorTable::new(2 * BUCKET_BYTES);
    for (at, &number) in numbers.iter().enumerate() {
        table.insert(&[probe(at as u64)], &[0], number);
    }
    let probes: Vec<Probe> = (0..numbers.len() as u64).map(probe).collect();
    for (at, (probe, said)) in probes.iter().zip(look_up(&table, &probes)).enumerate() {
        assert_eq!(said, Ok(entry(probe, numbers[at], at)), "the older ones too, after the bucket grew wide");
    }
}

#[test]
fn a_full_bucket_gives_up_its_worst_to_grow_wide() {
    let mut table = AnchorTable::new(2 * BUCKET_BYTES);
    for number in 0..ENTRIES as u64 {
        let level = if number == 3 { 0 } else { 3 };
        table.insert(&[Probe { level, ..probe(number) }], &[0], number as u32);
    }
    let late = probe(5);
    table.take_over(&late, NARROW + 9);
    for number in 0..ENTRIES as u64 {
        let document = look_up(&table, &[probe(number)])[0].map(|entry| entry.document);
        let expected = match number {
            3 => Err(Look::Forgotten),
            5 => Ok(NARROW + 9),
            _ => Ok(number as u32),
        };
        assert_eq!(document, expected, "{number}");
    }
}

#[test]
fn what_is_taken_over_stays_though_it_is_the_worst() {
    let mut table = AnchorTable::new(2 * BUCKET_BYTES);
    for number in 0..ENTRIES as u64 {
        let level = if number == 5 { 0 } else { 3 };
        table.insert(&[Probe { level, ..probe(number) }], &[0], number as u32);
    }
    table.take_over(&probe(5), NARROW + 9);
    assert_eq!(look_up(&table, &[probe(5)])[0].map(|entry| entry.document), Ok(NARROW + 9));
    assert_eq!(table.forgotten(), 2, "its old entry and, of a wide bucket, one more");
}

#[test]
fn keeps_to_its_bytes_and_its_alignment() {
    for bytes in [128, 1000, 4096, 100_000, 1 << 20] {
        let table = AnchorTable::new(bytes);
        assert!(table.bytes().len() <= bytes, "{bytes}");
        assert!(table.capacity() / ENTRIES * BUCKET_BYTES + 2 * BUCKET_BYTES > bytes);
        assert_eq!(table.bytes().as_ptr() as usize % BUCKET_BYTES, 0);
    }
    assert_eq!(AnchorTable::new(0).capacity(), 7, "there is always one bucket");
}

#[test]
fn batches_answer_like_single_probes() {
    let mut table = AnchorTable::new(4000);
    let probes: Vec<Probe> = (0..300).map(probe).collect();
    for (document, probe) in probes.iter().enumerate() {
        table.insert(&[*probe], &[0], document as u32);
    }
    let together = look_up(&table, &probes);
    for (probe, said) in probes.iter().zip(&together) {
        assert_eq!(look_up(&table, std::slice::from_ref(probe)), [*said]);
    }
    assert!(together.contains(&Err(Look::Forgotten)) && together.iter().any(Result::is_ok));
}

#[test]
fn a_score_counts_the_doublings_of_its_hits() {
    let mut table = AnchorTable::new(2 * BUCKET_BYTES);
    let (popular, others): (Probe, Vec<Probe>) = (Probe { level: 0, ..probe(0) }, (1..7).map(probe).collect());
    table.insert(&[popular], &[0], 0);
    others.iter().for_each(|other| table.insert(&[Probe { level: 0, ..*other }], &[0], 0));
    let mut scores = Vec::new();
    for document in 1..=1024u32 {
        // As for a long document, whose buckets are fetched ahead.
        table.credit([(&popular, 0)].into_iter(), NEAR + 1, document);
        if document.is_power_of_two() {
            scores.push(heads(table.bucket(&popular)).score(0));
        }
    }
    assert_eq!(scores[..2], [2, 3], "the first two hits count in full");
    assert!((12..=MOST).contains(&scores[10]), "a thousand hits are still told from a hundred: {scores:?}");
    assert!(scores[5] < scores[10] && scores[5] <= 11, "{scores:?}");
}
