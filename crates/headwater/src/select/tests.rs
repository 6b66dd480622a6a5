//! What the paper proves about each selection, as properties; and each algorithm against a brute-force reading of its
//! definition.

use proptest::collection::vec;
use proptest::prelude::*;

use super::*;
use crate::text::{fingerprints, mix};

const NAMES: [&str; 16] =
    ["All", "4th", "8th", "M4", "NM3", "NM8", "W5", "W8", "NW8", "Hb3", "JHb3", "Dct8", "JDct8", "Hs", "NHs", "1th"];

fn named(name: &str) -> Selection {
    name.parse().expect("a name of the paper")
}

fn run(name: &str, tokens: &[u64], k: usize) -> Vec<Selected> {
    let mut shingles = Vec::new();
    fingerprints(tokens, k, &mut shingles);
    let mut selected = Vec::new();
    named(name).select(tokens, &shingles, k, &mut selected);
    selected
}

fn positions(selected: &[Selected]) -> Vec<usize> {
    selected.iter().map(|s| s.position as usize).collect()
}

/// Documents over vocabularies from one word (all the same) to many.
fn documents() -> impl Strategy<Value = Vec<u64>> {
    (1u64..60).prop_flat_map(|words| vec((0..words).prop_map(mix), 0..200))
}

fn covered(selected: &[Selected], tokens: usize) -> Vec<bool> {
    let mut covered = vec![false; tokens];
    for s in selected {
        covered[s.position as usize..s.end() as usize].fill(true);
    }
    covered
}

#[test]
fn names_are_read_and_written_alike() {
    for name in NAMES {
        assert_eq!(named(name).to_string(), name);
    }
    for wrong in [
        "",
        "N",
        "M",
        "M0",
        "W-1",
        "NHb3",
        "JM3",
        "JNHb3",
        "NAll",
        "hs",
        "4",
        "th",
        "M03",
        "W+8",
        "M99999999999",
        "Hs8",
        "é4th",
    ] {
        let error = wrong.parse::<Selection>().expect_err(wrong).to_string();
        assert!(error.contains(&format!("`{wrong}`")) && error.contains("NHs"), "{error}");
    }
}

#[test]
fn documents_shorter_than_a_shingle_select_nothing() {
    for name in NAMES.into_iter().filter(|name| !name.contains("Hb") && !name.contains("Dct")) {
        for length in 0..8 {
            assert!(run(name, &vec![mix(3); length], 8).is_empty(), "{name} of {length}");
        }
        assert!(!run(name, &vec![mix(3); 300], 8).is_empty() || name.contains('M'), "{name}");
    }
}

#[test]
fn long_documents_cross_the_blocks_of_hailstorm() {
    let tokens: Vec<u64> = (0..5000).map(|n| mix(n % 700)).collect();
    for k in [1, 2, 3, 5, 8, 13, 300] {
        assert_eq!(positions(&run("Hs", &tokens, k)), hailstorm_by_definition(&tokens, k), "k = {k}");
    }
}

fn hailstorm_by_definition(tokens: &[u64], k: usize) -> Vec<usize> {
    let small = |at: usize| tokens[at] >> 32;
    let shingles = (tokens.len() + 1).saturating_sub(k);
    (0..shingles)
        .filter(|&at| {
            let smallest = (at..at + k).map(small).min().expect("k is not zero");
            small(at) == smallest || small(at + k - 1) == smallest
        })
        .collect()
}

proptest! {
    #[test]
    fn each_agrees_with_its_definition(tokens in documents(), k in 1usize..12, parameter in 1usize..12) {
        let mut shingles = Vec::new();
        fingerprints(&tokens, k, &mut shingles);

        let every = run(&format!("{parameter}th"), &tokens, k);
        let expected: Vec<usize> = (0..shingles.len()).filter(|at| at % parameter == 0).collect();
        prop_assert_eq!(positions(&every), expected);

        let modulo = run(&format!("M{parameter}"), &tokens, k);
        let expected: Vec<usize> = (0..shingles.len()).filter(|&at| shingles[at] % parameter as u64 == 0).collect();
        prop_assert_eq!(positions(&modulo), expected);

        let winnowing = run(&format!("W{parameter}"), &tokens, k);
        let mut expected: Vec<usize> = (0..(shingles.len() + 1).saturating_sub(parameter))
            .filter_map(|start| (start..start + parameter).rev().min_by_key(|&at| shingles[at]))
            .collect();
        if shingles.len() < parameter {
            expected.extend((0..shingles.len()).rev().min_by_key(|&at| shingles[at]));
        }
        expected.dedup();
        prop_assert_eq!(positions(&winnowing), expected);

        prop_assert_eq!(positions(&run("Hs", &tokens, k)), hailstorm_by_definition(&tokens, k));
        for s in every.iter().chain(&modulo).chain(&winnowing) {
            prop_assert_eq!((s.tokens as usize, s.fingerprint), (k, shingles[s.position as usize]));
        }
    }

    #[test]
    fn hash_breaking_cuts_after_divisible_tokens(tokens in documents(), p in 1u64..9, joined in any::<bool>()) {
        let mut expected = Vec::new();
        let mut open = 0;
        for (at, token) in tokens.iter().enumerate() {
            if token % p == 0 || at + 1 == tokens.len() {
                let is_long = at + 1 - open >= p as usize;
                if is_long {
                    expected.push((open, at + 1 - open));
                }
                if is_long || !joined {
                    open = at + 1;
                }
            }
        }
        for name in if joined { ["JHb", "JDct"] } else { ["Hb", "Dct"] } {
            let selected = run(&format!("{name}{p}"), &tokens, 8);
            let cuts: Vec<_> = selected.iter().map(|s| (s.position as usize, s.tokens as usize)).collect();
            prop_assert_eq!(&cuts, &expected);
            for (a, b) in selected.iter().flat_map(|a| selected.iter().map(move |b| (a, b))) {
                let text = |s: &Selected| &tokens[s.position as usize..s.end() as usize];
                prop_assert!(text(a) != text(b) || a.fingerprint == b.fingerprint);
            }
        }
    }

    /// Whether a shingle is kept by Modulo or Hailstorm depends on its own tokens only.
    #[test]
    fn modulo_and_hailstorm_are_context_free(before in documents(), shingle in vec((0u64..9).prop_map(mix), 8), after in documents()) {
        for name in ["M3", "Hs"] {
            let alone = !run(name, &shingle, 8).is_empty();
            let tokens = [before.clone(), shingle.clone(), after.clone()].concat();
            let inside = positions(&run(name, &tokens, 8)).contains(&before.len());
            prop_assert_eq!(alone, inside, "{}", name);
        }
    }

    /// Lemma 1: Hailstorm covers every token but the first and last k − 1; so does Every l-th for l ≤ k.
    #[test]
    fn hailstorm_has_total_coverage(tokens in documents(), k in 1usize..12) {
        let inner = k - 1..tokens.len().saturating_sub(k - 1).max(k - 1);
        for name in ["Hs".to_owned(), "NHs".to_owned(), format!("{k}th")] {
            let covered = covered(&run(&name, &tokens, k), tokens.len());
            prop_assert!(inner.clone().all(|at| covered[at]), "{}", name);
        }
    }

    #[test]
    fn winnowing_leaves_no_window_without_a_pick(tokens in documents(), w in 1usize..12) {
        let picks = positions(&run(&format!("W{w}"), &tokens, 8));
        let shingles = (tokens.len() + 1).saturating_sub(8);
        for start in 0..(shingles + 1).saturating_sub(w) {
            prop_assert!(picks.iter().any(|pick| (start..start + w).contains(pick)), "window at {}", start);
        }
    }

    /// Discarding completely overlapped shingles loses no covered token, and leaves none that a pass could still drop
    /// because of what is before it.
    #[test]
    fn lean_versions_cover_the_same_tokens(tokens in documents(), parameter in 1usize..9) {
        for name in [format!("M{parameter}"), format!("W{parameter}"), "Hs".to_owned()] {
            let full = run(&name, &tokens, 8);
            let lean = run(&format!("N{name}"), &tokens, 8);
            prop_assert_eq!(covered(&lean, tokens.len()), covered(&full, tokens.len()));
            prop_assert_eq!(&lean, &lean_by_definition(&full, tokens.len()), "{}", name);
        }
    }
}

/// One pass from left to right; a shingle goes if each of its tokens is covered at least twice by what is left.
fn lean_by_definition(full: &[Selected], tokens: usize) -> Vec<Selected> {
    let mut cover = vec![0; tokens];
    for s in full {
        cover[s.position as usize..s.end() as usize].iter_mut().for_each(|count| *count += 1);
    }
    let mut kept = full.to_vec();
    kept.retain(|s| {
        let own = s.position as usize..s.end() as usize;
        let redundant = cover[own.clone()].iter().all(|&count| count >= 2);
        if redundant {
            cover[own].iter_mut().for_each(|count| *count -= 1);
        }
        !redundant
    });
    kept
}
