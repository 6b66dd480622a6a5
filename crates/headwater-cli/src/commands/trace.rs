//! `headwater trace`: where each passage came from, and what is new.

use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};

use headwater::Time;
use headwater::origin::{Prepared, Report};
use headwater_io::write::{Output, RowWriter};
use headwater_io::{Entry, Event, Register, read};

use super::trace_row::{self, TraceRow};
use crate::args::{Form, TraceArgs};
use crate::failure::Failure;
use crate::interrupt;
use crate::memory::{Arriving, Memory};
use crate::terminal::{Painter, Passage, Source, Story, Talk, bytes, count, percent};

/// Tokens of a document whose memory is used again.
const USUAL: usize = 1 << 14;

/// Longer lines than this are hard to read, however wide the terminal.
const WIDTH: usize = 100;

pub(crate) fn trace(args: &TraceArgs) -> Result<(), Failure> {
    let form = args.output.form().map_err(Failure::Usage)?;
    let talk = Talk::new(args.talk.quiet);
    let memory = Memory::open(&args.memory, &args.origin, &args.tokens, &talk)?;
    let inputs = args.input.open().map_err(Failure::run)?;
    let options = args.input.options();
    interrupt::ends(&options.progress);

    let (preparer, digests, keep_text) = (memory.preparer(), memory.wants_digests(), form == Form::Text);
    let mut answers = Answers::open(args, form)?;
    let mut run = Run { memory, report: Report::default(), totals: Totals::default() };

    let watch = talk.watch(Arc::clone(&options.progress));
    // The memory of documents that are done with, for those that come; of unusually long ones it is given back.
    let spare = Mutex::new(Vec::<Prepared>::new());
    let prepare = |document: headwater::Document| {
        let mut prepared = spare.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default();
        preparer.prepare_into(&document.text, &mut prepared).expect("reading refuses texts of 4 GiB");
        let digest = if digests { headwater_io::digest(&document) } else { 0 };
        let text = if keep_text { document.text } else { String::new() };
        Incoming { id: document.id, time: document.time, url: document.url, text, digest, prepared }
    };
    let outcome = read(&inputs, &options, prepare, |event| match event {
        Event::Document(document) => {
            run.observe(&document, &mut answers, &talk)?;
            if document.prepared.tokens().len() <= USUAL {
                spare.lock().unwrap_or_else(PoisonError::into_inner).push(document.prepared);
            }
            Ok(())
        }
        Event::Problem(problem) if args.input.strict => Err(Failure::run(problem)),
        Event::Problem(problem) => {
            talk.warn(problem);
            Ok(())
        }
    });
    drop(watch);
    let summary = match outcome.map_err(Failure::from).and_then(|summary| interrupt::check().map(|()| summary)) {
        Err(Failure::Interrupted) => return run.stop(answers, &talk),
        outcome => outcome?,
    };
    // Answers first: what the table counts is never asked for again, and its answer must not be lost.
    answers.finish()?;
    run.memory.save(true)?;
    talk.say(run.totals.closing(&summary));
    Ok(())
}

/// A document that is ready for the table.
struct Incoming {
    id: String,
    time: Option<Time>,
    url: Option<String>,
    /// Empty unless the answer shows it.
    text: String,
    digest: u64,
    prepared: Prepared,
}

struct Run {
    memory: Memory,
    report: Report,
    totals: Totals,
}

impl Run {
    fn observe(&mut self, document: &Incoming, answers: &mut Answers, talk: &Talk) -> Result<(), Failure> {
        interrupt::check()?;
        let Incoming { id, time, url, digest, prepared, .. } = document;
        let arriving = Arriving { id, time: time.as_ref(), url: url.as_deref(), digest: *digest, prepared };
        if !self.memory.observe(&arriving, &mut self.report, talk)? {
            self.totals.repeated += 1;
            return Ok(());
        }
        self.totals.add(document, &self.report);
        self.warn_of_namesakes(document, talk)?;
        answers.write(document, &self.report, &self.memory.register)?;
        self.memory.answered()
    }

    /// Ends a run that the user has interrupted. What a table has learnt is saved, and the answers that go with it are too.
    fn stop(mut self, answers: Answers, talk: &Talk) -> Result<(), Failure> {
        let Some(path) = self.memory.grows().map(std::path::Path::to_owned) else {
            return Err(Failure::Interrupted);
        };
        answers.finish()?;
        self.memory.save(false)?;
        talk.warn(format_args!(
            "{}: saved after {} documents, and all answers up to there; the same command goes on from there",
            path.display(),
            count(u64::from(self.memory.tracer.documents()))
        ));
        Err(Failure::Interrupted)
    }

    /// An answer names documents by id, so an origin of the document's own name would be taken for the document itself.
    fn warn_of_namesakes(&mut self, document: &Incoming, talk: &Talk) -> Result<(), Failure> {
        for segment in &self.report.segments {
            if !self.totals.namesakes
                && segment.origin != self.report.document
                && self.memory.register.get(segment.origin)?.id == document.id
            {
                self.totals.namesakes = true;
                talk.warn(format_args!(
                    "the id {:?} belongs to several documents; where one copies the other, the answer cannot tell them apart",
                    document.id
                ));
            }
        }
        Ok(())
    }
}

/// What the closing line tells.
#[derive(Default)]
struct Totals {
    tokens: u64,
    fresh: u64,
    too_short: u64,
    /// Documents that an interrupted run had counted already.
    repeated: u64,
    namesakes: bool,
}

impl Totals {
    fn add(&mut self, document: &Incoming, report: &Report) {
        self.tokens += report.tokens() as u64;
        self.fresh += report.fresh_tokens() as u64;
        self.too_short += u64::from(document.prepared.shingles() == 0);
    }

    fn closing(&self, summary: &headwater_io::Summary) -> String {
        let mut line = format!("{} documents, {} tokens", count(summary.documents), count(self.tokens));
        if self.tokens > 0 {
            line += &format!(", {} new", percent(self.fresh as f64 / self.tokens as f64));
        }
        line += &format!("; {} read", bytes(summary.bytes));
        if summary.sorted {
            line += "; sorted by time";
        }
        if summary.late > 0 {
            line += &format!("; {} arrived later than their time", count(summary.late));
        }
        if self.too_short > 0 {
            line += &format!("; {} too short for a shingle", count(self.too_short));
        }
        if self.repeated > 0 {
            line += &format!("; {} were in the table already", count(self.repeated));
        }
        if summary.problems > 0 {
            line += &format!("; {} records skipped", count(summary.problems));
        }
        line
    }
}

/// Where the answers go.
enum Answers {
    Rows { writer: RowWriter<TraceRow>, evidence: bool },
    Text { painter: Painter, out: Output, evidence: bool },
}

impl Answers {
    fn open(args: &TraceArgs, form: Form) -> Result<Self, Failure> {
        let (target, evidence) = (args.output.target(), args.output.evidence);
        match form {
            Form::Rows(format) => Ok(Answers::Rows { writer: RowWriter::create(target, format)?, evidence }),
            Form::Text => {
                let width = terminal_size::terminal_size().map_or(WIDTH, |(width, _)| usize::from(width.0).min(WIDTH));
                let painter = Painter::new(args.output.color.wanted(&target), width);
                Ok(Answers::Text { painter, out: Output::create(target)?, evidence })
            }
        }
    }

    fn write(&mut self, document: &Incoming, report: &Report, register: &Register) -> Result<(), Failure> {
        match self {
            Answers::Rows { writer, evidence } => {
                let named =
                    trace_row::Named { id: &document.id, time: document.time.as_ref(), url: document.url.as_deref() };
                let row = TraceRow::new(&named, report, register, *evidence)?;
                Ok(writer.write(&row)?)
            }
            Answers::Text { painter, out, evidence } => {
                let page = page(painter, document, report, register, *evidence)?;
                Ok(out.write_all(page.as_bytes())?)
            }
        }
    }

    fn finish(self) -> Result<(), Failure> {
        match self {
            Answers::Rows { writer, .. } => Ok(writer.finish()?),
            Answers::Text { out, .. } => Ok(out.finish()?),
        }
    }
}

fn page(
    painter: &mut Painter,
    document: &Incoming,
    report: &Report,
    register: &Register,
    evidence: bool,
) -> Result<String, Failure> {
    let mut sources: Vec<Source> = Vec::new();
    let mut passages = Vec::with_capacity(report.segments.len());
    for segment in &report.segments {
        let at = match sources.iter().position(|source| source.document == segment.origin) {
            Some(at) => at,
            None => {
                let Entry { id, time, url } = register.get(segment.origin)?.as_ref().clone();
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
        novelty: report.novelty(),
        verdict: verdict(report, register)?,
        passages: &passages,
        sources: &sources,
    }))
}

/// The dominant origin in words.
fn verdict(report: &Report, register: &Register) -> Result<String, Failure> {
    Ok(match report.dominant {
        _ if report.tokens() == 0 => "no words at all".into(),
        Some(own) if own == report.document && report.segments.is_empty() => "an original".into(),
        Some(own) if own == report.document => "mostly its own".into(),
        Some(origin) => format!("mostly from {} ({})", register.get(origin)?.id, percent(report.dominant_share)),
        None => "no single origin leads".into(),
    })
}
