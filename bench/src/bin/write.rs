//! How fast rows are written: `cargo run --release --bin write -- [ROWS]`.

use std::env;
use std::fs;
use std::time::Instant;

use headwater_io::write::{DataType, Field, Fields, Row, RowWriter, Schema, SchemaRef, Target};
use serde::Serialize;

#[derive(Serialize)]
struct Report {
    id: String,
    time: &'static str,
    tokens: u64,
    dominant_share: f64,
    segments: Vec<Segment>,
}

#[derive(Serialize)]
struct Segment {
    start: u64,
    end: u64,
    origin: &'static str,
}

impl Row for Report {
    fn schema() -> SchemaRef {
        let number = |name| Field::new(name, DataType::UInt64, false);
        let string = |name| Field::new(name, DataType::Utf8, false);
        let segment =
            Field::new_struct("item", Fields::from(vec![number("start"), number("end"), string("origin")]), false);
        Schema::new(vec![
            string("id"),
            string("time"),
            number("tokens"),
            Field::new("dominant_share", DataType::Float64, false),
            Field::new_list("segments", segment, false),
        ])
        .into()
    }
}

fn main() {
    let rows: u64 = env::args().nth(1).map_or(1_000_000, |rows| rows.parse().unwrap());
    let folder = tempfile::tempdir().unwrap();
    for name in ["out.jsonl", "out.json", "out.csv", "out.parquet", "out.jsonl.gz", "out.jsonl.zst"] {
        let path = folder.path().join(name);
        let target = Target::from(&*path);
        let format = headwater_io::write::OutputFormat::of(&target).unwrap();
        let start = Instant::now();
        let mut writer = RowWriter::create(target, format).unwrap();
        for n in 0..rows {
            let origins = ["wire-17", "blog-4", "page-991"].iter().zip(1..);
            let segments =
                origins.map(|(origin, at)| Segment { start: at * 500, end: at * 500 + n % 400, origin }).collect();
            let id = format!("document-{n}");
            let report = Report { id, time: "2006-01-02", tokens: n, dominant_share: n as f64 / rows as f64, segments };
            writer.write(&report).unwrap();
        }
        let writing = start.elapsed().as_secs_f64();
        writer.finish().unwrap();
        let bytes = fs::metadata(&path).unwrap().len() as f64;
        println!(
            "{name}: {rows} rows, {:.0} MB, {:.2} million rows/s, {:.0} MB/s, finish {:.2} s",
            bytes / 1e6,
            rows as f64 / writing / 1e6,
            bytes / writing / 1e6,
            start.elapsed().as_secs_f64() - writing,
        );
        fs::remove_file(path).unwrap();
    }
}
