//! Bad input gets a clear answer, and nothing else is lost.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::program::{Outcome, headwater, with_input};

const GOOD: &str = "{\"id\":\"good\",\"time\":1,\"text\":\"one two three four five six seven eight nine\"}\n";

fn trace(input: &str) -> Outcome {
    with_input(&["trace", "-"], input)
}

#[test]
fn a_bad_record_is_named_counted_and_skipped() {
    for (bad, reason) in [
        ("not json\n", "JSON"),
        ("{\"id\":\"x\"}\n", "text"),
        ("{\"id\":\"x\",\"text\":null}\n", "text"),
        ("{\"id\":\"x\",\"text\":7}\n", "number"),
        ("{\"id\":\"x\",\"text\":\"a\",\"time\":\"yesterday\"}\n", "yesterday"),
        ("{\"id\":\"x\",\"text\":\"\\ud800 lone\"}\n", "surrogate"),
        ("[1,2,3]\n", "object"),
        ("{\"id\":\"cut off\",\"text\":\"no closing\n", "JSON"),
    ] {
        let input = format!("{GOOD}{bad}{GOOD}");
        let outcome = trace(&input);
        assert!(outcome.err.contains("-:2: ") && outcome.err.contains(reason), "{bad}: {}", outcome.err);
        assert!(outcome.err.contains("1 records skipped"), "{bad}: {}", outcome.err);
        assert_eq!(outcome.rows().len(), 2, "{bad}");
        let strict = with_input(&["trace", "--strict", "-"], &input);
        assert_eq!(strict.code, 1);
        assert!(strict.err.contains("-:2: "), "{}", strict.err);
    }
}

#[test]
fn a_failed_run_leaves_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("answers.jsonl");
    let outcome = with_input(&["trace", "--strict", "-o", path.to_str().unwrap(), "-"], &format!("{GOOD}not json\n"));
    assert_eq!(outcome.code, 1);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_missing_input_is_named() {
    let outcome = headwater(&["trace", "no/such/file.jsonl"]);
    assert_eq!(outcome.code, 1);
    assert!(outcome.err.contains("no/such/file.jsonl"), "{}", outcome.err);
}

#[test]
fn documents_at_the_edges_have_clear_answers() {
    let check = |text: &str, tokens: u64, dominant: Value| {
        let line = serde_json::json!({"id": "x", "text": text}).to_string();
        let row = trace(&line).rows().remove(0);
        assert_eq!((row["tokens"].as_u64(), row["fresh_tokens"].as_u64()), (Some(tokens), Some(tokens)), "{row}");
        assert_eq!((&row["dominant_origin"], row["segments"].as_array().map(Vec::len)), (&dominant, Some(0)), "{row}");
    };
    check("", 0, Value::Null);
    check("… — …", 0, Value::Null);
    check("five words are too few", 5, "x".into());
    check(&"again ".repeat(5000), 5000, "x".into());
    let distinct: String = (0..1_000_000).map(|number| format!("w{number} ")).collect();
    check(&distinct, 1_000_000, "x".into());
}

/// A short copy looks new because it was not compared: whoever reads the answer is told so, and gets no share of new text.
#[test]
fn a_document_without_a_shingle_is_called_too_short() {
    let few = "{\"id\":\"few\",\"time\":2,\"text\":\"one two three\"}\n";
    let enough = "{\"id\":\"enough\",\"time\":3,\"text\":\"ten eleven twelve\"}\n";
    let none = "{\"id\":\"none\",\"time\":4,\"text\":\"…\"}\n";
    let input = format!("{GOOD}{few}{enough}{none}");
    let run = |args: &[&str]| with_input(&[&["trace", "-"], args].concat(), &input);
    let text = run(&["--format", "text"]).succeeded();
    assert!(text.contains("\n9 tokens, 100 % new; an original\n"), "{text}");
    assert_eq!(text.matches("\n3 tokens; too short to compare (fewer than 8 tokens)\n").count(), 2, "{text}");
    assert!(text.contains("\n0 tokens; no words at all\n"), "{text}");
    let threes = run(&["--format", "text", "-k", "3", "--select", "All"]).succeeded();
    assert!(threes.contains("\n3 tokens, 0 % new; mostly from good (100 %)\n"), "{threes}");
    assert!(threes.contains("\n3 tokens, 100 % new; an original\n"), "{threes}");
    let page = run(&["--format", "html"]).succeeded();
    assert_eq!(page.matches("too short to compare (fewer than 8 tokens)").count(), 2, "{page}");
    assert_eq!(page.matches("\"too_short\":true").count(), 3, "{page}");
    let why = with_input(&["explain", "few", "-"], &input).succeeded();
    assert!(why.contains("\n3 tokens; too short to compare (fewer than 8 tokens)\n"), "{why}");
    assert!(run(&[]).err.contains("3 too short for a shingle"));
}

#[test]
fn identical_documents_and_the_same_id_twice() {
    let document = |id: &str| GOOD.replace("good", id);
    let rows = trace(&(document("a") + &document("b"))).rows();
    assert_eq!((&rows[1]["dominant_origin"], rows[1]["fresh_tokens"].as_u64()), (&"a".into(), Some(0)));
    let twice = trace(&(document("a") + &document("a")));
    assert!(twice.err.contains("\"a\" belongs to several documents"), "{}", twice.err);
    assert_eq!(twice.rows()[1]["fresh_tokens"], 0);
}

/// The second `a` copies nothing, and yet nobody who reads that `c` is from `a` knows which is meant.
#[test]
fn two_documents_of_one_id_are_told_of_once() {
    let other =
        GOOD.replace("good", "a").replace("one two three", "ten eleven twelve thirteen fourteen fifteen sixteen");
    let copy = GOOD.replace("good", "c");
    let input = GOOD.replace("good", "a") + &other + &copy + &other + &copy;
    let outcome = trace(&input);
    assert_eq!(outcome.err.matches("\"a\" belongs to several documents").count(), 1, "{}", outcome.err);
    assert!(!outcome.err.contains("\"c\" belongs"), "{}", outcome.err);
    let rows = outcome.rows();
    assert_eq!((rows.len(), &rows[2]["dominant_origin"]), (5, &"a".into()));
    let apart = trace(&(GOOD.to_owned() + &copy));
    assert!(!apart.err.contains("belongs to several"), "{}", apart.err);
}

/// Documents that are only asked about are nobody's origin: the same id twice does no harm.
#[test]
fn namesakes_that_are_only_asked_about_are_none() {
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("t");
    let table = table.to_str().unwrap();
    with_input(&["trace", "--memory", "64KiB", "--table", table, "-"], GOOD).succeeded();
    let ask = |id: &str| {
        let asked = GOOD.replace("good", id).repeat(2);
        with_input(&["trace", "--table", table, "--no-add", "-"], &asked).err
    };
    assert!(!ask("a").contains("belongs to several"));
    assert!(ask("good").contains("\"good\" belongs to several documents"), "its origin has its name");
}

/// Ctrl-C in the middle of a stream: no half file stays, and the exit code says so.
#[cfg(unix)]
#[test]
fn an_interrupt_leaves_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_headwater"))
        .args(["trace", "-", "--quiet", "-o"])
        .arg(folder.path().join("answers.jsonl"))
        .stdin(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let feeder = std::thread::spawn(move || while stdin.write_all(GOOD.as_bytes()).is_ok() {});
    while std::fs::read_dir(folder.path()).unwrap().count() == 0 {
        std::thread::yield_now();
    }
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    feeder.join().unwrap();
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn answers_do_not_take_the_place_of_documents() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("posts.jsonl");
    let line = "{\"text\":\"one two three four five six seven eight nine\"}\n";
    std::fs::write(&path, line).unwrap();
    let path = path.to_str().unwrap();
    for command in ["trace", "novel", "snippet", "copycats", "graph", "cluster", "inspect", "calibrate"] {
        for input in [path, folder.path().to_str().unwrap()] {
            let refused = headwater(&[command, input, "-o", path]);
            assert!(refused.code == 2 && refused.err.contains("posts.jsonl is an input"), "{command}: {}", refused.err);
            assert_eq!(std::fs::read_to_string(path).unwrap(), line);
        }
    }
}

#[test]
fn answers_do_not_take_the_place_of_the_table() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let trace = |more: &[&str]| {
        let table = ["trace", "--demo", "--quiet", "--memory", "1MiB", "--table", &at("origins")];
        headwater(&[&table, more].concat())
    };
    // Also where the table is not there yet.
    for round in 0..2 {
        for part in ["origins", "origins.names", "origins.lock"] {
            let refused = trace(&["-o", &at(part), "--format", "jsonl"]);
            assert!(refused.code == 2 && refused.err.contains("belongs to the table"), "{round}: {}", refused.err);
        }
        trace(&["-o", &at("answers.jsonl")]).succeeded();
        headwater(&["table", "verify", &at("origins")]).succeeded();
        std::fs::remove_file(at("answers.jsonl")).unwrap();
    }
}

/// Whoever follows a stream sees each answer when its document has come, not when a buffer is full.
#[test]
fn answers_to_a_live_stream_do_not_wait_for_more_of_it() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_headwater"))
        .args(["trace", "-", "--quiet", "--memory", "1MiB"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
    for number in 0..3 {
        writeln!(stdin, "{{\"id\":\"{number}\",\"text\":\"one two three four five six seven eight nine\"}}").unwrap();
        // Would wait for ever, since the stream stays open.
        assert!(answers.next().unwrap().unwrap().contains(&format!("\"id\":\"{number}\"")));
    }
    drop(stdin);
    assert!(child.wait().unwrap().success() && answers.next().is_none());
}

#[test]
fn more_memory_than_there_is_is_an_error() {
    for command in [&["trace"][..], &["novel"], &["trace", "--select", "NHs"]] {
        let refused = headwater(&[command, &["--demo", "--memory", "4000000TiB"]].concat());
        assert!(refused.code == 1 && refused.err.contains("does not give as much memory"), "{}", refused.err);
    }
}

/// As text, 1000 is a year and 999 a number: no order of the two is right, so it is said.
#[test]
fn times_of_two_kinds_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let check = |times: [&str; 3], told: bool| {
        let path = folder.path().join("posts.csv");
        let rows = times.map(|time| format!("{time},one two three four five six seven eight nine\n"));
        std::fs::write(&path, format!("time,text\n{}", rows.concat())).unwrap();
        for command in ["trace", "inspect"] {
            let Outcome { out, err, .. } = headwater(&[command, path.to_str().unwrap()]);
            assert_eq!((out + &err).contains("small whole numbers"), told, "{command} {times:?}: {err}");
        }
    };
    check(["999", "1000", "10000"], true);
    check(["20240101", "2024-01-02", "2024-01-03"], true);
    check(["997", "998", "999"], false);
    check(["1999", "2000", "2001-05-01"], false);
    check(["1700000000", "2024-01-02", "2024"], false);
}

#[test]
fn bytes_that_are_no_text_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("note.txt");
    // It says that it is UTF-8; without that it would be one of the encodings in which every byte is a letter.
    std::fs::write(&path, b"\xef\xbb\xbfone two three four five six seven eight nine \xff\x90 ten").unwrap();
    let traced = headwater(&["trace", path.to_str().unwrap()]);
    assert!(traced.err.contains("1 with bytes that are no text"), "{}", traced.err);
}
