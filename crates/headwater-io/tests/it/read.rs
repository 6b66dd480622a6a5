//! Documents in: formats, compressions, fields, order, and all that can be wrong with a file.

mod encodings;
mod fields;
mod formats;
mod hostile;
mod malformed;
mod nasty;
mod order;
mod pack;
mod sources;
mod whole;

use headwater::Document;
use headwater_io::{Event, Inputs, ReadOptions, Summary, read};

/// What a run delivered.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) events: Vec<Event<Document>>,
    /// The summary, or the error as the user would see it.
    pub(crate) summary: Result<Summary, String>,
}

impl Outcome {
    pub(crate) fn documents(&self) -> Vec<&Document> {
        let mut documents = Vec::new();
        for event in &self.events {
            if let Event::Document(document) = event {
                documents.push(document);
            }
        }
        documents
    }

    pub(crate) fn ids(&self) -> Vec<&str> {
        self.documents().into_iter().map(|document| document.id.as_str()).collect()
    }

    pub(crate) fn texts(&self) -> Vec<&str> {
        self.documents().into_iter().map(|document| document.text.as_str()).collect()
    }

    pub(crate) fn problems(&self) -> Vec<String> {
        let problem = |event: &Event<Document>| match event {
            Event::Document(_) => None,
            Event::Problem(problem) => Some(problem.to_string()),
        };
        self.events.iter().filter_map(problem).collect()
    }

    pub(crate) fn error(&self) -> &str {
        self.summary.as_ref().err().map_or("", String::as_str)
    }
}

/// Reads with 1, 2 and 8 threads, which must give the same events and numbers.
pub(crate) fn run(inputs: impl Fn() -> Inputs, options: &ReadOptions) -> Outcome {
    let with = |threads| {
        let mut events = Vec::new();
        let options = ReadOptions { threads, ..options.clone() };
        let sink = |event| {
            events.push(event);
            Ok::<(), std::convert::Infallible>(())
        };
        let summary = read(&inputs(), &options, |document| document, sink).map_err(|error| error.to_string());
        Outcome { events, summary }
    };
    let one = with(1);
    for threads in [2, 8] {
        let more = with(threads);
        assert_eq!(one.events, more.events, "{threads} threads");
        assert_eq!(format!("{:?}", one.summary), format!("{:?}", more.summary), "{threads} threads");
    }
    one
}

/// Reads one input from memory.
pub(crate) fn run_bytes(name: &str, bytes: impl Into<Vec<u8>>, options: &ReadOptions) -> Outcome {
    let bytes = bytes.into();
    let inputs = || {
        let mut inputs = Inputs::new();
        inputs.push_bytes(name, bytes.clone());
        inputs
    };
    run(inputs, options)
}
