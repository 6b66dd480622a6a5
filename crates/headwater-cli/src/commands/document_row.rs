//! A document as it is written back.

use headwater::{Document, Time};
use headwater_io::Format;
use headwater_io::write::{DataType, Field, OutputFormat, Row, Schema, SchemaRef};
use serde::Serialize;

use super::trace_row::WrittenTime;

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

/// The form in which documents of a format are written back: their own, where rows can be written in it.
pub(super) fn form_like(format: Option<Format>) -> OutputFormat {
    match format {
        Some(Format::Json) => OutputFormat::Json,
        Some(Format::Csv | Format::Tsv) => OutputFormat::Csv,
        Some(Format::Parquet) => OutputFormat::Parquet,
        _ => OutputFormat::Jsonl,
    }
}
