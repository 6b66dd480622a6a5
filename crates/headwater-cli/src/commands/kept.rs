//! Documents written back: with all that their records have, where the output has room for it.

use headwater::{Document, Time};
use headwater_io::write::{DataType, Field, OutputFormat, Row, RowWriter, Schema, SchemaRef, Target};
use headwater_io::{Format, Inputs, ReadOptions};
use serde::Serialize;
use serde_json::value::RawValue;

use super::trace_row::WrittenTime;
use crate::failure::Failure;
use crate::record::names_of;

/// A document as it is written back.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum KeptRow {
    /// Its whole record.
    Record(Box<RawValue>),
    /// What was read of it.
    Document(DocumentRow),
}

/// A document as far as it was read.
#[derive(Serialize)]
pub(super) struct DocumentRow {
    id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    time: Option<WrittenTime>,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<String>,
    text: String,
}

/// Writes documents back.
pub(super) struct Kept {
    target: Target,
    format: OutputFormat,
    columns: Columns,
    /// Made when the columns are known.
    rows: Option<RowWriter<KeptRow>>,
}

/// Which columns a table of documents has.
enum Columns {
    /// Those that make a document: the inputs have no columns, or others than the output can hold.
    Document,
    /// Those of the first record: a header of CSV is known only then, where it comes in on a stream.
    First,
    /// Those of Parquet, with their types.
    Known(SchemaRef),
    /// None; every record of JSON brings its own.
    Own,
}

impl Kept {
    /// An output in `format` of documents that were read as `read`.
    pub(super) fn create(
        target: Target,
        format: OutputFormat,
        read: Option<Format>,
        inputs: &Inputs,
        options: &ReadOptions,
    ) -> Result<Self, Failure> {
        let columns = match (format, read) {
            (OutputFormat::Jsonl | OutputFormat::Json, _) => Columns::Own,
            (OutputFormat::Csv | OutputFormat::Tsv, Some(Format::Csv | Format::Tsv)) => Columns::First,
            (OutputFormat::Parquet, Some(Format::Parquet)) => {
                let columns = inputs.columns(options.temporary.as_deref()).map_err(|what| {
                    Failure::run(format!(
                        "{what}: one Parquet file cannot hold both; write them one by one, or as jsonl"
                    ))
                })?;
                // Four columns of many would be a loss that nobody is told of.
                if inputs.is_once() {
                    let what = "the columns of Parquet that comes in on a stream are not known beforehand";
                    return Err(Failure::run(format!("{what}; read it from a file, or write --format jsonl")));
                }
                columns.map_or(Columns::Document, Columns::Known)
            }
            _ => Columns::Document,
        };
        let mut kept = Kept { target, format, columns, rows: None };
        // An output that cannot be written is better told of before the work than after it.
        if !matches!(kept.columns, Columns::First) {
            kept.rows = Some(kept.open(None)?);
        }
        Ok(kept)
    }

    /// Whether documents take all that their records have with them; else only what makes a document.
    pub(super) fn wants_records(&self) -> bool {
        !matches!(self.columns, Columns::Document)
    }

    pub(super) fn write(&mut self, row: &KeptRow) -> Result<(), Failure> {
        if self.rows.is_none() {
            self.rows = Some(self.open(Some(row))?);
        }
        Ok(self.rows.as_mut().expect("it was just opened").write(row)?)
    }

    pub(super) fn flush(&mut self) -> Result<(), Failure> {
        Ok(self.rows.as_mut().map_or(Ok(()), RowWriter::flush)?)
    }

    pub(super) fn finish(mut self) -> Result<(), Failure> {
        let rows = match self.rows.take() {
            Some(rows) => rows,
            None => self.open(None)?,
        };
        Ok(rows.finish()?)
    }

    fn open(&self, first: Option<&KeptRow>) -> Result<RowWriter<KeptRow>, Failure> {
        let schema = match (&self.columns, first) {
            (Columns::Known(schema), _) => schema.clone(),
            (Columns::First, Some(KeptRow::Record(record))) => {
                let text = |name: String| Field::new(name, DataType::Utf8, true);
                Schema::new(names_of(record.get()).into_iter().map(text).collect::<Vec<_>>()).into()
            }
            _ => KeptRow::schema(),
        };
        Ok(RowWriter::with_schema(self.target.clone(), self.format, schema)?)
    }
}

impl DocumentRow {
    pub(super) fn new(id: String, time: Option<&Time>, url: Option<String>, text: String) -> Self {
        DocumentRow { id, time: time.map(WrittenTime::from), url, text }
    }
}

impl From<Document> for DocumentRow {
    fn from(document: Document) -> Self {
        DocumentRow::new(document.id, document.time.as_ref(), document.url, document.text)
    }
}

impl Row for KeptRow {
    fn schema() -> SchemaRef {
        let text = |name: &str, nullable: bool| Field::new(name, DataType::Utf8, nullable);
        Schema::new(vec![text("id", false), text("time", true), text("url", true), text("text", false)]).into()
    }
}

/// The form in which documents of a format are written back: their own, where rows can be written in it.
pub(super) fn form_like(format: Option<Format>) -> OutputFormat {
    match format {
        Some(Format::Json) => OutputFormat::Json,
        Some(Format::Csv) => OutputFormat::Csv,
        Some(Format::Tsv) => OutputFormat::Tsv,
        Some(Format::Parquet) => OutputFormat::Parquet,
        _ => OutputFormat::Jsonl,
    }
}
