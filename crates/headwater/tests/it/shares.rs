//! How many shingles each selection keeps of real text, against the paper's Table 3.

use headwater::select::Selection;
use headwater::text::{Reading, Tokens, fingerprints};

use crate::collections::documents;

/// Repeated words make real text differ a little from collection to collection.
const SLACK: f64 = 2.0;

#[test]
fn shares_are_those_of_table_3() {
    let Some(documents) = documents("blogs", 600) else { return };
    let check = |name: &str, percent: f64| {
        let selection: Selection = name.parse().unwrap();
        let (mut tokens, mut shingles, mut selected) = (Tokens::new(), Vec::new(), Vec::new());
        let (mut some, mut all) = (0, 0);
        for (_, text) in &documents {
            tokens.read(text, Reading::Words).unwrap();
            fingerprints(tokens.hashes(), 8, &mut shingles);
            selection.select(tokens.hashes(), &shingles, 8, &mut selected);
            some += selected.len();
            all += shingles.len();
        }
        let share = 100.0 * some as f64 / all as f64;
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
    check("M8", 12.0);
    check("NM8", 10.0);
    check("NW5", 16.0);
    check("NW6", 17.0);
    check("W8", 23.5);
    check("NW8", 17.0);
    check("W9", 21.0);
    check("NW9", 16.0);
    check("NHs", 17.0);
}
