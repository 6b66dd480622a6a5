//! `headwater trace`: where each passage came from, and what is new.

use std::io::Write;

use headwater::Time;
use headwater::origin::Report;
use headwater_io::Entry;
use headwater_io::write::{RowWriter, Sink};

use super::trace_page::Gathering;
use super::trace_row::{self, TraceRow};
use crate::args::{Form, PageForm, TraceArgs};
use crate::failure::Failure;
use crate::memory::Memory;
use crate::stream::{Answers, Incoming, stream, verdict};
use crate::terminal::{Painter, Passage, Source, Story, Talk, page_width};

pub(crate) fn trace(args: &TraceArgs) -> Result<(), Failure> {
    let form = args.output.form().map_err(Failure::Usage)?;
    let (target, talk) = (args.output.target(), Talk::new(args.talk.quiet));
    stream(&args.stream, &target, Origins::open(args, form)?, &talk)
}

/// Where the answers go.
enum Origins {
    Rows { writer: RowWriter<TraceRow>, row: Box<TraceRow>, evidence: bool },
    Text { painter: Painter, out: Box<Sink>, evidence: bool },
    Page(Box<Gathering>),
}

impl Origins {
    fn open(args: &TraceArgs, form: PageForm) -> Result<Self, Failure> {
        let (target, evidence) = (args.output.target(), args.output.evidence);
        match form {
            PageForm::Plain(Form::Rows(format)) => {
                Ok(Origins::Rows { writer: RowWriter::create(target, format)?, row: Box::default(), evidence })
            }
            PageForm::Page => Ok(Origins::Page(Box::new(Gathering::new(Sink::create(target)?, evidence)))),
            PageForm::Plain(Form::Text) => {
                let painter = Painter::new(args.output.color.wanted(&target), page_width());
                Ok(Origins::Text { painter, out: Box::new(Sink::create(target)?), evidence })
            }
        }
    }
}

impl Answers for Origins {
    fn wants_text(&self) -> bool {
        !matches!(self, Origins::Rows { .. })
    }

    fn answer(&mut self, document: &Incoming, report: &Report, memory: &Memory) -> Result<(), Failure> {
        match self {
            Origins::Rows { writer, row, evidence } => {
                let named =
                    trace_row::Named { id: &document.id, time: document.time.as_ref(), url: document.url.as_deref() };
                row.refill(&named, report, &memory.register, *evidence)?;
                Ok(writer.write(row)?)
            }
            Origins::Text { painter, out, evidence } => {
                let page = page(painter, document, report, memory, *evidence)?;
                Ok(out.write_all(page.as_bytes())?)
            }
            Origins::Page(gathering) => gathering.add(document, report, memory),
        }
    }

    fn flush(&mut self) -> Result<(), Failure> {
        match self {
            Origins::Rows { writer, .. } => Ok(writer.flush()?),
            Origins::Text { out, .. } => Ok(out.flush()?),
            // A page is written whole.
            Origins::Page(_) => Ok(()),
        }
    }

    fn finish(self) -> Result<(), Failure> {
        match self {
            Origins::Rows { writer, .. } => Ok(writer.finish()?),
            Origins::Text { out, .. } => Ok(out.finish()?),
            Origins::Page(gathering) => gathering.finish(),
        }
    }
}

fn page(
    painter: &mut Painter,
    document: &Incoming,
    report: &Report,
    memory: &Memory,
    evidence: bool,
) -> Result<String, Failure> {
    let mut sources: Vec<Source> = Vec::new();
    let mut passages = Vec::with_capacity(report.segments.len());
    for segment in &report.segments {
        let at = match sources.iter().position(|source| source.document == segment.origin) {
            Some(at) => at,
            None => {
                let Entry { id, time, url } = memory.register.get(segment.origin)?.as_ref().clone();
                let time = time.map(|time| time.to_string());
                sources.push(Source { document: segment.origin, id, time, url, tokens: 0, evidence: None });
                sources.len() - 1
            }
        };
        sources[at].tokens += segment.tokens.len();
        if evidence {
            let said = trace_row::Evidence::from(segment.evidence).to_string();
            let line = sources[at].evidence.get_or_insert_default();
            *line += if line.is_empty() { "" } else { "; " };
            *line += &said;
        }
        passages.push(Passage { bytes: segment.bytes.clone(), source: at });
    }
    Ok(painter.paint(&Story {
        id: &document.id,
        time: document.time.as_ref().map(Time::to_string),
        url: document.url.as_deref(),
        text: &document.text,
        tokens: report.tokens(),
        novelty: document.novelty(report),
        verdict: verdict(document, report, memory)?,
        passages: &passages,
        sources: &sources,
    }))
}
