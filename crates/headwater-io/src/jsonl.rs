//! JSON lines: one object a line.

use crate::chunk::{Body, Output, Receive};
use crate::limits::Limits;
use crate::object::Wanted;
use crate::pipeline::Stopped;
use crate::problem::At;
use crate::stream::Stream;
use crate::window::{CHUNK, Window};

/// Cuts a stream at line ends. A line above the limit is passed over without being kept.
pub(crate) fn cut(stream: &mut Stream, limits: &Limits, output: &Output<'_>) -> Result<(), Stopped> {
    let is_live = stream.is_live;
    let mut window = Window::new(stream);
    let mut line = 1;
    // The end of the last whole line in the window, and how far it has been looked through.
    let (mut end, mut seen) = (0, 0);
    // Inside a line that was refused.
    let mut is_skipping = false;
    loop {
        let filled = window.fill();
        if is_skipping {
            let newline = memchr::memchr(b'\n', window.bytes());
            window.discard(newline.map_or(window.bytes().len(), |at| at + 1));
            if newline.is_some() {
                is_skipping = false;
                line += 1;
            }
            seen = 0;
        }
        if let Some(at) = memchr::memrchr(b'\n', &window.bytes()[seen..]) {
            end = seen + at + 1;
        }
        seen = window.bytes().len();
        let is_last = !matches!(filled, Ok(true));
        if end > 0 && (is_last || is_live || seen >= CHUNK) {
            let bytes = window.take(end);
            let first = line;
            line += memchr::memchr_iter(b'\n', &bytes).count() as u64;
            output.send(Body::Lines { first, bytes })?;
            seen -= end;
            end = 0;
        }
        match filled {
            Ok(true) if seen - end > limits.record() => {
                output.problem(At::Line(line), limits.refusal("line"))?;
                is_skipping = true;
                window.discard(seen);
                seen = 0;
            }
            Ok(true) => {}
            Ok(false) => {
                let bytes = window.take(seen);
                return if bytes.is_empty() { Ok(()) } else { output.send(Body::Lines { first: line, bytes }) };
            }
            Err(error) => return output.problem(At::Line(line), limits.damage(&error, window.offset() + seen as u64)),
        }
    }
}

/// Reads the lines of a chunk.
pub(crate) fn parse(first: u64, bytes: &[u8], wanted: &Wanted, receive: &mut dyn Receive) {
    let mut line = first;
    let mut rest = bytes;
    if first == 1 {
        rest = rest.strip_prefix(b"\xef\xbb\xbf").unwrap_or(rest);
    }
    while !rest.is_empty() {
        let end = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        let json = rest[..end].trim_ascii();
        if !json.is_empty() {
            match wanted.record(json, receive.names()) {
                Ok(record) => receive.record(At::Line(line), record),
                Err(what) => receive.problem(At::Line(line), what),
            }
        }
        rest = rest.get(end + 1..).unwrap_or_default();
        line += 1;
    }
}
