//! Cutting a stream where a mark stands: a newline, or a newline and the sign that begins the next record.

use memchr::memmem;

use crate::chunk::{Body, Output};
use crate::limits::Limits;
use crate::pipeline::Stopped;
use crate::problem::At;
use crate::stream::Stream;
use crate::window::{CHUNK, Window};

/// Cuts behind the first byte of each `mark`, which must be a newline. A record (`what`, for messages) above the limit is passed over
/// without being kept. `body` gets the number of a chunk's first line, or 1 where nobody wants to know it (`numbered` is false), and
/// its bytes.
pub(crate) fn cut(
    stream: &mut Stream,
    limits: &Limits,
    output: &Output<'_>,
    (mark, what): (&[u8], &str),
    numbered: bool,
    body: impl Fn(u64, Vec<u8>) -> Body,
) -> Result<(), Stopped> {
    let lines = |bytes: &[u8]| if numbered { memchr::memchr_iter(b'\n', bytes).count() as u64 } else { 0 };
    let is_live = stream.is_live;
    let mut window = Window::new(stream, limits.record());
    let mut line = 1;
    // The end of the last whole record in the window, and how far it has been looked through.
    let (mut end, mut seen) = (0, 0usize);
    // Inside a record that was refused.
    let mut is_skipping = false;
    loop {
        let filled = window.fill();
        let is_last = !matches!(filled, Ok(true));
        if is_skipping {
            let found = memmem::find(window.bytes(), mark);
            // The mark may lie across two reads: its first bytes must be seen again.
            let passed = found.map_or(window.bytes().len().saturating_sub(mark.len() - 1), |at| at + 1);
            line += lines(&window.bytes()[..passed]);
            window.discard(passed);
            is_skipping = found.is_none();
            seen = 0;
        }
        if !is_skipping {
            let from = seen.saturating_sub(mark.len() - 1);
            if let Some(at) = memmem::rfind(&window.bytes()[from..], mark) {
                end = from + at + 1;
            }
            seen = window.bytes().len();
            if end > 0 && (is_last || is_live || seen >= CHUNK) {
                let bytes = window.take(end);
                let first = line;
                line += lines(&bytes);
                output.send(body(first, bytes))?;
                seen -= end;
                end = 0;
            }
            if seen - end > limits.record() {
                output.problem(At::Line(line), limits.refusal(what))?;
                is_skipping = true;
                let keep = mark.len() - 1;
                line += lines(&window.bytes()[..seen - keep]);
                window.discard(seen - keep);
                seen = 0;
            }
        }
        match filled {
            Ok(true) => {}
            Ok(false) => {
                let bytes = window.take(seen);
                return if bytes.is_empty() || is_skipping { Ok(()) } else { output.send(body(line, bytes)) };
            }
            Err(error) => return output.problem(At::Line(line), limits.damage(&error, window.offset() + seen as u64)),
        }
    }
}
