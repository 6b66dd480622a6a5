//! Streams of made-up posts, and what is measured on them.

use std::collections::HashMap;
use std::fs;

use serde_json::Value;

use crate::program::{headwater, with_input};

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect(line)).collect()
}

#[test]
fn the_same_seed_is_the_same_stream_and_a_longer_one_begins_alike() {
    let run = |args: &[&str]| headwater(&[&["generate"], args].concat()).succeeded();
    let first = run(&["--documents", "50", "--seed", "5"]);
    assert_eq!(first.lines().count(), 50);
    assert_eq!(run(&["--documents", "50", "--seed", "5"]), first);
    assert!(run(&["--documents", "80", "--seed", "5"]).starts_with(&first));
    assert_ne!(run(&["--documents", "50", "--seed", "6"]), first);
    let sized = run(&["--size", "100kB"]);
    let text: usize = lines(&sized).iter().map(|line| line["text"].as_str().unwrap().len()).sum();
    assert!((100_000..130_000).contains(&text), "{text}");
}

/// What is planted is what the tracer finds where it remembers every shingle.
#[test]
fn the_truth_is_what_exact_tracing_finds() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (posts, truth) = (path("posts.jsonl.zst"), path("truth.jsonl"));
    headwater(&["generate", "--documents", "400", "--edits", "0.03", "-o", &posts, "--truth", &truth]).succeeded();
    let truth = lines(&fs::read_to_string(truth).unwrap());
    let found = headwater(&["trace", &posts, "--select", "All", "--evict", "LRU", "--estimate", "NB"]).rows();
    assert_eq!(found.len(), truth.len());
    let mut copies = 0;
    for (found, truth) in found.iter().zip(&truth) {
        for key in ["id", "tokens", "fresh_tokens", "dominant_origin", "segments"] {
            assert_eq!(found[key], truth[key], "{key} of {}", truth["id"]);
        }
        copies += truth["segments"].as_array().unwrap().len();
    }
    assert!(copies > 100, "{copies}");
}

/// With the shortest shingles that are taken there is still none by chance.
#[test]
fn the_truth_about_short_shingles_is_true_too() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (posts, truth) = (path("posts.jsonl.zst"), path("truth.jsonl"));
    headwater(&["generate", "--documents", "5000", "-k", "5", "-o", &posts, "--truth", &truth]).succeeded();
    let truth = lines(&fs::read_to_string(truth).unwrap());
    let found =
        headwater(&["trace", &posts, "-k", "5", "--select", "All", "--evict", "LRU", "--estimate", "NB"]).rows();
    for (found, truth) in found.iter().zip(&truth) {
        for key in ["id", "fresh_tokens", "dominant_origin", "segments"] {
            assert_eq!(found[key], truth[key], "{key} of {}", truth["id"]);
        }
    }
}

#[test]
fn a_copy_ratio_that_is_not_reached_is_told() {
    let run = |args: &[&str]| headwater(&[&["generate", "--documents", "600"], args].concat());
    let missed = run(&["--copy-ratio", "0.7", "--edits", "0.1"]);
    assert!(missed.code == 0 && missed.err.contains("not the 70 % that were asked for"), "{}", missed.err);
    for args in [&["--copy-ratio", "0.7"][..], &["--copy-ratio", "0.5"], &["--copy-ratio", "0"], &[]] {
        let reached = run(args);
        assert!(reached.code == 0 && !reached.err.contains("asked for"), "{args:?}: {}", reached.err);
    }
}

#[test]
fn what_cannot_be_made_is_refused() {
    for (args, reason) in [
        (&["--copy-ratio", "0.9"][..], "copy ratio of 0.9; it must be 0 to 0.7"),
        (&["-k", "3"], "shingle length of 3; it must be 5 to 255"),
        (&["--words", "3"], "words of 3"),
        (&["--documents", "5", "--size", "5MB"], "cannot be used with"),
        (&["-o", "posts.what"], "give --format"),
    ] {
        let outcome = headwater(&[&["generate"], args].concat());
        assert_eq!(outcome.code, 2, "{args:?}: {}", outcome.err);
        assert!(outcome.err.contains(reason), "{args:?}: {}", outcome.err);
    }
}

#[test]
fn calibration_recommends_enough_and_says_how_sure_it_is() {
    let posts = headwater(&["generate", "--documents", "3000", "--seed", "2"]).succeeded();
    let args = ["calibrate", "-", "--memory", "8KiB..64MiB", "--growth", "1,10", "--hashes", "2"];
    let json = with_input(&[&args[..], &["--format", "json"]].concat(), &posts).succeeded();
    let answer: Value = serde_json::from_str(&json).unwrap();
    assert!(answer["sample"]["documents"].as_u64().unwrap() > 2000);
    let forecast = answer["forecast"].as_array().unwrap();
    assert_eq!(forecast.len(), 2 * 14);
    for line in forecast {
        for metric in ["do", "tf"] {
            let [low, value, high] = ["low", "value", "high"].map(|end| line[metric][end].as_f64().unwrap());
            assert!(0.0 <= low && low <= value && value <= high && high <= 1.0, "{line}");
        }
    }
    // More documents need no less memory, and the recommended amount is within a point of the best.
    let memory: Vec<u64> =
        answer["recommended"].as_array().unwrap().iter().map(|one| one["memory"].as_u64().unwrap()).collect();
    assert!(memory[0] <= memory[1], "{memory:?}");
    let best = answer["ceiling"]["do"].as_f64().unwrap();
    let chosen = forecast.iter().find(|line| line["memory"] == memory[0] && line["growth"] == 1.0).unwrap();
    assert!(best - chosen["do"]["value"].as_f64().unwrap() <= 0.01, "{chosen}");
    // What it says of these very documents is what tracing them gives.
    let measured = with_input(
        &[
            "eval",
            "origin",
            "-",
            "--algorithm",
            "headwater",
            "--memory",
            "64KiB,1MiB",
            "--queries",
            "448",
            "--format",
            "json",
        ],
        &posts,
    );
    let measured: Value = serde_json::from_str(&measured.succeeded()).unwrap();
    let by_memory: HashMap<u64, f64> = forecast[..14]
        .iter()
        .map(|line| (line["memory"].as_u64().unwrap(), line["do"]["value"].as_f64().unwrap()))
        .collect();
    for row in measured["rows"].as_array().unwrap() {
        let said = by_memory[&row["bytes"].as_u64().unwrap()];
        assert!((said - row["do"].as_f64().unwrap()).abs() < 0.03, "{said} {row}");
    }
    let text = with_input(&[&args[..], &["--format", "text"]].concat(), &posts).succeeded();
    assert!(text.contains("Recommended for these inputs: --memory ") && text.contains("Growth: "), "{text}");
    // Neither threads nor repetition change it.
    let alone = with_input(&[&args[..], &["--format", "json", "--threads", "1"]].concat(), &posts).succeeded();
    assert_eq!(alone, json);
}

#[test]
fn what_cannot_be_calibrated_is_refused() {
    for (args, reason) in [
        (&["--sample", "0"][..], "write how much to take, as in 100MB"),
        (&["--within=-1"], "'-1' is no number of percentage points; write one from 0 to 100"),
        (&["--within", "101"], "write one from 0 to 100"),
        (&["--within", "NaN"], "write one from 0 to 100"),
        (&["--growth", "foo"], "'foo' does not say how many times as large; write numbers above 0"),
        (&["--growth", "0"], "write numbers above 0"),
    ] {
        let outcome = headwater(&[&["calibrate", "testdata/river/documents.jsonl"], args].concat());
        assert_eq!(outcome.code, 2, "{args:?}: {}", outcome.err);
        assert!(outcome.err.contains(reason), "{args:?}: {}", outcome.err);
    }
}

/// Framed pages: the same seed gives the same bytes, an archive and a folder hold the same, and all can be read back.
#[test]
fn pages_are_written_as_an_archive_or_as_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (archive, files, truth, other) = (path("pages.warc"), path("pages"), path("truth.tsv"), path("other.tsv"));
    let common = ["generate", "--pages", "--documents", "30", "--seed", "3"];
    headwater(&[&common[..], &["-o", &archive, "--truth", &truth]].concat()).succeeded();
    headwater(&[&common[..], &["-o", &files, "--truth", &other]].concat()).succeeded();
    assert_eq!(headwater(&common).succeeded(), fs::read_to_string(&archive).unwrap(), "standard output");
    assert_eq!(fs::read_dir(&files).unwrap().count(), 30);
    let articles = |truth: &str| {
        let lines = fs::read_to_string(truth).unwrap();
        lines.lines().map(|line| line.split('\t').next().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!((articles(&truth).len(), articles(&truth)), (30, articles(&other)));
    for (input, truth) in [(&archive, &truth), (&files, &other)] {
        let judged = headwater(&["eval", "cluster", "--html", "all", "--truth", truth, "--format", "json", input]);
        let judged: Value = serde_json::from_str(&judged.succeeded()).unwrap();
        assert_eq!(judged["documents"], 30, "{input}");
    }
    assert_eq!(headwater(&[&common[..], &["-o", &files]].concat()).code, 1, "what is there stays");
    assert_eq!(headwater(&[&common[..], &["-o", &path("pages.jsonl")]].concat()).code, 2);
    let given =
        headwater(&["generate", "--pages", "--documents", "5", "--articles-of", "testdata/river/documents.jsonl"]);
    assert!(given.succeeded().contains("gauge"));
}

/// The paper's ordering on framed pages, over the raw text of the page.
#[test]
fn on_framed_pages_the_methods_stand_in_the_papers_order() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (pages, truth) = (path("pages.warc"), path("truth.tsv"));
    headwater(&["generate", "--pages", "--documents", "400", "--articles", "25", "-o", &pages, "--truth", &truth])
        .succeeded();
    let judged = headwater(&["eval", "cluster", "--html", "all", "--truth", &truth, "--format", "json", &pages]);
    let judged: Value = serde_json::from_str(&judged.succeeded()).unwrap();
    let best = |name: &str| {
        let one = judged["contenders"].as_array().unwrap().iter().find(|one| one["name"] == name).unwrap();
        let scores = one["scores"].as_array().unwrap().iter();
        scores.map(|scores| scores["macro_f1"].as_f64().unwrap()).fold(0.0, f64::max)
    };
    // With nobody to name a threshold, it is read off the pages, and nearly every pair is told right.
    let spots = judged["contenders"].as_array().unwrap().iter().find(|one| one["name"] == "SpotSigs").unwrap();
    assert!(spots["own"]["f1"].as_f64().unwrap() > 0.97, "{}", spots["own"]);
    let default = headwater(&["cluster", "--html", "all", &pages]);
    let said = format!("threshold {}: clearly the gap between", spots["own"]["threshold"]);
    assert!(default.err.contains("method spotsigs") && default.err.contains(&said), "{}", default.err);
    let shingles = ["1-Shingles", "3-Shingles", "5-Shingles", "8-Shingles"].map(best);
    let (least, most) = (shingles.iter().copied().fold(1.0, f64::min), shingles.iter().copied().fold(0.0, f64::max));
    let order = [best("SpotSigs"), best("LSH-S"), most, least, best("I-Match-S"), best("I-Match")];
    assert!(order[0] >= order[1] && order[1] > order[2] && order[3] > order[4] && order[4] > order[5], "{order:?}");
}
