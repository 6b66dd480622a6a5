//! The origin paper's experiment as a command.

use std::collections::{BTreeSet, HashMap};
use std::fs;

use headwater::text::{Reading, Tokens};
use serde_json::Value;

use crate::program::{headwater, root, with_input};

const RIVER: &str = "testdata/river/documents.jsonl";

fn json(args: &[&str]) -> Value {
    let mut all = vec!["eval", "origin"];
    all.extend(args);
    all.extend(["--format", "json"]);
    serde_json::from_str(&headwater(&all).succeeded()).unwrap()
}

/// The documents of the small collection in order of time, as token hashes.
fn river(min_tokens: usize) -> Vec<Vec<u64>> {
    let file = fs::read_to_string(root().join(RIVER)).unwrap();
    let mut documents: Vec<(String, Vec<u64>)> = Vec::new();
    for line in file.lines() {
        let value: Value = serde_json::from_str(line).unwrap();
        let mut tokens = Tokens::new();
        tokens.read(value["text"].as_str().unwrap(), Reading::Words).unwrap();
        documents.push((value["time"].as_str().unwrap().to_owned(), tokens.hashes().to_vec()));
    }
    documents.sort_by(|one, other| one.0.cmp(&other.0));
    documents.into_iter().map(|(_, tokens)| tokens).filter(|tokens| tokens.len() >= min_tokens).collect()
}

#[test]
fn the_answer_has_what_the_interface_promises() {
    let answer = json(&[RIVER, "--queries", "10", "--share", "34.2,3.3"]);
    for key in ["documents", "shingles", "copy_ratio", "with_dominant_origin", "self_dominant", "fresh_tokens"] {
        assert!(answer[key].is_number(), "{key}");
    }
    let rows = answer["rows"].as_array().unwrap();
    let names: Vec<(&str, &Value)> =
        rows.iter().map(|row| (row["algorithm"].as_str().unwrap(), &row["select"])).collect();
    let nhs = Value::from("NHs");
    assert_eq!(names, [("headwater", &Value::Null), ("headwater", &Value::Null), ("paper", &nhs), ("paper", &nhs)]);
    for row in rows {
        for key in ["share", "bytes", "do", "tf", "ssr"] {
            assert!(row[key].is_number(), "{key}: {row}");
        }
        let bytes = row["share"].as_f64().unwrap() / 100.0 * answer["distinct_shingles"].as_f64().unwrap() * 14.0;
        assert_eq!(row["bytes"].as_u64(), Some(bytes.round() as u64));
    }
    assert_eq!((rows[2]["evict"].as_str(), rows[2]["estimate"].as_str()), (Some("LS"), Some("BE")));
}

/// Table 1 by a recount of a few lines that shares only the tokens with it.
#[test]
fn the_facts_are_those_of_a_recount() {
    for (min_tokens, k) in [(45, 8), (1, 5)] {
        let documents = river(min_tokens);
        let (mut first, mut shingles, mut copied, mut dominated) = (HashMap::new(), 0u64, 0u64, 0u64);
        for (number, tokens) in documents.iter().enumerate() {
            let mut counts: HashMap<usize, u64> = HashMap::new();
            for shingle in tokens.windows(k) {
                let origin = *first.entry(shingle.to_vec()).or_insert(number);
                *counts.entry(origin).or_default() += 1;
                shingles += 1;
                copied += u64::from(origin != number);
            }
            let mut most: Vec<u64> = counts.into_values().collect();
            most.sort_unstable_by(|one, other| other.cmp(one));
            dominated += u64::from(!most.is_empty() && 10 * most[0] >= 11 * most.get(1).copied().unwrap_or(0));
        }
        let (minimum, length) = (min_tokens.to_string(), k.to_string());
        let answer = json(&[RIVER, "--queries", "5", "--memory", "1MiB", "--min-tokens", &minimum, "-k", &length]);
        assert_eq!(answer["documents"], documents.len());
        assert_eq!(answer["shingles"], shingles);
        assert_eq!(answer["distinct_shingles"], first.len());
        let close = |key: &str, share: f64| assert!((answer[key].as_f64().unwrap() - share).abs() < 1e-5, "{key}");
        close("copy_ratio", copied as f64 / shingles as f64);
        close("with_dominant_origin", dominated as f64 / documents.len() as f64);
    }
}

/// Three documents whose every figure can be counted by hand: b is a with two words more, c is its own.
#[test]
fn a_tiny_collection_counted_by_hand() {
    let words = |from: usize, to: usize| (from..to).map(|at| format!("w{at}")).collect::<Vec<_>>().join(" ");
    let line = |id: &str, text: &str| format!("{{\"id\":\"{id}\",\"text\":\"{text}\"}}\n");
    let input = line("a", &words(0, 50))
        + &line("b", &(words(0, 50) + " x y"))
        + &line("c", &words(100, 150))
        + &line("short", &words(0, 44));
    let args = ["eval", "origin", "-", "--queries", "2", "--select", "All", "--estimate", "NB", "--memory", "1MiB"];
    let outcome = with_input(&[&args[..], &["--format", "json"]].concat(), &input);
    let answer: Value = serde_json::from_str(&outcome.succeeded()).unwrap();
    // Shingles of eight: 43, 45 and 43; all of a's are in b, and two of b's are new.
    assert_eq!((answer["documents"].as_u64(), answer["shingles"].as_u64()), (Some(3), Some(131)));
    assert_eq!(answer["copy_ratio"].as_f64(), Some((43.0 / 131.0 * 1e6_f64).round() / 1e6));
    assert_eq!(answer["with_dominant_origin"], 1.0);
    // The queries are b, which is a's, and c, which is its own.
    assert_eq!(answer["self_dominant"], 0.5);
    assert_eq!(answer["fresh_tokens"].as_f64(), Some((52.0 / 102.0 * 1e6_f64).round() / 1e6));
    let row = &answer["rows"][0];
    assert_eq!((row["do"].as_f64(), row["tf"].as_f64(), row["ssr"].as_f64()), (Some(1.0), Some(1.0), Some(1.0)));
}

#[test]
fn ample_memory_and_every_shingle_are_the_truth() {
    let answer = json(&[RIVER, "--queries", "30", "--select", "All", "--estimate", "NB", "--memory", "64MiB"]);
    let row = &answer["rows"][0];
    assert_eq!((row["do"].as_f64(), row["tf"].as_f64(), row["ssr"].as_f64()), (Some(1.0), Some(1.0), Some(1.0)));
}

#[test]
fn threads_and_the_memory_of_the_truth_do_not_change_the_answer() {
    let args = ["--queries", "12", "--select", "NHs,All,Hb3", "--evict", "R,LS", "--share", "20,5"];
    let run = |more: &[&str]| json(&[&[RIVER][..], &args, more].concat());
    let usual = run(&[]);
    assert_eq!(usual["rows"].as_array().unwrap().len(), 12);
    for more in [["--threads", "1"], ["--threads", "2"], ["--threads", "8"], ["--truth-memory", "1KiB"]] {
        assert_eq!(run(&more), usual, "{more:?}");
    }
}

#[test]
fn lists_and_ranges_give_every_combination_once() {
    let answer = json(&[
        RIVER,
        "--queries",
        "9",
        "--algorithm",
        "headwater,paper",
        "--select",
        "NM2..4,NHs,NHs",
        "--bridge",
        "10,30",
        "--bucket",
        "8..16*2",
        "-k",
        "6,8",
        "--memory",
        "8KiB..16KiB",
    ]);
    let rows = answer["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 2 * (2 + 4 * 2 * 2 * 2));
    let different: BTreeSet<String> = rows
        .iter()
        .map(|row| format!("{} {} {} {} {}", row["select"], row["bridge"], row["bucket"], row["k"], row["bytes"]))
        .collect();
    assert_eq!(different.len(), rows.len());
}

#[test]
fn an_interrupted_run_goes_on_where_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (journal, out) = (path("done.jsonl"), path("answer.json"));
    let args = ["eval", "origin", RIVER, "--queries", "12", "--select", "NHs,NW8,4th", "--share", "20,5"];
    let whole = headwater(&[&args[..], &["--journal", &journal, "-o", &out]].concat());
    assert_eq!(whole.code, 0, "{}", whole.err);
    let expected = fs::read_to_string(&out).unwrap();
    let lines = fs::read_to_string(&journal).unwrap();
    assert_eq!(lines.lines().count(), 6, "a named journal stays");
    // Two lines are done, the third was cut short by a kill; the figure of the first shows whether it was used.
    let kept: Vec<&str> = lines.lines().collect();
    let marked = kept[0].replacen("\"do\":", "\"do\":7", 1);
    fs::write(&journal, format!("{marked}\n{}\n{}", kept[1], &kept[2][..40])).unwrap();
    let again = headwater(&[&args[..], &["--journal", &journal, "-o", &out]].concat());
    assert!(again.err.contains("2 of 6 combinations are in the journal already"), "{}", again.err);
    let resumed: Value = serde_json::from_str(&fs::read_to_string(&out).unwrap()).unwrap();
    let original: Value = serde_json::from_str(&expected).unwrap();
    assert!(resumed["rows"][0]["do"].as_f64().unwrap() > 1.0);
    assert_eq!(resumed["rows"].as_array().unwrap()[1..], original["rows"].as_array().unwrap()[1..]);
    // Other settings are other combinations.
    let other = headwater(&[&args[..], &["--journal", &journal, "-o", &out, "--min-tokens", "46"]].concat());
    assert!(!other.err.contains("in the journal already"), "{}", other.err);
    // Without a name the journal lies beside the output, and goes with the end of the run.
    fs::remove_file(&journal).unwrap();
    headwater(&[&args[..], &["-o", &out]].concat()).succeeded();
    assert_eq!(fs::read_to_string(&out).unwrap(), expected);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn the_papers_tables_in_its_layout() {
    let tables = headwater(&["eval", "origin", RIVER, "--queries", "20", "--tables=1..6,8,9,10,11,12"]).succeeded();
    for title in (1..=6).chain(8..=11).map(|number| format!("Table {number}: ")).chain(["Figure 2: ".into()]) {
        assert!(tables.contains(&title), "{title}");
    }
    for value in ["8,666,731", "(17)", "(98.8)", "(93.7)", "(163,484)", "(98.6)"] {
        assert!(tables.contains(value), "{value}");
    }
    assert!(!tables.contains('–') || tables.contains("– ("), "every cell has our value");
    let only = headwater(&["eval", "origin", RIVER, "--queries", "20", "--tables=1,2"]).succeeded();
    assert!(only.contains("Table 2") && !only.contains("Table 3"), "{only}");
}

#[test]
fn text_and_csv_say_what_json_says() {
    let args = ["eval", "origin", RIVER, "--queries", "12", "--share", "20,5"];
    let answer = json(&args[2..]);
    let csv = headwater(&[&args[..], &["--format", "csv"]].concat()).succeeded();
    let mut lines = csv.lines();
    assert!(lines.next().unwrap().starts_with("algorithm,select,evict,estimate,share,bytes,do,tf,ssr"));
    assert_eq!(lines.count(), 4);
    let text = headwater(&[&args[..], &["--format", "text"]].concat()).succeeded();
    let row = &answer["rows"][0];
    let cell = format!("{:.1}/{:.1}", row["do"].as_f64().unwrap() * 100.0, row["tf"].as_f64().unwrap() * 100.0);
    assert!(text.contains(&cell) && text.contains("NHs+LS+BE") && text.contains("overall"), "{text}");
}

#[test]
fn the_page_is_whole_and_needs_nothing_else() {
    let args = ["eval", "origin", RIVER, "--queries", "12", "--share", "20,5,1", "--format", "html"];
    let page = headwater(&args).succeeded();
    assert!(page.starts_with("<!doctype html>") && page.trim_end().ends_with("</html>"));
    for foreign in ["<link", "src=", "@import", "<script", "NaN"] {
        assert!(!page.contains(foreign), "{foreign}");
    }
    assert!(page.matches("<svg").count() >= 5 && page.contains("NHs+LS+BE"));
}

#[test]
fn what_cannot_be_meant_is_refused() {
    for (args, reason) in [
        (&["--algorithm", "headwater", "--select", "NHs"][..], "add paper to --algorithm"),
        (&["--select", "Best"], "unknown selection"),
        (&["--share", "0"], "a share above 0"),
        (&["--share", "3", "--memory", "1MiB"], "cannot be used with"),
        (&["--tables", "--select", "NHs"], "cannot be used with"),
        (&["--tables=99"], "no table 99; write numbers from 1 to 11, or 12 for Figure 2"),
        (&["--tables=0,8"], "no table 0;"),
        (&["--queries", "0"], "'0' is no number of queries; write a whole number from 1 on"),
        (&["-k", "0"], "a shingle of 0 tokens"),
        (&["--bucket", "3"], "4 to 256"),
        (&["-o", "answer.what"], "add --format"),
    ] {
        let outcome = headwater(&[&["eval", "origin", RIVER], args].concat());
        assert_eq!(outcome.code, 2, "{args:?}: {}", outcome.err);
        assert!(outcome.err.contains(reason), "{args:?}: {}", outcome.err);
    }
    let none = headwater(&["eval", "origin", RIVER, "--min-tokens", "100000"]);
    assert_eq!(none.code, 1);
    assert!(none.err.contains("--min-tokens lets shorter ones"), "{}", none.err);
}
