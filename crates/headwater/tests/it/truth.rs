//! The exact index against an independent one, and the tracer with ample memory against the exact index.

use headwater::origin::{
    Algorithm, Estimation, Eviction, ExactIndex, InOrder, Paper, Prepared, Report, Settings, Tracer, Truth,
};
use headwater::select::Selection;

use crate::collections::{documents, exact};

/// Every collection that there is. Each test goes on to the next where one is not at hand.
const COLLECTIONS: [&str; 10] =
    ["articles", "blogs", "clough", "debdocs", "gitlist", "licences", "multiling", "nasty", "pkgdocs", "rfc"];
const DOCUMENTS: usize = 400;

/// Scripts written without spaces: the independent index takes a sentence of them for one token.
fn unspaced(character: char) -> bool {
    matches!(u32::from(character),
        0x0e00..=0x0eff | 0x1000..=0x109f | 0x1780..=0x17ff | 0x2e80..=0x9fff | 0xa9e0..=0xa9ff | 0xaa60..=0xaa7f
        | 0xf900..=0xfaff | 0xff66..=0xff9f | 0x1b000..=0x1b16f | 0x20000..=0x3ffff)
}

/// Documents of `nasty` that spell the text of an earlier one otherwise: with soft hyphens, decomposed, composed again. The
/// independent index ends a word at a soft hyphen or a combining mark; we take all spellings for the same.
const SPELT_OTHERWISE: [&str; 3] = ["soft-hyphen", "nfd", "nfc"];

/// The origin that the segments of a report give each token; none for those that are in no segment.
fn origins(report: &Report) -> Vec<Option<u32>> {
    let mut origins = vec![None; report.tokens()];
    for segment in &report.segments {
        origins[segment.tokens.start as usize..segment.tokens.end as usize].fill(Some(segment.origin));
    }
    origins
}

/// The origin that each token should have where documents come in order: the earliest of those, other than the document, that
/// the shingles of `k` covering it have.
fn earliest_origins(truth: &Truth, k: usize) -> Vec<Option<u32>> {
    let origin_of = |token: usize| {
        let covering = token.saturating_sub(k - 1)..truth.origins.len().min(token + 1);
        let origins = truth.origins.get(covering).unwrap_or_default();
        origins.iter().copied().filter(|&origin| origin != truth.document).min()
    };
    (0..truth.fresh.len()).map(origin_of).collect()
}

#[test]
fn the_exact_index_agrees_with_an_independent_one() {
    for name in COLLECTIONS {
        let (Some(documents), Some(expected)) = (documents(name, DOCUMENTS), exact(name, DOCUMENTS)) else { continue };
        let preparer = Tracer::new(Settings::default()).unwrap().preparer();
        let mut index = ExactIndex::new();
        let mut truth = Truth::default();
        for ((id, text), expected) in documents.iter().zip(&expected) {
            let prepared = preparer.prepare(text).unwrap();
            let tokens = prepared.tokens().len();
            index.observe(tokens, &prepared.fingerprints(), 8, 0, &InOrder, &mut truth);
            // An identifier with a tab in it breaks its row.
            if text.chars().any(unspaced) || expected.len() != 6 {
                continue;
            }
            if name == "nasty" && SPELT_OTHERWISE.contains(&id.as_str()) {
                assert!(id == "nfd" || truth.copied() == prepared.shingles(), "{id} is a copy");
                continue;
            }
            let found = [tokens, prepared.shingles(), truth.copied()].map(|count| count.to_string());
            assert_eq!(*id, expected[0], "{name}");
            assert_eq!(found, expected[1..4], "{name} {id}: tokens, shingles, copied");
            assert_eq!(truth.most.to_string(), expected[5], "{name} {id}: shingles of the most copied origin");
            let leader = &documents[truth.dominance.most_copied as usize].0;
            assert_eq!(*leader, expected[4], "{name} {id}");
        }
    }
}

#[test]
fn all_shingles_in_ample_memory_are_the_truth() {
    let paper =
        Paper { select: Selection::All, evict: Eviction::Lru, estimate: Estimation::NoBridging, ..Paper::default() };
    for name in COLLECTIONS {
        // The languages of multiling follow one another: a sample of all of it has them all.
        let step = if name == "multiling" { 12 } else { 1 };
        let Some(documents) = documents(name, step * DOCUMENTS) else { continue };
        let settings = Settings { memory: 256 << 20, algorithm: Algorithm::Paper(paper), ..Settings::default() };
        let mut tracer = Tracer::new(settings).unwrap();
        let preparer = tracer.preparer();
        let mut index = ExactIndex::new();
        let mut truth = Truth::default();
        let mut prepared = Prepared::default();
        for (id, text) in documents.iter().step_by(step) {
            preparer.prepare_into(text, &mut prepared).unwrap();
            index.observe(prepared.tokens().len(), &prepared.fingerprints(), 8, 0, &InOrder, &mut truth);
            let before = tracer.trace(&prepared, 0, &InOrder);
            let report = tracer.observe(&prepared, 0, &InOrder);
            assert_eq!(before, report, "{name} {id}: reporting only, or remembering too");
            assert_eq!(report.most_copied, truth.dominance.most_copied, "{name} {id}");
            if prepared.shingles() > 0 {
                assert_eq!(report.dominant, truth.dominance.dominant, "{name} {id}");
            }
            let fresh: Vec<bool> = (0..report.tokens()).map(|at| report.is_fresh(at)).collect();
            assert_eq!(fresh, truth.fresh, "{name} {id}");
            let copied: f64 = report.shares[1..].iter().map(|share| share.shingles).sum();
            assert_eq!(copied as usize, truth.copied(), "{name} {id}");
            for share in &report.shares {
                let true_share = truth.origins.iter().filter(|&&origin| origin == share.origin).count();
                assert_eq!(share.shingles, true_share as f64, "{name} {id}: shingles of {}", share.origin);
            }
            assert_eq!(origins(&report), earliest_origins(&truth, 8), "{name} {id}: origins of tokens");
        }
    }
}
