//! `headwater novel`: the documents with only their new text.

mod shape;

use std::io::Write;

use headwater::origin::{Cut, Report, new_text};
use headwater_io::write::{OutputFormat, Sink, Target};

use super::kept::{DocumentRow, Kept, KeptRow, form_like};
use crate::args::{NovelArgs, format_of, target};
use crate::failure::Failure;
use crate::memory::Memory;
use crate::record::with_text;
use crate::stream::{Answers, Incoming, stream};
use crate::terminal::Talk;
use shape::{Folder, Shape};

pub(crate) fn novel(args: &NovelArgs) -> Result<(), Failure> {
    let novel = Novel {
        to: place(args)?,
        text_field: args.stream.input.options().fields.text,
        cut: if args.keep_sentences { Cut::Sentences } else { Cut::Words },
        skip_empty: args.skip_empty,
    };
    stream(&args.stream, &target(args.output.as_deref()), novel, &Talk::new(args.talk.quiet))
}

/// Where the documents go, and in which form: that in which they came, unless another is asked for.
fn place(args: &NovelArgs) -> Result<To, Failure> {
    let inputs = args.stream.input.open().map_err(Failure::run)?;
    let read = args.stream.input.format().map_err(Failure::run)?;
    let out = target(args.output.as_deref());
    let shape = read.and_then(Shape::of).filter(|_| args.format.is_none());
    match (shape, &args.output) {
        (Some(shape), Some(folder)) if folder.is_dir() && shape.is_one_a_file() => {
            return Ok(To::Folder(Folder::new(folder.clone(), shape)));
        }
        (_, Some(folder)) if folder.is_dir() => {
            let what = format!("{} is a folder, which takes plain text and pages only; name a file", folder.display());
            return Err(Failure::Usage(what));
        }
        (Some(shape), _) if OutputFormat::of(&out).is_none() && (inputs.len() == 1 || !shape.is_one_a_file()) => {
            return Ok(To::Stream(Box::new(Sink::create(out)?), shape));
        }
        _ => {}
    }
    let format = match (args.format, &out) {
        (None, Target::Stdout) => form_like(read),
        (asked, _) => format_of(asked, &out).map_err(|what| {
            let one_a_file = shape.is_some_and(Shape::is_one_a_file);
            let or = if one_a_file { ", or make a folder of that name first, for a file of each document" } else { "" };
            Failure::Usage(format!("{what}{or}"))
        })?,
    };
    let kept = Kept::create(out, format, read, &inputs, &args.stream.input.options())?;
    Ok(To::Rows(Box::new(kept)))
}

struct Novel {
    to: To,
    text_field: String,
    cut: Cut,
    skip_empty: bool,
}

enum To {
    Rows(Box<Kept>),
    /// One after the other.
    Stream(Box<Sink>, Shape),
    /// A file for each document, under the name that it was read by.
    Folder(Folder),
}

impl Answers for Novel {
    fn wants_text(&self) -> bool {
        true
    }

    fn wants_records(&self) -> bool {
        matches!(&self.to, To::Rows(kept) if kept.wants_records())
    }

    fn answer(&mut self, document: &Incoming, report: &Report, _: &Memory) -> Result<(), Failure> {
        let text = new_text(&document.text, document.prepared.tokens(), report, self.cut);
        if self.skip_empty && text.trim().is_empty() {
            return Ok(());
        }
        match &mut self.to {
            To::Rows(rows) => {
                let record = document.record.as_ref().and_then(|record| with_text(record, &self.text_field, &text));
                let row = record.map(KeptRow::Record).unwrap_or_else(|| {
                    let (time, url) = (document.time.as_ref(), document.url.clone());
                    KeptRow::Document(DocumentRow::new(document.id.clone(), time, url, text))
                });
                rows.write(&row)
            }
            To::Stream(out, shape) => Ok(shape.write(document, &text, out)?),
            To::Folder(folder) => folder.write(document, &text),
        }
    }

    fn flush(&mut self) -> Result<(), Failure> {
        match &mut self.to {
            To::Rows(rows) => rows.flush(),
            To::Stream(out, _) => Ok(out.flush()?),
            To::Folder(_) => Ok(()),
        }
    }

    fn finish(self) -> Result<(), Failure> {
        match self.to {
            To::Rows(rows) => rows.finish(),
            To::Stream(out, _) => Ok(out.finish()?),
            To::Folder(_) => Ok(()),
        }
    }
}
