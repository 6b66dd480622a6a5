//! Near-duplicates by the gaoya crate: MinHash-128 over word 5-grams, bands as it chooses them for Jaccard 0.8, candidates
//! checked by their sketches. `gaoya-rival INPUT.jsonl CLUSTERS.jsonl`, with the protocol of the drivers in Python.

use std::collections::BTreeMap;
use std::error::Error;
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write};

use gaoya::minhash::{MinHashIndex, MinHasher, MinHasher32, calculate_minhash_params};
use gaoya::text::whitespace_split;
use serde::Deserialize;
use serde_json::json;

const K: usize = 5;
const THRESHOLD: f64 = 0.8;
const HASHES: usize = 128;

#[derive(Deserialize)]
struct Line {
    id: String,
    text: String,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(input), Some(output)) = (arguments.next(), arguments.next()) else {
        return Err("usage: gaoya-rival INPUT.jsonl CLUSTERS.jsonl".into());
    };
    let (bands, width) = calculate_minhash_params(THRESHOLD, HASHES);
    let hasher = MinHasher32::new(bands * width);
    let mut index = MinHashIndex::new(bands, width, THRESHOLD);
    let (mut names, mut above, mut pairs) = (Vec::new(), Vec::new(), 0);
    for line in BufReader::new(File::open(input)?).lines() {
        let Line { id, text } = serde_json::from_str(&line?)?;
        let number = names.len();
        names.push(id);
        above.push(number);
        let text = text.to_lowercase();
        let words: Vec<&str> = whitespace_split(&text).collect();
        if words.is_empty() {
            continue;
        }
        // Each text is sketched once, which its Python interface cannot do.
        let sketch = hasher.create_signature(words.windows(K.min(words.len())));
        for &other in index.query(&sketch) {
            pairs += 1;
            let (one, other) = (top(&mut above, number), top(&mut above, other));
            above[one.max(other)] = one.min(other);
        }
        index.insert(number, sketch);
    }
    let mut clusters: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
    for (number, name) in names.iter().enumerate() {
        clusters.entry(top(&mut above, number)).or_default().push(name);
    }
    clusters.retain(|_, members| members.len() > 1);
    let mut out = BufWriter::new(File::create(output)?);
    for members in clusters.values() {
        writeln!(out, "{}", json!({ "members": members }))?;
    }
    out.flush()?;
    let removed: usize = clusters.values().map(|members| members.len() - 1).sum();
    let (documents, clusters) = (names.len(), clusters.len());
    println!(
        "{}",
        json!({ "documents": documents, "clusters": clusters, "removed": removed, "pairs": pairs, "verified": "by sketch" })
    );
    Ok(())
}

fn top(above: &mut [usize], mut document: usize) -> usize {
    while above[document] != document {
        above[document] = above[above[document]];
        document = above[document];
    }
    document
}
