//! DO / TF of the paper's best and of Headwater at the paper's eight memory sizes, and of Headwater at a quarter of them;
//! the mean over several hash functions, and the largest deviation of DO from it.
//!
//! `quality [--plain] [--queries N] [--hashes N] [--spread] [--select NAME,…] [COLLECTION…]`, where a collection is one of the shared data
//! folder or a JSONL file. With `--plain` words are runs of alphanumeric characters, as for the prototype; so many queries in place of a
//! tenth of the documents; so many hash functions in place of four, at most 26; with `--spread` the standard deviation of each figure
//! from one hash function to another stands behind it; with `--select` the rows are these selections of the paper's, each with random
//! eviction and no estimation (its version A) and with LS and BE (B).

use std::error::Error;
use std::sync::atomic::{AtomicUsize, Ordering};

use headwater::origin::{Algorithm, Estimation, Eviction, Paper, Score};
use headwater::select::Selection;
use headwater_bench::collection;
use headwater_bench::quality::{Exam, SHARES, Terms, Words};

const COLLECTIONS: [&str; 5] = ["blogs", "gitlist", "debdocs", "pkgdocs", "rfc"];
/// Hash functions, where it is not said how many.
const HASHES: u8 = 4;

/// What is measured: a label, an algorithm, and the part of the memory that it gets.
type Row = (String, Algorithm, f64);

fn main() -> Result<(), Box<dyn Error>> {
    let mut names = Vec::new();
    let mut terms = Terms { words: Words::Ours, queries: None };
    let (mut hashes, mut spread, mut rows) = (HASHES, false, usual());
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--plain" => terms.words = Words::Plain,
            "--queries" => terms.queries = Some(args.next().ok_or("--queries needs a number")?.parse()?),
            "--hashes" => hashes = args.next().ok_or("--hashes needs a number")?.parse::<u8>()?.clamp(1, 26),
            "--spread" => spread = true,
            "--select" => rows = selections(&args.next().ok_or("--select needs names")?)?,
            _ => names.push(arg),
        }
    }
    if names.is_empty() {
        names = COLLECTIONS.map(str::to_owned).to_vec();
    }
    let heads: Vec<String> = SHARES.iter().map(|share| format!(" {share} |")).collect();
    println!("| |{} avg DO / TF | overall | ± DO | ssr |", heads.concat());
    println!("| --- |{} --- | --- | --- | --- |", " --- |".repeat(SHARES.len()));
    for name in names {
        let lines = collection::read(&name)?;
        let mut scores = vec![Vec::new(); rows.len()];
        for variant in 0..hashes {
            let exam = Exam::new(&lines, variant, terms);
            if variant == 0 {
                describe(&name, &exam);
            }
            for ((_, algorithm, part), scores) in rows.iter().zip(&mut scores) {
                scores.push(run(&exam, *algorithm, *part));
            }
        }
        for ((label, ..), scores) in rows.iter().zip(&scores) {
            print_row(&format!("{} {label}", short(&name)), scores, spread);
        }
    }
    Ok(())
}

/// The paper's best, ours, and ours with a quarter of the memory.
fn usual() -> Vec<Row> {
    vec![
        ("paper".into(), Algorithm::Paper(Paper::default()), 1.0),
        ("HW".into(), Algorithm::Headwater, 1.0),
        ("HW at M/4".into(), Algorithm::Headwater, 0.25),
    ]
}

/// Both of the paper's versions of each selection.
fn selections(names: &str) -> Result<Vec<Row>, Box<dyn Error>> {
    let versions =
        [("A", Eviction::Random, Estimation::NoBridging), ("B", Eviction::Lucky, Estimation::BridgingWithExpansion)];
    let mut rows = Vec::new();
    for name in names.split(',') {
        let select: Selection = name.parse()?;
        for (version, evict, estimate) in versions {
            let paper = Paper { select, evict, estimate, ..Paper::default() };
            rows.push((format!("{name} {version}"), Algorithm::Paper(paper), 1.0));
        }
    }
    Ok(rows)
}

/// What a row calls a collection: of a file, its folder.
fn short(name: &str) -> &str {
    name.rsplit('/').find(|part| !part.ends_with(".jsonl")).unwrap_or(name)
}

fn describe(name: &str, exam: &Exam) {
    let facts = &exam.facts;
    eprintln!(
        "{name}: {} documents, {} shingles, {} distinct, copy ratio {:.4}, dominant {:.3}, own {:.3}, {} queries",
        exam.documents.len(),
        facts.shingles,
        exam.distinct,
        facts.copied as f64 / facts.shingles as f64,
        facts.dominated as f64 / exam.documents.len() as f64,
        facts.own as f64 / facts.dominated as f64,
        facts.queries,
    );
}

/// One score for each memory size, worked out on two threads.
fn run(exam: &Exam, algorithm: Algorithm, scale: f64) -> [Score; SHARES.len()] {
    let prepared = exam.prepare(algorithm);
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        while let Some(share) = SHARES.get(next.fetch_add(1, Ordering::Relaxed)) {
            done.push((*share, exam.run(&prepared, algorithm, exam.bytes(share * scale).max(1 << 11))));
        }
        done
    };
    let scores = std::thread::scope(|scope| {
        let other = scope.spawn(work);
        let mut scores = work();
        scores.extend(other.join().expect("the other thread has finished"));
        scores
    });
    SHARES.map(|share| {
        let job = scores.iter().find(|(done, _)| *done == share);
        job.expect("every job was done").1
    })
}

fn print_row(label: &str, variants: &[[Score; SHARES.len()]], spread: bool) {
    let values = |at: usize, value: fn(&Score) -> f64| variants.iter().map(move |scores| 100.0 * value(&scores[at]));
    let mean = |at: usize, value| values(at, value).sum::<f64>() / variants.len() as f64;
    let average = |value| (0..SHARES.len()).map(|at| mean(at, value)).sum::<f64>() / SHARES.len() as f64;
    let figure = |at: usize, value| {
        let mean = mean(at, value);
        let squares: f64 = values(at, value).map(|value| (value - mean).powi(2)).sum();
        let deviation = (squares / (variants.len() - 1).max(1) as f64).sqrt();
        if spread { format!("{mean:.1} ± {deviation:.1}") } else { format!("{mean:.1}") }
    };
    let cells: Vec<String> = (0..SHARES.len())
        .map(|at| format!(" {}/{} |", figure(at, Score::dominant_origin), figure(at, Score::token_freshness)))
        .collect();
    let deviation = (0..SHARES.len())
        .flat_map(|at| values(at, Score::dominant_origin).map(move |value| (at, value)))
        .map(|(at, value)| (value - mean(at, Score::dominant_origin)).abs())
        .fold(0.0, f64::max);
    let (origin, freshness) = (average(Score::dominant_origin), average(Score::token_freshness));
    println!(
        "| {label} |{} {origin:.1}/{freshness:.1} | {:.1} | {deviation:.1} | {:.1} |",
        cells.concat(),
        (origin + freshness) / 2.0,
        average(Score::selected_ratio)
    );
}
