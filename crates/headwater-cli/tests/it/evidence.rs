//! `trace --evidence`: what an attribution rests on is in the answers, in every form that they have.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::program::headwater;

const KINDS: [&str; 4] = ["found", "aligned", "bridged", "expanded"];

/// So little memory that the table forgets, and estimation has something to do.
const OURS: [&str; 4] = ["trace", "--demo", "--memory", "2KiB"];
const PAPERS: [&str; 6] = ["trace", "--demo", "--memory", "4KiB", "--estimate", "BE"];

fn rows(args: &[&str]) -> Vec<Value> {
    headwater(&[args, &["--evidence"]].concat()).rows()
}

fn segments(rows: &[Value]) -> impl Iterator<Item = &Value> {
    rows.iter().flat_map(|row| row["segments"].as_array().unwrap())
}

/// Tokens of each kind in all segments, in each of which they must add up.
fn tokens_by_kind(rows: &[Value]) -> BTreeMap<&'static str, u64> {
    let mut all = BTreeMap::new();
    for segment in segments(rows) {
        let counts = KINDS.map(|kind| (kind, segment["evidence"][kind].as_u64().unwrap()));
        assert_eq!(counts.iter().map(|(_, tokens)| tokens).sum::<u64>(), segment["tokens"].as_u64().unwrap());
        counts.into_iter().for_each(|(kind, tokens)| *all.entry(kind).or_default() += tokens);
    }
    all
}

/// A segment's evidence as people read it.
fn said(segment: &Value) -> String {
    let counts = KINDS.map(|kind| (segment["evidence"][kind].as_u64().unwrap(), kind));
    let parts = counts.iter().filter(|(tokens, _)| *tokens > 0).map(|(tokens, kind)| format!("{tokens} {kind}"));
    parts.collect::<Vec<_>>().join(", ")
}

#[test]
fn our_own_algorithm_finds_aligns_and_expands() {
    let rows = rows(&OURS);
    let tokens = tokens_by_kind(&rows);
    // Most is found, text around it agrees, and only the rest is inferred.
    assert!(tokens["found"] > tokens["aligned"] && tokens["aligned"] > 100, "{tokens:?}");
    assert!(tokens["expanded"] > 100 && tokens["expanded"] < tokens["found"], "{tokens:?}");
}

#[test]
fn the_papers_estimation_bridges_and_expands_and_aligns_nothing() {
    let rows = rows(&PAPERS);
    let tokens = tokens_by_kind(&rows);
    assert!(tokens["found"] > 1000 && tokens["bridged"] > 50 && tokens["expanded"] > 50, "{tokens:?}");
    assert_eq!(tokens["aligned"], 0, "its table keeps nothing of the text around a shingle");
    let none = headwater(&[&PAPERS[..4], &["--estimate", "NB", "--evidence"]].concat()).rows();
    let tokens = tokens_by_kind(&none);
    assert_eq!((tokens["bridged"], tokens["expanded"]), (0, 0), "NB infers nothing");
}

#[test]
fn nobody_gets_evidence_unasked() {
    let rows = headwater(&OURS).rows();
    assert!(segments(&rows).count() > 20 && segments(&rows).all(|segment| segment.get("evidence").is_none()));
    let page = headwater(&[&OURS[..], &["--format", "html"]].concat()).succeeded();
    assert!(!page.contains(" found\"]"));
}

#[test]
fn the_legend_of_the_painted_text_says_it() {
    for args in [&OURS[..], &PAPERS] {
        let text = headwater(&[args, &["--evidence", "--format", "text"]].concat()).succeeded();
        for row in rows(args) {
            let mut legend: BTreeMap<&str, Vec<String>> = BTreeMap::new();
            for segment in row["segments"].as_array().unwrap() {
                legend.entry(segment["origin"].as_str().unwrap()).or_default().push(said(segment));
            }
            for (origin, passages) in legend {
                let (start, end) = (format!("] {origin}  "), format!(" tokens  {}", passages.join("; ")));
                let line = text.lines().find(|line| line.contains(&start) && line.ends_with(&end));
                assert!(line.is_some(), "{}: {origin}: {passages:?}", row["id"]);
            }
        }
    }
}

/// In the page it is with each passage, whose tooltip shows it.
#[test]
fn the_page_says_it_of_every_passage() {
    for args in [&OURS[..], &PAPERS] {
        let page = headwater(&[args, &["--evidence", "--format", "html"]].concat()).succeeded();
        let mut expected: BTreeMap<String, usize> = BTreeMap::new();
        segments(&rows(args)).for_each(|segment| *expected.entry(said(segment)).or_default() += 1);
        for (said, times) in expected {
            assert_eq!(page.matches(&format!(",\"{said}\"]")).count(), times, "{said}");
        }
    }
}
