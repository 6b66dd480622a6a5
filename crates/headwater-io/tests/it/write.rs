//! Writers: every format says the same, and a file appears whole or not at all.

mod child;
mod files;
mod formats;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use headwater_io::write::{
    DataType, Field, Fields, OutputFormat, Row, RowWriter, Schema, SchemaRef, Target, WriteError,
};
use serde::Serialize;
use serde_json::Value;

/// One member of every kind that a command may have.
#[derive(Clone, Debug, Serialize)]
struct Sample {
    id: String,
    time: Option<Value>,
    tokens: u64,
    balance: i64,
    share: Option<f64>,
    whole: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    members: Vec<String>,
    segments: Vec<Segment>,
}

#[derive(Clone, Debug, Serialize)]
struct Segment {
    start: u64,
    origin: Option<String>,
}

impl Row for Sample {
    fn schema() -> SchemaRef {
        let segment = Fields::from(vec![
            Field::new("start", DataType::UInt64, false),
            Field::new("origin", DataType::Utf8, true),
        ]);
        let list = |name, item| Field::new_list(name, Field::new("item", item, false), false);
        Arc::new(Schema::new(vec![
            Field::new("id", DataType::Utf8, false),
            Field::new("time", DataType::Utf8, true),
            Field::new("tokens", DataType::UInt64, false),
            Field::new("balance", DataType::Int64, false),
            Field::new("share", DataType::Float64, true),
            Field::new("whole", DataType::Boolean, false),
            Field::new("note", DataType::Utf8, true),
            list("members", DataType::Utf8),
            list("segments", DataType::Struct(segment)),
        ]))
    }
}

/// Rows that tempt every format: nulls, extremes, quotes, line ends, characters beyond ASCII, empty lists.
fn samples() -> Vec<Sample> {
    let plain = Sample {
        id: "a".into(),
        time: None,
        tokens: 0,
        balance: 0,
        share: None,
        whole: false,
        note: None,
        members: vec![],
        segments: vec![],
    };
    let tempting = Sample {
        id: "quote \" comma , line\r\n tab \t back\\slash 水 \u{0} end".into(),
        time: Some("2006-01-02".into()),
        tokens: u64::MAX,
        balance: i64::MIN,
        share: Some(0.1),
        whole: true,
        note: Some(String::new()),
        members: vec!["x".into(), "y, \"z\"".into(), String::new()],
        segments: vec![Segment { start: 1 << 60, origin: Some("a".into()) }, Segment { start: u64::MAX, origin: None }],
    };
    let number = Sample { time: Some(2006.into()), balance: -1, share: Some(-1e300), ..plain.clone() };
    vec![plain, tempting, number]
}

fn write(path: &Path, format: OutputFormat, rows: &[Sample]) -> Result<(), WriteError> {
    let mut writer = RowWriter::create(Target::from(path), format)?;
    rows.iter().try_for_each(|row| writer.write(row))?;
    writer.finish()
}

fn json(rows: &[Sample]) -> Vec<Value> {
    rows.iter().map(|row| serde_json::to_value(row).unwrap()).collect()
}

/// What is in a folder: names and contents.
fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entry =
        |path: std::path::PathBuf| (path.file_name().unwrap().to_str().unwrap().to_owned(), fs::read(&path).unwrap());
    fs::read_dir(folder).unwrap().map(|file| entry(file.unwrap().path())).collect()
}

/// Rows that no compression can make small, without end; gives the error that ends them.
fn write_endlessly(target: Target, format: OutputFormat) -> WriteError {
    let mut writer = RowWriter::create(target, format).unwrap();
    let mut random = 1u64;
    loop {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let row = Sample { id: format!("{random:x}").repeat(9), tokens: random, ..samples()[0].clone() };
        if let Err(error) = writer.write(&row) {
            return error;
        }
    }
}
