//! Rows as CSV, or with another delimiter.
//!
//! A row is written as JSON first and its members become cells: strings as they are, null as nothing, numbers and truth
//! values as JSON spells them, and lists and objects as JSON text. So a cell always says what the other formats say.

use std::fmt;
use std::io;
use std::ops::Range;

use serde::Serialize;
use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::compress::Sink;
use super::output::BUFFER;

pub(super) struct CsvEncoder {
    writer: csv::Writer<Sink>,
    columns: Vec<String>,
    json: Vec<u8>,
    cells: Cells,
}

/// The cells of one row, one after the other, and where in there each column is.
#[derive(Default)]
struct Cells {
    text: String,
    spans: Vec<Range<usize>>,
}

impl CsvEncoder {
    /// Writes the header, so that it is there also when no row follows.
    pub(super) fn new(sink: Sink, columns: Vec<String>, delimiter: u8) -> io::Result<Self> {
        let mut writer = csv::WriterBuilder::new().delimiter(delimiter).buffer_capacity(BUFFER).from_writer(sink);
        writer.write_record(&columns).map_err(io_error)?;
        Ok(CsvEncoder { writer, columns, json: Vec::new(), cells: Cells::default() })
    }

    pub(super) fn write<R: Serialize>(&mut self, row: &R) -> io::Result<()> {
        self.json.clear();
        serde_json::to_writer(&mut self.json, row)?;
        self.cells.text.clear();
        self.cells.spans.clear();
        self.cells.spans.resize(self.columns.len(), 0..0);
        let mut json = serde_json::Deserializer::from_slice(&self.json);
        CellsOf { columns: &self.columns, cells: &mut self.cells }.deserialize(&mut json)?;
        for span in &self.cells.spans {
            self.writer.write_field(&self.cells.text[span.clone()]).map_err(io_error)?;
        }
        self.writer.write_record(None::<&[u8]>).map_err(io_error)
    }

    pub(super) fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }

    pub(super) fn finish(self) -> io::Result<()> {
        self.writer.into_inner().map_err(csv::IntoInnerError::into_error)?.finish()
    }
}

/// Cuts a JSON object into the cells of its columns.
struct CellsOf<'a> {
    columns: &'a [String],
    cells: &'a mut Cells,
}

impl<'de> DeserializeSeed<'de> for CellsOf<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for CellsOf<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a row with named members")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        let mut expected = 0;
        while let Some(name) = members.next_key::<&str>()? {
            // Members nearly always come in the order of the columns.
            let column = match self.columns.get(expected) {
                Some(column) if column == name => expected,
                _ => self.columns.iter().position(|column| column == name).ok_or_else(|| {
                    de::Error::custom(format_args!("the row has a member `{name}` that its schema lacks"))
                })?,
            };
            expected = column + 1;
            let start = self.cells.text.len();
            push_cell(members.next_value::<&RawValue>()?.get(), &mut self.cells.text).map_err(de::Error::custom)?;
            self.cells.spans[column] = start..self.cells.text.len();
        }
        Ok(())
    }
}

fn push_cell(json: &str, cell: &mut String) -> serde_json::Result<()> {
    match json.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
        Some(plain) if !plain.contains('\\') => cell.push_str(plain),
        Some(_) => cell.push_str(&serde_json::from_str::<String>(json)?),
        None if json == "null" => {}
        None => cell.push_str(json),
    }
    Ok(())
}

/// Keeps the kind of an error of the output, which the conversion of the csv crate loses.
fn io_error(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        kind => io::Error::other(format!("{kind:?}")),
    }
}
