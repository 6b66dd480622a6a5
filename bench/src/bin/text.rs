//! Text to fingerprints, and documents in, against the machine's limit: one run, interleaved rounds, medians.
//!
//! usage: text FILE.jsonl… (documents with a field "text")

use std::path::PathBuf;

use headwater::select::{Selected, Selection};
use headwater::text::{Reading, Tokens, fingerprints};
use headwater_bench::collection::text_of;
use headwater_bench::limit::{self, Room};
use headwater_bench::measure::Rounds;
use headwater_io::{Event, Inputs, Order, ReadOptions, read};

const ROUNDS: usize = 15;

const LIMIT_FUSED: &str = "limit: fused to Hailstorm";
const OURS_FUSED: &str = "ours: fused to Hailstorm";
const LIMIT_JSONL: &str = "limit: JSONL (sonic-rs) and fused";
const OURS_JSONL: &str = "ours: JSONL to Hailstorm, 1 thread";
const OURS_JSONL_2: &str = "ours: JSONL to Hailstorm, 2 threads";

fn main() {
    for path in std::env::args_os().skip(1).map(PathBuf::from) {
        report(&path);
    }
}

#[derive(Default)]
struct Work {
    tokens: Tokens,
    shingles: Vec<u64>,
    selected: Vec<Selected>,
}

impl Work {
    fn product(&mut self, text: &str) -> u64 {
        self.tokens.read(text, Reading::Words).expect("documents are short");
        fingerprints(self.tokens.hashes(), 8, &mut self.shingles);
        let hailstorm = Selection::Hailstorm { lean: false };
        hailstorm.select(self.tokens.hashes(), &self.shingles, 8, &mut self.selected);
        self.selected.iter().fold(0, |sum, selected| sum ^ selected.fingerprint)
    }
}

fn report(path: &PathBuf) {
    let raw = std::fs::read(path).expect("the file can be read");
    let lines: Vec<&[u8]> = raw.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()).collect();
    let mut padded = Vec::new();
    let mut spans = Vec::new();
    let mut characters = 0;
    for line in &lines {
        let text = text_of(line);
        spans.push((padded.len(), text.len()));
        characters += text.chars().count();
        padded.extend_from_slice(text.as_bytes());
    }
    let bytes = padded.len();
    padded.extend_from_slice(&[0; 64]);
    // Checked once, outside the measurements: a product gets its text as a string.
    let whole = std::str::from_utf8(&padded).expect("JSON is UTF-8");
    let text = |&(start, length): &(usize, usize)| &whole[start..start + length];
    let foreign = 1.0 - padded[..bytes].iter().filter(|byte| byte.is_ascii()).count() as f64 / bytes as f64;
    println!(
        "\n{}: {} documents, {:.1} MB of text, {:.1} MB of JSON, {:.1} % of bytes not ASCII, {characters} characters",
        path.file_name().unwrap_or_default().display(),
        lines.len(),
        bytes as f64 / 1e6,
        raw.len() as f64 / 1e6,
        100.0 * foreign
    );

    let mut rounds = Rounds::default();
    let (mut room, mut work) = (Room::default(), Work::default());
    for _ in 0..ROUNDS {
        rounds.time("limit: tokens and hashes", bytes, || {
            spans.iter().fold(0, |sum, &(start, length)| sum ^ limit::hashed(&padded[start..], length, &mut room))
        });
        rounds.time("ours: tokens and hashes", bytes, || {
            spans.iter().fold(0, |sum, span| {
                work.tokens.read(text(span), Reading::Words).expect("documents are short");
                sum ^ work.tokens.len() as u64
            })
        });
        rounds.time(LIMIT_FUSED, bytes, || {
            spans.iter().fold(0, |sum, &(start, length)| sum ^ limit::fused(&padded[start..], length, &mut room))
        });
        rounds.time(OURS_FUSED, bytes, || spans.iter().fold(0, |sum, span| sum ^ work.product(text(span))));
        rounds.time(LIMIT_JSONL, bytes, || {
            let mut buffer = Vec::new();
            lines.iter().fold(0, |sum, line| {
                let text = text_of(line);
                buffer.clear();
                buffer.extend_from_slice(text.as_bytes());
                buffer.extend_from_slice(&[0; 64]);
                sum ^ limit::fused(&buffer, text.len(), &mut room)
            })
        });
        for threads in [1, 2] {
            let mut inputs = Inputs::new();
            inputs.push_bytes("memory.jsonl", raw.as_slice());
            let options = ReadOptions { threads, order: Order::Input, ..ReadOptions::default() };
            let name = if threads == 1 { OURS_JSONL } else { OURS_JSONL_2 };
            rounds.time(name, bytes, || {
                thread_local!(static WORK: std::cell::RefCell<Work> = std::cell::RefCell::default());
                let prepare = |document: headwater::Document| WORK.with_borrow_mut(|work| work.product(&document.text));
                let mut sum = 0;
                read(&inputs, &options, prepare, |event| match event {
                    Event::Document(found) => {
                        sum ^= found;
                        Ok(())
                    }
                    Event::Problem(problem) => Err(problem.to_string()),
                })
                .expect("the collection reads");
                sum
            });
        }
    }
    rounds.print();
    println!();
    rounds.compare(OURS_FUSED, LIMIT_FUSED);
    rounds.compare(OURS_JSONL, LIMIT_JSONL);
    rounds.compare(OURS_JSONL_2, OURS_JSONL);
}
