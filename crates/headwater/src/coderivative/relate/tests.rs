//! The graph against the formulae of section 6.2, taken word by word.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use super::*;

/// Chunks by number, with the documents that have them.
type Held = Vec<BTreeSet<u32>>;

fn lists(held: &Held) -> Lists {
    Lists::of(held.iter().filter(|documents| documents.len() > 1))
}

fn brute_force(relate: &Relate, held: &Held, lengths: &[u32]) -> BTreeMap<(u32, u32), (f64, u32)> {
    let mut edges = BTreeMap::new();
    for u in 0..lengths.len() as u32 {
        for v in u + 1..lengths.len() as u32 {
            let both = held.iter().filter(|documents| {
                documents.contains(&u) && documents.contains(&v) && documents.len() as u32 <= relate.most_documents
            });
            let (one, other) = (f64::from(lengths[u as usize]), f64::from(lengths[v as usize]));
            let score: f64 = both
                .clone()
                .map(|documents| match relate.score {
                    Score::S1 => 1.0,
                    Score::S2 => 1.0 / one.min(other),
                    Score::S3 => 1.0 / ((one + other) / 2.0),
                    Score::S4 => (1.0 / documents.len() as f64) / ((one + other) / 2.0),
                    Score::S5 => (1.0 / (documents.len() as f64 - 1.0)) / one.max(other),
                })
                .sum();
            let chunks = both.count() as u32;
            if chunks > 0 && score >= relate.threshold - 1e-9 {
                edges.insert((u, v), (score, chunks));
            }
        }
    }
    edges
}

proptest! {
    #[test]
    fn exactly_the_pairs_that_reach_the_threshold(
        held in proptest::collection::vec(proptest::collection::btree_set(0u32..14, 0..14), 0..40),
        lengths in proptest::collection::vec(8u32..60, 14),
        threshold in prop_oneof![Just(0.0), Just(0.1), 0.0f64..0.6],
        memory in 0usize..20_000,
        most_documents in prop_oneof![Just(u32::MAX), 2u32..14],
    ) {
        for score in Score::ALL {
            let threshold = if score == Score::S1 { (threshold * 20.0).round() } else { threshold };
            let relate = Relate { score, threshold, most_documents, memory };
            let expected = brute_force(&relate, &held, &lengths);
            let found = relate.run(&lists(&held), &lengths);
            let pairs: Vec<(u32, u32)> = found.iter().map(|relation| (relation.edge.a, relation.edge.b)).collect();
            prop_assert_eq!(&pairs, &expected.keys().copied().collect::<Vec<_>>(), "{} {}", score, threshold);
            for relation in found {
                let (score, chunks) = expected[&(relation.edge.a, relation.edge.b)];
                prop_assert!((relation.edge.score - score).abs() < 1e-9);
                prop_assert_eq!(relation.chunks, chunks);
            }
        }
    }

    /// A copy of a document is what the document itself would be if it stood twice in the collection, each chunk counted once.
    #[test]
    fn copies_score_as_the_document_with_itself(
        held in proptest::collection::vec(proptest::collection::btree_set(0u32..6, 1..6), 1..40),
        most_documents in prop_oneof![Just(u32::MAX), 2u32..6],
    ) {
        for score in Score::ALL {
            let relate = Relate { score, threshold: 0.0, most_documents, memory: 0 };
            let own = relate.own(&lists(&held), 6);
            let (tokens, mine) = (50, held.iter().filter(|documents| documents.contains(&0)));
            let counted = mine.clone().filter(|documents| documents.len() as u32 <= most_documents);
            let weight = |documents: &BTreeSet<u32>| match score {
                Score::S4 => 1.0 / documents.len() as f64,
                Score::S5 => 1.0 / (documents.len() as f64 - 1.0).max(1.0),
                _ => 1.0,
            };
            let sum: f64 = counted.clone().map(weight).sum();
            let expected = if score == Score::S1 { sum } else { sum / f64::from(tokens) };
            let found = relate.of_copies(own[0], mine.count() as u32, tokens);
            match found {
                Some((value, chunks)) => {
                    prop_assert!((value - expected).abs() < 1e-9);
                    prop_assert_eq!(chunks, counted.count() as u32);
                }
                None => prop_assert_eq!(counted.count(), 0),
            }
        }
    }
}

#[test]
fn the_widest_chunks_are_not_taken_pair_by_pair() {
    // A thousand documents with a notice of ten chunks in common, and two of them with a passage of their own.
    let mut held: Held = vec![(0..1000).collect(); 10];
    held.extend(vec![BTreeSet::from([3, 7]); 60]);
    let (lists, lengths) = (lists(&held), vec![100; 1000]);
    let relate = Relate { score: Score::S4, threshold: 0.1, most_documents: u32::MAX, memory: 1 << 20 };
    let mut pairs = 0;
    let mut step = |_: u64, _: u64| Ok::<(), Infallible>(());
    let Ok(()) = Limits::new(&relate, &lists, &lengths).each_pair(&mut step, |_, _, _| pairs += 1);
    assert_eq!(pairs, 1);
    let relations = relate.run(&lists, &lengths);
    assert_eq!((relations.len(), relations[0].chunks), (1, 70));
    assert!((relations[0].edge.score - (60.0 / 2.0 + 10.0 / 1000.0) / 100.0).abs() < 1e-9);
}

/// As many chunks as a document can have, in common to two of them: their sums must not run over.
#[test]
fn the_longest_documents_there_can_be() {
    let (length, most) = (u32::MAX, u32::MAX - 7);
    let mut lists = lists(&vec![BTreeSet::from([0, 1]), BTreeSet::from([0, 1, 2])]);
    lists.set_chunks(0, most - 3);
    lists.set_chunks(1, 3);
    for (score, expected) in Score::ALL.into_iter().zip([f64::from(most), 1.0, 1.0, 0.5, 1.0]) {
        let relate = Relate { score, threshold: expected * 0.99, ..Relate::default() };
        let relations = relate.run(&lists, &[length; 3]);
        assert_eq!(relations.len(), 1, "{score}");
        assert_eq!((relations[0].edge.a, relations[0].edge.b, relations[0].chunks), (0, 1, most));
        assert!((relations[0].edge.score / expected - 1.0).abs() < 1e-8, "{score} {relations:?}");
        let (value, chunks) = relate.of_copies(relate.own(&lists, 3)[0], most, length).unwrap();
        assert!(chunks == most && (value / expected - 1.0).abs() < 1e-8, "{score} {value}");
    }
}
