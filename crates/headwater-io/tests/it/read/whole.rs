//! Records that are passed on with all that they have.

use std::sync::Arc;

use arrow_array::builder::{ListBuilder, StringBuilder};
use arrow_array::{
    ArrayRef, BinaryArray, BooleanArray, Date32Array, Decimal128Array, Float64Array, Int32Array, RecordBatch,
    StringArray, StructArray, TimestampMicrosecondArray, UInt64Array,
};
use arrow_schema::{DataType, Field};
use headwater_io::write::{OutputFormat, Row, RowWriter, Schema, SchemaRef, Target};
use headwater_io::{Fields, Inputs, ReadOptions};
use parquet::arrow::arrow_reader::{ArrowReaderOptions, ParquetRecordBatchReaderBuilder};
use serde::Serialize;
use serde_json::value::RawValue;

use super::formats::write_parquet;
use super::run_bytes;

fn whole() -> ReadOptions {
    ReadOptions { fields: Fields { whole: true, ..Fields::default() }, ..ReadOptions::default() }
}

#[test]
fn rows_of_csv_become_objects() {
    let csv = "id,,text,n\na,x,\"one, \"\"two\"\"\",\nb,y,three,4.50\n";
    let outcome = run_bytes("x.csv", csv, &whole());
    let expected =
        [r#"{"id":"a","":"x","text":"one, \"two\"","n":""}"#, r#"{"id":"b","":"y","text":"three","n":"4.50"}"#];
    assert_eq!(outcome.texts(), expected);
}

#[test]
fn what_is_no_record_becomes_one() {
    let outcome = run_bytes("x.txt", br#"{"text": "looks like a record"}"#.to_vec(), &whole());
    assert_eq!(outcome.texts(), [r#"{"id":"x.txt","text":"{\"text\": \"looks like a record\"}"}"#]);
}

/// Any JSON object as a row.
#[derive(Serialize)]
struct Object(Box<RawValue>);

impl Row for Object {
    fn schema() -> SchemaRef {
        Schema::empty().into()
    }
}

#[test]
fn rows_of_parquet_are_the_same_when_they_are_written_again() {
    let mut lists = ListBuilder::new(StringBuilder::new());
    lists.append_value([Some("p"), None]);
    lists.append_null();
    lists.append_value([Some("q\n")]);
    let inner: ArrayRef = Arc::new(Int32Array::from(vec![Some(1), None, Some(-3)]));
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("id", Arc::new(StringArray::from(vec!["a", "b", "c"]))),
        ("n", Arc::new(UInt64Array::from(vec![Some(u64::MAX), None, Some(0)]))),
        ("x", Arc::new(Float64Array::from(vec![0.1, -1e300, 3.0]))),
        ("is", Arc::new(BooleanArray::from(vec![Some(true), None, Some(false)]))),
        ("day", Arc::new(Date32Array::from(vec![19_000, 0, -1]))),
        ("when", Arc::new(TimestampMicrosecondArray::from(vec![1, 1_700_000_000_000_001, 0]).with_timezone("UTC"))),
        ("price", Arc::new(Decimal128Array::from(vec![12_345, -1, 0]).with_precision_and_scale(9, 2).unwrap())),
        ("raw", Arc::new(BinaryArray::from(vec![&b"\xff\x00"[..], b"", b"z"]))),
        ("tags", Arc::new(lists.finish())),
        ("meta", Arc::new(StructArray::from(vec![(Arc::new(Field::new("k", DataType::Int32, true)), inner)]))),
        ("text", Arc::new(StringArray::from(vec!["one", "two \"2\"", "three"]))),
    ];
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    let bytes = write_parquet(&batch);

    let mut inputs = Inputs::new();
    inputs.push_bytes("x.parquet", bytes.clone());
    let schema = inputs.columns(None).unwrap().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("again.parquet");
    let mut rows = RowWriter::with_schema(Target::from(path.clone()), OutputFormat::Parquet, schema).unwrap();
    for record in run_bytes("x.parquet", bytes.clone(), &whole()).texts() {
        rows.write(&Object(RawValue::from_string(record.to_owned()).unwrap())).unwrap();
    }
    rows.finish().unwrap();

    let all = |bytes: Vec<u8>| {
        let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
        let bytes = bytes::Bytes::from(bytes);
        let reader = ParquetRecordBatchReaderBuilder::try_new_with_options(bytes, options).unwrap().build().unwrap();
        let batches: Vec<_> = reader.map(Result::unwrap).collect();
        let rows = |batch: &RecordBatch| (0..batch.num_rows()).map(|row| batch.slice(row, 1)).collect::<Vec<_>>();
        batches.iter().flat_map(rows).map(|row| row.columns().to_vec()).collect::<Vec<_>>()
    };
    assert_eq!(all(std::fs::read(path).unwrap()), all(bytes));
}

#[test]
fn columns_of_several_files_are_put_together() {
    let file = |columns: Vec<(&str, ArrayRef)>| write_parquet(&RecordBatch::try_from_iter(columns).unwrap());
    let text = || Arc::new(StringArray::from(vec!["one"])) as ArrayRef;
    let number = || Arc::new(Int32Array::from(vec![1])) as ArrayRef;
    let columns = |files: Vec<Vec<u8>>| {
        let mut inputs = Inputs::new();
        inputs.push_reader("-", std::io::empty());
        inputs.push_bytes("broken.parquet", *b"PAR1 and no more");
        files.into_iter().for_each(|bytes| inputs.push_bytes("x.parquet", bytes));
        let schema = inputs.columns(None)?;
        let shown = |field: &Arc<Field>| format!("{} {} {}", field.name(), field.data_type(), field.is_nullable());
        Ok::<_, String>(schema.map_or(Vec::new(), |schema| schema.fields().iter().map(shown).collect()))
    };
    assert_eq!(columns(vec![]), Ok(vec![]));
    let (one, other) = (vec![("text", text()), ("n", number())], vec![("m", number()), ("text", text())]);
    assert_eq!(
        columns(vec![file(one.clone()), file(other)]),
        Ok(vec!["text Utf8 false".into(), "n Int32 true".into(), "m Int32 true".into()])
    );
    let error = columns(vec![file(one), file(vec![("n", text())])]).unwrap_err();
    assert_eq!(error, "x.parquet: column \"n\" is Utf8 here and Int32 in the inputs before");
}
