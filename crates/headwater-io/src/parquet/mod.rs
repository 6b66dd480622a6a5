//! Parquet: only the columns that make a document, or all where whole records are wanted, a few rows at a time.

mod column;
mod data;
mod schema;

use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::{DataType, Field, Fields as ArrowFields, Schema};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder};
use parquet::errors::ParquetError;

use crate::chunk::{Body, Output, Receive};
use crate::fields::{Fields, Record};
use crate::guard::guard;
use crate::limits::Limits;
use crate::pipeline::Stopped;
use crate::problem::At;
use crate::source::Input;
use crate::stream::Stream;
use crate::window::CHUNK;
use column::Columns;
use data::{Data, Guarded};

use schema::by_offset;

pub(crate) use schema::common;

/// Rows on their way to a worker.
pub(crate) struct Rows {
    /// The number of the first, counted from one.
    first: u64,
    batch: RecordBatch,
    file: Arc<About>,
    weight: usize,
}

/// What all rows of a file share.
struct About {
    columns: Columns,
    /// The names of all columns; dotted where they lie in a group.
    names: Vec<String>,
    /// Whether rows are passed on with all of them.
    is_whole: bool,
}

/// Bytes of text that a batch of rows should hold.
const BATCH: u64 = 4 << 20;

/// Rows of a batch at most, however short their text is said to be.
const MOST_ROWS: u64 = 1024;

/// What to read, and from where.
pub(crate) struct Task<'a> {
    pub(crate) input: &'a Input,
    pub(crate) stream: &'a mut Stream,
    pub(crate) fields: &'a Fields,
    /// False where only times are wanted.
    pub(crate) with_text: bool,
    pub(crate) limits: &'a Limits,
    /// Where to put a copy of what cannot be read out of order.
    pub(crate) temporary: Option<&'a Path>,
}

/// Reads the rows of a file, group by group; a group that cannot be read does not keep the others from it.
pub(crate) fn cut(task: Task<'_>, output: &Output<'_>) -> Result<(), Stopped> {
    let Task { input, stream, fields, with_text, limits, temporary } = task;
    if !stream.head().starts_with(b"PAR1") {
        return output.problem(At::Whole, "not a Parquet file");
    }
    let data = match Data::of(input, stream, temporary) {
        Ok(data) => Guarded::new(data, limits.record()),
        Err(what) => return output.problem(At::Whole, what),
    };
    let metadata = match guarded(|| metadata(&data)) {
        Ok(metadata) => metadata,
        Err(what) => return output.problem(At::Whole, format!("broken Parquet file: {what}")),
    };
    let schema = metadata.parquet_schema();
    let columns = Columns::find(schema, fields, with_text);
    let names = schema.columns().iter().map(|column| column.path().string()).collect();
    let is_whole = fields.whole && with_text;
    let file = Arc::new(About { columns, names, is_whole });
    let mask = ProjectionMask::leaves(schema, file.leaves());
    if file.columns.is_missing(with_text) {
        let batch = RecordBatch::new_empty(Arc::new(Schema::empty()));
        return if with_text { output.send(Body::Parquet(Rows { first: 1, batch, file, weight: 0 })) } else { Ok(()) };
    }
    let mut next = 1;
    for group in 0..metadata.metadata().num_row_groups() {
        let promised = u64::try_from(metadata.metadata().row_group(group).num_rows()).unwrap_or(0);
        let (data, metadata, mask) = (data.clone(), metadata.clone(), mask.clone());
        let mut reader = Group { data, file: &file, first: next, sent: 0, output };
        match guarded(|| reader.read(metadata, group, mask)) {
            Ok(Ok(())) if reader.sent < promised => {
                let what = format!("row group {group} promises {promised} rows and holds {}", reader.sent);
                output.problem(At::Record(next + reader.sent), what)?;
            }
            Ok(Ok(())) => {}
            Ok(Err(Stopped)) => return Err(Stopped),
            Err(what) => {
                let (at, left) = (next + reader.sent, promised.saturating_sub(reader.sent));
                output.problem(At::Record(at), format!("broken Parquet file: {what}; {left} rows are skipped"))?;
            }
        }
        next += promised.max(reader.sent);
    }
    stream.finish(input.size);
    Ok(())
}

/// Reads rows.
pub(crate) fn parse(rows: &Rows, receive: &mut dyn Receive) {
    let About { columns, names, is_whole } = &*rows.file;
    let count = rows.batch.num_rows();
    receive.names().note_all(names.iter().map(String::as_str), (count as u64).max(1));
    if rows.batch.num_columns() == 0 {
        return receive.record(At::Record(1), Record::default());
    }
    let values = columns.of(&rows.batch);
    let objects = if *is_whole { objects(&rows.batch).map(Some) } else { Ok(None) };
    let mut lines = objects.as_ref().map(|text| text.as_deref().map(str::lines));
    for row in 0..count {
        let at = At::Record(rows.first + row as u64);
        let whole = match &mut lines {
            Ok(lines) => Ok(lines.as_mut().and_then(Iterator::next).map(Cow::Borrowed)),
            Err(what) => Err((*what).clone()),
        };
        match whole.and_then(|whole| Ok(Record { whole, ..values.record(row)? })) {
            Ok(record) => receive.record(at, record),
            Err(what) => receive.problem(at, what),
        }
    }
}

/// Rows as objects of JSON, one a line.
fn objects(batch: &RecordBatch) -> Result<String, String> {
    let mut writer = arrow_json::LineDelimitedWriter::new(Vec::new());
    let written = writer.write(batch).and_then(|()| writer.finish());
    written.map_err(|error| format!("the row cannot be passed on whole: {error}"))?;
    String::from_utf8(writer.into_inner()).map_err(|error| error.to_string())
}

impl About {
    /// The columns to read, by their number.
    fn leaves(&self) -> Vec<usize> {
        if self.is_whole { (0..self.names.len()).collect() } else { self.columns.leaves().collect() }
    }
}

impl Rows {
    pub(crate) fn weight(&self) -> usize {
        self.weight
    }
}

/// One row group.
struct Group<'a> {
    data: Guarded,
    file: &'a Arc<About>,
    first: u64,
    sent: u64,
    output: &'a Output<'a>,
}

impl Group<'_> {
    fn read(
        &mut self,
        metadata: ArrowReaderMetadata,
        group: usize,
        mask: ProjectionMask,
    ) -> Result<Result<(), Stopped>, ParquetError> {
        let about = metadata.metadata().row_group(group);
        let bytes: u64 = self
            .file
            .leaves()
            .into_iter()
            .map(|leaf| u64::try_from(about.column(leaf).uncompressed_size()).unwrap_or(0))
            .sum();
        let rows = u64::try_from(about.num_rows()).unwrap_or(0).max(1);
        let batch = (BATCH * rows / bytes.max(1)).clamp(1, MOST_ROWS);
        let reader = ParquetRecordBatchReaderBuilder::new_with_metadata(self.data.clone(), metadata)
            .with_row_groups(vec![group])
            .with_projection(mask)
            .with_batch_size(batch as usize)
            .build()?;
        for batch in reader {
            self.data.allow();
            if let Err(stopped) = self.send(&batch?) {
                return Ok(Err(stopped));
            }
        }
        Ok(Ok(()))
    }

    /// Sends a batch in slices of about a chunk: a dictionary can make many long texts of one.
    fn send(&mut self, batch: &RecordBatch) -> Result<(), Stopped> {
        let lengths = self.file.columns.of(batch);
        let (mut start, mut weight) = (0, 0);
        for row in 0..batch.num_rows() {
            weight += lengths.text_length(row);
            if weight >= CHUNK || row + 1 == batch.num_rows() {
                let rows = row + 1 - start;
                let slice = batch.slice(start, rows);
                let file = self.file.clone();
                self.output.send(Body::Parquet(Rows { first: self.first + self.sent, batch: slice, file, weight }))?;
                self.sent += rows as u64;
                (start, weight) = (row + 1, 0);
            }
        }
        Ok(())
    }
}

/// Reads the footer, and asks for strings as views, which share a dictionary's text instead of copying it into every row.
fn metadata(data: &Guarded) -> Result<ArrowReaderMetadata, ParquetError> {
    let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
    let plain = ArrowReaderMetadata::load(data.inner(), options.clone())?;
    let schema = Schema::new(views(plain.schema().fields()));
    ArrowReaderMetadata::try_new(plain.metadata().clone(), options.with_schema(Arc::new(schema)))
}

fn views(fields: &ArrowFields) -> ArrowFields {
    let view = |field: &Arc<Field>| {
        let kind = match field.data_type() {
            DataType::Utf8 | DataType::LargeUtf8 => DataType::Utf8View,
            DataType::Binary | DataType::LargeBinary => DataType::BinaryView,
            DataType::Struct(fields) => DataType::Struct(views(fields)),
            other => by_offset(other),
        };
        Arc::new(field.as_ref().clone().with_data_type(kind))
    };
    fields.iter().map(view).collect()
}

/// Does something that a broken file could make panic.
fn guarded<T>(action: impl FnOnce() -> Result<T, ParquetError>) -> Result<T, String> {
    match guard(action) {
        Some(done) => done.map_err(|error| innermost(&error.to_string())),
        None => Err("the reader failed on it".into()),
    }
}

/// What an error says without the layers that it has come through.
fn innermost(error: &str) -> String {
    let layers = ["External: ", "Parquet argument error: ", "Parquet error: ", "Arrow: ", "EOF: "];
    let mut rest = error;
    while let Some(inner) = layers.iter().find_map(|layer| rest.strip_prefix(layer)) {
        rest = inner;
    }
    rest.to_owned()
}
