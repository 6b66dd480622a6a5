//! Reading: inputs in, documents out, in order.

use std::convert::Infallible;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;

use headwater::Document;

use crate::chunk::{Body, Chunk, Ending, Output, Receive};
use crate::collect::{Collector, Parsed, Total};
use crate::csv;
use crate::fasta;
use crate::fields::Fields;
use crate::format::Format;
use crate::json;
use crate::jsonl;
use crate::limits::Limits;
use crate::object::Wanted;
use crate::parquet;
use crate::pipeline::{self, Feed, Stopped};
use crate::plain;
use crate::problem::{At, Problem};
use crate::progress::{Phase, Progress};
use crate::source::{Input, Inputs};
use crate::stream::Stream;
use crate::summary::Summary;
use crate::warc;

/// How to read.
#[derive(Clone, Debug)]
pub struct ReadOptions {
    /// The format of every input; by default each input's own, told by its name and content.
    pub format: Option<Format>,
    /// Which fields of a record make a document.
    pub fields: Fields,
    /// Which text of a page to take.
    pub html: HtmlText,
    /// Bytes of text above which a document is refused. Default: 64 MiB; at most [`MAX_DOCUMENT`](crate::MAX_DOCUMENT).
    pub max_document: usize,
    /// Threads that parse. Default: one for each core.
    pub threads: usize,
    /// In which order to deliver.
    pub order: Order,
    /// Memory for sorting documents that are not in order; more is spilled to disk. Default: 256 MiB.
    pub sort_memory: usize,
    /// Where to spill; by default the system's folder for temporary files.
    pub temporary: Option<PathBuf>,
    /// Kept up to date while reading.
    pub progress: Arc<Progress>,
}

/// Which text of a page to take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HtmlText {
    /// The article without navigation; all visible text where there is no article.
    #[default]
    Main,
    /// All visible text.
    All,
}

/// In which order documents are delivered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// By time, then arrival. Inputs that can be read once only are not waited for: their documents come as they arrive, in the
    /// place of that input among the others.
    #[default]
    Auto,
    /// By time, then arrival; streams too, which are read to their end first.
    Time,
    /// As the inputs have them.
    Input,
}

/// What reading delivers, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event<T> {
    /// A document, as prepared by the caller's function.
    Document(T),
    /// A record that was skipped.
    Problem(Problem),
}

/// Why reading ended early or in vain. `E` is the error of the caller's own function.
#[derive(Debug)]
pub enum ReadError<E> {
    /// The caller's function said so.
    Sink(E),
    /// There was not a single document.
    Empty(Box<Summary>),
    /// No record has the field with the text.
    NoText {
        /// The name of the field that was looked for.
        field: String,
        /// What was read.
        summary: Box<Summary>,
    },
    /// Documents could not be spilled for sorting.
    Sort(std::io::Error),
}

impl Default for ReadOptions {
    fn default() -> Self {
        ReadOptions {
            format: None,
            fields: Fields::default(),
            html: HtmlText::default(),
            max_document: 64 << 20,
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            order: Order::default(),
            sort_memory: 256 << 20,
            temporary: None,
            progress: Arc::default(),
        }
    }
}

/// Reads all `inputs`: runs `prepare` on each document, on several threads at once, and hands the results to `sink` in order, on
/// the caller's thread.
///
/// Records that cannot be read are delivered as [`Problem`]s at their place in the order and reading goes on behind them. The same
/// inputs and options give the same events for any number of threads.
pub fn read<T: Send, E>(
    inputs: &Inputs,
    options: &ReadOptions,
    prepare: impl Fn(Document) -> T + Sync,
    mut sink: impl FnMut(Event<T>) -> Result<(), E>,
) -> Result<Summary, ReadError<E>> {
    let mut total = Total::default();
    straight(inputs.list(), options, &prepare, &mut sink, &mut total)?;
    let (records, with_text) = (total.records, total.with_text);
    let summary = Box::new(total.finish());
    if records > 0 && with_text == 0 {
        return Err(ReadError::NoText { field: options.fields.text.clone(), summary });
    }
    if summary.documents == 0 {
        return Err(ReadError::Empty(summary));
    }
    Ok(*summary)
}

/// Reads inputs and delivers in their own order.
fn straight<T: Send, E>(
    inputs: &[Arc<Input>],
    options: &ReadOptions,
    prepare: &(impl Fn(Document) -> T + Sync),
    sink: &mut impl FnMut(Event<T>) -> Result<(), E>,
    total: &mut Total,
) -> Result<(), ReadError<E>> {
    let settings = Arc::new(Settings::new(options));
    options.progress.begin(Phase::Reading, inputs.iter().map(|input| input.size).sum());
    let reading = settings.clone();
    pipeline::run(
        options.threads,
        inputs.to_vec(),
        move |input, feed| cut(&input, &reading, feed),
        |chunk| collect(chunk, &settings, prepare),
        |parsed: Parsed<T>| {
            let (mut documents, mut problems) = (0, 0);
            for event in parsed.events {
                match &event {
                    Event::Document(_) => documents += 1,
                    Event::Problem(_) => problems += 1,
                }
                sink(event).map_err(ReadError::Sink)?;
            }
            options.progress.add_documents(documents);
            total.add(parsed.tally, problems);
            Ok(())
        },
    )
}

/// What readers and workers need to know.
pub(crate) struct Settings {
    format: Option<Format>,
    fields: Fields,
    html: HtmlText,
    limits: Limits,
    wanted: Wanted,
    temporary: Option<PathBuf>,
    progress: Arc<Progress>,
}

impl Settings {
    fn new(options: &ReadOptions) -> Settings {
        Settings {
            format: options.format,
            fields: options.fields.clone(),
            html: options.html,
            limits: Limits::new(options.max_document),
            wanted: Wanted::document(&options.fields),
            temporary: options.temporary.clone(),
            progress: options.progress.clone(),
        }
    }
}

/// The reader's part: opens an input and cuts it into chunks.
fn cut(input: &Input, settings: &Settings, feed: &Feed<Chunk>) -> Result<(), Stopped> {
    let mut output = Output { feed, input: input.name.clone(), format: settings.format.unwrap_or(Format::Text) };
    let mut stream = match Stream::open(input, &settings.progress) {
        Ok(stream) => stream,
        Err(what) => return output.problem(At::Whole, what),
    };
    let format = match settings.format {
        Some(format) => Ok(format),
        None => Format::of(&input.name, stream.head()),
    };
    match format {
        Err(what) => output.problem(At::Whole, what)?,
        Ok(format) => {
            output.format = format;
            let cut = || match format {
                Format::Jsonl => jsonl::cut(&mut stream, &settings.limits, &output),
                Format::Json => json::cut(&mut stream, &settings.limits, &output),
                Format::Csv => csv::cut(&mut stream, b',', &settings.fields.text, &settings.limits, &output),
                Format::Tsv => csv::cut(&mut stream, b'\t', &settings.fields.text, &settings.limits, &output),
                Format::Fasta => fasta::cut(&mut stream, &settings.limits, &output),
                Format::Warc => warc::cut(&mut stream, true, &settings.limits, &output),
                Format::Text | Format::Html => plain::cut(&mut stream, &settings.limits, &output),
                Format::Parquet => {
                    let Settings { fields, limits, temporary, .. } = settings;
                    let temporary = temporary.as_deref();
                    parquet::cut(
                        parquet::Task { input, stream: &mut stream, fields, with_text: true, limits, temporary },
                        &output,
                    )
                }
            };
            // The format crates are not ours: what they get wrong must cost one file, not the run.
            match catch_unwind(AssertUnwindSafe(cut)) {
                Ok(done) => done?,
                Err(_) => output.problem(At::Whole, format!("the {format} reader failed on it"))?,
            }
        }
    }
    let (packed, unpacked) = (stream.packed(), stream.unpacked());
    output.send(Body::End(Ending { compression: stream.compression, packed, unpacked }))
}

/// The worker's part: parses a chunk and prepares its documents.
fn collect<T, F: Fn(Document) -> T>(chunk: Chunk, settings: &Settings, prepare: &F) -> Parsed<T> {
    let mut collector = Collector::new(&chunk.input, chunk.format, &settings.fields, settings.limits, prepare);
    match chunk.body {
        Body::End(ending) => collector.parsed.tally.ending = Some(ending),
        body => parse(chunk.format, body, settings, &mut collector),
    }
    collector.parsed
}

/// Parses a chunk for whoever wants its records.
fn parse(format: Format, body: Body, settings: &Settings, receive: &mut dyn Receive) {
    match body {
        Body::Lines { first, bytes } => jsonl::parse(first, &bytes, &settings.wanted, receive),
        Body::Json { first, elements, bytes } => json::parse(first, &elements, &bytes, &settings.wanted, receive),
        Body::Csv { header, first, bytes } => csv::parse(&header, first, &bytes, &settings.fields, receive),
        Body::Fasta { first, bytes } => fasta::parse(first, &bytes, receive),
        Body::Warc(batch) => warc::parse(batch, settings.html, &settings.limits, receive),
        Body::Parquet(rows) => parquet::parse(&rows, receive),
        Body::Whole(bytes) if format == Format::Html => plain::parse_html(bytes, settings.html, receive),
        Body::Whole(bytes) => plain::parse_text(bytes, receive),
        Body::Problem(at, what) => receive.problem(at, what),
        Body::End(_) => {}
    }
}

impl<E: fmt::Display> fmt::Display for ReadError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadError::Sink(error) => error.fmt(f),
            ReadError::Empty(summary) if summary.problems > 0 => {
                write!(f, "no documents: all {} records were skipped{}", summary.problems, fields_of(summary))
            }
            ReadError::Empty(summary) => write!(f, "no documents in {} bytes of input", summary.bytes),
            ReadError::NoText { field, summary } => {
                write!(f, "no record has a field {field:?} with the text{}", fields_of(summary))
            }
            ReadError::Sort(error) => write!(f, "cannot sort the documents by time: {error}"),
        }
    }
}

impl<E: std::error::Error> std::error::Error for ReadError<E> {}

fn fields_of(summary: &Summary) -> String {
    if summary.fields.is_empty() {
        return String::new();
    }
    let names: Vec<&str> = summary.fields.iter().map(|(name, _)| name.as_str()).collect();
    format!("; the fields there are: {} (--text-field names the one to take)", names.join(", "))
}

/// For callers whose sink cannot fail.
impl ReadError<Infallible> {
    /// The same error for a sink that might fail.
    pub fn widen<E>(self) -> ReadError<E> {
        match self {
            ReadError::Sink(never) => match never {},
            ReadError::Empty(summary) => ReadError::Empty(summary),
            ReadError::NoText { field, summary } => ReadError::NoText { field, summary },
            ReadError::Sort(error) => ReadError::Sort(error),
        }
    }
}
