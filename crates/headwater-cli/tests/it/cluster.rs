//! `headwater cluster` and `headwater dedup` on the collection that comes with the program, and on edge cases.

use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::program::{headwater, with_input};

const STORY: &str = "The gauge that was found under the weir is older than any the town knew of, and a slate was beside it. \
    The masons have taken the stone to the archive, where it is to be read in the spring.";

fn pages() -> String {
    let page = |id: &str, time: u32, text: String| json!({"id": id, "time": time, "text": text}).to_string() + "\n";
    page("late", 3, format!("Home | News | Sport | Log in {STORY} Advertisement: new boots, half price"))
        + &page("other", 2, "The baths are closed until the water is back in the pool above the weir.".into())
        + &page(
            "early",
            1,
            format!("Search this site. Subscribe! {STORY} Terms, contact, imprint. The end of a page is the best."),
        )
}

fn strings(value: &Value) -> Vec<&str> {
    value.as_array().unwrap().iter().map(|value| value.as_str().unwrap()).collect()
}

#[test]
fn clusters_have_the_form_that_the_interface_promises() {
    for method in ["spotsigs", "shingles", "minhash", "lsh-s"] {
        let rows = with_input(&["cluster", "--method", method, "--threshold", "0.4", "-"], &pages()).rows();
        assert_eq!(rows, [json!({"cluster": 0, "members": ["early", "late"]})], "{method}");
        let rows = with_input(&["cluster", "--method", method, "--threshold", "0.4", "--pairs", "-"], &pages()).rows();
        assert_eq!((rows.len(), &rows[0]["a"], &rows[0]["b"]), (1, &json!("early"), &json!("late")), "{method}");
        assert!((0.4..1.0).contains(&rows[0]["similarity"].as_f64().unwrap()), "{method}");
    }
}

#[test]
fn every_method_runs_on_the_demo() {
    for method in ["auto", "spotsigs", "shingles", "minhash", "lsh-s", "imatch", "imatch-s"] {
        let outcome = headwater(&["cluster", "--demo", "--method", method]);
        assert!(outcome.err.contains("documents"), "{method}: {}", outcome.err);
        for row in outcome.rows() {
            assert!(row["members"].as_array().unwrap().len() > 1, "{method}: {row}");
        }
    }
}

/// Three documents say nothing about a collection: the usual threshold stays, and `dedup` never chooses another.
#[test]
fn the_threshold_is_told_with_its_reason() {
    for (method, usual) in [("spotsigs", "threshold 0.44, the usual one"), ("shingles", "threshold 0.5, the usual one")]
    {
        let outcome = with_input(&["cluster", "--method", method, "-"], &pages());
        assert!(outcome.err.contains(usual), "{}", outcome.err);
        let given = with_input(&["cluster", "--method", method, "--threshold", "0.3", "-"], &pages());
        let dedup = with_input(&["dedup", "--method", method, "-"], &pages());
        assert!(!given.err.contains("usual") && !dedup.err.contains("usual"), "{} {}", given.err, dedup.err);
    }
}

#[test]
fn versions_of_the_wire_report_are_one_cluster() {
    let rows = headwater(&["cluster", "--demo", "--method", "spotsigs"]).rows();
    let first = rows.iter().map(|row| strings(&row["members"])).find(|members| members.contains(&"plover-gauge-1"));
    let first = first.expect("the wire report has near-duplicates");
    assert!(first.contains(&"courier-gauge") && first.contains(&"plover-gauge-2"), "{first:?}");
}

#[test]
fn the_same_bytes_for_any_number_of_threads() {
    for args in [
        &["--method", "spotsigs"][..],
        &["--method", "minhash", "--pairs", "--threshold", "0.2"],
        &["--method", "shingles", "--pairs", "--threshold", "0.05"],
    ] {
        let run = |threads: &str| headwater(&[&["cluster", "--demo", "--threads", threads], args].concat()).succeeded();
        let one = run("1");
        assert!(!one.is_empty());
        assert_eq!((&one, &one), (&run("2"), &run("8")));
    }
}

#[test]
fn the_representative_is_the_one_asked_for() {
    let named = |which: &str| {
        let args = ["cluster", "--method", "spotsigs", "--threshold", "0.4", "--representative", which, "-"];
        with_input(&args, &pages()).rows()[0]["representative"].as_str().unwrap().to_owned()
    };
    assert_eq!(
        [named("earliest"), named("first"), named("longest"), named("central")],
        ["early", "late", "early", "early"]
    );
}

#[test]
fn dedup_keeps_one_of_each_cluster_and_logs_the_rest() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("gone.jsonl");
    let args = ["dedup", "--method", "spotsigs", "--threshold", "0.4", "--log", log.to_str().unwrap(), "-"];
    let rows = with_input(&args, &pages()).rows();
    let ids: Vec<&str> = rows.iter().map(|row| row["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["other", "early"], "in the order of the input");
    assert_eq!(rows[1]["time"], 1);
    assert!(rows[1]["text"].as_str().unwrap().starts_with("Search this site."));
    let gone: Value = serde_json::from_str(&std::fs::read_to_string(log).unwrap()).unwrap();
    assert_eq!((&gone["id"], &gone["kept"], &gone["size"]), (&json!("late"), &json!("early"), &json!(2)));
    assert!(gone["similarity"].as_f64().unwrap() >= 0.4);
}

/// A page that changes step by step: the first version and the last have nothing in common, and yet they hang together.
#[test]
fn what_hangs_together_through_others_is_logged_with_its_true_likeness() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("gone.jsonl");
    let version = |start: usize| (start..start + 40).map(|n| format!("w{n}")).collect::<Vec<_>>().join(" ");
    let versions: String =
        (0..3).map(|n| json!({"id": n.to_string(), "text": version(n * 20)}).to_string() + "\n").collect();
    let base = ["dedup", "--threshold", "0.2", "-k", "1", "--log", log.to_str().unwrap()];
    for more in [&["--method", "shingles"][..], &["--method", "shingles", "--memory", "1MiB"], &["--method", "minhash"]]
    {
        let run = with_input(&[&base[..], more, &["-"]].concat(), &versions);
        let gone: Vec<Value> =
            std::fs::read_to_string(&log).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let likeness: Vec<(&str, f64)> =
            gone.iter().map(|row| (row["id"].as_str().unwrap(), row["similarity"].as_f64().unwrap())).collect();
        assert_eq!(likeness, [("1", 1.0 / 3.0), ("2", 0.0)], "{more:?}");
        let closing =
            "1 kept, 2 gone, 1 of them less like the one that was kept than 0.2: they hang on it through others\n";
        assert!(run.err.ends_with(closing), "{}", run.err);
        assert_eq!(run.rows().len(), 1);
    }
    // Also without a log, and not where there is nothing to say.
    let silent = with_input(&["dedup", "--threshold", "0.2", "-k", "1", "--method", "shingles", "-"], &versions);
    assert!(silent.err.contains("1 of them less like"), "{}", silent.err);
    let sure = with_input(&["dedup", "--threshold", "0", "-k", "1", "--method", "shingles", "-"], &versions);
    assert!(sure.err.ends_with("1 kept, 2 gone\n"), "{}", sure.err);
}

#[test]
fn a_reference_is_never_written_and_never_gone() {
    let folder = tempfile::tempdir().unwrap();
    let reference = folder.path().join("reference.jsonl");
    std::fs::write(&reference, json!({"id": "reference", "time": 9, "text": STORY}).to_string()).unwrap();
    let args = ["dedup", "--method", "spotsigs", "--threshold", "0.4", "--against", reference.to_str().unwrap(), "-"];
    let rows = with_input(&args, &pages()).rows();
    let ids: Vec<&str> = rows.iter().map(|row| row["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["other"]);
}

#[test]
fn dedup_writes_the_format_that_it_read() {
    let csv = headwater(&["dedup", "testdata/formats/documents.csv"]).succeeded();
    assert!(csv.starts_with("id,time,url,text\n"), "{}", &csv[..60]);
    let json: Vec<Value> =
        serde_json::from_str(&headwater(&["dedup", "testdata/formats/documents.json"]).succeeded()).unwrap();
    let jsonl = headwater(&["dedup", "testdata/formats/documents.jsonl.gz"]).rows();
    assert!(!json.is_empty());
    assert_eq!(json, jsonl);
}

#[test]
fn words_of_any_language_can_be_derived() {
    // Its short words are the antecedents, its long ones what is said.
    let text = |n: u32| {
        format!(
            "ta ujuvad kalakesed on suuremad ja ta tugevad paadimehed on vanemad ja ta pikemad tammepuud on kohevad \
             siin {n} ta kaunimad laevakesed on kiiremad"
        )
    };
    let line = |n: u32| json!({"id": n.to_string(), "text": text(n)}).to_string() + "\n";
    let input: String = (0..4).map(line).collect();
    let derived = with_input(&["cluster", "--method", "spotsigs", "--language", "derive", "-"], &input).rows();
    assert_eq!(strings(&derived[0]["members"]).len(), 4);
    let english = with_input(&["cluster", "--method", "spotsigs", "--language", "en", "-"], &input);
    assert!(english.err.contains("no spot signature"), "{}", english.err);
    assert!(english.rows().is_empty());
}

#[test]
fn wrong_choices_are_told_before_anything_is_read() {
    for args in [
        &["--threshold", "1.5"][..],
        &["--threshold=-0.1"],
        &["--threshold", "nan"],
        &["--method", "best"],
        &["--language", "xx"],
        &["--bands", "9"],
        &["--method", "minhash", "--bands", "64x64"],
        &["--method", "minhash", "--permutations", "0"],
        &["--idf", "0.9,0.1"],
        &["--measure", "feeling"],
        &["-o", "answers.what"],
    ] {
        let outcome = headwater(&[&["cluster", "--demo"], args].concat());
        assert_eq!(outcome.code, 2, "{args:?}: {}", outcome.err);
    }
}

/// Whatever a record has beside its text belongs to its owner.
#[test]
fn dedup_passes_records_on_as_they_stand() {
    let text = "the river rose two metres at the gauge near the old mill and the ferry stopped for the night";
    let line = |id: u32, more: &str| {
        format!("{{\"id\": {id}, \"labels\":[1.50, \"é\"], \"meta\":{{\"a\":null}}, {more}\"text\":\"{text}\"}}\n")
    };
    let input =
        line(1, "\"source\": \"x\", ") + &line(2, "") + "{\"text\":\"other words altogether\",  \"id\":\"three\"}\n";
    let kept = with_input(&["dedup", "--method", "shingles", "-"], &input).succeeded();
    let expected: Vec<&str> = [0, 2].map(|at| input.lines().nth(at).unwrap()).to_vec();
    assert_eq!(kept.lines().collect::<Vec<_>>(), expected);
    let folder = tempfile::tempdir().unwrap();
    let array = folder.path().join("a.json");
    std::fs::write(&array, format!("[{}]", input.lines().collect::<Vec<_>>().join(",\n"))).unwrap();
    let array = array.to_str().unwrap();
    let kept: Vec<serde_json::Value> =
        serde_json::from_str(&headwater(&["dedup", "--method", "shingles", array]).succeeded()).unwrap();
    assert_eq!(kept[0]["labels"], serde_json::json!([1.50, "é"]));
    // As lines they are written anew, because an element of an array may have line ends in it.
    let lines = headwater(&["dedup", "--method", "shingles", "--format", "jsonl", array]).rows();
    assert_eq!((lines.len(), &lines[1]["id"]), (2, &serde_json::json!("three")));
}

/// Every method, every threshold, against clusters that are known.
#[test]
fn the_evaluation_of_clusters_prints_the_papers_summaries() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (truth, plot) = (path("truth.tsv"), path("f1.html"));
    std::fs::write(
        &truth,
        "weir\tplover-gauge-1\nweir\tplover-gauge-2\nbrendle\tbrendle-notice-1\nbrendle\tbrendle-notice-2\n",
    )
    .unwrap();
    let json =
        headwater(&["eval", "cluster", "--demo", "--truth", &truth, "--format", "json", "--plot", &plot]).succeeded();
    let found: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!((found["documents"].as_u64(), found["true_pairs"].as_u64()), (Some(43), Some(2)));
    let shingles = &found["contenders"][4];
    assert_eq!((shingles["name"].as_str(), shingles["scores"].as_array().unwrap().len()), (Some("8-Shingles"), 50));
    let recall: Vec<f64> =
        shingles["scores"].as_array().unwrap().iter().map(|one| one["recall"].as_f64().unwrap()).collect();
    assert!(recall[0] > 0.0 && recall.is_sorted_by(|one, next| one >= next), "{recall:?}");
    let picture = std::fs::read_to_string(plot).unwrap();
    assert!(picture.starts_with("<!doctype html>") && picture.contains("SpotSigs"), "{picture}");
    let tables = headwater(&["eval", "cluster", "--demo", "--truth", &truth, "--threshold", "0.3,0.5"]).succeeded();
    assert!(tables.contains("(0.94)") && tables.contains("relative recall"), "{tables}");
    for (content, more, reason) in [
        ("x\ty\n", "0.5", "do its ids match"),
        ("no tab\n", "0.5", "line 1 has no tab"),
        ("x\ty\n", "1.5", "is no likeness"),
    ] {
        std::fs::write(&truth, content).unwrap();
        let outcome = headwater(&["eval", "cluster", "--demo", "--truth", &truth, "--threshold", more]);
        assert!(outcome.code > 0 && outcome.err.contains(reason), "{}", outcome.err);
    }
}

#[test]
fn the_page_of_clusters_is_whole_and_needs_nothing_else() {
    let page =
        with_input(&["cluster", "--method", "spotsigs", "--threshold", "0.3", "--format", "html", "-"], &pages());
    let page = page.succeeded();
    assert!(page.starts_with("<!doctype html>") && page.trim_end().ends_with("</html>"));
    for foreign in ["<link", "src=", "@import", "fetch("] {
        assert!(!page.contains(foreign), "{foreign}");
    }
    assert!(page.contains("half price") && page.contains("Subscribe!"), "both texts are in it");
    let refused = headwater(&["cluster", "--pairs", "--demo", "--format", "html"]);
    assert_eq!(refused.code, 2);
    assert!(refused.err.contains("leave out --pairs"), "{}", refused.err);
}

#[test]
fn dedup_keeps_all_columns() {
    let folder = tempfile::tempdir().unwrap();
    let csv = folder.path().join("in.csv");
    let text = "one two three four five six seven eight nine ten eleven twelve";
    let row = |id: &str| format!("{id},\"x, y\",{text}\n");
    std::fs::write(&csv, format!("id,note,text\n{}{}", row("a"), row("b"))).unwrap();
    let csv = csv.to_str().unwrap();
    assert_eq!(headwater(&["dedup", csv]).succeeded(), format!("id,note,text\n{}", row("a")));
    let parquet = folder.path().join("in.parquet");
    headwater(&["dedup", csv, "-o", parquet.to_str().unwrap()]).succeeded();
    let again = folder.path().join("again.parquet");
    headwater(&["dedup", parquet.to_str().unwrap(), "-o", again.to_str().unwrap()]).succeeded();
    assert_eq!(headwater(&["dedup", again.to_str().unwrap(), "--format", "jsonl"]).rows()[0]["text"], text);
}

/// Of two runs that add to one index at once, one would be lost.
#[test]
fn one_run_at_a_time_adds_to_an_index() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    for command in ["cluster", "graph"] {
        let index = path(command);
        headwater(&[command, "--demo", "--index", &index]).succeeded();
        let mut first = Command::new(env!("CARGO_BIN_EXE_headwater"))
            .args([command, "-", "--index", &index])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let lock = std::fs::File::open(format!("{index}.lock")).unwrap();
        while lock.try_lock().is_ok() {
            lock.unlock().unwrap();
            std::thread::sleep(std::time::Duration::from_millis(2));
        }
        let second = headwater(&[command, "--demo", "--index", &index]);
        let why = format!("cannot use the index {index}: another process is writing to it");
        assert!(second.code == 1 && second.err.contains(&why), "{}", second.err);
        let text = "one two three four five six seven eight nine ten eleven twelve";
        let line = format!("{{\"id\":\"late\",\"text\":\"{text}\"}}\n");
        first.stdin.take().unwrap().write_all(line.as_bytes()).unwrap();
        assert!(first.wait().unwrap().success(), "{command}");
        headwater(&[command, "--demo", "--index", &index]).succeeded();
    }
}
