//! How many shingles each selection keeps of real text, against the paper's Table 3.

use headwater::select::Selection;
use headwater::text::{Reading, Tokens, fingerprints, mix};

use crate::collections::documents;

/// Repeated words make real text differ a little from collection to collection.
const SLACK: f64 = 1.9;

/// Where short segments are left out the figure is ours and exact but for chance and for texts that repeat themselves.
const OWN_SLACK: f64 = 0.8;

/// Where frequent words decide, as in hash-breaking, one hash function has up to two points more or less than another.
const HASH_FUNCTIONS: u64 = 4;

/// Which percentage of the shingles of some texts a selection keeps, in the mean over hash functions.
fn share(documents: &[(String, String)], name: &str) -> f64 {
    let selection: Selection = name.parse().unwrap();
    let (mut tokens, mut shingles, mut selected) = (Tokens::new(), Vec::new(), Vec::new());
    let (mut some, mut all) = (0, 0);
    for (_, text) in documents {
        tokens.read(text, Reading::Words).unwrap();
        for variant in 1..=HASH_FUNCTIONS {
            let hashes: Vec<u64> = tokens.hashes().iter().map(|hash| mix(hash ^ variant)).collect();
            fingerprints(&hashes, 8, &mut shingles);
            selection.select(&hashes, &shingles, 8, &mut selected);
            some += selected.len();
            all += shingles.len();
        }
    }
    100.0 * some as f64 / all as f64
}

#[test]
fn shares_are_those_of_table_3() {
    let Some(documents) = documents("blogs", 600) else { return };
    let check = |name: &str, percent: f64| {
        let share = share(&documents, name);
        assert!((share - percent).abs() < SLACK, "{name} keeps {share:.1} %, in the paper {percent} %");
    };
    check("All", 100.0);
    check("4th", 25.0);
    check("6th", 17.0);
    check("8th", 13.0);
    check("NM2", 15.0);
    check("NM3", 15.0);
    check("M4", 25.0);
    check("NM4", 14.0);
    check("M5", 20.0);
    check("NM5", 14.0);
    check("M6", 16.0);
    check("NM6", 12.5);
    check("M7", 14.0);
    check("NM7", 11.0);
    check("M8", 12.0);
    check("NM8", 10.0);
    check("NW5", 16.0);
    check("NW6", 17.0);
    check("NW7", 16.5);
    check("W8", 23.5);
    check("NW8", 17.0);
    check("W9", 21.0);
    check("NW9", 16.0);
    check("NHs", 17.0);
    for kind in ["JHb", "JDct"] {
        check(&format!("{kind}3"), 20.0);
        check(&format!("{kind}4"), 15.0);
        check(&format!("{kind}5"), 12.0);
        check(&format!("{kind}6"), 10.0);
        check(&format!("{kind}8"), 8.0);
    }
}

/// By the paper's text, which the plain names follow, a segment ends at one token in p, and stays if none of the p - 1 tokens before
/// that ends one too. That gives fewer than its Table 3 has (`docs/evaluation.md`).
#[test]
fn shares_of_hash_breaking_and_dct_are_those_of_the_papers_text() {
    let Some(documents) = documents("blogs", 600) else { return };
    for p in [3, 4, 5, 6, 8] {
        let breaks = 1.0 / f64::from(p);
        let percent = 100.0 * breaks * (1.0 - breaks).powi(p - 1);
        let share_of = |kind: &str| share(&documents, &format!("{kind}{p}"));
        let found = share_of("Hb");
        assert!((found - percent).abs() < OWN_SLACK, "Hb{p} keeps {found:.2} %, by its rule {percent:.2} %");
        assert_eq!(share_of("Dct"), found, "Dct{p} has the segments of Hb{p}");
    }
}
