//! What each token of a copy rests on, in a table that has forgotten most of its original.

use proptest::collection::vec;
use proptest::prelude::*;

use super::super::estimate::aligned::{self, Hit, Passage};
use super::super::report::{Evidence, NO_ORIGIN, Report};
use super::super::skirt::SKIRT;
use super::super::{Algorithm, InOrder, Settings, Tracer};
use super::{Headwater, Workspace};
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
    let mut all_bridged = 0;
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
            all_bridged += bridged;
        }
    }
    assert!(all_bridged > 0, "some gaps are wide");
}

proptest! {
    /// Strokes over whole stretches of tokens, against each token asked by itself.
    #[test]
    fn painted_as_each_token_by_itself(
        found in vec((0u32..3, 0u8..2, 0u32..400, 0u32..=SKIRT, 0u32..=SKIRT), 1..40),
    ) {
        // Some hits end where the text ends.
        const TOKENS: u32 = 400 + K as u32 - 1;
        let k = K as u32;
        let mut work = Workspace::default();
        for (document, diagonal, position, left, right) in found {
            let (left, right) = (left.min(position), right.min(TOKENS - position - k));
            work.hits.push(Hit { document, diagonal, position, left, right, ..Hit::default() });
        }
        work.hits.sort_unstable_by_key(|hit| (hit.document, hit.diagonal, hit.position));
        aligned::passages(&work.hits, k, &mut work.passages);
        work.by_age.extend(0..work.passages.len() as u32);
        let mut report = Report::default();
        report.restart(3, TOKENS as usize);
        Headwater::new(64, K).paint_tokens(TOKENS as usize, &mut work, &mut report);

        for token in 0..TOKENS {
            let over: Vec<&Passage> =
                work.passages.iter().filter(|passage| (passage.start..passage.end).contains(&token)).collect();
            let origin = over.iter().map(|passage| passage.document).min();
            // How far the token is from the nearest hit of its origin's passages that have it.
            let nearest = over.iter().filter(|passage| Some(passage.document) == origin)
                .flat_map(|passage| passage.hits(&work.hits))
                .map(|hit| hit.position.saturating_sub(token).max((token + 1).saturating_sub(hit.position + k)))
                .min();
            let evidence = match nearest {
                None => Evidence::New,
                Some(0) => Evidence::Found,
                Some(distance) if distance <= SKIRT => Evidence::Aligned,
                Some(_) => Evidence::Bridged,
            };
            prop_assert_eq!(report.evidence[token as usize], evidence, "token {}", token);
            prop_assert_eq!(work.origins[token as usize], origin.unwrap_or(NO_ORIGIN), "token {}", token);
        }
    }
}
