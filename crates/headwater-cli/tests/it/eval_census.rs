//! The evaluation of a census: every method where the truth is known, and what each bias of the slides does.

use std::path::Path;

use serde_json::{Value, json};

use crate::program::headwater;

/// A collection of documents of very different length, from 20 words to 300, all of the same thousand words.
fn write(path: &Path, documents: u64) -> String {
    let line = |n: u64| {
        let mut state = n + 1;
        let mut next = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        let length = 20 + next(8).pow(2) * 6;
        let words: Vec<String> = (0..length).map(|_| format!("w{}", next(1000))).collect();
        json!({"id": n.to_string(), "url": format!("https://h{}.example/{n}", n % 40), "text": words.join(" ")})
            .to_string()
    };
    std::fs::write(path, (0..documents).map(line).collect::<Vec<_>>().join("\n")).unwrap();
    path.to_str().unwrap().to_owned()
}

fn evaluated(args: &[&str]) -> Value {
    let out = headwater(&[&["eval", "census", "--quiet", "--format", "json"][..], args].concat()).succeeded();
    serde_json::from_str(&out).unwrap()
}

/// What a simulation says, as a share of the truth.
struct Seen<'a> {
    found: &'a Value,
    bias: &'a str,
}

impl Seen<'_> {
    fn of(&self, what: &str, truth: &str) -> f64 {
        let rows = self.found["biases"].as_array().unwrap();
        let row = rows.iter().find(|row| row["name"] == self.bias).unwrap();
        let number = |name: &str| row[name].as_f64().unwrap_or_else(|| panic!("no {name} in {row}"));
        number(what) / number(truth)
    }

    /// Size by uniform draws, by random queries and corrected; then the share by random queries and corrected.
    fn all(&self) -> [f64; 5] {
        let sizes = ["uniform", "queries", "corrected"].map(|what| self.of(what, "truth"));
        let shares = ["queries_shared", "corrected_shared"].map(|what| self.of(what, "shared"));
        [sizes[0], sizes[1], sizes[2], shares[0], shares[1]]
    }
}

/// The truth is a second engine of twice the size that has half of the first. Each row: between which shares of the truth lie the
/// size by uniform draws, by random queries, corrected, and the share of the first by random queries and corrected.
#[test]
fn each_bias_does_what_the_slides_say() {
    let folder = tempfile::tempdir().unwrap();
    let all = write(&folder.path().join("all.jsonl"), 700);
    let found = evaluated(&["--samples", "300", "--rounds", "3", "--sizes", "2", "--overlaps", "50", &all]);
    let mut wrong = String::new();
    let mut check = |bias: &str, expected: [std::ops::Range<f64>; 5]| {
        let seen = Seen { found: &found, bias }.all();
        if !seen.iter().zip(&expected).all(|(seen, expected)| expected.contains(seen)) {
            wrong += &format!("{bias}: {seen:.2?} and not {expected:?}\n");
        }
    };
    let right = || 0.8..1.25;
    check("none", [right(), right(), right(), right(), right()]);
    // Queries prefer what is long, and what is long is in both: the second engine seems to be a third of what it is.
    check("query", [right(), 0.1..0.6, right(), right(), right()]);
    // The first result for two words is seldom the document: nearly everything seems to be missing.
    check("checking", [right(), 0.0..0.9, right(), 0.0..0.3, 0.0..0.3]);
    // What is long is not found by words of its end, and long is what random queries draw.
    check("document restriction", [right(), 0.0..0.4, 0.6..1.1, 0.0..0.4, 0.2..0.8]);
    // One word finds more documents than are looked at.
    check("query restriction", [right(), 0.0..0.7, 0.0..1.3, 0.0..0.7, 0.0..0.7]);
    // A fifth of the second engine's answers is missing, and so is a fifth of what it shares: unless that is told.
    check("operational", [right(), 0.5..0.95, right(), 0.6..0.95, 0.6..0.95]);
    check("operational, told", [right(), right(), right(), right(), right()]);
    // The results that come first are of those that both have; where all results are in sight, as a correction needs it, order is nothing.
    check("few results", [right(), 0.95..1.25, right(), right(), right()]);
    check("ranking", [right(), 0.4..0.9, right(), right(), right()]);
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn every_method_is_measured_and_shown() {
    let folder = tempfile::tempdir().unwrap();
    let all = write(&folder.path().join("all.jsonl"), 300);
    let args = ["--samples", "50", "--rounds", "1", "--sizes", "1,3", "--overlaps", "0,50", &all];
    let found = evaluated(&args);
    assert_eq!(found["cells"].as_array().unwrap().len(), 48);
    assert_eq!(found["allowed"].as_array().unwrap().len(), 4);
    assert_eq!(
        (found["overall"][0]["method"].as_str(), found["overall"][0]["splits"].as_u64()),
        (Some("uniform"), Some(4))
    );
    assert_eq!(found["biases"].as_array().unwrap().len(), 9);
    let page = folder.path().join("census.html");
    headwater(&[&["eval", "census", "-o", page.to_str().unwrap()][..], &args].concat()).succeeded();
    assert!(std::fs::read_to_string(page).unwrap().contains("How good a census is"));
    let few = write(&folder.path().join("few.jsonl"), 5);
    let outcome = headwater(&["eval", "census", &few]);
    assert!(outcome.code == 1 && outcome.err.contains("at least 100"), "{}", outcome.err);
}
