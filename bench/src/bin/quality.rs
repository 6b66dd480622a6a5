//! DO / TF of the paper's best and of Headwater at the paper's eight memory sizes, and of Headwater at a quarter of them.
//!
//! `quality [COLLECTION…]`

use std::error::Error;
use std::sync::atomic::{AtomicUsize, Ordering};

use headwater::origin::{Algorithm, Paper, Score};
use headwater_bench::collection;
use headwater_bench::quality::{Exam, SHARES};

const COLLECTIONS: [&str; 5] = ["blogs", "gitlist", "debdocs", "pkgdocs", "rfc"];

fn main() -> Result<(), Box<dyn Error>> {
    let mut names: Vec<String> = std::env::args().skip(1).collect();
    if names.is_empty() {
        names = COLLECTIONS.map(str::to_owned).to_vec();
    }
    let heads: Vec<String> = SHARES.iter().map(|share| format!(" {share} |")).collect();
    println!("| |{} avg DO / TF | overall | ssr |", heads.concat());
    println!("| --- |{} --- | --- | --- |", " --- |".repeat(SHARES.len()));
    for name in names {
        let exam = Exam::new(collection::read(&name)?);
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
        rows(&exam, &name, "paper", Algorithm::Paper(Paper::default()), &[("", 1.0)]);
        rows(&exam, &name, "HW", Algorithm::Headwater, &[("", 1.0), (" at M/4", 0.25)]);
    }
    Ok(())
}

/// Prints one row for each scale of memory, worked out on two threads.
fn rows(exam: &Exam, name: &str, label: &str, algorithm: Algorithm, scales: &[(&str, f64)]) {
    let prepared = exam.prepare(algorithm);
    let jobs: Vec<f64> = scales.iter().flat_map(|(_, scale)| SHARES.map(|share| share * scale)).collect();
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        while let Some(share) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
            done.push((*share, exam.run(&prepared, algorithm, exam.bytes(*share).max(1 << 10))));
        }
        done
    };
    let mut scores = std::thread::scope(|scope| {
        let other = scope.spawn(work);
        let mut scores = work();
        scores.extend(other.join().expect("the other thread has finished"));
        scores
    });
    for (suffix, scale) in scales {
        let row = SHARES.map(|share| {
            let at = scores.iter().position(|(done, _)| *done == share * scale).expect("every job was done");
            scores.swap_remove(at).1
        });
        print_row(&format!("{name} {label}{suffix}"), &row);
    }
}

fn print_row(label: &str, scores: &[Score]) {
    let mean = |value: fn(&Score) -> f64| 100.0 * scores.iter().map(value).sum::<f64>() / scores.len() as f64;
    let cells: Vec<String> = scores
        .iter()
        .map(|score| format!(" {:.1}/{:.1} |", 100.0 * score.dominant_origin(), 100.0 * score.token_freshness()))
        .collect();
    let (origin, freshness) = (mean(Score::dominant_origin), mean(Score::token_freshness));
    let overall = (origin + freshness) / 2.0;
    let ssr = mean(Score::selected_ratio);
    println!("| {label} |{} {origin:.1}/{freshness:.1} | {overall:.1} | {ssr:.1} |", cells.concat());
}
