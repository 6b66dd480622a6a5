//! Near-duplicates as users of the library find them: bad input, and agreement of the methods with brute force on real text.

use std::collections::BTreeSet;

use headwater::neardup::{Alone, Found, Hashing, Measure, Method, Scratch, Search, Settings, Want, pair_rates};

use crate::collections::documents;

fn searched(settings: Settings, texts: &[impl AsRef<str>]) -> Search {
    let mut search = Search::new(settings).unwrap();
    let (signer, mut scratch) = (search.signer(), Scratch::default());
    for text in texts {
        search.push(&signer.sign(text.as_ref(), &mut scratch).unwrap());
    }
    search
}

fn found(settings: Settings, texts: &[impl AsRef<str>], want: Want) -> Found {
    searched(settings, texts).find(want, &Alone)
}

fn every_method(threshold: f64) -> impl Iterator<Item = Settings> {
    Method::ALL.into_iter().map(move |method| Settings { threshold, ..Settings::new(method) })
}

#[test]
fn nothing_at_all_and_texts_without_words() {
    for settings in every_method(0.5) {
        assert!(found(settings.clone(), &[] as &[&str], Want::Pairs).matches.clusters().is_empty());
        let empty = found(settings.clone(), &["", "…", "", "!!"], Want::Pairs);
        assert_eq!(empty.matches.pairs().count(), 0, "{}: nothing is like nothing", settings.method);
    }
}

#[test]
fn a_document_without_an_antecedent_is_like_no_other() {
    let texts = ["river weir slate gauge", "river weir slate gauge", "the river is high"];
    let search = searched(Settings::new(Method::SpotSigs), &texts);
    assert_eq!(search.collection().roster().empty(), 2);
    assert!(search.find(Want::Clusters, &Alone).matches.clusters().is_empty());
}

/// A quadratic search would compare two thousand million pairs.
#[test]
fn identical_documents_by_the_ten_thousand() {
    let text = "the gauge that was found under the weir is older than any gauge the town has had since the flood";
    let texts = vec![text; 60_000];
    for method in [Method::SpotSigs, Method::Shingles, Method::MinHash, Method::LshS] {
        let settings = Settings::new(method);
        let clusters = found(settings, &texts, Want::Clusters).matches.clusters();
        assert_eq!((clusters.len(), clusters[0].members.len()), (1, texts.len()), "{method}");
    }
}

#[test]
fn near_copies_by_the_thousand_are_one_cluster() {
    let base: String = (0..120).map(|n| format!("the word{n} is here ")).collect();
    let texts: Vec<String> = (0..1000).map(|n| format!("{base} and the number is variant{n}")).collect();
    for method in [Method::SpotSigs, Method::Shingles, Method::MinHash, Method::LshS] {
        let clusters = found(Settings::new(method), &texts, Want::Clusters).matches.clusters();
        assert_eq!((clusters.len(), clusters[0].members.len()), (1, texts.len()), "{method}");
    }
}

#[test]
fn one_giant_document_among_small_ones() {
    let giant: String = (0..300_000).map(|n| format!("the word{n} ")).collect();
    let small = "the gauge that was found under the weir is older than any gauge the town has had";
    let texts = [small, &giant, small, "the baths are closed"];
    for settings in every_method(0.5).filter(|settings| !settings.method.is_imatch()) {
        let method = settings.method;
        let clusters = found(settings, &texts, Want::Clusters).matches.clusters();
        assert_eq!(clusters.iter().map(|cluster| cluster.members.as_slice()).collect::<Vec<_>>(), [[0, 2]], "{method}");
    }
}

#[test]
fn thresholds_at_and_outside_the_ends() {
    let texts =
        ["the river is high today", "the river is low today", "the river is high today", "a slate was found here"];
    let pairs = |threshold: f64| {
        let settings = Settings { threshold, k: 2, ..Settings::new(Method::Shingles) };
        found(settings, &texts, Want::Pairs).matches.pairs().map(|edge| (edge.a, edge.b)).collect::<Vec<_>>()
    };
    assert_eq!(pairs(1.0), [(0, 2)]);
    assert_eq!(pairs(0.0), [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]);
    for threshold in [-0.5, 1.5, f64::NAN] {
        assert!(Search::new(Settings { threshold, ..Settings::new(Method::Shingles) }).is_err(), "{threshold}");
    }
}

/// All pairs of documents, compared one by one.
fn brute_force(texts: &[String], settings: &Settings) -> BTreeSet<(u32, u32)> {
    let search = searched(settings.clone(), texts);
    let sets: Vec<BTreeSet<u64>> =
        (0..texts.len() as u32).map(|n| search.collection().features_of(n).iter().copied().collect()).collect();
    let mut pairs = BTreeSet::new();
    for b in 0..sets.len() {
        for a in 0..b {
            let (one, other) = (sets[a].len() as u32, sets[b].len() as u32);
            let shared = sets[a].intersection(&sets[b]).count() as u32;
            if shared > 0 && settings.measure.of(shared, one, other) >= settings.threshold {
                pairs.insert((a as u32, b as u32));
            }
        }
    }
    pairs
}

#[test]
fn the_join_misses_nothing_on_real_text() {
    for name in ["licences", "clough", "articles"] {
        let Some(documents) = documents(name, 200) else { return };
        let texts: Vec<String> = documents.into_iter().map(|(_, text)| text).collect();
        for method in [Method::SpotSigs, Method::Shingles] {
            for (measure, threshold) in
                [(Measure::Jaccard, 0.3), (Measure::Jaccard, 0.8), (Measure::Cosine, 0.6), (Measure::Containment, 0.7)]
            {
                let settings = Settings { measure, threshold, ..Settings::new(method) };
                let expected = brute_force(&texts, &settings);
                let found = found(settings, &texts, Want::Pairs);
                let pairs: BTreeSet<(u32, u32)> = found.matches.pairs().map(|edge| (edge.a, edge.b)).collect();
                assert_eq!(pairs, expected, "{name} {method} {measure} {threshold}");
            }
        }
    }
}

#[test]
fn verified_candidates_are_true_and_nearly_all() {
    let Some(documents) = documents("licences", 600) else { return };
    let texts: Vec<String> = documents.into_iter().map(|(_, text)| text).collect();
    let pairs = |settings: Settings| {
        let found = found(settings, &texts, Want::Pairs);
        let pairs: Vec<(u32, u32)> = found.matches.pairs().map(|edge| (edge.a, edge.b)).collect();
        (pairs, found.recall)
    };
    for (exact, hashed) in [(Method::Shingles, Method::MinHash), (Method::SpotSigs, Method::LshS)] {
        let settings = |method| Settings { threshold: 0.6, ..Settings::new(method) };
        let (truth, _) = pairs(settings(exact));
        for hashing in Hashing::ALL {
            let (found, recall) = pairs(Settings { hashing, ..settings(hashed) });
            let rates = pair_rates(found, truth.iter().copied());
            assert_eq!(rates.precision, 1.0, "{hashed} {hashing}");
            assert!(rates.recall > 0.97, "{hashed} {hashing}: {}", rates.recall);
            let recall = recall.expect("something was found");
            assert!((recall - rates.recall).abs() < 0.05, "{hashed} {hashing}: {recall} for {}", rates.recall);
        }
    }
}
