//! The table against a list of entries a bucket, kept in the plainest way.

use proptest::collection::vec;
use proptest::prelude::*;

use super::*;
use crate::text::mix;

/// Age takes next to nothing.
const FLAT: Decline = Decline::FLAT;

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
    if bucket.iter().map(|plain| plain.score).sum::<u32>() >= 8 * bucket.len() as u32 {
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

/// Whether a lot is drawn with probability ½ to the power of `halvings`.
fn drawn(probe: &Probe, document: u32, halvings: i16) -> bool {
    let lot = mix(probe.place ^ u64::from(document));
    u128::from(lot) << halvings.max(0) < 1 << 64
}

/// The bucket as a list: all entries with their whole numbers, fewer of them once a number needs more than 24 bits.
#[derive(Default)]
struct PlainBucket {
    entries: Vec<Plain>,
    wide: bool,
    forgotten: u64,
}

impl PlainBucket {
    /// Stores an entry if there is room, or if a lot is drawn against the one that is worth least.
    fn insert(&mut self, probe: Probe, document: u32, decline: Decline) {
        self.widen_for(document, decline);
        if self.entries.len() == self.room() {
            self.forgotten += 1;
            let (least, at) = self.least(document, decline);
            let lacking = least - worth(1 + u16::from(probe.level), doublings(0), decline);
            let halvings = (f64::from(lacking) / f64::from(1 << POINT) * 1.5).floor();
            if !drawn(&probe, document, halvings as i16) {
                return;
            }
            self.put(at, probe, document);
        } else {
            self.put(self.entries.len(), probe, document);
        }
    }

    /// Puts an entry where another stood or behind the last.
    fn put(&mut self, at: usize, probe: Probe, document: u32) {
        let entry = Plain { probe, score: 1 + level(&probe), document };
        match self.entries.get_mut(at) {
            Some(other) => *other = entry,
            None => self.entries.push(entry),
        }
        lower(&mut self.entries);
    }

    fn room(&self) -> usize {
        if self.wide { 6 } else { 7 }
    }

    fn widen_for(&mut self, document: u32, decline: Decline) {
        self.wide |= document >= 1 << 24;
        if self.entries.len() > self.room() {
            self.entries.swap_remove(self.least(document, decline).1);
            self.forgotten += 1;
        }
    }

    /// What the entry that is worth least is worth, and where it is.
    fn least(&self, document: u32, decline: Decline) -> (i16, usize) {
        let worth =
            |plain: &Plain| worth(plain.score as u16, doublings(document.wrapping_sub(plain.document)), decline);
        self.entries.iter().enumerate().map(|(at, plain)| (worth(plain), at)).min().expect("there are some")
    }
}

/// Mostly numbers of a short stream, and now and then one of a long stream.
fn document() -> impl Strategy<Value = u32> {
    prop_oneof![20 => 0u32..1 << 24, 1 => any::<u32>()]
}

proptest! {
    #[test]
    fn agrees_with_a_plain_list(steps in vec((0u64..30, document(), 0u8..8), 1..400), points in -0.3..0.6) {
        let decline = Decline::new(points);
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
                        table.take_over(&probe, document, decline);
                        plain.widen_for(document, decline);
                        match plain.entries.iter_mut().find(|plain| plain.probe.tag == probe.tag) {
                            Some(taken) => *taken = Plain { probe, document, ..*taken },
                            None => {
                                let (_, worst) = plain.least(document, decline);
                                plain.put(worst, probe, document);
                                plain.forgotten += 1;
                            }
                        }
                    } else {
                        table.credit(&[probe], &[(0, at as u8)], document);
                        let score = plain.entries[at].score;
                        let doublings = score.saturating_sub(1 + level(&probe)) / 2;
                        if score < 15 && drawn(&probe, document, doublings as i16) {
                            plain.entries[at].score += 1;
                            lower(&mut plain.entries);
                        }
                    }
                }
                None => {
                    prop_assert_eq!(said, Err(if plain.forgotten > 0 { Look::Forgotten } else { Look::Never }));
                    table.insert(&[probe], &[0], document, decline);
                    plain.insert(probe, document, decline);
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
        table.insert(&[probe(at as u64)], &[0], number, FLAT);
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
        table.insert(&[Probe { level, ..probe(number) }], &[0], number as u32, FLAT);
    }
    let late = probe(5);
    table.take_over(&late, NARROW + 9, FLAT);
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
        table.insert(&[Probe { level, ..probe(number) }], &[0], number as u32, FLAT);
    }
    table.take_over(&probe(5), NARROW + 9, FLAT);
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
        table.insert(&[*probe], &[0], document as u32, FLAT);
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
    table.insert(&[popular], &[0], 0, FLAT);
    others.iter().for_each(|other| table.insert(&[Probe { level: 0, ..*other }], &[0], 0, FLAT));
    let mut scores = Vec::new();
    // A long document, whose buckets are fetched ahead.
    let probes = vec![popular; NEAR + 1];
    for document in 1..=1024u32 {
        table.credit(&probes, &[(0, 0)], document);
        if document.is_power_of_two() {
            scores.push(heads(table.bucket(&popular)).score(0));
        }
    }
    assert_eq!(scores[..2], [2, 3], "the first two hits count in full");
    assert!((12..=MOST).contains(&scores[10]), "a thousand hits are still told from a hundred: {scores:?}");
    assert!(scores[5] < scores[10] && scores[5] <= 11, "{scores:?}");
}

/// A bucket that is full of what is worth more takes a newcomer in now and then, and the less often the more it lacks.
#[test]
fn what_is_worth_little_has_a_chance() {
    let stored = |level: u8| {
        let is_stored = |number: &u64| {
            let mut table = AnchorTable::new(2 * BUCKET_BYTES);
            (0..ENTRIES as u64).for_each(|number| table.insert(&[Probe { level: 5, ..probe(number) }], &[0], 0, FLAT));
            let newcomer = Probe { level, ..probe(*number) };
            table.insert(&[newcomer], &[0], 1, FLAT);
            assert_eq!(table.forgotten(), 1, "one of the eight has no room");
            look_up(&table, &[newcomer])[0].is_ok()
        };
        (100..1124).filter(is_stored).count()
    };
    assert_eq!(stored(5), 1024);
    assert!((400..624).contains(&stored(4)), "half of those that lack one point: {}", stored(4));
    assert!((2..24).contains(&stored(0)), "and a 128th of those that lack five: {}", stored(0));
}

/// Where age takes something, an old entry goes before a young one that had less at first.
#[test]
fn what_is_old_goes_first_where_age_counts() {
    for (points, gone) in [(0.0, 3), (0.5, 0)] {
        let mut table = AnchorTable::new(2 * BUCKET_BYTES);
        for number in 0..ENTRIES as u64 {
            let (level, document) = if number == 0 { (5, 0) } else { (if number == 3 { 2 } else { 4 }, 1 << 20) };
            table.insert(&[Probe { level, ..probe(number) }], &[0], document, FLAT);
        }
        table.insert(&[Probe { level: 5, ..probe(9) }], &[0], (1 << 20) + 1, Decline::new(points));
        assert_eq!(look_up(&table, &[probe(gone)]), [Err(Look::Forgotten)], "{points}");
    }
}

#[test]
fn the_ages_of_a_few_buckets_are_told() {
    let mut table = AnchorTable::new(2 * BUCKET_BYTES);
    (0..3).for_each(|number| table.insert(&[probe(number)], &[0], 10 * number as u32, FLAT));
    let mut ages = Vec::new();
    table.ages(&[probe(7), probe(8)], &[1], 25, |age| ages.push(age));
    assert_eq!(ages, [25, 15, 5].map(doublings));
}
