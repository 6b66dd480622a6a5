//! Order by time: whether documents have it already, and what to do where they have not.

use std::io;
use std::sync::Arc;

use headwater::Document;

use crate::chunk::{Chunk, Receive};
use crate::dispatch::{self, Settings};
use crate::fields::{Fields, Record};
use crate::names::Names;
use crate::pipeline::{self, Feed, Stopped};
use crate::problem::At;
use crate::progress::Phase;
use crate::read::{ReadError, ReadOptions, size};
use crate::sort::{Sorted, TimeSorter};
use crate::source::Input;
use crate::window::CHUNK;

/// Whether no document of `inputs` has a time before that of one that it follows. Reads the times alone, as far as the first that is
/// out of order. What can be read once only is not looked at, and not taken to be in order.
pub(crate) fn is_in_order(inputs: &[Arc<Input>], options: &ReadOptions) -> bool {
    if inputs.iter().any(|input| input.is_once()) {
        return false;
    }
    options.progress.begin(Phase::CheckingOrder, size(inputs));
    let settings = Arc::new(Settings::new(options, false));
    let reading = settings.clone();
    let cut = move |input: Arc<Input>, feed: &dyn Feed<Chunk>| dispatch::cut(&input, &reading, feed);
    let work = |chunk: Chunk| {
        let mut times = Times { fields: &options.fields, span: Span::default(), names: Names::default() };
        dispatch::parse(chunk.format, chunk.body, &settings, &mut times);
        times.span
    };
    let mut all = Span::default();
    let join = |next: Span| {
        all.join(next);
        if all.is_broken { Err(()) } else { Ok(()) }
    };
    pipeline::run(options.threads, inputs.to_vec(), cut, work, join).is_ok()
}

/// Hands over sorted documents, prepared on all threads.
pub(crate) fn deliver<T: Send, E>(
    sorter: TimeSorter,
    options: &ReadOptions,
    prepare: &(impl Fn(Document) -> T + Sync),
    mut sink: impl FnMut(T) -> Result<(), ReadError<E>>,
) -> Result<(), ReadError<E>> {
    let sorted = sorter.finish().map_err(ReadError::Sort)?;
    let work = |documents: io::Result<Vec<Document>>| {
        let documents = documents?;
        let bytes = documents.iter().map(|document| document.text.len() as u64).sum();
        io::Result::Ok((bytes, documents.into_iter().map(prepare).collect::<Vec<T>>()))
    };
    pipeline::run(options.threads, vec![sorted], batches, work, |prepared| {
        let (bytes, prepared) = prepared.map_err(ReadError::Sort)?;
        options.progress.add_bytes(bytes);
        options.progress.add_documents(prepared.len() as u64);
        prepared.into_iter().try_for_each(&mut sink)
    })
}

/// Gathers documents into batches that are worth handing to a worker.
fn batches(sorted: Sorted, feed: &dyn Feed<io::Result<Vec<Document>>>) -> Result<(), Stopped> {
    let (mut batch, mut weight) = (Vec::new(), 0);
    for document in sorted {
        match document {
            Ok(document) => {
                weight += size_of::<Document>() + document.text.len();
                batch.push(document);
            }
            Err(error) => return feed.send(Err(error), 0),
        }
        if weight >= CHUNK {
            feed.send(Ok(std::mem::take(&mut batch)), weight)?;
            weight = 0;
        }
    }
    feed.send(Ok(batch), weight)
}

/// The times of a stretch of documents.
#[derive(Clone, Copy, Debug, Default)]
struct Span {
    first: Option<i64>,
    last: Option<i64>,
    /// One of them is before one that it follows.
    is_broken: bool,
}

impl Span {
    fn join(&mut self, next: Span) {
        let is_back = matches!((self.last, next.first), (Some(last), Some(first)) if first < last);
        self.is_broken |= next.is_broken || is_back;
        self.first = self.first.or(next.first);
        self.last = next.last.or(self.last);
    }
}

/// Looks at times alone.
struct Times<'a> {
    fields: &'a Fields,
    span: Span,
    names: Names,
}

impl Receive for Times<'_> {
    fn record(&mut self, _at: At, record: Record<'_>) {
        if let Ok(Some(time)) = record.time.into_time(&self.fields.time) {
            let time = Some(time.micros());
            self.span.join(Span { first: time, last: time, is_broken: false });
        }
    }

    // Problems are told when the documents are read.
    fn problem(&mut self, _at: At, _what: String) {}

    fn names(&mut self) -> &mut Names {
        &mut self.names
    }

    fn pass_over(&mut self, _kind: &str, _count: u64) {}

    fn decoded(&mut self, _encoding: &'static str, _lossy: bool) {}
}
