//! What is written is read back by somebody else's reader.

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int64Type, UInt64Type};
use arrow_array::{Array, RecordBatch};
use headwater_io::write::{OutputFormat, Row};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use serde_json::{Value, json};

use super::{Sample, json, samples, write};

fn written(name: &str, format: OutputFormat, rows: &[Sample]) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    write(&path, format, rows).unwrap();
    fs::read(path).unwrap()
}

fn read_lines(text: &str) -> Vec<Value> {
    assert!(text.is_empty() || text.ends_with('\n'));
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn jsonl_is_one_object_a_line() {
    for rows in [samples(), vec![]] {
        let text = String::from_utf8(written("x.jsonl", OutputFormat::Jsonl, &rows)).unwrap();
        assert_eq!(read_lines(&text), json(&rows));
    }
}

#[test]
fn json_is_one_array() {
    for rows in [samples(), samples()[..1].to_vec(), vec![]] {
        let text = written("x.json", OutputFormat::Json, &rows);
        assert_eq!(serde_json::from_slice::<Vec<Value>>(&text).unwrap(), json(&rows));
    }
}

#[test]
fn csv_has_a_cell_for_each_member() {
    let text = written("x.csv", OutputFormat::Csv, &samples());
    let mut reader = csv::Reader::from_reader(&text[..]);
    let header = reader.headers().unwrap().clone();
    assert_eq!(header, vec!["id", "time", "tokens", "balance", "share", "whole", "note", "members", "segments"]);
    let records: Vec<csv::StringRecord> = reader.records().map(|record| record.unwrap()).collect();
    assert_eq!(records.len(), 3);
    for (record, row) in records.iter().zip(json(&samples())) {
        for (name, cell) in header.iter().zip(record) {
            match &row[name] {
                Value::Null => assert_eq!(cell, "", "{name}"),
                Value::String(text) => assert_eq!(cell, text, "{name}"),
                other => assert_eq!(&serde_json::from_str::<Value>(cell).unwrap(), other, "{name}"),
            }
        }
    }
}

#[test]
fn csv_has_its_header_even_without_rows() {
    let text = written("x.csv", OutputFormat::Csv, &[]);
    assert_eq!(text, b"id,time,tokens,balance,share,whole,note,members,segments\n");
}

#[test]
fn parquet_has_typed_columns() {
    let batches = read_parquet(&written("x.parquet", OutputFormat::Parquet, &samples()));
    let rows: Vec<Value> = batches.iter().flat_map(rows_of).collect();
    let mut expected = json(&samples());
    for row in &mut expected {
        // A column has one type, so a time that is a number becomes its digits.
        if row["time"].is_number() {
            row["time"] = row["time"].to_string().into();
        }
        // And a member that is left out is null.
        row.as_object_mut().unwrap().entry("note").or_insert(Value::Null);
    }
    assert_eq!(rows, expected);
}

#[test]
fn parquet_without_rows_has_its_schema() {
    let file = written("x.parquet", OutputFormat::Parquet, &[]);
    let reader = ParquetRecordBatchReaderBuilder::try_new(bytes_file(&file)).unwrap();
    assert_eq!(reader.schema().fields(), Sample::schema().fields());
    assert_eq!(reader.build().unwrap().count(), 0);
}

#[test]
fn parquet_of_many_rows_keeps_them_all_in_order() {
    let rows: Vec<Sample> = (0..20_000).map(|n| Sample { tokens: n, ..samples()[0].clone() }).collect();
    let batches = read_parquet(&written("x.parquet", OutputFormat::Parquet, &rows));
    let tokens: Vec<u64> =
        batches.iter().flat_map(|batch| batch["tokens"].as_primitive::<UInt64Type>().values().to_vec()).collect();
    assert_eq!(tokens, (0..20_000).collect::<Vec<_>>());
}

#[test]
fn names_ask_for_compression() {
    let gzip = written("x.jsonl.gz", OutputFormat::Jsonl, &samples());
    let mut text = String::new();
    flate2::read::GzDecoder::new(&gzip[..]).read_to_string(&mut text).unwrap();
    assert_eq!(read_lines(&text), json(&samples()));

    let zstd = written("x.jsonl.zst", OutputFormat::Jsonl, &samples());
    let text = String::from_utf8(zstd::decode_all(&zstd[..]).unwrap()).unwrap();
    assert_eq!(read_lines(&text), json(&samples()));

    let error = write(Path::new("x.parquet.gz"), OutputFormat::Parquet, &[]).unwrap_err().to_string();
    assert!(error.contains("x.parquet.gz") && error.contains("leave out the last part"), "{error}");
}

#[test]
fn many_rows_with_a_huge_one_among_them() {
    let mut rows = samples();
    rows.push(Sample { id: "水 ".repeat(1 << 20), ..rows[0].clone() });
    rows.extend(std::iter::repeat_n(samples(), 2000).flatten());
    let text = String::from_utf8(written("x.jsonl", OutputFormat::Jsonl, &rows)).unwrap();
    assert_eq!(read_lines(&text), json(&rows));
}

fn bytes_file(bytes: &[u8]) -> File {
    use std::io::{Seek, Write};
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(bytes).unwrap();
    file.rewind().unwrap();
    file
}

pub(super) fn read_parquet(bytes: &[u8]) -> Vec<RecordBatch> {
    let reader = ParquetRecordBatchReaderBuilder::try_new(bytes_file(bytes)).unwrap().build().unwrap();
    reader.map(|batch| batch.unwrap()).collect()
}

/// By hand, member by member: going back through the crate that wrote them would prove little.
fn rows_of(batch: &RecordBatch) -> Vec<Value> {
    let text = |array: &dyn Array, row| match array.is_valid(row) {
        true => array.as_string::<i32>().value(row).into(),
        false => Value::Null,
    };
    let row = |row: usize| {
        let members = batch["members"].as_list::<i32>().value(row);
        let members: Vec<Value> = (0..members.len()).map(|item| text(&members, item)).collect();
        let segments = batch["segments"].as_list::<i32>().value(row);
        let segments = segments.as_struct();
        let starts = segments["start"].as_primitive::<UInt64Type>();
        let segments: Vec<Value> = (0..segments.len())
            .map(|item| json!({"start": starts.value(item), "origin": text(&segments["origin"], item)}))
            .collect();
        let share = batch["share"].as_primitive::<Float64Type>();
        json!({
            "id": text(&batch["id"], row),
            "time": text(&batch["time"], row),
            "tokens": batch["tokens"].as_primitive::<UInt64Type>().value(row),
            "balance": batch["balance"].as_primitive::<Int64Type>().value(row),
            "share": share.is_valid(row).then(|| share.value(row)),
            "whole": batch["whole"].as_boolean().value(row),
            "note": text(&batch["note"], row),
            "members": members,
            "segments": segments,
        })
    };
    (0..batch.num_rows()).map(row).collect()
}
