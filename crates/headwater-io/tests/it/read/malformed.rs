//! Every way to be wrong is named with its place, and what stands around it is read.

use headwater_io::{Compression, Inputs, Order, ReadOptions, read};

use super::formats::{parquet_of, record};
use super::pack::pack;
use super::run_bytes;

/// Reads `bytes` and compares ids and problems.
#[track_caller]
fn check(name: &str, bytes: impl Into<Vec<u8>>, ids: &[&str], problems: &[&str]) {
    let outcome = run_bytes(name, bytes, &ReadOptions::default());
    assert_eq!(
        (outcome.ids().as_slice(), outcome.problems().as_slice()),
        (ids, problems.iter().map(ToString::to_string).collect::<Vec<_>>().as_slice())
    );
}

#[test]
fn json_lines() {
    check(
        "x.jsonl",
        b"{\"id\":\"a\",\"text\":\"t\"}\n\n  \nnot json\n{\"id\":\"b\"}\n{\"id\":\"c\",\"text\":null}\n{\"id\":\"d\",\"text\":7}\n[1]\n\
          {\"id\":\"e\",\"time\":\"yesterday\",\"text\":\"t\"}\n{\"id\":\"f\",\"text\":\"caf\xe9\"}\n{\"id\":\"g\",\"text\":\"\\ud800 lone\"}\n\
          {\"id\":\"h\",\"text\":\"t\"} x\n{\"id\":[],\"text\":\"t\"}\n{\"url\":1,\"text\":\"t\"}\n{\"id\":\"i\",\"text\":\"t\"}\n{\"id\":\"j\",\"text\":\"cut"
            .as_slice(),
        &["a", "i"],
        &[
            "x.jsonl:4: broken JSON: expected ident at column 2",
            "x.jsonl:5: no field \"text\" with the text",
            "x.jsonl:6: field \"text\" is null, not text",
            "x.jsonl:7: field \"text\" is a number, not text",
            "x.jsonl:8: not a JSON object",
            "x.jsonl:9: field \"time\" is \"yesterday\", which is no time",
            "x.jsonl:10: invalid UTF-8 at column 22",
            "x.jsonl:11: broken JSON: a lone surrogate \\ud800",
            "x.jsonl:12: broken JSON: trailing characters at column 23",
            "x.jsonl:13: field \"id\" is an array, not a name",
            "x.jsonl:14: field \"url\" is a number, not an address",
            "x.jsonl:16: broken JSON: EOF while parsing a string at column 21",
        ],
    );
}

#[test]
fn json_arrays() {
    check(
        "x.json",
        "[{\"id\":\"a\",\"text\":\"t\"}, {\"text\" 1}, 7, [1], \"s\", {\"id\":\"b\",\"text\":\"t\"}, {\"text\":}]",
        &["a", "b"],
        &[
            "x.json: record 2: broken JSON: expected `:` at column 9",
            "x.json: record 3: not a JSON object",
            "x.json: record 4: not a JSON object",
            "x.json: record 5: not a JSON object",
            "x.json: record 7: broken JSON: expected value at column 9",
        ],
    );
    check(
        "x.json",
        "[{\"id\":\"a\",\"text\":\"t\"},",
        &["a"],
        &["x.json: record 2: broken JSON: the array is not closed before the end of the file"],
    );
    check(
        "x.json",
        "[{\"id\":\"a\",\"text\":\"t\"}, {\"text\":\"cut",
        &["a"],
        &["x.json: record 2: broken JSON: EOF while parsing a string at column 12"],
    );
    check(
        "x.json",
        "[{\"id\":\"a\",\"text\":\"t\"}}, {\"id\":\"b\",\"text\":\"t\"}]",
        &["a", "b"],
        &["x.json: record 2: broken JSON: expected value at column 1"],
    );
    // Closing brackets that are missing or wrong: one record is lost, and none behind it.
    let objects: String = (0..1000).map(|id| format!(",{{\"id\":\"{id}\",\"text\":\"t\",\"n\":[{{}},[]]}}")).collect();
    let ids: Vec<String> = (0..1000).map(|id| id.to_string()).collect();
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    for (broken, what) in [
        ("{\"text\":[\"x\"}", "expected `,` or `]` at column 13"),
        ("{\"text\":{\"x\":[1,[2,{\"y\":3}}", "expected `,` or `]` at column 27"),
        ("{\"meta\":{\"x\":1},\"text\":\"x\" ", "EOF"),
        ("{\"text\":\"x\", \"meta\":{\"x\":{}}", "EOF"),
    ] {
        let outcome = run_bytes("x.json", format!("[{broken}{objects}]"), &ReadOptions::default());
        assert_eq!(outcome.ids(), ids, "{broken}");
        let problems = outcome.problems();
        assert_eq!(problems.len(), 1, "{broken} {problems:?}");
        assert!(
            problems[0].starts_with("x.json: record 1: broken JSON: ") && problems[0].contains(what),
            "{problems:?}"
        );
        let outcome = run_bytes("x.json", format!("[{}, {broken}]", &objects[1..]), &ReadOptions::default());
        assert_eq!(outcome.ids(), ids, "{broken}");
    }
    let outcome = run_bytes("x.json", format!("[{{\"text\":\"x\"]}}{objects}]"), &ReadOptions::default());
    assert_eq!((outcome.ids(), outcome.problems().len()), (ids, 2));
    check("x.json", "[{\"id\":\"a\",\"text\":\"t\"} {\"id\":\"b\",\"text\":\"t\"}]", &["a", "b"], &[]);
    // What stands behind may belong to the list that is not closed: that it is lost is said.
    check(
        "x.json",
        "[{\"id\":\"a\",\"text\":\"t\"},{\"text\":[\"x\",{\"id\":\"b\",\"text\":\"t\"}]\n",
        &["a"],
        &[
            "x.json: record 2: broken JSON: a bracket of this element is not closed: the 36 bytes from it to the end of the file \
           are skipped, with all elements in them",
        ],
    );
    // Closing brackets that nothing opened.
    check(
        "x.json",
        "]\n{\"id\":\"a\",\"text\":\"t\"}\n}",
        &["a"],
        &[
            "x.json: record 1: broken JSON: expected value at column 1",
            "x.json: record 3: broken JSON: expected value at column 1",
        ],
    );
}

#[test]
fn csv() {
    check(
        "x.csv",
        b"id,text\na,t\nb\nc,t,more\n\nd,\"two\nlines\"\ne,caf\xe9\nf,5\" disk\ng,\"unclosed\nh,t\n".as_slice(),
        &["a", "d", "f", "h"],
        &[
            "x.csv:3: row has 1 fields, the header 2",
            "x.csv:4: row has 3 fields, the header 2",
            "x.csv:8: invalid UTF-8 in field 2, byte 4",
            "x.csv:10: quoted field is not closed before the end of the file",
        ],
    );
    check("x.csv", "\u{feff}id,text,time\n,t,\nb,,2006\n", &["x.csv:2", "b"], &[]);
    assert_eq!(run_bytes("x.csv", "id,text\n", &ReadOptions::default()).error(), "no documents in 8 bytes of input");
}

#[test]
fn fasta() {
    check(
        "x.fa",
        b"ACGT\nAC\n>a\nAC\xff\n>b\nGT\n".as_slice(),
        &["b"],
        &["x.fa:1: a sequence without a header line that begins with >", "x.fa:3: invalid UTF-8"],
    );
}

#[test]
fn web_archives() {
    let good = |id: &str| record("conversion", id, "text/plain", "t");
    let at = |place: usize, what: &str| format!("x.wet: byte {place}: {what}");
    let (a, b) = (good("a"), good("b"));

    let wrong = good("x").replace("Content-Length: 1", "Content-Length: many");
    check("x.wet", format!("{a}{wrong}{b}"), &["a", "b"], &[&at(a.len(), "not the header of a WARC record")]);
    let wrong = good("x").replace("Content-Length: 1\r\n", "");
    check(
        "x.wet",
        format!("{a}{wrong}{b}"),
        &["a", "b"],
        &[&at(a.len(), "header of a WARC record without Content-Length")],
    );
    let wrong = good("x").replace("WARC-Date: ", "no colon\r\nWARC-Date: ");
    check(
        "x.wet",
        format!("{a}{wrong}{b}"),
        &["a", "b"],
        &[&at(a.len(), "header of a WARC record with a line that is none: no colon")],
    );
    let wrong = good("x").replace("2009-04-20T01:02:03Z", "once upon a time");
    check(
        "x.wet",
        format!("{a}{wrong}{b}"),
        &["a", "b"],
        &[&at(a.len(), "field \"time\" is \"once upon a time\", which is no time")],
    );
    // Too short: the rest of the body is no header.
    let wrong = record("conversion", "x", "text/plain", "two words").replace("Content-Length: 9", "Content-Length: 3");
    let place = a.len() + wrong.len() - " words\r\n\r\n".len() + 1;
    check("x.wet", format!("{a}{wrong}{b}"), &["a", "x", "b"], &[&at(place, "not the header of a WARC record")]);
    // Too long: the file ends inside.
    let wrong = good("x").replace("Content-Length: 1", "Content-Length: 1000000");
    check(
        "x.wet",
        format!("{a}{wrong}{b}"),
        &["a"],
        &[&at(a.len(), &format!("record says that it has 1000000 bytes; the file ends after {} of them", 5 + b.len()))],
    );
    let wrong = good("x").replace("Content-Length: 1", "Content-Length: 10000000000000000");
    let outcome = run_bytes("x.wet", format!("{a}{wrong}{b}"), &ReadOptions::default());
    assert_eq!(outcome.ids(), ["a", "b"]);
    assert!(
        outcome.problems()[0].contains("record says that it has 10000000000000000 bytes: it is longer than"),
        "{:?}",
        outcome.problems()
    );
    // Cut inside a header; garbage before the first record; HTTP that is none.
    check(
        "x.wet",
        format!("{a}WARC/1.0\r\nWARC-Type: conv"),
        &["a"],
        &[&at(a.len(), "not a WARC record: no header ends within 65536 bytes")],
    );
    check("x.wet", format!("garbage\r\n\r\n{a}"), &["a"], &[&at(0, "not the header of a WARC record")]);
    let wrong = record("response", "x", "application/http", "no HTTP at all\r\n\r\n");
    check("x.wet", format!("{wrong}{b}"), &["b"], &[&at(0, "broken HTTP headers: invalid HTTP version")]);
    let wrong = record("response", "x", "application/http", "HTTP/1.1 200 OK\r\nA: b");
    check("x.wet", format!("{wrong}{b}"), &["b"], &[&at(0, "HTTP headers are cut short")]);
}

#[test]
fn parquet() {
    let good = parquet_of(&["a", "b", "c", "d", "e", "f"], &["1", "2", "3", "4", "5", "6"]);
    let starts_with = |bytes: Vec<u8>, start: &str| {
        let outcome = run_bytes("x.parquet", bytes, &ReadOptions::default());
        assert!(outcome.problems().iter().any(|problem| problem.starts_with(start)), "{:?}", outcome.problems());
    };
    check("x.parquet", "no such thing", &[], &["x.parquet: not a Parquet file"]);
    starts_with(good[..good.len() - 20].to_vec(), "x.parquet: broken Parquet file: ");
    starts_with(b"PAR1".to_vec(), "x.parquet: broken Parquet file: ");
    starts_with([b"PAR1".as_slice(), &[0xff; 100], b"PAR1"].concat(), "x.parquet: broken Parquet file: ");
    // The first page of the first group: the second group is read all the same.
    let mut broken = good.clone();
    broken[4] = 0xff;
    let outcome = run_bytes("x.parquet", broken, &ReadOptions::default());
    assert_eq!(outcome.ids(), ["d", "e", "f"]);
    assert_eq!(outcome.problems(), ["x.parquet: record 1: broken Parquet file: no page at byte 4; 3 rows are skipped"]);
    // The first page is the dictionary of the ids: its kind, both sizes, then its number of values.
    let head = [0x15, 0x04, 0x15, 0x1e, 0x15, 0x1e, 0x4c, 0x15, 0x06];
    assert_eq!(good[4..13], head);
    let claims = |claim: &[u8], what: &str| {
        // The claim is longer than the truth; what it covers is never looked at.
        let mut lying = good.clone();
        lying[4..4 + claim.len()].copy_from_slice(claim);
        let problems = run_bytes("x.parquet", lying, &ReadOptions::default()).problems();
        assert!(problems[0].contains(what), "{problems:?}");
    };
    let most = [0xfe, 0xff, 0xff, 0xff, 0x0f];
    claims(
        &[&head[..3], &most, &head[4..]].concat(),
        "the page at byte 4 unpacks to 2147483647 bytes, with its neighbours more than 536870912",
    );
    claims(&[&head[..8], &most].concat(), "the dictionary at byte 4 claims 2147483647 values in 15 bytes");
}

/// Any single byte of a Parquet file may be wrong.
#[test]
fn parquet_with_one_wrong_byte() {
    let good = parquet_of(&["a", "b", "c", "d"], &["one", "two", "three", "four"]);
    for place in 0..good.len() {
        let mut bad = good.clone();
        bad[place] ^= 0xff;
        let mut inputs = Inputs::new();
        inputs.push_bytes("x.parquet", bad);
        let options = ReadOptions { threads: 1, order: Order::Input, ..ReadOptions::default() };
        // Whatever comes out: it comes out.
        let _ = read(&inputs, &options, |_| (), |_| Ok::<(), ()>(()));
    }
}

#[test]
fn damaged_compression() {
    let lines: String =
        (0..40_000).map(|number| format!("{{\"id\":{number},\"text\":\"number {number}\"}}\n")).collect();
    for compression in [Compression::Gzip, Compression::Zstd, Compression::Bzip2, Compression::Xz] {
        let packed = pack(compression, lines.as_bytes());
        let half = packed[..packed.len() * 3 / 4].to_vec();
        let outcome = run_bytes("x.jsonl", half, &ReadOptions::default());
        let (documents, problems) = (outcome.documents().len(), outcome.problems());
        assert!(documents > 0, "{compression}: what stands before the damage is kept");
        assert_eq!(problems.len(), 1, "{compression} {problems:?}");
        assert!(
            problems[0].starts_with(&format!("x.jsonl:{}: compressed data is cut short after ", documents + 1)),
            "{problems:?}"
        );

        let mut wrong = packed.clone();
        let middle = wrong.len() / 2;
        wrong[middle..middle + 8].fill(0xa5);
        let problems = run_bytes("x.jsonl", wrong, &ReadOptions::default()).problems();
        assert!(!problems.is_empty(), "{compression}");
    }
    check(
        "x.txt",
        pack(Compression::Gzip, b"some text that is cut")[..15].to_vec(),
        &[],
        &["x.txt: compressed data is cut short after 4 bytes of content"],
    );
}

#[test]
fn whole_records_in_front_of_damage_are_read() {
    let archive: String =
        ["a", "b", "c"].map(|uri| super::formats::record("conversion", uri, "text/plain", uri)).concat();
    for compression in [Compression::Gzip, Compression::Zstd, Compression::Bzip2, Compression::Xz] {
        let mut packed = pack(compression, archive.as_bytes());
        packed.extend_from_slice(&pack(compression, archive.as_bytes())[..20]);
        let outcome = run_bytes("x.warc", packed, &ReadOptions::default());
        assert_eq!(outcome.ids(), ["a", "b", "c"], "{compression}");
        assert_eq!(outcome.problems().len(), 1, "{compression}");
    }
}

#[test]
fn files_that_are_none_of_ours() {
    let tar = [vec![b'x'; 257], b"ustar\0".to_vec(), vec![0; 300]].concat();
    check("x", tar, &[], &["x: a tar archive, which is not read"]);
    check("x.pdf", "%PDF-1.4 ...", &[], &["x.pdf: a PDF file, which is not read"]);
    check(
        "x.bin",
        (0..=255).collect::<Vec<u8>>(),
        &[],
        &["x.bin: neither text nor a known format; --input-format reads it as one"],
    );
}
