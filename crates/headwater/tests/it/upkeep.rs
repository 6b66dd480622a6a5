//! Looking through what a tracer remembers, forgetting documents, and making one tracer of two.

use std::collections::BTreeMap;

use headwater::origin::{Algorithm, CannotMerge, Eviction, InOrder, Paper, Settings, Tracer};
use headwater::text::mix;

/// The words of a passage that nobody else has.
fn passage(number: u64) -> String {
    (0..60).map(|word| format!("{:x} ", mix(number << 20 | word) >> 44)).collect()
}

fn algorithms() -> [Algorithm; 3] {
    let paper = Paper::default();
    [Algorithm::Headwater, Algorithm::Paper(paper), Algorithm::Paper(Paper { evict: Eviction::Lru, ..paper })]
}

fn settings(algorithm: Algorithm) -> Settings {
    Settings { memory: 1 << 20, algorithm, ..Settings::default() }
}

/// Observes documents, each a list of passages, at the given times.
fn tracer(settings: Settings, documents: &[(i64, &[u64])]) -> Tracer {
    let mut tracer = Tracer::new(settings).unwrap();
    let times: Vec<i64> = documents.iter().map(|document| document.0).collect();
    for (time, passages) in documents {
        let text: String = passages.iter().map(|&number| passage(number)).collect();
        tracer.observe(&tracer.preparer().prepare(&text).unwrap(), *time, &times);
    }
    tracer
}

/// Which document a passage is from; the next number where it is new.
fn origin(tracer: &Tracer, number: u64, times: &Vec<i64>) -> Option<u32> {
    tracer.trace(&tracer.preparer().prepare(&passage(number)).unwrap(), i64::MAX, times).dominant
}

#[test]
fn what_is_forgotten_is_new_again_and_nothing_else_is() {
    for algorithm in algorithms() {
        let documents: Vec<[u64; 2]> = (0..50).map(|number| [2 * number, 2 * number + 1]).collect();
        let times: Vec<i64> = (0..50).collect();
        let documents: Vec<(i64, &[u64])> = times.iter().map(|&time| (time, &documents[time as usize][..])).collect();
        let mut tracer = tracer(settings(algorithm), &documents);
        let mut before = BTreeMap::<u32, u64>::new();
        tracer.remembered(|entry| *before.entry(entry.document).or_default() += 1);
        assert_eq!(before.len(), 50);
        let removed = tracer.forget(|document| document % 5 == 3);
        assert_eq!(
            removed,
            before.iter().filter(|(document, _)| **document % 5 == 3).map(|(_, count)| count).sum::<u64>()
        );
        let mut after = BTreeMap::<u32, u64>::new();
        tracer.remembered(|entry| *after.entry(entry.document).or_default() += 1);
        before.retain(|document, _| document % 5 != 3);
        assert_eq!(after, before);
        for number in 0..100 {
            let expected = if number / 2 % 5 == 3 { 50 } else { number as u32 / 2 };
            assert_eq!(origin(&tracer, number, &times), Some(expected), "{algorithm:?}");
        }
    }
}

#[test]
fn of_two_tracers_that_know_a_passage_the_earlier_origin_stays() {
    for algorithm in algorithms() {
        // Passage 1 is in both, first in the second; passage 2 is in both, first in the first.
        let one: &[(i64, &[u64])] = &[(10, &[0, 2]), (40, &[1])];
        let two: &[(i64, &[u64])] = &[(20, &[1, 3]), (30, &[2, 4])];
        let names = |documents: &[(i64, &[u64])]| documents.iter().map(|document| document.0).collect::<Vec<_>>();
        for (first, second) in [(one, two), (two, one)] {
            let mut merged = tracer(settings(algorithm), first);
            let times = [names(first), names(second)].concat();
            let dropped = merged.merge(&tracer(settings(algorithm), second), &times).unwrap();
            assert_eq!((dropped, merged.documents()), (0, 4));
            for (number, time) in [(0, 10), (1, 20), (2, 10), (3, 20), (4, 30)] {
                let found = origin(&merged, number, &times).unwrap();
                assert_eq!(times.get(found as usize), Some(&time), "{algorithm:?}, passage {number}");
            }
            assert_eq!(origin(&merged, 99, &times), Some(4), "new");
        }
    }
}

#[test]
fn a_merged_table_overflows_as_any_other() {
    for algorithm in algorithms() {
        let settings = Settings { memory: 9 << 10, ..settings(algorithm) };
        let passages: Vec<u64> = (0..200).collect();
        let halves = [&passages[..100], &passages[100..]].map(|half| tracer(settings, &[(5, half)]));
        let [mut one, two] = halves;
        let mut count = [0; 2];
        one.remembered(|_| count[0] += 1);
        two.remembered(|_| count[1] += 1);
        let forgotten = one.state().forgotten + two.state().forgotten;
        let dropped = one.merge(&two, &vec![5, 5]).unwrap();
        assert_eq!(one.state().forgotten, forgotten + dropped, "{algorithm:?}");
        let mut kept = [0; 2];
        one.remembered(|entry| kept[entry.document as usize] += 1);
        assert!(dropped > 0 && kept[1] > 0, "{algorithm:?}: {kept:?}");
        assert_eq!(kept[0] + kept[1] + dropped, count[0] + count[1], "{algorithm:?}");
        assert!(kept[0] + kept[1] <= one.capacity() as u64);
    }
}

#[test]
fn only_like_tracers_merge() {
    let mut one = Tracer::new(settings(Algorithm::Headwater)).unwrap();
    let other = Tracer::new(Settings { k: 5, ..*one.settings() }).unwrap();
    assert_eq!(one.merge(&other, &InOrder), Err(CannotMerge::Settings));
}
