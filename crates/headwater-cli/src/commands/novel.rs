//! `headwater novel`: the documents with only their new text.

use std::collections::HashSet;
use std::io::Write;
use std::path::{Component, Path, PathBuf};

use headwater::origin::{Cut, Report, new_text};
use headwater_io::Format;
use headwater_io::write::{Output, OutputFormat, RowWriter, Target};

use super::document_row::{DocumentRow, KeptRow, form_like};
use crate::args::{NovelArgs, format_of, target};
use crate::failure::Failure;
use crate::memory::Memory;
use crate::record::with_text;
use crate::stream::{Answers, Incoming, stream};
use crate::terminal::Talk;

pub(crate) fn novel(args: &NovelArgs) -> Result<(), Failure> {
    let inputs = args.stream.input.open().map_err(Failure::run)?;
    let read = args.stream.input.format().map_err(Failure::run)?;
    let (to, records) = place(args, read, inputs.len())?;
    let novel = Novel {
        to,
        records,
        text_field: args.stream.input.options().fields.text,
        cut: if args.keep_sentences { Cut::Sentences } else { Cut::Words },
        skip_empty: args.skip_empty,
    };
    stream(&args.stream, novel, &Talk::new(args.talk.quiet))
}

/// Where documents go that were read as `read` tells, and whether they take all that their records have with them.
fn place(args: &NovelArgs, read: Option<Format>, inputs: usize) -> Result<(To, bool), Failure> {
    let out = target(args.output.as_deref());
    let is_text = read == Some(Format::Text);
    match (args.format, &args.output) {
        (None, Some(folder)) if folder.is_dir() => match is_text {
            true => return Ok((To::Folder { folder: folder.clone(), written: HashSet::new() }, false)),
            false => {
                let what = format!("{} is a folder, which takes plain text only; name a file", folder.display());
                return Err(Failure::Usage(what));
            }
        },
        (None, _) if is_text && inputs == 1 && OutputFormat::of(&out).is_none() => {
            return Ok((To::Text(Output::create(out)?), false));
        }
        _ => {}
    }
    let format = match (args.format, &out) {
        (None, Target::Stdout) => form_like(read),
        (asked, _) => format_of(asked, &out).map_err(Failure::Usage)?,
    };
    // Where names tell no format, content will.
    let records = matches!(format, OutputFormat::Jsonl | OutputFormat::Json)
        && matches!(read, None | Some(Format::Jsonl | Format::Json));
    Ok((To::Rows(Box::new(RowWriter::create(out, format)?)), records))
}

struct Novel {
    to: To,
    /// Whether records are passed on with all that they have.
    records: bool,
    text_field: String,
    cut: Cut,
    skip_empty: bool,
}

enum To {
    Rows(Box<RowWriter<KeptRow>>),
    /// The text of the one document, as it is.
    Text(Output),
    /// A file for each document, under the name that it was read by.
    Folder {
        folder: PathBuf,
        written: HashSet<PathBuf>,
    },
}

impl Answers for Novel {
    fn wants_text(&self) -> bool {
        true
    }

    fn wants_records(&self) -> bool {
        self.records
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
                Ok(rows.write(&row)?)
            }
            To::Text(out) => Ok(out.write_all(text.as_bytes())?),
            To::Folder { folder, written } => {
                let path = folder.join(inside(&document.id));
                if !written.insert(path.clone()) {
                    let what = format!("two documents would be written to {}; use --format jsonl", path.display());
                    return Err(Failure::run(what));
                }
                if let Some(parent) = path.parent() {
                    std::fs::create_dir_all(parent)?;
                }
                let mut out = Output::create(Target::from(path))?;
                out.write_all(text.as_bytes())?;
                Ok(out.finish()?)
            }
        }
    }

    fn finish(self) -> Result<(), Failure> {
        match self.to {
            To::Rows(rows) => Ok(rows.finish()?),
            To::Text(out) => Ok(out.finish()?),
            To::Folder { .. } => Ok(()),
        }
    }
}

/// The path that a document was read by, without what would lead out of a folder.
fn inside(id: &str) -> PathBuf {
    Path::new(id).components().filter(|part| matches!(part, Component::Normal(_))).collect()
}
