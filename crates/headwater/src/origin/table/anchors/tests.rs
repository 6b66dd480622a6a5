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
        level: Some(0),
    }
}

#[derive(Clone, Debug, PartialEq)]
struct Plain {
    tag: u16,
    score: u32,
    entry: Entry,
}

fn halve(bucket: &mut [Plain]) {
    if bucket.iter().map(|plain| plain.score).sum::<u32>() >= 8 * bucket.len() as u32 {
        bucket.iter_mut().for_each(|plain| plain.score /= 2);
    }
}

fn entry(probe: &Probe, document: u32) -> Entry {
    Entry { document, position: (probe.position % 256) as u8, skirts: probe.skirts }
}

proptest! {
    #[test]
    fn agrees_with_a_plain_list(steps in vec((0u64..70, 1u8..7, any::<u32>(), 0u8..8), 1..400)) {
        let mut table = AnchorTable::new(2 * BUCKET_BYTES + ALIGNMENT);
        prop_assert_eq!(table.buckets, 2);
        let mut plain = [Vec::<Plain>::new(), Vec::new()];
        for (number, score, document, action) in steps {
            let probe = probe(number);
            let bucket = &mut plain[bucket(probe.place, 2)];
            let mut looks = Vec::new();
            table.look_up(&[probe], &mut looks);
            let place = bucket.iter().position(|plain| plain.tag == probe.tag);
            match place {
                Some(at) => {
                    prop_assert_eq!(looks[0], Look::Found(at as u8));
                    prop_assert_eq!(table.entry(&probe, at as u8), bucket[at].entry);
                    if action == 0 {
                        table.take_over(&probe, at as u8, document);
                        bucket[at].entry = entry(&probe, document);
                    } else {
                        table.credit(&probe, at as u8);
                        bucket[at].score = (bucket[at].score + 2).min(15);
                        halve(bucket);
                    }
                }
                None => {
                    prop_assert_eq!(looks[0], if bucket.len() == 16 { Look::Forgotten } else { Look::Never });
                    table.insert(&probe, document, score);
                    if bucket.len() == 16 {
                        let least = bucket.iter().map(|plain| plain.score).min().expect("sixteen of them");
                        let oldest = bucket.iter().position(|plain| plain.score == least).expect("one has it");
                        bucket.remove(oldest);
                    }
                    bucket.push(Plain { tag: probe.tag, score: score.into(), entry: entry(&probe, document) });
                    halve(bucket);
                }
            }
        }
    }
}

#[test]
fn keeps_to_its_bytes_and_its_alignment() {
    for bytes in [200, 1000, 4096, 100_000, 1 << 20] {
        let table = AnchorTable::new(bytes);
        assert!(table.bytes() <= bytes, "{bytes}");
        assert!(table.capacity() * 10 + BUCKET_BYTES + ALIGNMENT > bytes);
        assert_eq!(table.cells[table.base..].as_ptr() as usize % ALIGNMENT, 0);
    }
    assert_eq!(AnchorTable::new(0).capacity(), 16, "there is always one bucket");
}

#[test]
fn batches_answer_like_single_probes() {
    let mut table = AnchorTable::new(4000);
    let probes: Vec<Probe> = (0..300).map(probe).collect();
    for (document, probe) in probes.iter().enumerate() {
        table.insert(probe, document as u32, 1 + document as u8 % 6);
    }
    let mut together = Vec::new();
    table.look_up(&probes, &mut together);
    let mut one = Vec::new();
    for (probe, look) in probes.iter().zip(&together) {
        table.look_up(std::slice::from_ref(probe), &mut one);
        assert_eq!(one, [*look]);
    }
    assert!(together.contains(&Look::Forgotten) && together.iter().any(|look| matches!(look, Look::Found(_))));
}
