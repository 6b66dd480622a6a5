//! Every format in every compression.

use std::sync::Arc;

use arrow_array::{ArrayRef, Int64Array, RecordBatch, StringArray, StructArray, TimestampMillisecondArray};
use headwater_io::{Compression, Format, HtmlText, Inputs, ReadOptions};
use parquet::arrow::ArrowWriter;
use parquet::file::properties::WriterProperties;
use proptest::prelude::*;

use super::pack::{ALL, extension, pack};
use super::{Outcome, run, run_bytes};

const FIRST: &str = "the river rises in the hills";
const SECOND: &str = "and runs, \"slowly\", to the sea\nat last";

/// The same two documents, `a` and `b`, in every format that can hold both.
fn files() -> Vec<(&'static str, Vec<u8>)> {
    let jsonl = format!(
        "{{\"id\":\"a\",\"time\":\"2006-01-02\",\"url\":null,\"text\":{FIRST:?}}}\n{{\"text\":{SECOND:?},\"id\":\"b\",\"time\":1200000000}}\n"
    );
    let json = format!(
        "[ {{\"id\": \"a\",\n \"text\": {FIRST:?}, \"x\": [1, {{\"y\": \"]}}\"}}]}},\n{{\"text\":{SECOND:?},\"id\":\"b\"}}\n]\n"
    );
    let csv = format!("id,other,text\na,1,{FIRST}\r\nb,,\"{}\"\r\n", SECOND.replace('"', "\"\""));
    let tsv = format!("id\ttext\na\t{FIRST}\nb\t\"{}\"\n", SECOND.replace('"', "\"\""));
    let page = |text: &str| {
        format!(
            "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<html><body><pre>{text}</pre></body></html>"
        )
    };
    let warc = record("warcinfo", "", "", "software: x")
        + &record("response", "a", "application/http; msgtype=response", &page(FIRST))
        + &record("response", "b", "application/http; msgtype=response", &page(SECOND));
    let wet = record("warcinfo", "", "", "software: x")
        + &record("conversion", "a", "text/plain", FIRST)
        + &record("conversion", "b", "text/plain", SECOND);
    vec![
        ("x.jsonl", jsonl.into_bytes()),
        ("x.json", json.into_bytes()),
        ("x.csv", csv.into_bytes()),
        ("x.tsv", tsv.into_bytes()),
        ("x.warc", warc.into_bytes()),
        ("x.wet", wet.into_bytes()),
        ("x.parquet", parquet_of(&["a", "b"], &[FIRST, SECOND])),
    ]
}

pub(super) fn record(kind: &str, uri: &str, content_type: &str, body: &str) -> String {
    let target = if uri.is_empty() { String::new() } else { format!("WARC-Target-URI: {uri}\r\n") };
    format!(
        "WARC/1.0\r\nWARC-Type: {kind}\r\n{target}WARC-Date: 2009-04-20T01:02:03Z\r\nWARC-Record-ID: <urn:x>\r\n\
         Content-Type: {content_type}\r\nContent-Length: {}\r\n\r\n{body}\r\n\r\n",
        body.len()
    )
}

pub(super) fn parquet_of(ids: &[&str], texts: &[&str]) -> Vec<u8> {
    let columns: [(&str, ArrayRef); 3] = [
        ("id", Arc::new(StringArray::from(ids.to_vec()))),
        ("other", Arc::new(Int64Array::from_iter_values(0..ids.len() as i64))),
        ("text", Arc::new(StringArray::from(texts.to_vec()))),
    ];
    write_parquet(&RecordBatch::try_from_iter(columns).unwrap())
}

pub(super) fn write_parquet(batch: &RecordBatch) -> Vec<u8> {
    let properties = WriterProperties::builder().set_max_row_group_row_count(Some(3)).build();
    let mut writer = ArrowWriter::try_new(Vec::new(), batch.schema(), Some(properties)).unwrap();
    writer.write(batch).unwrap();
    writer.into_inner().unwrap()
}

#[track_caller]
fn check(outcome: &Outcome, name: &str) {
    assert_eq!(outcome.problems(), Vec::<String>::new(), "{name}");
    assert_eq!(outcome.texts(), [FIRST, SECOND], "{name}");
    assert_eq!(outcome.ids(), ["a", "b"], "{name}");
}

#[test]
fn every_format_in_every_compression() {
    for (name, bytes) in files() {
        for compression in ALL {
            let packed = pack(compression, &bytes);
            let name = format!("{name}{}", extension(compression));
            let outcome = run_bytes(&name, packed.clone(), &ReadOptions::default());
            check(&outcome, &name);
            let summary = outcome.summary.unwrap();
            assert_eq!(summary.compressions.keys().copied().collect::<Vec<_>>(), [compression]);
            assert_eq!(
                (summary.bytes, summary.bytes_decompressed),
                (packed.len() as u64, bytes.len() as u64),
                "{name}"
            );

            // Through a pipe, without a name that tells anything.
            let format = summary.formats.keys().next().copied();
            let outcome = run(|| piped(&packed), &ReadOptions { format, ..ReadOptions::default() });
            check(&outcome, &name);
            if !matches!(format, Some(Format::Csv | Format::Tsv)) {
                check(&run(|| piped(&packed), &ReadOptions::default()), &name);
            }
        }
    }
}

fn piped(bytes: &[u8]) -> Inputs {
    let mut inputs = Inputs::new();
    inputs.push_reader("-", std::io::Cursor::new(bytes.to_vec()));
    inputs
}

#[test]
fn packed_in_several_parts() {
    let halves = [&b"{\"id\":\"a\",\"text\":\"one "[..], b"two\"}\n{\"id\":\"b\",\"text\":\"three\"}\n"];
    for compression in [Compression::Gzip, Compression::Zstd, Compression::Bzip2, Compression::Xz] {
        let packed: Vec<u8> = halves.iter().flat_map(|half| pack(compression, half)).collect();
        assert_eq!(
            run_bytes("x.jsonl", packed, &ReadOptions::default()).texts(),
            ["one two", "three"],
            "{compression}"
        );
    }
    // Tapes and some crawlers leave zeros behind.
    let mut padded = pack(Compression::Gzip, halves.concat().as_slice());
    padded.extend([0; 100]);
    assert_eq!(run_bytes("x.jsonl", padded, &ReadOptions::default()).ids(), ["a", "b"]);
}

#[test]
fn zstd_with_the_longest_window() {
    let mut encoder = zstd::stream::write::Encoder::new(Vec::new(), 1).unwrap();
    encoder.window_log(31).unwrap();
    encoder.include_contentsize(false).unwrap();
    std::io::Write::write_all(&mut encoder, b"{\"text\":\"far back\"}\n").unwrap();
    let packed = encoder.finish().unwrap();
    assert_eq!(run_bytes("x.jsonl", packed, &ReadOptions::default()).texts(), ["far back"]);
}

#[test]
fn one_file_one_document() {
    let check = |name: &str, content: &str, text: &str| {
        for compression in ALL {
            let name = format!("{name}{}", extension(compression));
            let outcome = run_bytes(&name, pack(compression, content.as_bytes()), &ReadOptions::default());
            assert_eq!((outcome.ids(), outcome.texts()), (vec![name.as_str()], vec![text]), "{:?}", outcome.problems());
        }
    };
    check("dir/a.txt", "plain\nwords\n", "plain\nwords\n");
    check("a.md", "# title", "# title");
    check("a.rs", "fn main() {}\n", "fn main() {}\n");
    check("a.py", "", "");
    check("a.html", "<title>t</title><p>one</p><p>two</p><script>x</script>", "one\ntwo");
    check("NOTES", "no extension", "no extension");
}

#[test]
fn sequences() {
    let fasta = "; a comment\n>chr1 first one\nACGT\nacgt\n\n>chr2\r\nGG\r\nTT\r\n>\nA\n>empty";
    for compression in ALL {
        let outcome = run_bytes("x.fa", pack(compression, fasta.as_bytes()), &ReadOptions::default());
        assert_eq!(outcome.ids(), ["chr1", "chr2", "x.fa:9", "empty"]);
        assert_eq!(outcome.texts(), ["ACGTacgt", "GGTT", "A", ""]);
    }
}

#[test]
fn main_text_and_all_text() {
    let article =
        "<p>The river rises in the hills, gathers the brooks of seven valleys, and runs on, slowly, to the sea.</p>"
            .repeat(20);
    let page = format!(
        "<html><body><nav><ul><li><a href=/>Home</a><li><a href=/x>Contact</a></ul></nav><article><h1>Rivers</h1>{article}</article>\
         <footer><a href=/y>Imprint</a></footer></body></html>"
    );
    let text = |html| {
        let outcome = run_bytes("x.html", page.clone(), &ReadOptions { html, ..ReadOptions::default() });
        outcome.texts()[0].to_owned()
    };
    let (main, all) = (text(HtmlText::Main), text(HtmlText::All));
    assert!(main.contains("seven valleys") && all.contains("seven valleys"));
    assert!(!main.contains("Contact") && !main.contains("Imprint"), "{main}");
    assert!(all.starts_with("Home\nContact\nRivers\nThe river") && all.ends_with("Imprint"), "{all}");
}

#[test]
fn json_in_all_its_layouts() {
    let check = |json: &str, texts: &[&str]| {
        let outcome = run_bytes("x.json", json, &ReadOptions { format: Some(Format::Json), ..ReadOptions::default() });
        assert_eq!(outcome.texts(), texts, "{json}: {:?}", outcome.problems());
    };
    check(r#"{"text": "one"}"#, &["one"]);
    check("{\n  \"text\": \"one\"\n}\n", &["one"]);
    check(r#"{"text": "one"}{"text": "two"} {"text": "three"}"#, &["one", "two", "three"]);
    check(r#"[{"text": "one"}][{"text": "two"}]"#, &["one", "two"]);
    check("\u{feff}[{\"text\": \"one\"}]", &["one"]);
    check(r#"[{"text": "a \" ] } \\"}, {"text": "b"}]"#, &["a \" ] } \\", "b"]);
}

#[test]
fn web_archives() {
    let gzip = |body: &str| pack(Compression::Gzip, body.as_bytes());
    let raw = |kind: &str, uri: &str, content_type: &str, body: &[u8]| {
        let mut bytes = record(kind, uri, content_type, "").into_bytes();
        let head = String::from_utf8(bytes.clone())
            .unwrap()
            .replace("Content-Length: 0", &format!("Content-Length: {}", body.len()));
        bytes = head.trim_end_matches("\r\n").as_bytes().to_vec();
        bytes.extend(b"\r\n\r\n");
        bytes.extend(body);
        bytes.extend(b"\r\n\r\n");
        bytes
    };
    let http = |headers: &str, body: &[u8]| [format!("HTTP/1.1 200 OK\r\n{headers}\r\n\r\n").as_bytes(), body].concat();
    let kind = "application/http; msgtype=response";
    let chunked = b"3\r\n<p>\r\n8\r\nchunked \r\n4\r\nbody\r\n0\r\n\r\n";
    let warc = [
        raw("request", "u0", "application/http; msgtype=request", b"GET / HTTP/1.1\r\n\r\n"),
        raw("response", "u1", kind, &http("Content-Type: text/html\r\nTransfer-Encoding: chunked", chunked)),
        raw(
            "response",
            "u2",
            kind,
            &http("Content-Type: text/html\r\nContent-Encoding: gzip", &gzip("<p>packed body")),
        ),
        raw(
            "response",
            "u3",
            kind,
            &http("Content-Type: text/html\r\nContent-Encoding: gzip", b"<p>unpacked by the crawler"),
        ),
        raw("response", "u4", kind, &http("Content-Type: image/png", b"\x89PNG")),
        raw("response", "u5", kind, b"HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\n\r\n<p>nothing here"),
        raw(
            "response",
            "u6",
            kind,
            &http("Content-Type: text/html; charset=windows-1251", b"<p>\xcc\xee\xf1\xea\xe2\xe0"),
        ),
        raw("response", "u7", kind, &http("Content-Type: text/html", b"<meta charset=shift_jis><p>\x93\xfa\x96\x7b")),
        raw("resource", "<u8>", "text/html", b"<p>resource"),
        raw("conversion", "u9", "text/plain", "h\u{e9}".as_bytes()),
        raw("revisit", "u10", kind, b""),
        raw("response", "u11", kind, &http("Content-Type: text/plain", b"as it is  \n")),
    ];
    let outcome = run_bytes("x.warc", warc.concat(), &ReadOptions::default());
    assert_eq!(outcome.problems(), Vec::<String>::new());
    assert_eq!(outcome.ids(), ["u1", "u2", "u3", "u6", "u7", "u8", "u9", "u11"]);
    let texts =
        ["chunked body", "packed body", "unpacked by the crawler", "Москва", "日本", "resource", "hé", "as it is  \n"];
    assert_eq!(outcome.texts(), texts);
    let first = outcome.documents()[0];
    assert_eq!(
        (first.url.as_deref(), first.time.as_ref().unwrap().to_string()),
        (Some("u1"), "2009-04-20T01:02:03Z".into())
    );
    let passed: Vec<_> = outcome.summary.unwrap().passed_over.into_iter().collect();
    let expected = [
        ("request record", 1),
        ("response of type image/png", 1),
        ("response with status 404", 1),
        ("revisit record", 1),
    ];
    assert_eq!(passed, expected.map(|(kind, count)| (kind.to_owned(), count)));
}

#[test]
fn parquet_columns() {
    let meta = StructArray::from(vec![(
        Arc::new(arrow_schema::Field::new(
            "date",
            arrow_schema::DataType::Timestamp(arrow_schema::TimeUnit::Millisecond, None),
            true,
        )),
        Arc::new(TimestampMillisecondArray::from(vec![Some(0), Some(1500), None, Some(2000)])) as ArrayRef,
    )]);
    let columns: [(&str, ArrayRef); 3] = [
        ("key", Arc::new(Int64Array::from(vec![Some(1), None, Some(3), Some(4)]))),
        ("meta", Arc::new(meta)),
        ("body", Arc::new(StringArray::from(vec![Some("one"), Some("two"), Some("three"), None]))),
    ];
    let bytes = write_parquet(&RecordBatch::try_from_iter(columns).unwrap());
    let fields = headwater_io::Fields {
        text: "body".into(),
        id: "key".into(),
        time: "meta.date".into(),
        url: "url".into(),
        whole: false,
    };
    let outcome = run_bytes("x.parquet", bytes.clone(), &ReadOptions { fields, ..ReadOptions::default() });
    assert_eq!(outcome.ids(), ["1", "x.parquet:2", "3"]);
    let times: Vec<_> =
        outcome.documents().iter().map(|document| document.time.as_ref().map(ToString::to_string)).collect();
    assert_eq!(times, [Some("1970-01-01T00:00:00Z".into()), Some("1970-01-01T00:00:01.500000Z".into()), None]);
    assert_eq!(outcome.problems(), ["x.parquet: record 4: field \"body\" is null, not text"]);

    let outcome = run_bytes("x.parquet", bytes, &ReadOptions::default());
    assert_eq!(outcome.documents().len(), 0);
    let error = "no record has a field \"text\" with the text; the fields there are: body, key, meta.date (--text-field names the one to take)";
    assert_eq!(outcome.error(), error);
}

/// Gives a few bytes at a time.
struct Drops {
    bytes: Vec<u8>,
    at: usize,
    sizes: Vec<usize>,
    turn: usize,
}

impl std::io::Read for Drops {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let size = self.sizes[self.turn % self.sizes.len()].min(buffer.len()).min(self.bytes.len() - self.at);
        buffer[..size].copy_from_slice(&self.bytes[self.at..self.at + size]);
        self.at += size;
        self.turn += 1;
        Ok(size)
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    /// However a stream arrives, it holds the same documents and the same problems.
    #[test]
    fn batches_cut_anywhere(sizes in proptest::collection::vec(1usize..200, 1..20), file in 0usize..9) {
        let mut all: Vec<_> = files().into_iter().map(|(name, bytes)| (name.to_owned(), bytes)).collect();
        all.push(("x.fa".into(), b">a\nACGT\nAC\n>b\nGG\n\n>c\nT".to_vec()));
        all.push(("x.jsonl".into(), b"{\"text\":\"a\"}\n\nbroken\r\n{\"text\":\"caf\xe9\"}\n{\"text\":\"\xc3\xa9\\u00e9\"}".to_vec()));
        let (name, bytes) = &all[file];
        let format = run_bytes(name, bytes.clone(), &ReadOptions::default()).summary.unwrap().formats.into_keys().next();
        let options = ReadOptions { format, ..ReadOptions::default() };
        let whole = run_bytes("-", bytes.clone(), &options);
        let dropped = run(|| {
            let mut inputs = Inputs::new();
            inputs.push_reader("-", Drops { bytes: bytes.clone(), at: 0, sizes: sizes.clone(), turn: 0 });
            inputs
        }, &options);
        prop_assert_eq!(whole.events, dropped.events);
    }
}
