//! What people do with origins: `novel`, `snippet`, `copycats`, `explain`, `diff`, and the page of `trace`.

use std::collections::HashMap;

use serde_json::Value;

use crate::program::{headwater, with_input};

/// Three documents: an original, one that quotes it between sentences of its own, and a bare copy.
const STREAM: &str = concat!(
    r#"{"id":"wire","time":1,"url":"https://wire.example/1","author":"ada","text":"Masons repairing the drained weir have uncovered a slate river gauge older than any that the town knew of. It rang like a plate."}"#,
    "\n",
    r#"{"id":"post","time":2,"url":"https://www.blog.example/a","author":"ben","text":"Here is what I read today. Masons repairing the drained weir have uncovered a slate river gauge older than any that the town knew of. My uncle says that he always knew about it and nobody ever asked him."}"#,
    "\n",
    r#"{"id":"copy","time":3,"url":"https://scraper.example/9","author":"ben","text":"Masons repairing the drained weir have uncovered a slate river gauge older than any that the town knew of. It rang like a plate."}"#,
    "\n",
);

fn run(args: &[&str]) -> Vec<Value> {
    with_input(&[args, &["-"]].concat(), STREAM).rows()
}

fn by_id(rows: &[Value]) -> HashMap<&str, &Value> {
    rows.iter().map(|row| (row["id"].as_str().unwrap(), row)).collect()
}

#[test]
fn novel_keeps_what_is_new() {
    let rows = run(&["novel"]);
    let rows = by_id(&rows);
    assert!(rows["wire"]["text"].as_str().unwrap().starts_with("Masons repairing"));
    assert_eq!(rows["copy"]["text"], "");
    assert_eq!(rows["post"]["url"], "https://www.blog.example/a");
    let post = rows["post"]["text"].as_str().unwrap();
    assert!(post.starts_with("Here is what I read") && post.ends_with("nobody ever asked him."), "{post}");
    assert!(!post.contains("slate river gauge"), "{post}");
}

#[test]
fn novel_passes_on_all_that_a_record_has() {
    let record = r#"{"n":1.50,"meta":{"body":"one two three four five six seven eight nine","lang":"en"},"id":"a"}"#;
    let copy = record.replace("\"a\"", "\"b\"").replace("1.50", "[2, 3]");
    let out = with_input(&["novel", "--text-field", "meta.body", "-"], &format!("{record}\n{copy}\n")).succeeded();
    let emptied = copy.replace("one two three four five six seven eight nine", "");
    assert_eq!(out, format!("{record}\n{emptied}\n"));

    let array = "[\n{\"id\": \"a\",\n \"n\": [1,\n 2], \"text\": \"one two three four five six seven eight nine\"}]";
    let out = with_input(&["novel", "--format", "json", "-"], array).succeeded();
    let rows: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((&rows[0]["n"][1], &rows[0]["id"]), (&2.into(), &"a".into()));
}

#[test]
fn novel_leaves_no_half_sentence_and_nothing_empty_where_asked() {
    let rows = run(&["novel", "--keep-sentences", "--skip-empty"]);
    assert_eq!(rows.len(), 2);
    let post = by_id(&rows)["post"]["text"].as_str().unwrap();
    assert_eq!(
        post,
        "Here is what I read today. My uncle says that he always knew about it and nobody ever asked him."
    );
}

#[test]
fn novel_writes_the_form_that_it_read_with_all_columns() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (csv, tabs) = (path("in.csv"), path("in.tsv"));
    let rows = "lang,id,text,n\nen,a,one two three four five six seven eight nine,007\nen,b,\"ten, \"\"eleven\"\"\",\n";
    std::fs::write(&csv, rows).unwrap();
    assert_eq!(headwater(&["novel", &csv]).succeeded(), rows);
    std::fs::write(&tabs, "id\ttext\tlang\na\tone two, three\ten\n").unwrap();
    assert_eq!(headwater(&["novel", &tabs]).succeeded(), "id\ttext\tlang\na\tone two, three\ten\n");
    let as_json = headwater(&["novel", &csv, "--format", "jsonl"]).rows();
    assert_eq!((&as_json[0]["lang"], &as_json[0]["n"]), (&"en".into(), &"007".into()));

    let (parquet, again) = (path("new.parquet"), path("again.parquet"));
    headwater(&["novel", &csv, "-o", &parquet]).succeeded();
    headwater(&["novel", &parquet, "-o", &again]).succeeded();
    let refused = with_input(&["novel", "--input-format", "parquet", "-"], "PAR1");
    assert!(refused.code == 1 && refused.err.contains("not known beforehand"), "{}", refused.err);
    let again = headwater(&["novel", &again, "--format", "jsonl"]).rows();
    assert_eq!(again[0]["text"], "one two three four five six seven eight nine");
}

#[test]
fn novel_of_pages_sequences_and_archives_is_what_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let old = "one two three four five six seven eight nine ten";
    let page = |body: &str| format!("<html><head><title>t</title></head><body>{body}</body></html>");
    let (first, second) = (path("1.html"), path("2.html"));
    std::fs::write(&first, page(&format!("<p>{old}</p>"))).unwrap();
    std::fs::write(&second, page(&format!("<p>{old}</p><p>This &lt;here&gt; is new.</p>"))).unwrap();
    let new = path("new");
    std::fs::create_dir(&new).unwrap();
    headwater(&["novel", "--html", "all", "--order", "input", &first, &second, "-o", &new]).succeeded();
    let written = std::fs::read_to_string(format!("{new}{second}")).unwrap();
    assert!(
        written.starts_with("<!doctype html>") && written.contains("<p>This &lt;here&gt; is new.</p>"),
        "{written}"
    );
    assert!(!written.contains("seven"), "{written}");

    let fasta = path("in.fasta");
    std::fs::write(&fasta, ">a\nACGTACGTAC\n>b\nACGTACGTACTTTTGGGG\n").unwrap();
    let out = headwater(&["novel", "--tokens", "dna", &fasta]).succeeded();
    assert!(out.starts_with(">a\nACGTACGTAC\n>b\n") && !out.contains("ACGTACGTACTTTT"), "{out}");

    let formats = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/formats/documents.warc.gz");
    let packed = path("new.warc.gz");
    headwater(&["novel", formats, "-o", &packed]).succeeded();
    let (before, after) = (headwater(&["trace", formats]).rows(), headwater(&["trace", &packed]).rows());
    let known = |rows: &[Value]| rows.iter().map(|row| (row["id"].clone(), row["time"].clone())).collect::<Vec<_>>();
    assert_eq!(known(&before), known(&after));
    assert!(after.iter().all(|row| row["fresh_tokens"] == row["tokens"]), "{after:?}");
}

#[test]
fn novel_of_plain_text_is_plain_text() {
    let place = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = place.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let old = "one two three four five six seven eight nine ten";
    let (first, second) = (write("1.md", old), write("2.md", &format!("# New\n\n{old}\n\nAnd this is new too.\n")));
    assert_eq!(headwater(&["novel", &first]).succeeded(), old);

    let folder = place.path().join("new");
    let absent = headwater(&["novel", &first, &second, "-o", folder.to_str().unwrap()]);
    assert!(absent.code == 2 && absent.err.contains("or make a folder of that name first"), "{}", absent.err);
    std::fs::create_dir(&folder).unwrap();
    headwater(&["novel", "--order", "input", &first, &second, "-o", folder.to_str().unwrap()]).succeeded();
    let written = |path: &str| std::fs::read_to_string(folder.join(path.trim_start_matches('/'))).unwrap();
    assert_eq!((written(&first), written(&second)), (old.into(), "# New\n\nAnd this is new too.\n".into()));
    assert_eq!(headwater(&["novel", &first, &second]).rows().len(), 2, "several on one stream are rows");

    let refused = with_input(&["novel", "-", "-o", folder.to_str().unwrap()], STREAM);
    assert!(refused.code == 2 && refused.err.contains("takes plain text and pages only"), "{}", refused.err);
}

#[test]
fn snippets_show_what_is_new() {
    let rows = run(&["snippet", "--words", "8"]);
    let rows = by_id(&rows);
    assert_eq!(rows["copy"]["snippet"], Value::Null);
    let post = rows["post"]["snippet"].as_str().unwrap();
    assert!(post.starts_with("My uncle says") || post.starts_with("Here is what"), "{post}");
    let (start, end) =
        (rows["post"]["start"].as_u64().unwrap() as usize, rows["post"]["end"].as_u64().unwrap() as usize);
    let text = serde_json::from_str::<Value>(STREAM.lines().nth(1).unwrap()).unwrap();
    assert_eq!(&text["text"].as_str().unwrap()[start..end], post);
}

#[test]
fn copycats_are_named_with_their_sources() {
    let rows = run(&["copycats"]);
    let names: Vec<&str> = rows.iter().map(|row| row["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["scraper.example", "blog.example"]);
    let scraper = &rows[0];
    assert_eq!((&scraper["documents"], &scraper["copied_share"]), (&1.into(), &1.0.into()));
    assert_eq!(scraper["sources"][0]["name"], "wire.example");
    let example = &scraper["sources"][0]["examples"][0];
    assert_eq!((&example["id"], &example["origin"]), (&"copy".into(), &"wire".into()));
    assert!(example["text"].as_str().unwrap().starts_with("Masons repairing"));
}

#[test]
fn copycats_by_any_field() {
    let rows = run(&["copycats", "--by", "author", "--examples", "0"]);
    assert_eq!(rows.len(), 1);
    assert_eq!((&rows[0]["name"], &rows[0]["documents"]), (&"ben".into(), &2.into()));
    assert_eq!(rows[0]["sources"][0]["documents"], 2);
    assert_eq!(rows[0]["sources"][0]["examples"], Value::Array(vec![]));
    let nobody = with_input(&["copycats", "--format", "text", "-"], STREAM.lines().next().unwrap()).succeeded();
    assert_eq!(nobody, "nobody copies from anybody else\n");
}

#[test]
fn a_field_that_nobody_has_is_an_error_that_names_those_there_are() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("posts.jsonl");
    std::fs::write(&path, STREAM).unwrap();
    let path = path.to_str().unwrap();
    let wrong = headwater(&["copycats", "--by", "autor", path]);
    assert_eq!((wrong.code, wrong.out.as_str()), (1, ""));
    let expected = "error: no record has a field \"autor\" that says who is meant; the fields there are: author, id, text, time, \
                    url (--by names the one to take)\n";
    assert_eq!(wrong.err, expected);
    // What was piped in is gone, so whoever asks is told where to look.
    let piped = with_input(&["copycats", "--by", "autor", "-"], STREAM);
    assert_eq!(piped.code, 1);
    assert!(piped.err.contains("`headwater inspect` tells which fields there are"), "{}", piped.err);
    // One record that has it is enough; the others go by their ids.
    let some = STREAM.replacen("\"author\":\"ada\"", "\"autor\":\"ada\"", 1);
    let rows = with_input(&["copycats", "--by", "autor", "--examples", "0", "-"], &some).rows();
    let names: Vec<&str> = rows.iter().map(|row| row["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["copy", "post"]);
}

#[test]
fn an_explanation_names_the_shingles_behind_each_passage() {
    let out = with_input(&["explain", "copy", "--format", "json", "-"], STREAM).succeeded();
    let account: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(account["passages"].as_array().unwrap().len(), 1);
    let passage = &account["passages"][0];
    assert_eq!((&passage["origin"], &passage["tokens"]), (&"wire".into(), &account["tokens"]));
    assert!(!passage["hits"].as_array().unwrap().is_empty());
    assert_eq!(account["asked"]["found"].as_u64(), Some(passage["hits"].as_array().unwrap().len() as u64));

    let text = with_input(&["explain", "post", "-"], STREAM).succeeded();
    assert!(text.contains("from wire") && text.contains("in the table as that document’s"), "{text}");
    let paper = with_input(&["explain", "post", "--algorithm", "paper", "-"], STREAM).succeeded();
    assert!(paper.contains("from wire"), "{paper}");

    let missing = with_input(&["explain", "nobody", "-"], STREAM);
    assert_eq!(missing.code, 1);
    assert!(missing.err.contains("no document has the id \"nobody\""), "{}", missing.err);
}

#[test]
fn an_explanation_changes_no_table() {
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("kept.table");
    let table = table.to_str().unwrap();
    with_input(&["trace", "--table", table, "--memory", "1MiB", "-"], STREAM).succeeded();
    let before = std::fs::read(table).unwrap();
    let account = with_input(&["explain", "copy", "--table", table, "--format", "json", "-"], STREAM).succeeded();
    let account: Value = serde_json::from_str(&account).unwrap();
    assert_eq!(account["passages"][0]["origin"], "wire");
    assert_eq!(std::fs::read(table).unwrap(), before);
}

#[test]
fn two_documents_side_by_side() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let (one, two) = (
        "alpha beta gamma delta epsilon zeta eta theta iota kappa",
        "one two three four five six seven eight nine ten eleven twelve",
    );
    let a = write("a.txt", &format!("{one}. In between. {two}. End here."));
    let b = write("b.txt", &format!("Other start. {two}. {one}."));
    let answer: Value = serde_json::from_str(&headwater(&["diff", &a, &b, "--format", "json"]).succeeded()).unwrap();
    let passages = answer["passages"].as_array().unwrap();
    let seen: Vec<_> =
        passages.iter().map(|passage| (passage["tokens"].as_u64(), passage["moved"].as_bool())).collect();
    assert_eq!(seen, [(Some(10), Some(true)), (Some(12), Some(false))]);
    assert_eq!(answer["a"]["shared_tokens"], 22);

    let text = headwater(&["diff", &a, &b]).succeeded();
    assert!(text.contains("[1↕: alpha") && text.contains("[2: one two"), "{text}");
    let page = headwater(&["diff", &a, &b, "--format", "html"]).succeeded();
    assert!(page.starts_with("<!doctype html>") && page.contains("twelve"));

    let many = headwater(&["diff", "testdata/river/documents.jsonl", &b]);
    assert!(many.code == 1 && many.err.contains("holds 43 documents"), "{}", many.err);
    let named = headwater(&["diff", "plover-gauge-1", "courier-gauge", "--demo", "--format", "json"]).succeeded();
    assert!(serde_json::from_str::<Value>(&named).unwrap()["a"]["shared_tokens"].as_u64().unwrap() > 300);
    let unknown = headwater(&["diff", "plover-gauge-1", "nobody", "--demo"]);
    assert!(unknown.code == 1 && unknown.err.contains("no document has the id \"nobody\""), "{}", unknown.err);
}
