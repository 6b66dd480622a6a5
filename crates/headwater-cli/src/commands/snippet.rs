//! `headwater snippet`: for each document the passage that shows best what is new in it.

use std::io::Write;

use headwater::origin::{Report, snippet as best};
use headwater_io::write::{DataType, Field, Row, RowWriter, Schema, SchemaRef, Sink};
use serde::Serialize;

use super::trace_row::WrittenTime;
use crate::args::{Form, SnippetArgs};
use crate::failure::Failure;
use crate::memory::Memory;
use crate::stream::{Answers, Incoming, stream};
use crate::terminal::{Talk, percent, plain};

pub(crate) fn snippet(args: &SnippetArgs) -> Result<(), Failure> {
    let target = args.output.target();
    let to = match args.output.form().map_err(Failure::Usage)? {
        Form::Rows(format) => To::Rows(RowWriter::create(target.clone(), format)?),
        Form::Text => To::Text(Box::new(Sink::create(target.clone())?)),
    };
    stream(&args.stream, &target, Snippets { words: args.words as usize, to }, &Talk::new(args.talk.quiet))
}

struct Snippets {
    words: usize,
    to: To,
}

enum To {
    Rows(RowWriter<SnippetRow>),
    Text(Box<Sink>),
}

#[derive(Serialize)]
struct SnippetRow {
    id: String,
    time: Option<WrittenTime>,
    url: Option<String>,
    /// Nothing, as are the other three, where nothing in the document is new.
    snippet: Option<String>,
    start: Option<usize>,
    end: Option<usize>,
    fresh_tokens: Option<usize>,
    /// The new part of the whole document, from 0 to 1.
    novelty: f64,
}

impl Row for SnippetRow {
    fn schema() -> SchemaRef {
        let field = |name: &str, kind: DataType, nullable: bool| Field::new(name, kind, nullable);
        Schema::new(vec![
            field("id", DataType::Utf8, false),
            field("time", DataType::Utf8, true),
            field("url", DataType::Utf8, true),
            field("snippet", DataType::Utf8, true),
            field("start", DataType::UInt64, true),
            field("end", DataType::UInt64, true),
            field("fresh_tokens", DataType::UInt64, true),
            field("novelty", DataType::Float64, false),
        ])
        .into()
    }
}

impl Answers for Snippets {
    fn wants_text(&self) -> bool {
        true
    }

    fn answer(&mut self, document: &Incoming, report: &Report, _: &Memory) -> Result<(), Failure> {
        let found = best(&document.text, document.prepared.tokens(), report, self.words);
        // For a list, not for layout: a line break in it would be a broken list.
        let shown = found
            .as_ref()
            .map(|found| document.text[found.bytes.clone()].split_whitespace().collect::<Vec<_>>().join(" "));
        match &mut self.to {
            To::Rows(rows) => Ok(rows.write(&SnippetRow {
                id: document.id.clone(),
                time: document.time.as_ref().map(WrittenTime::from),
                url: document.url.clone(),
                snippet: shown,
                start: found.as_ref().map(|found| found.bytes.start),
                end: found.as_ref().map(|found| found.bytes.end),
                fresh_tokens: found.as_ref().map(|found| found.fresh),
                novelty: (report.novelty() * 1e4).round() / 1e4,
            })?),
            To::Text(out) => {
                writeln!(out, "{}  {} new", plain(&document.id), percent(report.novelty()))?;
                let begins = found.is_some_and(|found| found.begins_sentence);
                match shown {
                    Some(shown) => writeln!(out, "    {}{}", if begins { "" } else { "… " }, plain(&shown))?,
                    None => writeln!(out, "    nothing new")?,
                }
                Ok(())
            }
        }
    }

    fn flush(&mut self) -> Result<(), Failure> {
        match &mut self.to {
            To::Rows(rows) => Ok(rows.flush()?),
            To::Text(out) => Ok(out.flush()?),
        }
    }

    fn finish(self) -> Result<(), Failure> {
        match self.to {
            To::Rows(rows) => Ok(rows.finish()?),
            To::Text(out) => Ok(out.finish()?),
        }
    }
}
