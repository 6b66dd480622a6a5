//! Reading: inputs in, documents out, in order.

use std::convert::Infallible;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use headwater::{Document, Time};

use crate::chunk::Chunk;
use crate::collect::{Parsed, Total};
use crate::dispatch::{self, Settings};
use crate::fields::Fields;
use crate::format::Format;
use crate::order;
use crate::pipeline;
use crate::problem::Problem;
use crate::progress::{Phase, Progress};
use crate::sort::TimeSorter;
use crate::source::{Input, Inputs};
use crate::summary::Summary;

/// How to read.
#[derive(Clone, Debug)]
pub struct ReadOptions {
    /// The format of every input; by default each input's own, told by its name and content.
    pub format: Option<Format>,
    /// Which fields of a record make a document.
    pub fields: Fields,
    /// Which text of a page to take.
    pub html: HtmlText,
    /// Bytes of text above which a document is refused. Default: 64 MiB; at most [`MAX_DOCUMENT`](crate::MAX_DOCUMENT).
    pub max_document: usize,
    /// Threads that parse; 1 leaves all work to the caller's own. Default: one for each core.
    pub threads: usize,
    /// In which order to deliver.
    pub order: Order,
    /// Memory for sorting documents that are not in order; more is spilled to disk. Default: 256 MiB.
    pub sort_memory: usize,
    /// Where to spill; by default the system's folder for temporary files.
    pub temporary: Option<PathBuf>,
    /// Kept up to date while reading.
    pub progress: Arc<Progress>,
}

/// Which text of a page to take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HtmlText {
    /// The article without navigation; all visible text where there is no article.
    #[default]
    Main,
    /// All visible text.
    All,
    /// Where its links lead, one a line.
    Links,
}

/// In which order documents are delivered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// By time, then arrival. Inputs that can be read once only are not waited for: their documents come as they arrive, in the
    /// place of that input among the others.
    #[default]
    Auto,
    /// By time, then arrival; streams too, which are read to their end first.
    Time,
    /// As the inputs have them.
    Input,
}

/// What reading delivers, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event<T> {
    /// A document, as prepared by the caller's function.
    Document(T),
    /// A record that was skipped.
    Problem(Problem),
}

/// Why reading ended early or in vain. `E` is the error of the caller's own function.
#[derive(Debug)]
pub enum ReadError<E> {
    /// The caller's function said so.
    Sink(E),
    /// There was not a single document.
    Empty(Box<Summary>),
    /// No record has the field with the text.
    NoText {
        /// The name of the field that was looked for.
        field: String,
        /// What was read.
        summary: Box<Summary>,
    },
    /// Documents could not be spilled for sorting.
    Sort(std::io::Error),
}

impl Default for ReadOptions {
    fn default() -> Self {
        ReadOptions {
            format: None,
            fields: Fields::default(),
            html: HtmlText::default(),
            max_document: 64 << 20,
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            order: Order::default(),
            sort_memory: 256 << 20,
            temporary: None,
            progress: Arc::default(),
        }
    }
}

/// Reads all `inputs`: runs `prepare` on each document, on several threads at once, and hands the results to `sink` in order, on
/// the caller's thread.
///
/// Records that cannot be read are delivered as [`Problem`]s at their place in the order and reading goes on behind them; where
/// documents have to be sorted first, problems are delivered as they are met. The same inputs and options give the same events for
/// any number of threads.
pub fn read<T: Send, E>(
    inputs: &Inputs,
    options: &ReadOptions,
    prepare: impl Fn(Document) -> T + Sync,
    mut sink: impl FnMut(Event<T>) -> Result<(), E>,
) -> Result<Summary, ReadError<E>> {
    read_with_pauses(inputs, options, prepare, |event| event.map_or(Ok(()), &mut sink))
}

/// As [`read`]; but of inputs that may wait for their writer, what has come together is followed by `None`: whoever passes answers on
/// should do so now, since the next document may be long in coming.
pub fn read_with_pauses<T: Send, E>(
    inputs: &Inputs,
    options: &ReadOptions,
    prepare: impl Fn(Document) -> T + Sync,
    sink: impl FnMut(Option<Event<T>>) -> Result<(), E>,
) -> Result<Summary, ReadError<E>> {
    let mut run = Run { options, prepare, sink, total: Total::default() };
    match options.order {
        Order::Input => run.straight(inputs.list())?,
        Order::Time => run.in_order(inputs.list())?,
        Order::Auto => {
            for segment in inputs.list().chunk_by(|one, next| one.is_once() == next.is_once()) {
                if segment[0].is_once() { run.straight(segment)? } else { run.in_order(segment)? }
            }
        }
    }
    let (records, with_text) = (run.total.records, run.total.with_text);
    let summary = Box::new(run.total.finish());
    if records > 0 && with_text == 0 {
        return Err(ReadError::NoText { field: options.fields.text.clone(), summary });
    }
    if summary.documents == 0 {
        return Err(ReadError::Empty(summary));
    }
    Ok(*summary)
}

/// One call of [`read_with_pauses`].
struct Run<'o, P, S> {
    options: &'o ReadOptions,
    prepare: P,
    sink: S,
    total: Total,
}

impl<T: Send, E, P: Fn(Document) -> T + Sync, S: FnMut(Option<Event<T>>) -> Result<(), E>> Run<'_, P, S> {
    /// Delivers in the order of the inputs.
    fn straight(&mut self, inputs: &[Arc<Input>]) -> Result<(), ReadError<E>> {
        let Run { options, prepare, sink, total } = self;
        options.progress.begin(Phase::Reading, size(inputs));
        let live = inputs.iter().any(|input| input.is_once());
        each(inputs, options, &*prepare, |parsed: Parsed<T>| {
            let (mut documents, mut problems) = (0, 0);
            for event in parsed.events {
                match &event {
                    Event::Document(_) => documents += 1,
                    Event::Problem(_) => problems += 1,
                }
                sink(Some(event)).map_err(ReadError::Sink)?;
            }
            if live {
                sink(None).map_err(ReadError::Sink)?;
            }
            options.progress.add_documents(documents);
            total.add(parsed.tally, problems, true);
            Ok(())
        })
    }

    /// Delivers by time, and sorts only where it must.
    fn in_order(&mut self, inputs: &[Arc<Input>]) -> Result<(), ReadError<E>> {
        if order::is_in_order(inputs, self.options) {
            return self.straight(inputs);
        }
        let Run { options, prepare, sink, total } = self;
        options.progress.begin(Phase::Sorting, size(inputs));
        total.summary.sorted = true;
        let mut sorter = TimeSorter::new(options.sort_memory, options.temporary.as_deref());
        let mut bytes = 0;
        // A document without a time keeps its place behind the one before it.
        let mut time = i64::MIN;
        each(inputs, options, &|document| document, |parsed: Parsed<Document>| {
            let mut problems = 0;
            for event in parsed.events {
                match event {
                    Event::Document(document) => {
                        time = document.time.as_ref().map_or(time, Time::micros);
                        bytes += document.text.len() as u64;
                        sorter.push(time, document).map_err(ReadError::Sort)?;
                    }
                    Event::Problem(problem) => {
                        problems += 1;
                        sink(Some(Event::Problem(problem))).map_err(ReadError::Sink)?;
                    }
                }
            }
            total.add(parsed.tally, problems, false);
            Ok(())
        })?;
        options.progress.begin(Phase::Delivering, Some(bytes));
        order::deliver(sorter, options, &*prepare, |prepared| {
            sink(Some(Event::Document(prepared))).map_err(ReadError::Sink)
        })
    }
}

/// Reads inputs in their own order.
fn each<T: Send, E>(
    inputs: &[Arc<Input>],
    options: &ReadOptions,
    prepare: &(impl Fn(Document) -> T + Sync),
    deliver: impl FnMut(Parsed<T>) -> Result<(), E>,
) -> Result<(), E> {
    let settings = Arc::new(Settings::new(options, true));
    let reading = settings.clone();
    let cut = move |input: Arc<Input>, feed: &dyn pipeline::Feed<Chunk>| dispatch::cut(&input, &reading, feed);
    // Whoever waits for a pipe on the caller's thread cannot be told to stop.
    let live = inputs.iter().any(|input| input.is_once());
    let threads = if live { options.threads.max(2) } else { options.threads };
    let work = |chunk| dispatch::collect(chunk, &settings, prepare);
    pipeline::run_until(threads, inputs.to_vec(), || options.progress.is_stopped(), cut, work, deliver)
}

/// Bytes to read, where that is known.
pub(crate) fn size(inputs: &[Arc<Input>]) -> Option<u64> {
    inputs.iter().map(|input| input.size).sum()
}

impl<E: fmt::Display> fmt::Display for ReadError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadError::Sink(error) => error.fmt(f),
            ReadError::Empty(summary) if summary.problems > 0 => {
                write!(f, "no documents: all {} records were skipped{}", summary.problems, fields_of(summary))
            }
            ReadError::Empty(summary) => write!(f, "no documents in {} bytes of input", summary.bytes),
            ReadError::NoText { field, summary } => {
                write!(f, "no record has a field {field:?} with the text{}", fields_of(summary))
            }
            ReadError::Sort(error) => write!(f, "cannot sort the documents by time: {error}"),
        }
    }
}

impl<E: std::error::Error> std::error::Error for ReadError<E> {}

fn fields_of(summary: &Summary) -> String {
    if summary.fields.is_empty() {
        return String::new();
    }
    let names: Vec<&str> = summary.fields.iter().map(|(name, _)| name.as_str()).collect();
    format!("; the fields there are: {} (--text-field names the one to take)", names.join(", "))
}

/// For callers whose sink cannot fail.
impl ReadError<Infallible> {
    /// The same error for a sink that might fail.
    pub fn widen<E>(self) -> ReadError<E> {
        match self {
            ReadError::Sink(never) => match never {},
            ReadError::Empty(summary) => ReadError::Empty(summary),
            ReadError::NoText { field, summary } => ReadError::NoText { field, summary },
            ReadError::Sort(error) => ReadError::Sort(error),
        }
    }
}
