//! The exact index against an independent one, and the tracer with ample memory against the exact index.

use headwater::origin::{
    Algorithm, Estimation, Eviction, ExactIndex, InOrder, Paper, Prepared, Settings, Tracer, Truth,
};
use headwater::select::Selection;

use crate::collections::{documents, exact};

const COLLECTIONS: [&str; 7] = ["articles", "blogs", "clough", "gitlist", "licences", "pkgdocs", "rfc"];
const DOCUMENTS: usize = 400;

/// Scripts written without spaces: the independent index takes a sentence of them for one token.
fn unspaced(character: char) -> bool {
    matches!(u32::from(character),
        0x0e00..=0x0eff | 0x1000..=0x109f | 0x1780..=0x17ff | 0x2e80..=0x9fff | 0xa9e0..=0xa9ff | 0xaa60..=0xaa7f
        | 0xf900..=0xfaff | 0xff66..=0xff9f | 0x1b000..=0x1b16f | 0x20000..=0x3ffff)
}

#[test]
fn the_exact_index_agrees_with_an_independent_one() {
    for name in COLLECTIONS {
        let (Some(documents), Some(expected)) = (documents(name, DOCUMENTS), exact(name, DOCUMENTS)) else { return };
        let preparer = Tracer::new(Settings::default()).unwrap().preparer();
        let mut index = ExactIndex::new();
        let mut truth = Truth::default();
        for ((id, text), expected) in documents.iter().zip(&expected) {
            let prepared = preparer.prepare(text).unwrap();
            let tokens = prepared.tokens().len();
            index.observe(tokens, &prepared.fingerprints(), 8, 0, &InOrder, &mut truth);
            if text.chars().any(unspaced) {
                continue;
            }
            let found = [tokens, prepared.shingles(), truth.copied()].map(|count| count.to_string());
            assert_eq!(*id, expected[0], "{name}");
            assert_eq!(found, expected[1..4], "{name} {id}: tokens, shingles, copied");
            assert_eq!(truth.most.to_string(), expected[5], "{name} {id}: shingles of the most copied origin");
            // Of several others with equally many, the two may name different ones.
            let leader = &documents[truth.dominance.most_copied as usize].0;
            assert!(*leader == expected[4] || truth.dominance.dominant.is_none(), "{name} {id}: {leader}");
        }
    }
}

#[test]
fn all_shingles_in_ample_memory_are_the_truth() {
    let paper =
        Paper { select: Selection::All, evict: Eviction::Lru, estimate: Estimation::NoBridging, ..Paper::default() };
    for name in COLLECTIONS {
        let Some(documents) = documents(name, DOCUMENTS) else { return };
        let settings = Settings { memory: 256 << 20, algorithm: Algorithm::Paper(paper), ..Settings::default() };
        let mut tracer = Tracer::new(settings).unwrap();
        let preparer = tracer.preparer();
        let mut index = ExactIndex::new();
        let mut truth = Truth::default();
        let mut prepared = Prepared::default();
        for (id, text) in &documents {
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
        }
    }
}
