//! `headwater trace` on the collection that comes with it, whose truth is known.

use std::collections::BTreeMap;

use arrow_json::writer::{LineDelimited, WriterBuilder};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use serde_json::{Value, json};

use crate::program::{headwater, root, with_input};

const RIVER: &str = "testdata/river/documents.jsonl";

fn lines_of(path: &str) -> Vec<Value> {
    let file = std::fs::read_to_string(root().join(path)).unwrap();
    file.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn sorted<'a>(values: impl Iterator<Item = &'a Value>) -> Vec<&'a str> {
    let mut values: Vec<&str> = values.map(|value| value.as_str().unwrap()).collect();
    values.sort_unstable();
    values.dedup();
    values
}

#[test]
fn with_memory_to_spare_and_every_shingle_the_origins_are_exact() {
    let truth = lines_of("testdata/river/truth.jsonl");
    let rows = headwater(&["trace", "--select", "All", "--estimate", "NB", RIVER]).rows();
    assert_eq!(rows.len(), truth.len());
    for (row, known) in rows.iter().zip(&truth) {
        assert_eq!(row["id"], known["id"]);
        // Where there is no shingle the truth has no origin at all; to a reader such a document is simply new.
        if row["tokens"].as_u64().unwrap() >= 8 {
            assert_eq!(row["dominant_origin"], known["dominant"], "{row}");
        }
        assert_eq!(origins(row), sorted(known["from"].as_array().unwrap().iter()), "{}", row["id"]);
    }
}

#[test]
fn the_default_finds_the_same_origins_and_nearly_all_dominant_ones() {
    let truth = lines_of("testdata/river/truth.jsonl");
    let rows = headwater(&["trace", RIVER]).rows();
    let dominant = rows.iter().zip(&truth).filter(|(row, known)| row["dominant_origin"] == known["dominant"]).count();
    assert!(dominant + 3 >= rows.len(), "{dominant} of {}", rows.len());
    let origins_found = rows.iter().zip(&truth);
    let origins_found =
        origins_found.filter(|(row, known)| origins(row) == sorted(known["from"].as_array().unwrap().iter()));
    let origins_found = origins_found.count();
    assert!(origins_found + 2 >= rows.len(), "{origins_found} of {}", rows.len());
}

fn origins(row: &Value) -> Vec<&str> {
    sorted(row["segments"].as_array().unwrap().iter().map(|segment| &segment["origin"]))
}

#[test]
fn rows_have_the_form_that_the_interface_promises() {
    let documents = lines_of(RIVER);
    let texts: BTreeMap<&str, &str> = documents
        .iter()
        .map(|document| (document["id"].as_str().unwrap(), document["text"].as_str().unwrap()))
        .collect();
    for row in headwater(&["trace", "--demo"]).rows() {
        let keys: Vec<&str> = row.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(
            keys,
            ["dominant_origin", "dominant_share", "fresh_tokens", "id", "segments", "time", "tokens", "url"],
            "in the order of a sorted map"
        );
        let text = texts[row["id"].as_str().unwrap()];
        let (mut behind, mut old) = (0, 0);
        for segment in row["segments"].as_array().unwrap() {
            let (start, end) = (segment["start"].as_u64().unwrap() as usize, segment["end"].as_u64().unwrap() as usize);
            assert!(behind <= start && start < end);
            let passage = text.get(start..end).expect("offsets lie between characters");
            assert!(passage.starts_with(char::is_alphanumeric), "{passage}");
            assert_ne!(segment["origin"], row["id"]);
            behind = end;
            old += segment["tokens"].as_u64().unwrap();
        }
        assert_eq!(old + row["fresh_tokens"].as_u64().unwrap(), row["tokens"].as_u64().unwrap());
    }
}

#[test]
fn the_painted_text_reads_without_colour() {
    let page = headwater(&["trace", "--demo", "--format", "text"]).succeeded();
    assert!(!page.contains('\x1b'));
    insta::assert_snapshot!("demo", page);
}

#[test]
fn the_painted_text_has_colours_where_they_are_wanted() {
    let page = headwater(&["trace", "--demo", "--format", "text", "--color", "always"]).succeeded();
    assert!(page.contains("\x1b[38;5;33m[1: "));
}

#[test]
fn the_same_bytes_for_any_number_of_threads() {
    for algorithm in [&["--algorithm", "headwater"][..], &["--select", "NHs"], &["--evict", "R", "--memory", "20KiB"]] {
        let run = |threads: &str| {
            let args = [&["trace", "--demo", "--evidence", "--threads", threads], algorithm].concat();
            headwater(&args).succeeded()
        };
        let one = run("1");
        assert!(one.lines().count() > 40);
        assert_eq!(one, run("2"));
        assert_eq!(one, run("8"));
    }
}

/// Many pieces at once with the workers, in order of time and not.
#[test]
fn the_same_bytes_for_any_number_of_threads_where_there_is_work_for_all() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    headwater(&["generate", "--size", "3MB", "--quiet", "-o", &at("posts.jsonl")]).succeeded();
    let posts = std::fs::read_to_string(at("posts.jsonl")).unwrap();
    let (first, second) = posts.split_at(posts[..posts.len() / 2].rfind('\n').unwrap() + 1);
    std::fs::write(at("disorder.jsonl"), [second, first].concat()).unwrap();
    for input in ["posts.jsonl", "disorder.jsonl"] {
        for algorithm in [&["--memory", "100KiB"][..], &["--select", "NHs", "--evict", "R", "--memory", "100KiB"]] {
            let run = |threads: &str| {
                headwater(&[&["trace", &at(input), "--evidence", "--threads", threads], algorithm].concat()).succeeded()
            };
            let one = run("1");
            assert!(one.lines().count() > 1000);
            assert!(one == run("2") && one == run("7"), "{input} {algorithm:?}");
        }
    }
}

#[test]
fn painted_text_is_packed_where_its_name_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let text = headwater(&["trace", "--demo", "--format", "text"]).succeeded();
    for (name, magic) in
        [("a.txt.gz", &b"\x1f\x8b"[..]), ("a.txt.zst", b"\x28\xb5\x2f\xfd"), ("a.txt", &text.as_bytes()[..9])]
    {
        let path = folder.path().join(name);
        headwater(&["trace", "--demo", "--format", "text", "-o", path.to_str().unwrap()]).succeeded();
        let written = std::fs::read(&path).unwrap();
        assert!(written.starts_with(magic), "{name}");
        assert!(name == "a.txt" || written.len() < text.len() / 2, "{name}");
    }
}

#[test]
fn the_same_answers_in_every_format() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let rows = headwater(&["trace", "--demo", "--evidence"]).rows();
    for name in ["a.jsonl", "a.json", "a.csv", "a.parquet", "a.jsonl.gz", "a.jsonl.zst"] {
        headwater(&["trace", "--demo", "--evidence", "-o", &file(name)]).succeeded();
        // Read back by the program itself, each format has a record for each document.
        let inspected = headwater(&["inspect", "--format", "json", "--text-field", "id", &file(name)]).succeeded();
        let inspected: Value = serde_json::from_str(&inspected).unwrap();
        assert_eq!(inspected["documents"], rows.len(), "{name}");
    }
    let json: Vec<Value> = serde_json::from_str(&std::fs::read_to_string(file("a.json")).unwrap()).unwrap();
    assert_eq!(json, rows);
    let csv = std::fs::read_to_string(file("a.csv")).unwrap();
    assert!(csv.starts_with("id,time,url,tokens,fresh_tokens,dominant_origin,dominant_share,segments\n"));
    // The last cell holds the segments as JSON, evidence and all.
    for (line, row) in csv.lines().skip(1).zip(&rows) {
        let cell =
            line.split_once(",\"[{").map_or("[]".to_owned(), |(_, cell)| format!("[{{{cell}").replace("\"\"", "\""));
        let segments: Value = serde_json::from_str(cell.trim_end_matches('"')).expect(line);
        assert_eq!(segments, row["segments"], "{line}");
    }
}

/// The rows of a Parquet file, as another program would read them: absent values are null.
fn rows_of_parquet(path: &str) -> Vec<Value> {
    let file = std::fs::File::open(path).unwrap();
    let batches = ParquetRecordBatchReaderBuilder::try_new(file).unwrap().build().unwrap();
    let mut writer = WriterBuilder::new().with_explicit_nulls(true).build::<_, LineDelimited>(Vec::new());
    batches.for_each(|batch| writer.write(&batch.unwrap()).unwrap());
    writer.finish().unwrap();
    let lines = String::from_utf8(writer.into_inner()).unwrap();
    lines.lines().map(|line| serde_json::from_str(line).expect(line)).collect()
}

#[test]
fn parquet_holds_all_that_the_lines_do() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.parquet").to_str().unwrap().to_owned();
    // In little memory, so that there is evidence of several kinds.
    for evidence in [&[][..], &["--evidence"]] {
        let args = [&["trace", "--demo", "--memory", "2KiB"], evidence].concat();
        let mut expected = headwater(&args).rows();
        headwater(&[&args[..], &["-o", &path]].concat()).succeeded();
        // A column is there in every row, also where a line leaves the member out.
        for segment in expected.iter_mut().flat_map(|row| row["segments"].as_array_mut().unwrap()) {
            segment.as_object_mut().unwrap().entry("evidence").or_insert(Value::Null);
        }
        assert!(expected.iter().any(|row| row["segments"].as_array().unwrap().len() > 2));
        assert_eq!(rows_of_parquet(&path), expected);
    }
    // A time that is a number in the line is text in the column, and what a document lacks is null.
    let documents: String = (1..=2)
        .map(|time| {
            format!("{{\"id\":\"d{time}\",\"time\":{time},\"text\":\"one two three four five six seven eight\"}}\n")
        })
        .collect();
    with_input(&["trace", "-", "--select", "All", "-o", &path], &documents).succeeded();
    let rows = rows_of_parquet(&path);
    let segment = json!({"start": 0, "end": 39, "origin": "d1", "tokens": 8, "evidence": null});
    let copy = json!({"id": "d2", "time": "2", "url": null, "tokens": 8, "fresh_tokens": 0, "dominant_origin": "d1",
        "dominant_share": 1.0, "segments": [segment]});
    assert_eq!(rows[1], copy);
}

#[test]
fn every_input_format_gives_the_same_documents() {
    let expected: Vec<Value> = headwater(&["trace", RIVER]).rows().into_iter().take(6).collect();
    for name in ["json", "csv", "tsv", "parquet", "jsonl.gz", "jsonl.zst", "jsonl.bz2", "jsonl.xz"] {
        let rows = headwater(&["trace", &format!("testdata/formats/documents.{name}")]).rows();
        assert_eq!(rows, expected, "{name}");
    }
}

#[test]
fn standard_input_is_read_as_it_comes() {
    let river = std::fs::read_to_string(root().join(RIVER)).unwrap();
    assert_eq!(with_input(&["trace", "-"], &river).rows(), headwater(&["trace", RIVER]).rows());
}

#[test]
fn a_late_document_becomes_the_origin_from_then_on() {
    let passage = "the gauge was cut into the slate by a hand that knew how rivers behave in March";
    let document =
        |id: &str, time: &str| format!("{{\"id\":\"{id}\",\"time\":\"{time}\",\"text\":\"{id} says {passage}\"}}\n");
    let stream = document("second", "2024-02-01") + &document("first", "2024-01-01") + &document("third", "2024-03-01");
    let late = with_input(&["trace", "-"], &stream);
    assert!(late.err.contains("1 arrived later"), "{}", late.err);
    let rows = late.rows();
    assert_eq!(rows[1]["segments"].as_array().unwrap().len(), 0, "nobody had it before the first");
    assert_eq!(rows[2]["segments"][0]["origin"], "first");
    // From a file the same documents are put in order first.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("late.jsonl");
    std::fs::write(&path, &stream).unwrap();
    let ordered = headwater(&["trace", path.to_str().unwrap()]);
    assert!(ordered.err.contains("sorted by time"), "{}", ordered.err);
    let ids: Vec<Value> = ordered.rows().into_iter().map(|row| row["id"].clone()).collect();
    assert_eq!(ids, ["first", "second", "third"]);
}

/// Documents without a time at the head of a stream are of no time at all: they were taken for ones of 1970.
#[test]
fn a_document_without_a_time_keeps_its_place_before_all_that_follow() {
    let passage = "the gauge was cut into the slate by a hand that knew how rivers behave in March";
    let document = |id: &str, time: &str| format!("{{\"id\":\"{id}\"{time},\"text\":\"{id} says {passage}\"}}\n");
    let stream = document("untimed", "")
        + &document("old", ",\"time\":\"1950-01-01\"")
        + &document("behind", "")
        + &document("new", ",\"time\":\"2024-01-01\"");
    let outcome = with_input(&["trace", "-"], &stream);
    assert!(!outcome.err.contains("arrived later"), "{}", outcome.err);
    let rows = outcome.rows();
    assert_eq!(rows[0]["segments"].as_array().unwrap().len(), 0);
    for row in &rows[1..] {
        assert_eq!(row["segments"][0]["origin"], "untimed", "{row}");
    }
}

#[test]
fn code_and_sequences_are_read_their_own_way() {
    let files = ["testdata/formats/notches.rs", "testdata/formats/notches_copied.rs"];
    let code = headwater(&["trace", "--tokens", "code", files[0], files[1]]).rows();
    assert_eq!(code[1]["segments"][0]["origin"], files[0]);
    let sequences = headwater(&["trace", "--tokens", "dna", "-k", "24", "testdata/formats/sequences.fasta"]).rows();
    let segments = sequences[2]["segments"].as_array().unwrap();
    assert_eq!((segments.len(), &segments[0]["origin"]), (1, &sequences[0]["id"]));
}

#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_headwater"))
        .args(["trace", "--demo", "--format", "text"])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn markup_and_line_breaks_hide_no_copy() {
    let rows =
        headwater(&["trace", "testdata/formats/plover-gauge-1.md", "testdata/formats/plover-gauge-1.html"]).rows();
    let (page, file) = (&rows[0], &rows[1]);
    assert!(page["id"].as_str().unwrap().ends_with(".md") && file["id"].as_str().unwrap().ends_with(".html"));
    assert_eq!(file["dominant_origin"], page["id"]);
    assert!(file["fresh_tokens"].as_u64().unwrap() * 50 < file["tokens"].as_u64().unwrap(), "{file}");
}
