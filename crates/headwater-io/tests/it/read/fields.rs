//! Which fields of a record make a document.

use headwater_io::{Fields, ReadOptions};

use super::{Outcome, run_bytes};

fn with_fields(text: &str, id: &str, time: &str, url: &str) -> ReadOptions {
    let fields = Fields { text: text.into(), id: id.into(), time: time.into(), url: url.into(), whole: false };
    ReadOptions { fields, ..ReadOptions::default() }
}

fn read(json: &str, options: &ReadOptions) -> Outcome {
    run_bytes("x.jsonl", json, options)
}

#[test]
fn dotted_paths() {
    let options = with_fields("body.text", "meta.id.name", "meta.date", "url");
    let check = |json: &str, text: &str, id: &str| {
        let outcome = read(json, &options);
        assert_eq!((outcome.texts(), outcome.ids()), (vec![text], vec![id]), "{json}: {:?}", outcome.problems());
    };
    check(r#"{"body":{"text":"t"},"meta":{"id":{"name":"n"},"date":"2006"}}"#, "t", "n");
    check(r#"{"body.text":"literal","body":{"text":"t"}}"#, "literal", "x.jsonl:1");
    check(r#"{"body":{"text":"t"},"body.text":"literal"}"#, "literal", "x.jsonl:1");
    check(r#"{"body":{"text":"t"},"meta.id":{"name":"half literal"},"meta":{"id":{"name":"n"}}}"#, "t", "half literal");
    check(r#"{"body":{"text":"t","x":{"text":"other"}},"meta":{"id.name":"n"}}"#, "t", "n");
    check(r#"{"b\u006fdy":{"te\u0078t":"escaped keys"}}"#, "escaped keys", "x.jsonl:1");
    let outcome = read(r#"{"body":"not an object"}"#, &options);
    assert_eq!(outcome.problems(), ["x.jsonl:1: no field \"body.text\" with the text"]);
}

#[test]
fn one_field_for_two_purposes() {
    let outcome = read(r#"{"text":"t","url":"https://example.org/"}"#, &with_fields("text", "url", "time", "url"));
    let document = outcome.documents()[0];
    assert_eq!((document.id.as_str(), document.url.as_deref()), ("https://example.org/", Some("https://example.org/")));
}

#[test]
fn ids_of_all_kinds() {
    let check = |id: &str, expected: &str| {
        let outcome = read(&format!("{{\"id\":{id},\"text\":\"t\"}}"), &ReadOptions::default());
        assert_eq!(outcome.ids(), [expected], "{:?}", outcome.problems());
    };
    check("\"name\"", "name");
    check("\"\"", "");
    check("3", "3");
    check("-3.50", "-3.50");
    check("123456789012345678901234567890", "123456789012345678901234567890");
    check("null", "x.jsonl:1");
    check("\"tab\\tand \\u00e9\"", "tab\tand é");
}

#[test]
fn times_of_all_kinds() {
    let check = |time: &str, expected: Option<(i64, &str)>| {
        let outcome = read(&format!("{{\"time\":{time},\"text\":\"t\"}}"), &ReadOptions::default());
        let time = outcome.documents()[0].time.as_ref().map(|time| (time.micros(), time.to_string()));
        assert_eq!(time, expected.map(|(seconds, text)| (seconds * 1_000_000, text.to_owned())));
    };
    check("null", None);
    check("2006", Some((2006, "2006")));
    check("\"2006\"", Some((1_136_073_600, "2006")));
    check("\"20060102\"", Some((20_060_102, "20060102")));
    check("\"2006-01-02\"", Some((1_136_160_000, "2006-01-02")));
    check("\"2006-01-02 03:04:05\"", Some((1_136_171_045, "2006-01-02 03:04:05")));
    check("\"2006-01-02T03:04:05+01:00\"", Some((1_136_167_445, "2006-01-02T03:04:05+01:00")));
    check("-5", Some((-5, "-5")));
}

#[test]
fn escapes() {
    let check = |escaped: &str, text: &str| {
        let outcome = read(&format!("{{\"text\":\"{escaped}\"}}"), &ReadOptions::default());
        assert_eq!(outcome.texts(), [text], "{:?}", outcome.problems());
    };
    check(r"a\nb\tc\rd\be\ff\/g\\h\q".trim_end_matches(r"\q"), "a\nb\tc\rd\u{8}e\u{c}f/g\\h");
    check(r"\u0000\u001f\u00e9\u4e2d\ud83d\ude00", "\0\u{1f}é中😀");
    check("é中😀\u{7f}", "é中😀\u{7f}");
}

#[test]
fn what_no_record_has_is_named() {
    let outcome =
        read("{\"title\":\"t\",\"body\":{\"content\":\"c\",\"n\":1}}\n{\"title\":\"t\"}\n", &ReadOptions::default());
    let error = "no record has a field \"text\" with the text; the fields there are: body, body.content, title (--text-field names the one to take)";
    assert_eq!(outcome.error(), error);
    assert_eq!(outcome.problems().len(), 2);

    let outcome = run_bytes("x.csv", "title,body\na,b\nc,d\n", &ReadOptions::default());
    let error = "no record has a field \"text\" with the text; the fields there are: body, title (--text-field names the one to take)";
    assert_eq!(outcome.error(), error);
    assert_eq!(outcome.problems(), ["x.csv:1: no field \"text\" with the text"]);

    assert_eq!(run_bytes("x.jsonl", "\n", &ReadOptions::default()).error(), "no documents in 1 bytes of input");
}

#[test]
fn fields_are_counted() {
    let outcome =
        read("{\"text\":\"t\",\"a\":1}\n{\"b\":2,\"text\":\"t\"}\n{\"text\":\"t\",\"a\":1}\n", &ReadOptions::default());
    let expected = [("a", 2), ("b", 1), ("text", 3)].map(|(name, count)| (name.to_owned(), count));
    assert_eq!(outcome.summary.unwrap().fields, expected);
}
