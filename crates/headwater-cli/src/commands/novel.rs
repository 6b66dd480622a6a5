//! `headwater novel`: the documents with only their new text.

use headwater::origin::{Cut, Report, new_text};
use headwater_io::write::RowWriter;

use super::document_row::{DocumentRow, form_like};
use crate::args::{NovelArgs, format_of, target};
use crate::failure::Failure;
use crate::memory::Memory;
use crate::stream::{Answers, Incoming, stream};
use crate::terminal::Talk;

pub(crate) fn novel(args: &NovelArgs) -> Result<(), Failure> {
    let out = target(args.output.as_deref());
    let format = match (args.format, &args.output) {
        (None, None) => form_like(args.stream.input.format().map_err(Failure::run)?),
        (asked, _) => format_of(asked, &out).map_err(Failure::Usage)?,
    };
    let cut = if args.keep_sentences { Cut::Sentences } else { Cut::Words };
    let novel = Novel { rows: RowWriter::create(out, format)?, cut, skip_empty: args.skip_empty };
    stream(&args.stream, novel, &Talk::new(args.talk.quiet))
}

struct Novel {
    rows: RowWriter<DocumentRow>,
    cut: Cut,
    skip_empty: bool,
}

impl Answers for Novel {
    fn wants_text(&self) -> bool {
        true
    }

    fn answer(&mut self, document: &Incoming, report: &Report, _: &Memory) -> Result<(), Failure> {
        let text = new_text(&document.text, document.prepared.tokens(), report, self.cut);
        if self.skip_empty && text.trim().is_empty() {
            return Ok(());
        }
        let row = DocumentRow::new(document.id.clone(), document.time.as_ref(), document.url.clone(), text);
        Ok(self.rows.write(&row)?)
    }

    fn finish(self) -> Result<(), Failure> {
        Ok(self.rows.finish()?)
    }
}
