//! What each token of a copy rests on, in a table that has forgotten most of its original.

use super::super::report::Evidence;
use super::super::skirt::SKIRT;
use super::super::{Algorithm, InOrder, Settings, Tracer};
use crate::text::mix;

const K: usize = 8;

/// A text of words that no other seed has.
fn text(seed: u64, words: u64) -> String {
    (0..words).map(|word| format!("w{:x} ", mix(mix(seed) ^ word))).collect()
}

#[test]
fn what_no_skirt_reaches_is_bridged_and_what_one_reaches_is_aligned() {
    let settings = Settings { memory: 4096, k: K, algorithm: Algorithm::Headwater, ..Settings::default() };
    let mut tracer = Tracer::new(settings).unwrap();
    let preparer = tracer.preparer();
    let original = preparer.prepare(&text(1, 3000)).unwrap();
    tracer.observe(&original, 0, &InOrder);
    // Its lower levels go.
    (2..12).for_each(|seed| drop(tracer.observe(&preparer.prepare(&text(seed, 300)).unwrap(), 0, &InOrder)));

    let report = tracer.trace(&original, 0, &InOrder);
    let all = [Evidence::Found, Evidence::Aligned, Evidence::Bridged];
    let [found, aligned, bridged] =
        all.map(|kind| (0..3000).filter(|&at| report.evidence[at] == kind).collect::<Vec<_>>());
    let distance = |at: usize| found.iter().map(|&found: &usize| found.abs_diff(at)).min().unwrap();
    assert!(!bridged.is_empty() && !aligned.is_empty() && found.len() >= K, "the table has forgotten some and not all");
    assert!(aligned.iter().all(|&at| distance(at) <= SKIRT as usize));
    assert!(bridged.iter().all(|&at| distance(at) > SKIRT as usize));
    let counts = report.segments.iter().map(|segment| segment.evidence.bridged as usize);
    assert_eq!(counts.sum::<usize>(), bridged.len());
}

/// Hits may lie so near the end of a text that what their skirts would reach is beyond it, while a wide gap lies before them.
#[test]
fn a_gap_before_hits_at_the_very_end_is_bridged() {
    for memory in [1 << 10, 1 << 11, 1 << 12, 1 << 13] {
        let settings = Settings { memory, k: K, algorithm: Algorithm::Headwater, ..Settings::default() };
        let mut tracer = Tracer::new(settings).unwrap();
        let preparer = tracer.preparer();
        let original = text(1, 1000);
        tracer.observe(&preparer.prepare(&original).unwrap(), 0, &InOrder);
        // Cut off after every word, so that the text ends at every distance from a hit.
        for (end, _) in original.match_indices(' ').skip(200) {
            let report = tracer.trace(&preparer.prepare(&original[..end]).unwrap(), 0, &InOrder);
            let counts: u32 = report.segments.iter().map(|segment| segment.evidence.bridged).sum();
            let bridged = report.evidence.iter().filter(|&&evidence| evidence == Evidence::Bridged).count();
            assert_eq!(counts as usize, bridged);
        }
    }
}
