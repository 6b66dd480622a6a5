//! JSON lines: one object a line.

use crate::chunk::{Body, Output, Receive};
use crate::limits::Limits;
use crate::marks;
use crate::object::Wanted;
use crate::pipeline::Stopped;
use crate::problem::At;
use crate::stream::Stream;

/// Cuts a stream at line ends, and counts them where lines are to be `numbered`. A line above the limit is passed over without being kept.
pub(crate) fn cut(stream: &mut Stream, numbered: bool, limits: &Limits, output: &Output<'_>) -> Result<(), Stopped> {
    marks::cut(stream, limits, output, (b"\n", "line"), numbered, |first, bytes| Body::Lines { first, bytes })
}

/// Reads the lines of a chunk.
pub(crate) fn parse(first: u64, bytes: &[u8], wanted: &Wanted, receive: &mut dyn Receive) {
    let bytes = if first == 1 { bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes) } else { bytes };
    if wanted.is_time_alone() {
        return parse_times(bytes, wanted, receive);
    }
    // One check of the whole chunk is far cheaper than one of every string; line by line only where it fails.
    if let Ok(text) = simdutf8::basic::from_utf8(bytes) {
        let mut start = 0;
        let ends = memchr::memchr_iter(b'\n', bytes).chain(std::iter::once(bytes.len()));
        for (line, end) in (first..).zip(ends) {
            parse_line(At::Line(line), &text[start..end], wanted, receive);
            start = end + 1;
        }
        return;
    }
    for (line, bytes) in (first..).zip(bytes.split(|&byte| byte == b'\n')) {
        match std::str::from_utf8(bytes) {
            Ok(json) => parse_line(At::Line(line), json, wanted, receive),
            Err(error) => {
                receive.problem(At::Line(line), format!("invalid UTF-8 at column {}", error.valid_up_to() + 1))
            }
        }
    }
}

/// Reads the times of the lines of a chunk. What is wrong with a line, its number, and whether its text is UTF-8 are told when it is
/// read.
fn parse_times(bytes: &[u8], wanted: &Wanted, receive: &mut dyn Receive) {
    let mut start = 0;
    for end in memchr::memchr_iter(b'\n', bytes).chain(std::iter::once(bytes.len())) {
        let json = bytes[start..end].trim_ascii();
        let slowly = || wanted.whole(std::str::from_utf8(json).ok()?, receive.names()).ok();
        if let Some(record) = wanted.time_alone(json).or_else(slowly) {
            receive.record(At::Whole, record);
        }
        start = end + 1;
    }
}

fn parse_line(at: At, json: &str, wanted: &Wanted, receive: &mut dyn Receive) {
    let json = json.trim_ascii();
    if json.is_empty() {
        return;
    }
    match wanted.record(json, receive.names()) {
        Ok(record) => receive.record(at, record),
        Err(what) => receive.problem(at, what),
    }
}
