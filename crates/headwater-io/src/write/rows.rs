//! Rows of any command, in any format.

use std::io;
use std::marker::PhantomData;

use arrow_schema::SchemaRef;
use serde::Serialize;

use super::compress::Sink;
use super::csv::CsvEncoder;
use super::format::Compression;
use super::json::JsonEncoder;
use super::parquet::ParquetEncoder;
use super::{Output, OutputFormat, Target, WriteError};

/// One line of an answer: a struct that can be serialised, and what its members are.
pub trait Row: Serialize {
    /// The members by name and Arrow type: the columns of Parquet, and by their names those of CSV. A member that may be
    /// null or left out must be nullable.
    fn schema() -> SchemaRef;

    /// Appends the row as JSON. Whoever has very many rows may do it faster than the general way, and must say the same.
    fn json(&self, out: &mut Vec<u8>) -> io::Result<()> {
        Ok(serde_json::to_writer(out, self)?)
    }
}

/// Writes rows in one of the [`OutputFormat`]s; complete only once [`RowWriter::finish`] has returned without error.
///
/// A file whose name ends in `.gz` or `.zst` is compressed.
pub struct RowWriter<R> {
    encoder: Encoder,
    target: Target,
    failed: bool,
    rows: PhantomData<fn(&R)>,
}

enum Encoder {
    Json(Box<JsonEncoder>),
    Csv(Box<CsvEncoder>),
    Parquet(Box<ParquetEncoder>),
}

impl<R: Row> RowWriter<R> {
    /// Opens the target; an existing file stays as it is until the end.
    pub fn create(target: Target, format: OutputFormat) -> Result<Self, WriteError> {
        Self::with_schema(target, format, R::schema())
    }

    /// The same for rows whose members are known only now.
    pub fn with_schema(target: Target, format: OutputFormat, schema: SchemaRef) -> Result<Self, WriteError> {
        let open = || {
            let compression = Compression::of(&target);
            if format == OutputFormat::Parquet && compression != Compression::None {
                let advice = "parquet is compressed inside; leave out the last part of the name";
                return Err(io::Error::new(io::ErrorKind::InvalidInput, advice));
            }
            let sink = Sink::new(Output::create(target.clone())?, compression)?;
            Ok(match format {
                OutputFormat::Jsonl => Encoder::Json(Box::new(JsonEncoder::lines(sink))),
                OutputFormat::Json => Encoder::Json(Box::new(JsonEncoder::array(sink))),
                OutputFormat::Csv | OutputFormat::Tsv => {
                    let delimiter = if format == OutputFormat::Tsv { b'\t' } else { b',' };
                    let columns = schema.fields().iter().map(|field| field.name().clone()).collect();
                    Encoder::Csv(Box::new(CsvEncoder::new(sink, columns, delimiter)?))
                }
                OutputFormat::Parquet => Encoder::Parquet(Box::new(ParquetEncoder::new(sink, schema.clone())?)),
            })
        };
        match open() {
            Ok(encoder) => Ok(RowWriter { encoder, target, failed: false, rows: PhantomData }),
            Err(error) => Err(WriteError::new(&target, error)),
        }
    }

    /// Writes one row. After an error the output cannot be finished any more.
    pub fn write(&mut self, row: &R) -> Result<(), WriteError> {
        self.attempt(|encoder| match encoder {
            Encoder::Json(json) => json.write(row),
            Encoder::Csv(csv) => csv.write(row),
            Encoder::Parquet(parquet) => parquet.write(row),
        })
    }

    /// Hands over what has been gathered, for a reader who waits for it; Parquet cannot be read before its end.
    pub fn flush(&mut self) -> Result<(), WriteError> {
        self.attempt(|encoder| match encoder {
            Encoder::Json(json) => json.flush(),
            Encoder::Csv(csv) => csv.flush(),
            Encoder::Parquet(_) => Ok(()),
        })
    }

    /// Completes the output, and puts a file in its place.
    pub fn finish(self) -> Result<(), WriteError> {
        let finished = match self.encoder {
            // Half a row may be in there.
            _ if self.failed => Err(io::Error::other("an earlier write failed")),
            Encoder::Json(json) => json.finish(),
            Encoder::Csv(csv) => csv.finish(),
            Encoder::Parquet(parquet) => parquet.finish(),
        };
        finished.map_err(|error| WriteError::new(&self.target, error))
    }

    fn attempt(&mut self, act: impl FnOnce(&mut Encoder) -> io::Result<()>) -> Result<(), WriteError> {
        act(&mut self.encoder).map_err(|error| {
            self.failed = true;
            WriteError::new(&self.target, error)
        })
    }
}
