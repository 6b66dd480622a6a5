//! Sizes that would exhaust the machine, were they believed.

use std::io::Read;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use arrow_array::{ArrayRef, DictionaryArray, RecordBatch, StringArray, types::Int32Type};
use headwater_io::{Compression, Event, Format, Inputs, ReadOptions};

use super::formats::record;
use super::pack::pack;
use super::{run, run_bytes};

/// Small enough that a generated file is far above it: a record may then hold 4 * 1000 + 1 MiB.
const MAX: usize = 1000;
const RECORD: usize = 4 * MAX + (1 << 20);

fn options(format: Option<Format>) -> ReadOptions {
    ReadOptions { max_document: MAX, format, ..ReadOptions::default() }
}

/// A stream that is made up as it is read: `head`, then `fill` again and again, then `tail`.
struct Endless {
    parts: Vec<(Vec<u8>, usize)>,
    at: usize,
}

impl Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        while let Some((bytes, times)) = self.parts.first_mut() {
            if *times == 0 || bytes.is_empty() {
                self.parts.remove(0);
                self.at = 0;
                continue;
            }
            let rest = &bytes[self.at..];
            let count = rest.len().min(buffer.len());
            buffer[..count].copy_from_slice(&rest[..count]);
            self.at += count;
            if self.at == bytes.len() {
                self.at = 0;
                *times -= 1;
            }
            return Ok(count);
        }
        Ok(0)
    }
}

fn endless(head: &str, fill: &str, tail: &str) -> Endless {
    let fill = fill.repeat(64 << 10).into_bytes();
    let times = (40 << 20) / fill.len();
    Endless { parts: vec![(head.into(), 1), (fill, times), (tail.into(), 1)], at: 0 }
}

/// A record of 40 MB between two good ones is refused with its place, and the good ones are read; what is held of it is the limit at most.
#[test]
fn endless_records() {
    let check = |format: Format, head: &str, fill: &str, tail: &str, ids: &[&str], place: &str, what: &str| {
        let outcome = run(
            || {
                let mut inputs = Inputs::new();
                inputs.push_reader("-", endless(head, fill, tail));
                inputs
            },
            &options(Some(format)),
        );
        assert_eq!(outcome.ids(), ids, "{format}");
        let problems = outcome.problems();
        assert_eq!(problems.len(), 1, "{format} {problems:?}");
        assert!(problems[0].starts_with(&format!("-{place}: ")), "{format} {problems:?}");
        assert!(
            problems[0].contains(&format!(
                "{what} is longer than {RECORD} bytes, too long for a document of at most {MAX} bytes"
            )),
            "{problems:?}"
        );
    };
    let (a, b) = ("{\"id\":\"a\",\"text\":\"t\"}\n", "\"}\n{\"id\":\"b\",\"text\":\"t\"}\n");
    check(Format::Jsonl, &format!("{a}{{\"text\":\""), "x", b, &["a", "b"], ":2", "line");
    let (a, b) = ("[{\"id\":\"a\",\"text\":\"t\"},", "\"},{\"id\":\"b\",\"text\":\"t\"}]");
    check(Format::Json, &format!("{a}{{\"text\":\""), "x\\\"", b, &["a", "b"], ": record 2", "element");
    check(Format::Csv, "id,text\na,t\nx,", "x", "\nb,t\n", &["a", "b"], ":3", "row");
    check(Format::Fasta, ">a\nAC\n>x\n", "ACGT\n", ">b\nGT\n", &["a", "b"], ":3", "sequence");
    check(Format::Csv, "id,text\na,t\nx,\"unclosed", "x", "", &["a"], ":3", "quoted field is not closed: row");
}

/// Quotes that open on every line and are never closed are not followed to the end again and again, which would take minutes.
/// Lines without any are still read, wherever they stand.
#[test]
fn quotes_that_never_close() {
    let bad = format!("x\"{},\"\n", "y ".repeat(30)).repeat(50_000);
    let csv = || format!("id,text\na,t\n{bad}b,t\nc,t\n{bad}d,t\nx\"y,\"");
    // At the end of the file, and far before it.
    for max_document in [16 << 20, MAX] {
        let outcome = run_bytes("x.csv", csv(), &ReadOptions { max_document, ..ReadOptions::default() });
        assert_eq!(outcome.ids(), ["a", "b", "c", "d"]);
        let problems = outcome.problems();
        assert_eq!(problems.len(), 100_001);
        let lines = problems.iter().map(|problem| problem.split(':').nth(1).unwrap().parse::<u64>().unwrap());
        assert!(lines.eq((3..=50_002).chain(50_005..=100_004).chain([100_006])), "every line is named");
    }
    // The header is looked for in the same way.
    let outcome = run_bytes("x.csv", format!("{bad}id,text\na,t\n{bad}"), &ReadOptions::default());
    assert_eq!((outcome.ids(), outcome.problems().len()), (vec!["a"], 100_000));
}

#[test]
fn an_endless_file() {
    let inputs = |format: &str| {
        let mut inputs = Inputs::new();
        inputs.push_reader(&format!("x.{format}"), endless("", "word ", ""));
        inputs
    };
    for format in ["txt", "html"] {
        let outcome = run(|| inputs(format), &options(None));
        assert!(
            outcome.problems()[0].starts_with(&format!("x.{format}: file is longer than {RECORD} bytes")),
            "{:?}",
            outcome.problems()
        );
    }
}

#[test]
fn text_just_above_the_limit() {
    let line = |length: usize| format!("{{\"text\":\"{}\"}}", "x".repeat(length));
    assert_eq!(run_bytes("x.jsonl", line(MAX), &options(None)).documents().len(), 1);
    let problems = run_bytes("x.jsonl", line(MAX + 1), &options(None)).problems();
    assert_eq!(problems, ["x.jsonl:1: text of 1001 bytes is longer than the limit of 1000 bytes for one document"]);
    let problems = run_bytes("x.txt", "x".repeat(MAX + 1), &options(None)).problems();
    assert_eq!(problems, ["x.txt: text of 1001 bytes is longer than the limit of 1000 bytes for one document"]);
}

/// What a bomb unpacks to is read through, not held: two good lines around one of 40 MB, in every compression.
#[test]
fn bombs() {
    let mut bomb = b"{\"id\":\"a\",\"text\":\"t\"}\n{\"text\":\"".to_vec();
    bomb.resize(40 << 20, b'x');
    bomb.extend(b"\"}\n{\"id\":\"b\",\"text\":\"t\"}\n");
    for compression in [Compression::Gzip, Compression::Zstd, Compression::Bzip2, Compression::Xz] {
        let packed = pack(compression, &bomb);
        assert!(packed.len() < 1 << 20);
        let mut inputs = Inputs::new();
        inputs.push_bytes("x.jsonl", packed);
        let largest = AtomicUsize::new(0);
        let mut problems = 0;
        let options = ReadOptions { threads: 2, ..options(None) };
        let summary = headwater_io::read(
            &inputs,
            &options,
            |document| largest.fetch_max(document.text.len(), Ordering::Relaxed),
            |event| {
                problems += usize::from(matches!(event, Event::Problem(_)));
                Ok::<(), ()>(())
            },
        );
        assert_eq!((summary.unwrap().documents, problems, largest.into_inner()), (2, 1, 1), "{compression}");
    }
}

#[test]
fn a_page_in_an_archive_that_unpacks_without_end() {
    let body = pack(Compression::Gzip, &vec![b' '; 8 << 20]);
    let mut http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\n\r\n".to_vec();
    http.extend(body);
    let head = record("response", "x", "application/http", "")
        .replace("Content-Length: 0", &format!("Content-Length: {}", http.len()));
    let mut warc = head.trim_end().as_bytes().to_vec();
    warc.extend(b"\r\n\r\n");
    warc.extend(http);
    warc.extend(b"\r\n\r\n");
    warc.extend(record("conversion", "b", "text/plain", "t").as_bytes());
    let outcome = run_bytes("x.warc", warc, &options(None));
    assert_eq!(outcome.problems(), [format!("x.warc: byte 0: body unpacks to more than {RECORD} bytes")]);
    assert_eq!(outcome.ids(), ["b"]);
}

/// One entry of a dictionary, two thousand times: two gigabytes of text in one megabyte.
#[test]
fn a_dictionary_that_multiplies() {
    let long = "x".repeat(1 << 20);
    let rows = 2000;
    let texts: DictionaryArray<Int32Type> =
        DictionaryArray::new(vec![0; rows].into(), Arc::new(StringArray::from(vec![long])));
    let columns: [(&str, ArrayRef); 1] = [("text", Arc::new(texts))];
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    // Above the usual limit the writer would write the entry out for every row.
    let properties =
        parquet::file::properties::WriterProperties::builder().set_dictionary_page_size_limit(4 << 20).build();
    let bytes = {
        let mut writer = parquet::arrow::ArrowWriter::try_new(Vec::new(), batch.schema(), Some(properties)).unwrap();
        writer.write(&batch).unwrap();
        writer.into_inner().unwrap()
    };
    let mut inputs = Inputs::new();
    inputs.push_bytes("x.parquet", bytes);
    let mut problems = 0;
    let result = headwater_io::read(
        &inputs,
        &options(None),
        |_| (),
        |event| {
            problems += usize::from(matches!(event, Event::Problem(_)));
            Ok::<(), ()>(())
        },
    );
    assert!(result.is_err());
    assert_eq!(problems, rows);
}

/// Pages that are small on disk and without bound as a tree.
#[test]
fn pages_that_explode() {
    let fonts: String = (0..20_000).map(|size| format!("<font size={size}><p>")).collect();
    let check = |html: String| {
        let outcome = run_bytes("x.html", html, &ReadOptions { max_document: 64 << 20, ..ReadOptions::default() });
        assert_eq!(outcome.texts(), ["end"]);
    };
    // As deep as an article may be.
    check("<div>".repeat(380) + "end");
    check(fonts + "end");
    check("<div>".repeat(500_000) + "end");
    check("<span><div></span></div>".repeat(20_000) + "end");
    check("<table><tr><td>".repeat(50_000) + "end");
    check("<svg><g>".repeat(50_000) + &"</svg>".repeat(50_000) + "end");
    check("<select><option>".repeat(50_000) + "end");
    check("<a href=x><b>".repeat(50_000) + "end");
}
