//! Raw pieces of inputs on their way from a reader to a worker.

use std::ops::Range;
use std::sync::Arc;

use crate::compression::Compression;
use crate::csv::Header;
use crate::fields::Record;
use crate::format::Format;
use crate::names::Names;
use crate::parquet;
use crate::pipeline::{Feed, Stopped};
use crate::problem::At;
use crate::warc;

/// A piece of an input that ends where a record ends.
pub(crate) struct Chunk {
    pub(crate) input: Arc<str>,
    pub(crate) format: Format,
    pub(crate) body: Body,
}

pub(crate) enum Body {
    /// Whole lines of JSON, the first of which has this number.
    Lines { first: u64, bytes: Vec<u8> },
    /// Elements of JSON, the first of which has this number.
    Json { first: u64, elements: Vec<Range<usize>>, bytes: Vec<u8> },
    /// Whole rows, the first of which begins on this line.
    Csv { header: Arc<Header>, first: u64, bytes: Vec<u8> },
    /// Whole sequences, the first of which begins on this line.
    Fasta { first: u64, bytes: Vec<u8> },
    /// Records of a web archive.
    Warc(warc::Batch),
    /// Rows of Parquet.
    Parquet(parquet::Rows),
    /// A whole file.
    Whole(Vec<u8>),
    /// Nothing to parse: a record that was refused while cutting.
    Problem(At, String),
    /// The input has been read to its end.
    End(Ending),
}

/// What a reader knows of an input once it has read it.
pub(crate) struct Ending {
    pub(crate) compression: Compression,
    pub(crate) packed: u64,
    pub(crate) unpacked: u64,
}

/// What takes in the records of a chunk, one by one and in order.
pub(crate) trait Receive {
    /// A record that could be parsed; it may still lack what makes a document.
    fn record(&mut self, at: At, record: Record<'_>);

    /// A record that could not be parsed.
    fn problem(&mut self, at: At, what: String);

    /// Takes note of field names.
    fn names(&mut self) -> &mut Names;

    /// Counts what is no document by its nature.
    fn pass_over(&mut self, kind: &str, count: u64);

    /// Counts a document whose encoding had to be told; `lossy` where some bytes made no sense in it.
    fn decoded(&mut self, encoding: &'static str, lossy: bool);
}

/// Where a cutter puts the chunks of one input.
pub(crate) struct Output<'f> {
    pub(crate) feed: &'f dyn Feed<Chunk>,
    pub(crate) input: Arc<str>,
    pub(crate) format: Format,
}

impl Output<'_> {
    pub(crate) fn send(&self, body: Body) -> Result<(), Stopped> {
        let weight = body.weight();
        self.feed.send(Chunk { input: self.input.clone(), format: self.format, body }, weight)
    }

    pub(crate) fn problem(&self, at: At, what: impl Into<String>) -> Result<(), Stopped> {
        self.send(Body::Problem(at, what.into()))
    }
}

impl Body {
    fn weight(&self) -> usize {
        match self {
            Body::Lines { bytes, .. } | Body::Csv { bytes, .. } | Body::Fasta { bytes, .. } | Body::Whole(bytes) => {
                bytes.capacity()
            }
            Body::Json { bytes, elements, .. } => bytes.capacity() + elements.capacity() * size_of::<Range<usize>>(),
            Body::Warc(batch) => batch.weight(),
            Body::Parquet(rows) => rows.weight(),
            Body::Problem(_, what) => what.len(),
            Body::End(_) => 0,
        }
    }
}
