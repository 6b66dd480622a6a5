//! `headwater novel`: the documents with only their new text.

use headwater::origin::{Cut, Report, new_text};
use headwater_io::Format;
use headwater_io::write::{OutputFormat, RowWriter};

use super::document_row::{DocumentRow, KeptRow, form_like};
use crate::args::{NovelArgs, format_of, target};
use crate::failure::Failure;
use crate::memory::Memory;
use crate::record::with_text;
use crate::stream::{Answers, Incoming, stream};
use crate::terminal::Talk;

pub(crate) fn novel(args: &NovelArgs) -> Result<(), Failure> {
    let out = target(args.output.as_deref());
    let read = args.stream.input.format().map_err(Failure::run)?;
    let format = match (args.format, &args.output) {
        (None, None) => form_like(read),
        (asked, _) => format_of(asked, &out).map_err(Failure::Usage)?,
    };
    let novel = Novel {
        // What stands in an array can have line ends in it: that is no line. Where names tell no format, content will.
        records: format == OutputFormat::Jsonl && matches!(read, None | Some(Format::Jsonl)),
        text_field: args.stream.input.options().fields.text,
        rows: RowWriter::create(out, format)?,
        cut: if args.keep_sentences { Cut::Sentences } else { Cut::Words },
        skip_empty: args.skip_empty,
    };
    stream(&args.stream, novel, &Talk::new(args.talk.quiet))
}

struct Novel {
    /// Whether records are passed on with all that they have.
    records: bool,
    text_field: String,
    rows: RowWriter<KeptRow>,
    cut: Cut,
    skip_empty: bool,
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
        let record = document.record.as_ref().and_then(|record| with_text(record, &self.text_field, &text));
        let row = record.map(KeptRow::Record).unwrap_or_else(|| {
            let (time, url) = (document.time.as_ref(), document.url.clone());
            KeptRow::Document(DocumentRow::new(document.id.clone(), time, url, text))
        });
        Ok(self.rows.write(&row)?)
    }

    fn finish(self) -> Result<(), Failure> {
        Ok(self.rows.finish()?)
    }
}
