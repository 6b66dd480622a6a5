//! Which runs of a collection stand in two or more documents, by suffix array and longest common prefixes: exact, and in
//! memory. `suffix-array-rival bytes|words FILE.jsonl…` prints one line of JSON: what was found. Whoever starts it measures.
//!
//! *bytes* is what tools for training text do: runs of 50 bytes in the text as it is. *words* is the same question as
//! ours: runs of 8 words, exact duplicates taken once; its count must be ours.

use std::collections::{HashMap, HashSet};
use std::error::Error;
use std::fs::File;
use std::hash::{BuildHasher, RandomState};
use std::io::{BufRead, BufReader};

use headwater::text::{Reading, Tokens};
use libsais::SuffixArrayConstruction;
use serde::Deserialize;

/// Bytes and words in a run.
const BYTES: usize = 50;
const WORDS: usize = 8;

#[derive(Deserialize)]
struct Line {
    text: String,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let mode = arguments.next().ok_or("usage: suffix-array-rival bytes|words FILE.jsonl…")?;
    let files: Vec<String> = arguments.collect();
    let (documents, shared) = match mode.as_str() {
        "bytes" => bytes(&files)?,
        "words" => words(&files)?,
        other => return Err(format!("{other:?} is neither bytes nor words").into()),
    };
    println!("{}", serde_json::json!({ "documents": documents, "shared_runs": shared }));
    Ok(())
}

/// Every document's text, one of exact duplicates alone.
fn each_text(files: &[String], mut take: impl FnMut(&str)) -> Result<(), Box<dyn Error>> {
    let (hasher, mut seen) = (RandomState::new(), HashSet::new());
    for file in files {
        for line in BufReader::new(File::open(file)?).lines() {
            let Line { text } = serde_json::from_str(&line?)?;
            if seen.insert(hasher.hash_one(&text)) {
                take(&text);
            }
        }
    }
    Ok(())
}

fn bytes(files: &[String]) -> Result<(usize, usize), Box<dyn Error>> {
    let (mut all, mut ends) = (Vec::new(), Vec::new());
    each_text(files, |text| {
        all.extend(text.bytes().map(|byte| byte.max(1)));
        all.push(0);
        ends.push(all.len());
    })?;
    let array = SuffixArrayConstruction::for_text(&all).in_owned_buffer32().single_threaded().run()?;
    let array = array.plcp_construction().single_threaded().run()?;
    let has_separator = |at: usize| all[at..(at + BYTES).min(all.len())].contains(&0);
    Ok((ends.len(), shared(array.suffix_array(), array.plcp(), BYTES, &ends, has_separator)))
}

fn words(files: &[String]) -> Result<(usize, usize), Box<dyn Error>> {
    let (mut all, mut ends, mut numbers) = (Vec::<i32>::new(), Vec::new(), HashMap::new());
    let mut tokens = Tokens::new();
    each_text(files, |text| {
        tokens.read(text, Reading::Words).expect("no text is that long");
        for &hash in tokens.hashes() {
            let next = numbers.len() as i32 + 1;
            all.push(*numbers.entry(hash).or_insert(next));
        }
        all.push(0);
        ends.push(all.len());
    })?;
    // The prefixes are computed on the text that the construction leaves as it was.
    let array = SuffixArrayConstruction::for_text_mut(&mut all).in_owned_buffer32().single_threaded().run()?;
    let array = array.into_vec();
    let plcp = prefixes(&all, &array);
    let has_separator = |at: usize| all[at..(at + WORDS).min(all.len())].contains(&0);
    Ok((ends.len(), shared(&array, &plcp, WORDS, &ends, has_separator)))
}

/// Longest common prefixes in the order of the text, for whole numbers (Kärkkäinen, Manzini and Puglisi).
fn prefixes(text: &[i32], array: &[i32]) -> Vec<i32> {
    let mut before = vec![-1i32; text.len()];
    for pair in array.windows(2) {
        before[pair[1] as usize] = pair[0];
    }
    let mut length = 0usize;
    for at in 0..text.len() {
        if before[at] < 0 {
            before[at] = 0;
            length = 0;
            continue;
        }
        let other = before[at] as usize;
        while at + length < text.len() && other + length < text.len() && text[at + length] == text[other + length] {
            length += 1;
        }
        before[at] = length as i32;
        length = length.saturating_sub(1);
    }
    before
}

/// How many different runs of a length stand in two or more documents.
fn shared(array: &[i32], plcp: &[i32], length: usize, ends: &[usize], has_separator: impl Fn(usize) -> bool) -> usize {
    let document = |at: i32| ends.partition_point(|&end| end <= at as usize);
    let mut shared = 0;
    let mut at = 0;
    while at < array.len() {
        let mut end = at + 1;
        while end < array.len() && plcp[array[end] as usize] as usize >= length {
            end += 1;
        }
        if end - at > 1 && !has_separator(array[at] as usize) {
            let first = document(array[at]);
            shared += usize::from(array[at + 1..end].iter().any(|&one| document(one) != first));
        }
        at = end;
    }
    shared
}
