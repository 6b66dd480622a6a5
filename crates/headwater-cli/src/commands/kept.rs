//! Documents written back.

use headwater::{Document, Time};
use headwater_io::Format;
use headwater_io::write::{DataType, Field, OutputFormat, Row, Schema, SchemaRef};
use serde::Serialize;
use serde_json::value::RawValue;

use super::trace_row::WrittenTime;

/// A document as it is written back: its whole record where that can be, with all that it has beside the text.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum KeptRow {
    Record(Box<RawValue>),
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

impl Row for DocumentRow {
    fn schema() -> SchemaRef {
        let text = |name: &str, nullable: bool| Field::new(name, DataType::Utf8, nullable);
        Schema::new(vec![text("id", false), text("time", true), text("url", true), text("text", false)]).into()
    }
}

impl Row for KeptRow {
    fn schema() -> SchemaRef {
        DocumentRow::schema()
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
