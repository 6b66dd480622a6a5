//! What every format target does: read the bytes twice, whole and as a stream that gives a few at a time.

use headwater::Document;
use headwater_io::{Event, Format, Inputs, Order, ReadOptions, read};

/// Small, so that the limits are met too.
const MAX_DOCUMENT: usize = 4096;

pub fn check(format: impl Into<Option<Format>>, bytes: &[u8]) {
    let options = ReadOptions {
        format: format.into(),
        threads: 1,
        order: Order::Input,
        max_document: MAX_DOCUMENT,
        ..ReadOptions::default()
    };
    let mut whole = Inputs::new();
    whole.push_bytes("x", bytes.to_vec());
    let whole = events(&whole, &options);
    for event in &whole {
        match event {
            Event::Document(document) => assert!(document.text.len() <= MAX_DOCUMENT),
            // Parquet is the one format whose parser is known to panic on broken files.
            Event::Problem(problem) if options.format != Some(Format::Parquet) => {
                let what = problem.what.as_str();
                let parsers = Format::ALL.map(|format| format!("the {format} reader failed on it"));
                assert!(what != "the HTML parser failed on it" && !parsers.iter().any(|failed| failed == what));
            }
            Event::Problem(_) => {}
        }
    }
    // Told from a first line that has not arrived in full, a format may be another one.
    if options.format.is_none() {
        return;
    }
    let mut drops = Inputs::new();
    drops.push_reader("x", Drops { bytes: bytes.to_vec(), at: 0 });
    assert_eq!(whole, events(&drops, &options));
}

fn events(inputs: &Inputs, options: &ReadOptions) -> Vec<Event<Document>> {
    let mut events = Vec::new();
    let sink = |event| {
        events.push(event);
        Ok::<(), ()>(())
    };
    // Bytes without a document are an error, and no concern of ours.
    let _ = read(inputs, options, |document| document, sink);
    events
}

/// Gives seven bytes at a time: most records lie across several reads.
struct Drops {
    bytes: Vec<u8>,
    at: usize,
}

impl std::io::Read for Drops {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let count = buffer.len().min(7).min(self.bytes.len() - self.at);
        buffer[..count].copy_from_slice(&self.bytes[self.at..self.at + count]);
        self.at += count;
        Ok(count)
    }
}
