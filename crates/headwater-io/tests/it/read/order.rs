//! Order by time.

use headwater_io::{Event, Fields, Inputs, Order, ReadOptions};
use proptest::prelude::*;

use super::{Outcome, run};

/// Files of documents with these times; ids are `FILE.NUMBER`.
fn inputs(files: &[&[Option<i64>]], streams: &[usize]) -> Inputs {
    let mut inputs = Inputs::new();
    for (file, times) in files.iter().enumerate() {
        let line = |(number, time): (usize, &Option<i64>)| {
            let time = time.map_or("null".into(), |time| time.to_string());
            format!("{{\"id\":\"{file}.{number}\",\"time\":{time},\"text\":\"t\"}}\n")
        };
        let lines: String = times.iter().enumerate().map(line).collect();
        let name = format!("{file}.jsonl");
        if streams.contains(&file) {
            inputs.push_reader(&name, std::io::Cursor::new(lines.into_bytes()));
        } else {
            inputs.push_bytes(&name, lines.into_bytes());
        }
    }
    inputs
}

fn read(files: &[&[Option<i64>]], streams: &[usize], order: Order) -> Outcome {
    run(|| inputs(files, streams), &ReadOptions { order, ..ReadOptions::default() })
}

#[test]
fn sorts_only_where_it_must() {
    let check = |files: &[&[Option<i64>]], order, ids: &[&str], sorted: bool, late: u64| {
        let outcome = read(files, &[], order);
        let summary = outcome.summary.as_ref().unwrap();
        assert_eq!(
            (outcome.ids().as_slice(), summary.sorted, summary.late),
            (ids, sorted, late),
            "{files:?} {order:?}"
        );
    };
    check(&[&[Some(1), Some(2)], &[Some(2), Some(3)]], Order::Auto, &["0.0", "0.1", "1.0", "1.1"], false, 0);
    check(&[&[Some(2), Some(1)]], Order::Auto, &["0.1", "0.0"], true, 0);
    check(&[&[Some(2), Some(1)]], Order::Time, &["0.1", "0.0"], true, 0);
    check(&[&[Some(2), Some(1)]], Order::Input, &["0.0", "0.1"], false, 1);
    check(&[&[Some(5), Some(7)], &[Some(6)]], Order::Auto, &["0.0", "1.0", "0.1"], true, 0);
    // Without a time a document stays behind the one before it.
    check(&[&[Some(5), None, Some(3), None]], Order::Auto, &["0.2", "0.3", "0.0", "0.1"], true, 0);
    check(&[&[None, Some(5)], &[None, None]], Order::Auto, &["0.0", "0.1", "1.0", "1.1"], false, 0);
    check(&[&[None, Some(5), Some(4)]], Order::Auto, &["0.0", "0.2", "0.1"], true, 0);
    // Ties keep the order of arrival.
    check(&[&[Some(3), Some(1), Some(1)], &[Some(1)]], Order::Auto, &["0.1", "0.2", "1.0", "0.0"], true, 0);
}

#[test]
fn streams_are_not_waited_for() {
    let files: [&[Option<i64>]; 3] = [&[Some(9), Some(8)], &[Some(7), Some(6)], &[Some(5), Some(4)]];
    let outcome = read(&files, &[1], Order::Auto);
    assert_eq!(outcome.ids(), ["0.1", "0.0", "1.0", "1.1", "2.1", "2.0"]);
    let outcome = read(&files, &[1], Order::Time);
    assert_eq!(outcome.ids(), ["2.1", "2.0", "1.1", "1.0", "0.1", "0.0"]);
    assert_eq!(outcome.summary.unwrap().late, 0);
}

/// A live stream gives its documents before it ends.
#[test]
fn documents_come_as_they_arrive() {
    let (mut writer, reader) = Pipe::new();
    let mut inputs = Inputs::new();
    inputs.push_reader("-", reader);
    writer.send("{\"id\":\"a\",\"text\":\"t\"}\n{\"id\":\"b\",");
    let mut seen = Vec::new();
    let result = headwater_io::read(
        &inputs,
        &ReadOptions::default(),
        |document| document.id,
        |event| {
            match event {
                Event::Document(id) => seen.push(id),
                Event::Problem(problem) => return Err(problem.to_string()),
            }
            match seen.len() {
                1 => writer.send("\"text\":\"t\"}\n"),
                // The stream is still open: the run must end all the same.
                _ => return Err("enough".to_owned()),
            }
            Ok(())
        },
    );
    assert_eq!(result.unwrap_err().to_string(), "enough");
    assert_eq!(seen, ["a", "b"]);
}

struct Pipe(std::sync::mpsc::Receiver<Vec<u8>>);
struct PipeWriter(std::sync::mpsc::Sender<Vec<u8>>);

impl Pipe {
    fn new() -> (PipeWriter, Pipe) {
        let (sender, receiver) = std::sync::mpsc::channel();
        (PipeWriter(sender), Pipe(receiver))
    }
}

impl PipeWriter {
    fn send(&mut self, text: &str) {
        self.0.send(text.as_bytes().to_vec()).unwrap();
    }
}

impl std::io::Read for Pipe {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let Ok(bytes) = self.0.recv() else { return Ok(0) };
        buffer[..bytes.len()].copy_from_slice(&bytes);
        Ok(bytes.len())
    }
}

#[test]
fn problems_are_told_while_sorting() {
    let lines = "{\"id\":\"a\",\"time\":2,\"text\":\"t\"}\nbroken\n{\"id\":\"b\",\"time\":1,\"text\":\"t\"}\n";
    let outcome = super::run_bytes("x.jsonl", lines, &ReadOptions::default());
    assert_eq!((outcome.ids(), outcome.problems().len()), (vec!["b", "a"], 1));
    assert_eq!(outcome.summary.unwrap().documents, 2);
}

/// The quick look at times takes short ways; what is unusual about a line must not hide its time.
#[test]
fn disorder_is_seen_whatever_surrounds_the_time() {
    let check = |time_field: &str, lines: &[&[u8]], ids: &[&str]| {
        let fields = Fields { time: time_field.into(), ..Fields::default() };
        let options = ReadOptions { fields, ..ReadOptions::default() };
        let outcome = super::run_bytes("a.jsonl", lines.join(&b'\n'), &options);
        assert_eq!((outcome.ids().as_slice(), outcome.summary.as_ref().unwrap().sorted), (ids, true), "{time_field}");
    };
    let plain = br#"{"id":"b","time":1,"text":"t"}"#;
    check("time", &[b"\xef\xbb\xbf{\"id\":\"a\",\"time\":2,\"text\":\"t\"}", plain], &["b", "a"]);
    check("time", &[br#"{"id":"a","time":0,"text":"t","time":2}"#, plain], &["b", "a"]);
    check("time", &[br#"{"id":"a","text":"\"time\": 0","time":2}"#, b"", plain], &["b", "a"]);
    check("time", &[br#"{"id":"a","\u0074ime":2,"text":"t"}"#, plain], &["b", "a"]);
    check(
        "time",
        &[b"{\"id\":\"a\",\"time\":2,\"text\":\"t\"}", b"{\"time\":3,\"text\":\"\xff\"}", plain],
        &["b", "a"],
    );
    check("m.t", &[br#"{"id":"a","m":{"t":2},"text":"t"}"#, br#"{"id":"b","m":{"t":1},"text":"t"}"#], &["b", "a"]);
}

#[test]
fn time_order_in_other_formats() {
    let csv = "id,time,text\na,2007,t\nb,2006,t\n";
    let outcome = super::run_bytes("x.csv", csv, &ReadOptions::default());
    assert_eq!(outcome.ids(), ["b", "a"]);
    let record = |id: &str, date: &str| {
        super::formats::record("conversion", id, "text/plain", "t").replace("2009-04-20T01:02:03Z", date)
    };
    let warc = record("a", "2007-01-01T00:00:00Z") + &record("b", "2006-01-01T00:00:00Z");
    assert_eq!(super::run_bytes("x.warc", warc, &ReadOptions::default()).ids(), ["b", "a"]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    /// The same order as a stable sort in memory, and whatever the memory.
    #[test]
    fn as_a_stable_sort(files in proptest::collection::vec(proptest::collection::vec(proptest::option::of(0i64..6), 0..12), 1..5), memory in 0usize..2000) {
        let mut expected = Vec::new();
        let mut time = i64::MIN;
        for (file, times) in files.iter().enumerate() {
            for (number, stated) in times.iter().enumerate() {
                time = stated.unwrap_or(time);
                expected.push((time, format!("{file}.{number}")));
            }
        }
        expected.sort_by_key(|(time, _)| *time);
        let files: Vec<&[Option<i64>]> = files.iter().map(Vec::as_slice).collect();
        let options = ReadOptions { sort_memory: memory, ..ReadOptions::default() };
        let outcome = run(|| inputs(&files, &[]), &options);
        let ids: Vec<&str> = expected.iter().map(|(_, id)| id.as_str()).collect();
        prop_assert_eq!(outcome.ids(), ids);
    }
}
