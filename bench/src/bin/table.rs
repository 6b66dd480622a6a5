//! What the table costs: nanoseconds for each selected shingle at a table far larger than the caches, and for a query.
//!
//! `table [MEGABYTES [JOB…]]`, where a job is one of new, copied, real and queries; all of them by default, ours and the paper's.

use cpu_time::ThreadTime;
use std::error::Error;

use headwater::origin::{Algorithm, InOrder, Paper, Prepared, Report, Settings, Tracer};
use headwater::text::mix;
use headwater_bench::collection;

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let megabytes: usize = args.next().map_or(Ok(1024), |number| number.parse())?;
    let jobs: Vec<String> = args.collect();
    let wanted = |job: &str| jobs.is_empty() || jobs.iter().any(|wanted| wanted == job);
    for (name, algorithm) in [("headwater", Algorithm::Headwater), ("NHs+LS+BE", Algorithm::Paper(Paper::default()))] {
        let settings = Settings { memory: megabytes << 20, algorithm, ..Settings::default() };
        let mut tracer = headwater_io::table::new_tracer(settings, None)?;
        fill(&mut tracer)?;
        if wanted("new") {
            new_text(name, &mut tracer)?;
        }
        if wanted("copied") {
            copied_text(name, &mut tracer)?;
        }
        if wanted("real") {
            real_text(name, &mut tracer)?;
        }
        if wanted("queries") {
            queries(name, &tracer)?;
        }
    }
    Ok(())
}

/// Words that no other seed has, cut into documents of 400.
fn generated(seed: u64, documents: u64) -> Vec<String> {
    (0..documents).map(|document| generate(seed + document)).collect()
}

fn generate(document: u64) -> String {
    let seed = mix(document);
    let mut text = String::with_capacity(400 * 8);
    for word in 0..400 {
        let letters = mix(seed ^ word);
        text.extend((0..7).map(|at| char::from(b'a' + (letters >> (4 * at) & 15) as u8)));
        text.push(' ');
    }
    text
}

/// Streams generated text through the tracer until nearly every bucket has had to forget.
fn fill(tracer: &mut Tracer) -> Result<(), Box<dyn Error>> {
    let preparer = tracer.preparer();
    let (mut prepared, mut report) = (Prepared::default(), Report::default());
    let mut sent = 0;
    let mut document = 1 << 40;
    while sent < 3 * tracer.capacity() / 2 {
        preparer.prepare_into(&generate(document), &mut prepared)?;
        tracer.observe_into(&prepared, 0, &InOrder, &mut report);
        sent += report.selected;
        document += 1;
    }
    Ok(())
}

fn prepare(tracer: &Tracer, texts: &[String]) -> Result<Vec<Prepared>, Box<dyn Error>> {
    let preparer = tracer.preparer();
    Ok(texts.iter().map(|text| preparer.prepare(text)).collect::<Result<_, _>>()?)
}

fn observe_all(name: &str, what: &str, tracer: &mut Tracer, documents: &[Prepared]) {
    let mut report = Report::default();
    let mut sent = 0;
    let mut tokens = 0;
    // The first documents only make the report grow.
    let (first, documents) = documents.split_at(documents.len() / 50);
    first.iter().for_each(|prepared| tracer.observe_into(prepared, 0, &InOrder, &mut report));
    let start = ThreadTime::now();
    for prepared in documents {
        tracer.observe_into(prepared, 0, &InOrder, &mut report);
        sent += report.selected;
        tokens += report.tokens();
    }
    let nanoseconds = start.elapsed().as_nanos() as f64;
    println!(
        "{name}, {what}: {:.1} ns a selected shingle, {:.2} ns a token",
        nanoseconds / sent as f64,
        nanoseconds / tokens as f64
    );
}

fn new_text(name: &str, tracer: &mut Tracer) -> Result<(), Box<dyn Error>> {
    let documents = prepare(tracer, &generated(1 << 50, 5000))?;
    observe_all(name, "new text", tracer, &documents);
    Ok(())
}

fn copied_text(name: &str, tracer: &mut Tracer) -> Result<(), Box<dyn Error>> {
    let documents = prepare(tracer, &generated((1 << 50) + 2500, 5000))?;
    observe_all(name, "half copied text", tracer, &documents);
    Ok(())
}

fn real_text(name: &str, tracer: &mut Tracer) -> Result<(), Box<dyn Error>> {
    let Ok(lines) = collection::read("gitlist") else { return Ok(()) };
    let texts: Vec<String> = lines.into_iter().map(|line| line.text).collect();
    let preparer = tracer.preparer();
    let mut prepared = Prepared::default();
    let start = ThreadTime::now();
    let mut tokens = 0;
    for text in &texts {
        preparer.prepare_into(text, &mut prepared)?;
        tokens += prepared.tokens().len();
    }
    let nanoseconds = start.elapsed().as_nanos() as f64;
    let bytes: usize = texts.iter().map(String::len).sum();
    println!(
        "{name}, preparing the Git list: {:.2} ns a token, {:.0} MB/s",
        nanoseconds / tokens as f64,
        bytes as f64 / nanoseconds * 1000.0
    );
    let documents = prepare(tracer, &texts)?;
    observe_all(name, "the Git list", tracer, &documents);
    Ok(())
}

/// Queries of 200 words, half of them copied from what was observed, each text seen for the first time.
fn queries(name: &str, tracer: &Tracer) -> Result<(), Box<dyn Error>> {
    let preparer = tracer.preparer();
    let known = generated((1 << 50) + 4000, 2000);
    let fresh = generated(1 << 60, 2000);
    let mut times = Vec::new();
    for (known, fresh) in known.iter().zip(&fresh) {
        let words = |text: &str| text.split(' ').take(100).collect::<Vec<_>>().join(" ");
        let text = format!("{} {}", words(known), words(fresh));
        let start = ThreadTime::now();
        let report = tracer.trace(&preparer.prepare(&text)?, 0, &InOrder);
        times.push(start.elapsed().as_nanos());
        assert!(report.tokens() == 200);
    }
    times.sort_unstable();
    let at = |part: usize| times[times.len() * part / 100] as f64 / 1000.0;
    println!("{name}, a query of 200 words: median {:.1} µs, 99 % {:.1} µs", at(50), at(99));
    Ok(())
}
