//! What one query takes in the library, against an open table: `latency MEBIBYTES FILE.jsonl` streams the file through a table of
//! that size and then asks where texts of 350 words are from, half of their words of a document of the file, half made up, each text
//! seen for the first time. Prints one line of JSON with microseconds.

use std::error::Error;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::time::Instant;

use headwater::generate::{Posts, Settings as Stream};
use headwater::origin::{InOrder, Prepared, Report, Settings, Tracer};
use headwater_bench::collection::text_of;

const WORDS: usize = 350;
const QUERIES: usize = 10_000;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(mebibytes), Some(path)) = (arguments.next(), arguments.next()) else {
        return Err("usage: latency MEBIBYTES FILE.jsonl".into());
    };
    let settings = Settings { memory: mebibytes.parse::<usize>()? << 20, ..Settings::default() };
    let mut tracer = headwater_io::table::new_tracer(settings, None)?;
    let known = fill(&mut tracer, &path)?;
    let (mut times, mut copied) = (Vec::with_capacity(QUERIES), 0);
    for text in texts(&known)? {
        let begin = Instant::now();
        let report = tracer.trace(&tracer.preparer().prepare(&text)?, 0, &InOrder);
        times.push(begin.elapsed().as_nanos() as u64);
        copied += usize::from(!report.segments.is_empty());
    }
    times.sort_unstable();
    let at = |share: f64| (times[((times.len() - 1) as f64 * share) as usize] as f64 / 100.0).round() / 10.0;
    println!(
        "{}",
        serde_json::json!({
            "p50": at(0.5), "p99": at(0.99), "p99.9": at(0.999), "queries": times.len(),
            "with_an_origin": copied as f64 / times.len() as f64,
        })
    );
    Ok(())
}

/// Streams the documents through the table; keeps a passage of every long one, as many as there are queries.
fn fill(tracer: &mut Tracer, path: &str) -> Result<Vec<String>, Box<dyn Error>> {
    let preparer = tracer.preparer();
    let (mut prepared, mut report) = (Prepared::default(), Report::default());
    let mut passages = Vec::new();
    for line in BufReader::new(File::open(path)?).split(b'\n') {
        let text = text_of(&line?);
        preparer.prepare_into(&text, &mut prepared)?;
        tracer.observe_into(&prepared, 0, &InOrder, &mut report);
        let words: Vec<&str> = text.split_whitespace().skip(WORDS / 2).take(WORDS / 2).collect();
        if words.len() == WORDS / 2 {
            passages.push(words.join(" "));
        }
    }
    let step = (passages.len() / QUERIES).max(1);
    Ok(passages.into_iter().step_by(step).collect())
}

/// A known passage and made-up words behind it.
fn texts(known: &[String]) -> Result<Vec<String>, Box<dyn Error>> {
    let mut posts = Posts::new(Stream { seed: 11, copy_ratio: 0.0, words: 400.0, ..Stream::default() })?
        .filter(|post| post.tokens > WORDS);
    let text = |known: &String| {
        let post = posts.next()?;
        let fresh: Vec<&str> = post.text.split_whitespace().take(WORDS / 2).collect();
        Some(format!("{known} {}", fresh.join(" ")))
    };
    Ok(known.iter().take(QUERIES).filter_map(text).collect())
}
