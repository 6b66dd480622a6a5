//! `headwater generate`: a stream of made-up posts with planted copies, or framed pages, and the truth about them.

mod pages;

use headwater::generate::{Post, Posts};
use headwater_io::write::{DataType, Field, OutputFormat, Row, RowWriter, Schema, SchemaRef};
use serde::Serialize;

use super::trace_row::{Name, SegmentRow};
use crate::args::{GenerateArgs, format_of, target};
use crate::failure::Failure;
use crate::interrupt;
use crate::terminal::{Talk, bytes, count, percent};

/// The time of the first post: the beginning of 2006, as the paper's blogs.
const BEGINNING: i64 = 1_136_073_600;

/// How far from what was asked for the part that is copied may be without a word about it, in streams that are long enough to steer.
const NEAR: f64 = 0.03;
const LONG: u64 = 100;

pub(crate) fn generate(args: &GenerateArgs) -> Result<(), Failure> {
    let talk = Talk::new(args.talk.quiet);
    if args.pages {
        return pages::generate(args, &talk);
    }
    let (settings, (most, most_text)) = (args.settings(), args.limits());
    let posts = Posts::new(settings).map_err(|error| Failure::Usage(error.to_string()))?;
    let out = target(args.output.as_deref());
    let format = format_of(args.format, &out).map_err(Failure::Usage)?;
    let mut documents = RowWriter::create(out, format)?;
    let mut truth = match args.truth.as_deref().map(|path| target(Some(path))) {
        Some(target) => {
            let format = OutputFormat::of(&target).unwrap_or(OutputFormat::Jsonl);
            Some(RowWriter::create(target, format)?)
        }
        None => None,
    };
    let (mut number, mut text, mut shingles, mut copied) = (0u64, 0u64, 0u64, 0u64);
    for post in posts {
        if number == most || text >= most_text {
            break;
        }
        interrupt::check()?;
        number += 1;
        text += post.text.len() as u64;
        shingles += (post.tokens + 1).saturating_sub(settings.k) as u64;
        copied += post.copied as u64;
        if let Some(truth) = &mut truth {
            truth.write(&TruthRow::new(&post))?;
        }
        documents.write(&DocumentRow {
            id: name(post.number),
            time: BEGINNING.saturating_add_unsigned(post.number),
            text: post.text,
        })?;
        if number.is_multiple_of(1000) {
            talk.note(format_args!("{} documents, {}", count(number), bytes(text)));
        }
    }
    documents.finish()?;
    truth.map_or(Ok(()), RowWriter::finish)?;
    let ratio = copied as f64 / shingles.max(1) as f64;
    talk.say(format_args!("{} documents, {} of text, {} copied", count(number), bytes(text), percent(ratio)));
    if number >= LONG && (ratio - settings.copy_ratio).abs() > NEAR {
        talk.warn(format_args!(
            "{} of the shingles are copied, not the {} that were asked for: edits, short texts and long shingles leave no more; \
             lower --edits or -k, or raise --words or --block",
            percent(ratio),
            percent(settings.copy_ratio)
        ));
    }
    Ok(())
}

fn name(number: u64) -> String {
    format!("post-{number}")
}

#[derive(Serialize)]
struct DocumentRow {
    id: String,
    time: i64,
    text: String,
}

/// In the form of the answers of `trace`, so that the two can be laid side by side.
#[derive(Serialize)]
struct TruthRow {
    id: String,
    tokens: usize,
    fresh_tokens: usize,
    dominant_origin: Option<String>,
    segments: Vec<SegmentRow>,
}

impl TruthRow {
    fn new(post: &Post) -> Self {
        let old: usize = post.passages.iter().map(|passage| passage.tokens.len()).sum();
        let segments = post.passages.iter().map(|passage| SegmentRow {
            start: passage.bytes.start,
            end: passage.bytes.end,
            origin: Name::Own(name(passage.origin)),
            tokens: passage.tokens.len(),
            evidence: None,
        });
        TruthRow {
            id: name(post.number),
            tokens: post.tokens,
            fresh_tokens: post.tokens - old,
            dominant_origin: post.dominant.map(name),
            segments: segments.collect(),
        }
    }
}

fn text(name: &str) -> Field {
    Field::new(name, DataType::Utf8, false)
}

fn whole(name: &str) -> Field {
    Field::new(name, DataType::Int64, false)
}

impl Row for DocumentRow {
    fn schema() -> SchemaRef {
        Schema::new(vec![text("id"), whole("time"), text("text")]).into()
    }
}

impl Row for TruthRow {
    fn schema() -> SchemaRef {
        let segment = vec![whole("start"), whole("end"), text("origin"), whole("tokens")];
        let segment = Field::new("item", DataType::Struct(segment.into()), false);
        Schema::new(vec![
            text("id"),
            whole("tokens"),
            whole("fresh_tokens"),
            Field::new("dominant_origin", DataType::Utf8, true),
            Field::new("segments", DataType::List(segment.into()), false),
        ])
        .into()
    }
}
