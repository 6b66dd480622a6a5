//! FASTA: sequences under header lines that begin with `>`.

use crate::chunk::{Body, Output, Receive};
use crate::fields::{Record, Value};
use crate::limits::Limits;
use crate::marks;
use crate::pipeline::Stopped;
use crate::problem::At;
use crate::stream::Stream;

/// Cuts a stream before header lines.
pub(crate) fn cut(stream: &mut Stream, limits: &Limits, output: &Output<'_>) -> Result<(), Stopped> {
    marks::cut(stream, limits, output, (b"\n>", "sequence"), true, |first, bytes| Body::Fasta { first, bytes })
}

/// Reads the sequences of a chunk: the name is the first word of the header, the text the sequence without its line ends.
pub(crate) fn parse(first: u64, bytes: &[u8], receive: &mut dyn Receive) {
    let mut sequence: Option<Sequence<'_>> = None;
    let mut is_stray = false;
    for (number, line) in (first..).zip(bytes.split(|&byte| byte == b'\n')) {
        let line = line.trim_ascii();
        if let Some(header) = line.strip_prefix(b">") {
            if let Some(sequence) = sequence.take() {
                sequence.finish(receive);
            }
            sequence = Some(Sequence { at: At::Line(number), header, letters: Vec::new() });
        } else if let Some(sequence) = &mut sequence {
            // Old files have comments behind a semicolon.
            if !line.starts_with(b";") {
                sequence.letters.extend_from_slice(line);
            }
        } else if !line.is_empty() && !line.starts_with(b";") && line != b"\xef\xbb\xbf" && !is_stray {
            receive.problem(At::Line(number), "a sequence without a header line that begins with >".into());
            is_stray = true;
        }
    }
    if let Some(sequence) = sequence {
        sequence.finish(receive);
    }
}

struct Sequence<'a> {
    at: At,
    header: &'a [u8],
    letters: Vec<u8>,
}

impl Sequence<'_> {
    fn finish(self, receive: &mut dyn Receive) {
        let name = self.header.split(u8::is_ascii_whitespace).next().unwrap_or_default();
        let (Ok(text), Ok(name)) = (String::from_utf8(self.letters), std::str::from_utf8(name)) else {
            return receive.problem(self.at, "invalid UTF-8".into());
        };
        let id = if name.is_empty() { Value::Absent } else { Value::Text(name.into()) };
        receive.record(self.at, Record { text: Value::Text(text.into()), id, ..Record::default() });
    }
}
