//! From a format to what reads it: the cutter that runs with the reader, the parser that runs with the workers.

use std::path::PathBuf;
use std::sync::Arc;

use headwater::Document;

use crate::chunk::{Body, Chunk, Ending, Output, Receive};
use crate::collect::{Collector, Parsed};
use crate::csv;
use crate::fasta;
use crate::fields::Fields;
use crate::format::Format;
use crate::guard::guard;
use crate::json;
use crate::jsonl;
use crate::limits::Limits;
use crate::object::Wanted;
use crate::parquet;
use crate::pipeline::{Feed, Stopped};
use crate::plain;
use crate::problem::At;
use crate::progress::Progress;
use crate::read::{HtmlText, ReadOptions};
use crate::source::Input;
use crate::stream::Stream;
use crate::warc;

/// What readers and workers need to know.
pub(crate) struct Settings {
    format: Option<Format>,
    fields: Fields,
    html: HtmlText,
    limits: Limits,
    wanted: Wanted,
    with_text: bool,
    temporary: Option<PathBuf>,
    progress: Arc<Progress>,
}

impl Settings {
    /// `with_text` is false where only times are wanted.
    pub(crate) fn new(options: &ReadOptions, with_text: bool) -> Settings {
        Settings {
            format: options.format,
            fields: options.fields.clone(),
            html: options.html,
            limits: Limits::new(options.max_document),
            wanted: if with_text { Wanted::document(&options.fields) } else { Wanted::time(&options.fields) },
            with_text,
            temporary: options.temporary.clone(),
            progress: options.progress.clone(),
        }
    }
}

/// The reader's part: opens an input and cuts it into chunks.
pub(crate) fn cut(input: &Input, settings: &Settings, feed: &dyn Feed<Chunk>) -> Result<(), Stopped> {
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
                Format::Jsonl => jsonl::cut(&mut stream, settings.with_text, &settings.limits, &output),
                Format::Json => json::cut(&mut stream, &settings.limits, &output),
                Format::Csv => csv::cut(&mut stream, b',', &settings.fields.text, &settings.limits, &output),
                Format::Tsv => csv::cut(&mut stream, b'\t', &settings.fields.text, &settings.limits, &output),
                Format::Warc => warc::cut(&mut stream, settings.with_text, &settings.limits, &output),
                // One document a file, and none of them states a time.
                Format::Text | Format::Html | Format::Fasta if !settings.with_text => Ok(()),
                Format::Fasta => fasta::cut(&mut stream, &settings.limits, &output),
                Format::Text | Format::Html => plain::cut(&mut stream, &settings.limits, &output),
                Format::Parquet => {
                    let Settings { fields, limits, temporary, with_text, .. } = settings;
                    let temporary = temporary.as_deref();
                    parquet::cut(
                        parquet::Task { input, stream: &mut stream, fields, with_text: *with_text, limits, temporary },
                        &output,
                    )
                }
            };
            match guard(cut) {
                Some(done) => done?,
                None => output.problem(At::Whole, format!("the {format} reader failed on it"))?,
            }
        }
    }
    let (packed, unpacked) = (stream.packed(), stream.unpacked());
    output.send(Body::End(Ending { compression: stream.compression, packed, unpacked }))
}

/// The worker's part: parses a chunk and prepares its documents.
pub(crate) fn collect<T, F: Fn(Document) -> T>(chunk: Chunk, settings: &Settings, prepare: &F) -> Parsed<T> {
    let mut collector = Collector::new(&chunk.input, chunk.format, &settings.fields, settings.limits, prepare);
    match chunk.body {
        Body::End(ending) => collector.parsed.tally.ending = Some(ending),
        body => parse(chunk.format, body, settings, &mut collector),
    }
    collector.parsed
}

/// Parses a chunk for whoever wants its records.
pub(crate) fn parse(format: Format, body: Body, settings: &Settings, receive: &mut dyn Receive) {
    match body {
        Body::Lines { first, bytes } => jsonl::parse(first, &bytes, &settings.wanted, receive),
        Body::Json { first, elements, bytes } => json::parse(first, &elements, &bytes, &settings.wanted, receive),
        Body::Csv { header, first, bytes } => csv::parse(&header, first, &bytes, &settings.fields, receive),
        Body::Fasta { first, bytes } => fasta::parse(first, &bytes, receive),
        Body::Warc(batch) if !settings.with_text => warc::parse_times(batch, receive),
        Body::Warc(batch) => warc::parse(batch, settings.html, &settings.limits, receive),
        Body::Parquet(rows) => parquet::parse(&rows, receive),
        Body::Whole(bytes) if format == Format::Html => plain::parse_html(bytes, settings.html, receive),
        Body::Whole(bytes) => plain::parse_text(bytes, receive),
        Body::Problem(at, what) => receive.problem(at, what),
        Body::End(_) => {}
    }
}
