//! How fast the external sort is: `cargo run --release --bin sort -- [MEGABYTES [MEMORY_MIB [TEXT_BYTES]]]`.

use std::env;
use std::fs;
use std::time::Instant;

use headwater::{Document, Time};
use headwater_io::sort::TimeSorter;

const WORDS: &[&str] = &["river", "the", "of", "a", "source", "and", "text", "where", "new", "origin", "water", "in"];

fn main() {
    let mut arguments = env::args().skip(1).map(|argument| argument.parse::<usize>().unwrap());
    let bytes = arguments.next().unwrap_or(200) * 1_000_000;
    let memory = arguments.next().unwrap_or(32) << 20;
    let text_bytes = arguments.next().unwrap_or(2000);

    let mut random = 1u64;
    let mut random = move || {
        random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        random >> 33
    };
    let mut sorter = TimeSorter::new(memory, None);
    let (mut generated, mut documents) = (0, 0u64);
    let mut pushing = 0.0;
    let begin = Instant::now();
    while generated < bytes {
        let mut text = String::with_capacity(text_bytes + 16);
        while text.len() < text_bytes {
            text.push_str(WORDS[random() as usize % WORDS.len()]);
            text.push_str(if random() % 9 == 0 { ". " } else { " " });
        }
        generated += text.len();
        documents += 1;
        let micros = random() as i64;
        let time = Some(Time::from_micros(micros, "2006-01-02T03:04:05Z"));
        let document = Document { id: format!("document-{documents}"), time, url: None, text };
        let start = Instant::now();
        sorter.push(micros, document).unwrap();
        pushing += start.elapsed().as_secs_f64();
    }
    let generating = begin.elapsed().as_secs_f64() - pushing;
    let start = Instant::now();
    let sorted = sorter.finish().unwrap();
    let spilled = sorted.spilled_bytes();
    let mut last = i64::MIN;
    for document in sorted {
        let micros = document.unwrap().time.unwrap().micros();
        assert!(last <= micros);
        last = micros;
    }
    let merging = start.elapsed().as_secs_f64();
    let megabytes = generated as f64 / 1e6;
    println!(
        "{documents} documents, {megabytes:.0} MB, {:.0} MB spilled: push {pushing:.2} s, merge {merging:.2} s, \
         {:.0} MB/s (generating took {generating:.2} s)",
        spilled as f64 / 1e6,
        megabytes / (pushing + merging)
    );
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    if let Some(peak) = status.lines().find(|line| line.starts_with("VmHWM")) {
        println!("{peak}");
    }
}
