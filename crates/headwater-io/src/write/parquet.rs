//! Rows as Parquet.
//!
//! Rows are gathered as JSON in Arrow's decoder, which takes records that are JSON already as well, and leave it in batches of
//! the schema that the row type declares.

use std::io;

use arrow_json::ReaderBuilder;
use arrow_json::reader::Decoder;
use arrow_schema::SchemaRef;
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use serde::Serialize;

use super::compress::Sink;

/// A batch is handed on at so many rows or so many bytes of JSON, whichever comes first.
const BATCH_ROWS: usize = 8192;
const BATCH_BYTES: usize = 2 << 20;

/// The writer keeps a row group in memory until it is complete.
const ROW_GROUP_BYTES: usize = 32 << 20;

pub(super) struct ParquetEncoder {
    decoder: Decoder,
    decoder_bytes: usize,
    /// The row at hand.
    json: Vec<u8>,
    writer: ArrowWriter<Sink>,
}

impl ParquetEncoder {
    pub(super) fn new(sink: Sink, schema: SchemaRef) -> io::Result<Self> {
        let properties = WriterProperties::builder()
            .set_created_by(format!("headwater version {}", env!("CARGO_PKG_VERSION")))
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_max_row_group_bytes(Some(ROW_GROUP_BYTES))
            .build();
        let decoder = ReaderBuilder::new(schema.clone())
            // A time can be a number or a string; the column is a string for both.
            .with_coerce_primitive(true)
            // A member that the schema lacks would be lost without a word.
            .with_strict_mode(true)
            .with_batch_size(BATCH_ROWS + 1)
            .build_decoder()
            .map_err(io::Error::other)?;
        let writer = ArrowWriter::try_new(sink, schema, Some(properties)).map_err(io_error)?;
        Ok(ParquetEncoder { decoder, decoder_bytes: 0, json: Vec::new(), writer })
    }

    pub(super) fn write<R: Serialize>(&mut self, row: &R) -> io::Result<()> {
        self.json.clear();
        serde_json::to_writer(&mut self.json, row)?;
        let read = self.decoder.decode(&self.json).map_err(io::Error::other)?;
        debug_assert_eq!(read, self.json.len(), "a batch is handed over before it is full");
        self.decoder_bytes += self.json.len();
        let full = self.decoder.len() >= BATCH_ROWS || self.decoder_bytes >= BATCH_BYTES;
        if full { self.hand_over() } else { Ok(()) }
    }

    pub(super) fn finish(mut self) -> io::Result<()> {
        self.hand_over()?;
        self.writer.into_inner().map_err(io_error)?.finish()
    }

    fn hand_over(&mut self) -> io::Result<()> {
        self.decoder_bytes = 0;
        match self.decoder.flush().map_err(io::Error::other)? {
            Some(batch) => self.writer.write(&batch).map_err(io_error),
            None => Ok(()),
        }
    }
}

/// Finds the error of the output, such as a broken pipe, in that of the encoder.
fn io_error(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(cause) => match cause.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(cause) => io::Error::other(cause),
        },
        error => io::Error::other(error),
    }
}
