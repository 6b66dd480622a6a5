//! The loop behind every command that asks for origins: documents in order, each against those before it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use headwater::origin::{Prepared, Report};
use headwater::{Document, Time};
use headwater_io::write::{AtomicFile, Target};
use headwater_io::{Event, Summary, read_with_pauses};

use crate::args::StreamArgs;
use crate::failure::Failure;
use crate::interrupt;
use crate::memory::{Arriving, Memory};
use crate::namesakes::Namesakes;
use crate::record::text_of;
use crate::terminal::{Talk, bytes, count, percent};

/// What a command makes of documents and their origins.
pub(crate) trait Answers {
    /// Whether the texts of the documents are wanted; else they are given back before the table is asked.
    fn wants_text(&self) -> bool;

    /// Whether the records that documents come from are wanted whole.
    fn wants_records(&self) -> bool {
        false
    }

    /// A document is about to be reported on; [`Failure::Enough`] ends the run before it is.
    fn before(&mut self, _document: &Incoming, _memory: &Memory) -> Result<(), Failure> {
        Ok(())
    }

    /// One document has been reported on. It is in the register itself unless it was only asked about.
    fn answer(&mut self, document: &Incoming, report: &Report, memory: &Memory) -> Result<(), Failure>;

    /// Hands over the answers that were given so far, for whoever waits for them or counts on them.
    fn flush(&mut self) -> Result<(), Failure> {
        Ok(())
    }

    /// All documents have been.
    fn finish(self) -> Result<(), Failure>;
}

/// A document that is ready for the table.
pub(crate) struct Incoming {
    pub(crate) id: String,
    pub(crate) time: Option<Time>,
    pub(crate) url: Option<String>,
    /// Empty unless the answers want it.
    pub(crate) text: String,
    /// The record that it comes from, as JSON, where the answers want it.
    pub(crate) record: Option<String>,
    digest: u64,
    pub(crate) prepared: Prepared,
    /// How much of its memory an earlier document had.
    lent: usize,
}

impl Incoming {
    /// Whether it has not even one shingle: such a document is never compared, so all of it counts as new whatever it copies.
    pub(crate) fn is_too_short(&self) -> bool {
        self.prepared.shingles() == 0
    }

    /// Which part of it is new, where anybody can tell.
    pub(crate) fn novelty(&self, report: &Report) -> Option<f64> {
        (!self.is_too_short()).then(|| report.novelty())
    }
}

/// Streams the inputs through the memory, and hands every document with its report to `answers`, which go to `target`.
pub(crate) fn stream(
    args: &StreamArgs,
    target: &Target,
    mut answers: impl Answers,
    talk: &Talk,
) -> Result<(), Failure> {
    args.input.spare(target).and_then(|()| args.memory.spare(target)).map_err(Failure::Usage)?;
    let inputs = args.input.open().map_err(Failure::run)?;
    let memory = Memory::open(&args.memory, &args.origin, &args.tokens, inputs.bytes(), talk)?;
    let mut options = args.input.options();
    options.fields.whole = answers.wants_records();
    interrupt::ends(&options.progress);
    let (preparer, digests, keep_text) = (memory.preparer(), memory.wants_digests(), answers.wants_text());
    let (report, totals, namesakes) = (Report::default(), Totals::default(), Namesakes::new());
    let mut run = Run { memory, target, report, totals, namesakes };

    let watch = talk.watch(Arc::clone(&options.progress));
    let spare = Spare::default();
    let prepare = |mut document: Document| {
        let text = if options.fields.whole { text_of(&document.text, &options.fields.text) } else { None };
        // Whoever asks for records gets the text inside one.
        let record = text.map(|text| std::mem::replace(&mut document.text, text));
        let (mut prepared, lent) = spare.take();
        preparer.prepare_into(&document.text, &mut prepared).expect("reading refuses texts of 4 GiB");
        let digest = if digests { headwater_io::digest(&document) } else { 0 };
        let text = if keep_text { document.text } else { String::new() };
        Incoming { id: document.id, time: document.time, url: document.url, text, record, digest, prepared, lent }
    };
    let outcome = read_with_pauses(&inputs, &options, prepare, |event| match event {
        Some(Event::Document(document)) => {
            run.observe(&document, &mut answers, talk)?;
            spare.give(document.prepared, document.lent);
            Ok(())
        }
        Some(Event::Problem(problem)) if args.input.strict => Err(Failure::run(problem)),
        Some(Event::Problem(problem)) => {
            talk.warn(problem);
            Ok(())
        }
        // Whoever waits for answers to a stream is not to wait for more of it.
        None => answers.flush(),
    });
    drop(watch);
    let summary = match outcome.map_err(Failure::from).and_then(|summary| interrupt::check().map(|()| summary)) {
        Err(Failure::Interrupted) => return run.stop(answers, talk),
        Err(Failure::Enough) => return run.abandon(),
        outcome => outcome?,
    };
    // Answers first: what the table counts is never asked for again, and its answer must not be lost.
    match answers.finish() {
        Err(Failure::Enough) => return run.abandon(),
        finished => finished?,
    }
    run.memory.save(true)?;
    if summary.has_mixed_times() {
        talk.warn(mixed_times(&summary));
    }
    talk.say(run.totals.closing(&summary));
    Ok(())
}

/// The memory of documents that are done with, for those that come: fresh memory comes from the system page by page, and costs
/// as much as what is then done in it.
#[derive(Default)]
struct Spare(Mutex<Lending>);

#[derive(Default)]
struct Lending {
    spare: Vec<Prepared>,
    /// Bytes that are spare or lent.
    bytes: usize,
}

/// Bytes that may be spare or lent: what counts is how much it can hold, not how much it holds. Thousands of short documents may wait for
/// the table, and memory that is used again has had room for a long one sooner or later; so what is far too large is not kept either.
const MOST_LENT: usize = 24 << 20;

/// What a document may take to be kept, beside so much for each of its tokens: four times what a token needs.
const ROOM: usize = 1 << 10;
const ROOM_PER_TOKEN: usize = 1 << 7;

impl Spare {
    /// Room for a document, and how many bytes of it another has had.
    fn take(&self) -> (Prepared, usize) {
        let spare = self.lending().spare.pop().unwrap_or_default();
        let lent = spare.memory();
        (spare, lent)
    }

    /// Takes back what was lent, or drops it.
    fn give(&self, prepared: Prepared, lent: usize) {
        let mut lending = self.lending();
        let bytes = lending.bytes - lent + prepared.memory();
        let is_roomy = prepared.memory() > ROOM + ROOM_PER_TOKEN * prepared.tokens().len();
        if bytes <= MOST_LENT && !is_roomy {
            lending.bytes = bytes;
            lending.spare.push(prepared);
        } else {
            lending.bytes -= lent;
        }
    }

    fn lending(&self) -> MutexGuard<'_, Lending> {
        // Nothing that can panic is done while it is locked.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

struct Run<'a> {
    memory: Memory,
    target: &'a Target,
    report: Report,
    totals: Totals,
    namesakes: Namesakes,
}

impl Run<'_> {
    fn observe(&mut self, document: &Incoming, answers: &mut impl Answers, talk: &Talk) -> Result<(), Failure> {
        interrupt::check()?;
        answers.before(document, &self.memory)?;
        let Incoming { id, time, url, digest, prepared, .. } = document;
        let arriving = Arriving { id, time: time.as_ref(), url: url.as_deref(), digest: *digest, prepared };
        if !self.memory.observe(&arriving, &mut self.report, talk)? {
            if self.totals.repeated == 0 {
                self.spare_earlier_answers()?;
                self.tell_of_unfinished_answers(talk);
            }
            self.totals.repeated += 1;
            self.namesakes.have(&document.id);
            return Ok(());
        }
        self.totals.add(document, &self.report);
        self.warn_of_namesakes(document, talk)?;
        answers.answer(document, &self.report, &self.memory)?;
        if self.memory.is_due() {
            // What the table has counted is not answered again.
            answers.flush()?;
            self.memory.checkpoint()?;
        }
        Ok(())
    }

    /// Ends a run that the user has interrupted. What a table has learnt is saved, and the answers that go with it are too.
    fn stop(mut self, answers: impl Answers, talk: &Talk) -> Result<(), Failure> {
        let Some(path) = self.memory.grows().map(std::path::Path::to_owned) else {
            return Err(Failure::Interrupted);
        };
        answers.finish()?;
        self.memory.save(false)?;
        let again = match self.target {
            Target::Stdout => "the same command goes on from there",
            Target::File(_) => "the same command with another file for its answers goes on from there",
        };
        talk.warn(format_args!(
            "{}: saved after {} documents, and all answers up to there; {again}",
            path.display(),
            count(u64::from(self.memory.tracer.documents()))
        ));
        Err(Failure::Interrupted)
    }

    /// Ends a run whose answers nobody wants any more. What a table has learnt since it was last saved is dropped: nobody has been
    /// told of it.
    fn abandon(self) -> Result<(), Failure> {
        match self.memory.grows() {
            None => Err(Failure::Enough),
            Some(path) => Err(Failure::run(format_args!(
                "standard output was closed before all answers were given; {} is as it was last saved",
                path.display()
            ))),
        }
    }

    /// A run that goes on after an interrupted one answers about the rest alone: it must not put that in the place of the answers
    /// that were given before.
    fn spare_earlier_answers(&self) -> Result<(), Failure> {
        match self.target {
            Target::File(path) if path.is_file() => Err(Failure::run(format_args!(
                "{} is there already, perhaps with the answers that were given before the table's last run was interrupted; this run \
                 goes on after them and would take its place: name another file, or move it away",
                path.display()
            ))),
            _ => Ok(()),
        }
    }

    /// A run that was killed could not put its answers in their place. They lie beside it, and nobody will give them again.
    fn tell_of_unfinished_answers(&self, talk: &Talk) {
        let Target::File(path) = self.target else { return };
        for (unfinished, bytes) in AtomicFile::unfinished(path) {
            // Nothing has been written yet of what this run is to answer.
            if bytes > 0 {
                talk.warn(format_args!(
                    "{} has what the interrupted run answered, up to where this one goes on and perhaps a little further",
                    unfinished.display()
                ));
            }
        }
    }

    /// An answer names documents by id, so where two have one, it does not say which of them an origin is. Told of once, when a
    /// document comes whose id was seen in this run, or which has an origin of its own name, perhaps from a run before.
    fn warn_of_namesakes(&mut self, document: &Incoming, talk: &Talk) -> Result<(), Failure> {
        if self.namesakes.are_told() {
            return Ok(());
        }
        // A document that was only asked about is no origin of anything.
        if (self.memory.adds() && self.namesakes.have(&document.id)) || self.has_namesake_as_origin(document)? {
            self.namesakes.tell();
            talk.warn(format_args!(
                "the id {:?} belongs to several documents; where an answer names it as an origin, nobody can tell which is meant: \
                 give each document an id of its own",
                document.id
            ));
        }
        Ok(())
    }

    fn has_namesake_as_origin(&self, document: &Incoming) -> Result<bool, Failure> {
        // Each origin is asked for once where its segments follow each other, as they mostly do.
        let mut before = self.report.document;
        for segment in &self.report.segments {
            let origin = std::mem::replace(&mut before, segment.origin);
            if segment.origin != origin
                && segment.origin != self.report.document
                && self.memory.register.get(segment.origin)?.id == document.id
            {
                return Ok(true);
            }
        }
        Ok(false)
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
}

impl Totals {
    fn add(&mut self, document: &Incoming, report: &Report) {
        self.tokens += report.tokens() as u64;
        self.fresh += report.fresh_tokens() as u64;
        self.too_short += u64::from(document.is_too_short());
    }

    fn closing(&self, summary: &Summary) -> String {
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
        if (1..summary.documents).contains(&summary.without_time) {
            line += &format!("; {} without a time", count(summary.without_time));
        }
        if self.too_short > 0 {
            line += &format!("; {} too short for a shingle", count(self.too_short));
        }
        if self.repeated > 0 {
            line += &format!("; {} were in the table already", count(self.repeated));
        }
        if summary.lossy > 0 {
            line += &format!("; {} with bytes that are no text", count(summary.lossy));
        }
        if summary.problems > 0 {
            line += &format!("; {} records skipped", count(summary.problems));
        }
        line
    }
}

/// What is to be said where times have no common order.
pub(crate) fn mixed_times(summary: &Summary) -> String {
    format!(
        "{} times are small whole numbers, which count as seconds since 1970, and {} are years (of four digits, as text) or dates, \
         so that these numbers all count as earlier: write all times in one form",
        count(summary.ranks),
        count(summary.dates)
    )
}

/// The dominant origin in words.
pub(crate) fn verdict(document: &Incoming, report: &Report, memory: &Memory) -> Result<String, Failure> {
    Ok(match report.dominant {
        _ if report.tokens() == 0 => "no words at all".into(),
        _ if document.is_too_short() => {
            format!("too short to compare (fewer than {} tokens)", memory.tracer.settings().k)
        }
        Some(own) if own == report.document && report.segments.is_empty() => "an original".into(),
        Some(own) if own == report.document => "mostly its own".into(),
        Some(origin) => format!("mostly from {} ({})", memory.register.get(origin)?.id, percent(report.dominant_share)),
        None => "no single origin leads".into(),
    })
}
