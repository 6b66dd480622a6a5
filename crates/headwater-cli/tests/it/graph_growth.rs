//! `headwater graph` over days: indexes that grow, are asked, are interrupted; and what is said on the way.

use std::collections::BTreeSet;
use std::fs;

use serde_json::Value;

use crate::program::{headwater, root, with_input};

const RIVER: &str = "testdata/river/documents.jsonl";

/// The river's documents in so many parts, dealt out in turn, so that what comes later is in part earlier in time.
fn days(parts: usize) -> Vec<String> {
    let file = fs::read_to_string(root().join(RIVER)).unwrap();
    (0..parts).map(|day| file.lines().skip(day).step_by(parts).map(|line| format!("{line}\n")).collect()).collect()
}

/// Whatever is asked of an index that grew is what everything at once would give: edges, chunks, one document's relatives.
#[test]
fn an_index_that_grew_answers_like_one_that_was_built_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (grown, at_once, chunks) = (path("grown.hwg"), path("at-once.hwg"), path("chunks.jsonl"));
    let days = days(5);
    for day in &days {
        with_input(&["graph", "--index", &grown, "-"], day).succeeded();
    }
    with_input(&["graph", "--index", &at_once, "-"], &days.concat()).succeeded();
    for question in [
        &["--score", "S1", "--threshold", "1"][..],
        &["--duplicates", "keep", "--threshold", "0.02"],
        &["--duplicates", "drop", "--score", "S2"],
        &["--modulo", "4", "--threshold", "0.001"],
        &["--rare", "3", "--score", "S1", "--threshold", "1"],
        &["--max-df", "4", "--threshold", "0.02"],
        &["--for", "mirror-quote", "--threshold", "0.01"],
    ] {
        let ask = |index: &str| {
            let mut args = vec!["graph", "--index", index];
            args.extend(question);
            headwater(&args).succeeded()
        };
        let mut fresh = vec!["graph"];
        fresh.extend(question);
        fresh.push("-");
        let expected = with_input(&fresh, &days.concat()).succeeded();
        assert!(!expected.is_empty(), "{question:?}");
        assert_eq!(ask(&grown), expected, "{question:?}");
        assert_eq!(ask(&at_once), expected, "{question:?}");
    }
    let listed = |index: &str| {
        headwater(&["graph", "--index", index, "--chunks", &chunks]).succeeded();
        let lines = fs::read_to_string(&chunks).unwrap();
        lines.lines().map(str::to_owned).collect::<BTreeSet<String>>()
    };
    let expected = listed(&at_once);
    assert!(expected.len() > 100);
    // The same chunks; which of its documents a chunk is quoted from depends on which came first.
    let held = |lines: &BTreeSet<String>| {
        let rows = lines.iter().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let mut held: Vec<String> = rows.map(|row| row["documents"].to_string()).collect();
        held.sort_unstable();
        held
    };
    assert_eq!(held(&listed(&grown)), held(&expected));
}

#[test]
fn an_index_of_other_chunks_is_continued_with_those_that_are_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let index = folder.path().join("river.hwg");
    let index = index.to_str().unwrap();
    let days = days(2);
    with_input(&["graph", "--modulo", "3", "--index", index, "-"], &days[0]).succeeded();
    let all = with_input(&["graph", "--threshold", "0.02", "--index", index, "-"], &days[1]).succeeded();
    assert_eq!(all, with_input(&["graph", "--threshold", "0.02", "-"], &days.concat()).succeeded());
}

#[test]
fn an_index_takes_no_copies_as_documents_of_their_own() {
    let refused = headwater(&["graph", "--duplicates", "keep", "--index", "never-written.hwg", RIVER]);
    assert_eq!(refused.code, 2);
    assert!(refused.err.contains("ask the index with it and without documents"), "{}", refused.err);
}

#[test]
fn rare_chunks_are_those_of_few_documents() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("chunks.jsonl");
    let path = path.to_str().unwrap();
    let numbers = |more: &[&str]| {
        let mut args = vec!["graph", "--duplicates", "keep", "--chunks", path, RIVER];
        args.extend(more);
        let err = headwater(&args).err;
        let lines = fs::read_to_string(path).unwrap();
        let held = lines
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).unwrap()["documents"].as_array().unwrap().len());
        (held.collect::<Vec<usize>>(), err)
    };
    let (all, _) = numbers(&[]);
    let (rare, said) = numbers(&["--rare", "2"]);
    assert!(all.iter().any(|&documents| documents > 2));
    assert_eq!(rare, all.into_iter().filter(|&documents| documents <= 2).collect::<Vec<_>>());
    assert!(said.contains("are left out, among them:"), "{said}");
}

#[test]
fn two_documents_of_one_name_are_told() {
    let line = |id: &str, text: &str| format!("{{\"id\":\"{id}\",\"text\":\"{text}\"}}\n");
    let text = "a b c d e f g h i j";
    let twice = with_input(&["graph", "-"], &(line("x", text) + &line("y", text) + &line("x", "other words")));
    assert!(twice.err.contains("the id \"x\" belongs to several documents"), "{}", twice.err);
    let once = with_input(&["graph", "-"], &(line("x", text) + &line("y", text)));
    assert!(!once.err.contains("belongs to several"), "{}", once.err);
}

/// Ctrl-C at many moments, also while passes over the tokens go on: the index stays what it was, and nothing half-written
/// lies about.
#[cfg(unix)]
#[test]
fn an_interrupted_run_leaves_everything_as_it_was() {
    use std::process::{Command, Stdio};
    use std::time::Duration;

    let folder = tempfile::tempdir().unwrap();
    let index = folder.path().join("index.hwg");
    headwater(&["graph", "--index", index.to_str().unwrap(), RIVER]).succeeded();
    let before = fs::read(&index).unwrap();
    // Enough words, and enough repetition, for every step to take its time.
    let words = |document: u64| {
        let word = |at: u64| format!("w{}", headwater::text::mix(document / 3 * 10_000 + at) % 5000);
        (0..400).map(word).collect::<Vec<_>>().join(" ")
    };
    let input: String = (0..6000)
        .map(|document| format!("{{\"id\":\"{document}\",\"text\":\"{} {document}\"}}\n", words(document)))
        .collect();
    let source = tempfile::tempdir().unwrap();
    let input_path = source.path().join("input.jsonl");
    fs::write(&input_path, input).unwrap();
    let mut interrupted = 0;
    for delay in [30, 100, 200, 350, 500, 700, 1000] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_headwater"))
            .args(["graph", "--quiet", "--schedule", "paper"])
            .arg(&input_path)
            .arg("--index")
            .arg(&index)
            .arg("--chunks")
            .arg(folder.path().join("chunks.jsonl"))
            .arg("-o")
            .arg(folder.path().join("edges.jsonl"))
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(delay));
        Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        match child.wait().unwrap().code() {
            Some(130) => interrupted += 1,
            // It was done sooner.
            _ => break,
        }
        let files = fs::read_dir(folder.path()).unwrap();
        let names: BTreeSet<_> = files.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        assert_eq!(names, ["index.hwg", "index.hwg.lock"].map(str::to_owned).into(), "after {delay} ms");
        assert!(fs::read(&index).unwrap() == before, "after {delay} ms");
    }
    assert!(interrupted > 0);
}
